"""One diagnosis: a connection with one snapshot, and what its statements have cost."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqldiag.engines.base import Connection, Executed, Kind, Row, Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What an answer cost the database."""

    statements: int
    base_scans: int
    sets_evaluated: int
    rollups: int
    seconds: float


class Session:
    """Runs statements and counts them; costs are counted from the last ``start``."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        # Looking up the relation belongs to the first question about it.
        self._begin = 0
        self._started = time.perf_counter()
        self._sets = 0

    @property
    def dialect(self) -> str:
        return self.connection.capabilities.dialect

    def run(self, statement: Statement, *, sets: int = 0) -> list[Row]:
        rows = self.connection.run(statement)
        self._sets += sets
        return rows

    def finish(self) -> Cost:
        """The cost since the last time; raises if the data may have changed meanwhile."""
        self.connection.verify()
        executed = self.connection.executed[self._begin :]
        cost = Cost(
            statements=sum(_counts(done) for done in executed),
            base_scans=sum(done.statement.reads_base for done in executed),
            sets_evaluated=self._sets,
            rollups=0,
            seconds=time.perf_counter() - self._started,
        )
        self._begin, self._sets = len(self.connection.executed), 0
        self._started = time.perf_counter()
        return cost


def _counts(done: Executed) -> bool:
    return done.statement.kind is not Kind.SETUP
