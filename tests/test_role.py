"""The documented role: it is enough for everything, and nothing can be written with it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from sqldiag.cli.main import build
from tests.command import Ran
from tests.command import sqldiag as command
from tests.databases import DuckDBDatabase, PostgresDatabase

PAGE = Path(__file__).parent.parent / "docs" / "production.md"
COLUMNS = ("age", "sex", "ward", "patient")
ROWS = [(i % 7, "FM"[i % 2], "abc"[i % 3], i // 2) for i in range(60)]

QUESTIONS = {
    "check": ["--qi", "age,sex", "--require", "k >= 1"],
    "measure": ["--qi", "age", "--measure", "distinct_l(ward)", "--curve"],
    "borders": ["--require", "k >= 1"],
    "subsets": ["--among", "age,sex,ward"],
}


def documented() -> str:
    found = re.search(r"```sql\n(CREATE ROLE.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


# What a superuser has lying about: tables, sequences, functions that write.
TRAPS = """
CREATE TABLE victims AS SELECT 1 AS a;
CREATE SEQUENCE numbers;
CREATE FUNCTION writes(INT) RETURNS INT LANGUAGE plpgsql SECURITY DEFINER AS
  'BEGIN INSERT INTO victims VALUES ($1); RETURN $1; END';
CREATE FUNCTION drops() RETURNS INT LANGUAGE plpgsql SECURITY DEFINER AS
  'BEGIN EXECUTE ''DROP TABLE victims''; RETURN 1; END';
CREATE FUNCTION frees() RETURNS TEXT LANGUAGE sql SECURITY DEFINER AS
  'SELECT set_config(''transaction_read_only'', ''off'', true)';
