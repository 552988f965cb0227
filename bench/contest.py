"""Contenders on one table, in rounds, each answer compared before any time is believed."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from bench.contenders import LIMIT, MEASURE, PYCANON, Contender
from bench.data import Place, Table
from bench.outcome import Differs, Outcome, compare, compare_levels


@dataclass(frozen=True, slots=True)
class Timing:
    """The seconds of a contender, a number for each round that it ran in."""

    contender: str
    seconds: tuple[float, ...]
    sets_evaluated: int | None

    @property
    def best(self) -> float:
        return min(self.seconds)

    @property
    def median(self) -> float:
        return median(self.seconds)


@dataclass(frozen=True, slots=True)
class Contest:
    """What was measured on one table."""

    engine: str
    table: str
    rows: int
    columns: int
    classes: int
    timings: tuple[Timing, ...]

    def find(self, contender: str) -> Timing | None:
        return next((t for t in self.timings if t.contender == contender), None)

    def ratio(self, contender: str, to: str = LIMIT) -> float | None:
        """How many times as long as another it took.

        Best against best; but where one ran less often than the other, and so had fewer chances
        of a quiet moment, median against median.
        """
        one, other = self.find(contender), self.find(to)
        if one is None or other is None:
            return None
        if len(one.seconds) == len(other.seconds):
            return one.best / other.best
        return one.median / other.median

    def typical_ratio(self, contender: str, to: str = LIMIT) -> float | None:
        """The same of medians, whoever ran how often."""
        one, other = self.find(contender), self.find(to)
        return None if one is None or other is None else one.median / other.median


def hold(place: Place, table: Table, contenders: Sequence[Contender], *, repeat: int) -> Contest:
    """Run the contenders in turn, ``repeat`` times; raise Differs when their answers do."""
    seconds: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    outcomes: list[tuple[Contender, Outcome]] = []
    for turn in range(repeat):
        for contender in contenders:
            if contender.rounds is not None and turn >= contender.rounds:
                continue
            gc.collect()
            started = time.perf_counter()
            outcome = contender.run()
            seconds[contender.name].append(time.perf_counter() - started)
            outcomes.append((contender, outcome))
            say(f"  {contender.name}: {seconds[contender.name][-1]:.3f} s")
    agree(outcomes)
    last = {contender.name: outcome for contender, outcome in outcomes}
    return Contest(
        engine=place.engine,
        table=table.name,
        rows=table.rows,
        columns=len(table.columns),
        classes=last[LIMIT].facts[frozenset(table.columns)].classes,
        timings=tuple(
            Timing(name, tuple(taken), last[name].sets_evaluated) for name, taken in seconds.items()
        ),
    )


def agree(outcomes: Sequence[tuple[Contender, Outcome]]) -> None:
    """Raise Differs unless all runs of all contenders found the same.

    The measure is the first contender that looks at every set: the SQL by hand where it takes part.
    """
    reference = next((o for contender, o in outcomes if contender.every_set), None)
    if reference is None:
        raise Differs("nobody looked at every set, so there is nothing to compare with")
    for contender, outcome in outcomes:
        compare(contender.name, outcome, reference, every_set=contender.every_set)
    levels = {contender.name: outcome.levels for contender, outcome in outcomes}
    if PYCANON in levels:
        for contender, outcome in outcomes:
            if contender.name == MEASURE:
                compare_levels(PYCANON, outcome.levels, levels[PYCANON])


def say(text: str) -> None:
    """Progress goes to stderr; results to stdout."""
    print(text, file=sys.stderr, flush=True)
