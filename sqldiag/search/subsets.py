"""Every set, level by level; only sets whose value is known from a part are left out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from sqldiag import lattice
from sqldiag.errors import Cancelled
from sqldiag.search.base import Evaluate, Problem, Progress, Report, Verdict
from sqldiag.search.loop import Budget, Seen, affordable, lattice_size


def everything(
    problem: Problem,
    evaluate: Evaluate,
    *,
    at_floor: Callable[[int], bool],
    budget: Budget,
    report: Report,
    list_inferred: bool,
) -> tuple[Seen, list[int]]:
    """All sets, and (if wanted) those that follow from a part which cannot get worse."""
    verdicts: dict[int, Verdict] = {}
    floors: list[int] = []
    inferred: list[int] = []
    started = time.monotonic()
    complete, cancelled = True, False
    total = lattice_size(problem.columns, problem.max_size)
    try:
        for members in range(1, problem.max_size + 1):
            level, known = _split(lattice.level(problem.columns, members), floors)
            inferred += known if list_inferred else []
            done = 0
            for part in affordable(level, problem.batch, verdicts, budget, started):
                verdicts |= evaluate(part)
                done += len(part)
                report(
                    Progress(
                        level=members,
                        evaluated=len(verdicts),
                        inferred=len(inferred),
                        remaining=total - len(verdicts) - len(inferred),
                    )
                )
            floors = lattice.minimal([*floors, *(mask for mask in level[:done] if at_floor(mask))])
            if done < len(level):
                complete = False
                break
    except (KeyboardInterrupt, Cancelled):
        if not verdicts:
            raise
        complete, cancelled = False, True
    seen = Seen(verdicts=verdicts, complete=complete, cancelled=cancelled, strategy="all")
    return seen, inferred


def _split(level: Iterator[int], floors: list[int]) -> tuple[list[int], list[int]]:
    open_sets: list[int] = []
    known: list[int] = []
    for mask in level:
        below = any(mask & floor == floor for floor in floors)
        (known if below else open_sets).append(mask)
    return open_sets, known
