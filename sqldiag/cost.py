"""What an answer cost the database."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Statements, those that read the relation itself, sets looked at, roll-ups made, time."""

    statements: int
    base_scans: int
    sets_evaluated: int
    rollups: int
    seconds: float
