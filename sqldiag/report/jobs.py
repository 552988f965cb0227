"""Jobs in a database, and how their last runs ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqldiag.jobs.model import Status
from sqldiag.report.blocks import Block, Line, Table
from sqldiag.report.formats import JobFormat
from sqldiag.report.history import record_object, runs_table
from sqldiag.report.json import Json, written
from sqldiag.report.run_json import moment

# The connection a job lives in, and the job.
Found = tuple[str, Status]


def render_jobs(
    found: Sequence[Found], form: JobFormat, *, runs: bool, terminal: bool, width: int
) -> str:
    if form is JobFormat.JSON:
        command = "job status" if runs else "job list"
        jobs = [_object(connection, status, runs=runs) for connection, status in found]
        return written({"schema": 1, "command": command, "jobs": jobs})
    from sqldiag.report.text import text_of

    return text_of(_blocks(found, runs=runs), terminal=terminal, width=width)


def _blocks(found: Sequence[Found], *, runs: bool) -> Iterator[Block]:
    if not found:
        yield Line("No job of this policy is installed.")
        return
    header = ("job", "connection", "schedule", "next run (UTC)", "last verdict", "last run (UTC)")
    yield Table(header, tuple(_row(*one) for one in found), frozenset())
    for _, status in found:
        if runs and status.records:
            yield runs_table(status.records, title=status.job.name)
        if runs and status.attempt == "failed":
            at = _shown(status.attempted)
            yield Line(f"{status.job.name}: pg_cron says that its last attempt failed, at {at}")


def _row(connection: str, status: Status) -> tuple[str, ...]:
    job = status.job
    schedule = job.scheduled or f"{job.schedule} (not scheduled)"
    last = status.records[-1] if status.records else None
    verdict, at = (last.status, _shown(last.taken_at)) if last else ("", "")
    return (job.name, connection, schedule, _shown(status.next_run), verdict, at)


def _shown(at: datetime | None) -> str:
    return "" if at is None else at.isoformat(sep=" ", timespec="seconds")


def _object(connection: str, status: Status, *, runs: bool) -> Json:
    job = status.job
    last = status.records[-1] if status.records else None
    body: Json = {
        "name": job.name,
        "connection": connection,
        "schedule": job.schedule,
        "scheduled": job.scheduled is not None,
        "next_run": None if status.next_run is None else moment(status.next_run),
        "last_status": None if last is None else last.status,
        "last_run": None if last is None else moment(last.taken_at),
        "last_attempt": status.attempt,
        "policy_hash": job.policy_hash,
    }
    if runs:
        body["runs"] = [record_object(record) for record in status.records]
    return body
