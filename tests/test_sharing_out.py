"""Which sets share a statement, and what each is grouped from, is a matter of time alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

import sqldiag
from sqldiag import lattice
from sqldiag.planner import evaluate, grouping, kin
from sqldiag.planner.values import Totals
from tests import every_set
from tests.databases import Database
from tests.tables import RandomTable, tables

COLUMNS = ("a", "b", "c", "d")


@given(
    table=tables(qi=COLUMNS, max_rows=30),
    threshold=st.integers(1, 6),
    # From what is there already only, from anything, or as it comes.
    smaller=st.sampled_from([0.0, 0.8, 1e9]),
    lanes=st.integers(1, 5),
)
@settings(max_examples=40)
def test_all_sets(
    db: Database, table: RandomTable, threshold: int, smaller: float, lanes: int
) -> None:
    table.load(db)
    with (
        patch.object(evaluate, "_MUCH", 1),
        patch.object(grouping, "_SMALLER", smaller),
        sqldiag.connect(db.url) as database,
        patch.object(database.session.connection, "lanes", lambda: lanes),
    ):
        answer = every_set.ask(database, COLUMNS, [threshold])
    every_set.assert_right(answer, table, COLUMNS, [threshold])


@st.composite
def batches(draw: st.DrawFn) -> tuple[list[list[int]], list[int], list[float]]:
    """Sets of some columns in some batches; how many values the columns have; weights of sets."""
    columns = draw(st.integers(1, 6))
    masks = draw(st.lists(st.integers(1, 2**columns - 1), min_size=1, unique=True))
    cut = draw(st.integers(0, len(masks)))
    values = draw(st.lists(st.integers(1, 9), min_size=columns, max_size=columns))
    weights = draw(st.lists(st.floats(0, 100), min_size=2**columns, max_size=2**columns))
    return [batch for batch in (masks[:cut], masks[cut:]) if batch], values, weights


@given(given_=batches(), lanes=st.integers(1, 5))
def test_no_lane_has_more_than_its_share(
    given_: tuple[list[list[int]], list[int], list[float]], lanes: int
) -> None:
    known, values, weights = given_
    pieces = kin.shared_out(known, values, weight=lambda mask: weights[mask], lanes=lanes)
    before = [mask for batch in known for mask in batch]
    assert sorted(mask for piece in pieces for mask in piece) == sorted(before)
    assert all(pieces)
    share = sum(weights[mask] for mask in before) / lanes
    assert all(len(piece) == 1 or sum(weights[m] for m in piece) <= share for piece in pieces) or (
        lanes == 1 and pieces == known
    )


def test_halves_have_columns_in_common() -> None:
    masks = list(lattice.level(4, 2))
    first, *others = kin.shared_out([masks], [2, 3, 9, 4], weight=lambda _: 1.0, lanes=2)
    assert first == [mask for mask in masks if mask >> 2 & 1]
    assert sorted(mask for piece in others for mask in piece) == [0b0011, 0b1001, 0b1010]


def totals(rows: int, spread: Sequence[float]) -> Totals:
    names = [f"c{i}" for i in range(len(spread))]
    return Totals(
        rows=rows,
        entities=None,
        filled=dict.fromkeys(names, rows),
        distinct=dict.fromkeys(names, 1),
        rolled_up=rows,
        spread=dict(zip(names, spread, strict=True)),
    )


@given(
    rows=st.integers(1, 10**9),
    spread=st.lists(st.floats(1, 1e9), min_size=1, max_size=60),
)
def test_estimates_are_within_bounds(rows: int, spread: list[float]) -> None:
    known = totals(rows, spread)
    names = list(known.spread)
    estimate = known.groups(names)
    assert 0 < estimate <= min(rows, math.prod(spread)) * (1 + 1e-9)
    assert known.groups(names[:-1] or names) <= estimate * (1 + 1e-9)


def test_estimates_of_what_is_known() -> None:
    # As many cells as rows: 1/e of them stay empty.
    assert math.isclose(totals(1000, [10.0, 100.0]).groups(["c0", "c1"]), 1000 * (1 - 1 / math.e))
    assert math.isclose(totals(1000, [1.0]).groups(["c0"]), 1.0)


def test_spread_is_read_from_the_data(db: Database) -> None:
    """Three equal values spread over three; 9 and 3 rows over e to their entropy; NULL counts."""
    rows = [(i % 3, "x" if i < 9 else None, i) for i in range(12)]
    db.load("t", ("a", "b", "id"), rows)
    with sqldiag.connect(db.url) as database:
        found: list[Totals] = []
        read = evaluate.Evaluator.evaluate

        def look(self: evaluate.Evaluator, *given_: object, **named: object) -> object:
            assert self._rollups is not None
            found.append(self._rollups.build().totals)
            return read(self, *given_, **named)  # type: ignore[arg-type]

        with patch.object(evaluate.Evaluator, "evaluate", look):
            database.table("t").subsets(among=["a", "b", "id"], require=["k >= 2"])
    [known] = found
    entropy = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    assert known.rolled_up == 12
    assert math.isclose(known.spread["a"], 3.0)
    assert math.isclose(known.spread["b"], math.exp(entropy))
    assert math.isclose(known.spread["id"], 12.0)
