"""Statements side by side on DuckDB: in order, and no lane stands idle behind a slow neighbour."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from sqldiag.engines.duckdb import DuckDB
from sqldiag.engines.statement import Row, Statement
from sqldiag.limits import Limits

NUMBER = 8


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[DuckDB]:
    path = tmp_path / "lanes.duckdb"
    duckdb.connect(str(path)).close()
    opened = DuckDB(str(path), limits=Limits(threads=2))
    yield opened
    opened.close()


def statements(planned: list[int]) -> Iterator[Statement]:
    for number in range(NUMBER):
        planned.append(number)
        yield Statement(sql=f"SELECT {number}", purpose="a number")


def test_a_slow_statement_keeps_nobody_waiting(
    connection: DuckDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first does not end before all others have run, on the lane that it leaves free."""
    others = threading.Semaphore(0)
    execute = DuckDB._execute

    def slow_first(self: DuckDB, sql: str) -> list[Row]:
        rows = execute(self, sql)
        if sql != "SELECT 0":
            others.release()
            return rows
        for _ in range(NUMBER - 1):
            assert others.acquire(timeout=30)
        return rows

    monkeypatch.setattr(DuckDB, "_execute", slow_first)
    found = list(connection.run_all(statements([]), number=NUMBER))
    assert found == [[(number,)] for number in range(NUMBER)]


def test_rows_are_handed_over_as_soon_as_they_are_there(connection: DuckDB) -> None:
    """Whoever asks can stop before everything has been planned."""

    def slowly(planned: list[int]) -> Iterator[Statement]:
        for statement in statements(planned):
            yield statement
            time.sleep(0.1)

    planned: list[int] = []
    rows = connection.run_all(slowly(planned), number=NUMBER)
    assert next(rows) == [(0,)]
    assert len(planned) < NUMBER
