"""Postgres: any libpq URL, with socket, service and environment-variable forms."""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections.abc import Sequence
from typing import ClassVar, cast

import psycopg
from psycopg import conninfo

from sqldiag.engines import postgres_sql as sent
from sqldiag.engines.base import (
    Behind,
    Capabilities,
    Connection,
    Kind,
    Listener,
    Row,
    Statement,
    failed_on_data,
    literal,
    refuse_without_rights,
)
from sqldiag.errors import BadInput, Cancelled, CannotRun, SqldiagError, Ungroupable
from sqldiag.limits import Limits
from sqldiag.relation import Column

_CONNECT_SECONDS = 10
_UNREADABLE = (
    "the URL cannot be read; write postgresql://user@host:port/database, with special characters "
    "of the password percent-encoded"
)
# A column or a table that is not there: the server's hint names those that are.
_UNKNOWN_NAME = ("42703", "42P01")
_POOLED = (
    "the pooler in front of Postgres keeps no transaction together; connect to one that pools "
    "transactions or sessions, or to Postgres itself"
)
# Why a session ended, and why a statement did.
_ENDED = {
    "57P01": "it was ended on the server",
    "57P02": "the server crashed",
    "57P05": "it was idle for longer than the server allows; connect again",
    "25P03": "its transaction was idle for longer than the server allows; connect again",
}
_CUT_SHORT = {
    "55P03": "a lock on the table was not to be had in time; someone is changing it, so try again "
    "later, or wait longer with --lock-timeout",
    "40001": "the standby had to follow its primary and cancelled the statement; run it again, or "
    "raise max_standby_streaming_delay there",
}
# Not supported, transaction state, roll-back, resources, limits, object state, system: their
# messages speak of the server; those of others, such as a function's own, may quote a value.
_NO_VALUES = ("0A", "25", "40", "53", "54", "55", "58")

# Before any work is done, a server that is about to be there again is waited for, so long.
_PAUSES = (0.1, 0.4, 1.0)
_PASSING = (
    *("starting up", "shutting down", "recovery mode", "not yet accepting", "too many clients"),
    *("too many connections", "remaining connection slots", "Connection refused"),
    *("No such file or directory", "closed the connection unexpectedly", "Connection reset"),
)
# A network that goes silent is noticed within a minute or so.
_ALIVE = {
    "keepalives_idle": 20,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}

# What the driver has to say is in its exceptions.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


