"""The questions of the specification, by brute force in plain Python.

A table is a list of rows, a row a mapping from column to value, None is NULL and equals None.
Everywhere: `entity` counts people instead of rows, `strict_sensitive` names all sensitive columns
and makes those that a measure is not about join its quasi-identifiers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TypedDict, Unpack

from tests.oracle_measures import (
    LESS_IS_SAFER,
    MORE_IS_SAFER,
    TOLERANCE,
    M,
    Number,
    R,
    Row,
    Table,
    class_value,
    counts,
    fraction,
    misses,
    value_against,
)

__all__ = [
    "LESS_IS_SAFER", "MORE_IS_SAFER", "Line", "M", "Number", "R", "Risk", "Row", "SetAnswer",
    "Table", "allowed", "borders", "class_value", "classes", "curve", "fraction", "holds",
    "level", "misses", "need", "null_rows", "profile", "risk", "sets_of", "subsets",
    "suppression_needed", "worst",
]  # fmt: skip

ColumnSet = tuple[str, ...]


class How(TypedDict, total=False):
    """The options that every question takes."""

    entity: str | None
    strict_sensitive: Sequence[str]


@dataclass(frozen=True)
class Line:
    """One line of a profile: so many classes, and rows in them, have this value."""

    value: Number
    classes: int
    rows: int


@dataclass(frozen=True)
class Risk:
    classes: int
    singletons: int
    uniqueness: Fraction
    average_risk: Fraction
    distinction: Fraction
    separation: Fraction
    null_rows: int


@dataclass(frozen=True)
class SetAnswer:
    """What `subsets` says of one set; suppression_needed is None without requirements."""

    quasi_identifiers: ColumnSet
    value: Number
    value_suppressed: Number
    suppression_needed: Fraction | None
    classes: int
    curve: tuple[tuple[Number, Fraction], ...]


def _positions(rows: Table, qi: Sequence[str]) -> list[list[int]]:
    if not rows:
        raise ValueError("the relation is empty")
    if not qi:
        raise ValueError("no quasi-identifiers")
    groups: dict[tuple[object, ...], list[int]] = {}
    for position, row in enumerate(rows):
        groups.setdefault(tuple(row[column] for column in qi), []).append(position)
    return list(groups.values())


def classes(rows: Table, qi: Sequence[str]) -> list[list[Row]]:
    """The groups of rows that agree on all of qi."""
    return [[rows[position] for position in group] for group in _positions(rows, qi)]


def _columns_for(measure: M, qi: Sequence[str], how: How) -> list[str]:
    if measure.column is None:
        return list(qi)
    others = [s for s in how.get("strict_sensitive", ()) if s != measure.column]
    return [*qi, *others]


def _valued(rows: Table, qi: Sequence[str], measure: M, how: How) -> list[tuple[Number, list[int]]]:
    """Each class as its value and the positions of its rows."""
    entity = how.get("entity")
    everywhere = counts(rows, measure.column, entity)
    return [
        (value_against([rows[i] for i in group], everywhere, measure, entity=entity), group)
        for group in _positions(rows, _columns_for(measure, qi, how))
    ]


def profile(rows: Table, qi: Sequence[str], measure: M, **how: Unpack[How]) -> list[Line]:
    """Worst value first; values equal within a relative 1e-9 are one value."""
    sizes = [(value, len(group)) for value, group in _valued(rows, qi, measure, how)]
    sizes.sort(key=lambda pair: pair[0], reverse=not measure.more_is_safer)
    lines: list[Line] = []
    for value, size in sizes:
        if lines and math.isclose(lines[-1].value, value, rel_tol=TOLERANCE):
            last = lines.pop()
            lines.append(Line(last.value, last.classes + 1, last.rows + size))
        else:
            lines.append(Line(value, 1, size))
    return lines


def worst(rows: Table, qi: Sequence[str], measure: M, **how: Unpack[How]) -> Number:
    """The relation's value: that of its worst class."""
    values = [value for value, _ in _valued(rows, qi, measure, how)]
    return min(values) if measure.more_is_safer else max(values)


def need(rows: Table, qi: Sequence[str], requirements: Sequence[R], **how: Unpack[How]) -> int:
    """The rows in classes that miss any of the requirements."""
    missed: set[int] = set()
    for requirement in requirements:
        for value, group in _valued(rows, qi, requirement.measure, how):
            if misses(value, requirement):
                missed.update(group)
    return len(missed)


