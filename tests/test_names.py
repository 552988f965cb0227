"""Names are taken literally, whatever characters they hold, and never mistaken for ours."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from urllib.parse import quote

import duckdb
import pytest

import sqldiag
from sqldiag.errors import BadInput
from sqldiag.names import quoted
from tests import command, oracle
from tests.databases import Database, DuckDBDatabase, PostgresDatabase
from tests.oracle import M

WEIRD = (
    *('weird "t', "a b", "select", "ünïcode", "x,y", "c.d", "x'y", '"', '"x"', "a;b", "--", "%s"),
    *(
        "{x}",
        "$1",
        "?",
        ":x",
        "\\",
        "tab\tname",
        "two\nlines",
        " lead",
        "trail ",
        "2x",
        "Ä",
        "用户",
    ),
    *("[x]", "`x`", "/*", "*", "UPPER", "camelCase", "🙂", "null", "true", "group", "user", "1"),
    "x" * 63,
    "ü" * 31 + "x",
)
# Names that our own statements give to things, in other cases too.
OURS = (
    *("n", "q1", "q2", "s1", "e", "people", "value", "classes", "facts", "rows_", "relation", "N"),
    *("part", "c", "v", "p", "q", "t", "code", "total", "domain", "reach", "area", "largest", "E"),
    *("tail", "work", "height", "size", "raw1", "v1", "m0", "rated", "cell", "known", "null_rows"),
    *("histogram_s1", "values_s1", "facts_q1", "counted_s1", "gone", "reached", "c1", "Q1", "d1_0"),
)

ROWS = 12
# DuckDB cannot hold names that differ by case in one table.
LOWER = [name for name in (*WEIRD, *OURS) if name not in ("N", "E", "Q1")]
UPPER = ["N", "E", "Q1", "Facts", "ROWS_", "V", "Code", "S1"]
TABLES = pytest.mark.parametrize("names", [LOWER, UPPER], ids=["lower", "upper"])


def table_of(names: list[str]) -> list[dict[str, object]]:
    """A table whose columns differ from each other, with a NULL in every one."""
    return [
        {"id_": row % 3}
        | {
            name: None if row == i % ROWS else (row * (i % 7 + 1) + i) % (i % 5 + 2)
            for i, name in enumerate(names)
        }
        for row in range(ROWS)
    ]


def load(db: Database, table: str, names: list[str]) -> list[dict[str, object]]:
    rows = table_of(names)
    db.load(table, list(rows[0]), [list(row.values()) for row in rows])
    return rows


def listed(names: list[str]) -> str:
    """A list as the command takes it."""
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="").writerow(names)
    return out.getvalue()


def in_sql(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@TABLES
def test_a_column_in_every_role(db: Database, names: list[str]) -> None:
    rows = load(db, "t", names)
    with sqldiag.connect(db.url) as database:
        table = database.table("t")
        for name in names:
            found = table.measure(qi=[name])
            assert found.value() == oracle.worst(rows, [name], M("k")), name
            found = table.measure(qi=["id_"], entity=name)
            assert found.value() == oracle.worst(rows, ["id_"], M("k"), entity=name), name
            assert found.source.null_rows == 0
        for start in range(0, len(names), 8):
            some = names[start : start + 8]
            asked = [f"distinct_l({quoted(name)})" for name in some]
            found = table.measure(qi=["id_"], measures=asked)
            assert [m.measure for m in found.measures] == asked
            assert [m.value for m in found.measures] == [
                oracle.worst(rows, ["id_"], M("distinct_l", name)) for name in some
            ]
        missing = " OR ".join(f"{in_sql(name)} IS NULL" for name in names)
        found = database.table("t", where=missing).measure(qi=["id_"])
        assert found.source.rows == min(ROWS, len(names))
        everything = table.measure(qi=names, measures=["k", "entropy_l(id_)"])
        assert everything.source.null_rows == min(ROWS, len(names))
        assert everything.quasi_identifiers == tuple(names)


@TABLES
def test_on_the_command_line(db: Database, names: list[str]) -> None:
    rows = load(db, "t", names)
    half = len(names) // 2
    for qi, others in ((names[:half], names[half:]), (names[half:], names[:half])):
        sensitive, entity = others[:3], others[3]
        requirements = [f"distinct_l({in_sql(name)}) >= 2" for name in sensitive]
        ran = command.sqldiag(
            *("check", "--format", "json", "--examples", "1", "--qi", listed(qi)),
            *("--sensitive", listed(sensitive), "--entity", entity),
            *(part for text in requirements for part in ("--require", text)),
            *("--", db.url, "t"),
        )
        assert ran.err == ""
        body = json.loads(ran.out)
        assert body["quasi_identifiers"] == qi == list(body["examples"][0]["values"])
        assert (body["sensitive"], body["entity"]) == (sensitive, entity)
        for name, verdict in zip(sensitive, body["requirements"], strict=True):
            assert verdict["requirement"] == f"distinct_l({quoted(name)}) >= 2"
            value = oracle.worst(rows, qi, M("distinct_l", name), entity=entity)
            assert verdict["value"] == value
        for form in ("text", "csv", "markdown"):
            ran = command.sqldiag("measure", db.url, "t", "--format", form, "--qi", listed(qi))
            assert (ran.code, ran.err) == (0, "")
            assert "\x1b" not in ran.out


def test_a_table_of_any_name(db: Database) -> None:
    made = []
    for size, name in enumerate(WEIRD, 1):
        table, view = in_sql(name), in_sql(name[:25] + "_v")
        made.append(f"CREATE TABLE {table} AS SELECT 1 AS a FROM generate_series(1, {size})")
        made.append(f"CREATE VIEW {view} AS SELECT * FROM {table}")
    db.execute(";\n".join(made))
    with sqldiag.connect(db.url) as database:
        for size, name in enumerate(WEIRD, 1):
            for relation in (name, name[:25] + "_v"):
                answer = database.table(relation).measure(qi=["a"])
                assert (answer.source.relation, answer.value()) == (relation, size)
    ran = command.sqldiag("measure", "--qi", "a", "--format", "json", "--", db.url, WEIRD[0])
    assert json.loads(ran.out)["source"]["relation"] == WEIRD[0]


def test_a_schema_and_a_table_with_dots(db: Database) -> None:
    db.load("a.b", ["a"], [(1,), (1,)], schema="c.d")
    db.load("b", ["a"], [(1,), (1,), (1,)], schema="c.d.a")
    db.load("c.d", ["a"], [(1,)])
    with sqldiag.connect(db.url) as database:
        assert database.table("a.b").measure(qi=["a"]).value() == 2
        assert database.table("b").measure(qi=["a"]).value() == 3
        assert database.table("c.d").measure(qi=["a"]).value() == 1
        with pytest.raises(BadInput, match=r"may be any of c\.d\.a\.b, c\.d\.a\.b"):
            database.table("c.d.a.b")
    db.execute('DROP TABLE "c.d.a"."b"')
    ran = command.sqldiag("measure", db.url, "c.d.a.b", "--qi", "a", "--format", "json")
    assert json.loads(ran.out)["source"]["relation"] == "c.d.a.b"
    assert json.loads(ran.out)["measures"][0]["value"] == 2


def test_the_default_schema_comes_first(db: Database) -> None:
    db.load("t", ["a"], [(1,), (1,)])
    db.load("t", ["a"], [(1,)], schema="other")
    default = "main" if db.engine == "duckdb" else "public"
    with sqldiag.connect(db.url) as database:
        for name, k in {"t": 2, f"{default}.t": 2, "other.t": 1}.items():
            assert database.table(name).measure(qi=["a"]).value() == k


def test_a_schema_named_like_its_file(tmp_path: Path) -> None:
    database = DuckDBDatabase(tmp_path / "ward.duckdb")
    database.execute("CREATE SCHEMA ward; CREATE TABLE ward.ward.t AS SELECT 1 AS a")
    database.execute("CREATE SCHEMA temp; CREATE TABLE ward.temp.u AS SELECT 1 AS a")
    with sqldiag.connect(str(database.path)) as opened:
        for name in ("ward.t", "t", "temp.u", "u"):
            assert opened.table(name).measure(qi=["a"]).value() == 1


def test_names_that_differ_by_case(postgres_db: PostgresDatabase) -> None:
    rows = [(1, 1, "x"), (1, 2, "y"), (1, 3, "y")]
    postgres_db.load("T", ["aB", "Ab", "AB"], rows)
    postgres_db.load("t", ["aB"], [(1,)])
    with sqldiag.connect(postgres_db.url) as database:
        table = database.table("T")
        assert table.measure(qi=["aB"]).value() == 3
        assert table.measure(qi=["Ab"]).value() == 1
        both = table.measure(qi=["aB"], measures=["distinct_l(AB)", "distinct_l(Ab)"])
        assert [m.value for m in both.measures] == [2, 3]
        assert table.measure(qi=["AB"], entity="aB").value() == 1
        with pytest.raises(BadInput, match="T has no column ab; did you mean"):
            table.measure(qi=["ab"])
        assert database.table("t").measure(qi=["aB"]).value() == 1


def test_duckdb_folds_case_and_we_do_not(duckdb_db: DuckDBDatabase) -> None:
    duckdb_db.load("T", ["aB"], [(1,)])
    with sqldiag.connect(duckdb_db.url) as database:
        for name in ("Ab", "ab", "AB"):
            with pytest.raises(BadInput, match=f"T has no column {name}; did you mean aB"):
                database.table("T").measure(qi=[name])
        with pytest.raises(BadInput, match="no table or view t; did you mean T"):
            database.table("t")


def test_a_condition_speaks_of_columns(db: Database) -> None:
    """Of the relation's own, not of what we call them; the relation may be named in it."""
    db.load("t", ["age", "q1", "s1", "e", "n"], [(1, 5, 1, 1, 7), (2, 6, 2, 2, 8), (2, 6, 1, 3, 9)])
    two = ("q1 > 5", "t.q1 > 5", "s1 = 1", "n > 7", "Q1 > 5", "q1 = 5 OR n = 9")
    one = (
        "e = 1",
        "q1 > 5 AND e = 3",
        "n > 7 AND q1 > (SELECT MIN(q1) FROM t WHERE e = 1) AND e = 2",
    )
    for condition, rows in [*((text, 2) for text in two), *((text, 1) for text in one)]:
        with sqldiag.connect(db.url) as database:
            answer = database.table("t", where=condition).measure(
                qi=["age"], measures=["k", "distinct_l(n)"], entity="s1"
            )
            assert answer.source.rows == rows, condition
            query = "SELECT t.*, 1 AS relation FROM t"
            narrowed = condition.replace("t.q1", "q1")
            answer = database.query(query, where=narrowed).measure(qi=["age", "relation"])
            assert answer.source.rows == rows, condition


@pytest.mark.parametrize("name", ["weird \"t'.csv", "a b.csv", "ünïcode.csv", "x,y.csv", "q1.csv"])
def test_a_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("a b,select\n1,2\n")
    ran = command.sqldiag("measure", tmp_path / name, "--qi", "a b,select", "--format", "json")
    assert json.loads(ran.out)["source"]["relation"] == name


def test_a_database_of_any_name(tmp_path: Path) -> None:
    path = tmp_path / 'a b%20"ü.duckdb'
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS a")
    for source in (str(path), f"duckdb:///{quote(str(path))}"):
        assert command.sqldiag("measure", source, "t", "--qi", "a").code == 0


def test_another_encoding(postgres_db: PostgresDatabase) -> None:
    postgres_db.load("ünïcode", ["ä"], [("ö",), ("ü",)])
    url = f"{postgres_db.url}&client_encoding=LATIN1"
    ran = command.sqldiag(
        "measure", url, "ünïcode", "--qi", "ä", "--where", "ä <> 'ö'", "--examples", "1"
    )
    assert (ran.code, "ü" in ran.out) == (0, True)
