"""A run of a policy as a site: an index of its tables, and a page for each."""

from __future__ import annotations

from pathlib import Path

from sqldiag.outcomes import Result, Run
from sqldiag.report.html.site import Entry, write_site
from sqldiag.report.html.trend import Trend
from sqldiag.report.run_words import moved


def write_run(directory: Path, run: Run) -> list[Path]:
    """The paths that were written, the index first."""
    entries = [_entry(result) for result in run.results]
    return write_site(directory, entries, title=f"Policy {run.policy}")


def _entry(result: Result) -> Entry:
    dropped = [moved(drift, result.at) for drift in result.drift if drift.too_much]
    return Entry(
        name=result.entry.name,
        diagnosis=result.diagnosis,
        check=result.check,
        problem=result.error or result.unreported or "",
        dropped="; ".join(dropped),
        trend=_trend(result),
    )


def _trend(result: Result) -> Trend | None:
    """Of what is required first, as the history keeps it: under the suppression that is allowed."""
    if result.check is None or not result.levels:
        return None
    first = result.check.requirements[0]
    suppressed = "" if first.value_suppressed is None else " after suppression"
    return Trend(
        measure=f"{first.measure}{suppressed}",
        points=result.levels,
        threshold=float(first.requirement.threshold),
    )
