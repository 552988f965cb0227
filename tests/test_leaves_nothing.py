"""After a search nothing is left behind, however it ended; while it runs nothing is written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import sqldiag
from sqldiag.answers import Borders
from sqldiag.engines.base import Executed, Kind, Statement
from sqldiag.errors import Cancelled, CannotRun, SqldiagError
from tests.databases import Database, DuckDBDatabase, PostgresDatabase

COLUMNS = ("a", "b", "c", "d")
ROWS = [(i % 2, i % 3, i % 5, i) for i in range(60)]
TEMPORARY = {
    "duckdb": """
SELECT table_name FROM duckdb_tables() WHERE temporary OR database_name = 'sqldiag_rollups'
""",
    "postgres": "SELECT relname FROM pg_class WHERE relpersistence = 't' AND relkind = 'r'",
}
SHOW = "SHOW transaction_read_only"
BACKENDS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = 'sqldiag' AND datname = current_database()
"""


@pytest.fixture(autouse=True)
def _loaded(db: Database) -> None:
    db.load("t", COLUMNS, ROWS)


def ask(database: sqldiag.Database, table: str = "t") -> Borders:
    return database.table(table).borders(require=["k >= 3"], strategy="apriori")


def inside(database: sqldiag.Database, engine: str) -> set[str]:
    """The temporary tables that the session itself sees."""
    look = Statement(sql=TEMPORARY[engine], purpose="look", kind=Kind.CATALOGUE)
    return {str(row[0]) for row in database.session.connection.run(look)}


def nothing_left(db: Database, before: set[str]) -> None:
    """Seen from another connection, in the catalog and on the disk."""
    assert db.tables() == before
    if isinstance(db, DuckDBDatabase):
        assert [path.name for path in db.path.parent.iterdir()] == [db.path.name]
    assert not db.query(TEMPORARY[db.engine])


def test_finished(db: Database) -> None:
    before = db.tables()
    with sqldiag.connect(db.url) as database:
        assert ask(database).searched.complete
        names = inside(database, db.engine)
        assert names, "roll-ups serve the next question of the session"
        assert all(name.startswith("sqldiag_") for name in names)
        assert database.table("t").subsets().searched.complete
        if db.engine == "postgres":
            nothing_left(db, before)
    nothing_left(db, before)


def test_what_was_not_ours_stays(db: Database) -> None:
    """A user's own table with such a name is neither used nor dropped."""
    db.load("sqldiag_1", ["a", "b"], [(1, 2), (3, 4)])
    before = db.tables()
    with sqldiag.connect(db.url) as database:
        assert ask(database).searched.source.rows == len(ROWS)
        theirs = database.table("sqldiag_1").borders(require=["k >= 2"])
        assert theirs.searched.source.rows == 2
    nothing_left(db, before)
    assert sorted(db.query("SELECT * FROM sqldiag_1")) == [(1, 2), (3, 4)]


class At:
    """Acts once, after the n-th statement that matches."""

    def __init__(self, number: int, act: Callable[[Executed], None], kind: Kind) -> None:
        self.number, self.act, self.kind = number, act, kind

    def __call__(self, executed: Executed) -> None:
        if executed.statement.kind is self.kind:
            self.number -= 1
            if self.number == 0:
                self.act(executed)


def interrupt(_: object) -> None:
    raise Cancelled("cancelled")


def test_cancelled_on_the_way(db: Database) -> None:
    before = db.tables()
    with sqldiag.connect(db.url) as database:
        answer = database.table("t").borders(require=["k >= 3"], progress=interrupt)
        assert answer.searched.cancelled
        assert not answer.searched.complete
        again = ask(database)
        assert again.searched.complete
        assert again.searched.cost.base_scans == 0
    nothing_left(db, before)


@pytest.mark.parametrize("number", [1, 2, 4])
def test_cancelled_while_rolling_up(db: Database, number: int) -> None:
    """Nothing is known yet, so there is no answer; the next question works, and from scratch."""
    before = db.tables()
    with sqldiag.connect(db.url, listener=At(number, interrupt, Kind.ROLLUP)) as database:
        with pytest.raises(Cancelled):
            ask(database)
        assert inside(database, db.engine) == set(), "half a roll-up is of no use"
        assert ask(database).searched.complete
    nothing_left(db, before)


def test_failed_on_the_way(db: Database) -> None:
    """The roll-up is dropped under it, or its connection cut: the next statement fails."""
    before = db.tables()
    opened: list[sqldiag.Database] = []

    def spoil(_: Executed) -> None:
        if isinstance(db, PostgresDatabase):
            db.query(BACKENDS)
            return
        for name in inside(opened[0], "duckdb"):
            drop = Statement(sql=f"DROP TABLE sqldiag_rollups.{name}", purpose="spoil")
            opened[0].session.connection.run(drop)

    with sqldiag.connect(db.url, listener=At(1, spoil, Kind.DIAGNOSIS)) as database:
        opened.append(database)
        with pytest.raises(SqldiagError):
            ask(database)
    nothing_left(db, before)


