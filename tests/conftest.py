"""The databases tests run on. A required engine that is missing fails; it is never skipped."""

from __future__ import annotations

import ctypes
import itertools
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.databases import Database, DuckDBDatabase, PostgresDatabase
from tests.postgres_server import PostgresMissing, Server

ENGINES = ("duckdb", "postgres")

# An example loads a table, so it takes as long as the disk does; and the `db` of a test serves all
# its examples, each of which loads its tables anew.
settings.register_profile(
    "default",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
# For a long look: make test ARGS=--hypothesis-profile=thorough
settings.register_profile("thorough", settings.get_profile("default"), max_examples=2000)
settings.load_profile("default")

_numbers = itertools.count(1)
_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PR_SET_PDEATHSIG = 1  # from <linux/prctl.h>


def pytest_configure(config: pytest.Config) -> None:
    """Let an xdist worker die with the run that started it, at once, and its server with it.

    Left to itself a worker notices only after some fifteen seconds.
    """
    if hasattr(config, "workerinput"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # A run in the background is deaf to Ctrl-C, one under nohup to a hang-up; the commands that
    # tests start and stop would be, too.
    for number in _STOPS:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever waits for a clock starts first: the other worker has work for as long."""
    items.sort(key=lambda item: item.get_closest_marker("waits") is None)


@pytest.fixture(scope="session", autouse=True)
def _no_settings_from_outside() -> None:
    """The developer's own server and source must not leak into a test."""
    for name in list(os.environ):
        if name.startswith("PG") or name == "SQLDIAG_URL":
            del os.environ[name]


def _serve(*, listen: bool = False, cron: bool = False) -> Iterator[Server]:
    try:
        server = Server(listen=listen, cron=cron)
    except PostgresMissing as missing:
        pytest.fail(str(missing), pytrace=False)
    with server:
        yield server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A Postgres server for the whole run (of this worker), started when first asked for."""
    yield from _serve()


@pytest.fixture(scope="session")
def listening_postgres() -> Iterator[Server]:
    """Another one, which listens on 127.0.0.1 too and wants passwords there."""
    yield from _serve(listen=True)


@pytest.fixture(scope="session")
def cron_postgres() -> Iterator[Server]:
    """Another one, which runs pg_cron in its database `postgres`."""
    yield from _serve(cron=True)


@pytest.fixture
def duckdb_db(tmp_path: Path) -> DuckDBDatabase:
    """A fresh DuckDB file."""
    return DuckDBDatabase(tmp_path / "test.duckdb")


@pytest.fixture
def postgres_db(postgres: Server) -> Iterator[PostgresDatabase]:
    """A fresh Postgres database."""
    database = PostgresDatabase(postgres, f"test_{next(_numbers)}")
    yield database
    database.drop()


@pytest.fixture(params=ENGINES)
def db(request: pytest.FixtureRequest) -> Database:
    """A fresh database, on each engine in turn."""
    database: Database = request.getfixturevalue(f"{request.param}_db")
    return database


@pytest.fixture(params=ENGINES)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A URL for a history, on each engine in turn."""
    if request.param == "duckdb":
        return f"duckdb:///{tmp_path / 'history.duckdb'}"
    database: PostgresDatabase = request.getfixturevalue("postgres_db")
    return database.url
