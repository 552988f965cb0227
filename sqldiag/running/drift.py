"""How required measures moved since they were last looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime

from sqldiag.answers import Check, Verdict
from sqldiag.history import Record
from sqldiag.measure import Direction
from sqldiag.outcomes import Drift, Result
from sqldiag.suppression import parse_share

_TOLERANCE = 1e-9


def drift_of(check: Check, earlier: Sequence[Record], max_drop: str | None) -> tuple[Drift, ...]:
    """Against the latest record of the same question that tells the measure; oldest first."""
    # From 10 to 8 is a fifth, whatever the last bit says.
    allowed = None if max_drop is None else float(parse_share(max_drop)) * (1 + _TOLERANCE)
    found = []
    for verdict in check.requirements:
        drift = _drift(verdict, earlier, allowed)
        if drift is not None:
            found.append(drift)
    # Two requirements may speak of one measure.
    return tuple(dict.fromkeys(found))


def _drift(verdict: Verdict, earlier: Sequence[Record], allowed: float | None) -> Drift | None:
    now = _level(verdict)
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
                    since=record.taken_at.replace(tzinfo=UTC),
                    worse=worse,
                    too_much=worse and allowed is not None and _loss(kept.level, now) > allowed,
                )
    return None


def levels_of(
    result: Result, earlier: Sequence[Record], run: str
) -> tuple[tuple[datetime, float], ...]:
    """When the question was asked, and the level of what is required first: once for every run,
    since a policy may ask the same under two names; this time last."""
    if result.check is None or not result.check.requirements:
        return ()
    first = result.check.requirements[0]
    found = {
        record.run: (record.taken_at.replace(tzinfo=UTC), kept.level)
        for record in earlier
        for kept in record.verdicts
        if kept.measure == first.measure and record.run != run
    }
    return (*found.values(), (result.at, _level(first)))


def _level(verdict: Verdict) -> float:
    return float(verdict.value if verdict.value_suppressed is None else verdict.value_suppressed)


def _loss(before: float, now: float) -> float:
    """By which share of what it was; measures for which less is safer may lose more than all."""
    if before == 0 or math.isinf(before) or math.isinf(now):
        return math.inf
    return abs(now - before) / before
