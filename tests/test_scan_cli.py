"""`sqldiag scan` as a user runs it: formats, next commands, schemas, refusals."""

from __future__ import annotations

import csv
import io
import json
import shlex
from pathlib import Path

import pytest

import sqldiag
from fixtures import hospital
from sqldiag.engines.base import Executed
from tests.command import process, refused
from tests.command import sqldiag as command
from tests.databases import Database, DuckDBDatabase
from tests.postgres_server import Server

HOSTILE = {
    "age of; rm -rf $HOME": "INTEGER",
    'sex, "it\'s"': "TEXT",
    " zip`id`": "TEXT",
    "--qi": "TEXT",
    "patient id": "INTEGER",
    "diagnosis\\n": "TEXT",
}
PEOPLE = [
    (20 + i % 30, "fm"[i % 2], f"0{i % 7}234", "xy"[i % 2], i % 45, "abc"[i % 3]) for i in range(60)
]


@pytest.fixture
def clinic(db: Database) -> Database:
    db.execute(hospital.create_sql(1000))
    return db


def answered(*arguments: str | Path) -> dict[str, object]:
    ran = command("scan", *arguments, "--format", "json")
    assert (ran.code, ran.err) == (0, ""), ran
    body: dict[str, object] = json.loads(ran.out)
    return body


def test_json_has_the_promised_keys(clinic: Database) -> None:
    body = answered(clinic.url, "hospital", "--population", "3e8", "--k", "50")
    assert (body["schema"], body["command"]) == (1, "scan")
    columns, sets = body["columns"], body["sets"]
    assert isinstance(columns, list)
    assert isinstance(sets, list)
    promised = "name type nulls distinct distinct_is_exact singletons entropy"
    promised += " suggested_role reason declared_role"
    assert set(promised.split()) <= columns[0].keys()
    assert {c["suggested_role"] for c in columns} <= {
        "identifier",
        "quasi-identifier",
        "sensitive",
        "none",
    }
    promised = "quasi_identifiers singletons uniqueness domain population_uniqueness population_k"
    assert set(promised.split()) <= sets[0].keys()
    cost = body["cost"]
    assert isinstance(cost, dict)
    assert cost["base_scans"] == 2
    assert body["population"] == {
        "people": 300_000_000, "given": True, "table": None, "alpha": 0.5,
    }  # fmt: skip


def test_every_format_says_the_same(clinic: Database) -> None:
    text = command("scan", clinic.url, "hospital").out
    markdown = command("scan", clinic.url, "hospital", "--format", "markdown").out
    lines = list(
        csv.DictReader(io.StringIO(command("scan", clinic.url, "hospital", "--format", "csv").out))
    )
    assert "admission_date" in text
    assert "admission\\_date" in markdown
    assert "\n    sqldiag check " in markdown
    assert [line["column"] for line in lines if line["column"]] == list(hospital.COLUMNS)
    sets = [line for line in lines if not line["column"]]
    assert sets[-1]["quasi_identifiers"] == "age,sex,zip,admission_date,ward"
    assert "note" not in text


def test_no_value_of_a_row_comes_out(clinic: Database) -> None:
    out = "".join(
        command("scan", clinic.url, "hospital", "--k", "3", "--format", form).out
        for form in ("text", "json", "csv", "markdown")
    )
    for value in ("Surgery", "Asthma", "HIV", "2022-", "Paediatrics"):
        assert value not in out


def test_the_next_commands_can_be_pasted(clinic: Database) -> None:
    answer = answered(clinic.url, "hospital")
    following = answer["next"]
    assert isinstance(following, list)
    assert len(following) == 3
    for line in following:
        program, *arguments = shlex.split(line)
        assert program == "sqldiag"
        assert command(*arguments).code in (0, 1)


def test_hostile_names_survive_the_shell(db: Database) -> None:
    db.load("ta ble's", HOSTILE, PEOPLE)
    answer = answered(db.url, "ta ble's")
    assert isinstance(answer["next"], list)
    for line in answer["next"]:
        arguments = shlex.split(line)[1:]
        assert "ta ble's" in arguments
        ran = command(*arguments)
        assert ran.code in (0, 1), ran
    roles = {column["name"]: column["role"] for column in answer["columns"]}  # type: ignore[attr-defined]
    assert roles["age of; rm -rf $HOME"] == "quasi-identifier"
    assert roles["diagnosis\\n"] == "sensitive"


def test_a_condition_and_a_query_stay_in_the_next_commands(clinic: Database) -> None:
    answer = answered(clinic.url, "hospital", "--where", "sex <> 'X'")
    assert "--where \"sex <> 'X'\"" in str(answer["next"][0])  # type: ignore[index]
    answer = answered(clinic.url, "--query", "SELECT age, sex FROM hospital")
    assert '--query "SELECT age, sex FROM hospital"' in str(answer["next"][0])  # type: ignore[index]


def test_a_file_is_its_own_table(tmp_path: Path) -> None:
    file = tmp_path / "my people.csv"
    file.write_text("name,age,sex\nAnn Lee,3,f\nBob Lee,4,m\n", encoding="utf-8")
    answer = answered(file)
    assert answer["next"][0].startswith(f'sqldiag check "{file}" --qi age,sex ')  # type: ignore[index]


