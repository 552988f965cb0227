"""What suppression buys: the share of rows that must go for every level."""

from __future__ import annotations

from sqldiag.answers import Measured, Verdict
from sqldiag.report import words
from sqldiag.report.blocks import Table
from sqldiag.report.html.charts import Dot, Lines, Rule, Scale, share_ticks, staircase

# The levels whose price the table beside a curve lists.
_LISTED = (1, 2, 3, 5, 10, 20, 50, 100, 1000)
_HEIGHT = 240


def curve(
    measured: Measured, verdict: Verdict | None, share: float | None, *, people: bool
) -> Lines | None:
    """For every level, the share of rows to suppress: the price of what is required."""
    if measured.curve is None:
        return None
    points = [(float(value), need) for value, need in measured.curve]
    threshold = None if verdict is None else float(verdict.requirement.threshold)
    if threshold is not None and threshold > points[-1][0]:
        # What no group reaches costs all rows.
        points.append((threshold, 1.0))
    scale = Scale.to(max(points[-1][0], threshold or 0))
    highest = max([need for _, need in points] + ([verdict.suppression_needed] if verdict else []))
    upwards, top = share_ticks(max(highest, share or 0), _HEIGHT)

    def down(need: float) -> float:
        return round(_HEIGHT * (1 - min(need / top, 1)), 1)

    rules, dots = [], []
    if share:
        label = f"{words.percent(share)} may be suppressed"
        rules.append(Rule(label, y=down(share), anchor="end", allowed=True))
    if verdict is not None and threshold is not None:
        x = scale.at(threshold)
        rules.append(Rule(str(verdict.requirement), x=x, anchor="end" if x > 55 else "start"))
        need = verdict.suppression_needed
        dots.append(Dot(x, down(need), words.percent(need)))
    noun = "people" if people else "rows"
    what = f"{measured.measure}: {noun} in the smallest group that stays"
    if measured.call.column is not None:
        what = f"{measured.measure}: the level of the worst group that stays"
    return Lines(
        title="What would suppression buy?"
        if measured.call.column is None
        else f"What would suppression buy for {measured.measure}?",
        sentence=_price(measured, verdict, share),
        numbers=_prices(measured, threshold),
        height=_HEIGHT,
        segments=staircase([(scale.at(value), down(need)) for value, need in points]),
        dots=tuple(dots),
        rules=tuple(rules),
        across=scale.ticks(),
        upwards=upwards,
        across_label=what + (", on a logarithmic scale" if scale.logarithmic else ""),
        upwards_label="rows to suppress",
    )


def _needed(measured: Measured, level: float) -> float:
    """The share that goes for a level: what the next value that a group has needs."""
    return next((need for value, need in measured.curve or () if value >= level), 1.0)


def _price(measured: Measured, verdict: Verdict | None, share: float | None) -> str:
    if verdict is None:
        need = words.percent(_needed(measured, 2))
        return f"For {measured.measure} = 2, {need} of the rows would have to go."
    cost = words.percent(verdict.suppression_needed)
    sentence = f"{verdict.requirement} costs {cost} of the rows"
    if share is None:
        return f"{sentence}."
    return f"{sentence}; {words.percent(share)} may be suppressed."


def _prices(measured: Measured, threshold: float | None) -> Table:
    largest = measured.curve[-1][0] if measured.curve else 0
    listed = {*(level for level in _LISTED if level <= largest), largest}
    if threshold is not None:
        listed.add(threshold)
    rows = [
        (words.value(level), words.percent(_needed(measured, level))) for level in sorted(listed)
    ]
    return Table((measured.measure, "rows to suppress"), tuple(rows), frozenset({0, 1}))
