"""Several processes and one history: they wait, and what is killed leaves no half record."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sqldiag.engines import open_store
from sqldiag.engines.duckdb_store import DuckDBStore
from sqldiag.errors import CannotRun
from sqldiag.history import History
from sqldiag.history.schema import version
from tests.command import sqldiag, started
from tests.databases import DuckDBDatabase, PostgresDatabase
from tests.policies import COLUMNS, entry, patients, records, write


@pytest.fixture
def data(tmp_path: Path) -> DuckDBDatabase:
    database = DuckDBDatabase(tmp_path / "data.duckdb")
    database.load("patients", COLUMNS, patients())
    return database


def test_two_runs_at_once_lose_and_mix_nothing(
    data: DuckDBDatabase, kept: str, tmp_path: Path
) -> None:
    """Two policies share a history that neither has made yet; each has eight tables."""
    for i in range(8):
        data.load(f"t{i}", COLUMNS, patients(5 + i))
    policies = [
        write(
            tmp_path / f"{name}.toml",
            {"c": data.url},
            *(entry(f"t{i}", name=f"{name} {i}") for i in range(8)),
            history={"url": kept},
        )
        for name in ("ann", "bob")
    ]
    with contextlib.ExitStack() as stack:
        running = [
            stack.enter_context(started("run", policy, "--parallel", "2", "--format", "json"))
            for policy in policies
        ]
        outputs = [json.loads(process.communicate(timeout=60)[0]) for process in running]
    assert [output["problems"] for output in outputs] == [[], []]
    found = records(kept)
    assert len(found) == 16
    for name, output in zip(("ann", "bob"), outputs, strict=True):
        mine = sorted((r for r in found if r.run == output["run"]), key=lambda r: r.name)
        assert [r.name for r in mine] == [f"{name} {i}" for i in range(8)]
        assert {r.policy for r in mine} == {name}
        assert [r.verdicts[0].value for r in mine] == [min(5 + i, 12) for i in range(8)]
        assert all(len(r.verdicts) == 2 for r in mine)
    with open_store(kept).reading() as reader:
        assert reader.execute("SELECT version FROM sqldiag.history_version") == [(1,)]


def test_a_run_killed_midway_leaves_a_readable_history(
    postgres_db: PostgresDatabase, kept: str, tmp_path: Path
) -> None:
    db = postgres_db
    db.load("patients", COLUMNS, patients())
    tables = [
        entry(name="first"),
        entry(name="second"),
        entry(name="stuck", where="pg_sleep(60) IS NULL"),
    ]
    policy = write(tmp_path / "p.toml", {"c": db.url}, *tables, history={"url": kept})
    with started("run", policy) as run:
        deadline = time.monotonic() + 30
        while not db.query(
            "SELECT FROM pg_stat_activity WHERE query ILIKE '%pg_sleep%' AND state = 'active' "
            "AND pid <> pg_backend_pid()"
        ):
            assert time.monotonic() < deadline, "the third table was never read"
            time.sleep(0.05)
        run.send_signal(signal.SIGKILL)
    assert [(r.name, r.status) for r in records(kept)] == [("first", "holds"), ("second", "holds")]
    tables[2] = entry(name="stuck")
    again = write(policy, {"c": db.url}, *tables, history={"url": kept})
    assert sqldiag("run", again).code == 0
    assert len(records(kept)) == 5


def test_a_writer_killed_within_a_transaction_leaves_nothing_of_it(tmp_path: Path) -> None:
    file = tmp_path / "h.duckdb"
    store = DuckDBStore(str(file))
    History(store, "sqldiag").prepare()
    script = (
        f"import duckdb, os\nc = duckdb.connect({str(file)!r})\n"
        "c.execute('BEGIN')\nc.execute(\"INSERT INTO sqldiag.history_version "
        "VALUES (7, TIMESTAMP '2026-01-01')\")\nos.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False)
    assert done.returncode == -signal.SIGKILL
    with store.reading() as reader:
        assert version(reader, "sqldiag") == 1


def test_a_file_that_another_process_holds_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "h.duckdb"
    script = f"import duckdb, time\nc = duckdb.connect({str(file)!r})\nprint(1, flush=True)\n"
    holding = [sys.executable, "-c", f"{script}time.sleep(1.5)"]
    with subprocess.Popen(holding, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(CannotRun, match="has been held open by another process"):
            History(DuckDBStore(str(file), wait=0.3), "sqldiag").prepare()
        History(DuckDBStore(str(file)), "sqldiag").prepare()
