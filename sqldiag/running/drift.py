"""How required measures moved since they were last looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC
from fractions import Fraction

from sqldiag.answers import Check, Verdict
from sqldiag.history import Record
from sqldiag.measure import Direction
from sqldiag.outcomes import Drift
from sqldiag.suppression import parse_share


def drift_of(check: Check, earlier: Sequence[Record], max_drop: str | None) -> tuple[Drift, ...]:
    """Against the latest record of the same question that tells the measure; oldest first."""
    allowed = None if max_drop is None else parse_share(max_drop, option="max_drop")
    found = []
    for verdict in check.requirements:
        drift = _drift(verdict, earlier, allowed)
        if drift is not None:
            found.append(drift)
    # Two requirements may speak of one measure.
    return tuple(dict.fromkeys(found))


def _drift(verdict: Verdict, earlier: Sequence[Record], allowed: Fraction | None) -> Drift | None:
    now = float(verdict.value if verdict.value_suppressed is None else verdict.value_suppressed)
    for record in reversed(earlier):
        for kept in record.verdicts:
            if kept.measure == verdict.measure:
                if kept.level == now:
                    return None
                more = verdict.requirement.call.measure.direction is Direction.MORE
                worse = now < kept.level if more else now > kept.level
                return Drift(
                    measure=verdict.measure,
                    before=kept.level,
                    now=now,
                    since=record.at.replace(tzinfo=UTC),
                    worse=worse,
                    too_much=worse and allowed is not None and _loss(kept.level, now) > allowed,
                )
    return None


def _loss(before: float, now: float) -> float:
    """By which share of what it was; measures for which less is safer may lose more than all."""
    if before == 0 or math.isinf(before) or math.isinf(now):
        return math.inf
    # As exact as decimals are: from 10 to 8 is a fifth, not a bit more.
    return round(abs(now - before) / before, 12)
