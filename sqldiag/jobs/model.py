"""A job as it is found in a database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqldiag.history.record import Record
from sqldiag.policy.schedule import parse_schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """A job that is there. ``scheduled`` is what pg_cron says, None where it knows nothing."""

    name: str
    policy: str
    connection: str
    policy_hash: str
    schedule: str
    fingerprint: str
    slug: str
    cron_name: str
    scheduled: str | None
    cron_id: int | None

    def next_run(self, now: datetime) -> datetime | None:
        return parse_schedule(self.scheduled).next_after(now) if self.scheduled else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A job with its latest verdicts, and how pg_cron's last attempt ended."""

    job: Installed
    records: tuple[Record, ...]
    attempt: str | None
    attempted: datetime | None
    next_run: datetime | None
