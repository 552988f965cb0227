"""What each column adds equals brute force, from one reading of the table, on every engine."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqldiag
from sqldiag.answers import Measurement, SetFinding
from sqldiag.engines.base import Kind
from sqldiag.errors import BadInput
from tests import command, oracle
from tests.databases import Database, PostgresDatabase
from tests.oracle import How, M, R
from tests.tables import (
    MEASURES,
    RandomTable,
    close,
    requirement,
    requirements,
    shares,
    tables,
    written,
)

COLUMNS = ("a", "b", "c", "d")
SETS = st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=4, unique=True)
ENTITY = st.sampled_from([None, "p"])


def check_part(
    rows: list[dict[str, object]],
    found: SetFinding,
    measures: list[M],
    asked: list[R],
    share: Fraction | None,
    how: How,
) -> None:
    qi = found.quasi_identifiers
    risk = oracle.risk(rows, qi)
    assert found.risk is not None
    assert close(found.risk.uniqueness, risk.uniqueness)
    assert (found.risk.classes, found.risk.singletons) == (risk.classes, risk.singletons)
    assert found.null_rows == risk.null_rows
    for measure, level in zip(measures, found.levels, strict=True):
        assert level.measure == written(measure)
        assert close(level.value, oracle.worst(rows, qi, measure, **how)), measure
        if share is not None:
            assert level.value_suppressed is not None
            assert close(level.value_suppressed, oracle.level(rows, qi, measure, share, **how))
    if asked:
        need = oracle.need(rows, qi, asked, **how)
        assert found.rows_to_suppress == need
        assert found.suppression_needed == need / len(rows)
    else:
        assert found.rows_to_suppress is None


def check_same(one: Measurement, other: Measurement) -> None:
    """What is asked of the whole set has one answer, whichever way it is read."""
    assert one.source == other.source
    assert (one.risk.classes, one.risk.singletons) == (other.risk.classes, other.risk.singletons)
    assert close(one.risk.separation or 0, Fraction(other.risk.separation or 0))
    for mine, theirs in zip(one.measures, other.measures, strict=True):
        assert mine.measure == theirs.measure
        assert close(mine.value, theirs.value)
        assert mine.worst == theirs.worst
        assert (mine.curve is None) == (theirs.curve is None)
        for (value, need), (value_, need_) in zip(
            mine.curve or (), theirs.curve or (), strict=True
        ):
            assert close(value, value_)
            assert need == need_
        if theirs.value_suppressed is not None:
            assert close(mine.value_suppressed or 0, theirs.value_suppressed)
    assert (one.check is None) == (other.check is None)
    if one.check is not None and other.check is not None:
        assert one.check.rows_to_suppress == other.check.rows_to_suppress
        assert one.check.holds == other.check.holds


@given(
    data=st.data(),
    table=tables(qi=COLUMNS, max_rows=14),
    qi=SETS,
    entity=ENTITY,
    asked=st.lists(requirements(), max_size=2, unique_by=requirement),
    strict=st.booleans(),
    curve=st.booleans(),
)
@settings(max_examples=25)
def test_against_brute_force(
    db: Database,
    data: st.DataObject,
    table: RandomTable,
    qi: list[str],
    entity: str | None,
    asked: list[R],
    strict: bool,
    curve: bool,
) -> None:
    table.load(db)
    rows = table.dicts
    measures = data.draw(st.lists(st.sampled_from(MEASURES), min_size=1, max_size=3, unique=True))
    share = data.draw(st.one_of(st.none(), shares(len(rows))))
    how: How = {"entity": entity}
    if strict:
        how["strict_sensitive"] = ("s", "z")
    options: dict[str, object] = {
        "qi": qi,
        "measures": [written(measure) for measure in measures],
        "require": [requirement(r) for r in asked],
        "suppress": share,
        "entity": entity,
        "sensitive": ["s", "z"] if strict else [],
        "strict_sensitive": strict,
        "curve": curve,
    }
    with sqldiag.connect(db.url) as database:
        answer = database.table("t").measure(contributions=True, **options)  # type: ignore[arg-type]
    with sqldiag.connect(db.url) as database:
        plain = database.table("t").measure(**options)  # type: ignore[arg-type]
    assert answer.cost.base_scans == 1
    assert plain.contributions is None
    check_same(answer, plain)
    assert answer.contributions is not None
    assert [found.column for found in answer.contributions] == qi
    for found in answer.contributions:
        assert found.alone.quasi_identifiers == (found.column,)
        check_part(rows, found.alone, measures, asked, share, how)
        if len(qi) == 1:
            assert found.without is None
            continue
        assert found.without is not None
        assert found.without.quasi_identifiers == tuple(c for c in qi if c != found.column)
        check_part(rows, found.without, measures, asked, share, how)


def test_after_other_questions(db: Database) -> None:
    """Roll-ups of an earlier question serve, though they hold more; then nothing is scanned."""
    rows = [(i % 2, i % 3, i // 4, "xy"[i % 2], i // 2) for i in range(24)]
    db.load("t", ["a", "b", "c", "s", "p"], rows)
    dicts = [dict(zip("abcsp", row, strict=True)) for row in rows]
    with sqldiag.connect(db.url) as database:
        table = database.table("t")
        table.borders(among=["a", "b", "c"], require=["k >= 2", "distinct_l(s) >= 2"])
        answer = table.measure(qi=["c", "a"], contributions=True)
        assert answer.cost.base_scans == 0
        assert answer.value() == oracle.worst(dicts, ["c", "a"], M("k"))
        assert answer.contributions is not None
        for found in answer.contributions:
            check_part(dicts, found.alone, [M("k")], [], None, {})
        again = table.measure(qi=["c", "a"], contributions=True, measures=["k", "distinct_l(s)"])
        assert again.cost.base_scans == 0
        assert again.measures[1].value == oracle.worst(dicts, ["c", "a"], M("distinct_l", "s"))


def test_many_columns(db: Database) -> None:
    """Twenty columns, whose codes do not fit one number."""
    names = [f"c{i}" for i in range(20)]
    rows = [[(row * 7919 + i * 31) % (40 + i) for i in range(20)] for row in range(300)]
    db.load("t", names, rows)
    dicts: list[dict[str, object]] = [dict(zip(names, row, strict=True)) for row in rows]
    with sqldiag.connect(db.url) as database:
        answer = database.table("t").measure(qi=names, contributions=True, require=["k >= 2"])
    assert answer.cost.base_scans == 1
    assert answer.value() == oracle.worst(dicts, names, M("k"))
    assert answer.contributions is not None
    for found in answer.contributions:
        for part in (found.alone, found.without):
            assert part is not None
            check_part(dicts, part, [M("k")], [R(M("k"), 2)], None, {})


def test_an_empty_table(db: Database) -> None:
    db.load("t", {"a": "INTEGER", "b": "INTEGER"}, [])
    with sqldiag.connect(db.url) as database, pytest.raises(BadInput, match="t has no rows"):
        database.table("t").measure(qi=["a", "b"], contributions=True)


def test_where_no_temporary_table_may_be_made(postgres_db: PostgresDatabase) -> None:
    rows = [(i % 2, i % 3, "xy"[i % 2]) for i in range(12)]
    postgres_db.load("t", ["a", "b", "s"], rows)
    postgres_db.execute(
        f"REVOKE TEMPORARY ON DATABASE {postgres_db.name} FROM PUBLIC;"
        "DROP ROLE IF EXISTS parts; CREATE ROLE parts LOGIN; GRANT SELECT ON t TO parts"
    )
    url = postgres_db.server.url(postgres_db.name, user="parts")
    dicts = [dict(zip("abs", row, strict=True)) for row in rows]
    with sqldiag.connect(url) as database:
        answer = database.table("t").measure(
            qi=["a", "b"], contributions=True, measures=["k", "distinct_l(s)"]
        )
    assert answer.cost.base_scans == 2
    assert answer.contributions is not None
    for found in answer.contributions:
        check_part(dicts, found.alone, [M("k"), M("distinct_l", "s")], [], None, {})
    postgres_db.execute("DROP OWNED BY parts; DROP ROLE parts")


def test_all_formats(db: Database) -> None:
    db.load("t", ["a", "b", "x,y"], [(1, 1, 1), (1, 2, 1), (2, 1, 1), (2, 2, 3)])
    asked = (
        *("measure", db.url, "t", "--qi", 'a,b,"x,y"', "--require", "k >= 2"),
        *("--contributions", "--format"),
    )
    body = json.loads(command.sqldiag(*asked, "json").out)
    assert body["cost"]["base_scans"] == 1
    first = body["contributions"][0]
    assert first["column"] == "a"
    assert first["without"]["quasi_identifiers"] == ["b", "x,y"]
    assert (first["without"]["value"], first["without"]["uniqueness"]) == (1, 0.5)
    assert (first["without"]["rows_to_suppress"], first["alone"]["value"]) == (2, 2)
    lines = list(csv.DictReader(io.StringIO(command.sqldiag(*asked, "csv").out)))
    parts = {(line["column"], line["part"]): line for line in lines if line["part"]}
    assert len(parts) == 6
    assert parts["x,y", "alone"]["value"] == "1"
    assert parts["x,y", "alone"]["uniqueness"] == "0.25"
    assert parts["x,y", "without"]["suppression_needed"] == "1.0"
    assert [line["requirement"] for line in lines if line["requirement"]] == ["k >= 2"]
    text = command.sqldiag(*asked, "text").out
    assert "what each column adds" in text
    row = next(line for line in text.splitlines() if line.startswith("x,y"))
    assert row.split() == ["x,y", "1", "100%", "100%", "1", "25%", "25%"]
    marked = command.sqldiag(*asked, "markdown").out
    assert "| x,y | 1 | 100% | 100% | 1 | 25% | 25% |" in marked
    alone = command.sqldiag("measure", db.url, "t", "--qi", "a", "--contributions")
    assert any(line.split() == ["a", "–", "–", "2", "0%"] for line in alone.out.splitlines())


def test_explained_is_what_runs(db: Database) -> None:
    db.load("t", ["a", "b"], [(i % 2, i) for i in range(60)])
    with sqldiag.connect(db.url) as database:
        table = database.table("t")
        planned = table.explain_measure(qi=["a", "b"], contributions=True)
        before = len(database.session.connection.executed)
        table.measure(qi=["a", "b"], contributions=True)
        executed = [done.statement for done in database.session.connection.executed[before:]]
    # Whether roll-ups can be made at all is asked when it is first of interest.
    ran = [one for one in executed if one.kind not in (Kind.CATALOGUE, Kind.SETUP)]
    assert [s.purpose for s in planned] == [s.purpose for s in ran]
    assert [s.reads_base for s in planned] == [s.reads_base for s in ran]
    assert planned[0].sql == ran[0].sql
