"""Sources that cannot be opened or read, and the real command: no traceback, no password."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import sqldiag as package
from sqldiag.errors import CannotRun
from tests.command import PROGRAM, process, refused, sqldiag
from tests.databases import Database, DuckDBDatabase, PostgresDatabase
from tests.postgres_server import Server

ASK = ["--qi", "age", "--require", "k >= 2"]

# The source, the exit code, and what the message says.
SOURCES: dict[str, tuple[str, int, str]] = {
    "unknown scheme": (
        "mysql://root:hidden@h/d",
        2,
        r"no engine for mysql:// URLs; there are: duckdb",
    ),
    "misspelt scheme": ("postgresq://u:hidden@h/d", 2, r"did you mean postgresql\?"),
    "empty": ("", 2, r"name a source: a URL, a DuckDB file or a data file \(or set SQLDIAG_URL"),
    "missing file": ("missing.csv", 2, r"there is no file missing\.csv"),
    "missing database": ("missing.duckdb", 2, r"there is no file missing\.duckdb"),
    "missing database by URL": ("duckdb:///missing.duckdb", 2, r"there is no file missing"),
    "two slashes": ("duckdb://missing.duckdb", 2, r"duckdb:///missing\.duckdb"),
    "no match": ("missing*.parquet", 2, r"there is no file missing\*\.parquet"),
    "a directory": (".", 2, r"there is no file \."),
    "not a database": ("junk.duckdb", 2, r"junk\.duckdb is not a DuckDB database"),
    "not a database by URL": ("duckdb:///junk.duckdb", 2, r"junk\.duckdb is not a DuckDB database"),
    "unknown kind of file": ("junk.txt", 2, r"junk\.txt is not a DuckDB database"),
    "a data file by URL": ("duckdb:///header.csv", 2, r"name it by its path alone"),
    "not parquet": ("junk.parquet", 3, r"DuckDB failed while reading the data"),
    "not JSON": ("junk.json", 3, r"DuckDB failed while reading the data"),
    "only a header": ("header.csv", 2, r"header\.csv has no rows: nothing to diagnose"),
    "unknown setting": ("duckdb:///:memory:?colour=red", 3, r"not recognized: colour"),
    "nobody listens": (
        "postgresql://u:hidden@127.0.0.1:1/d",
        3,
        r"at 127\.0\.0\.1: Connection ref",
    ),
    "no socket": (
        "postgresql://u:hidden@/d?host=/nowhere",
        3,
        r"cannot connect to Postgres at /nowh",
    ),
    "no such host": ("postgresql://u:hidden@host.invalid/d", 3, r"cannot connect .* host\.invalid"),
    "no such service": ("postgresql://?service=none", 3, r"service .*none.* not found"),
    "@ in the password": ("postgresql://u:p@hidden@h/d", 2, r"characters of the password percent-"),
    "% in the password": ("postgresql://u:%hidden@h/d", 2, r"characters of the password percent-"),
    "/ in the password": ("postgresql://u:p/hidden@h/d", 2, r"characters of the password percent-"),
    "unknown parameter": ("postgresql://h/d?hidden=1", 2, r"the URL cannot be read"),
    "bad port": ("postgresql://u:hidden@127.0.0.1:99999/d", 3, r'invalid port number: "99999"'),
}


@pytest.mark.parametrize(("source", "code", "message"), SOURCES.values(), ids=SOURCES)
def test_refused_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, code: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("junk.duckdb", "junk.txt", "junk.parquet", "junk.json"):
        Path(name).write_text("this is nothing of the kind")
    Path("header.csv").write_text("age,sex\n")
    before = sorted(tmp_path.iterdir())
    table = ["t"] if "://" in source else []
    sentence = refused(sqldiag("measure", source, *table, "--qi", "age"), code)
    assert re.search(message, sentence), sentence
    assert "hidden" not in sentence
    assert sorted(tmp_path.iterdir()) == before


def test_locked_file(duckdb_db: DuckDBDatabase) -> None:
    hold = (
        "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print(flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, duckdb_db.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        sentence = refused(sqldiag("measure", duckdb_db.path, "t", "--qi", "a"), 3)
        assert "held open for writing by another process; close that first" in sentence
        holder.communicate()


def test_open_in_this_process(duckdb_db: DuckDBDatabase) -> None:
    """As in a notebook that looked at the file before."""
    with duckdb.connect(duckdb_db.path), pytest.raises(CannotRun, match="open in this process"):
        package.connect(duckdb_db.url)


def test_wrong_password(listening_postgres: Server) -> None:
    with listening_postgres.connect() as connection:
        connection.execute("CREATE ROLE nurse LOGIN PASSWORD 'right-one'")
    for password in ("wrong-one", ""):
        url = listening_postgres.tcp_url("nurse", password)
        ran = process("check", url, "t", *ASK)
        sentence = refused(ran, 3)
        assert "cannot connect to Postgres at 127.0.0.1" in sentence
        assert "password" in sentence
        assert "wrong-one" not in sentence
    url = listening_postgres.tcp_url("nurse", "right-one", "nowhere")
    sentence = refused(sqldiag("check", url, "t", *ASK), 3)
    assert 'database "nowhere" does not exist' in sentence
    url = listening_postgres.tcp_url("nurse", "right-one")
    sentence = refused(sqldiag("check", url, "nowhere_to_be_found", *ASK), 2)
    assert "there is no table or view nowhere_to_be_found" in sentence


def test_no_privilege(postgres_db: PostgresDatabase) -> None:
    postgres_db.load("patients", ["age", "sex", "zip"], [(1, "F", "x"), (2, "M", "y")])
    postgres_db.load("visits", ["age"], [(1,)], schema="ward")
    postgres_db.execute("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN")
    url = postgres_db.server.url(postgres_db.name, user="guest")
    for table, what in {"patients": "table patients", "ward.visits": "schema ward"}.items():
        sentence = refused(sqldiag("check", url, table, *ASK), 3)
        assert sentence.startswith(f"not allowed: permission denied for {what}; the role needs")
    # The columns that are read are all it takes.
    postgres_db.execute("GRANT SELECT (age, sex) ON patients TO guest")
    assert sqldiag("check", url, "patients", *ASK).code == 1
    assert "permission denied" in refused(sqldiag("measure", url, "patients", "--qi", "zip"), 3)


def test_too_slow_for_the_server(postgres_db: PostgresDatabase) -> None:
    url = f"{postgres_db.url}&options=-c%20statement_timeout%3D50"
    slow = "SELECT 1 AS age FROM pg_sleep(20)"
    sentence = refused(sqldiag("check", url, "--query", slow, *ASK), 3)
    assert sentence == "the statement took longer than the server allows"


def test_the_real_command(db: Database) -> None:
    db.load("patients", ["age", "sex"], [(1, "F")])
    sentence = refused(process("check", db.url, "patients", "--qi", "agee"), 2)
    assert "--require" in sentence
    ran = process("check", db.url, "patients", "--qi", "agee", "--require", "k >= 2")
    assert refused(ran, 2) == "patients has no column agee; did you mean age?"
    url = "postgresql://u:hidden@127.0.0.1:1/d"
    ran = process("check", "patients", *ASK, env={"SQLDIAG_URL": url})
    assert "cannot connect" in refused(ran, 3)
    assert "hidden" not in ran.err


@pytest.mark.parametrize("program", [[PROGRAM], [sys.executable, "-m", "sqldiag"]])
def test_without_arguments(program: list[str]) -> None:
    done = subprocess.run(program, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (2, "")
    assert "check" in done.stdout
