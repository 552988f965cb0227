"""Everything that may stand for SRC: files, URLs in all their forms, the environment."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from urllib.parse import quote

import duckdb
import pytest
import sqlalchemy

import sqldiag as package
from tests.command import process, sqldiag
from tests.databases import Database, DuckDBDatabase, PostgresDatabase
from tests.postgres_server import Server

ROWS = [(1, "x"), (1, "x"), (2, "y")]


def rows(*arguments: str | Path) -> tuple[str, int]:
    """The relation's name and its rows, as `measure` sees them."""
    ran = sqldiag("measure", *arguments, "--qi", "a", "--format", "json")
    assert ran.code == 0, ran
    source = json.loads(ran.out)["source"]
    return source["relation"], source["rows"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same three rows in every kind of file."""
    monkeypatch.chdir(tmp_path)
    text = "a,b\n1,x\n1,x\n2,y\n"
    Path("t.csv").write_text(text)
    Path("t.CSV").write_text(text)
    Path("t.tsv").write_text(text.replace(",", "\t"))
    with gzip.open("t.csv.gz", "wt") as file:
        file.write(text)
    lines = [json.dumps({"a": a, "b": b}) for a, b in ROWS]
    Path("t.jsonl").write_text("\n".join(lines))
    Path("t.ndjson").write_text("\n".join(lines))
    Path("t.json").write_text("[" + ",".join(lines) + "]")
    with duckdb.connect() as connection:
        connection.execute("COPY (FROM 't.csv') TO 't.parquet'")
        connection.execute("COPY (FROM 't.csv') TO 't.pq' (FORMAT parquet)")
        connection.execute("COPY (FROM 't.csv') TO 't.tsv.zst' (DELIMITER '\t', COMPRESSION zstd)")
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        *("t.csv", "t.CSV", "t.tsv", "t.csv.gz", "t.tsv.zst", "t.json", "t.jsonl", "t.ndjson"),
        *("t.parquet", "t.pq"),
    ],
)
def test_files(files: Path, name: str) -> None:
    assert rows(name) == (name, 3)
    assert rows(files / name, "--where", "b = 'x'") == (name, 2)
    before = sorted(files.iterdir())
    assert rows(files / name, name) == (name, 3)
    assert sorted(files.iterdir()) == before


def test_many_files(files: Path) -> None:
    Path("part1.csv").write_text("a,b\n1,x\n")
    Path("part2.csv").write_text("a,b\n2,x\n")
    assert rows("part*.csv") == ("part*.csv", 2)
    assert rows("part[2].csv") == ("part[2].csv", 1)
    # A file whose name looks like a pattern is that file.
    Path("part[9].csv").write_text("a,b\n9,z\n9,z\n9,z\n9,z\n")
    assert rows("part[9].csv") == ("part[9].csv", 4)
    assert rows("part*.csv") == ("part*.csv", 6)
    Path("deep/er").mkdir(parents=True)
    Path("deep/er/x.csv").write_text("a,b\n1,x\n")
    assert rows("deep/**/*.csv") == ("*.csv", 1)


def test_home(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(files))
    assert rows("~/t.csv") == ("t.csv", 3)


@pytest.mark.parametrize("memory", [":memory:", "duckdb://", "duckdb:///:memory:"])
def test_in_memory(files: Path, memory: str) -> None:
    query = "SELECT * FROM 't.csv' JOIN (SELECT a AS c FROM 't.parquet') ON a = c"
    assert rows(memory, "--query", query) == ("query", 5)


def test_duckdb_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("t.duckdb", "t.ddb", "t.db", "t.csv", "plain"):
        DuckDBDatabase(tmp_path / name).load("t", ["a", "b"], ROWS)
        assert rows(name, "t") == ("t", 3)
        assert rows(f"duckdb:///{name}", "t") == ("t", 3)
        assert rows(f"duckdb:///{tmp_path / name}", "t") == ("t", 3)
        assert rows(f"duckdb:///{name}?threads=1", "t") == ("t", 3)


def test_the_environment_stands_in(
    db: Database, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.load("t", ["a", "b"], ROWS)
    db.load("t.csv", ["a", "b"], ROWS[:1])
    monkeypatch.setenv("SQLDIAG_URL", db.url)
    assert rows("t") == ("t", 3)
    assert rows("--query", "SELECT a FROM t") == ("query", 3)
    assert rows("", "t") == ("t", 3)
    # A file or another source on the command line goes before it.
    assert rows("t.csv") == ("t.csv", 3)
    assert rows(db.url, "t.csv") == ("t.csv", 1)
    monkeypatch.setenv("SQLDIAG_URL", "")
    assert sqldiag("measure", "t", "--qi", "a").code == 2


def test_postgres_urls(postgres_db: PostgresDatabase) -> None:
    postgres_db.load("t", ["a", "b"], ROWS)
    server, name = postgres_db.server, postgres_db.name
    folder, tail = quote(str(server.socket_dir), safe=""), f"port={server.port}"
    for url in (
        server.url(name),
        f"postgresql://postgres@{folder}:{server.port}/{name}",
        f"postgres://postgres@/{name}?host={server.socket_dir}&{tail}",
        f"postgresql+psycopg://postgres@/{name}?host={server.socket_dir}&{tail}",
        f"postgresql+psycopg2://postgres@/{name}?host={server.socket_dir}&{tail}",
        f"PostgreSQL://postgres@/{name}?host={server.socket_dir}&{tail}",
        f"postgresql:///?dbname={name}&user=postgres&host={server.socket_dir}&{tail}",
        f"postgresql:///{name}?user=postgres&host=/nowhere,{server.socket_dir}&{tail}",
        f"{server.url(name)}&application_name=me&connect_timeout=5",
        f"{server.url(name)}&options=-csearch_path%3Dpublic",
    ):
        assert rows(url, "t") == ("t", 3), url


def test_postgres_with_a_password(listening_postgres: Server) -> None:
    with listening_postgres.connect() as connection:
        connection.execute("CREATE ROLE \"d'oc\" LOGIN PASSWORD 'p@ss/w:rd%20'")
        connection.execute("CREATE TABLE t AS SELECT 1 AS a; GRANT SELECT ON t TO PUBLIC")
    assert rows(listening_postgres.tcp_url("d'oc", "p@ss/w:rd%20"), "t") == ("t", 1)
    url = sqlalchemy.URL.create(
        "postgresql+psycopg",
        *("d'oc", "p@ss/w:rd%20", "127.0.0.1", listening_postgres.port, "postgres"),
    )
    with package.connect(url) as database:
        assert database.table("t").measure(qi=["a"]).value() == 1


def test_postgres_by_environment(
    postgres_db: PostgresDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgres_db.load("t", ["a", "b"], ROWS)
    server, name = postgres_db.server, postgres_db.name
    service = tmp_path / "services"
    service.write_text(
        f"[clinic]\nhost={server.socket_dir}\nport={server.port}\nuser=postgres\ndbname={name}\n"
    )
    monkeypatch.setenv("PGSERVICEFILE", str(service))
    assert rows("postgresql://?service=clinic", "t") == ("t", 3)
    assert rows("postgresql:///?service=clinic", "t") == ("t", 3)
    monkeypatch.setenv("PGSERVICE", "clinic")
    assert rows("postgresql://", "t") == ("t", 3)
    monkeypatch.delenv("PGSERVICE")
    given = {"PGHOST": str(server.socket_dir), "PGPORT": str(server.port), "PGUSER": "postgres"}
    env = {**given, "PGDATABASE": name, "SQLDIAG_URL": "postgresql://"}
    for source in (["postgresql://"], ["postgresql:///"], ["postgres://"], []):
        assert process("measure", *source, "t", "--qi", "a", env=env).code == 0
    assert process("measure", f"postgresql:///{name}", "t", "--qi", "a", env=given).code == 0


def test_sqlalchemy_objects(db: Database) -> None:
    db.load("t", ["a", "b"], ROWS)
    url = sqlalchemy.make_url(db.url)
    with package.connect(url) as database:
        assert database.table("t").measure(qi=["a"]).source.rows == 3
    if db.engine == "postgres":
        engine = sqlalchemy.create_engine(url.set(drivername="postgresql+psycopg"))
        with package.connect(engine) as database:
            assert database.table("t").measure(qi=["a"]).source.rows == 3
        engine.dispose()
