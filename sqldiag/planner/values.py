"""The values of the quasi-identifiers, numbered, and what they say about the relation.

Each value has a line, in its own column: g says in which, n in how many rows, m in how many of the
roll-up. NULL has one, too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqldiag.planner.grouping import grouping_sets
from sqldiag.planner.steps import real, whole

# Of so many times as many cells as rows, hardly any is hit twice.
_MANY = 1_000_000


@dataclass(frozen=True, slots=True)
class Totals:
    """The relation as a whole: its rows and people, and of every column how many rows have a value,
    and how many values there are.

    ``spread``: so many values, all as frequent as each other, would tell the roll-up's rows apart
    as well as the column's do (e to the power of their entropy).
    """

    rows: int
    entities: int | None
    filled: Mapping[str, int]
    distinct: Mapping[str, int]
    rolled_up: int
    spread: Mapping[str, float]

    @property
    def nullable(self) -> frozenset[str]:
        """The columns that hold a NULL somewhere."""
        return frozenset(name for name, rows in self.filled.items() if rows < self.rows)

    def groups(self, columns: Sequence[str]) -> float:
        """About how many groups a set of columns has: an estimate that steers cost, no answer.

        As many as cells are hit when the roll-up's rows fall on the set's cells at random.
        """
        cells = math.prod(self.spread[name] for name in columns)
        if cells > _MANY * self.rolled_up:
            return float(self.rolled_up)
        return -cells * math.expm1(-self.rolled_up / cells)


def number_values(columns: Sequence[str], facts: str) -> exp.Select:
    """A code from 1 on for every value of every column."""
    # Which column it is, term by term: GROUPING of many columns differs from engine to engine.
    which = " + ".join(f"(1 - GROUPING({column})) * {i}" for i, column in enumerate(columns, 1))
    counts = (f"{whole('SUM(n)')} AS n", "COUNT(*) AS m")
    known = exp.select(*columns, f"{which} AS g", *counts).from_(facts)
    known.set("group", exp.Group(grouping_sets=[grouping_sets([[name] for name in columns])]))
    # NULL, whose code nobody asks for, must not take one from the values.
    blank = " AND ".join(f"{column} IS NULL" for column in columns)
    code = numbered(f"PARTITION BY g, {blank}")
    return exp.select(*columns, "g", "n", "m", code).from_(known.subquery("known"))


def numbered(over: str) -> str:
    return f"CAST(ROW_NUMBER() OVER ({over}) AS INT) AS code"


def count_values(columns: Sequence[str], values: str, people: exp.Select | None) -> exp.Select:
    """What ``read_totals`` reads; ``people`` counts those of the relation."""
    count = real("m")
    return exp.select(
        whole("SUM(n) FILTER (WHERE g = 1)"),
        exp.Literal.number(0) if people is None else people.subquery(),
        *(whole(f"SUM(n) FILTER (WHERE {column} IS NOT NULL)") for column in columns),
        *(f"COUNT({column})" for column in columns),
        whole("SUM(m) FILTER (WHERE g = 1)"),
        *(f"SUM({count} * LN({count})) FILTER (WHERE g = {i})" for i, _ in enumerate(columns, 1)),
    ).from_(values)


def read_totals(row: Sequence[object], names: Sequence[str], *, people: bool) -> Totals:
    columns = len(names)
    # Of no rows at all, sums are NULL.
    rows, entities, *counts = [int(str(value or 0)) for value in row[:-columns]]
    filled, distinct, rolled_up = counts[:columns], counts[columns:-1], counts[-1]
    sums = [float(str(value or 0)) for value in row[-columns:]]
    return Totals(
        rows=rows,
        entities=entities if people else None,
        filled=dict(zip(names, filled, strict=True)),
        distinct=dict(zip(names, distinct, strict=True)),
        rolled_up=rolled_up,
        spread={name: _spread(rolled_up, part) for name, part in zip(names, sums, strict=True)},
    )


def _spread(rows: int, logarithms: float) -> float:
    """``logarithms``: the sum of m ln m over the column's values."""
    return math.exp(math.log(rows) - logarithms / rows) if rows else 0.0
