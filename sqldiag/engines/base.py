"""What the rest of sqldiag may ask of a database: the one interface behind which drivers live."""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from sqldiag.engines.roles import role_in_comment, role_in_label
from sqldiag.errors import BadInput, Cancelled, CannotRun, SqldiagError, nearest
from sqldiag.relation import Column

Row = tuple[object, ...]

# Seconds between two requests to stop, and until the connection is cut instead.
_BETWEEN_INTERRUPTS, _PATIENCE = 0.05, 10

# NUL ends a string for a server; a lone surrogate stands for a byte that was no UTF-8.
_UNSENDABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What the planner needs to know of an engine, as data.

    ``joins_nulls``: IS NOT DISTINCT FROM joins as fast as =. ``count_types``: types in which
    counts of rows are summed fast, each with the rows it holds. ``sets_per_statement``: so many
    sets are answered by one statement.
    ``sets_together``: so many sets are worth a grouping of their own columns first.
    ``exact_cells``: up to so many rows times columns, a scan counts every value. ``approximates``:
    there is an approximate count of distinct values.
    """

    dialect: str
    temporary_schema: str
    joins_nulls: bool
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


@dataclass(frozen=True, slots=True)
class _Sent:
    """A statement on its way: its rows, and the seconds they took."""

    statement: Statement
    script: tuple[str, ...]
    answer: Future[tuple[list[Row], float]]


Listener = Callable[[Executed], None]


def literal(text: str) -> str:
    """A string constant of standard SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A quoted name of standard SQL."""
    return '"' + name.replace('"', '""') + '"'


class Connection(ABC):
    """One connection and one snapshot for one diagnosis; what it creates is temporary.

    Statements are sent by a thread of their own: the main one can be interrupted at any time, for
    it only waits, and plans what comes next meanwhile.
    """

    engine: ClassVar[str]
    capabilities: Capabilities
    # What ``verify`` sends.
    checks: ClassVar[tuple[Statement, ...]] = ()

    def __init__(self, *, listener: Listener | None = None) -> None:
        self.executed: list[Executed] = []
        self.listener = listener
        self._lanes = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sqldiag")

    def run(self, statement: Statement) -> list[Row]:
        """All rows of a statement; its errors become sentences of ours.

        After an error the next statement sees the same data, and what was stored before.
        """
        return self._receive(self._send(statement))

    def lanes(self) -> int:
        """How many statements run side by side."""
        return 1

    def run_all(
        self,
        statements: Iterable[Statement],
        *,
        number: int,  # noqa: ARG002 - for engines that run them side by side
    ) -> Iterator[list[Row]]:
        """The rows of each of a number of statements that do not depend on each other, in order.

        While one runs, the next is planned.
        """
        return self._run_ahead(statements, ahead=1)

    def _run_ahead(self, statements: Iterable[Statement], *, ahead: int) -> Iterator[list[Row]]:
        sent: deque[_Sent] = deque()
        try:
            for statement in statements:
                sent.append(self._send(statement))
                if len(sent) > ahead:
                    yield self._receive(sent.popleft())
            while sent:
                yield self._receive(sent.popleft())
        finally:
            self._abandon(sent)

    def _send(self, statement: Statement) -> _Sent:
        if _UNSENDABLE.search(statement.sql):
            raise BadInput("a name or a piece of SQL is not UTF-8 text, or holds a NUL character")
        script = self.script(statement)
        return _Sent(statement, script, self._lanes.submit(self._run_script, script))

    def _run_script(self, script: tuple[str, ...]) -> tuple[list[Row], float]:
        started = time.perf_counter()
        rows: list[Row] = []
        for sql in script:
            rows = self._execute(sql) or rows
        return rows, time.perf_counter() - started

    def _receive(self, sent: _Sent) -> list[Row]:
        try:
            rows, seconds = sent.answer.result()
        except SqldiagError:
            self._recover(sent.statement)
            raise
        except KeyboardInterrupt:
            self._abandon([sent])
            raise Cancelled("cancelled", sql=sent.script[-1]) from None
        done = Executed(sent.statement, sent.script, seconds)
        self.executed.append(done)
        if self.listener is not None:
            self.listener(done)
        return rows

    def _abandon(self, sent: Iterable[_Sent]) -> None:
        """Let go of statements whose rows nobody wants any more."""
        running = [one for one in sent if not one.answer.cancel() and not one.answer.done()]
        started = time.monotonic()
        while wait([one.answer for one in running], timeout=_BETWEEN_INTERRUPTS).not_done:
            # One that has only just begun may not have heard.
            self._interrupt()
            if time.monotonic() - started > _PATIENCE:
                self._disconnect()
        for one in running:
            self._recover(one.statement)

    @abstractmethod
    def _interrupt(self) -> None:
        """Make the database stop what it is doing."""

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
        sql = self._declared_sql(*map(literal, path[-2:]))
        statement = Statement(sql=sql, purpose="roles declared there", kind=Kind.CATALOGUE)
        for column, comment, label in self.run(statement):
            in_comment = role_in_comment(str(comment)) if comment is not None else None
            role = in_comment or (role_in_label(str(label)) if label is not None else None)
            if role is not None:
                declared[str(column)] = role
        return declared

    def interrupt(self) -> None:  # noqa: B027
        """Stop what is running, from another thread; harmless where nothing is."""

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

    def verify(self) -> None:  # noqa: B027 - most engines hold their snapshot themselves
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

    def _recover(self, statement: Statement) -> None:  # noqa: B027
        """Undo what a failed statement did to the transaction, as far as the connection lives."""

    @abstractmethod
    def _execute(self, sql: str) -> list[Row]:
        """Rows; of a statement that stores, one row with the number stored. Runs in a lane."""

    @abstractmethod
    def _describe(self, statement: Statement) -> tuple[Column, ...]: ...

    def stores_rollups(self) -> bool:
        """Whether temporary tables may be made here."""
        return True

    def close(self) -> None:
        """End the snapshot; everything temporary goes with it."""
        self._lanes.shutdown()
        self._disconnect()

    @abstractmethod
    def _disconnect(self) -> None: ...


def refuse_without_rights(detail: str, *, sql: str | None = None) -> CannotRun:
    return CannotRun(f"not allowed: {detail}; the role needs SELECT on what it diagnoses", sql=sql)


def failed_on_data(engine: str, detail: str, *, converting: bool, sql: str) -> CannotRun:
    """The server's own message would quote a value."""
    hint = "; does a condition or a measure compare values of different types?"
    return CannotRun(
        f"{engine} failed while reading the data ({detail}){hint if converting else ''}", sql=sql
    )
