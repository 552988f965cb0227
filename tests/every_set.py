"""The answer about every set, compared with the oracle's."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import sqldiag
from sqldiag.answers import Subsets
from tests import oracle
from tests.oracle import M, R
from tests.tables import RandomTable


def ask(database: sqldiag.Database, columns: Sequence[str], thresholds: Sequence[int]) -> Subsets:
    required = [f"k >= {threshold}" for threshold in thresholds]
    return database.table("t").subsets(among=columns, require=required)


def assert_right(
    answer: Subsets, table: RandomTable, columns: Sequence[str], thresholds: Sequence[int]
) -> None:
    rows = table.dicts
    required = [R(M("k"), Fraction(threshold)) for threshold in thresholds]
    assert {found.quasi_identifiers for found in answer.sets} == set(oracle.sets_of(columns))
    for found in answer.sets:
        names = found.quasi_identifiers
        theirs = oracle.risk(rows, names)
        assert found.risk is not None
        assert (found.risk.classes, found.risk.singletons) == (theirs.classes, theirs.singletons)
        assert found.levels[0].value == oracle.worst(rows, names, M("k"))
        assert found.rows_to_suppress == oracle.need(rows, names, required)
        assert found.null_rows == oracle.null_rows(rows, names)
