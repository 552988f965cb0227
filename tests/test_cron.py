"""The whole way with a real pg_cron: installed, run by the clock, turned, seen, removed."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.command import sqldiag
from tests.policies import REQUIRED, entry, patients, run_json, write
from tests.postgres_server import Server

ROLE = "auditor"
EVERY_MINUTE = "* * * * *"


@pytest.fixture
def connection(cron_postgres: Server) -> Iterator[psycopg.Connection]:
    """The server's own database, where pg_cron lives, and a role with as few rights as it takes."""
    with cron_postgres.connect() as connection:
        connection.execute("CREATE EXTENSION pg_cron")
        connection.execute(
            "CREATE TABLE patients (age INT, sex TEXT, zip TEXT, diagnosis TEXT, patient_id INT)"
        )
        fill(connection, group=8)
        connection.execute(f"CREATE ROLE {ROLE} LOGIN")
        connection.execute(f"GRANT SELECT ON patients TO {ROLE}")
        connection.execute(f"GRANT CREATE ON DATABASE postgres TO {ROLE}")
        connection.execute(f"GRANT USAGE ON SCHEMA cron TO {ROLE}")
        yield connection
        connection.execute(f"DROP OWNED BY {ROLE}; DROP ROLE {ROLE}; DROP TABLE patients")
        connection.execute("DROP EXTENSION pg_cron")


def fill(connection: psycopg.Connection, group: int) -> None:
    with connection.transaction():
        connection.execute("DELETE FROM patients")
        connection.cursor().executemany(
            "INSERT INTO patients VALUES (%s, %s, %s, %s, %s)", patients(group)
        )


def objects(connection: psycopg.Connection) -> list[tuple[object, ...]]:
    """Every relation, function and schema there is."""
    return connection.execute(
        "SELECT relname, relnamespace FROM pg_class UNION ALL "
        "SELECT proname, pronamespace FROM pg_proc UNION ALL "
        "SELECT nspname, oid FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp' ORDER BY 1, 2"
    ).fetchall()


def wait_for_time_before_the_minute() -> None:
    """What is installed now must not run before it was looked at."""
    while time.time() % 60 > 50:
        time.sleep(0.5)


def status(policy: Path) -> tuple[int, dict[str, Any]]:
    ran = sqldiag("job", "status", policy, "--format", "json", "--last", "100")
    (job,) = json.loads(ran.out)["jobs"]
    return ran.code, job


def wait_for(policy: Path, verdict: str) -> dict[str, Any]:
    """Until the clock has made the job find this; a minute is the finest that pg_cron knows."""
    deadline = time.monotonic() + 150
    while True:
        _, job = status(policy)
        if job["runs"] and job["runs"][-1]["status"] == verdict:
            return job
        assert time.monotonic() < deadline, f"the job never found that it {verdict}: {job}"
        time.sleep(0.5)


@pytest.mark.waits
def test_a_job_that_the_database_runs_every_minute(
    cron_postgres: Server, connection: psycopg.Connection, tmp_path: Path
) -> None:
    url = cron_postgres.url(user=ROLE)
    policy = write(tmp_path / "p.toml", {"prod": url}, entry("public.patients", suppress="1%"))
    present = objects(connection)
    wait_for_time_before_the_minute()
    installed = sqldiag("job", "install", policy, "--schedule", EVERY_MINUTE)
    assert (installed.code, installed.out) == (0, "installed: public.patients\n")
    assert installed.err == ""
    scheduled = "SELECT jobid, schedule, command, username, jobname FROM cron.job"
    before = connection.execute(scheduled).fetchall()
    assert sqldiag("job", "install", policy, "--schedule", EVERY_MINUTE).out.startswith("unchanged")
    assert connection.execute(scheduled).fetchall() == before
    assert len(before) == 1
    code, job = status(policy)
    assert (code, job["scheduled"], job["runs"], job["last_status"]) == (0, True, [], None)
    assert job["next_run"].endswith(":00Z")

    # The clock strikes, inside the database.
    held = wait_for(policy, "holds")
    assert_same_numbers(held["runs"][-1], policy)
    assert {run["origin"] for run in held["runs"]} == {"job"}

    # The data breaks, and the verdict turns.
    fill(connection, group=3)
    broken = wait_for(policy, "fails")
    assert_same_numbers(broken["runs"][-1], policy)
    deadline = time.monotonic() + 10
    while status(policy)[1]["last_attempt"] == "running" and time.monotonic() < deadline:
        # The verdict is there as soon as it is committed; pg_cron notes its end a little later.
        time.sleep(0.1)
    code, job = status(policy)
    assert (code, job["last_status"], job["last_attempt"]) == (1, "fails", "succeeded")
    text = sqldiag("job", "status", policy)
    assert text.code == 1
    assert "✗ fails" in text.out
    assert "✓ holds" in text.out

    # A changed schedule changes the one job there is.
    assert sqldiag("job", "install", policy, "--schedule", "0 3 * * *").out.startswith("updated")
    after = connection.execute("SELECT jobid, schedule FROM cron.job").fetchall()
    assert after == [(before[0][0], "0 3 * * *")]

    # Removed, and nothing is left.
    assert sqldiag("job", "remove", policy, "--drop-history").code == 0
    for table in ("cron.job", "cron.job_run_details"):
        assert connection.execute(f"SELECT * FROM {table}").fetchall() == []
    assert objects(connection) == present


def assert_same_numbers(run: dict[str, Any], policy: Path) -> None:
    """What the job recorded is what `sqldiag run` finds now."""
    _, found = run_json(policy)
    result = found["results"][0]
    check = result["check"]
    assert (run["status"], run["holds"]) == (result["status"], check["holds"])
    assert run["row_count"] == check["source"]["rows"]
    assert run["rows_to_suppress"] == check["rows_to_suppress"]
    assert run["policy_hash"] == found["policy_hash"]
    assert [v["requirement"] for v in run["verdicts"]] == REQUIRED
    for verdict, requirement in zip(run["verdicts"], check["requirements"], strict=True):
        assert {key: verdict[key] for key in requirement} == requirement