def suppression_needed(
    rows: Table, qi: Sequence[str], requirements: Sequence[R], **how: Unpack[How]
) -> Fraction:
    missed = need(rows, qi, requirements, **how)
    return Fraction(missed, len(rows))


def allowed(delta: Number, rows: int) -> int:
    """How many rows a share delta of them lets go, rounded down exactly."""
    return math.floor(fraction(delta) * rows)


def holds(
    rows: Table,
    qi: Sequence[str],
    requirements: Sequence[R],
    delta: Number = 0,
    **how: Unpack[How],
) -> bool:
    missed = need(rows, qi, requirements, **how)
    return missed <= allowed(delta, len(rows))


def level(
    rows: Table,
    qi: Sequence[str],
    measure: M,
    delta: Number = 0,
    **how: Unpack[How],
) -> Number:
    """The worst value that stays when the worst go first, all of one value together."""
    lines = profile(rows, qi, measure, **how)
    budget = allowed(delta, len(rows))
    while len(lines) > 1 and lines[0].rows <= budget:
        budget -= lines[0].rows
        lines = lines[1:]
    return lines[0].value


def curve(
    rows: Table, qi: Sequence[str], measure: M, **how: Unpack[How]
) -> list[tuple[Number, Fraction]]:
    """(value, share of rows to suppress to reach it), worst value first."""
    lines = profile(rows, qi, measure, **how)
    gone = [sum(line.rows for line in lines[:index]) for index in range(len(lines))]
    return [
        (line.value, Fraction(before, len(rows))) for line, before in zip(lines, gone, strict=True)
    ]


def null_rows(rows: Table, qi: Sequence[str]) -> int:
    return sum(any(row[column] is None for column in qi) for row in rows)


def risk(rows: Table, qi: Sequence[str]) -> Risk:
    """The figures that only sizes of classes, in rows, decide."""
    sizes = [len(members) for members in classes(rows, qi)]
    total = len(rows)
    singletons = sum(size == 1 for size in sizes)
    pairs = total * (total - 1) // 2
    alike = sum(size * (size - 1) // 2 for size in sizes)
    return Risk(
        classes=len(sizes),
        singletons=singletons,
        uniqueness=Fraction(singletons, total),
        average_risk=Fraction(len(sizes), total),
        distinction=Fraction(len(sizes), total),
        separation=Fraction(pairs - alike, pairs) if pairs else Fraction(0),
        null_rows=null_rows(rows, qi),
    )


def sets_of(columns: Sequence[str], max_size: int | None = None) -> Iterator[ColumnSet]:
    """Every non-empty set, smallest first, its columns in the order given."""
    largest = len(columns) if max_size is None else min(max_size, len(columns))
    for size in range(1, largest + 1):
        yield from combinations(columns, size)


def borders(
    rows: Table,
    columns: Sequence[str],
    requirements: Sequence[R],
    delta: Number = 0,
    *,
    max_size: int | None = None,
    **how: Unpack[How],
) -> tuple[set[ColumnSet], set[ColumnSet]]:
    """(safe, unsafe): the maximal sets that hold and the minimal that do not."""
    good: set[ColumnSet] = set()
    bad: set[ColumnSet] = set()
    for qi in sets_of(columns, max_size):
        verdict = holds(rows, qi, requirements, delta, **how)
        (good if verdict else bad).add(qi)
    safe = {s for s in good if not any(set(s) < set(other) for other in good)}
    unsafe = {s for s in bad if not any(set(other) < set(s) for other in bad)}
    return safe, unsafe


def subsets(
    rows: Table,
    columns: Sequence[str],
    measure: M | None = None,
    delta: Number = 0,
    *,
    requirements: Sequence[R] = (),
    max_size: int | None = None,
    **how: Unpack[How],
) -> dict[ColumnSet, SetAnswer]:
    """Every set's level, need and curve; the measure is k unless given."""
    asked = measure or M("k")

    def answer(qi: ColumnSet) -> SetAnswer:
        return SetAnswer(
            quasi_identifiers=qi,
            value=worst(rows, qi, asked, **how),
            value_suppressed=level(rows, qi, asked, delta, **how),
            suppression_needed=suppression_needed(rows, qi, requirements, **how)
            if requirements
            else None,
            classes=len(classes(rows, qi)),
            curve=tuple(curve(rows, qi, asked, **how)),
        )

    return {qi: answer(qi) for qi in sets_of(columns, max_size)}
