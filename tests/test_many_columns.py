"""More columns than GROUPING takes (31 on Postgres, 63 on DuckDB), and than a double has bits."""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

import sqldiag
from sqldiag.measures import SIZE
from sqldiag.planner.ask import Ask
from sqldiag.planner.findings import read
from sqldiag.planner.outcome import Part
from sqldiag.planner.statement import Plan
from tests import oracle
from tests.databases import Database
from tests.oracle import M, R

COLUMNS = tuple(f"c{i}" for i in range(66))
ROWS = [{name: row % (i % 9 + 2) for i, name in enumerate(COLUMNS)} for row in range(60)]


def test_borders_of_many_columns(db: Database) -> None:
    db.load("t", COLUMNS, [tuple(row.values()) for row in ROWS])
    required = [R(M("k"), Fraction(3))]
    with sqldiag.connect(db.url) as database:
        table = database.table("t")
        found = table.borders(among=COLUMNS, require=["k >= 3"], max_size=2)
        level = table.subsets(among=COLUMNS, require=["k >= 3"], max_size=1)
    safe, unsafe = oracle.borders(ROWS, COLUMNS, required, 0, max_size=2)
    assert {one.quasi_identifiers for one in found.safe} == safe
    assert {one.quasi_identifiers for one in found.unsafe} == unsafe
    assert len(level.sets) == len(COLUMNS)
    for one in level.sets:
        assert one.levels[0].value == oracle.worst(ROWS, one.quasi_identifiers, M("k"))


def test_the_number_of_a_set_keeps_all_its_bits() -> None:
    number = (1 << 61) + 1
    ask = Ask(quasi_identifiers=COLUMNS, calls=(SIZE,))
    labels = ("null_rows", "classes", "singletons", f"worst {SIZE}")
    plan = Plan(exp.select("1"), (Part("summary", labels),), many=True)
    found = read(ask, plan, [(0, number, 0.0, 2.0, 0.0, 5.0)], total=10)
    assert list(found) == [number]
