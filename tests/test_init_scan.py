"""`sqldiag init --scan`: roles from what a scan found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sqldiag.policy import read_policy
from sqldiag.policy.model import TablePolicy
from tests.command import refused, sqldiag
from tests.databases import Database
from tests.policies import COLUMNS, patients, run_json

# Names that say little: only a look at the values tells that the first is an address.
VISITS = [(f"p{i // 2}@example.org", 1950 + i % 7, i, "x") for i in range(40)]
NAMES = ("c1", "born_in", "c3", "c4")


def scanned(db: Database, file: Path, *arguments: str) -> dict[str, str]:
    """Write a scan, and give the roles in it."""
    ran = sqldiag("scan", db.url, *arguments, "--format", "json", "--output", file)
    assert ran.code == 0, ran
    body = json.loads(file.read_text())
    (one,) = [t for t in body.get("tables", [body]) if t["source"]["relation"].endswith("visits")]
    return {column["name"]: column["role"] for column in one["columns"]}


def first(db: Database, folder: Path, scan: Path) -> tuple[dict[str | None, TablePolicy], str]:
    file = folder / "first.toml"
    ran = sqldiag("init", db.url, "--scan", scan, "--output", file, "--force")
    assert ran.code == 0, ran
    return {table.table: table for table in read_policy(file).tables}, file.read_text()


@pytest.mark.parametrize("whole", [True, False])
def test_roles_come_from_the_scan(db: Database, tmp_path: Path, *, whole: bool) -> None:
    db.load("visits", NAMES, VISITS)
    db.load("patients", COLUMNS, patients())
    schema = "main" if db.engine == "duckdb" else "public"
    # A name that is written in another way is the same table.
    roles = scanned(db, tmp_path / "s.json", *([] if whole else [f"{schema}.visits"]))
    assert roles["c1"] == "identifier"
    tables, text = first(db, tmp_path, tmp_path / "s.json")
    visits = tables["visits"]
    known = tuple(name for name in NAMES if roles[name] == "quasi-identifier")
    assert visits.quasi_identifiers == known
    assert "born_in" in known
    assert "c1" in (*(visits.identifiers or ()), visits.entity)
    assert "# Roles, as the scan suggests: check them." in text
    assert ("# Roles, guessed from their names: check them." in text) is not whole
    assert tables["patients"].quasi_identifiers is not None
    code, ran = run_json(tmp_path / "first.toml")
    assert code == 0
    assert {result["status"] for result in ran["results"]} <= {"holds", "warns"}


def test_what_the_database_declares_wins(db: Database, tmp_path: Path) -> None:
    db.load("visits", NAMES, VISITS)
    scanned(db, tmp_path / "s.json", "visits")
    db.execute("COMMENT ON COLUMN visits.born_in IS 'sqldiag: sensitive'")
    db.execute("COMMENT ON COLUMN visits.c4 IS 'sqldiag: quasi-identifier'")
    tables, text = first(db, tmp_path, tmp_path / "s.json")
    assert tables["visits"].sensitive == ("born_in",)
    assert "c4" in (tables["visits"].quasi_identifiers or ())
    assert "born_in" not in (tables["visits"].quasi_identifiers or ())
    assert "c1" in (*(tables["visits"].identifiers or ()), tables["visits"].entity)
    assert "# Roles, as the database declares, and else as the scan suggests" in text


def test_a_table_without_quasi_identifiers_is_left_out(db: Database, tmp_path: Path) -> None:
    db.load("visits", ["note"], [("x",), ("x",)])
    body = {"name": "note", "role": "none", "repeats_per_person": False}
    scan = {"schema": 1, "command": "scan", "source": {"relation": "visits"}, "columns": [body]}
    (tmp_path / "s.json").write_text(json.dumps(scan))
    printed = sqldiag("init", db.url, "--scan", tmp_path / "s.json", "--output", "-").out
    assert "# visits is left out: no column of it is a quasi-identifier.\n" in printed


def test_a_data_file(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    file.write_text(
        "c1,birthdate\n" + "".join(f"p{i}@example.org,1980-0{1 + i % 3}-01\n" for i in range(30))
    )
    scan = tmp_path / "s.json"
    assert sqldiag("scan", file, "--format", "json", "--output", scan).code == 0
    printed = sqldiag("init", file, "--scan", scan, "--output", "-").out
    assert "as the scan suggests" in printed
    assert 'identifiers = ["c1"]' in printed


BAD = {
    "": "is not what `sqldiag scan --format json` prints",
    "{": "is not what `sqldiag scan --format json` prints",
    "[1]": "is not what `sqldiag scan --format json` prints",
    '{"schema": 1, "command": "check"}': "is not what `sqldiag scan --format json` prints",
    '{"schema": 2, "command": "scan"}': "written by another version",
    '{"schema": 1, "command": "scan"}': "is not as sqldiag wrote it",
    '{"schema": 1, "command": "scan", "tables": 3}': "is not as sqldiag wrote it",
    '{"schema": 1, "command": "scan", "tables": []}': "tells of no table",
    '{"schema": 1, "command": "scan", "source": {"relation": "t"}, "columns":'
    ' [{"name": "a", "role": "king", "repeats_per_person": false}]}': "is not as sqldiag wrote it",
    '{"schema": 1, "command": "scan", "source": {"relation": "elsewhere"}, "columns": []}': (
        "the scan is of elsewhere, and there is no such table in this source"
    ),
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_file(db: Database, tmp_path: Path, text: str) -> None:
    db.load("t", ["a"], [(1,)])
    file = tmp_path / "s.json"
    file.write_text(text)
    ran = sqldiag("init", db.url, "--scan", file, "--output", tmp_path / "p.toml")
    assert BAD[text] in refused(ran, 2)
    assert not (tmp_path / "p.toml").exists()


def test_files_that_cannot_be_read(db: Database, tmp_path: Path) -> None:
    db.load("t", ["a"], [(1,)])
    for file in (tmp_path / "missing.json", tmp_path):
        assert "cannot be read: " in refused(sqldiag("init", db.url, "--scan", file), 2)
    (tmp_path / "b").write_bytes(b"\xff\xfe\x00")
    assert "this is not what" in refused(sqldiag("init", db.url, "--scan", tmp_path / "b"), 2)
