"""Every built-in type that can be grouped, as quasi-identifier, sensitive column and entity."""

from __future__ import annotations

import pytest

import sqldiag
from tests.databases import Database, DuckDBDatabase, PostgresDatabase
from tests.test_ungroupable import (
    GROUPABLE,
    UNGROUPABLE,
    as_entity,
    as_example,
    as_quasi_identifier,
    as_sensitive,
    make,
)

LONG = "repeat('x', 100000)"

# Three values of each in their order; the types of GROUPABLE are tested beside it.
MORE: dict[str, dict[str, tuple[str, ...]]] = {
    "postgres": {
        "boolean": ("FALSE", "FALSE", "TRUE"),
        "smallint": ("-32768", "0", "32767"),
        "integer": ("-2147483648", "0", "2147483647"),
        "bigint": ("-9223372036854775808", "0", "9223372036854775807"),
        "numeric": ("'-Infinity'", "1.10", "'NaN'"),
        "numeric(12, 2)": ("-0.01", "0", "9999999999.99"),
        "real": ("'-infinity'", "0.1", "'NaN'"),
        "money": ("'-1.00'", "'0.00'", "'1.00'"),
        "text": ("''", "'a'", LONG),
        "varchar(9)": ("''", "' '", "'a'"),
        "char(5)": ("''", "'a'", "'b'"),
        '"char"': ("'a'", "'b'", "'c'"),
        "name": ("'a'", "'b'", "'c'"),
        "date": ("'-infinity'", "'0044-03-15 BC'", "'infinity'"),
        "time": ("'00:00'", "'12:00'", "'24:00'"),
        "timetz": ("'09:00+00'", "'12:00+00'", "'15:00+00'"),
        "timestamp": ("'-infinity'", "'2020-01-01'", "'infinity'"),
        "cidr": ("'9.0.0.0/8'", "'10.0.0.0/8'", "'10.1.0.0/16'"),
        "macaddr": tuple(f"'00:00:00:00:00:0{digit}'" for digit in "19a"),
        "macaddr8": tuple(f"'00:00:00:00:00:00:00:0{digit}'" for digit in "19a"),
        "varbit": ("B''", "B'0'", "B'1'"),
        "tsvector": ("'a'", "'b'", "'c'"),
        "tsquery": ("'a'", "'a & b'", "'a & b & c'"),
        "oid": ("1", "9", "10"),
        "regclass": ("'pg_proc'", "'pg_class'", "'pg_database'"),
        "pg_lsn": ("'0/1'", "'0/9'", "'0/A'"),
        "xid8": ("'1'", "'9'", "'10'"),
        "numrange": ("'empty'", "'[1.0, 2.0)'", "'[1.5,]'"),
        "tstzrange": ("'empty'", "'[2020-01-01,)'", "'[2021-01-01,)'"),
        "int4multirange": ("'{}'", "'{[1, 2)}'", "'{[1, 3)}'"),
        "uuid[]": ("'{}'", "ARRAY[NULL]::uuid[] || '{}'", "'{NULL, NULL}'"),
        "level[]": ("'{low}'", "'{mid}'", "'{high}'"),
        "hstore": ("''", "'a=>1'", "'a=>1, b=>2'"),
        "ltree": ("'a'", "'a.b'", "'b'"),
    },
    "duckdb": {
        "BOOLEAN": ("FALSE", "FALSE", "TRUE"),
        "TINYINT": ("-128", "0", "127"),
        "UBIGINT": ("0", "1", "18446744073709551615"),
        "UHUGEINT": ("0", "1", "340282366920938463463374607431768211455"),
        "DECIMAL(38, 10)": ("-0.0000000001", "0", "9999999999999999999999999999.9999999999"),
        "FLOAT": ("'-inf'", "0.1", "'nan'"),
        "VARCHAR": ("''", "'a'", LONG),
        "DATE": ("'-infinity'", "'2020-01-01'", "'infinity'"),
        "TIME": ("'00:00'", "'12:00'", "'23:59:59.999999'"),
        "TIMESTAMP": ("'-infinity'", "'2020-01-01'", "'infinity'"),
        "TIMESTAMP_NS": ("'2020-01-01'", "'2020-01-01 00:00:00.000000001'", "'2021-01-01'"),
        "VARCHAR[][]": ("[['a']]", "[['a'], ['b']]", "[['b']]"),
        "DECIMAL(4, 1)[]": ("[0.5]", "[0.5, 1.5]", "[1.5]"),
        "STRUCT(a STRUCT(b INTEGER[]), c VARCHAR)": (
            "{'a': {'b': [1]}, 'c': 'x'}",
            "{'a': {'b': [1]}, 'c': NULL}",
            "{'a': {'b': [2]}, 'c': 'x'}",
        ),
        "MAP(INTEGER, STRUCT(a VARCHAR))": (
            "MAP {1: {'a': 'x'}}",
            "MAP {1: {'a': 'y'}}",
            "MAP {2: {'a': 'x'}}",
        ),
        "level[]": ("['low']", "['mid']", "['high']"),
        "UNION(n INTEGER, t VARCHAR)": ("1", "2", "'a'::VARCHAR"),
    },
}
# Two of the three values are one, so that the third must be told from them.
SAME = {"boolean", "BOOLEAN"}
EXTENSIONS = ("hstore", "ltree")
ALL = [(engine, kind) for engine, kinds in MORE.items() for kind in kinds]


