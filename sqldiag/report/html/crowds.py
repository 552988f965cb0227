"""How large crowds are: the rows that stand in groups of 1, of 2 to 4, and so on."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sqldiag.answers import Measured, Verdict
from sqldiag.profile import Line, Profile
from sqldiag.report import words
from sqldiag.report.blocks import Table
from sqldiag.report.html.charts import Bar, Bars, width

_EDGES = (0, 1, 2, 5, 10, 20, 50, 100, 1000, 10_000)


def crowds(sizes: Measured, verdict: Verdict | None, *, people: bool) -> Bars | None:
    """How many rows stand in crowds of 1, of 2 to 4, …; those too small for what is required."""
    if sizes.profile is None:
        return None
    least = None if verdict is None else math.ceil(verdict.requirement.threshold)
    total = sizes.profile.rows
    bins = list(_bins(sizes.profile, least))
    largest = max(line.rows for _, _, line in bins)
    bars = tuple(
        Bar(
            label=label,
            width=width(line.rows, largest),
            text=f"{words.count(line.rows)} · {words.percent(line.rows / total)}",
            bad=least is not None and start < least,
        )
        for label, start, line in bins
    )
    crowd = "people in the group" if people else "size of the group"
    table = Table(
        (crowd, "groups", "rows", "share of rows"),
        tuple(
            (label, words.count(n.classes), words.count(n.rows), words.percent(n.rows / total))
            for label, _, n in bins
        ),
        frozenset({1, 2, 3}),
    )
    return Bars(
        title="How large are the crowds?",
        sentence=_crowded(sizes.profile, least, people=people),
        numbers=table,
        bars=bars,
        bad="" if verdict is None else f"too small for {verdict.requirement}",
        good="" if verdict is None else "large enough",
    )


def _bins(profile: Profile, least: int | None) -> Iterator[tuple[str, int, Line]]:
    """A label, the smallest size and the totals of every bin up to the largest that is not empty.

    The size that is required starts a bin, so that no bin is half too small."""
    edges = sorted({*_EDGES, *([] if least is None else [least])})
    largest = profile.lines[-1].value
    for start, end in zip(edges, [*edges[1:], math.inf], strict=True):
        lines = [line for line in profile.lines if start <= line.value < end]
        if start > largest or (start == 0 and not lines):
            continue
        label = f"{start:,}" if end == start + 1 else f"{start:,}–{end - 1:,}"
        label = f"{start:,} or more" if math.isinf(end) else label
        classes, rows = sum(line.classes for line in lines), sum(line.rows for line in lines)
        yield label, start, Line(start, classes, rows)


def _crowded(profile: Profile, least: int | None, *, people: bool) -> str:
    total = profile.rows
    alone = sum(line.rows for line in profile.lines if line.value <= 1)
    be, belong, their = ("is", "belongs", "its") if alone == 1 else ("are", "belong", "their")
    who = f"{belong} to groups of a single person" if people else f"{be} alone in {their} group"
    share = words.percent(alone / total)
    first = f"{words.count(alone, 'row')} of {total:,} ({share}) {who}."
    if least is None or least <= 2:
        return first
    small = sum(line.rows for line in profile.lines if line.value < least)
    noun = "people" if people else "rows"
    return (
        f"{first} {words.count(small, 'row')} ({words.percent(small / total)}) "
        f"{'stands' if small == 1 else 'stand'} in groups of fewer than {least:,} {noun}."
    )
