"""What the rest of sqldiag may ask of a database: the one interface behind which drivers live."""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from sqldiag.errors import BadInput, CannotRun, SqldiagError, nearest
from sqldiag.relation import Column

Row = tuple[object, ...]

# NUL ends a string for a server; a lone surrogate stands for a byte that was no UTF-8.
_UNSENDABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What the planner needs to know of an engine, as data.

    ``joins_nulls``: IS NOT DISTINCT FROM joins as fast as =. ``packs_keys``: grouping by one packed
    number beats GROUPING SETS. ``code_types``: narrow types for codes, each with the number of
    values it holds. ``sets_per_statement``: so many sets are answered by one statement.
    ``count_types``: types in which counts of rows are summed fast, each with the rows it holds.
    ``sets_together``: so many sets are worth a grouping of their own columns first.
    ``exact_cells``: up to so many rows times columns, a scan counts every value. ``approximates``:
    there is an approximate count of distinct values.
    """

    dialect: str
    temporary_schema: str
    joins_nulls: bool
    packs_keys: bool
    code_types: tuple[tuple[int, str], ...]
    count_types: tuple[tuple[int, str], ...]
    sets_per_statement: int
    sets_together: int
    exact_cells: int
    approximates: bool


class Kind(Enum):
    """Why a statement is sent."""

    SETUP = "session"
    CATALOGUE = "catalogue"
    ROLLUP = "roll-up"
    DIAGNOSIS = "diagnosis"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """SQL in the engine's dialect, with what it is for.

    One that ``stores`` puts its rows into a temporary table of that name, and answers with their
    number. ``runs_foreign_code``: it reads a view or a query, which may call functions.
    """

    sql: str
    purpose: str
    kind: Kind = Kind.DIAGNOSIS
    reads_base: bool = False
    stores: str | None = None
    runs_foreign_code: bool = False


@dataclass(frozen=True, slots=True)
class Executed:
    """A statement that ran, what was sent for it, and how long it took."""

    statement: Statement
    script: tuple[str, ...]
    seconds: float


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


Listener = Callable[[Executed], None]


def literal(text: str) -> str:
    """A string constant of standard SQL."""
    return "'" + text.replace("'", "''") + "'"


class Connection(ABC):
    """One connection and one snapshot for one diagnosis; what it creates is temporary."""

    engine: ClassVar[str]
    capabilities: ClassVar[Capabilities]

    def __init__(self, *, listener: Listener | None = None) -> None:
        self.executed: list[Executed] = []
        self.listener = listener

    def run(self, statement: Statement) -> list[Row]:
        """All rows of a statement; its errors become sentences of ours.

        After an error the next statement sees the same data, and what was stored before.
        """
        if _UNSENDABLE.search(statement.sql):
            raise BadInput("a name or a piece of SQL is not UTF-8 text, or holds a NUL character")
        script = self.script(statement)
        started = time.perf_counter()
        rows: list[Row] = []
        try:
            for sql in script:
                rows = self._execute(sql) or rows
        except SqldiagError:
            self._recover(statement)
            raise
        done = Executed(statement, script, time.perf_counter() - started)
        self.executed.append(done)
        if self.listener is not None:
            self.listener(done)
        return rows

    @abstractmethod
    def script(self, statement: Statement) -> tuple[str, ...]:
        """What is sent for a statement: itself, and what storing its rows takes."""

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

    def declared_roles(self, path: tuple[str, ...]) -> dict[str, str]:  # noqa: ARG002
        """Column → role, where the database itself says so."""
        return {}

    def estimate(self, sql: str) -> int:
        """How many rows a query has, as the engine guesses without running it."""
        statement = Statement(
            sql=f"EXPLAIN (FORMAT JSON)\n{sql}", purpose="how large is it?", kind=Kind.CATALOGUE
        )
        return self._estimated(self.run(statement))

    @abstractmethod
    def _estimated(self, plan: list[Row]) -> int:
        """The rows at the top of a plan."""

    def verify(self) -> None:  # noqa: B027 - most engines hold their snapshot themselves
        """Raise if what was read may have changed under the diagnosis."""

    @abstractmethod
    def _find_sql(self, name: str) -> str:
        """Rows (catalogue or NULL, schema, table, visible, column, type, plain) of every relation
        that a name may mean."""

    @abstractmethod
    def _tables_sql(self) -> str: ...

    def _recover(self, statement: Statement) -> None:  # noqa: B027
        """Undo what a failed statement did to the transaction, as far as the connection lives."""

    @abstractmethod
    def _execute(self, sql: str) -> list[Row]:
        """Rows; of a statement that stores, one row with the number stored."""

    @abstractmethod
    def _describe(self, statement: Statement) -> tuple[Column, ...]: ...

    def stores_rollups(self) -> bool:
        """Whether temporary tables may be made here."""
        return True

    @abstractmethod
    def close(self) -> None:
        """End the snapshot; everything temporary goes with it."""


def refuse_without_rights(detail: str, *, sql: str | None = None) -> CannotRun:
    return CannotRun(f"not allowed: {detail}; the role needs SELECT on what it diagnoses", sql=sql)


def failed_on_data(engine: str, detail: str, *, converting: bool, sql: str) -> CannotRun:
    """The server's own message would quote a value."""
    hint = "; does a condition or a measure compare values of different types?"
    return CannotRun(
        f"{engine} failed while reading the data ({detail}){hint if converting else ''}", sql=sql
    )
