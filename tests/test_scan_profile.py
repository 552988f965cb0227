"""The profile of columns: every figure against brute force, on both engines; and the sample."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqldiag
from sqldiag.scan.counting import expected_distinct
from sqldiag.scanned import Scan
from tests.databases import Database

COLUMNS = {"n": "INTEGER", "t": "TEXT", "d": "DATE", "f": "DOUBLE PRECISION", "b": "BOOLEAN"}
row = st.tuples(
    st.sampled_from([None, -1, 0, 7, 12345678]),
    st.sampled_from([None, "", " ", "a", "A", "a@b.org", "it's", "ü\n"]),
    st.sampled_from([None, "2020-01-01", "1999-12-31"]),
    st.sampled_from([None, 0.5, -2.25]),
    st.sampled_from([None, True, False]),
)


@settings(max_examples=25)
@given(rows=st.lists(row, min_size=1, max_size=25))
def test_every_figure_is_that_of_brute_force(db: Database, rows: list[tuple[object, ...]]) -> None:
    db.load("t", COLUMNS, rows)
    with sqldiag.connect(db.url) as database:
        scan = database.table("t").scan(qi=["n", "t"])
    for place, column in enumerate(scan.columns):
        facts = column.facts
        groups = Counter(values[place] for values in rows)
        known = {value: size for value, size in groups.items() if value is not None}
        shares = [size / len(rows) for size in groups.values()]
        assert facts.rows == len(rows)
        assert facts.nulls == groups[None]
        assert facts.distinct == len(known)
        assert facts.distinct_is_exact
        assert facts.singletons == sum(size == 1 for size in groups.values())
        assert facts.top_share == max(known.values(), default=0) / len(rows)
        assert facts.entropy == pytest.approx(-sum(p * math.log(p) for p in shares), abs=1e-9)
    for found in scan.sets:
        places = [list(COLUMNS).index(name) for name in found.quasi_identifiers]
        classes = Counter(tuple(values[place] for place in places) for values in rows)
        assert found.classes == len(classes)
        assert found.singletons == sum(size == 1 for size in classes.values())
        assert found.uniqueness == found.singletons / len(rows)
        assert found.null_rows == sum(size for values, size in classes.items() if None in values)


def scanned(db: Database, **options: object) -> Scan:
    with sqldiag.connect(db.url) as database:
        return database.table("t").scan(**options)  # type: ignore[arg-type]


def test_values_look_like_what_they_are(db: Database) -> None:
    values = {
        "email": "ann@example.org",
        "url": "https://example.org/a",
        "uuid": "0b7f8c1e-5a52-4c5e-9a6e-2f9f8d3c1b2a",
        "mac": "00:1A:2b:3c:4D:5e",
        "ip": "192.168.0.17",
        "date": "31.12.1999",
        "national id": "078-05-1120",
        "account": "DE89 3704 0044 0532 0130 00",
        "phone": "+49 (30) 1234-567",
        "postcode": "SW1A 1AA",
        "hash": "d41d8cd98f00b204e9800998ecf8427e",
        "digits": "02138",
        "name": "Ann O'Neill",
        "sentence": "came in with a cough",
    }
    columns = {f"c{i}": "TEXT" for i, _ in enumerate(values)}
    db.load("t", columns, [tuple(values.values()), tuple(values.values())])
    scan = scanned(db, qi=["c0"])
    for column, shape in zip(scan.columns, values, strict=True):
        assert column.facts.shapes == {shape: 2}
        assert column.facts.max_length == len(values[shape])


def test_types_that_cannot_be_grouped_are_scanned_too(postgres_db: Database) -> None:
    postgres_db.execute(
        "CREATE TYPE mood AS ENUM ('low', 'high');"
        "CREATE TABLE t (j json, p point, m mood, a int[], x xml, y bytea, age int);"
        "INSERT INTO t VALUES ('{}', '(1,2)', 'low', '{1}', '<a/>', 'b', 3),"
        " ('[]', '(1,2)', 'low', '{1}', NULL, 'b', 4)"
    )
    scan = scanned(postgres_db)
    assert {c.name: c.facts.distinct for c in scan.columns} == {
        "j": 2, "p": 1, "m": 1, "a": 1, "x": 1, "y": 1, "age": 2,
    }  # fmt: skip
    assert scan.having("quasi-identifier") == ("age",)


def test_a_large_table_is_sampled_and_says_so(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows and NULLs are still counted, and so are sets."""
    rows = [
        (i, i % 7 if i % 10 else None, f"word {i % 3}", i * 0.37, f"{i:05}"[-4:])
        for i in range(20_000)
    ]
    columns = {
        "id": "INTEGER",
        "age": "INTEGER",
        "w": "TEXT",
        "x": "DOUBLE PRECISION",
        "zip": "TEXT",
    }
    db.load("t", columns, rows)
    db.execute("ANALYZE t")
    with sqldiag.connect(db.url) as database:
        connection = database.session.connection
        small = replace(connection.capabilities, exact_cells=1000)
        monkeypatch.setattr(connection, "capabilities", small)
        for table in (database.table("t"), database.table("t", where="id >= 0")):
            scan = table.scan()
            facts = {column.name: column.facts for column in scan.columns}
            assert all(one.rows == 20_000 for one in facts.values())
            assert facts["age"].nulls == 2000
            assert facts["age"].distinct == 7
            assert not facts["zip"].distinct_is_exact
            assert not facts["id"].distinct_is_exact
            assert facts["id"].singletons is None
            assert facts["id"].distinct == pytest.approx(20_000, rel=0.15)
            assert not facts["w"].distinct_is_exact
            assert facts["w"].distinct == 3
            assert facts["w"].entropy == pytest.approx(math.log(3), rel=0.02)
            assert scan.column("id").role == "identifier"
            assert scan.cost.base_scans == 2
            assert any("sample" in note for note in scan.notes)
            together = scan.together
            assert together is not None
            assert {"age", "zip"} <= set(together.quasi_identifiers)
            # Who asks for small sets has them counted.
            scan = table.scan(qi=["age", "zip"], max_size=2)
            facts = {column.name: column.facts for column in scan.columns}
            assert facts["age"].distinct_is_exact
            assert facts["zip"].distinct_is_exact
            assert (facts["zip"].distinct, facts["zip"].singletons) == (10_000, 0)
            assert facts["zip"].entropy == pytest.approx(math.log(10_000))


