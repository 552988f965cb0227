"""Every set, level by level; only sets whose value is known from a part are left out."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import comb

from sqldiag import lattice
from sqldiag.errors import Cancelled
from sqldiag.search.base import Evaluate, Problem, Progress, Report, Verdict
from sqldiag.search.loop import TOGETHER, Budget, Seen, affordable
from sqldiag.search.outlook import lattice_size

# So many sets are listed without looking between two looks at the clock.
_BETWEEN_LOOKS = 10_000


def everything(
    problem: Problem,
    evaluate: Evaluate,
    *,
    infers: bool,
    at_floor: Callable[[int], bool],
    budget: Budget,
    report: Report,
    list_inferred: bool,
) -> tuple[Seen, list[int]]:
    """All sets, and (if wanted) those that follow from a part which cannot get worse.

    ``infers``: such parts are looked for, so that levels go one after the other.
    """
    verdicts: dict[int, Verdict] = {}
    inferred: list[int] = []
    started = time.monotonic()
    complete, cancelled = True, False
    left = lattice_size(problem.columns, problem.max_size)
    follow = 0
    first = levels_together(problem, infers=infers)
    try:
        level = [
            mask for size in range(1, first + 1) for mask in lattice.level(problem.columns, size)
        ]
        for members in range(first, problem.max_size + 1):
            if infers:
                follow += comb(problem.columns, members) - len(level)
            if list_inferred and not _list(problem, members, level, inferred, budget, started):
                complete = False
                break
            done = 0
            for part in affordable(level, TOGETHER * problem.batch, verdicts, budget, started):
                for lot in evaluate(part):
                    verdicts |= lot
                    done += len(lot)
                    report(
                        Progress(
                            level=max(map(lattice.size, lot)),
                            evaluated=len(verdicts),
                            inferred=follow,
                            remaining=left - len(verdicts) - follow,
                        )
                    )
                    if budget.spent(started):
                        break
            if done < len(level):
                complete = False
                break
            if members == problem.max_size:
                break
            if infers:
                level = lattice.join([mask for mask in level if not at_floor(mask)])
            else:
                level = list(lattice.level(problem.columns, members + 1))
            if not level and not list_inferred:
                break
    except (KeyboardInterrupt, Cancelled):
        if not verdicts:
            raise
        complete, cancelled = False, True
    seen = Seen(verdicts=verdicts, complete=complete, cancelled=cancelled, strategy="all")
    return seen, inferred


def levels_together(problem: Problem, *, infers: bool) -> int:
    """So many levels as are looked at first: one, where it may spare sets of the next; else as
    many as can be handed over together."""
    for members in range(problem.max_size, 1, -1):
        if not infers and lattice_size(problem.columns, members) <= TOGETHER * problem.batch:
            return members
    return 1


def _list(
    problem: Problem,
    members: int,
    level: list[int],
    inferred: list[int],
    budget: Budget,
    started: float,
) -> bool:
    """Add the sets of this size that were not looked at; whether there was time for all."""
    looked_at = set(level)
    for number, mask in enumerate(lattice.level(problem.columns, members)):
        if mask not in looked_at:
            inferred.append(mask)
        if number % _BETWEEN_LOOKS == 0 and budget.spent(started):
            return False
    return True
