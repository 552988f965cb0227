"""`sqldiag run`: all tables, one summary, the worst exit code."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.command import refused, sqldiag, started
from tests.databases import Database, DuckDBDatabase, PostgresDatabase
from tests.policies import COLUMNS, entry, patients, run_json, write


@pytest.fixture
def policy(db: Database, tmp_path: Path) -> Path:
    """One table that holds, one that fails, one that would but warns."""
    db.load("good", COLUMNS, patients())
    db.load("bad", COLUMNS, patients(group=3))
    return write(
        tmp_path / "clinic.toml",
        {"c": db.url},
        entry("good"),
        entry("bad", owner="ann@example.org", description="Admissions"),
        entry("bad", name="warned", severity="warn"),
    )


def test_one_entry_per_table_with_its_check_object(db: Database, policy: Path) -> None:
    code, ran = run_json(policy)
    assert code == ran["exit_code"] == 1
    assert [r["status"] for r in ran["results"]] == ["holds", "fails", "warns"]
    assert [r["exit_code"] for r in ran["results"]] == [0, 1, 0]
    assert (ran["schema"], ran["command"], ran["holds"]) == (1, "run", False)
    for result in ran["results"]:
        table = result["table"]
        require = [word for text in entry()["require"] for word in ("--require", text)]  # type: ignore[attr-defined]
        alone = sqldiag("check", db.url, table, "--qi", "age,sex,zip", *require, "--format", "json")
        expected = json.loads(alone.out)
        for timed in (expected, result["check"]):
            # Roles that the database may declare take a look into its catalogue.
            del timed["cost"]["seconds"], timed["cost"]["statements"]
        assert result["check"] == expected
        assert "error" not in result


def test_text_for_people(policy: Path) -> None:
    ran = sqldiag("run", policy)
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert lines[0] == "policy clinic: 3 tables"
    assert lines[3].split()[:3] == ["good", "✓", "holds"]
    assert "bad: k >= 5 does not hold: k is 3, and 6 rows (33.3%) would have to go" in ran.out
    assert "bad: Admissions; owner: ann@example.org" in ran.out
    assert lines[-1] == "1 holds, 1 fails, 1 warns: exit code 1"
    assert ran.err == ""


def test_only_some_tables(policy: Path) -> None:
    assert [r["name"] for r in run_json(policy, "--only", "good")[1]["results"]] == ["good"]
    code, ran = run_json(policy, "--only", "warned")
    assert (code, ran["results"][0]["name"]) == (0, "warned")
    assert len(run_json(policy, "--only", "bad")[1]["results"]) == 2
    sentence = refused(sqldiag("run", policy, "--only", "goot"), 2)
    assert sentence == "clinic.toml says nothing of goot; did you mean good?"


def test_junit_that_ci_systems_read(policy: Path) -> None:
    ran = sqldiag("run", policy, "--format", "junit")
    root = ElementTree.fromstring(ran.out)
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("6", "1", "0")
    cases = [(c.get("classname"), c.get("name"), [e.tag for e in c]) for c in root.iter("testcase")]
    assert cases == [
        ("good", "k >= 5", []),
        ("good", "distinct_l(diagnosis) >= 2", []),
        ("bad", "k >= 5", ["failure"]),
        ("bad", "distinct_l(diagnosis) >= 2", []),
        ("warned", "k >= 5", ["system-out"]),
        ("warned", "distinct_l(diagnosis) >= 2", []),
    ]


def test_markdown_and_sarif(policy: Path) -> None:
    markdown = sqldiag("run", policy, "--format", "markdown").out
    assert "| good | ✓ holds |" in markdown
    assert "**1 holds, 1 fails, 1 warns: exit code 1**" in markdown
    (run,) = json.loads(sqldiag("run", policy, "--format", "sarif").out)["runs"]
    assert [r["level"] for r in run["results"]] == ["error", "warning"]
    assert run["invocations"][0]["executionSuccessful"] is True


def test_the_summary_goes_to_a_file(policy: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    ran = sqldiag("run", policy, "--format", "json", "--output", file, "--quiet")
    assert (ran.code, ran.out, ran.err) == (1, "", "")
    assert json.loads(file.read_text())["exit_code"] == 1


def test_log_lines_are_json(policy: Path) -> None:
    ran = sqldiag("run", policy, "--log-format", "json")
    events = [json.loads(line) for line in ran.err.splitlines()]
    assert [e["event"] for e in events] == ["start", "table", "table", "table", "end"]
    assert [e["level"] for e in events] == ["info", "info", "error", "warning", "info"]
    assert events[-1]["exit_code"] == 1


def test_a_search_beside_the_check(db: Database, policy: Path, tmp_path: Path) -> None:
    searching = write(
        tmp_path / "b.toml",
        {"c": db.url},
        entry("bad", severity="warn", identifiers=["patient_id"], borders={"max_size": 2}),
        entry("bad", name="cut", require=["k >= 2"], borders={"max_sets": 1}),
    )
    _, ran = run_json(searching)
    found = ran["results"][0]["borders"]
    assert (found["command"], found["max_size"], found["complete"]) == ("borders", 2, True)
    assert found["columns"] == ["age", "sex", "zip"]
    assert (found["safe"], found["unsafe"]) == ([["sex", "zip"]], [["age"]])
    assert ran["results"][1]["borders"]["complete"] is False
    text = sqldiag("run", searching).out
    assert "bad: safe together: sex, zip" in text
    assert "stopped by its budget" in text


def test_twenty_tables_in_two_databases_with_all_that_can_go_wrong(
    duckdb_db: DuckDBDatabase, postgres_db: PostgresDatabase, tmp_path: Path
) -> None:
    """One table missing, one connection down: all of it is told, and the worst code wins."""
    connections = {
        "lake": duckdb_db.url,
        "prod": postgres_db.url,
        "down": f"postgresql://nobody@/none?host={tmp_path}",
    }
    tables, expected = [], []
    for i in range(9):
        for name, db in (("lake", duckdb_db), ("prod", postgres_db)):
            db.load(f"t{i}", COLUMNS, patients(group=3 if i == 4 else 8))
            tables.append(entry(f"t{i}", connection=name))
            expected.append("fails" if i == 4 else "holds")
    tables += [entry("gone", connection="prod"), entry("t1", connection="down")]
    expected += ["error", "error"]
    assert len(tables) == 20
    policy = write(tmp_path / "p.toml", connections, *tables)
    for parallel in ("1", "4"):
        code, ran = run_json(policy, "--parallel", parallel)
        assert code == ran["exit_code"] == 3
        assert [r["status"] for r in ran["results"]] == expected
        assert [r["table"] for r in ran["results"]] == [t["table"] for t in tables]
        missing, down = ran["results"][-2:]
        assert missing["error"].startswith("there is no table or view gone")
        assert down["error"].startswith("cannot connect to Postgres at ")
        assert (missing["exit_code"], down["exit_code"], down["check"]) == (2, 3, None)
    junit = ElementTree.fromstring(sqldiag("run", policy, "--format", "junit").out)
    assert (junit.get("errors"), junit.get("failures")) == ("2", "2")
    assert run_json(policy, "--only", "gone", "--only", "lake:t0")[0] == 2
    assert run_json(policy, "--only", "lake:t4", "--only", "gone")[0] == 2
    assert run_json(policy, "--only", "t4")[0] == 1


def test_a_variable_that_is_not_set_stops_only_its_tables(db: Database, tmp_path: Path) -> None:
    db.load("good", COLUMNS, patients())
    connections = {"c": db.url, "x": "env:SQLDIAG_TEST_NOT_SET"}
    tables = [entry("good", connection="x"), entry("good", connection="c")]
    code, ran = run_json(write(tmp_path / "p.toml", connections, *tables))
    assert code == 2
    assert [r["status"] for r in ran["results"]] == ["error", "holds"]
    assert "SQLDIAG_TEST_NOT_SET is not set" in ran["results"][0]["error"]


def test_a_command_is_told_of_a_failure(db: Database, policy: Path, tmp_path: Path) -> None:
    db.load("good", COLUMNS, patients())
    told = tmp_path / "told.json"
    failing = write(tmp_path / "f.toml", {"c": db.url}, entry("bad"), on_failure="cat > told.json")
    ran = sqldiag("run", failing)
    assert (ran.code, ran.err) == (1, "")
    assert json.loads(told.read_text())["results"][0]["status"] == "fails"
    told.unlink()
    assert (
        sqldiag("run", write(failing, {"c": db.url}, entry("good"), on_failure="exit 1")).code == 0
    )
    assert not told.exists()
    ran = sqldiag("run", write(failing, {"c": db.url}, entry("bad"), on_failure="exit 7"))
    assert (ran.code, ran.err) == (1, "sqldiag: on_failure ended with exit code 7\n")


def test_a_password_in_the_file_is_warned_of(tmp_path: Path) -> None:
    url = f"postgresql://me:hunter2@/x?host={tmp_path}"
    ran = sqldiag("run", write(tmp_path / "p.toml", {"c": url}, entry("t")))
    assert ran.code == 3
    assert "connections.c holds a password" in ran.err
    assert "hunter2" not in ran.err + ran.out


SLOW = "pg_sleep(60) IS NULL"


def test_two_runs_of_one_policy_do_not_pile_up(
    postgres_db: PostgresDatabase, tmp_path: Path
) -> None:
    db = postgres_db
    db.load("good", COLUMNS, patients())
    policy = write(tmp_path / "p.toml", {"c": db.url}, entry("good", where=SLOW))
    with started("run", policy) as first:
        _until_sleeping(db)
        sentence = refused(sqldiag("run", policy, "--wait", "0.2"), 3)
        assert sentence.startswith("another run of p.toml is under way")
        first.send_signal(signal.SIGTERM)
        _, err = first.communicate(timeout=30)
    assert (first.returncode, err) == (3, "sqldiag: cancelled\n")


def test_ctrl_c_reaches_all_statements_of_parallel_runs(
    postgres_db: PostgresDatabase, tmp_path: Path
) -> None:
    db = postgres_db
    db.load("good", COLUMNS, patients())
    slow = [entry("good", name=f"n{i}", where=SLOW) for i in range(3)]
    policy = write(tmp_path / "p.toml", {"c": db.url}, *slow)
    with started("run", policy, "--parallel", "2") as run:
        _until_sleeping(db, number=2)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=30)
    assert (run.returncode, err) == (3, "sqldiag: cancelled\n")
    assert _sleeping(db) == 0


def _until_sleeping(db: PostgresDatabase, number: int = 1) -> None:
    deadline = time.monotonic() + 30
    while _sleeping(db) < number:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _sleeping(db: PostgresDatabase) -> int:
    rows = db.query(
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND query ILIKE '%pg_sleep%' AND state = 'active'"
    )
    return int(str(rows[0][0]))
