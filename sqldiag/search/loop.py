"""Runs a strategy within its budget, and draws the borders from what was seen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from sqldiag import lattice
from sqldiag.errors import Cancelled
from sqldiag.search.apriori import apriori
from sqldiag.search.base import Evaluate, Problem, Report, Strategy, Verdict
from sqldiag.search.choice import Choice
from sqldiag.search.guided import guided
from sqldiag.search.outlook import Outlook, lattice_size

# Beyond this many sets of limited size, a guided search's bookkeeping costs more than it saves.
_MANY_SETS = 20_000

# So many statements' worth of sets are handed over together: the more, the more they share.
TOGETHER = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """When to stop early; None is no limit."""

    sets: int | None = None
    seconds: float | None = None

    def spent(self, started: float) -> bool:
        """Whether the time is over, for a search that began at this reading of the clock."""
        return self.seconds is not None and time.monotonic() - started > self.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Every set that was looked at, and whether that is all there is to know."""

    verdicts: Mapping[int, Verdict]
    complete: bool
    cancelled: bool
    strategy: str


def choose(problem: Problem, choice: Choice) -> tuple[str, Callable[[Problem], Strategy]]:
    """Guided where pruning both ways is sound and the bookkeeping stays small."""
    limited = problem.max_size < problem.columns
    many = lattice_size(problem.columns, problem.max_size) > _MANY_SETS
    if choice is Choice.APRIORI or not problem.monotone or (limited and many):
        return "apriori", apriori
    return "guided", guided


def search(
    problem: Problem,
    evaluate: Evaluate,
    *,
    choice: Choice,
    budget: Budget,
    report: Report,
    narrow: Callable[[int], None],
) -> Seen:
    """Look until all is known, the budget is spent or someone interrupts."""
    name, make = choose(problem, choice)
    strategy = make(problem)
    verdicts: dict[int, Verdict] = {}
    started = time.monotonic()
    complete = cancelled = False
    alive = (1 << problem.columns) - 1
    outlook = Outlook(problem)
    try:
        batch = next(strategy)
        while True:
            found: dict[int, Verdict] = {}
            for part in affordable(batch, TOGETHER * problem.batch, verdicts, budget, started):
                for lot in evaluate(part):
                    found |= lot
                    verdicts |= lot
                    report(outlook.after(found, waiting=len(batch) - len(found)))
                    if budget.spent(started):
                        break
            if len(found) < len(batch):
                break
            still = _alive(found, alive)
            if still != alive:
                alive = still
                narrow(alive)
            batch = strategy.send(found)
    except StopIteration:
        complete = True
    except (KeyboardInterrupt, Cancelled):
        if not verdicts:
            raise
        cancelled = True
    return Seen(verdicts=verdicts, complete=complete, cancelled=cancelled, strategy=name)


def affordable(
    batch: Sequence[int],
    most: int,
    verdicts: Mapping[int, Verdict],
    budget: Budget,
    started: float,
) -> Iterator[Sequence[int]]:
    """The batch in pieces, for as long as the budget lasts."""
    for first in range(0, len(batch), most):
        piece = batch[first : first + most]
        if budget.sets is not None:
            piece = piece[: budget.sets - len(verdicts)]
        if not piece or budget.spent(started):
            return
        yield piece


def _alive(found: Mapping[int, Verdict], alive: int) -> int:
    """Columns that identify by themselves are in no set that is still open."""
    for mask, verdict in found.items():
        if verdict.dead and lattice.size(mask) == 1:
            alive &= ~mask
    return alive


def borders(problem: Problem, seen: Mapping[int, Verdict]) -> tuple[list[int], list[int]]:
    """The maximal sets that hold and the minimal ones that do not, among those of allowed size."""
    holding = [mask for mask, verdict in seen.items() if verdict.holds]
    missing = [mask for mask, verdict in seen.items() if not verdict.holds]
    fitting = {mask for mask in missing if lattice.size(mask) <= problem.max_size}
    return lattice.maximal(_cut(holding, problem.max_size)), lattice.minimal(fitting)


def _cut(masks: Sequence[int], max_size: int) -> Iterator[int]:
    """A safe set that is larger than asked for stands for its parts of the largest size."""
    for mask in masks:
        if lattice.size(mask) <= max_size:
            yield mask
        else:
            for members in combinations(lattice.positions(mask), max_size):
                yield lattice.of(members)
