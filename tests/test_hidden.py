"""Rows that the role cannot see: a warning or a failure, never a confident wrong number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import sqldiag
from tests.command import refused
from tests.command import sqldiag as command
from tests.databases import Database, DuckDBDatabase, PostgresDatabase

ROWS = [(i % 3, i % 2, "north" if i % 4 else "south") for i in range(24)]
COLUMNS = ("a", "b", "ward")
QUESTIONS = {
    "check": ["--qi", "a,b", "--require", "k >= 1"],
    "measure": ["--qi", "a"],
    "borders": ["--among", "a,b", "--require", "k >= 1"],
    "subsets": ["--among", "a,b"],
}
CUT = "leaves rows out (LIMIT, OFFSET or a sample): those are not diagnosed"


@pytest.fixture
def ward(postgres_db: PostgresDatabase) -> Iterator[PostgresDatabase]:
    """A table of which the nurse sees one ward, by policy."""
    postgres_db.load("visits", COLUMNS, ROWS)
    postgres_db.execute(
        "DROP ROLE IF EXISTS nurse; CREATE ROLE nurse LOGIN; GRANT SELECT ON visits TO nurse;"
        "DROP ROLE IF EXISTS keeper; CREATE ROLE keeper LOGIN; GRANT SELECT ON visits TO keeper;"
        "DROP ROLE IF EXISTS auditor; CREATE ROLE auditor LOGIN BYPASSRLS;"
        "GRANT SELECT ON visits TO auditor;"
        "ALTER TABLE visits ENABLE ROW LEVEL SECURITY;"
        "CREATE POLICY mine ON visits TO nurse USING (ward = 'south')"
    )
    yield postgres_db
    # Roles belong to the server: they go with what they own here.
    for role in ("nurse", "keeper", "auditor"):
        postgres_db.execute(f"DROP OWNED BY {role} CASCADE; DROP ROLE {role}")


def warned(url: str, *relation: str) -> list[str]:
    with sqldiag.connect(url) as database:
        if relation[0] == "--query":
            return list(database.query(relation[1]).measure(qi=["a"]).source.warnings)
        where = relation[2] if len(relation) > 2 else None
        return list(database.table(relation[0], where=where).measure(qi=["a"]).source.warnings)


def hides(table: str, role: str) -> str:
    return (
        f"row-level security is on for {table}: rows that its policies hide from {role} "
        "are not diagnosed"
    )


@pytest.mark.parametrize("verb", QUESTIONS)
def test_row_level_security_in_every_format(ward: PostgresDatabase, verb: str) -> None:
    url = ward.server.url(ward.name, user="nurse")
    arguments = [verb, url, "visits", *QUESTIONS[verb]]
    expected = hides("visits", "nurse")
    text = command(*arguments)
    assert text.code == 0
    assert f"warning: {expected}\n" in text.out
    assert text.out.startswith("visits: 6 rows in Postgres\n")
    body = json.loads(command(*arguments, "--format", "json").out)
    assert body["warnings"] == [expected]
    assert "warnings" not in body["source"]
    assert f"**warning: {expected}**" in command(*arguments, "--format", "markdown").out
    table = command(*arguments, "--format", "csv")
    assert "warning" not in table.out
    assert table.err == f"sqldiag: warning: {expected}\n"
    assert command(*arguments, "--format", "csv", "--quiet").err == ""


def test_whom_a_policy_concerns(ward: PostgresDatabase) -> None:
    def by(role: str, *relation: str) -> list[str]:
        return warned(ward.server.url(ward.name, user=role), *relation)

    assert by("nurse", "visits") == [hides("visits", "nurse")]
    assert by("nurse", "--query", "SELECT v.a FROM public.visits AS v") == [
        hides("visits", "nurse")
    ]
    assert by("auditor", "visits") == []
    assert by("postgres", "visits") == []
    # The owner is exempt, unless the policy is forced upon it.
    ward.execute("GRANT CREATE ON SCHEMA public TO keeper; ALTER TABLE visits OWNER TO keeper")
    assert by("keeper", "visits") == []
    ward.execute(
        "CREATE POLICY own ON visits TO keeper USING (TRUE);"
        "ALTER TABLE visits FORCE ROW LEVEL SECURITY"
    )
    assert by("keeper", "visits") == [hides("visits", "keeper")]


def test_policies_behind_views(ward: PostgresDatabase) -> None:
    """A view reads as its owner, one of the invoker as whoever asks; and so through views."""
    ward.execute(
        "GRANT CREATE ON SCHEMA public TO nurse;"
        "CREATE VIEW open AS SELECT * FROM visits;"
        "CREATE VIEW through AS SELECT * FROM open;"
        "CREATE VIEW invoked WITH (security_invoker = on) AS SELECT * FROM visits;"
        "CREATE VIEW hers AS SELECT * FROM visits; ALTER VIEW hers OWNER TO nurse;"
        "CREATE VIEW deep AS SELECT a FROM (SELECT h.a FROM hers AS h) AS x;"
        "CREATE MATERIALIZED VIEW stored AS SELECT * FROM visits;"
        "CREATE TABLE other (a INT); INSERT INTO other VALUES (1);"
        "GRANT SELECT ON open, through, invoked, hers, deep, stored, other TO nurse, auditor"
    )
    nurse = ward.server.url(ward.name, user="nurse")
    auditor = ward.server.url(ward.name, user="auditor")
    mine = [hides("visits", "nurse")]
    for relation, by_nurse, by_auditor in (
        ("open", [], []),
        ("through", [], []),
        ("invoked", mine, []),
        ("hers", mine, mine),
        ("deep", mine, mine),
        ("stored", [], []),
    ):
        assert warned(nurse, relation) == by_nurse, relation
        assert warned(auditor, relation) == by_auditor, relation
    within = "a IN (SELECT a FROM visits)"
    assert warned(nurse, "other", "where", within) == mine
    assert warned(nurse, "--query", f"WITH x AS (SELECT a FROM other WHERE {within}) TABLE x") == (
        mine
    )
    assert warned(nurse, "--query", "WITH visits AS (SELECT a FROM other) TABLE visits") == []


def test_security_that_would_fail_does(ward: PostgresDatabase) -> None:
    url = ward.server.url(ward.name, user="nurse") + "&options=-c%20row_security%3Doff"
    said = refused(command("measure", url, "visits", "--qi", "a"), 3)
    assert "row-level security policy" in said


VIEWS = {
    "LIMIT": ("SELECT * FROM t ORDER BY a LIMIT 7", 7),
    "OFFSET": ("SELECT * FROM t ORDER BY a OFFSET 20", 4),
    "within": ("SELECT x.a, x.b FROM (SELECT * FROM t ORDER BY a LIMIT 9) AS x", 9),
    "a step": ("WITH few AS (SELECT * FROM t ORDER BY a LIMIT 5) SELECT * FROM few", 5),
    "a side": ("SELECT a FROM t UNION ALL (SELECT a FROM t ORDER BY a LIMIT 3)", 27),
}
WHOLE = {
    "exists": "SELECT * FROM t WHERE EXISTS (SELECT 1 FROM t AS u WHERE u.a = t.a LIMIT 1)",
    "a value": "SELECT a, (SELECT b FROM t ORDER BY b LIMIT 1) AS b FROM t",
    "a name": "SELECT a AS \"limit\", 'LIMIT 5' AS b, a FROM t",
}


@pytest.mark.parametrize("kind", VIEWS)
def test_a_view_with_a_limit(db: Database, kind: str) -> None:
    query, rows = VIEWS[kind]
    db.load("t", COLUMNS, ROWS)
    db.execute(f"CREATE VIEW few AS {query}; CREATE VIEW above AS SELECT a FROM few")
    for view in ("few", "above"):
        assert warned(db.url, view) == [f"view few {CUT}"]
    assert warned(db.url, "--query", "SELECT a FROM few") == [f"view few {CUT}"]
    assert warned(db.url, "--query", query) == [f"--query {CUT}, and each statement may see others"]
    with sqldiag.connect(db.url) as database:
        assert database.table("few").measure(qi=["a"]).source.rows == rows


@pytest.mark.parametrize("kind", WHOLE)
def test_a_limit_that_leaves_nothing_out(db: Database, kind: str) -> None:
    db.load("t", COLUMNS, ROWS)
    db.execute(f"CREATE VIEW whole AS {WHOLE[kind]}")
    assert warned(db.url, "whole") == []
    assert warned(db.url, "--query", WHOLE[kind]) == []


def test_a_sample(db: Database) -> None:
    db.load("t", COLUMNS, ROWS)
    sample = {"duckdb": "100 PERCENT (bernoulli)", "postgres": "BERNOULLI (100)"}[db.engine]
    query = f"SELECT * FROM t TABLESAMPLE {sample}"
    db.execute(f"CREATE VIEW sampled AS {query}")
    assert warned(db.url, "sampled") == [f"view sampled {CUT}"]
    assert warned(db.url, "--query", query)[0].startswith("--query leaves rows out")


def test_a_partition_that_the_role_cannot_read(postgres_db: PostgresDatabase) -> None:
    """Read through its parent it counts, as the server has it; by itself it is refused."""
    postgres_db.execute(
        "DROP ROLE IF EXISTS clerk; CREATE ROLE clerk LOGIN;"
        "CREATE TABLE t (a INT, b INT) PARTITION BY LIST (b);"
        "CREATE TABLE t0 PARTITION OF t FOR VALUES IN (0);"
        "CREATE TABLE t1 PARTITION OF t FOR VALUES IN (1) PARTITION BY LIST (a);"
        "CREATE TABLE t1x PARTITION OF t1 DEFAULT;"
        "ALTER TABLE t0 ENABLE ROW LEVEL SECURITY;"
        "INSERT INTO t SELECT i % 3, i % 2 FROM generate_series(1, 30) AS i;"
        "GRANT SELECT ON t TO clerk"
    )
    url = postgres_db.server.url(postgres_db.name, user="clerk")
    try:
        with sqldiag.connect(url) as database:
            answer = database.table("t").measure(qi=["a", "b"])
        assert (answer.source.rows, answer.value(), answer.source.warnings) == (30, 5, ())
        said = refused(command("measure", url, "t0", "--qi", "a"), 3)
        assert "permission denied for table t0" in said
        assert "needs SELECT" in said
    finally:
        postgres_db.execute("DROP OWNED BY clerk; DROP ROLE clerk")


def test_columns_that_the_role_cannot_read(postgres_db: PostgresDatabase) -> None:
    postgres_db.load("t", COLUMNS, ROWS)
    postgres_db.execute(
        "DROP ROLE IF EXISTS clerk; CREATE ROLE clerk LOGIN; GRANT SELECT (a) ON t TO clerk"
    )
    url = postgres_db.server.url(postgres_db.name, user="clerk")
    try:
        assert warned(url, "t") == []
        for more in (["--qi", "a,b"], ["--qi", "a", "--where", "b = 1"]):
            assert "permission denied" in refused(command("measure", url, "t", *more), 3)
    finally:
        postgres_db.execute("DROP OWNED BY clerk; DROP ROLE clerk")


@pytest.fixture
def foreign(postgres_db: PostgresDatabase) -> tuple[PostgresDatabase, Path]:
    """A table in a file of the server's, alone and as a partition."""
    file = postgres_db.server.socket_dir / f"{postgres_db.name}.csv"
    file.write_text("".join(f"{a},{b}\n" for a, b, _ in ROWS))
    file.chmod(0o644)
    postgres_db.execute(
        "CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;"
        f"CREATE FOREIGN TABLE away (a INT, b INT) SERVER files OPTIONS (filename '{file}',"
        " format 'csv');"
        "CREATE TABLE parts (a INT, b INT) PARTITION BY LIST (b);"
        "CREATE TABLE near PARTITION OF parts FOR VALUES IN (7);"
        "INSERT INTO near VALUES (1, 7), (1, 7);"
        "CREATE FOREIGN TABLE far PARTITION OF parts DEFAULT SERVER files"
        f" OPTIONS (filename '{file}', format 'csv')"
    )
    return postgres_db, file


