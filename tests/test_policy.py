"""The policy file: what is read, and what is refused with the line and the key."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from sqldiag.errors import BadInput
from sqldiag.policy import Policy, Search, read_policy
from sqldiag.policy.lines import find_lines
from sqldiag.policy.schema import policy_schema
from tests.doc_examples import ROOT

# As the issue that asked for policies wrote it.
FIRST = """\
[connections]
lake = "duckdb:///lake.duckdb"
prod = "env:PROD_URL"
[history]
url = "duckdb:///history.duckdb"
[[tables]]
connection = "prod"
table = "public.patients"
quasi_identifiers = ["age", "sex", "zip"]
sensitive = ["diagnosis"]
entity = "patient_id"
require = ["k >= 5", "distinct_l(diagnosis) >= 3"]
suppress = "1%"
severity = "fail"
"""
EVERYTHING = """\
name = "clinic"
on_failure = "cat > failed.json"
[connections]
lake = "lake.duckdb"
[history]
url = "duckdb:///history.duckdb"
schema = "audit"
[jobs]
schedule = "*/5 * * * *"
schema = "audit"
[[tables]]
name = "grown-ups"
table = "patients"
where = "age >= 18"
quasi_identifiers = ["age", "sex"]
sensitive = []
entity = "patient_id"
identifiers = ["name"]
require = ["k >= 5"]
suppress = 0.01
strict_sensitive = true
severity = "warn"
owner = "privacy@example.org"
description = "who was here"
max_drop = "20%"
schedule = "0 3 * * *"
[tables.borders]
require = ["k >= 3"]
among = ["age", "sex", "zip"]
suppress = "0.1%"
max_size = 3
max_sets = 100
max_seconds = 1.5
[[tables]]
query = "SELECT * FROM patients"
require = ["k >= 2"]
borders = { exclude = ["name"] }
"""


def read(path: Path, text: str) -> Policy:
    path.write_text(text, encoding="utf-8")
    return read_policy(path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sqldiag.toml"


def test_the_keys_as_a_user_would_write_them(file: Path) -> None:
    policy = read(file, FIRST)
    table = policy.tables[0]
    assert (table.name, table.connection, table.table) == (
        "public.patients",
        "prod",
        "public.patients",
    )
    assert table.quasi_identifiers == ("age", "sex", "zip")
    assert (table.sensitive, table.entity) == (("diagnosis",), "patient_id")
    assert table.identifiers is None
    assert table.require == ("k >= 5", "distinct_l(diagnosis) >= 3")
    assert (table.suppress, table.severity) == ("1%", "fail")
    assert (policy.name, policy.schema, policy.warnings) == ("sqldiag", "sqldiag", ())


def test_every_key_is_read(file: Path) -> None:
    policy = read(file, EVERYTHING)
    first, second = policy.tables
    assert (policy.name, policy.schema, policy.schedule) == ("clinic", "audit", "*/5 * * * *")
    assert policy.on_failure == "cat > failed.json"
    assert (first.name, first.where, first.suppress) == ("grown-ups", "age >= 18", "0.01")
    assert (first.sensitive, first.strict_sensitive, first.severity) == ((), True, "warn")
    assert (first.owner, first.max_drop) == ("privacy@example.org", "20%")
    assert first.borders == Search(
        require=("k >= 3",),
        among=("age", "sex", "zip"),
        suppress="0.1%",
        max_size=3,
        max_sets=100,
        max_seconds=1.5,
    )
    assert (second.name, second.connection, second.shown) == ("query", "lake", "query")
    assert second.borders == Search(exclude=("name",))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("sensitive =", "sensitiv =", "line 10: tables[1].sensitiv: there is no such key; did you"),
        ("severity = ", "colour = ", "line 14: tables[1].colour: there is no such key"),
        ("[history]", "[histori]", "line 4: histori: there is no such key; did you mean history?"),
        ('["k >= 5",', '["k > 5",', "line 12: tables[1].require: requirement: expected >= and"),
        ("distinct_l(", "distinct(", "line 12: tables[1].require: requirement 'distinct(diag"),
        ('"1%"', '"1 in 9"', "line 13: tables[1].suppress: the share '1 in 9' is not a share"),
        ('"1%"', "true", "line 13: tables[1].suppress: must be a share"),
        ('"fail"', '"loud"', "line 14: tables[1].severity: must be fail or warn"),
        ('"patient_id"', '["patient_id"]', "line 11: tables[1].entity: must be a text"),
        ('"patient_id"', '"sex"', "column sex is named in quasi_identifiers too; a column has one"),
        ('connection = "prod"', 'connection = "prd"', "line 7: tables[1].connection: there is no"),
        ('connection = "prod"\n', "", "line 6: tables[1]: connection is missing; there are: lake"),
        ("require =", "# require =", "line 6: tables[1]: require is missing"),
        ('= ["k >= 5", "distinct_l(diagnosis) >= 3"]', "= []", "tables[1].require: is empty"),
        ("severity =", "query = 'SELECT 1'\nseverity =", "line 14: tables[1].query: name a table"),
        ("[history]", "[jobs]\nschedule = '61 * * * *'\n[history]", "line 5: jobs.schedule: '61 *"),
        ('"duckdb:///lake.duckdb"', "3", "line 1: connections: must be a table of texts"),
        ("[connections]", "connections", "sqldiag.toml is not TOML: "),
    ],
)
def test_a_mistake_is_named_with_line_and_key(
    file: Path, old: str, new: str, complaint: str
) -> None:
    assert old in FIRST
    with pytest.raises(BadInput) as refused:
        read(file, FIRST.replace(old, new))
    assert refused.value.sentence.startswith("sqldiag.toml")
    assert complaint in refused.value.sentence
    assert refused.value.exit_code == 2


def test_a_drop_takes_a_history_to_be_seen(file: Path) -> None:
    text = FIRST.replace("[[tables]]", '[[tables]]\nmax_drop = "1%"')
    assert read(file, text).tables[0].max_drop == "1%"
    with pytest.raises(
        BadInput, match=r"line 5: tables\[1\].max_drop: a drop is seen in a history"
    ):
        read(file, text.replace('[history]\nurl = "duckdb:///history.duckdb"\n', ""))


def test_no_file_and_no_text(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="`sqldiag init URL` writes a first one"):
        read_policy(tmp_path / "none.toml")
    with pytest.raises(BadInput, match="cannot be read"):
        read_policy(tmp_path)
    (tmp_path / "bytes.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(BadInput, match="not UTF-8"):
        read_policy(tmp_path / "bytes.toml")


@pytest.mark.parametrize(
    "url",
    ["postgresql://me:hunter2@db/x", "postgresql://db/x?user=me&password=hunter2"],
)
def test_a_literal_password_is_warned_of_and_not_repeated(file: Path, url: str) -> None:
    policy = read(file, FIRST.replace("env:PROD_URL", url))
    (warning,) = policy.warnings
    assert "line 3: connections.prod holds a password" in warning
    assert "env:NAME" in warning
    assert "hunter2" not in warning + repr(policy)


def test_connections_come_from_the_environment_and_files_from_beside_the_policy(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = read(file, FIRST)
    monkeypatch.delenv("PROD_URL", raising=False)
    with pytest.raises(BadInput, match="connection prod: the environment variable PROD_URL"):
        policy.url("prod")
    monkeypatch.setenv("PROD_URL", "postgresql:///clinic")
    assert policy.url("prod") == "postgresql:///clinic"
    assert policy.url("lake") == f"duckdb:///{file.parent}/lake.duckdb"
    for url in ("duckdb:////data/lake.duckdb", "/data/lake.duckdb", "postgresql://h/d"):
        assert policy.resolve(url, what="it") == url
    assert policy.resolve("x/p.csv", what="it") == f"{file.parent}/x/p.csv"


def test_names_tell_tables_apart(file: Path) -> None:
    tables = [("lake", "a"), ("lake", "b"), ("prod", "a"), ("lake", "b")]
    text = '[connections]\nlake = "x.duckdb"\nprod = "env:X"\n' + "".join(
        f'[[tables]]\nconnection = "{c}"\ntable = "{t}"\nrequire = ["k >= 2"]\n' for c, t in tables
    )
    policy = read(file, text)
    assert [t.name for t in policy.tables] == ["lake:a", "b", "prod:a", "b #2"]
    assert [t.name for t in policy.only(("a",))] == ["lake:a", "prod:a"]
    assert [t.name for t in policy.only(("prod:a",))] == ["prod:a"]
    with pytest.raises(BadInput, match="says nothing of prod:b; did you mean"):
        policy.only(("prod:b",))
    twice = text.replace('table = "a"', 'table = "a"\nname = "same"')
    with pytest.raises(BadInput, match="two tables are called same"):
        read(file, twice)


def test_the_digest_changes_with_what_is_required_and_not_with_where(file: Path) -> None:
    digest = read(file, FIRST).digest
    assert read(file, "# a comment\n" + FIRST.replace("lake.duckdb", "x.duckdb")).digest == digest
    assert read(file, FIRST.replace("k >= 5", "k >= 6")).digest != digest


def test_lines_of_keys_in_awkward_files() -> None:
    text = (
        '# [tables]\na = """\n[x]\nb = 1\n"""\nc = [ # [no]\n  "]", \'[\',\n]\n'
        "[d.\"e.f\"]\n'g h' = { i = 1, j = [\n 2] }\n[[k]]\nl.m = 1\n[[k]]\nl = 2\n[k.n]\no = 3\n"
        "[[k.p]]\nq = 1\n[[k.p]]\nq = 2"
    )
    tomllib.loads(text)
    lines = find_lines(text)
    assert lines["a",] == 2
    assert lines["c",] == 6
    assert lines["d", "e.f"] == 9
    assert lines["d", "e.f", "g h"] == 10
    assert lines["k", 0, "l", "m"] == 13
    assert lines["k", 1, "l"] == 15
    assert lines["k", 1, "n", "o"] == 17
    assert lines["k", 1, "p", 1, "q"] == 21
    assert ("b",) not in lines


def test_the_published_schema_is_true() -> None:
    published = json.loads((ROOT / "docs" / "policy.schema.json").read_text(encoding="utf-8"))
    assert published == policy_schema(), "run `make sql`"
    jsonschema.Draft202012Validator.check_schema(published)


@pytest.mark.parametrize("text", [FIRST, EVERYTHING])
def test_the_schema_accepts_what_is_read(text: str) -> None:
    jsonschema.validate(tomllib.loads(text), policy_schema())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("where =", "wher ="),
        ("require = [", "required = ["),
        ('suppress = "0.1%"', "suppress = true"),
        ("max_size = 3", "max_size = 0"),
        ("max_size = 3", 'max_size = "3"'),
        ("max_seconds = 1.5", "max_seconds = 0"),
        ('"warn"', '"loud"'),
        ("sensitive = []", 'sensitive = "x"'),
        ("strict_sensitive = true", "strict_sensitive = 1"),
        ("url = ", "uri = "),
        ('lake = "lake.duckdb"', "lake = 1"),
        ('require = ["k >= 2"]', "require = []"),
    ],
)
def test_the_schema_refuses_what_is_refused(file: Path, old: str, new: str) -> None:
    assert old in EVERYTHING
    text = EVERYTHING.replace(old, new)
    with pytest.raises(BadInput):
        read(file, text)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(text), policy_schema())