CREATE EXTENSION dblink;
CREATE VIEW sly AS SELECT writes(age) AS age, sex, ward, patient FROM admissions;
GRANT SELECT ON sly, victims TO PUBLIC; GRANT ALL ON victims, numbers TO PUBLIC;
"""


@pytest.fixture
def db(postgres_db: PostgresDatabase) -> Iterator[PostgresDatabase]:
    postgres_db.load("admissions", COLUMNS, ROWS)
    postgres_db.execute("DROP ROLE IF EXISTS diagnosis")
    postgres_db.execute(f"REVOKE ALL ON DATABASE {postgres_db.name} FROM PUBLIC")
    postgres_db.execute(documented().replace("clinic", postgres_db.name))
    yield postgres_db
    postgres_db.execute("DROP OWNED BY diagnosis; DROP ROLE diagnosis")


@pytest.mark.parametrize("verb", QUESTIONS)
def test_everything_works_with_it(db: PostgresDatabase, verb: str) -> None:
    url = db.server.url(db.name, user="diagnosis")
    arguments = [verb, url, "admissions", *QUESTIONS[verb]]
    more = [[], ["--entity", "patient"], ["--where", "age > 1"], ["--explain"], ["--verbose"]]
    more += [["--timeout", "5", "--lock-timeout", "1", "--work-mem", "4MB", "--threads", "2"]]
    if verb in ("check", "measure"):
        more += [["--examples", "2"], ["--suppress", "10%"]]
    for options in more:
        asked = [*arguments, *options]
        if verb == "subsets" and options == ["--entity", "patient"]:
            asked = [*asked, "--require", "k >= 1"]
        ran = command(*asked)
        assert ran.code == 0, ran
    query = ["--query", "SELECT age, sex, ward FROM admissions WHERE age < 6"]
    assert command(verb, url, *query, *QUESTIONS[verb]).code == 0
    if verb in ("borders", "subsets"):
        body = json.loads(command(*arguments, "--format", "json").out)
        assert body["cost"]["rollups"] >= 1, "it may make temporary tables"
        db.execute(f"REVOKE TEMPORARY ON DATABASE {db.name} FROM diagnosis")
        body = json.loads(command(*arguments, "--format", "json").out)
        assert body["cost"]["rollups"] == 0
        assert "temporary tables are not allowed" in body["notes"][0]
    # And the role can do no more than that.
    db.execute("CREATE TABLE other AS SELECT 1 AS a")
    assert command("measure", url, "other", "--qi", "a").code == 3


# Whatever is tried through an option; as a value, a name, a piece of SQL.
ATTACKS = (
    'x"; DROP TABLE victims; --',
    "'; DELETE FROM victims; --",
    "1 = 1; COMMIT; DROP TABLE victims",
    "TRUE) ; INSERT INTO victims VALUES (2); SELECT (TRUE",
    "age = 1 UNION SELECT writes(1)",
    "writes(5) > 0",
    "drops() = 1",
    "frees() = 'off' AND writes(6) > 0",
    "EXISTS (WITH gone AS (DELETE FROM victims RETURNING *) SELECT 1 FROM gone)",
    "age IN (INSERT INTO victims VALUES (3) RETURNING a)",
    "nextval('numbers') > 0",
    "pg_catalog.\"nextval\"('numbers') > 0",
    "setval('numbers', 99) > 0",
    "query_to_xml('SELECT nextval(''numbers'')', true, true, '') IS NOT NULL",
    "dblink_exec('dbname=' || current_database(), 'DELETE FROM victims') = 'x'",
    "(SELECT COUNT(*) FROM dblink('', 'SELECT 1') AS d(a INT)) = 1",
    "lo_from_bytea(0, 'x') > 0",
    "lo_export(1, '/tmp/x') > 0",
    "set_config('transaction_read_only', 'off', true) = 'off' AND writes(7) > 0",
    "pg_advisory_lock(1) IS NULL",
    "pg_notify('a', 'b') IS NULL",
    "pg_terminate_backend(pg_backend_pid())",
    "pg_read_file('/etc/passwd') <> ''",
    "SELECT * INTO copied FROM admissions",
    "SELECT age FROM admissions FOR UPDATE",
    "COPY admissions TO '/tmp/x'",
    "SELECT writes(1) AS age, sex, ward FROM admissions",
    "DROP TABLE victims",
    "CALL drops()",
    "k >= 1; DROP TABLE victims",
    "alpha(ward, 'a''); DROP TABLE victims; --') <= 1",
    'distinct_l("ward""; DROP TABLE victims; --") >= 1',
)


def options_of(verb: str) -> list[str]:
    """Every option of a command that takes a text."""
    group = get_command(build())
    assert isinstance(group, typer.core.TyperGroup)
    command_ = group.commands[verb]
    return [
        parameter.opts[0]
        for parameter in command_.params
        if isinstance(parameter, typer.core.TyperOption)
        and not parameter.is_flag
        and parameter.opts[0] not in ("--output", "--help")
    ]


def tried(attacks: Sequence[str], verb: str) -> Iterator[tuple[str, str]]:
    """All attacks where SQL is taken; where it is not, some that would break out of a name."""
    for option in options_of(verb):
        takes_sql = option in ("--query", "--where")
        for attack in attacks if takes_sql else (*attacks[:2], *attacks[-2:]):
            yield option, attack


def state(db: PostgresDatabase) -> dict[str, object]:
    return {
        "objects": db.tables(),
        "victims": db.query("SELECT * FROM victims"),
        "rows": db.query("SELECT COUNT(*), SUM(age) FROM admissions"),
        "sequence": db.query("SELECT last_value, is_called FROM numbers"),
        "large objects": db.query("SELECT COUNT(*) FROM pg_largeobject_metadata"),
        "locks": db.query("SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory'"),
        "settings": db.query("SELECT * FROM pg_db_role_setting ORDER BY 1, 2"),
    }


def ended_well(ran: Ran) -> None:
    assert ran.code in (0, 1, 2, 3)
    assert "Traceback" not in ran.err
    assert "mistake in sqldiag" not in ran.err, ran


@pytest.mark.parametrize("role", ["diagnosis", "postgres"])
@pytest.mark.parametrize("verb", QUESTIONS)
def test_nothing_is_written_through_any_option(db: PostgresDatabase, verb: str, role: str) -> None:
    """By the documented role, nor by a superuser, who could."""
    db.execute(TRAPS)
    before = state(db)
    url = db.server.url(db.name, user=role)
    for option, attack in tried(ATTACKS, verb):
        # Where an option may repeat, it adds to what is asked.
        table = [] if option == "--query" else ["admissions"]
        ended_well(ran := command(verb, url, *table, *QUESTIONS[verb], option, attack))
        if option in ("--query", "--where"):
            assert ran.code in (2, 3), (option, attack, ran)
    for attack in ATTACKS[:4]:
        ended_well(command(verb, url, attack, *QUESTIONS[verb]))
        ended_well(command(verb, attack, "admissions", *QUESTIONS[verb]))
    assert command(verb, url, "sly", *QUESTIONS[verb]).code == 3
    assert state(db) == before


DUCKDB_ATTACKS = (
    'x"; DROP TABLE admissions; --',
    "1 = 1; COPY admissions TO 'stolen.csv'",
    "nextval('numbers') > 0",
    "'numbers'.nextval() > 0",
    "write_log('x') IS NULL",
    "EXISTS (SELECT * FROM query('SELECT 1'))",
    "EXISTS (FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1')))",
    "EXISTS (FROM force_checkpoint())",
    "COPY admissions TO 'stolen.csv'",
    "ATTACH 'new.duckdb' AS new",
    "EXPORT DATABASE 'stolen'",
    "INSTALL httpfs",
    "PRAGMA memory_limit='1MB'",
    "SET memory_limit = '1MB'",
    "CREATE TABLE copied AS SELECT * FROM admissions",
    "FROM (INSERT INTO admissions VALUES (1, 'F', 'a', 1) RETURNING *)",
    "getenv('HOME') <> ''",
)


@pytest.mark.parametrize("verb", QUESTIONS)
def test_nothing_is_written_on_duckdb(
    duckdb_db: DuckDBDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    monkeypatch.chdir(tmp_path)
    duckdb_db.load("admissions", COLUMNS, ROWS)
    duckdb_db.execute("CREATE SEQUENCE numbers; CREATE MACRO steps() AS nextval('numbers')")
    before = hashlib.sha256(duckdb_db.path.read_bytes()).hexdigest()
    for option, attack in tried(DUCKDB_ATTACKS, verb):
        table = [] if option == "--query" else ["admissions"]
        ended_well(ran := command(verb, duckdb_db.url, *table, *QUESTIONS[verb], option, attack))
        if option in ("--query", "--where"):
            assert ran.code in (2, 3), (option, attack, ran)
    assert command(verb, duckdb_db.url, "admissions", *QUESTIONS[verb],
                   "--where", "steps() > 0").code in (2, 3)  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == [duckdb_db.path.name]
    assert hashlib.sha256(duckdb_db.path.read_bytes()).hexdigest() == before
