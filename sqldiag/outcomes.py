"""What a run of a policy found: frozen values that a report shows and a history keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqldiag.answers import Borders, Check, Diagnosis
from sqldiag.policy.model import TablePolicy

HOLDS, FAILS, WARNS, ERROR = "holds", "fails", "warns", "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """A required measure that differs from when it was last looked at."""

    measure: str
    before: float
    now: float
    since: datetime
    worse: bool
    # Whether it got worse than max_drop allows.
    too_much: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One table: its check, or why there is none. ``question`` is the same for the same question,
    whatever is required; ``declared`` are roles that the database gave."""

    entry: TablePolicy
    status: str
    at: datetime
    seconds: float
    question: str = ""
    check: Check | None = None
    borders: Borders | None = None
    declared: Mapping[str, str] = field(default_factory=dict)
    drift: tuple[Drift, ...] = ()
    error: str | None = None
    # For its page, where one was asked for, and why there is none; the level of what is required
    # first, each time this question was asked, oldest first.
    diagnosis: Diagnosis | None = None
    unreported: str | None = None
    levels: tuple[tuple[datetime, float], ...] = ()
    # As if this table had been asked about alone.
    exit_code: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """All tables of a policy, in its order."""

    id: str
    policy: str
    digest: str
    at: datetime
    results: tuple[Result, ...]
    seconds: float
    # What went wrong around the tables, such as a history that could not be written.
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """The worst one wins."""
        codes = [result.exit_code for result in self.results]
        return max([*codes, 3 if self.problems else 0], default=0)

    def count(self, status: str) -> int:
        return sum(result.status == status for result in self.results)
