"""Where no temporary table may be made, a search still answers, and says what that costs."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from fractions import Fraction

import pytest

import sqldiag
from sqldiag.engines.base import Kind
from tests import oracle
from tests.command import sqldiag as command
from tests.databases import PostgresDatabase
from tests.oracle import How, M, R
from tests.postgres_server import Server
from tests.statements import BASE, Sent
from tests.tables import close, requirement

COLUMNS = ("a", "b", "c", "d", "e")
ALL = (*COLUMNS, "s", "p")
ROWS = [
    (i % 2, i % 3, None if i % 11 == 0 else i % 5, "xyz"[i * i % 3], i // 9, "uvw"[i % 3], i // 2)
    for i in range(60)
]
DICTS = [dict(zip(ALL, row, strict=True)) for row in ROWS]
NOTE = "every step reads the whole relation again"
NAME = "without_temp"


class Standby(Server):
    """A hot standby of another server: a copy that follows it, and can only be read."""

    def __init__(self, primary: Server) -> None:
        self._primary = primary
        super().__init__()

    def _initdb(self) -> None:
        subprocess.run(
            [
                *self._command,
                self._binaries / "pg_basebackup",
                f"--pgdata={self._data}",
                f"--dbname={self._primary.url()}",
                "--write-recovery-conf",
                "--checkpoint=fast",
                "--no-sync",
            ],
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
        )


@pytest.fixture(scope="module")
def loaded(postgres: Server) -> Iterator[PostgresDatabase]:
    database = PostgresDatabase(postgres, NAME)
    database.load(BASE, ALL, ROWS)
    database.execute(
        f"REVOKE TEMPORARY ON DATABASE {NAME} FROM PUBLIC;"
        "DROP ROLE IF EXISTS no_temp; CREATE ROLE no_temp LOGIN;"
        "DROP ROLE IF EXISTS read_only; CREATE ROLE read_only LOGIN;"
        f"ALTER ROLE read_only SET default_transaction_read_only = on;"
        f"GRANT TEMPORARY ON DATABASE {NAME} TO read_only;"
        f"GRANT SELECT ON {BASE} TO no_temp, read_only"
    )
    yield database
    database.drop()


@pytest.fixture(scope="module")
def standby(loaded: PostgresDatabase) -> Iterator[Server]:
    with Standby(loaded.server) as server:
        yield server


@pytest.fixture(params=["no privilege", "read-only role", "standby"])
def url(request: pytest.FixtureRequest, loaded: PostgresDatabase) -> str:
    if request.param == "standby":
        server: Server = request.getfixturevalue("standby")
        with server.connect(NAME) as connection:
            assert connection.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)
        return server.url(NAME)
    role = "no_temp" if request.param == "no privilege" else "read_only"
    return loaded.server.url(NAME, user=role)


K, MIXED = R(M("k"), 3), R(M("frequency_l", "s"), 2)
QUESTIONS: list[tuple[list[R], Fraction, int | None, str | None]] = [
    ([K], Fraction(0), None, None),
    ([K], Fraction(1, 5), None, None),
    ([K], Fraction(1, 10), 2, "p"),
    ([K, MIXED], Fraction(1, 4), None, None),
    ([MIXED], Fraction(0), 3, "p"),
]


@pytest.mark.parametrize(("required", "share", "max_size", "entity"), QUESTIONS)
def test_borders(
    url: str, required: list[R], share: Fraction, max_size: int | None, entity: str | None
) -> None:
    how: How = {"entity": entity}
    expected = oracle.borders(DICTS, COLUMNS, required, share, max_size=max_size, **how)
    sent = Sent()
    with sqldiag.connect(url, listener=sent) as database:
        for strategy in ("auto", "apriori"):
            sent.clear()
            answer = database.table(BASE).borders(
                among=COLUMNS,
                require=[requirement(r) for r in required],
                suppress=share,
                max_size=max_size,
                entity=entity,
                strategy=strategy,
            )
            safe = {found.quasi_identifiers for found in answer.safe}
            unsafe = {found.quasi_identifiers for found in answer.unsafe}
            assert (safe, unsafe) == expected
            searched = answer.searched
            assert searched.complete
            assert sum(NOTE in note for note in searched.notes) == 1
            assert (searched.source.rows, searched.cost.rollups) == (len(ROWS), 0)
            assert searched.source.null_rows == oracle.null_rows(DICTS, COLUMNS)
            assert sent.reads == searched.cost.base_scans >= 2
            assert not sent.of(Kind.ROLLUP)


@pytest.mark.parametrize("entity", [None, "p"])
def test_subsets(url: str, entity: str | None) -> None:
    for measure, name in ((M("k"), "k"), (M("entropy_l", "s"), "entropy_l(s)")):
        expected = oracle.subsets(DICTS, COLUMNS, measure, requirements=[K], entity=entity)
        with sqldiag.connect(url) as database:
            answer = database.table(BASE).subsets(
                among=COLUMNS, measures=[name], require=["k >= 3"], entity=entity, curve=True
            )
        assert answer.searched.complete
        assert [NOTE in note for note in answer.searched.notes] == [True]
        assert {found.quasi_identifiers for found in answer.sets} == set(expected)
        for found in answer.sets:
            theirs = expected[found.quasi_identifiers]
            [level] = found.levels
            assert close(level.value, theirs.value)
            assert found.risk is not None
            assert found.risk.classes == theirs.classes
            assert found.null_rows == oracle.null_rows(DICTS, found.quasi_identifiers)
            assert found.suppression_needed == float(theirs.suppression_needed or 0)
            assert level.curve is not None
            assert len(level.curve) == len(theirs.curve)


def test_the_command_line_says_so(url: str) -> None:
    arguments = [url, BASE, "--among", ",".join(COLUMNS), "--require", "k >= 3"]
    ran = command("borders", *arguments)
    assert ran.code == 0
    assert NOTE in ran.out
    body = json.loads(command("borders", *arguments, "--format", "json").out)
    assert [NOTE in note for note in body["notes"]] == [True]
    assert body["cost"]["rollups"] == 0
    explained = command("borders", *arguments, "--explain")
    assert explained.code == 0
    assert "CREATE TEMPORARY" not in explained.out
    assert NOTE not in command("measure", url, BASE, "--qi", "a,b").out


def test_the_standby_follows(loaded: PostgresDatabase, standby: Server) -> None:
    """It is a real one: what the primary writes arrives, and a diagnosis there sees it."""
    loaded.load("later", ["a"], [(1,), (1,), (2,)])
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with standby.connect(NAME) as connection:
            if connection.execute("SELECT to_regclass('later')").fetchone() != (None,):
                break
        time.sleep(0.05)
    with sqldiag.connect(standby.url(NAME)) as database:
        answer = database.table("later").borders(require=["k >= 2"])
    assert [found.quasi_identifiers for found in answer.unsafe] == [("a",)]