def test_a_foreign_table(foreign: tuple[PostgresDatabase, Path]) -> None:
    db, file = foreign
    said = "is a foreign table: its rows are elsewhere, outside of the snapshot"
    assert warned(db.url, "away") == [f"away {said}"]
    assert warned(db.url, "parts") == [f"far {said}"]
    with sqldiag.connect(db.url) as database:
        assert database.table("parts").measure(qi=["a"]).source.rows == len(ROWS) + 2
    file.unlink()
    for table in ("away", "parts"):
        for verb, options in QUESTIONS.items():
            said = refused(command(verb, db.url, table, *options), 3)
            assert "could not open file" in said
    file.write_text("1,canary\n")
    for table in ("away", "parts"):
        said = refused(command("measure", db.url, table, "--qi", "a,b"), 3)
        assert "failed while reading the data" in said
        assert "canary" not in said


def test_a_foreign_server_that_is_gone(postgres_db: PostgresDatabase) -> None:
    """Its failure is not taken for that of our own connection."""
    socket_dir = postgres_db.server.socket_dir
    postgres_db.load("t", COLUMNS, ROWS)
    postgres_db.execute(
        "CREATE EXTENSION postgres_fdw;"
        "CREATE SERVER there FOREIGN DATA WRAPPER postgres_fdw"
        f" OPTIONS (host '{socket_dir}', dbname '{postgres_db.name}');"
        "CREATE USER MAPPING FOR postgres SERVER there OPTIONS (user 'postgres');"
        "CREATE FOREIGN TABLE mirrored (a INT, b INT) SERVER there OPTIONS (table_name 't')"
    )
    with sqldiag.connect(postgres_db.url) as database:
        assert database.table("mirrored").measure(qi=["a"]).source.rows == len(ROWS)
    postgres_db.execute("ALTER SERVER there OPTIONS (SET host '/nowhere')")
    said = refused(command("measure", postgres_db.url, "mirrored", "--qi", "a"), 3)
    assert said.startswith("a foreign table cannot be read: could not connect to server")
    postgres_db.execute(f"ALTER SERVER there OPTIONS (SET host '{socket_dir}')")
    postgres_db.execute("ALTER FOREIGN TABLE mirrored OPTIONS (SET table_name 'gone')")
    said = refused(command("measure", postgres_db.url, "mirrored", "--qi", "a"), 3)
    assert "gone" in said


def test_a_materialised_view_without_rows_yet(postgres_db: PostgresDatabase) -> None:
    postgres_db.load("t", COLUMNS, ROWS)
    postgres_db.execute("CREATE MATERIALIZED VIEW later AS SELECT * FROM t WITH NO DATA")
    said = refused(command("measure", postgres_db.url, "later", "--qi", "a"), 3)
    assert "has not been populated" in said


def test_views_of_duckdb_that_read_each_other(duckdb_db: DuckDBDatabase) -> None:
    duckdb_db.load("t", COLUMNS, ROWS)
    duckdb_db.execute(
        "CREATE VIEW unread AS SELECT * FROM t LIMIT 2;"
        "CREATE SCHEMA s; CREATE VIEW s.v AS SELECT * FROM t LIMIT 3;"
        "CREATE VIEW w AS SELECT a FROM s.v JOIN t USING (a)"
    )
    assert warned(duckdb_db.url, "t") == []
    assert warned(duckdb_db.url, "w") == [f"view v {CUT}"]
    assert warned(duckdb_db.url, "s.v") == [f"view v {CUT}"]
