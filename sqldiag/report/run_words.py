"""What came of a table, in a sentence."""

from __future__ import annotations

from datetime import datetime

from sqldiag.outcomes import Drift, Result
from sqldiag.report import words


def moved(drift: Drift, now: datetime) -> str:
    """``k fell from 7 to 4 since 2 days``."""
    verb = "fell" if drift.now < drift.before else "rose"
    levels = f"from {words.value(drift.before)} to {words.value(drift.now)}"
    beyond = ", more than max_drop allows" if drift.too_much else ""
    return f"{drift.measure} {verb} {levels} since {ago(now, drift.since)}{beyond}"


def ago(now: datetime, then: datetime) -> str:
    seconds = max((now - then).total_seconds(), 0)
    for length, noun in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= length:
            return words.count(int(seconds // length), noun)
    return words.count(int(seconds), "second")


def broken(result: Result) -> list[tuple[str, str]]:
    """Each thing that does not hold, and a sentence on it: requirements, or all of them at once
    where each holds by itself, and drops."""
    drops = [("drift", moved(d, result.at)) for d in result.drift if d.too_much]
    check = result.check
    if check is None or check.holds:
        return drops
    allowed = f", where {words.percent(check.suppress)} may" if check.suppress else ""
    found = []
    for verdict in check.requirements:
        if not verdict.holds:
            level = f"{verdict.measure} is {words.value(verdict.value)}"
            need = _need(verdict.rows_to_suppress, verdict.suppression_needed)
            text = str(verdict.requirement)
            found.append((text, f"{text} does not hold: {level}, and {need}{allowed}"))
    need = _need(check.rows_to_suppress, check.suppression_needed)
    jointly = f"each requirement holds, but not all at once: {need}{allowed}"
    return (found or [("all at once", jointly)]) + drops


def _need(rows: int, share: float) -> str:
    return f"{words.count(rows, 'row')} ({words.percent(share)}) would have to go"


def about(result: Result) -> str:
    """Who owns it and what it is, where the policy says so."""
    entry = result.entry
    parts = [entry.description or "", f"owner: {entry.owner}" if entry.owner else ""]
    return "; ".join(part for part in parts if part)
