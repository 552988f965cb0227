"""Classes: one row per group of the quasi-identifiers, with its size, its values and its misses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp, parse_one

from sqldiag.measure import Call, Direction
from sqldiag.measures import AGGREGATES
from sqldiag.planner.cells import Counting, cells, histogram, people
from sqldiag.planner.steps import union_all, whole
from sqldiag.requirement import Requirement

# Whole-number comparisons multiply counts by the parts of a threshold. Large parts take decimals;
# beyond the largest, a comparison of reals with the usual tolerance takes their place.
_LARGE_FACTOR = 10**6
_LARGEST_FACTOR = 10**18
_TOLERANCE = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True)
class Need:
    """An aggregate of one sensitive column, and the name it has in the class table."""

    column: str
    sql: str
    name: str
    uses: frozenset[str]
    type: str


@dataclass(frozen=True, slots=True)
class Partition:
    """The measures that look at one way of grouping: strictly, by other sensitive columns too."""

    name: str
    others: tuple[str, ...]
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Sensitive:
    """The sensitive columns under our names; coded ones have a dictionary of (v, code)."""

    names: Mapping[str, str]
    dictionaries: Mapping[str, str]

    def ours(self, call: Call) -> str:
        return self.names[call.column or ""]

    def named(self, call: Call) -> str:
        """Whether a cell's v is one of the values that the measure names."""
        if not call.values:
            return "TRUE"
        same = exp.or_(*(_equals(value) for value in call.values))
        dictionary = self.dictionaries.get(self.ours(call))
        if dictionary is None:
            return same.sql()
        return f"v IN ({exp.select('code').from_(dictionary).where(same).sql()})"


