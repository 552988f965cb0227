"""One diagnosis: a connection with one snapshot, and what its statements have cost."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sqldiag.cost import Cost
from sqldiag.engines.base import Connection, Executed, Kind, Row, Statement
from sqldiag.errors import BadInput, CannotRun, Ungroupable
from sqldiag.names import quoted
from sqldiag.planner.ask import Ask
from sqldiag.planner.source import columns_sql, probe_sql
from sqldiag.relation import Relation

if TYPE_CHECKING:
    from sqldiag.planner.rollups import Rollups


class Session:
    """Runs statements and counts them; costs are counted from the last ``start``."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        # Looking up the relation belongs to the first question about it.
        self._begin = 0
        self._started = time.perf_counter()
        self._sets = 0
        self._rollups: list[Rollups] = []
        self._numbers = itertools.count(1)

    @property
    def dialect(self) -> str:
        return self.connection.capabilities.dialect

    def run(self, statement: Statement) -> list[Row]:
        return self.connection.run(statement)

    def run_all(self, statements: Iterable[Statement], *, number: int) -> Iterator[list[Row]]:
        return self.connection.run_all(statements, number=number)

    def blame(self, relation: Relation, columns: Iterable[str]) -> None:
        """Say which column it is that cannot be grouped, and what to do about it."""
        for column in columns:
            probe = Statement(
                sql=probe_sql(relation, column, self.dialect),
                purpose=f"can {column} be grouped?",
                kind=Kind.CATALOGUE,
            )
            try:
                self.run(probe)
            except Ungroupable:
                name = quoted(column)
                raise BadInput(
                    f"column {column} has a type that this database cannot group or order; "
                    f"use --query with CAST({name} AS TEXT) AS {name}"
                ) from None

    def still_there(self, relation: Relation) -> None:
        """Say so where the relation is not what it was when the diagnosis began."""
        try:
            self.connection.describe(columns_sql(relation, self.dialect))
        except BadInput:
            raise CannotRun(
                f"{relation.name} was changed or dropped during the diagnosis; run it again"
            ) from None

    def rollups(self, relation: Relation, ask: Ask) -> Rollups | None:
        """The roll-ups of a relation: those of an earlier question where they serve. None where
        no temporary table may be made."""
        for rollups in self._rollups:
            if rollups.relation == relation and rollups.serves(ask):
                return rollups
        if not self.connection.stores_rollups():
            return None
        # Loaded when somebody searches: a small check should not wait for it.
        from sqldiag.planner.rollups import Rollups

        capabilities = self.connection.capabilities
        self._rollups.append(Rollups(relation, ask, capabilities, self.run, self._numbers))
        return self._rollups[-1]

    def count_sets(self, number: int) -> None:
        self._sets += number

    def finish(self, *, verify: bool = True) -> Cost:
        """The cost since the last time; raises if the data may have changed meanwhile."""
        if verify:
            self.connection.verify()
        executed = self.connection.executed[self._begin :]
        cost = Cost(
            statements=sum(_counts(done) for done in executed),
            base_scans=sum(done.statement.reads_base for done in executed),
            sets_evaluated=self._sets,
            rollups=sum(done.statement.stores is not None for done in executed),
            seconds=time.perf_counter() - self._started,
        )
        self._begin, self._sets = len(self.connection.executed), 0
        self._started = time.perf_counter()
        return cost


def _counts(done: Executed) -> bool:
    return done.statement.kind is not Kind.SETUP
