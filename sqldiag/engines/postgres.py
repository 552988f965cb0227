"""Postgres: any libpq URL, with socket, service and environment-variable forms."""

from __future__ import annotations

import contextlib
from typing import ClassVar, cast

import psycopg
from psycopg import conninfo

from sqldiag.engines.base import (
    Capabilities,
    Connection,
    Kind,
    Listener,
    Row,
    Statement,
    failed_on_data,
    refuse_without_rights,
)
from sqldiag.errors import BadInput, Cancelled, CannotRun, SqldiagError, Ungroupable
from sqldiag.relation import Column

_CONNECT_SECONDS = 10
_UNREADABLE = (
    "the URL cannot be read; write postgresql://user@host:port/database, with special characters "
    "of the password percent-encoded"
)
# A column or a table that is not there: the server's hint names those that are.
_UNKNOWN_NAME = ("42703", "42P01")
# Not supported, transaction state, roll-back, resources, limits, object state, system: their
# messages speak of the server; those of others, such as a function's own, may quote a value.
_NO_VALUES = ("0A", "25", "40", "53", "54", "55", "58")

# A part of the transaction that can only read. It is left for as long as it takes to make a
# temporary table of ours, and for nothing else; what a part sets ends with it.
_READING, _STORING = "SAVEPOINT sqldiag_reads", "SAVEPOINT sqldiag_stores"
_GUARD = (_READING, "SET TRANSACTION READ ONLY")
_UNGUARD = (f"RELEASE {_READING}", _STORING)
_REGUARD = (f"RELEASE {_STORING}", *_GUARD)

_SETUP = (
    ("BEGIN ISOLATION LEVEL REPEATABLE READ", "one snapshot for all statements"),
    ("SET LOCAL standard_conforming_strings = on", "string constants mean what they say"),
    ("SET LOCAL work_mem = '64MB'", "room to group in memory"),
    ("SET LOCAL jit = off", "many small statements are not worth compiling"),
    *((sql, "nothing can be written") for sql in _GUARD),
)

_MAY_STORE = """\
SELECT NOT pg_is_in_recovery() AND has_database_privilege(current_database(), 'TEMPORARY')
  AND current_setting('default_transaction_read_only') = 'off'"""

_FIND = """\
SELECT NULL, n.nspname, c.relname, pg_table_is_visible(c.oid), a.attname,
  format_type(a.atttypid, a.atttypmod), c.relkind IN ('r', 'p', 'm') AND NOT c.relrowsecurity
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND (c.relname = {name} OR n.nspname || '.' || c.relname = {name})
ORDER BY n.nspname, c.relname, a.attnum"""

_TABLES = """\
SELECT CASE WHEN pg_table_is_visible(c.oid) THEN c.relname
  ELSE n.nspname || '.' || c.relname END AS name
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_toast%'
ORDER BY name LIMIT 10000"""


class Postgres(Connection):
    engine: ClassVar[str] = "postgres"
    capabilities: ClassVar[Capabilities] = Capabilities(
        dialect="postgres",
        temporary_schema="pg_temp",
        joins_nulls=False,
        packs_keys=True,
        code_types=(),
        # Sums of BIGINT are NUMERIC, which is slow.
        count_types=((2**31, "INT"),),
        sets_per_statement=64,
        sets_together=64,
        exact_cells=12_000_000,
        approximates=False,
    )

    def __init__(self, url: str, *, listener: Listener | None = None) -> None:
        super().__init__(listener=listener)
        self._connection = _open(url)
        self._begin()

    def _begin(self) -> None:
        for sql, purpose in _SETUP:
            self.run(Statement(sql=sql, purpose=purpose, kind=Kind.SETUP))

    def _recover(self, statement: Statement) -> None:
        """Back to before the statement, in the same snapshot."""
        with contextlib.suppress(psycopg.Error):
            if statement.kind is Kind.ROLLUP:
                with contextlib.suppress(psycopg.errors.InvalidSavepointSpecification):
                    self._connection.execute(f"ROLLBACK TO {_STORING}")
                    for sql in (f"RELEASE {_STORING}", *_GUARD):
                        self._connection.execute(sql)
                    return
            for sql in (f"ROLLBACK TO {_READING}", _GUARD[1]):
                self._connection.execute(sql)

    def close(self) -> None:
        # Closing ends the transaction on the server, and with it everything temporary.
        self._connection.close()

    def stores_rollups(self) -> bool:
        statement = Statement(
            sql=_MAY_STORE, purpose="may temporary tables be made?", kind=Kind.CATALOGUE
        )
        return bool(self.run(statement)[0][0])

    def script(self, statement: Statement) -> tuple[str, ...]:
        if statement.kind is not Kind.ROLLUP:
            return (statement.sql,)
        if statement.stores is None:
            return (*_UNGUARD, statement.sql, *_REGUARD)
        head = f"CREATE TEMPORARY TABLE {statement.stores} ON COMMIT DROP AS\n{statement.sql}"
        if not statement.runs_foreign_code:
            return (*_UNGUARD, head, *_REGUARD)
        # Functions of a view or a query run only while nothing can be written.
        fill = f"INSERT INTO pg_temp.{statement.stores}\n{statement.sql}"
        return (*_UNGUARD, f"{head}\nWITH NO DATA", *_REGUARD, fill)

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
            raise _sentence(error, sql) from None
        except KeyboardInterrupt:
            # psycopg has asked the server to cancel before it let the interrupt through.
            raise Cancelled("cancelled", sql=sql) from None

    def _estimated(self, plan: list[Row]) -> int:
        top = cast("list[dict[str, dict[str, float]]]", plan[0][0])[0]
        return int(top["Plan"]["Plan Rows"])

    def _find_sql(self, name: str) -> str:
        return _FIND.format(name=name)

    def _tables_sql(self) -> str:
        return _TABLES


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
    ours = {"fallback_application_name": "sqldiag", "connect_timeout": _CONNECT_SECONDS}
    # Statements are sent as UTF-8, whatever the environment says of text.
    settings = {**ours, **given, "client_encoding": "utf8"}
    try:
        return psycopg.connect(url, autocommit=True, **settings)  # type: ignore[arg-type]
    except psycopg.Error as error:
        raise _no_connection(error, given) from None


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


def _sentence(error: psycopg.Error, sql: str) -> SqldiagError:
    state = error.sqlstate or ""
    primary = (error.diag.message_primary or "").strip()
    if state == "57014":
        if "timeout" in primary:
            return CannotRun("the statement took longer than the server allows", sql=sql)
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
    if not state or state.startswith(("08", "57")):
        return CannotRun("the connection to Postgres was lost", sql=sql)
    if state.startswith("22"):
        # Data exceptions quote values.
        converting = state in ("22P02", "22007", "22008")
        return failed_on_data("Postgres", f"error {state}", converting=converting, sql=sql)
    told = f"{primary} (error {state})" if state.startswith(_NO_VALUES) else f"error {state}"
    return CannotRun(f"Postgres could not run the statement: {told}", sql=sql)
