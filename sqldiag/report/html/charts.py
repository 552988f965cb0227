"""The pictures of a report as plain numbers: templates draw them, and know nothing of answers.

Across, places are per cent of the width, so that a chart is as wide as its page and its letters
keep their size on a phone; downwards they are pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sqldiag.report.blocks import Table

# What cannot be seen is not drawn: a mark is at least so wide.
_THINNEST = 0.4
# Steps closer than this are drawn as one.
_CLOSEST = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar of ``width`` per cent; ``bad`` ones are striped."""

    label: str
    width: float
    text: str
    bad: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What every picture has: a title, a sentence that says what is to be seen, its numbers."""

    # Which macro of the templates draws it.
    kind: ClassVar[str]

    title: str
    sentence: str
    numbers: Table

    @property
    def long(self) -> bool:
        """Whether it may need more than a sheet of paper."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars(Chart):
    kind = "bars"

    bars: tuple[Bar, ...]
    # What striped and plain bars mean, where there are both kinds.
    bad: str = ""
    good: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Segment:
    """From one point to another: per cent across, pixels down."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across (``y``) or down (``x``) the whole chart, with what it stands for."""

    label: str
    x: float | None = None
    y: float | None = None
    # Which way the label goes, so that it stays within the chart.
    anchor: str = "start"
    # What is allowed, rather than what is required.
    allowed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines(Chart):
    """A line over two axes."""

    kind = "lines"

    height: int
    segments: tuple[Segment, ...]
    dots: tuple[Dot, ...]
    rules: tuple[Rule, ...]
    across: tuple[Tick, ...]
    upwards: tuple[Tick, ...]
    across_label: str
    upwards_label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two bars under a name: what is unique, and what misses the requirement."""

    label: str
    text: str
    unique: float
    missing: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    title: str
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Panels(Chart):
    kind = "panels"

    panels: tuple[Panel, ...]
    missing: str

    @property
    def long(self) -> bool:
        return any(len(panel.pairs) > 16 for panel in self.panels)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRow:
    """A set of columns: which of them are in it, and what it exposes."""

    columns: str
    cells: tuple[bool, ...]
    rows: str
    share: str
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One border: the sets that are drawn, and what is said of the others."""

    title: str
    safe: bool
    sets: tuple[SetRow, ...]
    rest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix(Chart):
    kind = "matrix"

    columns: tuple[str, ...]
    sides: tuple[Side, ...]

    @property
    def long(self) -> bool:
        return sum(len(side.sets) for side in self.sides) > 24


def width(share: float, whole: float = 1.0) -> float:
    """A bar's width in per cent: nothing is 0, and whatever is not nothing can be seen."""
    if share <= 0 or whole <= 0:
        return 0.0
    return round(max(_THINNEST, min(100.0, 100 * share / whole)), 2)


@dataclass(frozen=True, slots=True)
class Scale:
    """Where a number lies on an axis of whole numbers from 0: by its size, or by its logarithm."""

    largest: float
    logarithmic: bool

    @classmethod
    def to(cls, largest: float) -> Scale:
        return cls(max(largest, 1.0), logarithmic=largest > 30)

    def at(self, value: float) -> float:
        if self.logarithmic:
            share = math.log1p(max(value, 0)) / math.log1p(self.largest)
        else:
            share = value / self.largest
        return round(100 * min(max(share, 0.0), 1.0), 2)

    def ticks(self) -> tuple[Tick, ...]:
        if self.logarithmic:
            steps = [m * 10**e for e in range(19) for m in (1, 2, 5)]
            values = [step for step in steps if step <= self.largest]
            # So many fit beside one another on a phone.
            while len(values) > 7:
                values = values[::2]
        else:
            by = nice(self.largest / 6)
            values = [i * by for i in range(int(self.largest / by) + 1)]
        return tuple(Tick(self.at(value), f"{value:,.0f}") for value in values)


def nice(number: float) -> int:
    """The next of 1, 2, 5, 10, 20, …"""
    power = 10 ** max(math.floor(math.log10(max(number, 1))), 0)
    return next(int(m * power) for m in (1, 2, 5, 10) if m * power >= number)


def staircase(points: Sequence[tuple[float, float]]) -> tuple[Segment, ...]:
    """(x, y) in places of the chart: up to each x, from the one before, the line lies at its y."""
    segments: list[Segment] = []
    start, level = 0.0, points[0][1]
    for number, (x, y) in enumerate(points, 1):
        if x - start < _CLOSEST and number < len(points):
            # Too close to the last riser to be told from it: the next one takes both.
            continue
        if y != level:
            segments.append(Segment(start, level, start, y))
        segments.append(Segment(start, y, x, y))
        start, level = x, y
    return tuple(segments)


def share_ticks(largest: float, height: int) -> tuple[tuple[Tick, ...], float]:
    """Marks from 0 to a round share at or above the largest, as pixels from the top."""
    steps = (0.0001, 0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
    top = next((step for step in steps if 0 < largest <= step), 1.0)
    ticks = [
        Tick(round(height * (1 - part / 4), 1), f"{100 * top * part / 4:.4g}%") for part in range(5)
    ]
    return tuple(ticks), top