def test_a_password_is_not_repeated(listening_postgres: Server) -> None:
    server = listening_postgres
    with server.connect() as connection:
        connection.execute("DROP ROLE IF EXISTS scanner")
        connection.execute("CREATE ROLE scanner LOGIN PASSWORD 'hunter2hunter2'")
        connection.execute("DROP TABLE IF EXISTS ages; CREATE TABLE ages AS SELECT 3 AS age")
        connection.execute("GRANT SELECT ON ages TO scanner")
    url = f"postgresql://scanner:hunter2hunter2@127.0.0.1:{server.port}/postgres"
    ran = command("scan", url, "ages")
    assert ran.code == 0, ran
    assert "hunter2" not in ran.out + ran.err
    assert "sqldiag check ages --qi age" in ran.out
    assert "SQLDIAG_URL" in ran.err
    ran = process("scan", "ages", env={"SQLDIAG_URL": url})
    assert "sqldiag check ages --qi age" in ran.out


def test_all_tables_of_a_schema_riskiest_first(db: Database) -> None:
    db.load(
        "harmless", {"flag": "INTEGER", "code": "TEXT"}, [(i % 2, "ab"[i % 2]) for i in range(50)]
    )
    db.load("people", {"name": "TEXT", "age": "INTEGER"}, [(f"Ann {i}", i) for i in range(50)])
    ages = [(i % 25, f"{i % 10:05}") for i in range(50)]
    db.load("visits", {"age": "INTEGER", "zip": "TEXT"}, ages)
    db.load("nothing", {"age": "INTEGER"}, [])
    db.load("other one", {"age": "INTEGER"}, [(1,)], schema="else where")
    body = answered(db.url)
    assert [table["table"] for table in body["tables"]] == ["people", "visits", "harmless"]  # type: ignore[attr-defined]
    assert body["empty"] == ["nothing"]
    first = body["tables"][0]  # type: ignore[index]
    assert {c["name"]: c["role"] for c in first["columns"]} == {
        "name": "identifier", "age": "quasi-identifier",
    }  # fmt: skip
    for line in body["next"]:  # type: ignore[attr-defined]
        assert command(*shlex.split(line)[1:]).code in (0, 1)
    text = command("scan", db.url).out
    assert text.index("people") < text.index("visits") < text.index("harmless")
    body = answered(db.url, "--schema", "else where")
    assert [table["table"] for table in body["tables"]] == ["else where.other one"]  # type: ignore[attr-defined]
    assert "else where" in refused(command("scan", db.url, "--schema", "else_where"), 2)


def test_a_table_that_cannot_be_read_stops_nobody(postgres_db: Database) -> None:
    postgres_db.execute(
        "CREATE TABLE ages AS SELECT 3 AS age;"
        "CREATE VIEW broken AS SELECT 1 / (age - 3) AS age FROM ages"
    )
    body = answered(postgres_db.url)
    assert [table["table"] for table in body["tables"]] == ["ages"]  # type: ignore[attr-defined]
    assert body["skipped"][0]["table"] == "broken"  # type: ignore[index]


def test_explain_runs_nothing(clinic: Database) -> None:
    ran = command("scan", clinic.url, "hospital", "--qi", "age,sex", "--explain")
    assert ran.code == 0
    assert ran.out.count("-- diagnosis: ") == 2
    done: list[Executed] = []
    with sqldiag.connect(clinic.url, listener=done.append) as database:
        planned = database.table("hospital").explain_scan(qi=["age", "sex"])
        assert not any(one.statement.reads_base for one in done)
        database.table("hospital").scan(qi=["age", "sex"])
    sent = [one.statement.sql for one in done if one.statement.reads_base]
    assert sent == [statement.sql for statement in planned]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--qi", "aeg"], "did you mean age?"),
        (["--domain", "zip"], "such as zip=100000"),
        (["--domain", "zip=many"], "takes a number"),
        (["--domain", "zip=0"], "1 or more"),
        (["--domain", "zp=5"], "did you mean zip?"),
        (["--population", "0"], "1 or more"),
        (["--population", "nan"], "1 or more"),
        (["--population", "inf"], "finite"),
        (["--alpha", "0.2"], "--alpha must be"),
        (["--k", "5", "--beta", "1"], "--beta must be"),
        (["--k", "0"], "--k must be"),
        (["--weight", "zip=-1", "--k", "5"], "--weight must be"),
        (["--qi", "age", "--exclude", "age"], "has one role"),
        (["--schema", "main"], "write schema.table"),
    ],
)
def test_refusals(duckdb_db: DuckDBDatabase, arguments: list[str], sentence: str) -> None:
    duckdb_db.execute(hospital.create_sql(50))
    assert sentence in refused(command("scan", duckdb_db.url, "hospital", *arguments), 2)


def test_options_of_one_table_need_one(duckdb_db: DuckDBDatabase) -> None:
    duckdb_db.execute(hospital.create_sql(50))
    ran = command("scan", duckdb_db.url, "--qi", "age")
    assert "name the table to scan" in refused(ran, 2)


def test_too_many_sets_are_refused(duckdb_db: DuckDBDatabase) -> None:
    columns = {f"age{i}": "INTEGER" for i in range(40)}
    duckdb_db.load("t", columns, [tuple(range(40)), tuple(range(1, 41))])
    names = ",".join(columns)
    ran = command("scan", duckdb_db.url, "t", "--qi", names, "--max-size", "5")
    assert "lower --max-size" in refused(ran, 2)
    assert command("scan", duckdb_db.url, "t", "--qi", names).code == 0


def test_an_empty_table_is_refused(db: Database) -> None:
    db.load("t", {"age": "INTEGER"}, [])
    assert "t has no rows" in refused(command("scan", db.url, "t"), 2)
