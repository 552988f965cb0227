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

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            statements=self.statements + other.statements,
            base_scans=self.base_scans + other.base_scans,
            sets_evaluated=self.sets_evaluated + other.sets_evaluated,
            rollups=self.rollups + other.rollups,
            seconds=self.seconds + other.seconds,
        )
