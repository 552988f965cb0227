"""The profile of columns: every column grouped by itself, in one statement.

Up to a size every value is counted. Beyond, rows and NULLs are still counted, and the rest comes
from a sample, together with the engine's approximate count of values where it has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from sqldiag.engines.base import Capabilities, Row, Statement
from sqldiag.kinds import AS_TEXT, Kind, kind_of
from sqldiag.planner.shapes import SHAPES, shape_of
from sqldiag.planner.source import project
from sqldiag.planner.steps import Steps, union_all
from sqldiag.relation import Column, Relation

# So many rows tell what values look like.
_LOOKED_AT = 1000
# Rows of a sample; its seed, so that two runs see the same.
_SAMPLE_ROWS = 30_000
_SEED = 1
# Statements that group by more columns at once grow slow to plan.
MOST_COLUMNS = 200

_TOTALS, _GROUPS, _SHAPES = range(3)
_LABELS = {
    _TOTALS: ("rows", "filled", "approximate"),
    _GROUPS: ("rows", "nulls", "distinct", "singletons", "top", "logs"),
    _SHAPES: ("looked_at", "mean_length", "max_length", *SHAPES),
}
_WIDTH = max(map(len, _LABELS.values()))


@dataclass(frozen=True, slots=True)
class Counted:
    """What the database says of one column: lines by their part, as named in _LABELS."""

    column: Column
    totals: dict[str, float] = field(default_factory=dict)
    groups: dict[str, float] = field(default_factory=dict)
    shapes: dict[str, float] = field(default_factory=dict)


def plan_columns(
    relation: Relation, columns: Sequence[Column], capabilities: Capabilities, *, estimate: int
) -> Statement:
    """One statement about all these columns of a relation of about ``estimate`` rows."""
    plan = _Plan(relation, columns, capabilities)
    exact = is_exact(estimate, len(relation.columns), capabilities)
    tree = plan.exact() if exact else plan.sampled(estimate)
    return Statement(
        sql=tree.sql(capabilities.dialect, pretty=True),
        purpose=f"profile of {len(columns)} columns{'' if exact else ', from a sample'}",
        reads_base=True,
        runs_foreign_code=not relation.plain,
    )


def is_exact(rows: int, columns: int, capabilities: Capabilities) -> bool:
    """Whether every value of every column is counted."""
    return rows * columns <= capabilities.exact_cells


class _Plan:
    def __init__(
        self, relation: Relation, columns: Sequence[Column], capabilities: Capabilities
    ) -> None:
        self.relation, self.capabilities = relation, capabilities
        self.names = {f"q{i}": column.name for i, column in enumerate(columns, 1)}
        self.kinds = {f"q{i}": kind_of(column.type) for i, column in enumerate(columns, 1)}
        self.steps = Steps()

    def exact(self) -> exp.Query:
        head = self._rows().limit(_LOOKED_AT)
        parts = [self._grouped(self._rows().subquery("rows_"))]
        self.steps.add("head", head)
        return self.steps.finish(union_all([*parts, *self._shaped("head")]))

    def sampled(self, estimate: int) -> exp.Query:
        share = min(_SAMPLE_ROWS / estimate, 1.0)
        self.steps.add("sample_", self._sample(share))
        self.steps.add("head", exp.select("*").from_("sample_").limit(_LOOKED_AT))
        grouped = self._grouped(exp.to_table("sample_"))
        parts = [*self._totals(), grouped, *self._shaped("head")]
        return self.steps.finish(union_all(parts))

    def _rows(self) -> exp.Select:
        """The relation's rows; types that may not be comparable as text."""
        select = project(self.relation, self.names, self.capabilities.dialect)
        for selected, kind in zip(select.expressions, self.kinds.values(), strict=True):
            if kind in AS_TEXT:
                selected.set("this", exp.cast(selected.this, "TEXT"))
        return select

    def _sample(self, share: float) -> exp.Select:
        select = self._rows()
        if self.relation.plain:
            # Whole blocks of a table: only these are read.
            percent = exp.Literal.number(f"{share * 100:.6f}")
            sample = exp.TableSample(
                method=exp.var("SYSTEM"), percent=percent, seed=exp.Literal.number(_SEED)
            )
            select.args["from_"].this.set("sample", sample)
            return select
        return exp.select("*").from_(select.subquery("rows_")).where(f"RANDOM() < {share:.8f}")

    def _totals(self) -> list[exp.Query]:
        approximate = self.capabilities.approximates
        counts = ["COUNT(*) AS n"]
        for name in self.names:
            counts.append(f"COUNT({name}) AS c_{name}")
            if approximate:
                counts.append(f"APPROX_DISTINCT({name}) AS d_{name}")
        self.steps.add("totals", exp.select(*counts).from_(self._rows().subquery("rows_")))
        return [
            self._line(
                _TOTALS,
                str(number),
                ["n", f"c_{name}", f"d_{name}" if approximate else "NULL"],
            ).from_("totals")
            for number, name in enumerate(self.names, 1)
        ]

    def _grouped(self, source: exp.Expr) -> exp.Select:
        number = " + ".join(f"(1 - GROUPING({q})) * {i}" for i, q in enumerate(self.names, 1))
        blank = " AND ".join(f"{name} IS NULL" for name in self.names)
        sets = exp.GroupingSets(
            expressions=[exp.Tuple(expressions=[exp.column(name)]) for name in self.names]
        )
        groups = exp.select(f"{number} AS g", f"{blank} AS blank", "COUNT(*) AS n").from_(source)
        groups.set("group", exp.Group(grouping_sets=[sets]))
        figures = [
            "SUM(n)",
            "SUM(n) FILTER (WHERE blank)",
            "COUNT(*) FILTER (WHERE NOT blank)",
            "COUNT(*) FILTER (WHERE n = 1)",
            "MAX(n) FILTER (WHERE NOT blank)",
            "SUM(n * LN(n))",
        ]
        return self._line(_GROUPS, "g", figures).from_(groups.subquery("groups")).group_by("g")

    def _shaped(self, source: str) -> list[exp.Query]:
        """How long values are, and what they look like; every value once, as patterns take time."""
        shown = (Kind.TEXT, Kind.WHOLE, Kind.OTHER)
        texts: list[exp.Query] = [
            exp.select(f"{number} AS number", f"CAST({name} AS TEXT) AS t", "COUNT(*) AS n")
            .from_(source)
            .where(f"NOT {name} IS NULL")
            .group_by(name)
            for number, (name, kind) in enumerate(self.kinds.items(), 1)
            if kind in shown
        ]
        if not texts:
            return []
        self.steps.add("texts", union_all(texts))
        shaped = exp.select("number", "t", "n", f"{shape_of('t')} AS shape").from_("texts")
        counts = [f"SUM(n) FILTER (WHERE shape = {i})" for i, _ in enumerate(SHAPES, 1)]
        figures = ["SUM(n)", "SUM(LENGTH(t) * n) / SUM(n)", "MAX(LENGTH(t))", *counts]
        line = self._line(_SHAPES, "number", figures)
        return [line.from_(shaped.subquery("shaped")).group_by("shaped.number")]

    def _line(self, part: int, number: str, figures: Sequence[str]) -> exp.Select:
        padded = [*figures, *["NULL"] * (_WIDTH - len(figures))]
        return exp.select(
            f"CAST({part} AS INT) AS part",
            f"CAST({number} AS INT) AS number",
            *(f"CAST({figure} AS DOUBLE) AS x{i}" for i, figure in enumerate(padded, 1)),
        )


def read_columns(columns: Sequence[Column], rows: Sequence[Row]) -> list[Counted]:
    """The lines of a statement, sorted to their columns."""
    found = [Counted(column) for column in columns]
    for part, number, *figures in rows:
        assert isinstance(part, int)
        assert isinstance(number, int)
        counted = found[number - 1]
        target = (counted.totals, counted.groups, counted.shapes)[part]
        for label, figure in zip(_LABELS[part], figures, strict=False):
            target[label] = float(figure) if isinstance(figure, int | float) else 0.0
    return found
