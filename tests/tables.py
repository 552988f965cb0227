"""Random small tables for hypothesis, and how sqldiag writes the oracle's measures."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from hypothesis import strategies as st

from tests import oracle
from tests.databases import Database
from tests.oracle import M, Number, R

QI = ("a", "b", "c")

_SENSITIVE: dict[str, list[object]] = {
    "INTEGER": [None, 1, 2, 3, 10],
    "TEXT": [None, "", "flu", "HIV", "Ä"],
    "DATE": [
        None,
        datetime.date(1999, 1, 2),
        datetime.date(2020, 2, 29),
        datetime.date(2020, 3, 1),
    ],
    "BOOLEAN": [None, True, False],
    "NUMERIC(10, 2)": [None, Decimal("-1.50"), Decimal("0.00"), Decimal("12.34")],
}


@dataclass(frozen=True)
class RandomTable:
    """A table with quasi-identifiers a, b, c, sensitive s and z, and an entity column p."""

    types: dict[str, str]
    rows: tuple[tuple[object, ...], ...]

    @property
    def dicts(self) -> list[dict[str, object]]:
        return [dict(zip(self.types, row, strict=True)) for row in self.rows]

    def load(self, db: Database, table: str = "t") -> None:
        db.load(table, self.types, self.rows)


@st.composite
def tables(draw: st.DrawFn, *, max_rows: int = 12, qi: Sequence[str] = QI) -> RandomTable:
    kind = draw(st.sampled_from(sorted(_SENSITIVE)))
    quasi = st.one_of(st.none(), st.integers(0, draw(st.integers(0, 2))))
    row = st.tuples(
        *[quasi for _ in qi],
        st.sampled_from(_SENSITIVE[kind]),
        st.sampled_from(["x", "y", None]),
        st.one_of(st.none(), st.integers(1, 5)),
    )
    rows = draw(st.lists(row, min_size=1, max_size=max_rows))
    types = dict.fromkeys(qi, "INTEGER") | {"s": kind, "z": "TEXT", "p": "INTEGER"}
    return RandomTable(types, tuple(rows))


def shares(rows: int) -> st.SearchStrategy[Fraction]:
    """Shares of the rows: whole numbers of rows, just below and just above, and others."""
    whole = st.integers(0, rows).map(lambda gone: Fraction(gone, rows))
    nudge = st.sampled_from([Fraction(0), Fraction(1, 10**7), Fraction(-1, 10**7)])
    near = st.builds(lambda share, by: min(max(share + by, Fraction(0)), Fraction(1)), whole, nudge)
    return st.one_of(
        near, st.sampled_from([Fraction(0), Fraction(1, 100), Fraction(1, 2), Fraction(1)])
    )


MEASURES = (
    M("k"),
    M("distinct_l", "s"),
    M("frequency_l", "s"),
    M("entropy_l", "s"),
    M("recursive_l", "s", c=3),
    M("recursive_l", "s", c=Fraction(1, 2)),
    M("alpha", "s"),
    M("alpha", "z", values=("x", None)),
    M("t_closeness", "s"),
    M("t_closeness_ordered", "s"),
    M("basic_beta", "s"),
    M("enhanced_beta", "s"),
    M("delta_disclosure", "s"),
    M("entropy_l", "z"),
)


def written(measure: M) -> str:
    """The measure in sqldiag's own canonical form."""
    if measure.column is None:
        return measure.name
    extra = [_value(value) for value in measure.values]
    if measure.c is not None:
        extra = [_decimal(measure.c)]
    return f"{measure.name}({', '.join([measure.column, *extra])})"


def _value(value: object) -> str:
    return "NULL" if value is None else f"'{value}'"


def _decimal(number: Number) -> str:
    fraction = oracle.fraction(number)
    return str(fraction.numerator) if fraction.denominator == 1 else repr(float(fraction))


def requirement(r: R) -> str:
    return f"{written(r.measure)} {'>=' if r.measure.more_is_safer else '<='} {_decimal(r.bound)}"


_BOUNDS: dict[str, list[Number]] = {
    "k": [1, 2, 3, 5],
    "distinct_l": [1, 2, 3],
    "frequency_l": [1, 1.5, 2, 3],
    "entropy_l": [1, 1.8, 2, 3],
    "recursive_l": [1, 2, 3],
    "alpha": [0, 0.25, 0.4, 0.5, 1],
    "t_closeness": [0, 0.2, 0.5],
    "t_closeness_ordered": [0, 0.1, 0.25],
    "basic_beta": [0, 0.5, 1],
    "enhanced_beta": [0, 0.5, 1],
    "delta_disclosure": [0, 0.3, 1],
}


def requirements(measures: Sequence[M] = MEASURES) -> st.SearchStrategy[R]:
    return st.sampled_from(measures).flatmap(
        lambda measure: st.builds(R, st.just(measure), st.sampled_from(_BOUNDS[measure.name]))
    )


def close(ours: float, theirs: Number) -> bool:
    return math.isclose(ours, float(theirs), rel_tol=1e-9, abs_tol=1e-12)