# A label needs no module to be read, only to be written.
class Postgres(Connection):
    engine: ClassVar[str] = "postgres"
    capabilities: Capabilities = Capabilities(
        dialect="postgres",
        temporary_schema="pg_temp",
        joins_nulls=False,
        # Sums of BIGINT are NUMERIC, which is slow.
        count_types=((2**31, "INT"),),
        sets_per_statement=64,
        sets_together=64,
        portion_rows=14_000,
        exact_cells=12_000_000,
        approximates=False,
    )

    checks: ClassVar[tuple[Statement, ...]] = (
        Statement(sql=sent.CHANGED, purpose="was anything rewritten meanwhile?", kind=Kind.SETUP),
    )

    def __init__(self, url: str, *, limits: Limits, listener: Listener | None = None) -> None:
        super().__init__(listener=listener)
        limits.refuse(
            "memory_limit",
            engine="Postgres",
            instead="say with --work-mem how much one step of a statement may take",
        )
        self._limit = "the server" if limits.timeout is None else "--timeout"
        self._connection = _open(url)
        try:
            for sql, purpose in sent.setup(limits):
                self.run(Statement(sql=sql, purpose=purpose, kind=Kind.SETUP))
        except BaseException:
            self._connection.close()
            raise

    def _recover(self, statement: Statement) -> None:
        """Back to before the statement, in the same snapshot."""
        with contextlib.suppress(psycopg.Error):
            if statement.kind is Kind.ROLLUP:
                with contextlib.suppress(psycopg.errors.InvalidSavepointSpecification):
                    self._connection.execute(f"ROLLBACK TO {sent.STORING}")
                    for sql in (f"RELEASE {sent.STORING}", *sent.GUARD):
                        self._connection.execute(sql)
                    return
            for sql in (f"ROLLBACK TO {sent.READING}", sent.GUARD[1]):
                self._connection.execute(sql)

    def _disconnect(self) -> None:
        # Closing ends the transaction on the server, and with it everything temporary.
        self._connection.close()

    def stores_rollups(self) -> bool:
        statement = Statement(
            sql=sent.MAY_STORE, purpose="may temporary tables be made?", kind=Kind.CATALOGUE
        )
        return bool(self.run(statement)[0][0])

    def script(self, statement: Statement) -> tuple[str, ...]:
        if statement.kind is not Kind.ROLLUP:
            return (statement.sql,)
        if statement.stores is None:
            return (*sent.UNGUARD, statement.sql, *sent.REGUARD)
        head = f"CREATE TEMPORARY TABLE {statement.stores} ON COMMIT DROP AS\n{statement.sql}"
        if not statement.runs_foreign_code:
            return (*sent.UNGUARD, head, *sent.REGUARD)
        # Functions of a view or a query run only while nothing can be written.
        fill = f"INSERT INTO pg_temp.{statement.stores}\n{statement.sql}"
        return (*sent.UNGUARD, f"{head}\nWITH NO DATA", *sent.REGUARD, fill)

    def _describe(self, statement: Statement) -> tuple[Column, ...]:
        self.run(statement)
        return self._described

    def _execute(self, sql: str) -> list[Row]:
        try:
            # Binary results use the extended protocol, which takes one statement at a time.
            with self._connection.cursor(binary=True) as cursor:
                cursor.execute(sql.encode())
                if cursor.description is None:
                    return [(cursor.rowcount,)] if cursor.rowcount >= 0 else []
                self._described = tuple(
                    Column(field.name, field.type_display) for field in cursor.description
                )
                return cursor.fetchall()
        except psycopg.Error as error:
            lost = self._connection.closed
            raise _sentence(error, sql, lost=lost, limit=self._limit) from None

    def interrupt(self) -> None:
        with contextlib.suppress(psycopg.Error):
            self._connection.cancel_safe(timeout=_CONNECT_SECONDS)

    def verify(self) -> None:
        for check in self.checks:
            for row in self.run(check):
                raise CannotRun(f"{row[0]} was changed during the diagnosis; run it again")

    def side_effects(self, functions: Sequence[str]) -> tuple[str, ...]:
        purpose = "do these functions only compute?"
        sql = sent.side_effects(functions)
        found = self.run(Statement(sql=sql, purpose=purpose, kind=Kind.CATALOGUE))
        return tuple(str(row[0]) for row in found)

    def behind(self, relations: Sequence[str]) -> tuple[Behind, ...]:
        sql = sent.BEHIND.format(names=", ".join(map(literal, relations)))
        look = Statement(sql=sql, purpose="what is read behind it?", kind=Kind.CATALOGUE)
        return tuple(
            Behind(
                name=str(name),
                hidden_from=None if reader is None else str(reader),
                foreign=bool(foreign),
                definition=None if definition is None else str(definition),
            )
            for name, reader, foreign, definition in self.run(look)
        )

    def _declared_sql(self, schema: str, table: str) -> str:
        return sent.DECLARED.format(schema=schema, table=table)

    def _estimated(self, plan: list[Row]) -> int:
        top = cast("list[dict[str, dict[str, float]]]", plan[0][0])[0]
        return int(top["Plan"]["Plan Rows"])

    def _find_sql(self, name: str) -> str:
        return sent.FIND.format(name=name)

    def _tables_sql(self) -> str:
        return sent.TABLES


