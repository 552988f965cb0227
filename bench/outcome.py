"""What a contender found, and whether two found the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import floor

Columns = frozenset[str]


class Differs(Exception):
    """Two contenders gave different answers: no ratio of theirs means anything."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Of one set: its k, its classes, and the rows in classes that are too small."""

    k: int
    classes: int
    need: int | None = None

    def agrees(self, other: Facts) -> bool:
        needs = {self.need, other.need} - {None}
        return (self.k, self.classes) == (other.k, other.classes) and len(needs) < 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run of a contender found; what it does not look for is empty."""

    facts: Mapping[Columns, Facts] = field(default_factory=dict)
    safe: Collection[Columns] | None = None
    unsafe: Collection[Columns] = ()
    levels: Mapping[str, float] = field(default_factory=dict)
    sets_evaluated: int | None = None


def compare(name: str, found: Outcome, reference: Outcome, *, every_set: bool) -> None:
    """Raise Differs where ``found`` does not agree with the facts of the reference.

    With ``every_set`` the contender must know all sets that the reference knows.
    """
    if every_set and found.facts.keys() != reference.facts.keys():
        raise Differs(f"{name}: {len(found.facts)} sets, not {len(reference.facts)}")
    for columns, facts in found.facts.items():
        expected = reference.facts.get(columns)
        if expected is not None and not facts.agrees(expected):
            raise Differs(f"{name}: {', '.join(sorted(columns))} is {facts}, not {expected}")
    if found.safe is not None:
        _compare_borders(name, found.safe, found.unsafe, reference.facts)


def _compare_borders(
    name: str,
    safe: Collection[Columns],
    unsafe: Collection[Columns],
    facts: Mapping[Columns, Facts],
) -> None:
    """The reference may know only the sets up to a size; up to there the borders are exact."""
    largest = max(map(len, facts))
    missed = [columns for columns, known in facts.items() if known.need]
    if {s for s in unsafe if len(s) <= largest} != set(minimal(missed)):
        raise Differs(f"{name}: the unsafe border is not that of the sets one by one")
    if largest == len(frozenset().union(*facts)):
        held = [columns for columns, known in facts.items() if not known.need]
        if set(safe) != set(maximal(held)):
            raise Differs(f"{name}: the safe border is not that of the sets one by one")
    elif any(bad <= good for good in safe for bad in unsafe):
        raise Differs(f"{name}: an unsafe set lies within a safe one")


def minimal(sets: Iterable[Columns]) -> list[Columns]:
    """Those that contain no other; smallest first, so that each is compared with few."""
    kept: list[Columns] = []
    for columns in sorted(sets, key=len):
        if not any(other <= columns for other in kept):
            kept.append(columns)
    return kept


def maximal(sets: Iterable[Columns]) -> list[Columns]:
    """Those that no other contains."""
    kept: list[Columns] = []
    for columns in sorted(sets, key=len, reverse=True):
        if not any(columns <= other for other in kept):
            kept.append(columns)
    return kept


def compare_levels(name: str, ours: Mapping[str, float], theirs: Mapping[str, float]) -> None:
    """Raise Differs where pyCANON's levels are not ours.

    It truncates entropy l to a whole number, so ours is truncated too. Its recursive (c, l) takes
    the counts in ascending order and gives a c for the l of distinct l-diversity, which is another
    question than ours, an l for a given c: only its l is compared, with our distinct l.
    """
    expected = {
        "k": ours["k"],
        "distinct_l": ours["distinct_l"],
        "entropy_l, truncated": floor(ours["entropy_l"] * (1 + 1e-9)),
        "l of recursive (c, l)": ours["distinct_l"],
    }
    if dict(theirs) != expected:
        raise Differs(f"{name}: {dict(theirs)}, not {expected}")