@pytest.mark.parametrize(("engine", "kind"), ALL)
def test_a_type(request: pytest.FixtureRequest, engine: str, kind: str) -> None:
    db: Database = request.getfixturevalue(f"{engine}_db")
    if kind in EXTENSIONS:
        db.execute(f"CREATE EXTENSION {kind}")
    rows = make(db, kind, MORE[engine][kind])
    if kind in SAME:
        rows = [{**row, "history": 0 if row["history"] == 1 else row["history"]} for row in rows]
    with sqldiag.connect(db.url) as database:
        table = database.table("visits")
        as_sensitive(table, rows)
        as_quasi_identifier(table, rows)
        if kind not in SAME:
            as_entity(table, rows)
            as_example(table)


def test_no_type_is_forgotten(postgres_db: PostgresDatabase) -> None:
    """Every base type of Postgres that has a class for hashing or ordering is in one of the lists,
    or is one that no table of people has."""
    internal = {
        *("aclitem", "cid", "xid", "tid", "oidvector", "int2vector", "record", "void", "cstring"),
        *("gtsvector", "pg_node_tree", "refcursor", "txid_snapshot", "pg_snapshot"),
    }
    groupable = """
        SELECT format_type(t.oid, NULL) FROM pg_type AS t
        WHERE t.typtype IN ('b', 'r', 'm') AND t.typcategory <> 'A' AND t.typnamespace =
            CAST('pg_catalog' AS regnamespace) AND EXISTS (SELECT FROM pg_opclass AS o
            JOIN pg_am AS m ON m.oid = o.opcmethod WHERE m.amname IN ('btree', 'hash')
            AND o.opcdefault AND o.opcintype = t.oid)
    """
    there = {str(row[0]) for row in postgres_db.query(groupable)} - internal
    ours = {
        str(postgres_db.query(f"SELECT format_type(CAST('{kind}' AS regtype), NULL)")[0][0])
        for kind in (*GROUPABLE["postgres"], *MORE["postgres"])
        if kind not in ("level", "pair", "code", "level[]", *EXTENSIONS)
    }
    families = ("reg", "bit varying")
    assert {kind for kind in there - ours if not kind.startswith(families)} == set()
    assert not ours & set(UNGROUPABLE)


def values(url: str, table: str = "t") -> int:
    with sqldiag.connect(url) as database:
        return database.table(table).measure(qi=["a"]).risk.classes


def test_blanks_empty_and_null(db: Database) -> None:
    """'' is not NULL; char(n) ignores blanks at the end, text does not."""
    db.load("t", {"a": "TEXT"}, [("",), (None,), (" ",), ("x",), ("x ",), ("",)])
    assert values(db.url) == 5
    if db.engine == "postgres":
        db.execute("CREATE TABLE padded (a CHAR(4)); INSERT INTO padded SELECT a FROM t")
        assert db.query("SELECT COUNT(*) FROM (SELECT a FROM padded GROUP BY a) AS g") == [(3,)]
        assert values(db.url, "padded") == 3


def test_numbers_that_are_equal(db: Database) -> None:
    """NaN is one value, and so is nought, whatever its sign; 1.0 and 1.00 are one number."""
    db.execute("CREATE TABLE t (a DOUBLE PRECISION)")
    db.execute("INSERT INTO t VALUES ('NaN'), ('NaN'), ('0'), ('-0'), ('Infinity'), (NULL)")
    expected = db.query("SELECT COUNT(*) FROM (SELECT a FROM t GROUP BY a) AS g")
    assert [(values(db.url),)] == expected == [(4,)]
    db.execute("CREATE TABLE d (a NUMERIC(9, 3)); INSERT INTO d VALUES (1.0), (1.00), (1.001)")
    assert values(db.url, "d") == 2


def test_moments_in_two_zones(db: Database) -> None:
    db.execute("CREATE TABLE t (a TIMESTAMPTZ)")
    db.execute("INSERT INTO t VALUES ('2020-01-01 12:00+00'), ('2020-01-01 14:00+02')")
    assert values(db.url) == 1


def test_collations_that_do_not_tell_apart(postgres_db: PostgresDatabase) -> None:
    """Grouped as the database groups, in check, search and with a sensitive column."""
    db = postgres_db
    db.execute(
        "CREATE COLLATION loose"
        " (provider = icu, locale = 'und-u-ks-level1', deterministic = false);"
        "CREATE EXTENSION citext;"
        "CREATE TABLE t (a TEXT COLLATE loose, c citext, b INT);"
        "INSERT INTO t VALUES ('Muller', 'A', 1), ('müller', 'a', 1), ('MÜLLER', 'A', 2),"
        " ('Smith', 'b', 2), ('smith', 'B', 2)"
    )
    for column in ("a", "c"):
        with sqldiag.connect(db.url) as database:
            table = database.table("t")
            answer = table.measure(qi=[column])
            assert (answer.risk.classes, answer.value()) == (2, 2)
            sensitive = table.measure(qi=["b"], measures=[f"distinct_l({column})"])
            assert sensitive.value() == 1
            found = table.borders(among=[column, "b"], require=["k >= 2"])
            assert {one.quasi_identifiers for one in found.safe} == {(column,), ("b",)}
            assert {one.rows_to_suppress for one in found.unsafe} == {1}
            exact = database.query(f'SELECT CAST({column} AS TEXT) COLLATE "C" AS x FROM t')
            assert exact.measure(qi=["x"]).value() == 1


def test_collations_of_duckdb(duckdb_db: DuckDBDatabase) -> None:
    duckdb_db.execute(
        "CREATE TABLE t (a VARCHAR COLLATE NOCASE); INSERT INTO t VALUES ('A'), ('a'), ('b')"
    )
    expected = duckdb_db.query("SELECT COUNT(*) FROM (SELECT a FROM t GROUP BY a) AS g")
    assert [(values(duckdb_db.url),)] == expected
