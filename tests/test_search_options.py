"""The options of `borders` and `subsets`: limits, columns, bad input, --explain."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from sqldiag import connect
from sqldiag.engines.base import Kind
from tests import oracle
from tests.command import process, refused, sqldiag
from tests.databases import Database
from tests.oracle import M, R
from tests.statements import Sent
from tests.test_search_cli import COLUMNS, COMMON, DICTS, NAMES, asked, sets, write


@pytest.fixture(scope="module")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("options"))


def test_budgets(patients: Path) -> None:
    full = asked("borders", patients, *COMMON, "--require", "k >= 3")
    for most in (1, 3, 5):
        body = asked("borders", patients, *COMMON, "--require", "k >= 3", "--max-sets", str(most))
        assert body["cost"]["sets_evaluated"] <= most
        assert body["complete"] is False
        for one in body["safe"]:
            assert oracle.holds(DICTS, one, [R(M("k"), 3)])
        for one in body["unsafe"]:
            assert not oracle.holds(DICTS, one, [R(M("k"), 3)])
    enough = str(full["cost"]["sets_evaluated"])
    assert asked("borders", patients, *COMMON, "--require", "k >= 3", "--max-sets", enough)[
        "complete"
    ]
    part = asked("subsets", patients, *COMMON, "--measure", "k", "--max-sets", "6")
    assert (len(part["sets"]), part["complete"], part["cancelled"]) == (6, False, False)
    late = asked("subsets", patients, *COMMON, "--measure", "k", "--max-seconds", "0.000001")
    assert (late["sets"], late["complete"]) == ([], False)
    assert asked("subsets", patients, *COMMON, "--max-seconds", "60")["complete"] is True


@pytest.mark.parametrize("strategy", ["apriori", "auto"])
def test_max_size(patients: Path, strategy: str) -> None:
    for size in (1, 2, 3, 9):
        arguments = [*COMMON, "--require", "k >= 3", "--max-size", str(size)]
        body = asked("borders", patients, *arguments, "--strategy", strategy)
        safe, unsafe = oracle.borders(DICTS, COLUMNS, [R(M("k"), 3)], max_size=size)
        assert (sets(body["safe"]), sets(body["unsafe"])) == (safe, unsafe)
    listed = asked("subsets", patients, *COMMON, "--max-size", "1", "--measure", "k")["sets"]
    assert {tuple(one["quasi_identifiers"]) for one in listed} == {(name,) for name in COLUMNS}


def test_which_columns(patients: Path) -> None:
    """Every column without another role, or those of --among."""
    for more, columns in (
        (["--identifier", "id"], NAMES[1:]),
        (["--identifier", "id,note"], [*COLUMNS, "diagnosis"]),
        (["--entity", "id"], NAMES[1:]),
        (["--exclude", "id", "--exclude", "note,zip"], ["age", "sex", "a,b", "diagnosis"]),
        (["--sensitive", "diagnosis"], NAMES[:-1]),
        (["--among", "sex,age", "--identifier", "id"], ["age", "sex"]),
    ):
        body = asked("borders", patients, "--require", "k >= 2", "--max-size", "1", *more)
        assert body["columns"] == list(columns), more
    measured = asked("borders", patients, "--require", "distinct_l(diagnosis) >= 2")
    assert "diagnosis" not in measured["columns"], "what a measure speaks of is sensitive"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["borders"], "--require"),
        (["borders", "--require", "k <= 3"], ">="),
        (["borders", "--require", "k >= 2", "--among", "agee"], "did you mean age"),
        (["borders", "--require", "k >= 2", "--among", "age", "--exclude", "age"], "one role"),
        (["borders", "--require", "k >= 2", "--among", "id", "--identifier", "id"], "one role"),
        (
            [
                "borders",
                "--require",
                "k >= 2",
                "--exclude",
                ",".join(('"a,b"', *NAMES[:4], *NAMES[5:])),
            ],
            "no column",
        ),
        (["borders", "--require", "k >= 2", "--max-size", "0"], "--max-size"),
        (["borders", "--require", "k >= 2", "--max-sets", "0"], "--max-sets"),
        (["borders", "--require", "k >= 2", "--max-seconds", "0"], "--max-seconds"),
        (["borders", "--require", "k >= 2", "--max-seconds", "nan"], "--max-seconds"),
        (["borders", "--require", "k >= 2", "--strategy", "best"], "--strategy"),
        (["subsets", "--measure", "kk"], "kk"),
        (["subsets", "--suppress", "2"], "--suppress"),
    ],
    ids=str,
)
def test_bad_input(patients: Path, arguments: list[str], words: str) -> None:
    ran = sqldiag(arguments[0], patients, *arguments[1:])
    assert words in refused(ran, 2)


def test_nothing_to_search(tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("a,b\n")
    for command in ("borders", "subsets"):
        arguments = [command, empty, "--require", "k >= 2"]
        assert "no rows" in refused(sqldiag(*arguments), 2)


@pytest.mark.parametrize("verb", ["borders", "subsets"])
def test_explain_names_the_strategy_and_reads_nothing(db: Database, verb: str) -> None:
    """The view fails as soon as anybody reads it."""
    db.load("t", ["a", "b"], [(1, "1"), (2, "x")])
    db.execute("CREATE VIEW broken AS SELECT a, CAST(b AS INT) AS b FROM t")
    arguments = [verb, db.url, "broken", "--require", "k >= 2"]
    assert sqldiag(*arguments).code == 3
    ran = sqldiag(*arguments, "--explain")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"-- strategy: {'guided' if verb == 'borders' else 'all'}\n")
    assert "broken" in ran.out
    made = "CREATE TABLE sqldiag_rollups." if db.engine == "duckdb" else "CREATE TEMPORARY TABLE"
    assert ran.out.count(made) >= 3
    assert "SUM(" in ran.out.split("-- diagnosis")[-1]
    if verb == "borders":
        forced = sqldiag(*arguments, "--explain", "--strategy", "apriori")
        assert forced.out.startswith("-- strategy: apriori\n")
    seen = Sent()
    with connect(db.url, listener=seen) as database:
        table = database.table("broken")
        table.explain_borders(require=["k >= 2"])
        table.explain_subsets(curve=True)
    assert {done.statement.kind for done in seen.executed} <= {Kind.SETUP, Kind.CATALOGUE}


def test_quiet_and_piped(patients: Path) -> None:
    """No bar where nobody looks: stderr is empty, stdout the answer."""
    for more in ([], ["--quiet"]):
        ran = process("subsets", patients, *COMMON, "--measure", "k", *more)
        assert (ran.code, ran.err) == (0, "")
        assert "\x1b" not in ran.out
    told = process("borders", patients, *COMMON, "--require", "k >= 3", "--verbose")
    assert "CREATE TABLE sqldiag_rollups." in told.err
    assert "Safe to release together" in told.out


def test_output(patients: Path, tmp_path: Path) -> None:
    file = tmp_path / "borders.json"
    arguments = ["--require", "k >= 3", "--format", "json"]
    ran = sqldiag("borders", patients, *COMMON, *arguments, "--output", file)
    assert (ran.code, ran.out) == (0, "")
    assert json.loads(file.read_text())["command"] == "borders"


def test_a_database_named_like_our_own(tmp_path: Path) -> None:
    named = tmp_path / "sqldiag_rollups.duckdb"
    with duckdb.connect(str(named)) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS a")
    assert sqldiag("check", named, "t", "--qi", "a", "--require", "k >= 1").code == 0
    assert sqldiag("borders", named, "t", "--require", "k >= 1").code == 0
