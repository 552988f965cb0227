"""Jobs, names and rights: hostile names, fixed search paths, roles that may do little."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import refused, sqldiag
from tests.databases import DuckDBDatabase, PostgresDatabase
from tests.policies import COLUMNS, entry, job_policy, patients, records, write


@pytest.fixture
def db(postgres_db: PostgresDatabase) -> PostgresDatabase:
    postgres_db.load("patients", COLUMNS, patients())
    return postgres_db


def test_hostile_names(db: PostgresDatabase, tmp_path: Path) -> None:
    names = ["a'b", 'c"d', "$sqldiag$", "x" * 80, "é; DROP", "a_b", "a b"]
    db.load("pa'ti\"ents$sqldiag$", COLUMNS, patients(), schema="we.ird")
    tables = [entry("pa'ti\"ents$sqldiag$", name=name) for name in names]
    file = job_policy(db, tmp_path, *tables, name="o'neil $sqldiag$", jobs={"schema": 'my "jobs"'})
    installed = sqldiag("job", "install", file)
    assert installed.code == 0, installed
    for name in names:
        ran = sqldiag("job", "run", name, file)
        assert (ran.code, ran.out) == (0, f"{name}: holds\n")
    assert len(sqldiag("job", "remove", file).out.splitlines()) == len(names)


def test_names_in_conditions_mean_what_they_mean_to_run(
    db: PostgresDatabase, tmp_path: Path
) -> None:
    """The search path is fixed to that of the installation, whoever calls from where."""
    db.execute("CREATE SCHEMA extra")
    db.execute("CREATE FUNCTION extra.grown(INT) RETURNS BOOL LANGUAGE sql AS 'SELECT $1 >= 30'")
    file = job_policy(db, tmp_path, entry(where="grown(age)"))
    db.execute(f"ALTER DATABASE {db.name} SET search_path = public, extra")
    assert sqldiag("job", "install", file).code == 0
    db.execute(f"ALTER DATABASE {db.name} RESET search_path")
    assert sqldiag("job", "run", "patients", file).out == "patients: holds\n"
    assert records(db.url)[-1].row_count == 20
    settings = db.query("SELECT prosecdef, proconfig FROM pg_proc WHERE proname = 'run_patients'")
    assert settings[0][0] is False
    assert "search_path=pg_catalog, public, extra, pg_temp" in str(settings[0][1])


def test_a_role_with_few_rights(db: PostgresDatabase, tmp_path: Path) -> None:
    """SELECT on the table and a schema of its own is all it takes."""
    role = f"auditor_{db.name}"
    db.execute(f"CREATE ROLE {role} LOGIN; GRANT SELECT ON patients TO {role}")
    url = db.server.url(db.name, user=role)
    file = write(tmp_path / "p.toml", {"prod": url}, entry(), history={"url": url})
    try:
        sentence = refused(sqldiag("job", "install", file), 3)
        assert sentence.startswith("not allowed: permission denied for database")
        db.execute(f"CREATE SCHEMA sqldiag AUTHORIZATION {role}")
        assert sqldiag("job", "install", file).code == 0
        assert sqldiag("job", "run", "patients", file).out == "patients: holds\n"
        assert sqldiag("run", file).code == 0
        db.execute(f"REVOKE SELECT ON patients FROM {role}")
        assert sqldiag("job", "run", "patients", file).code == 3
        assert records(db.url)[-1].error == "the check failed in the database: error 42501"
    finally:
        db.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")


def test_two_connections_to_one_database_keep_apart(db: PostgresDatabase, tmp_path: Path) -> None:
    connections = {"a": db.url, "b": f"{db.url}&application_name=b"}
    tables = [entry(connection="a"), entry(connection="b")]
    file = write(tmp_path / "p.toml", connections, *tables)
    for what in ("installed", "unchanged"):
        ran = sqldiag("job", "install", file)
        assert ran.out == f"{what}: a:patients\n{what}: b:patients\n"
    assert sqldiag("job", "run", "b:patients", file).out == "b:patients: holds\n"
    assert sqldiag("job", "remove", file, "--job", "a:patients").out == "removed: a:patients\n"
    assert sqldiag("job", "run", "b:patients", file).code == 0


def test_other_engines_and_searches_are_left_to_run(
    db: PostgresDatabase, duckdb_db: DuckDBDatabase, tmp_path: Path
) -> None:
    duckdb_db.load("lake", COLUMNS, patients())
    connections = {"prod": db.url, "lake": duckdb_db.url}
    tables = [
        entry(connection="prod", borders={"max_size": 1}),
        entry("lake", connection="lake"),
    ]
    file = write(tmp_path / "p.toml", connections, *tables)
    ran = sqldiag("job", "install", file)
    assert ran.out == "installed: patients\n"
    assert "lake is left to `sqldiag run`: lake runs no jobs" in ran.err
    assert "the borders search of patients is left to `sqldiag run`" in ran.err
    only = write(tmp_path / "q.toml", {"lake": duckdb_db.url}, entry("lake"))
    sentence = refused(sqldiag("job", "list", only), 2)
    assert sentence.startswith("q.toml names no Postgres database")
