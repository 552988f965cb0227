"""Whatever a user gets wrong: one or two lines that say what and what to do, and the exit code."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import sqldiag as package
from sqldiag.errors import BadInput
from tests.command import refused, shared_database, sqldiag
from tests.conftest import ENGINES
from tests.databases import Database

ROWS = [
    (30, "F", "1000", "flu", 1),
    (30, "F", "1000", "HIV", 2),
    (30, "M", "1000", "flu", 2),
    (41, "M", None, None, None),
]
TYPES = {"age": "INTEGER", "sex": "TEXT", "zip": "TEXT", "diagnosis": "TEXT", "person": "INTEGER"}


@pytest.fixture(scope="module", params=ENGINES)
def hospital(request: pytest.FixtureRequest) -> Iterator[Database]:
    for database in shared_database(request, "bad_input"):
        database.load("patients", TYPES, ROWS)
        database.load("empty", TYPES, [])
        database.load("visits", ["a"], [(1,)], schema="ward")
        database.load("visits", ["a"], [(1,)], schema="archive")
        database.load("nothing", {"a": "INTEGER"}, [(1,)])
        before = database.tables()
        yield database
        assert database.tables() == before
        assert database.query("SELECT COUNT(*) FROM nothing") == [(1,)]


ASK = ["--qi", "age", "--require", "k >= 2"]

# What stands behind the source, the exit code, and what the message says.
CASES: dict[str, tuple[list[str], int, str]] = {
    "unknown table": (["patient", *ASK], 2, r"no table or view patient; did you mean patients\?"),
    "unknown schema": (["wards.visits", *ASK], 2, r"did you mean ward\.visits"),
    "other case": (["Patients", *ASK], 2, r"no table or view Patients; did you mean patients\?"),
    "ambiguous table": (["visits", *ASK], 2, r"archive\.visits, ward\.visits; name one as schema"),
    "a table in SQL": (['"patients"', *ASK], 2, r'no table or view "patients"; did you mean pat'),
    "no table": (ASK, 2, r"name the table to diagnose; there are: .*patients"),
    "empty table name": (["", *ASK], 2, r"name the table to diagnose; there are: .*patients"),
    "injected table": (["x' OR 'x'='x", *ASK], 2, r"no table or view x' OR 'x'='x"),
    "a table and a query": (
        ["patients", "--query", "SELECT 1 AS age", *ASK],
        *(2, r"a table or a --query, not both \(patients\)"),
    ),
    "unknown column": (
        ["patients", "--qi", "agee", "--require", "k >= 2"],
        *(2, r"patients has no column agee; did you mean age\?"),
    ),
    "column in other case": (
        ["patients", "--qi", "AGE", "--require", "k >= 2"],
        *(2, r"patients has no column AGE; did you mean age\?"),
    ),
    "unknown entity": (["patients", *ASK, "--entity", "persons"], 2, r"did you mean person\?"),
    "unknown identifier": (["patients", *ASK, "--identifier", "x"], 2, r"no column x; there are:"),
    "unknown measured column": (
        ["patients", "--qi", "age", "--require", "distinct_l(diag) >= 2"],
        *(2, r"patients has no column diag; did you mean diagnosis\?"),
    ),
    "no columns": (["patients", "--require", "k >= 2"], 2, r"--qi.*sqldiag check --help"),
    "empty --qi": (["patients", "--qi", "", "--require", "k >= 2"], 2, r"with --qi"),
    "empty name": (
        ["patients", "--qi", "age,,sex", "--require", "k >= 2"],
        2,
        r"empty column name",
    ),
    "two roles": (
        ["patients", *ASK, "--sensitive", "age"],
        *(2, r"column age is named both as quasi-identifier and as sensitive"),
    ),
    "two roles by measure": (
        ["patients", "--qi", "age", "--require", "distinct_l(age) >= 2"],
        *(2, r"column age is named both as quasi-identifier and as sensitive"),
    ),
    "no requirement": (["patients", "--qi", "age"], 2, r'--require "k >= 5"'),
    "malformed": (["patients", "--qi", "age", "--require", "k >="], 2, r"a number at character 5"),
    "wrong direction": (["patients", "--qi", "age", "--require", "k <= 5"], 2, r"more is safer"),
    "negative share": (["patients", *ASK, "--suppress", "-0.1"], 2, r"outside 0 to 1"),
    "share above 1": (["patients", *ASK, "--suppress", "1.5"], 2, r"outside 0 to 1"),
    "share above 100%": (["patients", *ASK, "--suppress", "101%"], 2, r"outside 0 to 1"),
    "not a share": (["patients", *ASK, "--suppress", "some"], 2, r"write 0.01 or 1%"),
    "empty table": (["empty", *ASK], 2, r"empty has no rows: nothing to diagnose"),
    "empty after --where": (
        ["patients", *ASK, "--where", "age > 100"],
        *(2, r"patients has no rows that match --where: nothing to diagnose"),
    ),
    "empty query": (
        ["--query", "SELECT 1 AS age WHERE 1 = 0", *ASK],
        *(2, r"query has no rows: nothing to diagnose"),
    ),
    "--where is no SQL": (["patients", *ASK, "--where", "age >"], 2, r"--where"),
    "--where is empty": (["patients", *ASK, "--where", ""], 2, r"--where"),
    "--where closes early": (["patients", *ASK, "--where", "age > 1) OR (1 = 1"], 2, r"--where"),
    "--where of two": (["patients", *ASK, "--where", "1 = 1; SELECT 1"], 2, r"--where .*single"),
    "--where with a limit": (
        ["patients", *ASK, "--where", "1 = 1 LIMIT 1"],
        2,
        r"--where .*single",
    ),
    "--where with a union": (
        ["patients", *ASK, "--where", "1 = 1 UNION SELECT 1"],
        *(2, r"--where must be a single condition"),
    ),
    "--where with an unknown column": (
        ["patients", *ASK, "--where", "agee > 1"],
        2,
        r'"?agee"?.*age',
    ),
    "--where with our own names": (["patients", *ASK, "--where", "q1 > 1"], 2, r"q1"),
    "--where with an aggregate": (["patients", *ASK, "--where", "COUNT(*) > 1"], 2, r"aggregate"),
    "--query is no SQL": (["--query", "SELEC age FROM patients", *ASK], 2, r"--query"),
    "--query is empty": (["--query", "", *ASK], 2, r"--query"),
    "--query of two": (["--query", "SELECT 1 AS age; SELECT 2", *ASK], 2, r"--query .*single"),
    "--query writes": (["--query", "DELETE FROM nothing", *ASK], 2, r"--query may only read"),
    "--query defines": (["--query", "CREATE TABLE x AS SELECT 1", *ASK], 2, r"may only read"),
    "--query drops": (["--query", "DROP TABLE nothing", *ASK], 2, r"--query may only read"),
    "--query in two": (["--query", "SELECT 1; DROP TABLE nothing", *ASK], 2, r"--query .*single"),
    "--query writes within": (
        ["--query", "WITH w AS (DELETE FROM nothing RETURNING a) SELECT a AS age FROM w", *ASK],
        *(2, r"--query may only read"),
    ),
    "--query into": (["--query", "SELECT a AS age INTO x FROM nothing", *ASK], 2, r"only read"),
    "--query copies": (["--query", "COPY nothing TO '/tmp/x'", *ASK], 2, r"--query may only read"),
    "--query is no SELECT": (["--query", "SHOW TABLES", *ASK], 2, r"--query (must|may|cannot)"),
    "--query of an unknown table": (["--query", "SELECT * FROM patient", *ASK], 2, r"patient"),
    "--query with an unknown column": (["--query", "SELECT agee FROM patients", *ASK], 2, r"agee"),
    "query lacks the column": (["--query", "SELECT 1 AS a", *ASK], 2, r"query has no column age"),
    "no directory": (
        ["patients", *ASK, "--output", "/nowhere/x"],
        2,
        r"there is no such directory",
    ),
    "a directory": (["patients", *ASK, "--output", "/tmp"], 2, r"--output /tmp is a directory"),
    "no examples": (["patients", *ASK, "--examples", "0"], 2, r"--examples.*1"),
    "examples of words": (["patients", *ASK, "--examples", "few"], 2, r"--examples.*integer"),
    "unknown format": (["patients", *ASK, "--format", "xml"], 2, r"'text', 'json', 'csv', 'mark"),
    "unknown option": (["patients", *ASK, "--qis", "age"], 2, r"--qis.*--qi"),
    "option without value": (["patients", *ASK, "--suppress"], 2, r"--suppress"),
    "too many arguments": (["patients", "x", *ASK], 2, r"unexpected extra argument.*x"),
    "loud and quiet": (["patients", *ASK, "-v", "-q"], 2, r"--verbose and --quiet contradict"),
}


@pytest.mark.parametrize(("arguments", "code", "message"), CASES.values(), ids=CASES)
def test_refused(hospital: Database, arguments: list[str], code: int, message: str) -> None:
    sentence = refused(sqldiag("check", hospital.url, *arguments), code)
    assert re.search(message, sentence), sentence


def test_a_constant_of_another_type(hospital: Database) -> None:
    """Postgres sees it before it reads a row, DuckDB while it reads."""
    code = {"postgres": 2, "duckdb": 3}[hospital.engine]
    ran = sqldiag("check", hospital.url, "patients", *ASK, "--where", "age = 'x'")
    assert re.search("different types|does not fit", refused(ran, code))


def test_a_value_never_stands_in_a_message(hospital: Database) -> None:
    for where in (
        "CAST(diagnosis AS INTEGER) = 3",
        "1 / (age - 41) > 0",
        "CAST(zip AS DATE) > '2020-01-01'",
    ):
        ran = sqldiag("check", hospital.url, "patients", *ASK, "--where", where)
        if ran.code != 1:  # DuckDB divides by zero
            sentence = refused(ran, 3)
            assert not re.search("flu|HIV|1000|41", sentence)


def test_what_is_not_text(hospital: Database) -> None:
    """An argument may be any bytes, and a terminal would obey some of them."""
    for arguments in (["t\udcff", *ASK], ["patients", *ASK, "--where", "sex = '\udcff'"]):
        assert "UTF-8" in refused(sqldiag("check", hospital.url, *arguments), 2)
    ran = sqldiag("check", hospital.url, "\x1b[2Jt\nu", *ASK)
    assert "no table or view" in refused(ran, 2)


def test_in_python(hospital: Database) -> None:
    with pytest.raises(BadInput, match="no engine for mysql"):
        package.connect("mysql://h/d")
    with package.connect(hospital.url) as database:
        with pytest.raises(BadInput, match="there is no table or view patient; did you mean"):
            database.table("patient")
        table = database.table("patients")
        with pytest.raises(BadInput, match=r"qi takes a list of texts, such as \['age'\]"):
            table.measure(qi="age")
        with pytest.raises(BadInput, match="name at least one quasi-identifier"):
            table.measure(qi=[])
        with pytest.raises(BadInput, match=r"--suppress 2\.0 is outside"):
            table.measure(qi=["age"], suppress=2.0)
        # After a refusal, the next question is answered.
        assert table.measure(qi=["age"]).value() == 1