def test_failed_on_the_data(db: Database) -> None:
    """A view that fails on some row: the first statement fails, and the session goes on."""
    db.execute("CREATE VIEW broken AS SELECT a, CAST(CAST(d AS TEXT) || 'x' AS INT) AS b FROM t")
    before = db.tables()
    with sqldiag.connect(db.url) as database:
        with pytest.raises(CannotRun):
            ask(database, "broken")
        assert inside(database, db.engine) == set()
        assert ask(database).searched.complete
    nothing_left(db, before)


# What follows is about Postgres, whose transaction could write.


@pytest.fixture
def _sleepy(postgres_db: PostgresDatabase) -> None:
    postgres_db.load("t", COLUMNS, ROWS)
    postgres_db.execute("CREATE VIEW sleepy AS SELECT a, b FROM t, pg_sleep(30)")


@pytest.mark.parametrize("db", ["postgres"], indirect=True)
@pytest.mark.usefixtures("_sleepy")
def test_a_timeout(db: Database) -> None:
    before = db.tables()
    with sqldiag.connect(f"{db.url}&options=-c%20statement_timeout%3D300") as database:
        with pytest.raises(CannotRun, match="longer than the server allows"):
            ask(database, "sleepy")
        assert inside(database, "postgres") == set()
        assert ask(database).searched.complete
    nothing_left(db, before)


@pytest.mark.parametrize("db", ["postgres"], indirect=True)
def test_it_leaves_reading_only_to_make_a_temporary_table(db: Database) -> None:
    """After every statement the transaction can only read; before that, one of ours was made."""
    states: list[object] = []

    def look(executed: Executed) -> None:
        if executed.statement.kind in (Kind.ROLLUP, Kind.DIAGNOSIS):
            show = Statement(sql=SHOW, purpose="look", kind=Kind.SETUP)
            states.append(opened[0].session.connection.run(show)[0][0])
            check_script(executed)

    opened: list[sqldiag.Database] = []
    with sqldiag.connect(db.url, listener=look) as database:
        opened.append(database)
        ask(database)
        database.table("t").subsets(measures=["distinct_l(d)"])
        database.query("SELECT * FROM t").borders(require=["k >= 3"])
    assert set(states) == {"on"}
    assert len(states) > 20


def check_script(executed: Executed) -> None:
    """Between the end of one read-only part and the begin of the next: one temporary object."""
    script, statement = executed.script, executed.statement
    if statement.kind is not Kind.ROLLUP:
        assert script == (statement.sql,)
        return
    assert script[0] == "RELEASE SAVEPOINT sqldiag_reads"
    end = script.index("SET TRANSACTION READ ONLY")
    [made] = [sql for sql in script[:end] if not sql.startswith(("SAVEPOINT", "RELEASE"))]
    assert made.startswith(("CREATE TEMPORARY TABLE sqldiag_", "DROP TABLE pg_temp.sqldiag_")), made
    assert made.endswith("WITH NO DATA") == statement.runs_foreign_code
    filled = script[end + 1 :]
    assert len(filled) == statement.runs_foreign_code
    assert all(sql.startswith("INSERT INTO pg_temp.sqldiag_") for sql in filled)


@pytest.mark.parametrize("db", ["postgres"], indirect=True)
def test_nothing_can_be_written_through_a_search(db: Database) -> None:
    db.execute(
        "CREATE FUNCTION writes(i INT) RETURNS INT LANGUAGE plpgsql AS "
        "'BEGIN INSERT INTO t VALUES (i, i, i, i); RETURN i; END';"
        "CREATE VIEW sly AS SELECT writes(a) AS a, b FROM t"
    )
    sly = "SELECT writes(a) AS a, b FROM t"
    with sqldiag.connect(db.url) as database:
        for relation in (
            database.table("sly"),
            database.query(sly),
            database.table("t", where="writes(a) > 0"),
        ):
            with pytest.raises(CannotRun, match="read-only transaction"):
                relation.borders(require=["k >= 1"])
            with pytest.raises(CannotRun, match="read-only transaction"):
                relation.subsets()
        ask(database)
        for sql in ("INSERT INTO t VALUES (1, 1, 1, 1)", "DROP TABLE t", "CREATE TABLE u (a INT)"):
            with pytest.raises(CannotRun, match="read-only transaction"):
                database.session.connection.run(Statement(sql=sql, purpose="write"))
        assert ask(database).searched.complete
    assert db.query("SELECT COUNT(*) FROM t") == [(len(ROWS),)]


@pytest.mark.parametrize("db", ["postgres"], indirect=True)
def test_one_snapshot_whatever_fails(db: Database) -> None:
    """What others write is not seen, not even after a statement of the session failed."""
    db.execute("CREATE VIEW broken AS SELECT a, 1 / (d - 7) AS b FROM t")
    with sqldiag.connect(db.url) as database:
        first = ask(database)
        db.execute("INSERT INTO t SELECT a, b, c, d + 100 FROM t")
        with pytest.raises(CannotRun):
            ask(database, "broken")
        second = ask(database)
        assert second.searched.source.rows == first.searched.source.rows == len(ROWS)
        assert (second.safe, second.unsafe) == (first.safe, first.unsafe)