def _open(url: str) -> psycopg.Connection[Row]:
    try:
        given = conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # libpq's message may quote a part of the URL, and so of the password.
        raise BadInput(_UNREADABLE) from None
    port = str(given.get("port", "")).replace(",", "")
    misplaced = "@" in f"{given.get('host', '')}{given.get('dbname', '')}"
    if misplaced or (port and not port.isdigit()):
        # An @ or a / of the password: a part of it stands where the host or the port should.
        raise BadInput(_UNREADABLE)
    # What the environment says of these counts, too; libpq reads it where we say nothing.
    patience = {} if os.environ.get("PGCONNECT_TIMEOUT") else {"connect_timeout": _CONNECT_SECONDS}
    ours = {"fallback_application_name": "sqldiag", **patience, **_ALIVE}
    # Statements are sent as UTF-8, whatever the environment says of text.
    settings = {**ours, **given, "client_encoding": "utf8"}
    for pause in (*_PAUSES, None):
        try:
            # A prepared statement would outlive us behind a pooler.
            return psycopg.connect(url, autocommit=True, prepare_threshold=None, **settings)  # type: ignore[arg-type]
        except psycopg.ProgrammingError:
            raise BadInput(_UNREADABLE) from None
        except psycopg.Error as error:
            if pause is None or not any(passing in str(error) for passing in _PASSING):
                raise _no_connection(error, given) from None
            time.sleep(pause)
    raise AssertionError("the last attempt returns or raises")


def _no_connection(error: psycopg.Error, given: dict[str, str | int | None]) -> CannotRun:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = lines[-1] if lines else type(error).__name__
    for line in lines:
        for mark in ("connection is bad: ", "failed: ", "FATAL:"):
            if mark in line:
                reason = line.rsplit(mark, 1)[1].strip()
    password = str(given.get("password") or "")
    if password and password in reason:
        reason = "the server refused it"
    host = given.get("host") or given.get("service") or "the default host"
    return CannotRun(f"cannot connect to Postgres at {host}: {reason}")


def _sentence(error: psycopg.Error, sql: str, *, lost: bool, limit: str) -> SqldiagError:
    state = error.sqlstate or ""
    primary = (error.diag.message_primary or "").strip()
    if "pooling mode" in primary:
        return CannotRun(_POOLED, sql=sql)
    if lost and state in _ENDED:
        return CannotRun(f"the connection to Postgres was lost: {_ENDED[state]}", sql=sql)
    if state in _CUT_SHORT:
        return CannotRun(_CUT_SHORT[state], sql=sql)
    remote = "remote SQL command" in (error.diag.context or "")
    if not lost and (remote or state.startswith(("08", "HV"))):
        told = f"{primary} (error {state})" if state.startswith(("08", "42")) else f"error {state}"
        return CannotRun(f"a foreign table cannot be read: {told}", sql=sql)
    if state == "57014":
        if "timeout" in primary:
            return CannotRun(f"the statement took longer than {limit} allows", sql=sql)
        return Cancelled("the statement was cancelled on the server", sql=sql)
    if state == "42501":
        return refuse_without_rights(primary, sql=sql)
    if primary.startswith(("could not identify an", "could not implement")):
        return Ungroupable(f"Postgres refused the statement: {primary}", sql=sql)
    if state.startswith("22") and error.diag.statement_position:
        # A constant of the statement itself, not a value of a row.
        return BadInput(
            "Postgres refused the statement: a constant does not fit its column", sql=sql
        )
    if state.startswith("42"):
        # Syntax and names: the message speaks of the statement, never of the rows.
        hint = (error.diag.message_hint or "").strip() if state in _UNKNOWN_NAME else ""
        return BadInput(f"Postgres refused the statement: {primary}. {hint}".rstrip(" ."), sql=sql)
    if not state and isinstance(error, psycopg.DataError):
        return failed_on_data(
            "Postgres", "a value that Python has no type for", converting=False, sql=sql
        )
    if lost or not state or state.startswith(("08", "57")):
        return CannotRun("the connection to Postgres was lost", sql=sql)
    if state.startswith("22"):
        # Data exceptions quote values.
        converting = state in ("22P02", "22007", "22008")
        return failed_on_data("Postgres", f"error {state}", converting=converting, sql=sql)
    told = f"{primary} (error {state})" if state.startswith(_NO_VALUES) else f"error {state}"
    return CannotRun(f"Postgres could not run the statement: {told}", sql=sql)
