"""Behind a pooler: one transaction for everything, and nothing that outlives it."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import sqldiag
from tests.command import refused
from tests.command import sqldiag as command
from tests.databases import PostgresDatabase
from tests.postgres_server import Server
from tests.statements import Sent

ROWS = [(i % 3, i % 2, i % 5) for i in range(60)]
QUESTIONS = {
    "check": ["--qi", "a,b", "--require", "k >= 1"],
    "measure": ["--qi", "a", "--sensitive", "c"],
    "borders": ["--require", "k >= 3"],
    "subsets": [],
}


def test_one_transaction_and_nothing_of_the_session(postgres_db: PostgresDatabase) -> None:
    """What transaction pooling asks of a client."""
    postgres_db.load("t", ["a", "b", "c"], ROWS)
    sent = Sent()
    with sqldiag.connect(postgres_db.url, listener=sent, timeout=30, threads=1) as database:
        table = database.table("t")
        for _ in range(8):
            table.measure(qi=["a"], sensitive=["c"])
        table.borders(require=["k >= 3"])
        table.subsets()
        connection = database.session.connection
        assert connection._connection.info.get_parameters().get("options") is None  # type: ignore[attr-defined]
    statements = [sql for done in sent.executed for sql in done.script]
    assert statements[0].startswith("BEGIN ")
    for sql in statements[1:]:
        assert not sql.startswith(("BEGIN", "START", "COMMIT", "END", "PREPARE", "LISTEN"))
        if sql.startswith("SET "):
            assert sql.startswith(("SET LOCAL ", "SET TRANSACTION "))
        if sql.startswith("ROLLBACK"):
            assert " TO " in sql
        if "CREATE" in sql[:6]:
            assert "ON COMMIT DROP" in sql


@contextmanager
def pooled(server: Server, directory: Path, mode: str) -> Iterator[str]:
    """A pgbouncer with two sessions, and its URL."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = directory / "pgbouncer.ini"
    settings.write_text(
        f"[databases]\npostgres = host={server.socket_dir} port={server.port} user=postgres\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
        f"auth_type = any\npool_mode = {mode}\ndefault_pool_size = 2\n"
    )
    for path in (directory, *list(directory.parents)[:2], settings):
        path.chmod(0o755)
    command_ = server.as_its_user("pgbouncer", "-q", str(settings))
    with subprocess.Popen(command_, cwd="/", stderr=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + 10
            while time.monotonic() < deadline:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
        finally:
            process.terminate()


@pytest.mark.skipif(shutil.which("pgbouncer") is None, reason="pgbouncer is not installed")
@pytest.mark.parametrize("mode", ["session", "transaction", "statement"])
def test_pgbouncer(listening_postgres: Server, tmp_path: Path, mode: str) -> None:
    server = listening_postgres
    with server.connect() as connection:
        connection.execute(
            "CREATE TABLE pooled AS SELECT i % 3 AS a, i % 2 AS b, i % 5 AS c"
            " FROM generate_series(1, 60) AS i"
        )
    try:
        with pooled(server, tmp_path, mode) as url:
            for _ in range(3):
                for verb, options in QUESTIONS.items():
                    ran = command(verb, url, "pooled", *options)
                    if mode == "statement":
                        assert "keeps no transaction together" in refused(ran, 3)
                    else:
                        assert ran.code == 0, ran
    finally:
        with server.connect() as connection:
            assert connection.execute("SELECT * FROM pg_prepared_statements").fetchall() == []
            connection.execute("DROP TABLE pooled")
