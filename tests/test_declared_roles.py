"""Roles that the database declares: in comments of columns, and in an anonymizer's labels."""

from __future__ import annotations

from pathlib import Path

import pytest

import sqldiag
from sqldiag.errors import BadInput
from sqldiag.policy import TablePolicy
from sqldiag.running.asked import check_options
from tests.databases import Database, PostgresDatabase
from tests.policies import COLUMNS, patients, run_json, write


def declared(db: Database, table: str) -> dict[str, str]:
    with sqldiag.connect(db.url) as database:
        return database.table(table).declared_roles()


def test_comments_of_columns(db: Database) -> None:
    db.load("my tab'le", ["a", "b", "c", "d", 'e"', "f", "g"], [(1,) * 7], schema="s.x")
    table = '"s.x"."my tab\'le"'
    for column, comment in {
        "a": "sqldiag: quasi-identifier",
        "b": "the zip code (sqldiag:Quasi_Identifier)",
        "c": "What it is.\nsqldiag: sensitive\nmore",
        "d": "sqldiag: entity",
        '"e"""': "sqldiag: identifier",
        "f": "sqldiag: none",
        "g": "nothing about sqldiag: whatever",
    }.items():
        db.execute(f"COMMENT ON COLUMN {table}.{column} IS '{comment}'")
    assert declared(db, "my tab'le") == {
        "a": "quasi-identifier",
        "b": "quasi-identifier",
        "c": "sensitive",
        "d": "entity",
        'e"': "identifier",
        "f": "none",
    }


def test_a_view_declares_for_itself(postgres_db: PostgresDatabase) -> None:
    db = postgres_db
    db.load("t", ["a"], [(1,)])
    db.execute("CREATE VIEW v AS SELECT a FROM t")
    db.execute("COMMENT ON COLUMN v.a IS 'sqldiag: sensitive'")
    assert declared(db, "v") == {"a": "sensitive"}
    assert declared(db, "t") == {}


def test_labels_of_an_anonymizer(postgres_db: PostgresDatabase) -> None:
    """As they stand in the catalogue: only its module may write them with SECURITY LABEL."""
    db = postgres_db
    db.load("t", ["a", "b", "c", "d", "e"], [(1,) * 5])
    db.execute("SET allow_system_table_mods = on")
    labels = {
        "a": ("anon", "INDIRECT IDENTIFIER"),
        "b": ("k_anonymity", "quasi identifier"),
        "c": ("anon", "MASKED WITH FUNCTION anon.fake_city()"),
        "d": ("anon", "DIRECT IDENTIFIER"),
        "e": ("selinux", "INDIRECT IDENTIFIER"),
    }
    for column, (provider, label) in labels.items():
        db.execute(
            "INSERT INTO pg_seclabel SELECT attrelid, 'pg_class'::regclass, attnum, "
            f"'{provider}', '{label}' FROM pg_attribute "
            f"WHERE attrelid = 't'::regclass AND attname = '{column}'"
        )
    found = {"a": "quasi-identifier", "b": "quasi-identifier", "d": "identifier"}
    assert declared(db, "t") == found
    db.execute("COMMENT ON COLUMN t.a IS 'sqldiag: sensitive'")
    assert declared(db, "t") == found | {"a": "sensitive"}


DECLARED = {
    "age": "quasi-identifier",
    "sex": "quasi-identifier",
    "zip": "sensitive",
    "ward": "none",
    "id": "entity",
}


def policy(**given: object) -> TablePolicy:
    return TablePolicy(name="t", connection="c", table="t", **given)  # type: ignore[arg-type]


def test_the_policy_wins() -> None:
    silent = check_options(policy(), DECLARED)
    assert (silent["qi"], silent["sensitive"]) == (("age", "sex"), ("zip",))
    assert silent["entity"] == "id"
    own = check_options(policy(quasi_identifiers=("zip",), sensitive=()), DECLARED)
    assert (own["qi"], own["sensitive"], own["entity"]) == (("zip",), (), "id")
    moved = check_options(policy(sensitive=("age",)), DECLARED)
    assert (moved["qi"], moved["sensitive"]) == (("sex",), ("age",))


def test_somebody_must_be_known_by_something() -> None:
    with pytest.raises(BadInput, match="t has no quasi-identifiers; name them in the policy"):
        check_options(policy(), {"ward": "none"})
    with pytest.raises(BadInput, match="declares several entities: a, b"):
        check_options(policy(quasi_identifiers=("x",)), {"a": "entity", "b": "entity"})


def test_a_run_with_roles_from_the_database(db: Database, tmp_path: Path) -> None:
    db.load("patients", COLUMNS, patients())
    for column in ("age", "sex"):
        db.execute(f"COMMENT ON COLUMN patients.{column} IS 'sqldiag: quasi-identifier'")
    db.execute("COMMENT ON COLUMN patients.patient_id IS 'sqldiag: entity'")
    table = {"table": "patients", "require": ["k >= 5"]}
    code, ran = run_json(write(tmp_path / "p.toml", {"c": db.url}, table))
    check = ran["results"][0]["check"]
    assert code == 0
    assert (check["quasi_identifiers"], check["entity"]) == (["age", "sex"], "patient_id")
    assert check["source"]["entities"] == 28
    # What a requirement measures is sensitive, whatever the database says.
    db.execute("COMMENT ON COLUMN patients.diagnosis IS 'sqldiag: quasi-identifier'")
    table = {"table": "patients", "require": ["distinct_l(diagnosis) >= 2"]}
    code, ran = run_json(write(tmp_path / "p.toml", {"c": db.url}, table))
    check = ran["results"][0]["check"]
    assert (code, check["quasi_identifiers"]) == (0, ["age", "sex"])
    assert check["sensitive"] == ["diagnosis"]
