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
    """What the planner needs to know of an engine, as data."""

    dialect: str


class Kind(Enum):
    """Why a statement is sent."""

    SETUP = "session"
    CATALOGUE = "catalogue"
    DIAGNOSIS = "diagnosis"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """SQL in the engine's dialect, with what it is for."""

    sql: str
    purpose: str
    kind: Kind = Kind.DIAGNOSIS
    reads_base: bool = False


@dataclass(frozen=True, slots=True)
class Executed:
    """A statement that ran, and how long it took."""

    statement: Statement
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A relation that the catalogue knows."""

    # Its schema and its name; before them its catalogue, where it takes that to be found.
    path: tuple[str, ...]
    columns: tuple[Column, ...]
    # Whether the bare table name finds it, without its schema.
    visible: bool


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
        # Grows when what was created is lost.
        self.epoch = 0
        self.listener = listener

    def run(self, statement: Statement) -> list[Row]:
        """All rows of a statement; its errors become sentences of ours.

        After an error the connection is as it was when it was opened: the same data, but what was
        created since is gone, and ``epoch`` says so.
        """
        if _UNSENDABLE.search(statement.sql):
            raise BadInput("a name or a piece of SQL is not UTF-8 text, or holds a NUL character")
        started = time.perf_counter()
        try:
            rows = self._execute(statement)
        except SqldiagError:
            self.epoch += 1
            self._recover()
            raise
        done = Executed(statement, time.perf_counter() - started)
        self.executed.append(done)
        if self.listener is not None:
            self.listener(done)
        return rows

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

    def verify(self) -> None:  # noqa: B027 - most engines hold their snapshot themselves
        """Raise if what was read may have changed under the diagnosis."""

    @abstractmethod
    def _find_sql(self, name: str) -> str:
        """Rows (catalogue or NULL, schema, table, visible, column, type) of every relation that a
        name may mean."""

    @abstractmethod
    def _tables_sql(self) -> str: ...

    @abstractmethod
    def _execute(self, statement: Statement) -> list[Row]: ...

    @abstractmethod
    def _recover(self) -> None:
        """Undo what a failed statement did to the transaction, as far as the connection lives."""

    @abstractmethod
    def _describe(self, statement: Statement) -> tuple[Column, ...]: ...

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
