"""A Postgres database in which we may keep things."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

import psycopg

from sqldiag.engines.base import Row, identifier
from sqldiag.engines.postgres import _open, _sentence
from sqldiag.engines.store import WAIT_SECONDS, Store, Writer
from sqldiag.errors import Cancelled, CannotRun


class PostgresStore(Store):
    def __init__(self, url: str, *, wait: float = WAIT_SECONDS) -> None:
        self._url, self._wait = url, wait

    def exists(self) -> bool:
        return True

    @contextlib.contextmanager
    def writing(self) -> Iterator[Writer]:
        with self._transaction("BEGIN") as writer:
            yield writer

    @contextlib.contextmanager
    def reading(self) -> Iterator[Writer]:
        with self._transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") as writer:
            yield writer

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[Writer]:
        connection = _open(self._url)
        try:
            writer = _Writer(connection)
            writer.execute(begin)
            # Whoever else migrates or installs is done soon, or stuck.
            writer.execute(f"SET LOCAL lock_timeout = '{self._wait:.0f}s'")
            writer.execute("SET LOCAL standard_conforming_strings = on")
            # What is there already need not be told.
            writer.execute("SET LOCAL client_min_messages = warning")
            yield writer
            writer.execute("COMMIT")
        finally:
            connection.close()


class _Writer(Writer):
    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        text = sql.replace("%", "%%").replace("?", "%s") if values else sql
        try:
            cursor = self._connection.execute(text.encode(), values or None)
            return cursor.fetchall() if cursor.description is not None else []
        except psycopg.errors.InsufficientPrivilege as error:
            # Of names and roles only.
            raise CannotRun(f"not allowed: {error.diag.message_primary}", sql=sql) from None
        except psycopg.Error as error:
            lost = self._connection.closed
            raise _sentence(error, sql, lost=lost, limit="the server") from None
        except KeyboardInterrupt:
            raise Cancelled("cancelled", sql=sql) from None

    def make_schema(self, name: str) -> None:
        # IF NOT EXISTS would ask for the right to make it even where it is there.
        if not self.execute("SELECT FROM pg_namespace WHERE nspname = ?", [name]):
            self.execute(f"CREATE SCHEMA {identifier(name)}")

    def lock(self, name: str) -> None:
        self.execute("SELECT pg_advisory_xact_lock(hashtext(?))", [name])
