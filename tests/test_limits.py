"""What a diagnosis may take: time, locks, memory, threads; and how long it tries to connect."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import get_type_hints

import psycopg
import pytest

import sqldiag
from sqldiag.engines.base import Kind, Statement
from sqldiag.errors import BadInput, CannotRun
from sqldiag.limits import LimitOptions, Limits
from tests.command import refused
from tests.command import sqldiag as command
from tests.databases import Database, DuckDBDatabase, PostgresDatabase
from tests.postgres_server import Server

QUESTIONS = {
    "check": ["--qi", "a", "--require", "k >= 1"],
    "measure": ["--qi", "a"],
    "borders": ["--require", "k >= 1"],
    "subsets": [],
}
SLOW = {
    "duckdb": "SELECT a.range % 7 AS a FROM range(100000) AS a, range(10000000) AS b",
    "postgres": "SELECT 1 AS a FROM pg_sleep(60)",
}


def show(database: sqldiag.Database, name: str) -> str:
    look = f"SELECT current_setting('{name}')"
    rows = database.session.connection.run(Statement(sql=look, purpose="look", kind=Kind.SETUP))
    return str(rows[0][0])


@pytest.mark.parametrize("verb", QUESTIONS)
def test_a_statement_that_takes_too_long(db: Database, verb: str) -> None:
    arguments = ["--query", SLOW[db.engine], *QUESTIONS[verb], "--timeout", "0.2"]
    started = time.monotonic()
    said = refused(command(verb, db.url, *arguments), 3)
    assert said == "the statement took longer than --timeout allows"
    assert time.monotonic() - started < 10


def test_after_a_timeout_the_session_goes_on(db: Database) -> None:
    db.load("t", ["a"], [(1,), (1,)])
    with sqldiag.connect(db.url, timeout=0.3) as database:
        with pytest.raises(CannotRun, match="longer than --timeout"):
            database.query(SLOW[db.engine]).measure(qi=["a"])
        assert database.table("t").measure(qi=["a"]).value() == 2


def test_what_the_server_is_told(postgres_db: PostgresDatabase) -> None:
    with sqldiag.connect(
        postgres_db.url, timeout=90, lock_timeout=0.5, work_mem="8mb", threads=2
    ) as database:
        assert show(database, "statement_timeout") == "90s"
        assert show(database, "lock_timeout") == "500ms"
        assert show(database, "work_mem") == "8MB"
        assert show(database, "max_parallel_workers_per_gather") == "1"
        assert show(database, "application_name") == "sqldiag"
        assert show(database, "transaction_isolation") == "repeatable read"
        assert show(database, "transaction_read_only") == "on"


def test_what_it_is_told_when_nobody_says(postgres_db: PostgresDatabase) -> None:
    ours = {
        "lock_timeout": "10s",
        "idle_in_transaction_session_timeout": "15min",
        "client_connection_check_interval": "10s",
        "statement_timeout": "0",
        "work_mem": "64MB",
    }
    with sqldiag.connect(postgres_db.url) as database:
        assert {name: show(database, name) for name in ours} == ours
    # What the URL, the role or the server says counts.
    url = postgres_db.url + (
        "&application_name=audit&options=-c%20lock_timeout%3D3s%20-c%20statement_timeout%3D7s"
        "%20-c%20idle_in_transaction_session_timeout%3D60s"
    )
    with sqldiag.connect(url) as database:
        assert show(database, "lock_timeout") == "3s"
        assert show(database, "statement_timeout") == "7s"
        assert show(database, "idle_in_transaction_session_timeout") == "1min"
        assert show(database, "application_name") == "audit"
    with sqldiag.connect(url, timeout=2, lock_timeout=1) as database:
        assert (show(database, "lock_timeout"), show(database, "statement_timeout")) == ("1s", "2s")


def test_what_duckdb_is_told(duckdb_db: DuckDBDatabase) -> None:
    duckdb_db.load("t", ["a"], [(1,)])
    with sqldiag.connect(duckdb_db.url, memory_limit="64MB", threads=1) as database:
        assert show(database, "memory_limit") == "61.0 MiB"
        assert show(database, "threads") == "1"
    # By the URL; an option says it last.
    url = f"{duckdb_db.url}?threads=2&memory_limit=64MB"
    with sqldiag.connect(url) as database:
        assert (show(database, "threads"), show(database, "memory_limit")) == ("2", "61.0 MiB")
    with sqldiag.connect(url, threads=1) as database:
        assert show(database, "threads") == "1"


@pytest.mark.parametrize("verb", QUESTIONS)
def test_every_command_takes_them(db: Database, verb: str) -> None:
    db.load("t", ["a", "b"], [(1, 2), (1, 2)])
    own = {
        "duckdb": ["--memory-limit", "1 GB"],
        "postgres": ["--work-mem", "16MB", "--lock-timeout", "5"],
    }[db.engine]
    more = ["--timeout", "30", "--threads", "1", *own]
    assert command(verb, db.url, "t", *QUESTIONS[verb], *more).code == 0


WRONG = {
    "postgres": {"--memory-limit": "1GB"},
    "duckdb": {"--work-mem": "1GB", "--lock-timeout": "5"},
}


def test_a_limit_of_another_engine(db: Database) -> None:
    db.load("t", ["a"], [(1,)])
    engine = {"duckdb": "DuckDB", "postgres": "Postgres"}[db.engine]
    for option, value in WRONG[db.engine].items():
        said = refused(command("measure", db.url, "t", "--qi", "a", option, value), 2)
        assert said.startswith(f"{option} is not for {engine}; "), said


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("--timeout", value) for value in ("0", "-1", "nan", "inf", "1e9", "x")),
        *(("--lock-timeout", value) for value in ("0", "-5", "nan")),
        *(("--threads", value) for value in ("0", "-1", "1.5", "100000")),
        *(("--work-mem", value) for value in ("64", "64XB", "-1MB", "0MB", "1MB'; --", "")),
        *(("--memory-limit", value) for value in ("80%", "lots", "1e3GB")),
    ],
)
def test_no_limits(db: Database, option: str, value: str) -> None:
    db.load("t", ["a"], [(1,)])
    said = refused(command("measure", db.url, "t", "--qi", "a", f"{option}={value}"), 2)
    assert option in said


def test_the_options_are_the_limits() -> None:
    assert list(get_type_hints(LimitOptions)) == list(get_type_hints(Limits))
    with pytest.raises(BadInput, match="--timeout takes seconds"):
        sqldiag.connect(":memory:", timeout=-1)


def test_a_lock_that_is_not_to_be_had(postgres_db: PostgresDatabase) -> None:
    postgres_db.load("t", ["a"], [(1,)])
    with postgres_db.server.connect(postgres_db.name) as other, other.transaction():
        other.execute("LOCK TABLE t IN ACCESS EXCLUSIVE MODE")
        for verb, options in QUESTIONS.items():
            arguments = [verb, postgres_db.url, "t", *options, "--lock-timeout", "0.2"]
            assert "a lock on the table was not to be had in time" in refused(
                command(*arguments), 3
            )


def test_an_idle_session_ends(postgres_db: PostgresDatabase) -> None:
    postgres_db.load("t", ["a"], [(1,)])
    url = f"{postgres_db.url}&options=-c%20idle_in_transaction_session_timeout%3D100"
    with sqldiag.connect(url) as database:
        time.sleep(0.5)
        with pytest.raises(CannotRun, match=r"was idle for longer.*connect again|was lost"):
            database.table("t")


# Connecting.


@contextmanager
def listening(port: int = 0) -> Iterator[socket.socket]:
    """Takes connections and says nothing."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen()
        yield listener


