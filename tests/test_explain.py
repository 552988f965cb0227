"""`--explain` prints exactly what a run sends, and reads nothing of the relation."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import psycopg
import pytest

from sqldiag.cli.main import run
from tests.databases import Database

ROWS = [
    (30, "F", "1000", "flu", 1),
    (30, "F", "1000", "HIV", 2),
    (30, "M", "1000", "flu", 2),
    (41, "M", None, None, None),
]
TYPES = {"age": "INTEGER", "sex": "TEXT", "zip": "TEXT", "diagnosis": "TEXT", "person": "INTEGER"}

QUESTIONS = {
    "check": ["check", "t", "--qi", "age,sex", "--require", "k >= 2"],
    "entity": ["check", "t", "--qi", "age", "--require", "k >= 2", "--entity", "person"],
    "where": ["check", "t", "--qi", "sex", "--require", "k >= 2", "--where", "zip = '1000'"],
    "query": [
        *("check", "--query", "SELECT sex, age / 10 AS decade\n\nFROM t -- all of them"),
        *("--qi", "sex,decade", "--require", "k >= 2"),
    ],
    "conjunction": [
        *("check", "t", "--qi", "sex", "--require", "k >= 2", "--suppress", "10%"),
        *("--require", "alpha(diagnosis, 'HIV', NULL) <= 0.4"),
    ],
    "measure": ["measure", "t", "--qi", "age,sex,zip"],
    "family": ["measure", "t", "--qi", "sex", "--sensitive", "diagnosis"],
    "curve": ["measure", "t", "--qi", "age", "--measure", "entropy_l(diagnosis)", "--curve"],
    "examples": ["measure", "t", "--qi", "age,zip", "--examples", "3"],
    "strict": [
        *("measure", "t", "--qi", "age", "--sensitive", "diagnosis,zip", "--strict-sensitive"),
    ],
}
EVERY_QUESTION = pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)


@pytest.fixture
def table(db: Database) -> Database:
    db.load("t", TYPES, ROWS)
    return db


def command(source: str, question: list[str], *more: str) -> list[str]:
    """The source stands behind the verb."""
    return [question[0], source, *question[1:], *more]


def without_times(told: str) -> str:
    return re.sub(r"^-- \d+\.\d{3} s\n", "", told, flags=re.MULTILINE)


@EVERY_QUESTION
def test_explain_is_what_a_run_tells(
    table: Database, question: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command(table.url, question, "--explain")) == 0
    explained = capsys.readouterr().out
    assert run(command(table.url, question, "--verbose")) in (0, 1)
    assert without_times(capsys.readouterr().err).strip() == explained.strip()
    assert "-- diagnosis: " in explained


@EVERY_QUESTION
def test_a_run_sends_what_explain_says_and_nothing_else(
    table: Database,
    question: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert run(command(table.url, question, "--explain")) == 0
    explained = capsys.readouterr().out
    with monkeypatch.context() as patched:
        sent = spy(table.engine, patched)
        assert run(command(table.url, question)) in (0, 1)
    # Every statement, in order, each behind a comment: nothing is left over between them.
    rest = explained
    for sql in sent:
        before, found, rest = rest.partition(f"{sql};\n")
        assert found, sql
        assert re.fullmatch(r"\s*-- [^\n]+\n", before), before
    assert not rest


def spy(engine: str, patched: pytest.MonkeyPatch) -> list[str]:
    """What reaches the driver, whoever sends it."""
    sent: list[str] = []
    if engine == "postgres":
        execute = psycopg.Cursor.execute

        def tell(self: psycopg.Cursor, query: bytes) -> psycopg.Cursor:
            sent.append(query.decode())
            return execute(self, query)

        patched.setattr(psycopg.Cursor, "execute", tell)
        return sent
    connect = duckdb.connect

    class Telling:
        def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
            self._connection = connection

        def __getattr__(self, name: str) -> object:
            return getattr(self._connection, name)

        def execute(self, query: str) -> duckdb.DuckDBPyConnection:
            sent.append(query)
            return self._connection.execute(query)

    patched.setattr(duckdb, "connect", lambda *args, **options: Telling(connect(*args, **options)))
    return sent


@pytest.mark.parametrize(
    "relation", [["broken"], ["--query", "SELECT * FROM broken"]], ids=["view", "query"]
)
def test_explain_reads_nothing(
    db: Database, relation: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Reading any row of the view fails, and so would sorting or counting them."""
    db.load("words", {"word": "TEXT", "city": "TEXT"}, [("no number", "x"), ("nor this", "y")])
    db.execute("CREATE VIEW broken AS SELECT CAST(word AS INTEGER) AS a, city AS b FROM words")
    for question in (
        ["check", *relation, "--qi", "a", "--require", "k >= 2"],
        ["measure", *relation, "--qi", "b", "--sensitive", "a", "--examples", "2"],
        ["measure", *relation, "--qi", "a", "--where", "a > 0", "--curve"],
    ):
        assert run(command(db.url, question, "--explain")) == 0
        said = capsys.readouterr()
        assert "GROUP BY" in said.out
        assert said.err == ""
        assert run(command(db.url, question)) == 3
        said = capsys.readouterr()
        assert said.out == ""
        assert "no number" not in said.err


def test_explain_divides_by_no_zero(
    postgres_db: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    postgres_db.load("t", {"a": "INTEGER"}, [(0,), (1,)])
    postgres_db.execute("CREATE VIEW broken AS SELECT 1 / a AS a FROM t")
    question = ["check", "broken", "--qi", "a", "--require", "k >= 2"]
    assert run(command(postgres_db.url, question, "--explain")) == 0
    assert run(command(postgres_db.url, question)) == 3


def test_explain_refuses_what_a_run_refuses(
    table: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    for question in (
        ["check", "t", "--qi", "nowhere", "--require", "k >= 2"],
        ["check", "t", "--qi", "age", "--require", "k <= 2"],
        ["measure", "missing", "--qi", "age"],
    ):
        refused = []
        for more in ([], ["--explain"]):
            assert run(command(table.url, question, *more)) == 2
            refused.append(capsys.readouterr().err)
        assert refused[0] == refused[1]


def test_explain_goes_to_a_file(
    table: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command(table.url, QUESTIONS["check"], "--explain")) == 0
    printed = capsys.readouterr().out
    target = tmp_path / "plan.sql"
    arguments = command(table.url, QUESTIONS["check"], "--explain", "--output", str(target))
    assert run(arguments) == 0
    assert capsys.readouterr().out == ""
    assert target.read_text(encoding="utf-8") == printed
