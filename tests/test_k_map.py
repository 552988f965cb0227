"""k-map: the fewest people of a population table who match a class, against brute force."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqldiag
from tests.command import refused
from tests.command import sqldiag as command
from tests.databases import Database

COLUMNS = {"a": "INTEGER", "b": "TEXT", "c": "TEXT"}
rows = st.tuples(
    st.sampled_from([None, 0, 1, 2]),
    st.sampled_from([None, "", "x", "NULL"]),
    st.sampled_from([None, "y", "z"]),
)
Table = list[tuple[int | None, str | None, str | None]]


def brute_force(table: Table, people: Table, places: tuple[int, ...]) -> tuple[object, ...]:
    def classes(of: Table) -> Counter[tuple[object, ...]]:
        return Counter(tuple(row[place] for place in places) for row in of)

    mine, theirs = classes(table), classes(people)
    matched = [theirs[values] for values in mine if theirs[values]]
    return (
        len(mine),
        sum(size == 1 for size in mine.values()),
        min(matched, default=None),
        sum(size for values, size in mine.items() if theirs[values] == 1),
        sum(not theirs[values] for values in mine),
        sum(size for values, size in mine.items() if not theirs[values]),
    )


@settings(max_examples=25)
@given(
    table=st.lists(rows, min_size=1, max_size=12), people=st.lists(rows, min_size=1, max_size=25)
)
def test_k_map_is_that_of_brute_force(db: Database, table: Table, people: Table) -> None:
    db.load("sample", COLUMNS, table)
    db.load("everybody", COLUMNS, people)
    with sqldiag.connect(db.url) as database:
        scan = database.table("sample").scan(
            qi=list(COLUMNS), population_table="everybody", max_size=3
        )
    assert scan.population.people == len(people)
    assert len(scan.sets) == 7
    names = list(COLUMNS)
    for found in scan.sets:
        places = tuple(names.index(name) for name in found.quasi_identifiers)
        assert found.k_map is not None
        k = found.k_map
        assert brute_force(table, people, places) == (
            found.classes,
            found.singletons,
            k.k,
            k.one_match_rows,
            k.unmatched_classes,
            k.unmatched_rows,
        )


def test_the_table_is_read_twice_and_the_population_once(db: Database) -> None:
    table = [(i % 3, "x", "y") for i in range(20)]
    db.load("sample", COLUMNS, table)
    db.load("everybody", COLUMNS, table * 2)
    sent: list[str] = []
    with sqldiag.connect(db.url, listener=lambda done: sent.append(done.statement.sql)) as database:
        scan = database.table("sample").scan(qi=list(COLUMNS), population_table="everybody")
    assert scan.cost.base_scans == 2
    assert sum(sql.count('"everybody"') for sql in sent if "GROUP" in sql) == 1
    together = scan.together
    assert together is not None
    assert together.k_map is not None
    assert together.k_map.k == 12
    assert scan.population.people == 40


def test_columns_that_the_population_lacks_are_left_out(db: Database) -> None:
    db.load("sample", COLUMNS, [(1, "x", "y"), (2, "x", "z")])
    db.load("everybody", {"a": "INTEGER", "b": "TEXT"}, [(1, "x"), (1, "x")])
    with sqldiag.connect(db.url) as database:
        scan = database.table("sample").scan(qi=["a", "b", "c"], population_table="everybody")
        sets = {found.quasi_identifiers for found in scan.sets}
        assert sets == {("a",), ("b",), ("a", "b")}
        assert "everybody has no c: left out of sets" in scan.notes
        with pytest.raises(sqldiag.BadInput, match="has none of the columns c"):
            database.table("sample").scan(qi=["c"], population_table="everybody")


def test_what_cannot_be_compared_is_refused(db: Database) -> None:
    db.load("sample", {"a": "INTEGER"}, [(1,)])
    db.load("nobody", {"a": "INTEGER"}, [])
    ran = command("scan", db.url, "sample", "--qi", "a", "--population-table", "nobody")
    assert "nobody has no rows" in refused(ran, 2)
    ran = command("scan", db.url, "sample", "--qi", "a", "--population-table", "nobdy")
    assert "did you mean nobody?" in refused(ran, 2)
    both = ("--population", "5", "--population-table", "nobody")
    assert "not by both" in refused(command("scan", db.url, "sample", *both), 2)


def test_many_sets_are_asked_in_lots(db: Database) -> None:
    columns = {f"c{i}": "INTEGER" for i in range(9)}
    table = [tuple((i >> bit) & 1 for bit in range(9)) for i in (0, 1, 5, 5, 300)]
    people = [row for row in table for _ in range(3)]
    db.load("sample", columns, table)
    db.load("everybody", columns, people)
    with sqldiag.connect(db.url) as database:
        scan = database.table("sample").scan(
            qi=list(columns), population_table="everybody", max_size=4
        )
    assert len(scan.sets) == sum(
        1 for size in range(1, 5) for _ in itertools.combinations(columns, size)
    )
    for found in scan.sets:
        places = tuple(int(name[1:]) for name in found.quasi_identifiers)
        mine = Counter(tuple(row[place] for place in places) for row in table)
        assert found.k_map is not None
        assert found.k_map.k == 3 * min(mine.values())
