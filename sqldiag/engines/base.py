"""What the rest of sqldiag may ask of a database: the one interface behind which drivers live."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sqldiag.engines.lanes import Lanes
from sqldiag.engines.roles import role_in_comment, role_in_label
from sqldiag.engines.statement import Executed as Executed
from sqldiag.engines.statement import Kind as Kind
from sqldiag.engines.statement import Listener as Listener
from sqldiag.engines.statement import Row as Row
from sqldiag.engines.statement import Statement as Statement
from sqldiag.engines.statement import identifier as identifier
from sqldiag.engines.statement import literal as literal
from sqldiag.errors import BadInput, CannotRun, nearest
from sqldiag.relation import Column


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What the planner needs to know of an engine, as data.

    ``joins_nulls``: IS NOT DISTINCT FROM joins as fast as =. ``count_types``: types in which
    counts of rows are summed fast, each with the rows it holds. ``sets_per_statement``: so many
    sets are answered by one statement.
    ``sets_together``: so many sets are worth a grouping of their own columns first.
    ``portion_rows``: many sets are grouped faster from about so many rows at a time; None where
    the engine sees to that itself.
    ``exact_cells``: up to so many rows times columns, a scan counts every value. ``approximates``:
    there is an approximate count of distinct values.
    """

    dialect: str
    temporary_schema: str
    joins_nulls: bool
    count_types: tuple[tuple[int, str], ...]
    sets_per_statement: int
    sets_together: int
    portion_rows: int | None
    exact_cells: int
    approximates: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A relation that the catalogue knows."""

    # Its schema and its name; before them its catalogue, where it takes that to be found.
    path: tuple[str, ...]
    columns: tuple[Column, ...]
    # Whether the bare table name finds it, without its schema.
    visible: bool
    # A table, whose rows can be read without running anybody's code.
    plain: bool
    # And nothing is behind it that could hide rows.
    alone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """A relation that is read when another one is, as far as it may hide rows from us."""

    name: str
    # The role from which row-level security hides rows.
    hidden_from: str | None = None
    # Its rows are elsewhere.
    foreign: bool = False
    # Of a view: its query.
    definition: str | None = None


class Connection(Lanes):
    """One connection and one snapshot for one diagnosis; what it creates is temporary."""

    engine: ClassVar[str]
    capabilities: Capabilities
    # What ``verify`` sends.
    checks: ClassVar[tuple[Statement, ...]] = ()

    def find(self, name: str) -> Found:
        """The table or view of this name, taken literally; ``schema.table`` works too."""
        found = self._matches(name)
        exact = [match for match in found if match.path[-1] == name]
        visible = [match for match in exact if match.visible]
        qualified = [match for match in found if ".".join(match.path[-2:]) == name]
        for candidates in (visible, qualified, exact):
            if len(candidates) == 1:
                return candidates[0]
            if candidates:
                shown = ", ".join(".".join(match.path[-2:]) for match in candidates)
                raise BadInput(f"{name} may be any of {shown}; name one as schema.table")
        raise BadInput(f"there is no table or view {name}{nearest(name, self.table_names())}")

    def _matches(self, name: str) -> list[Found]:
        statement = Statement(
            sql=self._find_sql(literal(name)), purpose="find the columns", kind=Kind.CATALOGUE
        )
        grouped: dict[tuple[str, ...], list[Row]] = {}
        for row in self.run(statement):
            path = tuple(str(name) for name in row[:3] if name is not None)
            grouped.setdefault(path, []).append(row)
        return [
            Found(
                path=path,
                columns=tuple(
                    Column(str(row[4]), str(row[5])) for row in rows if row[4] is not None
                ),
                visible=bool(rows[0][3]),
                plain=bool(rows[0][6]),
                alone=bool(rows[0][7]),
            )
            for path, rows in grouped.items()
        ]

    def describe(self, sql: str) -> tuple[Column, ...]:
        """The columns of a query, without running it to its rows."""
        return self._describe(Statement(sql=sql, purpose="find the columns", kind=Kind.CATALOGUE))

    def table_names(self) -> list[str]:
        """What could have been meant by a name that is not there."""
        statement = Statement(
            sql=self._tables_sql(), purpose="list the tables", kind=Kind.CATALOGUE
        )
        return [str(row[0]) for row in self.run(statement)]

    def declared_roles(self, path: tuple[str, ...]) -> dict[str, str]:
        """Column → the role (identifier, quasi-identifier, sensitive, entity, none) that a comment
        or an anonymizer's label of this relation declares; the comment wins."""
        declared: dict[str, str] = {}
        if not path:
            return declared
        sql = self._declared_sql(*map(literal, path[-2:]))
        statement = Statement(sql=sql, purpose="roles declared there", kind=Kind.CATALOGUE)
        for column, comment, label in self.run(statement):
            in_comment = role_in_comment(str(comment)) if comment is not None else None
            role = in_comment or (role_in_label(str(label)) if label is not None else None)
            if role is not None:
                declared[str(column)] = role
        return declared

    @abstractmethod
    def _declared_sql(self, schema: str, table: str) -> str:
        """Rows (column, comment, label) of a relation's columns, each possibly more than once."""

    def estimate(self, sql: str) -> int:
        """How many rows a query has, as the engine guesses without running it."""
        statement = Statement(
            sql=f"EXPLAIN (FORMAT JSON)\n{sql}", purpose="how large is it?", kind=Kind.CATALOGUE
        )
        return self._estimated(self.run(statement))

    @abstractmethod
    def _estimated(self, plan: list[Row]) -> int:
        """The rows at the top of a plan."""

    def verify(self) -> None:
        """Raise if what was read may have changed under the diagnosis."""

    def side_effects(self, functions: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG002
        """Those of the functions, by their lower-case names, that may do more than compute."""
        return ()

    def behind(self, relations: Sequence[str]) -> tuple[Behind, ...]:  # noqa: ARG002
        """What reading these relations, written as in SQL, reads too."""
        return ()

    @abstractmethod
    def _find_sql(self, name: str) -> str:
        """Rows (catalogue or NULL, schema, table, visible, column, type, plain, alone) of every
        relation that a name may mean."""

    @abstractmethod
    def _tables_sql(self) -> str: ...

    @abstractmethod
    def _describe(self, statement: Statement) -> tuple[Column, ...]: ...

    def stores_rollups(self) -> bool:
        """Whether temporary tables may be made here."""
        return True


def refuse_without_rights(detail: str, *, sql: str | None = None) -> CannotRun:
    return CannotRun(f"not allowed: {detail}; the role needs SELECT on what it diagnoses", sql=sql)


def failed_on_data(engine: str, detail: str, *, converting: bool, sql: str) -> CannotRun:
    """The server's own message would quote a value."""
    hint = "; does a condition or a measure compare values of different types?"
    return CannotRun(
        f"{engine} failed while reading the data ({detail}){hint if converting else ''}", sql=sql
    )
