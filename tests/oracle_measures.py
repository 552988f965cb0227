"""The measures of the specification, by brute force in plain Python.

This file knows nothing of the package under test: it is what the package is compared with.
Counts and shares are exact fractions; only logarithms are floats.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Row = Mapping[str, object]
Table = Sequence[Row]
Number = int | float | Fraction
Counts = Counter[object]

MORE_IS_SAFER = frozenset({"k", "distinct_l", "frequency_l", "entropy_l", "recursive_l"})
LESS_IS_SAFER = frozenset(
    {
        "alpha",
        "t_closeness",
        "t_closeness_ordered",
        "basic_beta",
        "enhanced_beta",
        "delta_disclosure",
    }
)
EXACT = frozenset({"k", "distinct_l", "frequency_l", "recursive_l", "alpha"})
TOLERANCE = 1e-9


@dataclass(frozen=True)
class M:
    """A measure: `values` are the named ones of alpha, `c` is the constant of recursive_l."""

    name: str
    column: str | None = None
    values: tuple[object, ...] = ()
    c: Number | None = None

    @property
    def more_is_safer(self) -> bool:
        if self.name not in MORE_IS_SAFER | LESS_IS_SAFER:
            raise ValueError(f"no such measure: {self.name}")
        return self.name in MORE_IS_SAFER


@dataclass(frozen=True)
class R:
    """A requirement: measure >= bound where more is safer, measure <= bound where less is."""

    measure: M
    bound: Number


@dataclass(frozen=True)
class ClassCounts:
    """All that a measure may look at: the class, and the relation it is part of."""

    people: int  # |e|: rows, or distinct entities
    here: Counts  # c(v) in the class
    everywhere: Counts  # c(v) in the whole relation


def fraction(number: Number) -> Fraction:
    """A float means the decimal that a person wrote: 0.1 is 1/10, not its nearest double."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def people(members: Table, entity: str | None) -> int:
    if entity is None:
        return len(members)
    return len({row[entity] for row in members if row[entity] is not None})


def counts(members: Table, column: str | None, entity: str | None) -> Counts:
    """How many rows (or, with an entity, how many people) have each value."""
    if column is None:
        return Counter()
    if entity is None:
        return Counter(row[column] for row in members)
    pairs = {(row[entity], row[column]) for row in members if row[entity] is not None}
    return Counter(value for _, value in pairs)


def shares(of: Counts) -> dict[object, Fraction]:
    """With an entity these are shares of the distinct (entity, value) pairs."""
    total = sum(of.values())
    return {value: Fraction(count, total) for value, count in of.items()}


def ordered(values: Sequence[object]) -> list[object]:
    """As the type orders, NULL last."""

    def key(value: Any) -> Any:
        return (1, 0) if value is None else (0, value)

    return sorted(values, key=key)


def log_of(ratio: Fraction) -> float:
    """ln, without losing digits where the ratio is near 1."""
    if Fraction(1, 2) < ratio < 2:
        return math.log1p(float(ratio - 1))
    return math.log(ratio)


def k(e: ClassCounts, _: M) -> Number:
    return e.people


def distinct_l(e: ClassCounts, _: M) -> Number:
    return len(e.here)


def frequency_l(e: ClassCounts, _: M) -> Number:
    return Fraction(e.people, max(e.here.values())) if e.here else 0


def entropy_l(e: ClassCounts, _: M) -> Number:
    if not e.here:
        return 0
    return math.exp(-math.fsum(float(p) * log_of(p) for p in shares(e.here).values()))


def recursive_l(e: ClassCounts, measure: M) -> Number:
    if measure.c is None:
        raise ValueError("recursive_l needs its constant c")
    downwards = sorted(e.here.values(), reverse=True)
    reached = [
        level
        for level in range(1, len(downwards) + 1)
        if downwards[0] < fraction(measure.c) * sum(downwards[level - 1 :])
    ]
    return max(reached, default=0)


def alpha(e: ClassCounts, measure: M) -> Number:
    watched = measure.values or tuple(e.here)
    most = max((e.here[value] for value in watched), default=0)
    return Fraction(most, e.people) if e.people else 0


def differences(e: ClassCounts) -> dict[object, Fraction]:
    """p - q for every value of the relation, in the values' own order."""
    p, q = shares(e.here), shares(e.everywhere)
    return {value: p.get(value, Fraction(0)) - q[value] for value in ordered(list(q))}


def t_closeness(e: ClassCounts, _: M) -> Number:
    if not e.here:
        return 0
    return sum((abs(d) for d in differences(e).values()), Fraction(0)) / 2


def t_closeness_ordered(e: ClassCounts, _: M) -> Number:
    gaps = list(differences(e).values())
    if not e.here or len(gaps) == 1:
        return 0
    running = [sum(gaps[: end + 1], Fraction(0)) for end in range(len(gaps))]
    return sum((abs(step) for step in running), Fraction(0)) / (len(gaps) - 1)


def gains(e: ClassCounts) -> dict[object, Fraction]:
    """(p - q) / q for every value of the relation: what seeing the class adds."""
    q = shares(e.everywhere)
    return {value: gap / q[value] for value, gap in differences(e).items()}


def basic_beta(e: ClassCounts, _: M) -> Number:
    return max([Fraction(0), *gains(e).values()]) if e.here else 0


def enhanced_beta(e: ClassCounts, measure: M) -> Number:
    if not e.here:
        return 0
    q = shares(e.everywhere)
    if any(float(gain) > -log_of(q[value]) for value, gain in gains(e).items()):
        return math.inf
    return basic_beta(e, measure)


def delta_disclosure(e: ClassCounts, _: M) -> Number:
    q = shares(e.everywhere)
    return max((abs(log_of(p / q[value])) for value, p in shares(e.here).items()), default=0)


FORMULAS: dict[str, Callable[[ClassCounts, M], Number]] = {
    "k": k,
    "distinct_l": distinct_l,
    "frequency_l": frequency_l,
    "entropy_l": entropy_l,
    "recursive_l": recursive_l,
    "alpha": alpha,
    "t_closeness": t_closeness,
    "t_closeness_ordered": t_closeness_ordered,
    "basic_beta": basic_beta,
    "enhanced_beta": enhanced_beta,
    "delta_disclosure": delta_disclosure,
}


def class_value(
    members: Table, relation: Table, measure: M, *, entity: str | None = None
) -> Number:
    """The value of one class. Where nobody stands (only NULL entities) it is 0."""
    everywhere = counts(relation, measure.column, entity)
    return value_against(members, everywhere, measure, entity=entity)


def value_against(
    members: Table, everywhere: Counts, measure: M, *, entity: str | None = None
) -> Number:
    """As class_value, for a caller that has counted the relation once for all its classes."""
    if measure.name != "k" and measure.column is None:
        raise ValueError(f"{measure.name} needs a sensitive column")
    here = counts(members, measure.column, entity)
    e = ClassCounts(people(members, entity), here, everywhere)
    return FORMULAS[measure.name](e, measure)


def misses(value: Number, requirement: R) -> bool:
    """Counts are compared exactly; real numbers with a relative error of 1e-9."""
    more = requirement.measure.more_is_safer
    if requirement.measure.name in EXACT:
        bound = fraction(requirement.bound)
        return value < bound if more else value > bound
    threshold = float(requirement.bound)
    if more:
        return float(value) < threshold * (1 - TOLERANCE)
    return float(value) > threshold * (1 + TOLERANCE)
