"""Sets grouped a portion of the facts at a time have the same answers, whatever the portions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqldiag
from sqldiag.planner import evaluate, portions
from sqldiag.planner.packing import Field
from sqldiag.planner.portions import portion_by
from tests import every_set
from tests.databases import PostgresDatabase
from tests.statements import Sent
from tests.tables import RandomTable, tables

COLUMNS = ("a", "b", "c", "d", "f")


@contextmanager
def asked_in_portions(url: str, size: int, worth: int) -> Iterator[tuple[sqldiag.Database, Sent]]:
    """A session that takes portions of so many rows for ever so few sets."""
    sent = Sent()
    with (
        patch.object(evaluate, "_MUCH", 1),
        patch.object(portions, "_WORTH", worth),
        sqldiag.connect(url, listener=sent) as database,
    ):
        connection = database.session.connection
        small = replace(connection.capabilities, portion_rows=size)
        with patch.object(connection, "capabilities", small):
            yield database, sent


@given(
    table=tables(qi=COLUMNS, max_rows=30),
    thresholds=st.lists(st.integers(1, 6), min_size=1, max_size=2, unique=True),
    size=st.integers(1, 5),
    worth=st.integers(1, 3),
)
@settings(max_examples=60)
def test_all_sets(
    postgres_db: PostgresDatabase,
    table: RandomTable,
    thresholds: list[int],
    size: int,
    worth: int,
) -> None:
    table.load(postgres_db)
    with asked_in_portions(postgres_db.url, size, worth) as (database, _):
        answer = every_set.ask(database, COLUMNS, thresholds)
    every_set.assert_right(answer, table, COLUMNS, thresholds)


def test_they_are_taken(postgres_db: PostgresDatabase) -> None:
    """Half of the sets have the column of most values; those are grouped by portions of it."""
    postgres_db.execute(
        "CREATE TABLE t AS SELECT i % 40 AS a, i % 3 AS b, i % 5 AS c, i % 7 AS d"
        " FROM generate_series(1, 2000) AS i"
    )
    with asked_in_portions(postgres_db.url, 100, 1) as (database, sent):
        database.table("t").subsets(among=["a", "b", "c", "d"], require=["k >= 2"])
    taken = [done.statement.sql for done in sent.executed if "LATERAL" in done.statement.sql]
    assert taken
    assert all("portion(low, high)" in sql for sql in taken)


@pytest.mark.parametrize("values", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("rows", [0, 1, 9, 10, 11, 1000])
@pytest.mark.parametrize("large_sets", [0, 1, 8, 60])
def test_every_code_is_in_one_portion(values: int, rows: int, large_sets: int) -> None:
    field = Field(word=0, mask=0b1111111000, first=1)
    found = portion_by(field, values, rows=rows, large_sets=large_sets, portion_rows=10)
    if found is None:
        assert values < 2 or rows <= 10 or large_sets < 8
        return
    bounds = found.bounds
    assert list(bounds) == sorted(set(bounds))
    assert bounds[0] == 0
    assert bounds[-1] == values * field.unit
    assert 2 <= len(bounds) - 1 <= min(values, -(-rows // 10), large_sets)
