"""What strategies and the loop around them share."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a set after looking: ``dead`` says that every superset misses too."""

    holds: bool
    dead: bool
    need: int


Found = Mapping[int, Verdict]
Strategy = Generator[Sequence[int], Found, None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """The lattice to search: all sets of up to ``max_size`` of the columns.

    ``monotone``: every part of a set that holds holds as well. ``distinct`` are estimates of the
    columns' numbers of values; they steer the search and decide nothing.
    """

    columns: int
    max_size: int
    monotone: bool
    rows: int
    budget: int
    distinct: tuple[int, ...]
    batch: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Where a search stands."""

    level: int
    evaluated: int
    inferred: int
    remaining: int


class Evaluate(Protocol):
    """Looks at sets, and tells of each lot as soon as it is seen."""

    def __call__(self, masks: Sequence[int]) -> Iterable[Found]: ...


Report = Callable[[Progress], None]
