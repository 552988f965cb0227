"""Values of rows and passwords: planted everywhere, and looked for in everything that comes out."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

import sqldiag
from sqldiag.engines.base import Executed, Kind, Statement
from tests.command import sqldiag as command
from tests.command import started
from tests.databases import Database, PostgresDatabase
from tests.postgres_server import Server

# One in every column, in every row a value that holds it.
COLUMNS = ("name", "zip", "sex", "diagnosis", "patient", "number", "born")
NUMBER = 90071992
ROWS = [
    (
        f"serinus-name-{i % 5}",
        f"serinus-zip-{i % 3}",
        f"serinus-sex-{i % 2}",
        f"serinus-diagnosis-{i % 4}",
        f"serinus-patient-{i // 2}",
        NUMBER + i % 3,
        f"1961-07-{10 + i % 3}",
    )
    for i in range(24)
]
CANARIES = ("serinus", str(NUMBER)[:6], "1961-07")
TYPES = dict(zip(COLUMNS, [*["TEXT"] * 5, "BIGINT", "DATE"], strict=True))

ROLES = ["--sensitive", "diagnosis", "--entity", "patient"]
REQUIRED = ["--require", "k >= 3", "--require", "distinct_l(diagnosis) >= 2"]
QUESTIONS = {
    "check": ["check", "--qi", "zip,sex,number,born", *ROLES, *REQUIRED, "--suppress", "10%"],
    "measure": ["measure", "--qi", "zip,sex", *ROLES, "--curve", "--identifier", "name"],
    "strict": ["measure", "--qi", "zip", "--sensitive", "diagnosis,name", "--strict-sensitive"],
    "borders": ["borders", "--identifier", "name", *ROLES, *REQUIRED],
    "subsets": ["subsets", "--exclude", "name", *ROLES, "--all", "--curve"],
}
# Each makes the database stumble over a value, or the user over a name.
BROKEN = (
    ["measure", "--qi", "zip", "--where", "CAST(zip AS INTEGER) > 1"],
    ["measure", "--qi", "zip", "--where", "1 / (number - number) > 1"],
    ["measure", "--qi", "zip", "--where", "CAST(diagnosis AS DATE) > born"],
    ["measure", "--qi", "zip", "--measure", "alpha(number, 'x')"],
    ["measure", "--qi", "zipp"],
    ["check", "--qi", "zip", "--require", "k >= many"],
    ["borders", "--require", "k >= 2", "--where", "CAST(name AS INTEGER) > 1"],
    ["subsets", "--where", "CAST(name AS INTEGER) > 1"],
    ["measure", "--qi", "zip", "--where", "number > 99999999999999999999999999999999999999999"],
)


@pytest.fixture
def planted(db: Database) -> Database:
    db.load("visits", TYPES, ROWS)
    return db


def clean(text: str) -> None:
    for canary in CANARIES:
        assert canary not in text, text[:2000]


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_value_in_any_output(planted: Database, name: str, tmp_path: Path) -> None:
    verb, *options = QUESTIONS[name]
    forms = [["--format", form] for form in ("text", "json", "csv", "markdown")]
    for more in (*forms, ["--verbose"], ["--explain"]):
        ran = command(verb, planted.url, "visits", *options, *more)
        assert ran.code in (0, 1), ran
        clean(ran.out + ran.err)
    file = tmp_path / "answer"
    assert command(verb, planted.url, "visits", *options, "--output", file).code in (0, 1)
    clean(file.read_text())


def test_the_canaries_sing(planted: Database) -> None:
    """They would be seen: --examples brings them out, and only that."""
    ran = command("measure", planted.url, "visits", "--qi", "zip,number,born", "--examples", "3")
    for canary in CANARIES:
        assert canary in ran.out


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: " ".join(broken[-2:]))
def test_no_value_in_any_message(planted: Database, broken: list[str]) -> None:
    verb, *options = broken
    for more in ([], ["--verbose"]):
        ran = command(verb, planted.url, "visits", *options, *more)
        assert ran.code in (0, 1, 2, 3)
        clean(ran.out + ran.err)


def test_no_value_in_an_exception(planted: Database) -> None:
    """Nor in what a notebook would show of it."""
    with sqldiag.connect(planted.url) as database:
        for where in ("CAST(zip AS INTEGER) > 1", "CAST(diagnosis AS DATE) > born"):
            with pytest.raises(sqldiag.SqldiagError) as caught:
                database.table("visits", where=where).measure(qi=["zip"])
            clean("".join(traceback.format_exception(caught.value)))
            clean(str(caught.value.sql))


def test_no_value_in_what_the_server_sees(postgres_db: PostgresDatabase) -> None:
    """Statements, names of temporary tables and of their columns, the title of the session."""
    db = postgres_db
    db.load("visits", TYPES, ROWS)
    seen: list[str] = []

    def look(executed: Executed) -> None:
        if executed.statement.kind in (Kind.ROLLUP, Kind.DIAGNOSIS):
            activity = "SELECT query, application_name FROM pg_stat_activity"
            mine = f"{activity} WHERE application_name LIKE '%sqldiag%'"
            seen.extend(str(row) for row in db.query(mine))
            inside = opened[0].session.connection
            seen.extend(str(name) for name in inside.run(_names()))

    opened: list[sqldiag.Database] = []
    with sqldiag.connect(db.url, listener=look) as database:
        opened.append(database)
        table = database.table("visits")
        table.check(qi=["zip", "sex"], require=["k >= 2"], sensitive=["diagnosis"])
        table.borders(require=["k >= 2"], sensitive=["diagnosis"], entity="patient")
        table.subsets(among=["zip", "sex", "born"], sensitive=["diagnosis"])
    assert any("sqldiag_" in text for text in seen), "no temporary table was seen"
    clean("\n".join(seen))


def _names() -> Statement:
    return Statement(
        sql="SELECT c.relname, a.attname FROM pg_class AS c JOIN pg_attribute AS a"
        " ON a.attrelid = c.oid WHERE c.relpersistence = 't' AND a.attnum > 0",
        purpose="look",
        kind=Kind.SETUP,
    )


# Passwords.

SECRET = "s3cr3t-serinus"


@pytest.fixture(scope="module")
def locked(listening_postgres: Server) -> Iterator[Server]:
    server = listening_postgres
    with server.connect() as connection:
        connection.execute(
            f"DROP ROLE IF EXISTS holder; CREATE ROLE holder LOGIN PASSWORD '{SECRET}';"
            "CREATE TABLE IF NOT EXISTS locked AS SELECT 1 AS a, 2 AS b;"
            "GRANT SELECT ON locked TO holder"
        )
    yield server
    with server.connect() as connection:
        connection.execute("DROP TABLE locked; DROP ROLE holder")


@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown"])
def test_no_password_in_any_output(locked: Server, form: str) -> None:
    url = locked.tcp_url("holder", SECRET)
    for verb, options in {
        "check": ["--qi", "a", "--require", "k >= 1"],
        "measure": ["--qi", "a"],
        "borders": ["--require", "k >= 1"],
        "subsets": [],
    }.items():
        for more in ([], ["--verbose"], ["--explain"]):
            ran = command(verb, url, "locked", *options, "--format", form, *more)
            assert ran.code == 0, ran
            assert SECRET not in ran.out + ran.err


def test_no_password_in_any_message(locked: Server) -> None:
    good = locked.tcp_url("holder", SECRET)
    for url in (
        good.replace(SECRET, f"not-{SECRET}"),
        good.replace("/postgres", "/nowhere"),
        good.replace(str(locked.port), "1"),
        good.replace("127.0.0.1", "host.invalid"),
        good.replace("postgresql", "postgresq"),
        f"{good}?nonsense={SECRET}",
        f"{good}?sslmode=require",
        f"{good}?options=-c%20nonsense%3D1",
        f"postgresql://127.0.0.1:{locked.port}/postgres?user=holder&password=x{SECRET}",
        f"mysql://u:{SECRET}@h/d",
        f"duckdb://u:{SECRET}@h/d",
        f"duckdb:///nowhere.duckdb?password={SECRET}",
        f"duckdb:///:memory:?motherduck_token={SECRET}",
        f"duckdb:///:memory:?threads={SECRET}",
    ):
        ran = command("measure", url, "locked", "--qi", "a", "--verbose")
        assert ran.code in (2, 3), url
        assert SECRET not in ran.out + ran.err, ran
        with pytest.raises(sqldiag.SqldiagError) as caught:
            sqldiag.connect(url)
        assert SECRET not in repr(caught.value)


def test_no_password_in_the_title_of_the_process(locked: Server) -> None:
    """Neither where `ps` looks nor in what the server calls the session."""
    url = locked.tcp_url("holder", SECRET)
    slow = ["measure", url, "--query", "SELECT 1 AS a FROM pg_sleep(30)", "--qi", "a"]
    with started(*slow) as process:
        asleep = "SELECT pid, query, application_name FROM pg_stat_activity"
        asleep += " WHERE wait_event = 'PgSleep'"
        with locked.connect() as connection:
            rows: list[tuple[object, ...]] = []
            while not rows:
                assert process.poll() is None
                rows = connection.execute(asleep).fetchall()
        title = Path(f"/proc/{process.pid}/cmdline").read_bytes()
        backend = Path(f"/proc/{rows[0][0]}/cmdline").read_bytes()
        process.terminate()
        _, err = process.communicate(timeout=20)
    assert b"measure" in title
    assert b"holder:*" in title
    assert SECRET.encode() not in title + backend
    assert SECRET not in err + str(rows)
