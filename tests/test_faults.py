"""Whatever breaks midway: exit code 3, a sentence, nothing left behind, no half-written file."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psycopg
import pytest

import sqldiag
from sqldiag.errors import CannotRun
from sqldiag.output import write_whole
from tests.command import Ran, refused, started
from tests.command import sqldiag as command
from tests.databases import DuckDBDatabase
from tests.postgres_server import Server
from tests.proxy import Proxy

SECRET = "hunter2-canary"
OURS = "FROM pg_stat_activity WHERE application_name = 'sqldiag'"
BEFORE = "what was there before"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server of its own: it is restarted, killed and starved here."""
    with Server(listen=True) as own:
        with own.connect() as connection:
            connection.execute(
                f"CREATE ROLE analyst LOGIN PASSWORD '{SECRET}';"
                # Sooner than we would ask for, so that the tests need not wait.
                "ALTER ROLE analyst SET client_connection_check_interval = '200ms';"
                "CREATE TABLE t AS SELECT i % 7 AS a, i % 5 AS b, i % 3 AS c, i AS d"
                " FROM generate_series(1, 200000) AS i;"
                "CREATE VIEW slow AS SELECT t.* FROM pg_sleep(60), t;"
                "GRANT SELECT ON t, slow TO analyst"
            )
        yield own


QUESTIONS = {
    "check": ["--qi", "a,b", "--require", "k >= 1"],
    "borders": ["--among", "a,b,c", "--require", "k >= 1"],
}
EVERY_QUESTION = pytest.mark.parametrize("verb", QUESTIONS)


@dataclass(frozen=True)
class Running:
    process: subprocess.Popen[str]

    def __call__(self) -> Ran:
        """How it ended."""
        out, err = self.process.communicate(timeout=30)
        return Ran(self.process.returncode, out, err)


@contextmanager
def midway(server: Server, tmp_path: Path, verb: str, url: str) -> Iterator[Running]:
    """A command whose statement is running on the server, and how it ends."""
    output = tmp_path / "answer.json"
    output.write_text(BEFORE)
    arguments = [verb, url, "slow", *QUESTIONS[verb], "--format", "json"]
    with started(*arguments, "--output", output) as process:
        wait_for(server, f"SELECT COUNT(*) = 1 {OURS} AND wait_event = 'PgSleep'")
        yield Running(process)
    assert output.read_text() == BEFORE
    assert [path.name for path in tmp_path.iterdir()] == [output.name]
    wait_for(server, f"SELECT COUNT(*) = 0 {OURS}")
    with server.connect() as connection:
        left = "SELECT relname FROM pg_class WHERE relpersistence = 't'"
        assert connection.execute(left).fetchall() == []


def wait_for(server: Server, question: str, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        # It may be on its way back.
        with contextlib.suppress(psycopg.OperationalError), server.connect() as connection:
            row = connection.execute(question).fetchone()
            if row is not None and row[0]:
                return
        time.sleep(0.03)
    raise AssertionError(question)


def backend(server: Server) -> int:
    with server.connect() as connection:
        row = connection.execute(f"SELECT pid {OURS}").fetchone()
    assert row is not None
    return int(row[0])


def url_of(server: Server, port: int | None = None) -> str:
    url = server.tcp_url("analyst", SECRET)
    return url if port is None else url.replace(f":{server.port}/", f":{port}/")


def lost(ran: Ran) -> None:
    said = refused(ran, 3)
    assert said.startswith("the connection to Postgres was lost"), said
    assert SECRET not in ran.err


@EVERY_QUESTION
def test_the_backend_is_terminated(server: Server, tmp_path: Path, verb: str) -> None:
    with midway(server, tmp_path, verb, url_of(server)) as ended:
        with server.connect() as connection:
            connection.execute("SELECT pg_terminate_backend(%s)", [backend(server)])
        lost(ended())


@EVERY_QUESTION
def test_the_server_crashes(server: Server, tmp_path: Path, verb: str) -> None:
    """A backend dies by kill -9, and the server starts anew with all others."""
    with midway(server, tmp_path, verb, url_of(server)) as ended:
        os.kill(backend(server), signal.SIGKILL)
        lost(ended())


@EVERY_QUESTION
def test_the_server_is_restarted(server: Server, tmp_path: Path, verb: str) -> None:
    with midway(server, tmp_path, verb, url_of(server)) as ended:
        server.restart()
        lost(ended())


@EVERY_QUESTION
def test_the_network_is_cut(server: Server, tmp_path: Path, verb: str) -> None:
    proxy = Proxy(server.port)
    with proxy, midway(server, tmp_path, verb, url_of(server, proxy.port)) as ended:
        proxy.cut()
        lost(ended())


def test_the_network_falls_silent(server: Server, tmp_path: Path) -> None:
    """No answer ever comes; Ctrl-C does not wait for one for long."""
    proxy = Proxy(server.port)
    with proxy, midway(server, tmp_path, "check", url_of(server, proxy.port)) as ended:
        proxy.silence()
        with pytest.raises(subprocess.TimeoutExpired):
            ended.process.wait(0.5)
        ended.process.send_signal(signal.SIGINT)
        started = time.monotonic()
        assert refused(ended(), 3) == "cancelled"
        assert time.monotonic() - started < 15
        proxy.cut()


@EVERY_QUESTION
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_asked_to_stop(server: Server, tmp_path: Path, verb: str, how: signal.Signals) -> None:
    with midway(server, tmp_path, verb, url_of(server)) as ended:
        ended.process.send_signal(how)
        assert refused(ended(), 3) == "cancelled"


def test_killed(server: Server, tmp_path: Path) -> None:
    """Nobody can say anything then; the server notices that we have gone, and stops."""
    with midway(server, tmp_path, "borders", url_of(server)) as ended:
        ended.process.kill()
        assert ended().code == -signal.SIGKILL


def test_memory_runs_out(server: Server) -> None:
    """The backend may have no more memory than it has: grouping 200,000 rows needs some."""

    def starve(_: object) -> None:
        pid = backend(server)
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[0])
        has = pages * os.sysconf("SC_PAGE_SIZE")
        server.run("prlimit", f"--pid={pid}", f"--as={has + 2_000_000}")

    asks: list[Callable[[sqldiag.Table], object]] = [
        lambda table: table.check(qi=["a", "d"], require=["k >= 1"]),
        lambda table: table.borders(among=["a", "d"], require=["k >= 1"]),
    ]
    for ask in asks:
        done: list[bool] = []

        def once(executed: object, done: list[bool] = done) -> None:
            if not done and "find the columns" in str(executed):
                done.append(True)
                starve(executed)

        with sqldiag.connect(url_of(server), work_mem="1GB", threads=1, listener=once) as database:
            table = database.table("t")
            with pytest.raises(CannotRun, match=r"out of memory \(error 53200\)"):
                ask(table)
    with server.connect() as connection:
        left = "SELECT relname FROM pg_class WHERE relpersistence = 't'"
        assert connection.execute(left).fetchall() == []


