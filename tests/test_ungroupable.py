"""Columns of every type: those that a database cannot group or order are refused with a cure."""

from __future__ import annotations

import pytest

import sqldiag
from sqldiag.cli.main import run
from tests import oracle
from tests.databases import Database, PostgresDatabase
from tests.oracle import M
from tests.tables import MEASURES, close, written

TYPES = (
    "CREATE TYPE level AS ENUM ('low', 'mid', 'high')",
    "CREATE TYPE pair AS (a INTEGER, b TEXT)",
    "CREATE TYPE with_json AS (a INTEGER, b JSON)",
    "CREATE DOMAIN code AS TEXT",
    "CREATE DOMAIN document AS JSON",
)

# Types of Postgres without equality, and a value of each.
UNGROUPABLE = {
    "json": """'{"a": 1}'""",
    "xml": "'<a/>'",
    "point": "'(1, 2)'",
    "polygon": "'((1, 2), (3, 4))'",
    "json[]": "ARRAY['{}'::json]",
    "document": "'{}'",
    "with_json": "'(1, {})'",
}

# Types with equality but no order.
HASH_ONLY = ("xid", "cid")

# Types that group and order, with three values in their order.
GROUPABLE = {
    "postgres": {
        "jsonb": ("'9'", "'10'", "'[]'::jsonb || '1'"),
        "integer[]": ("'{9}'", "'{9, 1}'", "'{10}'"),
        "text[]": ("'{}'", "'{a}'", "'{a, NULL}'"),
        "level": ("'low'", "'mid'", "'high'"),
        "pair": ("'(9, b)'", "'(10, a)'", "'(10, b)'"),
        "code": ("'a'", "'b'", "'c'"),
        "uuid": tuple(f"'00000000-0000-0000-0000-00000000000{digit}'" for digit in "19a"),
        "inet": ("'9.0.0.1'", "'10.0.0.1'", "'10.0.0.2'"),
        "int4range": ("'empty'", "'[9, 10)'", "'[10, 11)'"),
        "bytea": (r"'\x00'", r"'\x01'", r"'\xff'"),
        "interval": ("'9 days'", "'10 days'", "'1 month'"),
        "timestamptz": ("'-infinity'", "'2020-01-01'", "'infinity'"),
        "double precision": ("'-infinity'", "9", "'NaN'"),
        "bit(2)": ("B'00'", "B'01'", "B'10'"),
    },
    "duckdb": {
        "JSON": ("""'"a"'""", """'"b"'""", "'{}'"),
        "INTEGER[]": ("[9]", "[9, 1]", "[10]"),
        "INTEGER[2]": ("[9, 1]", "[10, 0]", "[10, 1]"),
        "STRUCT(a INTEGER)": ("{'a': 9}", "{'a': 10}", "{'a': NULL}"),
        "MAP(VARCHAR, INTEGER)": ("MAP {'a': 9}", "MAP {'a': 10}", "MAP {'b': 1}"),
        "level": ("'low'", "'mid'", "'high'"),
        "UUID": tuple(f"'00000000-0000-0000-0000-00000000000{digit}'" for digit in "19a"),
        "BLOB": (r"'\x00'::BLOB", r"'\x01'::BLOB", r"'\x02'::BLOB"),
        "INTERVAL": ("INTERVAL 9 DAY", "INTERVAL 10 DAY", "INTERVAL 2 MONTH"),
        "TIMESTAMPTZ": ("'2020-01-01 00:00+00'", "'2021-01-01 00:00+00'", "'infinity'"),
        "HUGEINT": ("9", "10", "170141183460469231731687303715884105727"),
        "DOUBLE": ("'-inf'", "9", "'nan'"),
        "BIT": ("'00'", "'01'", "'10'"),
    },
}
ALL_GROUPABLE = [(engine, kind) for engine, kinds in GROUPABLE.items() for kind in kinds]

