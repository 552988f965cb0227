"""The numbers behind the pictures: nothing is lost in a bin, no line leaves its chart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqldiag.answers import Measured, Verdict
from sqldiag.measures import SIZE
from sqldiag.profile import Line, Profile
from sqldiag.report.html import charts
from sqldiag.report.html.crowds import crowds
from sqldiag.report.html.curves import curve
from sqldiag.requirement import parse_requirement

PROFILES = st.dictionaries(st.integers(0, 20_000), st.integers(1, 50), min_size=1, max_size=60)


def measured(sizes: dict[int, int]) -> Measured:
    """So many classes of each size; a class of nobody has a row."""
    lines = [Line(size, classes, max(size, 1) * classes) for size, classes in sorted(sizes.items())]
    profile = Profile(tuple(lines))
    return Measured(
        call=SIZE,
        value=profile.worst,
        value_suppressed=None,
        curve=profile.curve(),
        worst=None,
        profile=profile,
    )


def verdict(sizes: Measured, least: int) -> Verdict:
    assert sizes.profile is not None
    total = sizes.profile.rows
    need = sum(line.rows for line in sizes.profile.lines if line.value < least)
    return Verdict(
        requirement=parse_requirement(f"k >= {least}"),
        value=sizes.value,
        value_suppressed=None,
        holds=need == 0,
        rows_to_suppress=need,
        suppression_needed=need / total,
        remaining_rows=total - need,
    )


def number(text: str) -> int:
    return int(text.replace(",", ""))


@given(sizes=PROFILES, least=st.integers(1, 2000), people=st.booleans())
def test_every_row_stands_in_one_bar(sizes: dict[int, int], least: int, people: bool) -> None:
    one = measured(sizes)
    assert one.profile is not None
    asked = verdict(one, least)
    drawn = crowds(one, asked, people=people)
    assert drawn is not None
    assert sum(number(row[2]) for row in drawn.numbers.rows) == one.profile.rows
    assert sum(number(row[1]) for row in drawn.numbers.rows) == sum(sizes.values())
    bad = [row for bar, row in zip(drawn.bars, drawn.numbers.rows, strict=True) if bar.bad]
    assert sum(number(row[2]) for row in bad) == asked.rows_to_suppress
    for bar, row in zip(drawn.bars, drawn.numbers.rows, strict=True):
        assert (bar.width > 0) == (number(row[2]) > 0)
        assert bar.width <= 100
        assert bar.label == row[0]


@given(sizes=PROFILES, least=st.integers(1, 30_000), share=st.sampled_from([None, 0.0, 0.01, 1.0]))
def test_a_curve_climbs_within_its_chart(
    sizes: dict[int, int], least: int, share: float | None
) -> None:
    one = measured(sizes)
    drawn = curve(one, verdict(one, least), share, people=False)
    assert drawn is not None
    assert drawn.segments
    at = drawn.segments[0]
    for segment in drawn.segments:
        for x, y in ((segment.x1, segment.y1), (segment.x2, segment.y2)):
            assert 0 <= x <= 100
            assert 0 <= y <= drawn.height
        assert segment.x2 >= segment.x1
        # Upwards is towards 0.
        assert segment.y2 <= segment.y1
        assert (segment.x1, segment.y1) in ((at.x2, at.y2), (at.x1, at.y1))
        at = segment
    assert len(drawn.segments) <= 2 * 100 / 0.25 + 2
    for tick in drawn.across:
        assert 0 <= tick.at <= 100
    assert 2 <= len(drawn.across) <= 8
    listed = {number(level): needed for level, needed in drawn.numbers.rows}
    assert least in listed


@pytest.mark.parametrize(
    ("share", "whole", "expected"),
    [(0, 1, 0), (1, 1, 100), (0.5, 1, 50), (1e-9, 1, 0.4), (2, 1, 100), (0, 0, 0)],
)
def test_widths(share: float, whole: float, expected: float) -> None:
    assert charts.width(share, whole) == expected


@given(st.floats(1, 1e9))
def test_nice_numbers(value: float) -> None:
    nice = charts.nice(value)
    assert value <= nice <= 10 * value
    assert str(nice).rstrip("0") in ("1", "2", "5")
