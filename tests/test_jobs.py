"""Jobs in Postgres: the same numbers as `run`, nothing twice, nothing left, nobody's values."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqldiag.history import Record
from tests.command import refused, sqldiag
from tests.databases import PostgresDatabase
from tests.policies import COLUMNS, entry, job_policy, patients, records

EVERY_MEASURE = [
    "k >= 3",
    "distinct_l(diagnosis) >= 2",
    "frequency_l(diagnosis) >= 1.5",
    "entropy_l(diagnosis) >= 1.2",
    "recursive_l(diagnosis, 2) >= 2",
    "alpha(diagnosis, 'flu') <= 0.7",
    "t_closeness(diagnosis) <= 0.3",
    "t_closeness_ordered(diagnosis) <= 0.3",
    "basic_beta(diagnosis) <= 1",
    "enhanced_beta(diagnosis) <= 2",
    "delta_disclosure(diagnosis) <= 1",
]


@pytest.fixture
def db(postgres_db: PostgresDatabase) -> PostgresDatabase:
    postgres_db.load("patients", COLUMNS, patients())
    return postgres_db


def figures(record: Record) -> tuple[object, ...]:
    """What a record says of the data, whoever took it."""
    own = ("run", "taken_at", "origin", "seconds", "statements")
    return tuple(getattr(record, f) for f in record.__slots__ if f not in own)


def ours(db: PostgresDatabase) -> set[str]:
    return {name for name in db.tables() if "sqldiag" in name}


def test_the_same_numbers_as_run(db: PostgresDatabase, tmp_path: Path) -> None:
    db.execute(
        "INSERT INTO patients VALUES (NULL, 'f', '1000', NULL, 1), (20, 'm', NULL, 'flu', 9)"
    )
    tables = [
        entry(name="plain"),
        entry(name="one", require=["k >= 6"], severity="warn"),
        entry(name="every", require=EVERY_MEASURE, suppress="10%", entity="patient_id"),
        entry(name="part", where="age < 40 AND diagnosis <> 'x''$sqldiag$'", suppress="1/3"),
        entry(name="strict", sensitive=["diagnosis", "patient_id"], strict_sensitive=True),
    ]
    query = {"query": "SELECT age / 10 AS decade, sex FROM patients", "name": "asked"}
    tables.append({**query, "quasi_identifiers": ["decade", "sex"], "require": ["k >= 2"]})
    file = job_policy(db, tmp_path, *tables)
    sqldiag("run", file)
    assert sqldiag("job", "install", file).code == 0
    for table in tables:
        assert sqldiag("job", "run", str(table["name"]), file).code in (0, 1)
    found = records(db.url)
    assert len(found) == 12
    for table in tables:
        run, job = (r for r in found if r.name == table["name"])
        assert (run.origin, job.origin) == ("run", "job")
        assert figures(job) == figures(run)


ROW = st.tuples(
    st.sampled_from([1, 2, None]),
    st.sampled_from(["f", "m"]),
    st.just("z"),
    st.sampled_from(["flu", "cold", "hiv", None]),
    st.sampled_from([1, 2, 3, 4, None]),
)


@settings(max_examples=15)
@given(
    rows=st.lists(ROW, min_size=1, max_size=12),
    require=st.lists(st.sampled_from(EVERY_MEASURE), min_size=1, max_size=3, unique=True),
    entity=st.sampled_from(["patient_id", None]),
    suppress=st.sampled_from(["0.1", "1/3", "50%", None]),
)
def test_the_same_numbers_as_run_on_any_table(
    postgres_db: PostgresDatabase,
    tmp_path: Path,
    rows: list[tuple[object, ...]],
    require: list[str],
    entity: str | None,
    suppress: str | None,
) -> None:
    types = {"age": "INT", "sex": "TEXT", "zip": "TEXT", "diagnosis": "TEXT", "patient_id": "INT"}
    postgres_db.load("patients", types, rows)
    more = {key: v for key, v in {"entity": entity, "suppress": suppress}.items() if v is not None}
    file = job_policy(postgres_db, tmp_path, entry(require=require, **more))
    assert sqldiag("run", file).code in (0, 1)
    assert sqldiag("job", "install", file).code == 0
    assert sqldiag("job", "run", "patients", file).code in (0, 1)
    run, job = records(postgres_db.url)[-2:]
    assert (run.origin, job.origin) == ("run", "job")
    assert figures(job) == figures(run)


def test_installing_twice_changes_nothing_and_a_changed_policy_updates(
    db: PostgresDatabase, tmp_path: Path
) -> None:
    def oids() -> list[tuple[object, ...]]:
        return db.query(
            "SELECT oid, proname, xmin FROM pg_proc "
            "WHERE pronamespace = 'sqldiag'::regnamespace ORDER BY 2"
        )

    db.load("other", COLUMNS, patients())
    file = job_policy(db, tmp_path, entry(), entry("other"))
    assert sqldiag("job", "install", file).out == "installed: patients\ninstalled: other\n"
    before = oids()
    assert [name for _, name, _ in before] == [
        "check_other",
        "check_patients",
        "run_other",
        "run_patients",
    ]
    assert sqldiag("job", "install", file).out == "unchanged: patients\nunchanged: other\n"
    assert oids() == before
    file = job_policy(db, tmp_path, entry(require=["k >= 2"]))
    assert sqldiag("job", "install", file).out == "updated: patients\nremoved: other\n"
    assert [name for _, name, _ in oids()] == ["check_patients", "run_patients"]
    assert sqldiag("job", "run", "other", file).code == 2
    # Another policy's jobs are none of this one's business.
    another = tmp_path / "another.toml"
    another.write_text(file.read_text().replace('"patients"', '"other"'))
    assert sqldiag("job", "install", another).out == "installed: other\n"
    listed = json.loads(sqldiag("job", "list", file, "--format", "json").out)["jobs"]
    assert [job["name"] for job in listed] == ["patients"]
    assert sqldiag("job", "remove", file, "--drop-history").code == 2
    assert sqldiag("job", "remove", another).out == "removed: other\n"


def test_one_of_several_is_installed_and_removed_by_name(
    db: PostgresDatabase, tmp_path: Path
) -> None:
    file = job_policy(db, tmp_path, entry(), entry(name="b"), entry(name="c"))
    sqldiag("job", "install", file)
    assert sqldiag("job", "install", file, "--only", "b").out == "unchanged: b\n"
    assert sqldiag("job", "remove", file, "--job", "b").out == "removed: b\n"
    assert "b" not in sqldiag("job", "list", file).out.split()
    sentence = refused(sqldiag("job", "remove", file, "--job", "b"), 2)
    assert sentence == "there is no job b; `sqldiag job list` shows those there are"


def test_removing_leaves_the_history_or_nothing(db: PostgresDatabase, tmp_path: Path) -> None:
    before = db.tables()
    file = job_policy(db, tmp_path)
    sqldiag("job", "install", file)
    sqldiag("job", "run", "patients", file)
    assert sqldiag("job", "remove", file).out == "removed: patients\n"
    left = {name.removeprefix("sqldiag.") for name in db.tables() - before}
    assert {"results", "verdicts", "history_version"} <= left
    assert not any(name.startswith(("run_", "check_")) for name in left)
    assert len(records(db.url)) == 1
    assert sqldiag("job", "remove", file, "--drop-history").out == "removed: the history\n"
    assert db.tables() == before
    assert sqldiag("job", "list", file).out == "No job of this policy is installed.\n"


def test_a_schema_that_holds_more_stays(db: PostgresDatabase, tmp_path: Path) -> None:
    file = job_policy(db, tmp_path, jobs={"schema": "audit"})
    db.execute("CREATE SCHEMA audit; CREATE TABLE audit.mine (x INT)")
    sqldiag("job", "install", file)
    assert "audit.run_patients" in db.tables()
    sqldiag("job", "remove", file, "--drop-history")
    assert {name for name in db.tables() if name.startswith("audit.")} == {"audit.mine"}


def test_the_printed_script_does_it_all(db: PostgresDatabase, tmp_path: Path) -> None:
    file = job_policy(db, tmp_path)
    before = db.tables()
    script = sqldiag("job", "install", file, "--print", "--schedule", "*/5 * * * *").out
    assert db.tables() == before
    assert script.startswith('-- connection "prod"\nBEGIN;\n')
    for _ in range(2):
        with psycopg.connect(db.url, autocommit=True) as connection:
            connection.execute(script.encode())
    assert sqldiag("job", "run", "patients", file).out == "patients: holds\n"
    # What was printed is what install would do.
    installed = sqldiag("job", "install", file, "--schedule", "*/5 * * * *")
    assert installed.out == "unchanged: patients\n"
    assert "pg_cron is not in this database" in installed.err
    # A changed policy updates by its script, too.
    file = job_policy(db, tmp_path, entry(require=EVERY_MEASURE, suppress="1%"))
    with psycopg.connect(db.url, autocommit=True) as connection:
        connection.execute(sqldiag("job", "install", file, "--print").out.encode())
    sqldiag("job", "run", "patients", file)
    assert len(records(db.url)[-1].verdicts) == len(EVERY_MEASURE)


def test_a_job_that_fails_is_recorded_without_a_value(db: PostgresDatabase, tmp_path: Path) -> None:
    db.execute("ALTER TABLE patients ALTER age TYPE TEXT")
    bad = entry(where="CAST(zip AS INTEGER) > 0")
    file = job_policy(
        db, tmp_path, bad, entry(name="empty", where="age = 'none'"), entry(name="gone")
    )
    assert sqldiag("job", "install", file).code == 0
    db.execute("UPDATE patients SET zip = 'canary-7f3a' WHERE patient_id = 3")
    ran = sqldiag("job", "run", "patients", file)
    assert (ran.code, ran.out) == (3, "patients: error\n")
    assert sqldiag("job", "run", "empty", file).code == 3
    db.execute("ALTER TABLE patients RENAME TO elsewhere")
    assert sqldiag("job", "run", "gone", file).code == 3
    errors = [record.error for record in records(db.url)]
    assert errors == [
        "the check failed in the database: error 22P02",
        "patients has no rows: nothing to diagnose",
        "the check failed in the database: error 42P01",
    ]
    assert sqldiag("job", "status", file).code == 3


def test_a_job_that_is_cut_short_is_an_error(db: PostgresDatabase, tmp_path: Path) -> None:
    file = job_policy(db, tmp_path, entry(where="pg_sleep(5) IS NOT NULL"))
    sqldiag("job", "install", file)
    db.execute(f"ALTER DATABASE {db.name} SET statement_timeout = '300ms'")
    assert sqldiag("job", "run", "patients", file).out == "patients: error\n"
    assert records(db.url)[-1].error == "the check failed in the database: error 57014"


def test_no_value_of_a_row_is_recorded(db: PostgresDatabase, tmp_path: Path) -> None:
    canary = "canary-7f3a"
    db.load("patients", COLUMNS, [(i % 2, canary, canary, canary, i) for i in range(6)])
    measured = [r for r in EVERY_MEASURE if "flu" not in r]
    file = job_policy(db, tmp_path, entry(require=measured, suppress="1%"))
    sqldiag("job", "install", file)
    assert sqldiag("job", "run", "patients", file).code == 1
    tables = [name for name in db.tables() if name.startswith("sqldiag.") and "_pkey" not in name]
    everything = ""
    for table in ("results", "verdicts", "history_version"):
        assert f"sqldiag.{table}" in tables
        everything += str(db.query(f"SELECT * FROM sqldiag.{table}"))
    everything += str(
        db.query("SELECT prosrc FROM pg_proc WHERE pronamespace = 'sqldiag'::regnamespace")
    )
    assert "distinct_l(diagnosis)" in everything
    assert canary not in everything
