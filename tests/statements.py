"""What a session really sent, for tests that hold sqldiag to its word."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import sqldiag
from sqldiag.engines.base import Executed, Kind
from tests.databases import Database

# No other name contains it, so a statement that names it reads it.
BASE = "the_admissions"


@dataclass
class Sent:
    """Every statement in order; `clear` forgets those of an earlier question."""

    executed: list[Executed] = field(default_factory=list)

    def __call__(self, executed: Executed) -> None:
        self.executed.append(executed)

    def clear(self) -> None:
        self.executed.clear()

    def of(self, kind: Kind) -> list[Executed]:
        return [done for done in self.executed if done.statement.kind is kind]

    @property
    def reads(self) -> int:
        """Statements that name the base table and are no look-ups in the catalogue."""
        return sum(
            any(BASE in sql for sql in done.script)
            for done in self.executed
            if done.statement.kind is not Kind.CATALOGUE
        )


@contextmanager
def recording(db: Database) -> Iterator[tuple[sqldiag.Database, Sent]]:
    """An open session, and what it sends."""
    sent = Sent()
    with sqldiag.connect(db.url, listener=sent) as database:
        yield database, sent
