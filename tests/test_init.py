"""`sqldiag init`: a first policy that runs as it is."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from sqldiag.policy import read_policy
from tests.command import refused, sqldiag
from tests.databases import Database, PostgresDatabase
from tests.policies import COLUMNS, patients, run_json


def test_a_first_policy_runs_as_it_is(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    db.load("patients", COLUMNS, patients())
    db.load("nothing", ["a"], [])
    db.load('we"ird\ttable', ['a"b', "c\\d", "é"], [(1, 2, "x")], schema="odd")
    db.execute("CREATE VIEW adults AS SELECT * FROM patients WHERE age > 18")
    db.load("declared", ["age", "note"], [(1, "x")])
    db.execute("COMMENT ON COLUMN declared.note IS 'sqldiag: quasi-identifier'")
    ran = sqldiag("init", db.url)
    assert (ran.code, ran.out, ran.err) == (0, "", "written to sqldiag.toml\n")
    text = (tmp_path / "sqldiag.toml").read_text(encoding="utf-8")
    assert "# nothing is left out: it has no rows.\n" in text
    policy = read_policy(tmp_path / "sqldiag.toml")
    assert policy.warnings == ()
    by_table = {table.table: table for table in policy.tables}
    assert set(by_table) == {"patients", "adults", "declared", 'odd.we"ird\ttable'}
    assert by_table["patients"].quasi_identifiers == ("age", "sex", "zip")
    assert by_table["patients"].sensitive == ("diagnosis",)
    assert by_table["patients"].entity == "patient_id"
    assert by_table["declared"].quasi_identifiers == ("note",)
    code, found = run_json()
    assert code == 0
    assert {result["status"] for result in found["results"]} <= {"holds", "warns"}
    assert len(found["results"]) == 4
    assert refused(sqldiag("init", db.url), 2).startswith("sqldiag.toml is there already")
    assert sqldiag("init", db.url, "--force").code == 0
    printed = sqldiag("init", db.url, "--output", "-")
    assert printed.out == text
    tomllib.loads(printed.out)


def test_what_cannot_be_grouped_or_read_is_left_out(
    postgres_db: PostgresDatabase, tmp_path: Path
) -> None:
    db = postgres_db
    db.execute(
        "CREATE TABLE a (place POINT, doc JSON, age INT); INSERT INTO a VALUES ('(1,2)', '{}', 3)"
    )
    db.execute("CREATE TABLE b (place POINT); INSERT INTO b VALUES ('(1,2)')")
    db.execute("CREATE TABLE secret (x INT); INSERT INTO secret VALUES (1)")
    role = f"reader_{db.name}"
    db.execute(f"CREATE ROLE {role} LOGIN; GRANT SELECT ON a, b TO {role}")
    try:
        file = tmp_path / "p.toml"
        url = db.server.url(db.name, user=role)
        assert sqldiag("init", url, "--output", file).code == 0
        text = file.read_text()
        assert "# b is left out: no column of it can be grouped." in text
        assert "# secret is left out: not allowed: permission denied for table secret" in text
        (table,) = read_policy(file).tables
        assert (table.table, table.quasi_identifiers) == ("a", ("age",))
        assert sqldiag("run", file).code == 0
    finally:
        db.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")


def test_a_data_file_and_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p.csv").write_text("age,sex\n1,f\n1,f\n")
    file = tmp_path / "sqldiag.toml"
    assert sqldiag("init", tmp_path / "p.csv", "--output", file).code == 0
    assert 'main = "p.csv"' in file.read_text()
    code, found = run_json(file)
    assert (code, found["results"][0]["name"]) == (0, "main")
    monkeypatch.setenv("SQLDIAG_URL", str(tmp_path / "p.csv"))
    assert 'main = "env:SQLDIAG_URL"' in sqldiag("init", "--output", "-").out
