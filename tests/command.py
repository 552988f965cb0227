"""The command as a user runs it: within this process for speed, or really, as a process."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from sqldiag.cli.main import run
from tests.databases import Database, DuckDBDatabase, PostgresDatabase
from tests.postgres_server import Server

PROGRAM = Path(sys.executable).with_name("sqldiag")


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


def sqldiag(*arguments: str | Path) -> Ran:
    """Run the command within this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([str(argument) for argument in arguments])
    return Ran(code, out.getvalue(), err.getvalue())


def environment(more: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, "COLUMNS": "80", **more}


def process(*arguments: str | Path, env: Mapping[str, str] | None = None) -> Ran:
    """Run the installed command."""
    done = subprocess.run(
        [PROGRAM, *arguments],
        env=environment(env or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


@contextlib.contextmanager
def started(*arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
    """The installed command while it runs; however the test ends, it ends with it."""
    with subprocess.Popen(
        [PROGRAM, *arguments],
        env=environment({}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def refused(ran: Ran, code: int) -> str:
    """The sentence of an error: one or two lines on stderr, nothing on stdout, no traceback."""
    assert ran.code == code, ran
    assert ran.out == "", ran
    lines = ran.err.splitlines()
    assert 1 <= len(lines) <= 2, ran
    assert ran.err.startswith("sqldiag: "), ran
    assert ran.err.endswith("\n"), ran
    for word in ("Traceback", "mistake in sqldiag", "\x1b", "<class", "NoneType"):
        assert word not in ran.err, ran
    assert len(ran.err) < 600, ran
    return ran.err.removeprefix("sqldiag: ").rstrip("\n")


def shared_database(request: pytest.FixtureRequest, name: str) -> Iterator[Database]:
    """A database that the tests of a module share, on the engine of the request's parameter."""
    if request.param == "duckdb":
        directory: Path = request.getfixturevalue("tmp_path_factory").mktemp(name)
        yield DuckDBDatabase(directory / "shared.duckdb")
        return
    server: Server = request.getfixturevalue("postgres")
    database = PostgresDatabase(server, name)
    yield database
    database.drop()
