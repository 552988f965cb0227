"""Every answer about one set equals brute force, on every engine."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqldiag
from tests import oracle
from tests.databases import Database
from tests.oracle import How, M, R
from tests.tables import (
    MEASURES,
    QI,
    RandomTable,
    close,
    requirement,
    requirements,
    shares,
    tables,
    written,
)

SETS = st.lists(st.sampled_from(QI), min_size=1, max_size=3, unique=True)
ENTITY = st.sampled_from([None, "p"])


def check_levels(
    db: Database, table: RandomTable, qi: list[str], measures: list[M], share: Fraction, how: How
) -> None:
    rows = table.dicts
    strict = bool(how.get("strict_sensitive"))
    with sqldiag.connect(db.url) as database:
        for curve in (False, True):
            answer = database.table("t").measure(
                qi=qi,
                measures=[written(measure) for measure in measures],
                sensitive=list(how.get("strict_sensitive", ())),
                strict_sensitive=strict,
                suppress=share,
                entity=how.get("entity"),
                curve=curve,
            )
            assert [m.measure for m in answer.measures] == [written(m) for m in measures]
            assert answer.cost.base_scans == 1
            for measure, measured in zip(measures, answer.measures, strict=True):
                assert close(measured.value, oracle.worst(rows, qi, measure, **how))
                level = oracle.level(rows, qi, measure, share, **how)
                assert measured.value_suppressed is not None
                assert close(measured.value_suppressed, level), (measure, level)
                if curve:
                    expected = oracle.curve(rows, qi, measure, **how)
                    assert measured.curve is not None
                    assert len(measured.curve) == len(expected)
                    for (value, need), (value_, need_) in zip(
                        measured.curve, expected, strict=True
                    ):
                        assert close(value, value_)
                        assert close(need, need_)


@given(data=st.data(), table=tables(), qi=SETS, entity=ENTITY)
@settings(max_examples=25)
def test_sizes(
    db: Database, data: st.DataObject, table: RandomTable, qi: list[str], entity: str | None
) -> None:
    table.load(db)
    share = data.draw(shares(len(table.rows)))
    check_levels(db, table, qi, [M("k")], share, {"entity": entity})
    rows = table.dicts
    with sqldiag.connect(db.url) as database:
        answer = database.table("t").measure(qi=qi, entity=entity)
    risk = oracle.risk(rows, qi)
    assert (answer.risk.classes, answer.risk.singletons) == (risk.classes, risk.singletons)
    assert answer.source.rows == len(rows)
    assert answer.source.null_rows == risk.null_rows
    for name in ("uniqueness", "average_risk", "distinction", "separation"):
        assert close(getattr(answer.risk, name), getattr(risk, name))
    people = len({row["p"] for row in rows} - {None})
    assert answer.source.entities == (people if entity else None)


@given(data=st.data(), table=tables(), qi=SETS, entity=ENTITY)
@settings(max_examples=40)
def test_measures(
    db: Database, data: st.DataObject, table: RandomTable, qi: list[str], entity: str | None
) -> None:
    table.load(db)
    share = data.draw(shares(len(table.rows)))
    measures = data.draw(st.lists(st.sampled_from(MEASURES), min_size=1, max_size=4, unique=True))
    how: How = {"entity": entity}
    if data.draw(st.booleans()):
        how["strict_sensitive"] = ("s", "z")
    check_levels(db, table, qi, measures, share, how)


@pytest.mark.parametrize("entity", [None, "p"])
@given(table=tables(max_rows=20), qi=SETS)
@settings(max_examples=10)
def test_all_measures_at_once(
    db: Database, table: RandomTable, qi: list[str], entity: str | None
) -> None:
    table.load(db)
    check_levels(db, table, qi, list(MEASURES), Fraction(1, 5), {"entity": entity})


@given(data=st.data(), table=tables(), qi=SETS, entity=ENTITY)
@settings(max_examples=40)
def test_requirements(
    db: Database, data: st.DataObject, table: RandomTable, qi: list[str], entity: str | None
) -> None:
    table.load(db)
    asked: list[R] = data.draw(
        st.lists(requirements(), min_size=1, max_size=3, unique_by=requirement)
    )
    share = data.draw(shares(len(table.rows)))
    how: How = {"entity": entity}
    if data.draw(st.booleans()):
        how["strict_sensitive"] = ("s", "z")
    with sqldiag.connect(db.url) as database:
        answer = database.table("t").check(
            qi=qi,
            require=[requirement(r) for r in asked],
            suppress=share,
            entity=entity,
            sensitive=list(how.get("strict_sensitive", ())),
            strict_sensitive="strict_sensitive" in how,
        )
    rows = table.dicts
    for r, verdict in zip(asked, answer.requirements, strict=True):
        need = oracle.need(rows, qi, [r], **how)
        assert str(verdict.requirement) == requirement(r)
        assert verdict.rows_to_suppress == need, r
        assert verdict.remaining_rows == len(rows) - need
        assert close(verdict.suppression_needed, Fraction(need, len(rows)))
        assert verdict.holds == oracle.holds(rows, qi, [r], share, **how)
        assert close(verdict.value, oracle.worst(rows, qi, r.measure, **how))
    assert answer.rows_to_suppress == oracle.need(rows, qi, asked, **how)
    assert answer.holds == oracle.holds(rows, qi, asked, share, **how)
    assert answer.cost.base_scans == 1
