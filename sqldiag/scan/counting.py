"""From what the database counted to facts; of a sample, to what it lets us expect of the whole."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from sqldiag.kinds import kind_of
from sqldiag.scan.facts import Facts

Figures = Mapping[str, float]

# A sample in which more rows than this are alone says little about the values it did not meet.
_MOST_ALONE = 0.5


def facts_of(name: str, type_name: str, totals: Figures, groups: Figures, shapes: Figures) -> Facts:
    """``totals`` are there where ``groups`` are those of a sample."""
    figures = ("looked_at", "mean_length", "max_length")
    looks = {shape: int(n) for shape, n in shapes.items() if shape not in figures and n}
    seen = Facts(
        name=name,
        type=type_name,
        kind=kind_of(type_name),
        rows=int(groups.get("rows", 0)),
        nulls=int(groups.get("nulls", 0)),
        distinct=int(groups.get("distinct", 0)),
        distinct_is_exact=not totals,
        singletons=int(groups.get("singletons", 0)),
        top_share=_share(groups),
        entropy=_entropy(groups),
        looked_at=int(shapes.get("looked_at", 0)),
        mean_length=shapes.get("mean_length", 0.0),
        max_length=int(shapes.get("max_length", 0)),
        shapes=looks,
    )
    return seen if seen.distinct_is_exact else _of_the_whole(seen, totals)


def counted(facts: Facts, *, classes: int, singletons: int, logs: float | None) -> Facts:
    """The facts of a column whose groups were counted after all."""
    entropy = facts.entropy if logs is None else _entropy({"rows": facts.rows, "logs": logs})
    return replace(
        facts,
        distinct=classes - (1 if facts.nulls else 0),
        distinct_is_exact=True,
        singletons=singletons,
        entropy=entropy,
    )


def expected_distinct(*, rows: float, sample: float, distinct: float, singletons: float) -> float:
    """How many values a column has, of which a sample has so many: what a sample saw once stands
    for values it missed (Haas and Stokes, 1998; Postgres' ANALYZE takes the same)."""
    if not sample or not distinct:
        return 0.0
    if singletons == sample:
        return rows
    found = sample * distinct / (sample - singletons + singletons * sample / rows)
    return min(max(found, distinct), rows)


def _of_the_whole(seen: Facts, totals: Figures) -> Facts:
    rows, filled = int(totals["rows"]), int(totals["filled"])
    guess = totals.get("approximate") or expected_distinct(
        rows=filled, sample=seen.filled, distinct=seen.distinct, singletons=seen.singletons or 0
    )
    telling = bool(seen.rows) and (seen.singletons or 0) <= _MOST_ALONE * seen.rows
    return replace(
        seen,
        rows=rows,
        nulls=rows - filled,
        distinct=min(max(round(guess), seen.distinct), filled),
        singletons=None,
        entropy=seen.entropy if telling else None,
    )


def _share(groups: Figures) -> float:
    return groups["top"] / groups["rows"] if groups.get("rows") else 0.0


def _entropy(groups: Figures) -> float:
    rows = groups.get("rows", 0)
    # Rounding may leave a little less than nothing.
    return max(math.log(rows) - groups["logs"] / rows, 0.0) if rows else 0.0
