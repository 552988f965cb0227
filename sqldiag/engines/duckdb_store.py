"""A DuckDB file of ours. One process may write it at a time, so it is opened only to write."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb

from sqldiag.engines.base import Row, identifier
from sqldiag.engines.paths import at_home
from sqldiag.engines.store import WAIT_SECONDS, Store, Writer
from sqldiag.errors import CannotRun


class DuckDBStore(Store):
    def __init__(self, path: str, *, wait: float = WAIT_SECONDS) -> None:
        self._path, self._wait = Path(at_home(path)), wait

    def exists(self) -> bool:
        return self._path.exists()

    @contextlib.contextmanager
    def writing(self) -> Iterator[Writer]:
        with self._opened(read_only=False) as connection:
            connection.execute("BEGIN")
            yield _Writer(connection, self._path)
            connection.execute("COMMIT")

    @contextlib.contextmanager
    def reading(self) -> Iterator[Writer]:
        with self._opened(read_only=True) as connection:
            yield _Writer(connection, self._path)

    @contextlib.contextmanager
    def _opened(self, *, read_only: bool) -> Iterator[duckdb.DuckDBPyConnection]:
        connection = self._connect(read_only=read_only)
        try:
            yield connection
        except duckdb.Error as error:
            raise _sentence(error, self._path) from None
        finally:
            # What was not committed is gone.
            connection.close()

    def _connect(self, *, read_only: bool) -> duckdb.DuckDBPyConnection:
        """As soon as nobody else holds the file; a diagnosis that reads it counts as somebody."""
        deadline = time.monotonic() + self._wait
        while True:
            try:
                return duckdb.connect(self._path, read_only=read_only)
            except (duckdb.IOException, duckdb.ConnectionException) as error:
                in_use = "lock" in str(error).lower() or isinstance(
                    error, duckdb.ConnectionException
                )
                if not in_use:
                    raise _sentence(error, self._path) from None
                if time.monotonic() > deadline:
                    raise CannotRun(
                        f"{self._path} has been held open by another process for "
                        f"{self._wait:.0f} s; close that, or give the history a file of its own"
                    ) from None
            except duckdb.Error as error:
                raise _sentence(error, self._path) from None
            time.sleep(random.uniform(0.02, 0.15))


class _Writer(Writer):
    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path) -> None:
        self._connection, self._path = connection, path

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        try:
            done = self._connection.execute(sql, list(values)) if values else None
            return (done or self._connection.execute(sql)).fetchall()
        except duckdb.Error as error:
            raise _sentence(error, self._path) from None

    def make_schema(self, name: str) -> None:
        self.execute(f"CREATE SCHEMA IF NOT EXISTS {identifier(name)}")


def _sentence(error: duckdb.Error, path: Path) -> CannotRun:
    kind = type(error).__name__.removesuffix("Exception")
    if "not a valid" in str(error):
        return CannotRun(f"{path} is not a DuckDB database")
    return CannotRun(f"{path} cannot be read or written ({kind} error)")
