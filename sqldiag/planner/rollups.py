"""Roll-ups: temporary tables from which sets are answered instead of from the relation.

The relation is grouped once by all columns in play; its values become small whole numbers, by
dictionaries built in the database. A code of 0 stands for NULL in a quasi-identifier; sensitive
columns are coded in the order of their type, NULL last; entities keep their NULL. Narrower
roll-ups are made from wider ones as columns drop out of a search.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from sqldiag.engines.base import Capabilities, Kind, Row, Statement
from sqldiag.errors import SqldiagError
from sqldiag.planner.ask import Ask
from sqldiag.planner.packing import Field, fields_for, fitting
from sqldiag.planner.source import project
from sqldiag.planner.statement import ENTITY, count_rows, facts_columns
from sqldiag.planner.steps import whole
from sqldiag.relation import Relation

# Runs a statement: the rows of a SELECT, or the number of rows that were stored.
Run = Callable[[Statement], list[Row]]

# Roll-ups beyond this many rows in all are dropped, oldest first; the widest always stays.
_MOST_ROWS = 50_000_000
# A table of so few rows may lie about until the session ends.
_SMALL = 10_000


@dataclass(frozen=True, slots=True)
class Rollup:
    """A stored roll-up: which columns it tells apart, and how many rows it has."""

    name: str
    columns: frozenset[str]
    rows: int
    fields: dict[str, Field] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Coded:
    """What is known once the relation is rolled up and coded."""

    rows: int
    null_rows: int
    entities: int | None
    distinct: dict[str, int]
    dictionaries: dict[str, str]
    # The columns that hold a NULL somewhere.
    nullable: frozenset[str]
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
    def count(self) -> int:
        return len(self._stored)

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
                for name in self._made[made:]:
                    with contextlib.suppress(SqldiagError):
                        self._drop(name, sql="DROP TABLE IF EXISTS {}")
                raise
        return self.coded

    def _build(self) -> Coded:
        raw = self._roll_up_relation()
        sizes, dictionaries = self._dictionaries(raw)
        rows, null_rows, entities, nullable = self._totals(raw)
        self._count_type = fitting(self.capabilities.count_types, rows)
        self._stored.append(self._code(raw, sizes, dictionaries))
        self._drop(raw)
        kept = {column: dictionaries[column] for column in self._extra if column != ENTITY}
        for column, dictionary in dictionaries.items():
            if column not in kept and sizes[column] > _SMALL:
                self._drop(dictionary)
        return Coded(
            rows=rows,
            null_rows=null_rows,
            entities=entities,
            distinct={name: sizes[ours] for name, ours in self.names.items()},
            dictionaries=kept,
            nullable=nullable,
            count_type=self._count_type,
        )

    def null_rows(self, columns: Sequence[str]) -> int:
        """Rows with a NULL in one of these columns."""
        coded = self.build()
        blank = [name for name in columns if name in coded.nullable]
        if len(blank) == len(coded.nullable):
            return coded.null_rows
        if not blank:
            return 0
        rollup = self.cheapest(blank)
        nulls = " OR ".join(self._is_null(name, rollup) for name in blank)
        count = f"COALESCE(SUM(n) FILTER (WHERE {nulls}), 0)"
        select = exp.select(whole(count)).from_(self.place(rollup))
        return int(str(self._run(self._statement(select, "count rows with a NULL"))[0][0]))

    def _is_null(self, name: str, rollup: Rollup) -> str:
        if not self.capabilities.packs_keys:
            return f"{self.names[name]} = 0"
        place = rollup.fields[name]
        return f"(w{place.word} & {place.mask}) = 0"

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
        select = exp.select(*keys.values(), *self._extra, counts)
        select = select.from_(self._placed(source.name)).group_by(*keys, *self._extra)
        rows = self._store(name, select, f"roll up to {', '.join(columns)}")
        rollup = Rollup(name, frozenset(columns), rows, source.fields)
        self._stored.append(rollup)
        self._evict()
        return rollup

    def _keys(self, columns: Sequence[str], source: Rollup) -> dict[str, str]:
        """Group expression → column of the new roll-up."""
        if not self.capabilities.packs_keys:
            return {self.names[name]: self.names[name] for name in columns}
        masks: dict[int, int] = {}
        for name in columns:
            place = source.fields[name]
            masks[place.word] = masks.get(place.word, 0) | place.mask
        keys = {f"w{word} & {mask}": f"w{word} & {mask} AS w{word}" for word, mask in masks.items()}
        unused = {field.word for field in source.fields.values()} - masks.keys()
        return keys | {f"w{word} & 0": f"w{word} & 0 AS w{word}" for word in unused}

    def _roll_up_relation(self) -> str:
        columns = {ours: name for name, ours in self.names.items()} | self._extra
        base = project(self.relation, columns, self.capabilities.dialect)
        name = self._new_name()
        purpose = f"roll up {self.relation.name} by all {len(self.names)} columns"
        self._store(name, count_rows(base, list(columns)), purpose, reads_base=True)
        return name

    def _dictionaries(self, raw: str) -> tuple[dict[str, int], dict[str, str]]:
        sizes, names = {}, {}
        real = {ours: name for name, ours in self.names.items()} | self._extra
        for ours in [*self.names.values(), *self._extra]:
            ordered = ours in self._extra and ours != ENTITY
            values = exp.select(f"{ours} AS v").distinct().from_(self._placed(raw))
            if not ordered:
                values = values.where(f"{ours} IS NOT NULL")
            order = "ORDER BY v NULLS LAST" if ordered else ""
            select = exp.select("v", f"CAST(ROW_NUMBER() OVER ({order}) AS INT) AS code")
            names[ours] = self._new_name()
            sizes[ours] = self._store(
                names[ours], select.from_(values.subquery("known")), f"dictionary of {real[ours]}"
            )
        return sizes, {ours: self._placed(name) for ours, name in names.items()}

    def _totals(self, raw: str) -> tuple[int, int, int | None, frozenset[str]]:
        nulls = " OR ".join(f"{ours} IS NULL" for ours in self.names.values())
        entities = f"COUNT(DISTINCT {ENTITY})" if ENTITY in self._extra else "0"
        columns = [whole("SUM(n)"), whole(f"SUM(CASE WHEN {nulls} THEN n ELSE 0 END)"), entities]
        columns += [f"COUNT(*) - COUNT({ours})" for ours in self.names.values()]
        select = exp.select(*columns).from_(self._placed(raw))
        row = self._run(self._statement(select, "count the rows of the roll-up"))[0]
        rows, null_rows, people, *by_column = [int(str(value or 0)) for value in row]
        nullable = {name for name, count in zip(self.names, by_column, strict=False) if count}
        known = people if ENTITY in self._extra else None
        return rows, null_rows, known, frozenset(nullable)

    def _code(self, raw: str, sizes: dict[str, int], dictionaries: dict[str, str]) -> Rollup:
        fields = fields_for({name: sizes[ours] for name, ours in self.names.items()})
        select = exp.Select().from_(f"{self._placed(raw)} AS r")
        codes = {}
        same = "IS NOT DISTINCT FROM" if self.capabilities.joins_nulls else "="
        for ours in [*self.names.values(), *self._extra]:
            dictionary, alias = dictionaries[ours], f"d_{ours}"
            select = select.join(
                f"{dictionary} AS {alias}", on=f"r.{ours} {same} {alias}.v", join_type="left"
            )
            codes[ours] = f"{alias}.code"
        columns = self._key_columns(codes, sizes, fields)
        for ours in self._extra:
            code = codes[ours]
            if ours != ENTITY:
                of_null = (
                    f"(SELECT code FROM {dictionaries[ours]} WHERE v IS NOT DISTINCT FROM NULL)"
                )
                code = f"COALESCE({code}, {of_null})"
            columns.append(f"{code} AS {ours}")
        columns.append(f"CAST(r.n AS {self._count_type}) AS n")
        name = self._new_name()
        stored = self._store(name, select.select(*columns), "code the roll-up as small numbers")
        return Rollup(name, frozenset(self.names), stored, fields)

    def _key_columns(
        self, codes: dict[str, str], sizes: dict[str, int], fields: dict[str, Field]
    ) -> list[str]:
        if not self.capabilities.packs_keys:
            types = {ours: fitting(self.capabilities.code_types, n) for ours, n in sizes.items()}
            return [
                f"CAST(COALESCE({codes[ours]}, 0) AS {types[ours]}) AS {ours}"
                for ours in self.names.values()
            ]
        words: dict[int, list[str]] = {}
        for name, place in fields.items():
            unit = place.mask & -place.mask
            code = f"CAST(COALESCE({codes[self.names[name]]}, 0) AS BIGINT) * {unit}"
            words.setdefault(place.word, []).append(code)
        return [f"{' + '.join(parts)} AS w{word}" for word, parts in words.items()]

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
        placed = name if "." in name else self._placed(name)
        self._run(Statement(sql=sql.format(placed), purpose="make room", kind=Kind.ROLLUP))

    def _evict(self) -> None:
        """Keep within the budget: what is widest can always serve, what is old need not."""
        while len(self._stored) > 2 and sum(r.rows for r in self._stored) > _MOST_ROWS:
            self._drop(self._stored.pop(1).name)