@EVERY_QUESTION
def test_temporary_space_runs_out(server: Server, tmp_path: Path, verb: str) -> None:
    output = tmp_path / "answer"
    with server.connect() as connection:
        connection.execute("ALTER ROLE analyst SET temp_file_limit = '200kB'")
    try:
        names = ["--qi", "a,d"] if verb == "check" else ["--among", "a,d"]
        arguments = ["t", *names, "--require", "k >= 1", "--work-mem", "64kB"]
        said = refused(command(verb, url_of(server), *arguments, "--output", output), 3)
        assert "temporary file size exceeds temp_file_limit" in said
        assert list(tmp_path.iterdir()) == []
    finally:
        with server.connect() as connection:
            connection.execute("ALTER ROLE analyst RESET temp_file_limit")


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def catches(pid: int, number: signal.Signals) -> bool:
    """Whether a process has a handler for the signal."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    return False


@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
def test_stopped_at_any_moment(server: Server, tmp_path: Path, engine: str) -> None:
    """Whenever the signal comes, the file is whole or untouched, and it is exit 3 or the answer."""
    source = str(tmp_path / "t.duckdb")
    DuckDBDatabase(Path(source)).execute(
        "CREATE TABLE t AS SELECT i % 7 AS a, i % 5 AS b, i % 3 AS c FROM range(100000) AS r(i)"
    )
    output = tmp_path / "answer.json"
    url = source if engine == "duckdb" else url_of(server)
    arguments = ["subsets", url, "t", "--among", "a,b,c", "--format", "json"]
    codes = set()
    for turn in range(14):
        output.write_text(BEFORE)
        how = (signal.SIGTERM, signal.SIGINT)[turn % 2]
        with started(*arguments, "--output", output) as process:
            # Before it heeds signals, there is nothing to stop.
            until(partial(catches, process.pid, signal.SIGTERM))
            time.sleep(turn * 0.05)
            process.send_signal(how)
            out, err = process.communicate(timeout=20)
        codes.add(process.returncode)
        assert out == ""
        assert "Traceback" not in err, (turn, err)
        if process.returncode == 0:
            assert output.read_text().endswith("}\n")
        else:
            # A search that was stopped prints what it knows by then, and that is whole, too.
            assert process.returncode == 3, (turn, err)
            assert output.read_text() == BEFORE or '"cancelled": true' in output.read_text()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["answer.json", "t.duckdb"]
    assert 3 in codes
    wait_for(server, f"SELECT COUNT(*) = 0 {OURS}")


def test_stopped_just_as_a_file_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = os.open

    def interrupted(*given: object, **named: object) -> int:
        os.close(make(*given, **named))  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "open", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "answer.json", "{}")
    assert list(tmp_path.iterdir()) == []
