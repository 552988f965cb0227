"""The values of the quasi-identifiers, numbered, and what they say about the relation.

Each value has a line, in its own column: g says in which, n in how many rows. NULL has one, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqldiag.planner.grouping import grouping_sets
from sqldiag.planner.steps import whole


@dataclass(frozen=True, slots=True)
class Totals:
    """The relation as a whole: its rows and people, and of every column how many rows have a value,
    and how many values there are."""

    rows: int
    entities: int | None
    filled: Mapping[str, int]
    distinct: Mapping[str, int]

    @property
    def nullable(self) -> frozenset[str]:
        """The columns that hold a NULL somewhere."""
        return frozenset(name for name, rows in self.filled.items() if rows < self.rows)


def number_values(columns: Sequence[str], facts: str) -> exp.Select:
    """A code from 1 on for every value of every column."""
    # Which column it is, term by term: GROUPING of many columns differs from engine to engine.
    which = " + ".join(f"(1 - GROUPING({column})) * {i}" for i, column in enumerate(columns, 1))
    known = exp.select(*columns, f"{which} AS g", f"{whole('SUM(n)')} AS n").from_(facts)
    known.set("group", exp.Group(grouping_sets=[grouping_sets([[name] for name in columns])]))
    # NULL, whose code nobody asks for, must not take one from the values.
    blank = " AND ".join(f"{column} IS NULL" for column in columns)
    code = numbered(f"PARTITION BY g, {blank}")
    return exp.select(*columns, "g", "n", code).from_(known.subquery("known"))


def numbered(over: str) -> str:
    return f"CAST(ROW_NUMBER() OVER ({over}) AS INT) AS code"


def count_values(columns: Sequence[str], values: str, people: exp.Select | None) -> exp.Select:
    """What ``read_totals`` reads; ``people`` counts those of the relation."""
    return exp.select(
        whole("SUM(n) FILTER (WHERE g = 1)"),
        exp.Literal.number(0) if people is None else people.subquery(),
        *(whole(f"SUM(n) FILTER (WHERE {column} IS NOT NULL)") for column in columns),
        *(f"COUNT({column})" for column in columns),
    ).from_(values)


def read_totals(row: Sequence[object], names: Sequence[str], *, people: bool) -> Totals:
    # Of no rows at all, sums are NULL.
    rows, entities, *counts = [int(str(value or 0)) for value in row]
    filled, distinct = counts[: len(names)], counts[len(names) :]
    return Totals(
        rows=rows,
        entities=entities if people else None,
        filled=dict(zip(names, filled, strict=True)),
        distinct=dict(zip(names, distinct, strict=True)),
    )
