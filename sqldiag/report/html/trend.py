"""How a level changed from one diagnosis to the next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from sqldiag.report import words
from sqldiag.report.blocks import Table
from sqldiag.report.html.charts import Dot, Lines, Rule, Segment, Tick

_HEIGHT = 200
# Beyond so many points a picture tells no more.
_MOST_POINTS = 120

Point = tuple[datetime, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """The level of a measure each time it was diagnosed; what was required of it, if anything."""

    measure: str
    points: Sequence[Point]
    threshold: float | None = None


def draw(trend: Trend) -> Lines | None:
    """How a level changed from one diagnosis to the next."""
    measure, threshold = trend.measure, trend.threshold
    if len(trend.points) < 2:
        return None
    shown = sorted(trend.points)[-_MOST_POINTS:]
    first, last = shown[0], shown[-1]
    span = (last[0] - first[0]).total_seconds() or 1.0
    top = max([value for _, value in shown if not math.isinf(value)] + [threshold or 0.0, 1e-9])

    def place(point: Point) -> tuple[float, float]:
        across = 100 * (point[0] - first[0]).total_seconds() / span
        return round(across, 2), round(_HEIGHT * (1 - min(point[1] / top, 1)), 1)

    places = [place(point) for point in shown]
    dots = tuple(Dot(x, y, "") for x, y in places[:-1])
    ends = (*dots, Dot(*places[-1], words.value(last[1])))
    rules: tuple[Rule, ...] = ()
    if threshold is not None:
        rules = (Rule("required", y=round(_HEIGHT * (1 - threshold / top), 1), anchor="start"),)
    return Lines(
        title=f"How did {measure} change?",
        sentence=f"From {words.value(first[1])} on {_day(first[0])} to {words.value(last[1])} on "
        f"{_day(last[0])}.",
        numbers=Table(
            ("when", measure),
            tuple((f"{when:%Y-%m-%d %H:%M}", words.value(value)) for when, value in shown),
            frozenset({1}),
        ),
        height=_HEIGHT,
        segments=tuple(Segment(*a, *b) for a, b in pairwise(places)),
        dots=ends,
        rules=rules,
        across=(Tick(0, _day(first[0])), Tick(100, _day(last[0]))),
        upwards=tuple(Tick(_HEIGHT * (1 - p), words.value(top * p)) for p in range(2)),
        across_label="when it was diagnosed",
        upwards_label=measure,
    )


def _day(when: datetime) -> str:
    return f"{when:%Y-%m-%d}"
