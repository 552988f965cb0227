"""One diagnosis: one snapshot, nothing written, and an end when it is asked to end."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sqldiag
from sqldiag.engines.base import Executed, Kind, Statement
from sqldiag.errors import Cancelled, CannotRun
from tests import command
from tests.command import started
from tests.databases import Database, DuckDBDatabase, PostgresDatabase

ROWS = [(1, "x"), (1, "x"), (2, "y")]
BUSY = """
SELECT COUNT(*) FROM pg_stat_activity
WHERE application_name = 'sqldiag' AND datname = current_database() {}
"""
SLOW = {
    "postgres": "SELECT 1 AS a FROM pg_sleep(120)",
    "duckdb": "SELECT range % 7 AS a FROM range(1000000000000)",
}


def after_each_statement(act: Callable[[], object]) -> Callable[[Executed], None]:
    """A listener that acts after each statement that reads the relation."""

    def listen(executed: Executed) -> None:
        if executed.statement.kind is Kind.DIAGNOSIS:
            act()

    return listen


def eventually(happened: Callable[[], bool], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def test_one_snapshot(postgres_db: PostgresDatabase) -> None:
    """Whatever others commit meanwhile, between two statements or two questions."""
    postgres_db.load("t", ["a", "b"], ROWS)
    insert = after_each_statement(lambda: postgres_db.execute("INSERT INTO t VALUES (3, 'z')"))
    with sqldiag.connect(postgres_db.url, listener=insert) as database:
        table = database.table("t")
        first = table.measure(qi=["a"], measures=["k", "distinct_l(b)"], examples=10)
        assert first.examples is not None
        assert sorted((*e.values, e.rows) for e in first.examples) == [(1, 2), (2, 1)]
        second = table.measure(qi=["a"], examples=10)
        assert second.examples == first.examples
        assert second.source == first.source
        assert database.query("SELECT * FROM t").measure(qi=["b"]).source.rows == 3
        assert not table.check(qi=["a"], require=["k >= 2"])
    assert postgres_db.query("SELECT COUNT(*) FROM t")[0][0] == 3 + 6
    with sqldiag.connect(postgres_db.url) as database:
        assert database.table("t").measure(qi=["a"]).source.rows == 9


def test_nothing_is_created(db: Database) -> None:
    db.load("t", ["a", "b"], ROWS)
    before = db.tables()
    print_of = hashlib.sha256(db.path.read_bytes()) if isinstance(db, DuckDBDatabase) else None
    with sqldiag.connect(db.url) as database:
        table = database.table("t")
        table.measure(qi=["a"], sensitive=["b"], curve=True, examples=2)
        table.check(qi=["a"], require=["k >= 2", "entropy_l(b) >= 2"], suppress="10%")
    assert db.tables() == before
    if isinstance(db, DuckDBDatabase) and print_of is not None:
        assert hashlib.sha256(db.path.read_bytes()).digest() == print_of.digest()
        assert [path.name for path in db.path.parent.iterdir()] == [db.path.name]


def test_it_can_only_read(postgres_db: PostgresDatabase) -> None:
    with sqldiag.connect(postgres_db.url) as database:
        for name, value in {
            "transaction_read_only": "on",
            "transaction_isolation": "repeatable read",
        }.items():
            statement = Statement(sql=f"SELECT current_setting('{name}')", purpose="look")
            assert database.session.connection.run(statement) == [(value,)]


def test_foreign_code_cannot_write(postgres_db: PostgresDatabase) -> None:
    """A function in a view, a query, a condition or a policy runs only while nothing can."""
    server, name = postgres_db.server, postgres_db.name
    postgres_db.load("t", ["a", "b"], [(1, 1), (2, 1)])
    postgres_db.execute(
        "CREATE SEQUENCE numbers; CREATE VIEW v AS SELECT nextval('numbers') AS a, b FROM t;"
        "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; CREATE TABLE guarded AS TABLE t;"
        "CREATE POLICY p ON guarded USING (nextval('numbers') > 0);"
        "ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;"
        "GRANT ALL ON ALL TABLES IN SCHEMA public TO reader; GRANT ALL ON numbers TO reader"
    )
    asked = {"measure": ["--qi", "a,b"], "check": ["--qi", "a", "--require", "k >= 1"]}
    search = {"borders": ["--require", "k >= 1"], "subsets": []}
    for relation in (
        ["v"],
        ["guarded"],
        ["t", "--where", "nextval('numbers') > 0"],
        ["--query", "SELECT nextval('numbers') AS a, b FROM t"],
    ):
        for verb, options in {**asked, **search}.items():
            ran = command.sqldiag(verb, server.url(name, user="reader"), *relation, *options)
            # A function of the server's own that writes is not even called.
            own = "nextval" in relation[-1]
            said = command.refused(ran, 2 if own else 3)
            assert ("calls nextval" if own else "read-only transaction") in said
    assert postgres_db.query("SELECT is_called FROM numbers") == [(False,)]


def test_duckdb_can_only_read(duckdb_db: DuckDBDatabase) -> None:
    duckdb_db.load("t", ["a"], [(1,)])
    with sqldiag.connect(duckdb_db.url) as database:
        for sql in ("INSERT INTO t VALUES (2)", "CREATE TABLE u AS SELECT 1", "DROP TABLE t"):
            with pytest.raises(sqldiag.SqldiagError):
                database.session.connection.run(Statement(sql=sql, purpose="write"))
    assert duckdb_db.query("SELECT * FROM t") == [(1,)]


def test_the_connection_ends_with_the_command(postgres_db: PostgresDatabase) -> None:
    postgres_db.load("t", ["a"], [(1,)])
    for arguments in (["t", "--qi", "a"], ["t", "--qi", "b"], ["u", "--qi", "a"]):
        command.sqldiag("measure", postgres_db.url, *arguments)
        eventually(lambda: postgres_db.query(BUSY.format("")) == [(0,)])


def test_costs_are_counted_for_each_question(db: Database) -> None:
    db.load("t", ["a", "b"], ROWS)
    with sqldiag.connect(db.url) as database:
        table = database.table("t")
        first = table.measure(qi=["a"]).cost
        assert (first.statements, first.base_scans, first.sets_evaluated) == (2, 1, 1)
        second = table.check(qi=["b"], require=["k >= 1"], examples=1).cost
        assert (second.statements, second.base_scans, second.sets_evaluated) == (2, 2, 1)


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_file_that_changes(tmp_path: Path, ending: str) -> None:
    """A file has no snapshot: a diagnosis during which it changed has no answer."""
    path, other = tmp_path / f"t{ending}", tmp_path / f"u{ending}"
    database = DuckDBDatabase(tmp_path / "make.duckdb")
    for file, rows in ((path, 100), (other, 200)):
        database.execute(f"COPY (SELECT range % 3 AS a FROM range({rows})) TO '{file}'")
    change = after_each_statement(lambda: path.write_bytes(other.read_bytes()))
    with (
        sqldiag.connect(str(path), listener=change) as opened,
        pytest.raises(CannotRun, match=f"t{ending} was changed during the diagnosis; run it again"),
    ):
        opened.table().measure(qi=["a"], examples=1)
    with (
        sqldiag.connect(str(path), listener=after_each_statement(path.unlink)) as opened,
        pytest.raises(CannotRun, match=f"t{ending} went away during the diagnosis"),
    ):
        opened.table().measure(qi=["a"])


def test_a_file_that_appears(tmp_path: Path) -> None:
    """What a pattern means is settled when it is opened."""
    (tmp_path / "1.csv").write_text("a\n1\n1\n")
    with sqldiag.connect(str(tmp_path / "*.csv")) as database:
        (tmp_path / "2.csv").write_text("a\n1\n1\n")
        assert database.table().measure(qi=["a"]).source.rows == 2


@pytest.mark.parametrize("how", ["cancel", "terminate"])
def test_the_server_cuts_it_short(postgres_db: PostgresDatabase, how: str) -> None:
    """An interrupted diagnosis is no answer."""
    postgres_db.load("t", ["a"], [(1,)])
    stop = f"SELECT pg_{how}_backend(pid) FROM pg_stat_activity WHERE application_name = 'sqldiag'"
    arguments = ["measure", postgres_db.url, "--query", SLOW["postgres"], "--qi", "a"]
    with started(*arguments) as process:
        eventually(lambda: postgres_db.query(BUSY.format("AND wait_event = 'PgSleep'")) == [(1,)])
        assert postgres_db.query(stop) == [(True,)]
        out, err = process.communicate(timeout=10)
    assert (process.returncode, out) == (3, "")
    expected = "the statement was cancelled on the server" if how == "cancel" else "was lost"
    assert expected in err
    assert "Traceback" not in err


@pytest.fixture
def slow(db: Database) -> Iterator[subprocess.Popen[str]]:
    """A command in the midst of a statement that would take minutes."""
    with started("measure", db.url, "--query", SLOW[db.engine], "--qi", "a", "-v") as process:
        assert process.stderr is not None
        # The statement before the long one is told when it has run.
        for line in process.stderr:
            if line.startswith("-- catalogue: find the columns"):
                break
        if db.engine == "postgres":
            eventually(lambda: db.query(BUSY.format("AND wait_event = 'PgSleep'")) == [(1,)])
        else:
            eventually(lambda: cpu_seconds(process.pid) > 1.5)
        yield process


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c(db: Database, slow: subprocess.Popen[str], how: signal.Signals) -> None:
    slow.send_signal(how)
    out, err = slow.communicate(timeout=5)
    assert (slow.returncode, out) == (3, "")
    assert err.splitlines()[-1] == "sqldiag: cancelled"
    assert "Traceback" not in err
    if db.engine == "postgres":
        eventually(lambda: db.query(BUSY.format("AND state = 'active'")) == [(0,)], seconds=2)


def test_cancelled_in_python(db: Database) -> None:
    """In a notebook: the statement stops, and the next question is answered from the snapshot."""
    db.load("t", ["a", "b"], ROWS)
    with sqldiag.connect(db.url) as database:
        assert database.table("t").measure(qi=["a"]).source.rows == 3
        if db.engine == "postgres":
            db.execute("INSERT INTO t VALUES (9, 'z')")
        slow = database.query(SLOW[db.engine])
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(Cancelled, match="cancelled"):
            slow.measure(qi=["a"])
        signal.signal(signal.SIGALRM, before)
        assert database.table("t").measure(qi=["a"]).source.rows == 3


@pytest.mark.parametrize(
    "where", ["nothing = 1", "CAST(b AS INTEGER) = 1", "COUNT(*) = 1", "nofunction(a)"]
)
def test_after_an_error_the_snapshot_stays(db: Database, where: str) -> None:
    db.load("t", ["a", "b"], ROWS)
    with sqldiag.connect(db.url) as database:
        assert database.table("t").measure(qi=["a"]).source.rows == 3
        if db.engine == "postgres":
            db.execute("INSERT INTO t VALUES (9, 'z')")
        with pytest.raises(sqldiag.SqldiagError):
            database.table("t", where=where).measure(qi=["a"])
        assert database.table("t").measure(qi=["a"]).source.rows == 3


def test_after_an_error_the_file_stays(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,x\n")
    with sqldiag.connect(str(tmp_path / "t.csv")) as database:
        for where in ("nothing = 1", "CAST(b AS INTEGER) = 1"):
            with pytest.raises(sqldiag.SqldiagError):
                database.table(where=where).measure(qi=["a"])
            assert database.table().measure(qi=["a"]).source.rows == 1