def test_a_server_that_says_nothing() -> None:
    with listening() as silent:
        port = silent.getsockname()[1]
        started = time.monotonic()
        url = f"postgresql://u:hidden@127.0.0.1:{port}/d?connect_timeout=2"
        said = refused(command("measure", url, "t", "--qi", "a"), 3)
        took = time.monotonic() - started
    assert "cannot connect to Postgres at 127.0.0.1: " in said
    assert "hidden" not in said
    # One attempt: waiting was long enough.
    assert 1.5 < took < 4


def test_connecting_has_a_limit_of_its_own(
    postgres_db: PostgresDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, object] = {}
    connect = psycopg.connect

    def spy(url: str, **settings: object) -> object:
        given.update(settings)
        return connect(url, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(psycopg, "connect", spy)
    sqldiag.connect(postgres_db.url).close()
    assert given["connect_timeout"] == 10
    assert given["keepalives_idle"] == 20
    assert given["tcp_user_timeout"] == 60_000
    assert given["prepare_threshold"] is None
    sqldiag.connect(f"{postgres_db.url}&connect_timeout=3&keepalives_idle=5").close()
    assert [str(given[name]) for name in ("connect_timeout", "keepalives_idle")] == ["3", "5"]
    given.clear()
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "4")
    sqldiag.connect(postgres_db.url).close()
    assert "connect_timeout" not in given


def test_nobody_listens_for_good() -> None:
    """The retry is short and bounded."""
    with listening() as taken:
        port = taken.getsockname()[1]
    started = time.monotonic()
    said = refused(command("measure", f"postgresql://u@127.0.0.1:{port}/d", "t", "--qi", "a"), 3)
    assert "refused" in said
    assert 1 < time.monotonic() - started < 5


def test_a_wrong_password_is_not_tried_again(listening_postgres: Server) -> None:
    """Who retries that locks the account."""
    server = listening_postgres
    url = f"postgresql://nobody_here:hidden@127.0.0.1:{server.port}/postgres"
    before = server.log().count('"nobody_here"')
    assert "authentication failed" in refused(command("measure", url, "t", "--qi", "a"), 3)
    assert server.log().count("FATAL:  password authentication failed for user") - before <= 1


def test_a_server_that_is_just_starting() -> None:
    """Stopped when we ask and back a moment later: the diagnosis is done, in one snapshot."""
    with Server() as server:
        with server.connect() as connection:
            connection.execute("CREATE TABLE t AS SELECT 1 AS a FROM generate_series(1, 5)")
        answers: list[int | float] = []

        def ask() -> None:
            with sqldiag.connect(server.url()) as database:
                answers.append(database.table("t").measure(qi=["a"]).value())

        # It is away for a few tenths of a second, within which we ask.
        server.halt()
        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(0.2)
        server.start()
        asking.join(20)
        assert answers == [5]


def test_too_many_clients_for_a_moment() -> None:
    """A full server is tried again for a moment, and then it is an error that says so."""
    with Server(settings={"max_connections": "4", "max_wal_senders": "0"}) as server:
        with server.connect() as connection:
            connection.execute("CREATE ROLE someone LOGIN; CREATE TABLE t AS SELECT 1 AS a")
            connection.execute("GRANT SELECT ON t TO someone")
        url = server.url(user="someone")
        hogs = [psycopg.connect(url) for _ in range(1)]
        said = refused(command("measure", url, "t", "--qi", "a"), 3)
        assert "connection" in said

        def free() -> None:
            time.sleep(0.3)
            for hog in hogs:
                hog.close()

        freeing = threading.Thread(target=free)
        freeing.start()
        assert command("measure", url, "t", "--qi", "a").code == 0
        freeing.join()
