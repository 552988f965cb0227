"""The throwaway Postgres: it dies with its run, cleans up after itself and asks for passwords."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from tests import postgres_server
from tests.postgres_server import PostgresMissing, Server

ROOT = Path(__file__).parent.parent
RUN = """
import time
from tests.postgres_server import Server
server = Server()
print(server.pid, server.socket_dir, flush=True)
time.sleep(600)
"""


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # An orphan that has ended may still wait for init to collect it.
    return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()


def test_dies_with_a_killed_run() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", RUN], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        pid, directory = run.stdout.readline().split()
        assert _alive(int(pid))
        run.kill()
    deadline = time.monotonic() + 20
    while _alive(int(pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _alive(int(pid))
    # What the killed run could not remove, the next one does, once it is surely abandoned.
    os.utime(directory, (0, 0))
    Server().stop()
    assert not Path(directory).exists()


def test_stop_leaves_nothing() -> None:
    with Server() as server:
        pid = server.pid
    assert not _alive(pid)
    assert not server.socket_dir.exists()
    server.stop()


def test_restart_cuts_clients_off_and_keeps_the_data() -> None:
    with Server() as server, server.connect() as client:
        client.execute("CREATE TABLE t AS SELECT 1 AS a")
        server.restart()
        with pytest.raises(psycopg.OperationalError):
            client.execute("SELECT 1")
        with server.connect() as again:
            assert again.execute("SELECT a FROM t").fetchall() == [(1,)]


def test_password_counts_by_tcp(listening_postgres: Server) -> None:
    with listening_postgres.connect() as connection:
        connection.execute("CREATE ROLE guest LOGIN PASSWORD 'p@ss/word'")
    psycopg.connect(listening_postgres.tcp_url("guest", "p@ss/word")).close()
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(listening_postgres.tcp_url("guest", "wrong"))


def test_missing_programs_say_how_to_install_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_server, "DEBIAN", Path("/nonexistent"))
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(PostgresMissing, match="apt-get install postgresql"):
        Server()