class ClassTable:
    """Builds the class table of a partition: (keys, n, people, an aggregate per need)."""

    def __init__(self, counting: Counting, partition: Partition, columns: Sensitive) -> None:
        self.counting, self.partition, self.columns = counting, partition, columns
        self.keys = (*counting.grouping.keys, *partition.others)
        self.steps, self.prefix = counting.steps, partition.name
        self._needs: dict[tuple[str, str], Need] = {}
        self._histograms: dict[str, str] = {}
        for call in partition.calls:
            for aggregate in call.measure.aggregates:
                self._need(call, aggregate)

    def _need(self, call: Call, aggregate: str) -> Need:
        declared = AGGREGATES[aggregate]
        column = self.columns.ours(call)
        sql = declared.sql.format(**self._arguments(call))
        known = self._needs.get((column, sql))
        if known is None:
            name = f"a{len(self._needs) + 1}"
            known = Need(column, sql, name, declared.uses, declared.type)
            self._needs[column, sql] = known
        return known

    def build(self, histograms: dict[str, str]) -> str:
        """Add the steps; the histograms that were made are kept for the other partitions."""
        self._histograms = histograms
        columns = list(dict.fromkeys(need.column for need in self._needs.values()))
        branches = [self._branch(column) for column in columns]
        if self.counting.entity is not None or not branches:
            # Distinct people do not add up over values, so the size is counted by itself.
            branches.insert(0, self._sizes())
        if len(branches) == 1:
            return self.steps.add(f"{self.prefix}classes", branches[0])
        return self._merge(branches)

    def _sizes(self) -> exp.Select:
        counted = people(self.counting, self.partition.others, f"{self.prefix}crowds")
        return exp.select(*self.keys, "n", "c AS people", *self._absent(None)).from_(counted)

    def _branch(self, column: str) -> exp.Select:
        needs = [need for need in self._needs.values() if need.column == column]
        uses = frozenset[str]().union(*(need.uses for need in needs))
        if uses & {"p", "q", "work"} and column not in self._histograms:
            self._histograms[column] = histogram(self.counting, column)
        source = cells(
            self.counting,
            self.partition.others,
            column,
            uses,
            name=f"{self.prefix}{column}",
            histogram_name=self._histograms.get(column),
        )
        sizes = [f"{whole('SUM(n)')} AS n", f"{whole('SUM(c)')} AS people"]
        if self.counting.entity is not None:
            sizes = ["CAST(NULL AS BIGINT) AS n", "CAST(NULL AS BIGINT) AS people"]
        return (
            exp.select(*self.keys, *sizes, *self._absent(column)).from_(source).group_by(*self.keys)
        )

    def _absent(self, column: str | None) -> list[str]:
        """Every need as a column: its aggregate where it belongs, NULL elsewhere."""
        return [
            f"{need.sql if need.column == column else f'CAST(NULL AS {need.type})'} AS {need.name}"
            for need in self._needs.values()
        ]

    def _merge(self, branches: Sequence[exp.Select]) -> str:
        """Bring the branches of one class together: GROUP BY treats NULL keys as equal, which a
        join does only slowly."""
        merged = self.steps.add(f"{self.prefix}branches", union_all(branches))
        aggregates = [
            f"COALESCE(MAX({need.name}), 0) AS {need.name}" for need in self._needs.values()
        ]
        select = (
            exp.select(*self.keys, "MAX(n) AS n", "MAX(people) AS people", *aggregates)
            .from_(merged)
            .group_by(*self.keys)
        )
        return self.steps.add(f"{self.prefix}classes", select)

    def value(self, call: Call) -> exp.Expr:
        """The value of a class, from the columns of the class table."""
        measure = call.measure
        if measure.is_whole:
            return self._fill(call, measure.over)
        if measure.is_ratio:
            over, under = self._fill(call, measure.over), self._fill(call, measure.under)
            return exp.Div(this=exp.cast(over, "DOUBLE"), expression=exp.paren(under))
        return self._fill(call, measure.formula)

    def miss(self, requirement: Requirement, value: str) -> exp.Expr:
        """Whether a class misses: on whole numbers where the measure allows it, else by value."""
        call, threshold = requirement.call, requirement.threshold
        more = call.measure.direction is Direction.MORE
        if call.measure.is_whole:
            # Whole numbers reach a threshold when they reach the next whole number.
            threshold = Fraction(math.ceil(threshold) if more else math.floor(threshold))
        comparison = exp.LT if more else exp.GT
        if call.measure.is_ratio and max(threshold.as_integer_ratio()) <= _LARGEST_FACTOR:
            over, under = self._fill(call, call.measure.over), self._fill(call, call.measure.under)
            left = exp.Mul(this=_wide(over, threshold), expression=_number(threshold.denominator))
            right = exp.Mul(this=_wide(under, threshold), expression=_number(threshold.numerator))
            return comparison(this=left, expression=right)
        bound = threshold * (1 - _TOLERANCE if more else 1 + _TOLERANCE)
        return comparison(this=exp.column(value), expression=real(bound))

    def detail(self, call: Call) -> list[str]:
        """The class's size and up to two counts of the measure, to put the value into words."""
        counts = [a for a in call.measure.aggregates if AGGREGATES[a].type == "BIGINT"][:2]
        return ["people", *(self._need(call, aggregate).name for aggregate in counts)]

    def _arguments(self, call: Call) -> dict[str, str]:
        number = call.number or Fraction(1)
        return {
            "named": self.columns.named(call),
            "numerator": str(number.numerator),
            "denominator": str(number.denominator),
        }

    def _fill(self, call: Call, formula: str) -> exp.Expr:
        """Put the class table's columns, and the relation's totals, in place of the names."""
        tree = parse_one(formula)
        for column in list(tree.find_all(exp.Column)):
            if column.name == "people":
                continue
            new = self._column(call, column.name)
            tree = new if column is tree else tree
            column.replace(new)
        return tree

    def _column(self, call: Call, name: str) -> exp.Expr:
        if name in ("total", "domain"):
            histogram_name = self._histograms[self.columns.ours(call)]
            return exp.select(f"MAX({name})").from_(histogram_name).subquery()
        return exp.column(self._need(call, name).name)


def _equals(value: str | Fraction | None) -> exp.Expr:
    v = exp.column("v")
    if value is None:
        return exp.Is(this=v, expression=exp.null())
    if isinstance(value, Fraction):
        return exp.EQ(this=v, expression=real(value))
    return exp.EQ(this=v, expression=exp.Literal.string(value))


def _wide(count: exp.Expr, threshold: Fraction) -> exp.Expr:
    if max(threshold.as_integer_ratio()) <= _LARGE_FACTOR:
        return exp.paren(count)
    return exp.cast(count, "DECIMAL(38, 0)")


def _number(number: int) -> exp.Expr:
    return exp.Literal.number(number)


def real(number: Fraction) -> exp.Expr:
    """A number of the user's as a constant; whole ones stay whole."""
    if number.denominator == 1:
        return _number(number.numerator)
    return exp.cast(exp.Literal.string(repr(float(number))), "DOUBLE")


def rounded(x: str) -> exp.Expr:
    """Twelve significant digits, so that classes of one value stay together whatever the last
    bits of their sums say; what is nearer to 0 than 1e-12 is 0."""
    digits = f"POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN({x}) / LN(CAST(10 AS DOUBLE))))"
    return parse_one(
        f"CASE WHEN {x} < 1e-12 THEN CAST(0 AS DOUBLE) WHEN {x} < CAST('Infinity' AS DOUBLE) "
        f"THEN ROUND({x} * {digits}) / {digits} ELSE {x} END"
    )
