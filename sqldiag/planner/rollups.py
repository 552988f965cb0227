"""Roll-ups: temporary tables from which sets are answered instead of from the relation.

The relation is grouped once by all columns in play; its values become small whole numbers, by
dictionaries built in the database. The codes of the quasi-identifiers are packed into a few
numbers; sensitive columns are coded in the order of their type, NULL last; entities keep their
NULL. Narrower roll-ups are made from wider ones as columns drop out of a search.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqldiag.engines.base import Capabilities, Kind, Row, Statement
from sqldiag.errors import SqldiagError
from sqldiag.planner.ask import Ask
from sqldiag.planner.grouping import is_null
from sqldiag.planner.packing import Packing, fitting, pack
from sqldiag.planner.source import project
from sqldiag.planner.statement import ENTITY, count_rows, facts_columns
from sqldiag.planner.steps import whole
from sqldiag.planner.values import Totals, count_values, number_values, numbered, read_totals
from sqldiag.relation import Relation

# Runs a statement: the rows of a SELECT, or the number of rows that were stored.
Run = Callable[[Statement], list[Row]]

# Roll-ups beyond this many rows in all are dropped, oldest first; the widest always stays.
_MOST_ROWS = 50_000_000


@dataclass(frozen=True, slots=True)
class Rollup:
    """A stored roll-up: which columns it tells apart, and how many rows it has."""

    name: str
    columns: frozenset[str]
    rows: int
    packing: Packing


@dataclass(frozen=True, slots=True)
class Coded:
    """What is known once the relation is rolled up and coded."""

    totals: Totals
    dictionaries: Mapping[str, str]
    # The type that counts are kept in.
    count_type: str


class Rollups:
    """The roll-ups of one relation in one session; only what it made itself is ever dropped."""

    def __init__(
        self,
        relation: Relation,
        ask: Ask,
        capabilities: Capabilities,
        run: Run,
        numbers: Iterator[int],
    ) -> None:
        self.relation, self.capabilities, self._run = relation, capabilities, run
        self.names = {name: f"q{i}" for i, name in enumerate(ask.quasi_identifiers, 1)}
        self._extra = facts_columns(ask)
        self._stored: list[Rollup] = []
        self._numbers = numbers
        self._count_type = ""
        self._made: list[str] = []
        self.coded: Coded | None = None

    @property
    def has_facts(self) -> bool:
        """Whether they tell apart more than quasi-identifiers: sensitive values, or people."""
        return bool(self._extra)

    def serves(self, ask: Ask) -> bool:
        """Whether another question can be answered from what is here."""
        # Without people and sensitive columns, rows just add up.
        fitting = facts_columns(ask) in ({}, self._extra)
        return fitting and set(ask.quasi_identifiers) <= self.names.keys()

    def build(self) -> Coded:
        """Group the relation once, and code it; where that fails, nothing stays behind."""
        if self.coded is None:
            made = len(self._made)
            try:
                self.coded = self._build()
            except BaseException:
                self._stored.clear()
                for name in self._made[made:]:
                    with contextlib.suppress(SqldiagError):
                        self._drop(name, sql="DROP TABLE IF EXISTS {}")
                raise
        return self.coded

    def _build(self) -> Coded:
        raw = self._roll_up_relation()
        values = self._values(raw)
        ordered = {ours: self._dictionary(ours, raw) for ours in self._extra}
        totals = self._totals(raw, values)
        self._count_type = fitting(self.capabilities.count_types, totals.rows)
        self._stored.append(self._code(raw, totals, values, ordered))
        for name in (raw, values):
            self._drop(name)
        dictionaries = {
            ours: self._placed(made) for ours, made in ordered.items() if ours != ENTITY
        }
        return Coded(totals, dictionaries, self._count_type)

    def null_rows(self, columns: Sequence[str]) -> int:
        """Rows with a NULL in one of these columns."""
        totals = self.build().totals
        blank = [name for name in columns if name in totals.nullable]
        if len(blank) < 2:
            return sum(totals.rows - totals.filled[name] for name in blank)
        rollup = self.cheapest(blank)
        nulls = " OR ".join(is_null(rollup.packing.fields[name]) for name in blank)
        count = f"COALESCE(SUM(n) FILTER (WHERE {nulls}), 0)"
        select = exp.select(whole(count)).from_(self.place(rollup))
        return int(str(self._run(self._statement(select, "count rows with a NULL"))[0][0]))

    def cheapest(self, columns: Sequence[str]) -> Rollup:
        """The smallest roll-up that tells these columns apart."""
        wanted = set(columns)
        fitting = [rollup for rollup in self._stored if wanted <= rollup.columns]
        return min(fitting, key=lambda rollup: (rollup.rows, len(rollup.columns)))

    def restrict(self, columns: Sequence[str]) -> Rollup:
        """A roll-up of just these columns, made from the smallest that has them."""
        source = self.cheapest(columns)
        if source.columns == set(columns):
            return source
        name = self._new_name()
        keys = self._keys(columns, source)
        counts = f"CAST(SUM(n) AS {self._count_type}) AS n"
        named = [f"{key} AS {word}" for word, key in keys.items()]
        select = exp.select(*named, *self._extra, counts)
        select = select.from_(self.place(source)).group_by(*keys.values(), *self._extra)
        rows = self._store(name, select, f"roll up to {', '.join(columns)}")
        rollup = Rollup(name, frozenset(columns), rows, source.packing)
        self._stored.append(rollup)
        self._evict()
        return rollup

    def _keys(self, columns: Sequence[str], source: Rollup) -> dict[str, str]:
        """Word of the new roll-up → what it is made of."""
        masks = dict.fromkeys(source.packing.words, 0)
        for name in columns:
            place = source.packing.fields[name]
            masks[place.word] |= place.mask
        return {f"w{word}": f"w{word} & {mask}" for word, mask in masks.items()}

    def _roll_up_relation(self) -> str:
        columns = {ours: name for name, ours in self.names.items()} | self._extra
        base = project(self.relation, columns, self.capabilities.dialect)
        name = self._new_name()
        purpose = f"roll up {self.relation.name} by all {len(self.names)} columns"
        self._store(name, count_rows(base, list(columns)), purpose, reads_base=True)
        return name

    def _values(self, raw: str) -> str:
        """The values of every quasi-identifier, numbered."""
        select = number_values(list(self.names.values()), self._placed(raw))
        name = self._new_name()
        self._store(name, select, "number the values of every column")
        return name

    def _dictionary(self, ours: str, raw: str) -> str:
        """A code for every value of another column; sensitive ones in their order, NULL last."""
        known = exp.select(f"{ours} AS v").distinct().from_(self._placed(raw))
        order = "ORDER BY v NULLS LAST"
        if ours == ENTITY:
            known, order = known.where(f"{ours} IS NOT NULL"), ""
        name = self._new_name()
        select = exp.select("v", numbered(order)).from_(known.subquery("known"))
        self._store(name, select, f"number the values of {self._extra[ours]}")
        return name

    def _totals(self, raw: str, values: str) -> Totals:
        people = None
        if ENTITY in self._extra:
            people = exp.select(f"COUNT(DISTINCT {ENTITY})").from_(self._placed(raw))
        select = count_values(list(self.names.values()), self._placed(values), people)
        row = self._run(self._statement(select, "count rows and values"))[0]
        return read_totals(row, list(self.names), people=people is not None)

    def _code(self, raw: str, totals: Totals, values: str, ordered: dict[str, str]) -> Rollup:
        packing = pack(totals.distinct, nullable=totals.nullable)
        select = exp.Select().from_(f"{self._placed(raw)} AS r")
        words: dict[int, list[str]] = {}
        for name, place in packing.fields.items():
            ours, alias = self.names[name], f"d_{self.names[name]}"
            same = f"r.{ours} = {alias}.{ours}"
            select = select.join(f"{self._placed(values)} AS {alias}", on=same, join_type="left")
            code = f"CAST(COALESCE({alias}.code, 0) - {place.first} AS {packing.type})"
            words.setdefault(place.word, []).append(f"{code} * {place.unit}")
        columns = [f"{' + '.join(parts)} AS w{word}" for word, parts in words.items()]
        same = "IS NOT DISTINCT FROM" if self.capabilities.joins_nulls else "="
        for ours, dictionary in ordered.items():
            placed, alias = self._placed(dictionary), f"d_{ours}"
            select = select.join(
                f"{placed} AS {alias}", on=f"r.{ours} {same} {alias}.v", join_type="left"
            )
            of_null = f"(SELECT code FROM {placed} WHERE v IS NOT DISTINCT FROM NULL)"
            code = f"{alias}.code" if ours == ENTITY else f"COALESCE({alias}.code, {of_null})"
            columns.append(f"{code} AS {ours}")
        columns.append(f"CAST(r.n AS {self._count_type}) AS n")
        name = self._new_name()
        stored = self._store(name, select.select(*columns), "code the roll-up as small numbers")
        return Rollup(name, frozenset(self.names), stored, packing)

    def _placed(self, name: str) -> str:
        return f"{self.capabilities.temporary_schema}.{name}"

    def place(self, rollup: Rollup) -> str:
        return self._placed(rollup.name)

    def _new_name(self) -> str:
        self._made.append(f"sqldiag_{next(self._numbers)}")
        return self._made[-1]

    def _statement(self, tree: exp.Query, purpose: str) -> Statement:
        sql = tree.sql(self.capabilities.dialect, pretty=True)
        return Statement(sql=sql, purpose=purpose)

    def _store(
        self, name: str, select: exp.Select, purpose: str, *, reads_base: bool = False
    ) -> int:
        sql = select.sql(self.capabilities.dialect, pretty=True)
        statement = Statement(
            sql=sql,
            purpose=purpose,
            kind=Kind.ROLLUP,
            reads_base=reads_base,
            stores=name,
            runs_foreign_code=reads_base and not self.relation.plain,
        )
        return int(str(self._run(statement)[0][0]))

    def _drop(self, name: str, *, sql: str = "DROP TABLE {}") -> None:
        self._run(
            Statement(sql=sql.format(self._placed(name)), purpose="make room", kind=Kind.ROLLUP)
        )

    def _evict(self) -> None:
        """Keep within the budget: what is widest can always serve, what is old need not."""
        while len(self._stored) > 2 and sum(r.rows for r in self._stored) > _MOST_ROWS:
            self._drop(self._stored.pop(1).name)
