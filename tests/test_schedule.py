"""Cron's five fields, against a clock that looks at every minute."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqldiag.errors import BadInput
from sqldiag.policy.schedule import parse_schedule


def field(least: int, most: int) -> st.SearchStrategy[str]:
    number = st.integers(least, most)
    span = st.tuples(number, number).map(lambda p: f"{min(p)}-{max(p)}")
    one = st.one_of(number.map(str), span, st.just("*"), st.integers(2, 20).map(lambda n: f"*/{n}"))
    return st.lists(one, min_size=1, max_size=2).map(",".join)


def fits(text: str, value: int, least: int, most: int) -> bool:
    """One field, read the slow way."""
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        low, high = (least, most) if span == "*" else (int(first), int(last or first))
        if value in range(low, high + 1, int(step or 1)):
            return True
    return False


def matches(fields: list[str], at: datetime) -> bool:
    minute, hour, day, month, weekday = fields
    days = {d for d in range(1, 32) if fits(day, d, 1, 31)}
    weekdays = {w % 7 for w in range(8) if fits(weekday, w, 0, 7)}
    on_day, on_weekday = at.day in days, at.isoweekday() % 7 in weekdays
    either = len(days) < 31 and len(weekdays) < 7
    return (
        fits(minute, at.minute, 0, 59)
        and fits(hour, at.hour, 0, 23)
        and fits(month, at.month, 1, 12)
        and (on_day or on_weekday if either else on_day and on_weekday)
    )


@settings(max_examples=40)
@given(
    st.tuples(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7)),
    st.datetimes(datetime(2024, 1, 1), datetime(2027, 1, 1)),
)
def test_the_next_run_is_the_first_minute_that_fits(
    fields: tuple[str, ...], moment: datetime
) -> None:
    found = parse_schedule(" ".join(fields)).next_after(moment)
    at = moment.replace(second=0, microsecond=0)
    for _ in range(60 * 25):
        at += timedelta(minutes=1)
        if matches(list(fields), at):
            assert found == at
            return
        assert found is None or found > at


def test_every_minute_and_never() -> None:
    moment = datetime(2026, 11, 18, 4, 30, 59)
    assert parse_schedule("* * * * *").next_after(moment) == datetime(2026, 11, 18, 4, 31)
    assert parse_schedule("@daily").next_after(moment) == datetime(2026, 11, 19)
    assert parse_schedule("0 0 30 2 *").next_after(moment) is None


@pytest.mark.parametrize(
    "text", ["", "* * * *", "* * * * * *", "60 * * * *", "5-1 * * * *", "*/0 * * * *", "x * * * *"]
)
def test_what_is_no_schedule(text: str) -> None:
    with pytest.raises(BadInput, match="is no schedule"):
        parse_schedule(text)