# Class and person of a row, and which of the three values it has.
ROWS: list[tuple[int, int, int | None]] = [
    (1, 1, 0), (1, 2, 0), (1, 3, 1), (2, 1, 1), (2, 2, 2), (2, 3, None), (3, 1, 2),
]  # fmt: skip


def make(db: Database, kind: str, values: tuple[str, ...]) -> list[dict[str, object]]:
    """The table visits, and the same rows with the numbers of the values for brute force."""
    for statement in TYPES if db.engine == "postgres" else TYPES[:1]:
        db.execute(statement)
    db.execute(f"CREATE TABLE visits (class INTEGER, person INTEGER, history {kind})")
    for cls, person, which in ROWS:
        value = "NULL" if which is None else values[which]
        db.execute(f"INSERT INTO visits VALUES ({cls}, {person}, {value})")
    return [{"class": c, "person": person, "history": which} for c, person, which in ROWS]


@pytest.mark.parametrize(("engine", "kind"), ALL_GROUPABLE)
def test_columns_of_many_types(request: pytest.FixtureRequest, engine: str, kind: str) -> None:
    db: Database = request.getfixturevalue(f"{engine}_db")
    rows = make(db, kind, GROUPABLE[engine][kind])
    with sqldiag.connect(db.url) as database:
        table = database.table("visits")
        as_sensitive(table, rows)
        as_quasi_identifier(table, rows)
        as_entity(table, rows)
        as_example(table)


def as_sensitive(table: sqldiag.Table, rows: list[dict[str, object]]) -> None:
    measures = [
        M(measure.name, "history", c=measure.c)
        for measure in MEASURES
        if measure.column == "s" and not measure.values
    ]
    answer = table.measure(qi=["class"], measures=list(map(written, measures)), curve=True)
    for measure, measured in zip(measures, answer.measures, strict=True):
        points = oracle.curve(rows, ["class"], measure)
        assert measured.curve is not None
        assert len(measured.curve) == len(points), measure
        for (value, need), (value_, need_) in zip(measured.curve, points, strict=True):
            assert close(value, value_), measure
            assert close(need, need_), measure


def as_quasi_identifier(table: sqldiag.Table, rows: list[dict[str, object]]) -> None:
    measures = [M("k"), M("entropy_l", "class"), M("t_closeness_ordered", "class")]
    answer = table.measure(qi=["history"], measures=list(map(written, measures)))
    risk = oracle.risk(rows, ["history"])
    assert (answer.risk.classes, answer.risk.singletons) == (risk.classes, risk.singletons)
    for measure in measures:
        expected = oracle.worst(rows, ["history"], measure)
        assert close(answer.value(written(measure)), expected), measure


def as_entity(table: sqldiag.Table, rows: list[dict[str, object]]) -> None:
    measures = [M("k"), M("entropy_l", "person")]
    answer = table.measure(qi=["class"], measures=list(map(written, measures)), entity="history")
    assert answer.source.entities == 3
    for measure in measures:
        expected = oracle.worst(rows, ["class"], measure, entity="history")
        assert close(answer.value(written(measure)), expected), measure


def as_example(table: sqldiag.Table) -> None:
    answer = table.measure(qi=["history"], examples=9)
    assert answer.examples is not None
    assert sorted(example.rows for example in answer.examples) == [1, 2, 2, 2]
    assert sum(example.values == (None,) for example in answer.examples) == 1


@pytest.mark.parametrize(
    ("kind", "value"),
    [("date", "'4000-01-01 BC'"), ("date", "'infinity'"), ("time", "'24:00'")],
)
def test_examples_beyond_python(postgres_db: PostgresDatabase, kind: str, value: str) -> None:
    """Values that Python has no type for are shown as text."""
    postgres_db.execute(f"CREATE TABLE t (a {kind}); INSERT INTO t VALUES ({value})")
    with sqldiag.connect(postgres_db.url) as database:
        answer = database.table("t").measure(qi=["a"], examples=1)
    assert answer.examples is not None
    assert str(answer.examples[0].values[0]).startswith(value.strip("'"))


