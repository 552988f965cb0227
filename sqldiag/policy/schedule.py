"""A schedule in cron's five fields, and when it comes round next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqldiag.errors import BadInput

_FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
_NAMED = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
}
_YEARS = 5


@dataclass(frozen=True, slots=True)
class Schedule:
    """The values of each field, and the text in five fields."""

    text: str
    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]

    def next_after(self, moment: datetime) -> datetime | None:
        """The first minute after this one that fits; None where none does for years."""
        at = moment.replace(second=0, microsecond=0) + timedelta(minutes=1)
        last = at + timedelta(days=366 * _YEARS)
        while at < last:
            if at.month not in self.months or not self._day(at):
                at = (at + timedelta(days=1)).replace(hour=0, minute=0)
            elif at.hour not in self.hours:
                at = (at + timedelta(hours=1)).replace(minute=0)
            elif at.minute not in self.minutes:
                at += timedelta(minutes=1)
            else:
                return at
        return None

    def _day(self, at: datetime) -> bool:
        """As cron does: where both the day and the weekday are named, either will do."""
        day, weekday = at.day in self.days, at.isoweekday() % 7 in self.weekdays
        both = len(self.days) < 31 and len(self.weekdays) < 7
        return day or weekday if both else day and weekday


def parse_schedule(text: str) -> Schedule:
    fields = _NAMED.get(text.strip(), text).split()
    if len(fields) != len(_FIELDS):
        raise BadInput(
            f"{text!r} is no schedule; write five fields as cron does, such as 0 3 * * *"
        )
    found = [_field(text, *field) for field in zip(fields, _FIELDS, strict=True)]
    weekdays = frozenset(day % 7 for day in found[4])
    return Schedule(" ".join(fields), found[0], found[1], found[2], found[3], weekdays)


def _field(schedule: str, text: str, field: tuple[str, int, int]) -> frozenset[int]:
    name, least, most = field
    values: set[int] = set()
    for part in text.split(","):
        span, slash, step = part.partition("/")
        first, dash, last = span.partition("-")
        first, last = (str(least), str(most)) if span == "*" else (first, last if dash else first)
        if not (first.isdecimal() and last.isdecimal() and (step.isdecimal() or not slash)):
            raise BadInput(f"{schedule!r} is no schedule: {part} is no {name}")
        lowest, highest, every = int(first), int(last), int(step or 1)
        if not (least <= lowest <= highest <= most and every):
            raise BadInput(f"{schedule!r} is no schedule: a {name} is {least} to {most}")
        values.update(range(lowest, highest + 1, every))
    return frozenset(values)
