"""How coarse, in words; and cut points that are found in the database."""

from __future__ import annotations

import pytest

import sqldiag
from sqldiag import population
from sqldiag.kinds import Kind
from sqldiag.scan.coarse import coarser
from sqldiag.scan.facts import Facts
from tests.databases import Database


def facts(name: str, kind: Kind, *, length: int = 0, digits: bool = False) -> Facts:
    return Facts(
        name=name,
        type=kind.value,
        kind=kind,
        rows=1000,
        nulls=0,
        distinct=500,
        distinct_is_exact=True,
        top_share=0.1,
        looked_at=100,
        max_length=length,
        shapes={"digits": 100} if digits else {},
    )


BIRTH = facts("birth date", Kind.DATE)
ZIP = facts("zip", Kind.TEXT, length=5, digits=True)


def test_the_worked_example_in_words() -> None:
    """Birth month and three digits of the zip, for (0.9, 100)-anonymity of 3·10⁸ people."""
    allowed = population.largest_domain(3e8, 100, 0.1)
    sizes = {"gender": 2.0, "birth date": 2e4, "zip": 1e5}
    kept = population.values_to_keep(sizes, allowed, {})
    assert coarser(facts("gender", Kind.TEXT), 2, kept["gender"]).how == "as it is"
    assert coarser(BIRTH, 2e4, kept["birth date"]).how == "month"
    assert coarser(ZIP, 1e5, kept["zip"]).how == "first 3 digits"


@pytest.mark.parametrize(
    ("column", "size", "kept", "how"),
    [
        (BIRTH, 2e4, 2e4, "as it is"),
        (BIRTH, 2e4, 3000, "week"),
        (BIRTH, 2e4, 60, "year"),
        (BIRTH, 2e4, 6, "decade"),
        (BIRTH, 2e4, 3, "3 periods"),
        (BIRTH, 2e4, 1.2, "leave it out"),
        (ZIP, 1e5, 1e4, "first 4 digits"),
        (ZIP, 1e5, 75, "first digit"),
        (ZIP, 1e5, 5, "5 larger areas"),
        (facts("PostalCode", Kind.TEXT, length=7), 1e5, 1e4, "first 6 characters"),
        (facts("age", Kind.WHOLE), 100, 20, "bands of 5 years"),
        (facts("age", Kind.WHOLE), 100, 11, "bands of 10 years"),
        (facts("age", Kind.WHOLE), 1000, 2, "2 bands"),
        (facts("height", Kind.REAL), 1000, 12, "12 bands of about as many rows each"),
        (facts("city", Kind.TEXT), 1000, 12, "12 larger areas or units"),
        (facts("job", Kind.TEXT), 1000, 12, "12 groups of values that belong together"),
    ],
)
def test_in_words(column: Facts, size: float, kept: float, how: str) -> None:
    assert coarser(column, size, kept).how == how


def test_cut_points_come_from_the_database(db: Database) -> None:
    rows = [(i, -i / 8, i % 3) for i in range(1, 1001)]
    db.load("t", {"height": "INTEGER", "x": "DOUBLE PRECISION", "sex": "INTEGER"}, rows)
    with sqldiag.connect(db.url) as database:
        scan = database.table("t").scan(qi=["height", "x", "sex"], k=10)
    assert scan.coarsening is not None
    kept = {one.name: one for one in scan.coarsening.columns}
    assert kept["sex"].how == "as it is"
    bands = round(kept["height"].values)
    assert bands == round(kept["x"].values) == 4
    # A quarter of the rows each, to two digits.
    cuts = {name: one.cut_points for name, one in kept.items()}
    assert cuts == {"height": (250, 500, 750), "x": (-94, -63, -31), "sex": None}
    assert scan.cost.base_scans == 3


def test_few_rows_give_no_cut_points(db: Database) -> None:
    db.load("t", {"height": "INTEGER", "sex": "INTEGER"}, [(i, i % 2) for i in range(30)])
    with sqldiag.connect(db.url) as database:
        scan = database.table("t").scan(qi=["height", "sex"], k=2)
    assert scan.coarsening is not None
    assert scan.coarsening.columns[0].cut_points is None
    assert "bands" in scan.coarsening.columns[0].how


def test_weights_and_domains(db: Database) -> None:
    db.load("t", {"zip": "TEXT", "age": "INTEGER"}, [(f"{i:05}", i % 90) for i in range(500)])
    with sqldiag.connect(db.url) as database:
        table = database.table("t")
        even = table.scan(qi=["zip", "age"], population=3e8, domains={"zip": "1e5"}, k=100_000)
        odd = table.scan(
            qi=["zip", "age"],
            population=3e8,
            domains={"zip": 1e5},
            k=100_000,
            weights={"zip": 4},
        )
    assert even.coarsening is not None
    assert odd.coarsening is not None
    zips = [one.columns[0].values for one in (even.coarsening, odd.coarsening)]
    assert zips == [pytest.approx(54, abs=1), pytest.approx(109, abs=2)]
    assert even.sets[-1].domain == 90 * 1e5
    assert even.column("zip").domain_is_given