def test_what_a_sample_lets_expect() -> None:
    assert expected_distinct(rows=1e6, sample=3e4, distinct=3e4, singletons=3e4) == 1e6
    assert expected_distinct(rows=1e6, sample=3e4, distinct=50, singletons=0) == 50
    assert expected_distinct(rows=1e6, sample=0, distinct=0, singletons=0) == 0
    assert expected_distinct(rows=100, sample=100, distinct=60, singletons=40) == 60


def test_one_row_and_wide_tables(db: Database) -> None:
    db.load("t", {f"c{i}": "INTEGER" for i in range(450)}, [tuple(range(450))])
    scan = scanned(db)
    assert len(scan.columns) == 450
    assert all(column.facts.distinct == 1 for column in scan.columns)
    assert scan.cost.base_scans <= 4


def test_a_wrong_guess_of_the_size_costs_a_reading_and_no_more(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.load("t", {"age": "INTEGER"}, [(i % 9,) for i in range(300)])
    with sqldiag.connect(db.url) as database:
        connection = database.session.connection
        monkeypatch.setattr(connection, "estimate", lambda _: 10**12)
        scan = database.table("t", where="age >= 0").scan()
    assert scan.columns[0].facts.distinct == 9
    assert scan.columns[0].facts.distinct_is_exact
    assert scan.cost.base_scans == 2


def test_an_empty_table_that_looks_large_is_empty(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.load("t", {"age": "INTEGER"}, [])
    with sqldiag.connect(db.url) as database:
        monkeypatch.setattr(database.session.connection, "estimate", lambda _: 10**12)
        with pytest.raises(sqldiag.BadInput, match="t has no rows"):
            database.table("t").scan()
