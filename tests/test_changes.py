"""Others write, truncate, alter and drop while we look: one snapshot, or exit code 3."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

import psycopg
import pytest

import sqldiag
from sqldiag.answers import Curve
from sqldiag.engines.base import Executed, Kind
from sqldiag.errors import CannotRun
from tests import oracle
from tests.databases import PostgresDatabase
from tests.oracle import M, R
from tests.tables import close

ROWS = [(i % 3, i % 2, i) for i in range(30)]
COLUMNS = ("a", "b", "c")
Ask = Callable[[sqldiag.Table], object]
ASKS: dict[str, Ask] = {
    "check": lambda table: table.check(qi=["a", "b"], require=["k >= 2"]),
    "measure": lambda table: table.measure(qi=["a"], sensitive=["b"], examples=2),
    "borders": lambda table: table.borders(among=["a", "b"], require=["k >= 2"]),
    "subsets": lambda table: table.subsets(among=["a", "b"]),
}
EVERY_ASK = pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS)

# What happens to the table after we found it and before we read it.
DDL = {
    "dropped": "DROP TABLE t CASCADE",
    "a column dropped": "ALTER TABLE t DROP COLUMN a CASCADE",
    "a column renamed": "ALTER TABLE t RENAME COLUMN a TO z",
    "renamed": "ALTER TABLE t RENAME TO u",
    "retyped": "ALTER TABLE t ALTER a TYPE TEXT",
    "truncated": "TRUNCATE t",
    "filled anew": "TRUNCATE t; INSERT INTO t SELECT 1, 1, 1 FROM generate_series(1, 9)",
    "made anew": "DROP TABLE t; CREATE TABLE t AS SELECT 1 AS a, 1 AS b, 1 AS c",
}


@pytest.fixture
def t(postgres_db: PostgresDatabase) -> PostgresDatabase:
    postgres_db.load("t", COLUMNS, ROWS)
    # A test that would wait for itself fails.
    postgres_db.execute("SET lock_timeout = '5s'")
    return postgres_db


def when(kind: Kind, act: Callable[[], object], *, purpose: str = "") -> Callable[[Executed], None]:
    """A listener that acts once, after the first statement of a kind."""
    done: list[bool] = []

    def listen(executed: Executed) -> None:
        if not done and executed.statement.kind is kind and purpose in executed.statement.purpose:
            done.append(True)
            act()

    return listen


@EVERY_ASK
@pytest.mark.parametrize("change", DDL.values(), ids=DDL)
def test_changed_before_it_is_read(t: PostgresDatabase, change: str, ask: Ask) -> None:
    listener = when(Kind.CATALOGUE, lambda: t.execute(change))
    with sqldiag.connect(t.url, listener=listener) as database:
        table = database.table("t")
        with pytest.raises(CannotRun, match=r"changed (or dropped )?during the diagnosis; run it"):
            ask(table)


@EVERY_ASK
def test_a_part_of_a_view_is_truncated(t: PostgresDatabase, ask: Ask) -> None:
    """The worst: rows are there, and some are missing."""
    t.load("more", COLUMNS, ROWS)
    t.execute("CREATE VIEW united AS SELECT * FROM t UNION ALL SELECT * FROM more")
    for relation in ("united", None):
        t.execute("INSERT INTO more SELECT * FROM t")
        # A query is read for its columns first, and what it reads is locked by that.
        listener = when(Kind.SETUP, lambda: t.execute("TRUNCATE more"), purpose="endless")
        with sqldiag.connect(t.url, listener=listener) as database:
            table = (
                database.table(relation)
                if relation
                else database.query("SELECT * FROM t UNION ALL SELECT * FROM more")
            )
            with pytest.raises(CannotRun, match=r"more was changed during the diagnosis"):
                ask(table)


def test_partitions_that_come(postgres_db: PostgresDatabase) -> None:
    db = postgres_db
    db.execute(
        "CREATE TABLE t (a INT, b INT) PARTITION BY LIST (b);"
        "CREATE TABLE t0 PARTITION OF t FOR VALUES IN (0); INSERT INTO t VALUES (1, 0), (1, 0);"
        "CREATE TABLE t1 (a INT, b INT); INSERT INTO t1 VALUES (1, 1), (2, 1)"
    )
    attach = when(
        Kind.CATALOGUE, lambda: db.execute("ALTER TABLE t ATTACH PARTITION t1 FOR VALUES IN (1)")
    )
    with sqldiag.connect(db.url, listener=attach) as database:
        table = database.table("t")
        with pytest.raises(CannotRun, match=r"t was changed during the diagnosis"):
            table.measure(qi=["a"])
    truncate = when(Kind.CATALOGUE, lambda: db.execute("TRUNCATE t1"), purpose="find")
    with sqldiag.connect(db.url, listener=truncate) as database:
        table = database.table("t")
        with pytest.raises(CannotRun, match=r"t1 was changed during the diagnosis"):
            table.measure(qi=["a"])


@EVERY_ASK
def test_what_does_no_harm(t: PostgresDatabase, ask: Ask) -> None:
    """Indexes, statistics, new columns and other tables come and go."""
    harmless = (
        "CREATE INDEX ON t (a); ANALYZE t; ALTER TABLE t ADD COLUMN d INT; ALTER TABLE t ADD e INT"
        " DEFAULT 5; CREATE TABLE other AS SELECT 1 AS a; COMMENT ON TABLE t IS 'x';"
        "INSERT INTO t VALUES (7, 7, 7); DELETE FROM t WHERE a = 1"
    )
    listener = when(Kind.CATALOGUE, lambda: t.execute(harmless))
    with sqldiag.connect(t.url, listener=listener) as database:
        ask(database.table("t"))
        assert database.table("t").measure(qi=["a"]).source.rows == len(ROWS)
        assert database.table("t").measure(qi=["a"]).value() == 10


@EVERY_ASK
def test_what_was_read_stays(t: PostgresDatabase, ask: Ask) -> None:
    """After the first read nobody can drop or rewrite it until we are done."""
    tried: list[str] = []

    def try_it() -> None:
        with t.server.connect(t.name) as other:
            other.execute("SET lock_timeout = '50ms'")
            for change in ("DROP TABLE t", "TRUNCATE t", "ALTER TABLE t DROP COLUMN a"):
                with pytest.raises(psycopg.errors.LockNotAvailable):
                    other.execute(change)
                tried.append(change)

    first: list[bool] = []

    def listen(executed: Executed) -> None:
        if executed.statement.reads_base and not first:
            first.append(True)
            try_it()

    with sqldiag.connect(t.url, listener=listen) as database:
        ask(database.table("t"))
    assert len(tried) == 3


# A writer that never rests.

Row = dict[str, object]


def state(number: int) -> list[Row]:
    """What the table holds after so many commits: never twice the same in a row."""
    return [
        {
            "a": (number * 7 + i * i) % 3,
            "b": (number + i) % 4,
            "s": "xyz"[(number * i) % 3],
            "p": i // 2,
        }
        for i in range(20 + number % 17)
    ]


@dataclass
class Writer:
    """Replaces all rows in one transaction of several statements, again and again."""

    db: PostgresDatabase
    commits: int = 0
    _over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        with psycopg.connect(self.db.url, autocommit=True) as connection:
            while not self._over.wait(0.002):
                self.write(connection, self.commits + 1)
                self.commits += 1

    def write(self, connection: psycopg.Connection, number: int) -> None:
        rows = [tuple(row.values()) for row in state(number)]
        half = len(rows) // 2
        insert = f"INSERT INTO t VALUES (%s, %s, %s, %s, {number})"
        with connection.transaction(), connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM t WHERE number < {number} AND a < 2")
            cursor.executemany(insert, rows[:half])
            cursor.execute(f"DELETE FROM t WHERE number < {number}")
            cursor.executemany(insert, rows[half:])

    @contextmanager
    def writing(self) -> Iterator[None]:
        thread = threading.Thread(target=self.run)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join(30)


K = R(M("k"), 3)


def same_curve(ours: Curve, theirs: Sequence[tuple[oracle.Number, Fraction]]) -> bool:
    return len(ours) == len(theirs) and all(
        close(value, value_) and close(need, need_)
        for (value, need), (value_, need_) in zip(ours, theirs, strict=True)
    )


def answered(database: sqldiag.Database, turn: int) -> Callable[[list[Row]], bool]:
    """Ask one of several questions; the result says of a state whether the answer fits it."""
    table = database.table("t")
    if turn % 4 == 0:
        check = table.check(qi=["a", "b"], require=["k >= 3"], entity="p", examples=3)
        return lambda rows: (
            check.source.rows == len(rows)
            and check.rows_to_suppress == oracle.need(rows, ["a", "b"], [K], entity="p")
            and check.risk.classes == oracle.risk(rows, ["a", "b"]).classes
            and {example.values for example in check.examples or ()}
            <= {(row["a"], row["b"]) for row in rows}
        )
    if turn % 4 == 1:
        measured = table.measure(qi=["b"], measures=["k", "entropy_l(s)"], curve=True)
        return lambda rows: (
            measured.source.rows == len(rows)
            and all(
                same_curve(one.curve or (), points)
                for one, points in (
                    (measured.measures[0], oracle.curve(rows, ["b"], M("k"))),
                    (measured.measures[1], oracle.curve(rows, ["b"], M("entropy_l", "s"))),
                )
            )
        )
    if turn % 4 == 2:
        found = table.borders(among=["a", "b", "s"], require=["k >= 3"])
        sides = (
            {one.quasi_identifiers for one in found.safe},
            {one.quasi_identifiers for one in found.unsafe},
        )
        return lambda rows: (
            found.searched.source.rows == len(rows)
            and oracle.borders(rows, ("a", "b", "s"), [K], Fraction(0)) == sides
        )
    sets = table.subsets(among=["a", "b", "s"], measures=["k"], require=["k >= 3"])
    levels = {one.quasi_identifiers: one.levels[0].value for one in sets.sets}
    return lambda rows: (
        sets.searched.source.rows == len(rows)
        and all(
            levels[names] == known.value
            for names, known in oracle.subsets(rows, ("a", "b", "s"), M("k")).items()
        )
    )


def test_two_hundred_diagnoses_under_a_writer(postgres_db: PostgresDatabase) -> None:
    db = postgres_db
    rows = [(*row.values(), 0) for row in state(0)]
    db.load("t", ["a", "b", "s", "p", "number"], rows)
    before = db.tables()
    writer = Writer(db)
    seen: set[int] = set()
    with writer.writing():
        for turn in range(200):
            first = writer.commits
            with sqldiag.connect(db.url) as database:
                fits = answered(database, turn)
            # The snapshot is one of those that were there meanwhile.
            matching = [n for n in range(first, writer.commits + 2) if fits(state(n))]
            assert matching, (turn, first, writer.commits)
            seen.add(matching[0])
    assert writer.commits > 50
    assert len(seen) > 50, "the writer was too slow for the test to mean anything"
    assert db.tables() == before