def test_a_row_of_nulls_is_not_null(db: Database) -> None:
    """Postgres says that (,) IS NULL, and yet groups it apart from NULL."""
    if db.engine == "postgres":
        rows = make(db, "pair", ("'(1, a)'", "'(1, )'", "'(,)'"))
    else:
        rows = make(db, "STRUCT(a INTEGER, b VARCHAR)", ("(1, 'a')", "(1, NULL)", "(NULL, NULL)"))
    measures = [M("distinct_l", "history"), M("t_closeness", "history"), M("k")]
    with sqldiag.connect(db.url) as database:
        answer = database.table("visits").measure(
            qi=["class"], measures=list(map(written, measures))
        )
    for measure in measures:
        expected = oracle.worst(rows, ["class"], measure)
        assert close(answer.value(written(measure)), expected), measure


FAMILY = ["measure", "--qi", "class", "--sensitive", "history"]
QUESTIONS = (
    FAMILY,
    ["check", "--qi", "class,history", "--require", "k >= 2"],
    ["measure", "--qi", "history", "--sensitive", "person"],
    ["measure", "--qi", "class,history", "--examples", "2"],
    ["measure", "--qi", "class", "--measure", "distinct_l(history)"],
    ["check", "--qi", "class", "--entity", "history", "--require", "k >= 1"],
    ["measure", "--qi", "class", "--sensitive", "person,history", "--strict-sensitive"],
)
CURED = "SELECT class, person, CAST(history AS TEXT) AS history FROM visits"


def ask(db: Database, question: list[str], *relation: str) -> int:
    return run([question[0], db.url, *relation, *question[1:]])


def is_cure(said: str) -> bool:
    """One or two lines that name the column and say what to do."""
    return (
        said.startswith("sqldiag: ")
        and len(said.splitlines()) <= 2
        and "column history" in said
        and "--query" in said
        and "CAST(history AS TEXT)" in said
    )


@pytest.mark.parametrize("kind", UNGROUPABLE)
def test_ungroupable_columns_are_refused_with_a_cure(
    postgres_db: PostgresDatabase, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    make(postgres_db, kind, (UNGROUPABLE[kind],) * 3)
    for question in QUESTIONS:
        assert ask(postgres_db, question, "visits") == 2, question
        said = capsys.readouterr()
        assert is_cure(said.err), (question, said.err)
        assert said.out == ""
    assert ask(postgres_db, FAMILY, "--query", "SELECT * FROM visits") == 2
    assert is_cure(capsys.readouterr().err)
    # And the cure is one.
    assert ask(postgres_db, FAMILY, "--query", CURED) == 0


@pytest.mark.parametrize("kind", HASH_ONLY)
def test_columns_without_an_order_are_answered_or_refused_with_a_cure(
    postgres_db: PostgresDatabase, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    make(postgres_db, kind, ("'1'", "'2'", "'3'"))
    for question in QUESTIONS:
        code = ask(postgres_db, question, "visits")
        said = capsys.readouterr().err
        assert code in (0, 1) or (code == 2 and is_cure(said)), (question, said)
    assert ask(postgres_db, FAMILY, "--query", CURED) == 0


def test_a_name_in_the_cure_is_quoted(
    postgres_db: PostgresDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    postgres_db.execute('CREATE TABLE t (a INTEGER, "my ""doc" JSON)')
    assert run(["measure", postgres_db.url, "t", "--qi", 'a,"my ""doc"']) == 2
    said = capsys.readouterr().err
    assert 'CAST("my ""doc" AS TEXT)' in said, said


def test_columns_that_nobody_asks_for_may_be_of_any_type(postgres_db: PostgresDatabase) -> None:
    make(postgres_db, "json", ("'{}'",) * 3)
    with sqldiag.connect(postgres_db.url) as database:
        answer = database.table("visits").measure(qi=["class"], sensitive=["person"])
    assert answer.value() == 1
