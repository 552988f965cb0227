"""Borders and subsets equal brute force over all sets, on every engine, with every strategy."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

import sqldiag
from tests import oracle
from tests.databases import Database
from tests.oracle import How, M, R
from tests.tables import MEASURES, RandomTable, close, requirement, requirements, tables, written

COLUMNS = ("a", "b", "c", "d")
WIDE = ("a", "b", "c", "d", "f", "g", "h")
ENTITY = st.sampled_from([None, "p"])
SHARES = st.sampled_from([None, Fraction(0), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)])


def check_borders(
    db: Database,
    table: RandomTable,
    columns: tuple[str, ...],
    asked: list[R],
    share: Fraction | None,
    max_size: int | None,
    how: How,
) -> None:
    rows = table.dicts
    expected = oracle.borders(rows, columns, asked, share or 0, max_size=max_size, **how)
    with sqldiag.connect(db.url) as database:
        for strategy in ("apriori", "auto"):
            answer = database.table("t").borders(
                among=columns,
                require=[requirement(r) for r in asked],
                suppress=share,
                entity=how.get("entity"),
                sensitive=list(how.get("strict_sensitive", ())),
                strict_sensitive="strict_sensitive" in how,
                max_size=max_size,
                strategy=strategy,
            )
            assert answer.searched.complete
            assert {found.quasi_identifiers for found in answer.safe} == expected[0], strategy
            assert {found.quasi_identifiers for found in answer.unsafe} == expected[1], strategy
            assert answer.searched.source.rows == len(rows)
            for found in answer.unsafe:
                need = oracle.need(rows, found.quasi_identifiers, asked, **how)
                assert found.rows_to_suppress == need
                assert found.null_rows == oracle.null_rows(rows, found.quasi_identifiers)


@given(
    table=tables(qi=COLUMNS, max_rows=14),
    asked=st.lists(requirements(), min_size=1, max_size=2, unique_by=requirement),
    share=SHARES,
    entity=ENTITY,
    strict=st.booleans(),
    max_size=st.sampled_from([None, None, 1, 2, 3]),
)
@settings(max_examples=40)
def test_borders(
    db: Database,
    table: RandomTable,
    asked: list[R],
    share: Fraction | None,
    entity: str | None,
    strict: bool,
    max_size: int | None,
) -> None:
    table.load(db)
    how: How = {"entity": entity}
    if strict:
        how["strict_sensitive"] = ("s", "z")
    check_borders(db, table, COLUMNS, asked, share, max_size, how)


@given(
    table=tables(qi=WIDE, max_rows=25),
    asked=st.lists(
        # Half of them may be pruned, half may not.
        st.one_of(requirements([M("k"), M("distinct_l", "s")]), requirements()),
        min_size=1,
        max_size=2,
        unique_by=requirement,
    ),
    share=SHARES,
    entity=ENTITY,
    max_size=st.sampled_from([None, None, 2, 5]),
)
@settings(max_examples=20)
def test_borders_of_seven_columns(
    db: Database,
    table: RandomTable,
    asked: list[R],
    share: Fraction | None,
    entity: str | None,
    max_size: int | None,
) -> None:
    table.load(db)
    check_borders(db, table, WIDE, asked, share, max_size, {"entity": entity})


@given(
    table=tables(qi=COLUMNS, max_rows=14),
    measure=st.sampled_from(MEASURES),
    asked=st.lists(requirements(), max_size=2, unique_by=requirement),
    share=SHARES,
    entity=ENTITY,
    curve=st.booleans(),
    max_size=st.sampled_from([None, 2]),
)
@settings(max_examples=40)
def test_subsets(
    db: Database,
    table: RandomTable,
    measure: M,
    asked: list[R],
    share: Fraction | None,
    entity: str | None,
    curve: bool,
    max_size: int | None,
) -> None:
    table.load(db)
    rows = table.dicts
    expected = oracle.subsets(
        rows,
        COLUMNS,
        measure,
        share or 0,
        requirements=asked,
        max_size=max_size,
        entity=entity,
    )
    with sqldiag.connect(db.url) as database:
        answer = database.table("t").subsets(
            among=COLUMNS,
            measures=[written(measure)],
            require=[requirement(r) for r in asked],
            suppress=share,
            entity=entity,
            curve=curve,
            max_size=max_size,
            all=True,
        )
    assert {found.quasi_identifiers for found in answer.sets} == set(expected)
    for found in answer.sets:
        theirs = expected[found.quasi_identifiers]
        level = found.levels[0]
        assert close(level.value, theirs.value)
        if found.inferred:
            continue
        assert found.risk is not None
        assert found.risk.classes == theirs.classes
        if share is not None:
            assert level.value_suppressed is not None
            assert close(level.value_suppressed, theirs.value_suppressed)
        if asked:
            assert found.suppression_needed is not None
            assert theirs.suppression_needed is not None
            assert close(found.suppression_needed, theirs.suppression_needed)
        if curve:
            assert level.curve is not None
            assert len(level.curve) == len(theirs.curve)
            for (value, need), (value_, need_) in zip(level.curve, theirs.curve, strict=True):
                assert close(value, value_)
                assert close(need, need_)
