"""The arithmetic of a profile, by hand and against its definition."""

from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from sqldiag.profile import Line, Profile, Risk


def sizes(*classes: int) -> Profile:
    """The profile of classes of these sizes."""
    return Profile(
        tuple(
            Line(size, classes.count(size), size * classes.count(size))
            for size in sorted(set(classes))
        )
    )


def risk_of(*classes: int) -> Risk:
    return Risk.of(
        rows=sum(classes),
        classes=len(classes),
        singletons=classes.count(1),
        pairs=sum(size * (size - 1) for size in classes),
    )


def test_the_paper_table() -> None:
    """PT over ZIP, MaritalStatus and Sex: three classes of two rows, four of one."""
    classes = (2, 1, 2, 1, 1, 2, 1)
    profile = sizes(*classes)
    assert (profile.rows, profile.worst) == (10, 1)
    assert [profile.level(gone) for gone in (0, 3, 4, 10)] == [1, 1, 2, 2]
    assert profile.curve() == ((1, 0.0), (2, 0.4))
    risk = risk_of(*classes)
    assert (risk.classes, risk.singletons, risk.uniqueness) == (7, 4, 0.4)
    assert (risk.average_risk, risk.distinction) == (0.7, 0.7)
    assert risk.separation is not None
    # 3 classes of two rows: 6 of the 90 ordered pairs stand together.
    assert math.isclose(risk.separation, 1 - 6 / 90)


def test_one_row() -> None:
    risk = risk_of(1)
    assert (risk.uniqueness, risk.separation, sizes(1).level(1)) == (1.0, 0.0, 1)


def test_never_all_rows_go() -> None:
    assert sizes(3, 5).level(8) == 5
    assert sizes(3, 5).level(100) == 5


def test_values_may_be_real_and_infinite() -> None:
    """Where less is safer the worst value is the largest."""
    profile = Profile((Line(math.inf, 1, 2), Line(0.5, 2, 3), Line(0.25, 1, 5)))
    assert profile.worst == math.inf
    assert [profile.level(gone) for gone in (0, 1, 2, 4, 5, 10)] == [
        *(math.inf, math.inf, 0.5, 0.5, 0.25, 0.25),
    ]
    assert profile.curve() == ((math.inf, 0.0), (0.5, 0.2), (0.25, 0.5))


@given(st.lists(st.integers(1, 6), min_size=1, max_size=12), st.data())
def test_against_the_definition(classes: list[int], data: st.DataObject) -> None:
    found = sizes(*classes)
    rows = sum(classes)
    gone = data.draw(st.integers(0, rows))
    # All classes of one size go together, smallest first, while the budget lasts; one stays.
    kept = sorted(set(classes))
    while len(kept) > 1 and sum(c for c in classes if c <= kept[0]) <= gone:
        kept.pop(0)
    assert found.level(gone) == kept[0]
    for value, need in found.curve():
        assert need == float(Fraction(sum(c for c in classes if c < value), rows))
    labels = [i for i, size in enumerate(classes) for _ in range(size)]
    apart = sum(a != b for a in labels for b in labels)
    expected = apart / (rows * (rows - 1)) if rows > 1 else 0.0
    found_apart = risk_of(*classes).separation
    assert found_apart is not None
    assert math.isclose(found_apart, expected, abs_tol=1e-12)
