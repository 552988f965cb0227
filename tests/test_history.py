"""The history: append-only, safe with several runs at once, and without a value of any row."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from sqldiag.engines import open_store
from sqldiag.engines.store import Store
from sqldiag.errors import CannotRun
from sqldiag.history import History
from sqldiag.history.schema import STEPS, migrate, version
from sqldiag.report.history import sparkline
from tests.command import refused, sqldiag
from tests.databases import Database, DuckDBDatabase
from tests.policies import COLUMNS, entry, patients, records, run_json, write


@pytest.fixture
def data(tmp_path: Path) -> DuckDBDatabase:
    database = DuckDBDatabase(tmp_path / "data.duckdb")
    database.load("patients", COLUMNS, patients())
    return database


def shift(url: str, days: int) -> None:
    """Make everything so far some days older."""
    with open_store(url).writing() as writer:
        writer.execute(f"UPDATE sqldiag.results SET taken_at = taken_at - INTERVAL '{days} days'")


def test_runs_are_kept_with_what_they_measured(db: Database, kept: str, tmp_path: Path) -> None:
    db.load("patients", COLUMNS, patients())
    tables = [entry(suppress="1%"), entry("gone")]
    policy = write(tmp_path / "p.toml", {"c": db.url}, *tables, history={"url": kept})
    assert sqldiag("history", "--policy", policy).out == "The history is empty.\n"
    _, ran = run_json(policy)
    done, failed = sorted(records(kept), key=lambda record: record.name, reverse=True)
    check = ran["results"][0]["check"]
    assert (done.run, done.policy_hash, done.tool_version) == (
        ran["run"],
        ran["policy_hash"],
        "0.1.0",
    )
    assert (done.origin, done.status, done.engine) == ("run", "holds", db.engine)
    assert (done.row_count, done.class_count, done.null_rows) == (28, 3, 0)
    assert json.loads(done.quasi_identifiers or "") == ["age", "sex", "zip"]
    assert (done.base_scans, done.statements) == (1, check["cost"]["statements"])
    assert [(v.requirement, v.value, v.value_suppressed, v.holds) for v in done.verdicts] == [
        (r["requirement"], r["value"], r["value_suppressed"], r["holds"])
        for r in check["requirements"]
    ]
    assert (failed.status, failed.verdicts, failed.row_count) == ("error", (), None)
    assert failed.error == ran["results"][1]["error"]
    assert abs(datetime.now(UTC).replace(tzinfo=None) - done.taken_at) < timedelta(minutes=5)


def test_the_trend_in_every_format(data: DuckDBDatabase, kept: str, tmp_path: Path) -> None:
    policy = write(tmp_path / "p.toml", {"c": data.url}, entry(), history={"url": kept})
    for group in (8, 7, 6, 4):
        data.load("patients", COLUMNS, patients(group))
        sqldiag("run", policy)
    text = sqldiag("history", "--policy", policy).out
    assert "k                      █▆▅▁       4     8    4" in text
    assert text.count("✓ holds") == 3
    assert text.count("✗ fails") == 1
    found = json.loads(sqldiag("history", "patients", "--policy", policy, "--format", "json").out)
    assert [r["verdicts"][0]["value"] for r in found["records"]] == [8, 7, 6, 4]
    last = sqldiag("history", "--policy", policy, "--format", "csv", "--last", "1").out
    lines = list(csv.DictReader(io.StringIO(last)))
    assert [(line["measure"], line["value"]) for line in lines] == [
        ("k", "4.0"),
        ("distinct_l(diagnosis)", "2.0"),
    ]
    sentence = refused(sqldiag("history", "patient", "--policy", policy), 2)
    assert sentence == "the history says nothing of patient; did you mean patients?"


def test_drift_is_told_and_may_be_forbidden(
    data: DuckDBDatabase, kept: str, tmp_path: Path
) -> None:
    table = entry(require=["k >= 2", "alpha(diagnosis) <= 0.9"], max_drop="20%")
    policy = write(tmp_path / "p.toml", {"c": data.url}, table, history={"url": kept})
    assert run_json(policy)[1]["results"][0]["drift"] == []
    shift(kept, 2)
    data.load("patients", COLUMNS, patients(7))
    code, ran = run_json(policy)
    result = ran["results"][0]
    measured = {d["measure"]: (d["before"], d["now"], d["worse"]) for d in result["drift"]}
    assert measured["k"] == (8, 7, True)
    assert (code, result["status"]) == (0, "holds")
    shift(kept, 2)
    data.load("patients", COLUMNS, patients(4))
    ran_text = sqldiag("run", policy)
    assert ran_text.code == 1
    assert "patients: k fell from 7 to 4 since 2 days, more than max_drop allows" in ran_text.out
    assert records(kept)[-1].status == "fails"
    assert records(kept)[-1].holds is True
    # What it is compared with is the last time, so that it holds again.
    assert sqldiag("run", policy).code == 0
    # Another question has another history.
    other = write(policy, {"c": data.url}, {**table, "where": "age < 40"}, history={"url": kept})
    assert run_json(other)[1]["results"][0]["drift"] == []


def test_a_fifth_is_not_more_than_a_fifth(data: DuckDBDatabase, tmp_path: Path) -> None:
    kept = f"duckdb:///{tmp_path / 'h.duckdb'}"
    table = entry(require=["k >= 2"], max_drop="20%")
    policy = write(tmp_path / "p.toml", {"c": data.url}, table, history={"url": kept})
    for group, code in ((10, 0), (8, 0), (6, 1), (12, 0)):
        data.load("patients", COLUMNS, patients(group))
        assert sqldiag("run", policy).code == code


def test_a_history_goes_from_version_to_version(kept: str) -> None:
    store = open_store(kept)
    now = "TIMESTAMP '2026-11-18 03:00:00'"
    with store.writing() as writer:
        migrate(writer, "sqldiag", now=now)
        writer.execute(
            "INSERT INTO sqldiag.results (run, name, taken_at, origin, policy, policy_hash,"
            " tool_version, connection, relation, question, severity, status) VALUES ('r', 'n', "
            f"{now}, 'run', 'p', 'h', '0', 'c', 't', 'q', 'fail', 'error')"
        )
    steps = (*STEPS, ("ALTER TABLE {schema}.results ADD COLUMN colour TEXT",))
    for _ in range(2):
        with store.writing() as writer:
            migrate(writer, "sqldiag", now=now, steps=steps)
            assert version(writer, "sqldiag") == 2
            assert writer.execute("SELECT run, colour FROM sqldiag.results") == [("r", None)]
    with pytest.raises(CannotRun, match="of version 2, made by a newer sqldiag"):
        History(store, "sqldiag").records()
    with pytest.raises(CannotRun, match="upgrade it"):
        History(store, "sqldiag").prepare()


def test_a_history_that_cannot_be_written_is_said_and_the_checks_still_run(
    data: DuckDBDatabase, tmp_path: Path
) -> None:
    unwritable = f"postgresql://nobody@/none?host={tmp_path}"
    policy = write(tmp_path / "p.toml", {"c": data.url}, entry(), history={"url": unwritable})
    code, ran = run_json(policy)
    assert (code, ran["results"][0]["status"]) == (3, "holds")
    assert ran["problems"][0].startswith("the history is not kept: cannot connect")
    same = write(policy, {"c": data.url}, entry(), history={"url": data.url})
    assert "give it one of its own" in run_json(same)[1]["problems"][0]


CANARY = "canary-7f3a"


def text_of(store: Store, url: str) -> str:
    """Everything that the history holds, as text."""
    with store.reading() as reader:
        rows = reader.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'sqldiag'"
        )
        tables = [str(row[0]) for row in rows]
        assert len(tables) == 3
        return "".join(str(reader.execute(f"SELECT * FROM sqldiag.{name}")) for name in tables)


def test_no_value_of_a_row_is_kept(db: Database, kept: str, tmp_path: Path) -> None:
    rows = [(CANARY, f"{CANARY}{i % 3}", 1, f"{CANARY}x") for i in range(9)]
    db.load("t", ["a", "b", "n", "s"], rows)
    tables = [
        {"table": "t", "quasi_identifiers": ["a", "b"], "require": ["k >= 5", "alpha(s) <= 0.5"]},
        # A failure whose own message quotes the value.
        {
            "table": "t",
            "name": "fails",
            "quasi_identifiers": ["n"],
            "require": ["k >= 1"],
            "where": "CAST(a AS INTEGER) > 1",
        },
    ]
    policy = write(tmp_path / "p.toml", {"c": db.url}, *tables, history={"url": kept})
    ran = sqldiag("run", policy, "--format", "json", "--log-format", "json")
    assert ran.code == 3
    assert CANARY not in ran.out + ran.err
    found = text_of(open_store(kept), kept)
    assert "alpha(s)" in found
    assert CANARY not in found


def test_sparklines() -> None:
    assert sparkline([1, 2, 3, None, 8]) == "▁▂▃ █"
    assert sparkline([5, 5]) == "▄▄"
    assert sparkline([0, 1, float("inf")]) == "▁██"
    assert sparkline([]) == ""


def test_the_history_file_is_plain_duckdb(data: DuckDBDatabase, tmp_path: Path) -> None:
    """Anybody may look into it."""
    file = tmp_path / "h.duckdb"
    kept = {"url": f"duckdb:///{file}", "schema": "audit"}
    sqldiag("run", write(tmp_path / "p.toml", {"c": data.url}, entry(), history=kept))
    with duckdb.connect(file, read_only=True) as connection:
        found = connection.execute("SELECT relation, status FROM audit.results").fetchall()
    assert found == [("patients", "holds")]
