"""What each column adds: a set, the set without each of its columns, and each column alone.

All of it comes from roll-ups that one reading of the relation made; where none can be made, every
statement reads the relation again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sqldiag.engines.base import Capabilities, Statement
from sqldiag.planner.ask import Ask, Findings
from sqldiag.planner.evaluate import Evaluator, RunAll
from sqldiag.planner.findings import read
from sqldiag.planner.rollups import Rollups, Run
from sqldiag.planner.statement import Plan, plan_set
from sqldiag.planner.stored import plan_stored
from sqldiag.relation import Relation


class Reader:
    """Answers questions about the set of ``wide`` and its parts; ``rollups`` serve that."""

    def __init__(
        self,
        relation: Relation,
        wide: Ask,
        capabilities: Capabilities,
        rollups: Rollups | None,
        *,
        lanes: int = 1,
    ) -> None:
        self.relation, self.wide = relation, wide
        self._capabilities, self._rollups, self._lanes = capabilities, rollups, lanes

    def whole(self, ask: Ask, run: Run) -> Findings | None:
        """Everything about the set; None of an empty relation."""
        statement, plan = self.plan_whole(ask)
        return read(ask, plan, run(statement)).get(0)

    def plan_whole(self, ask: Ask) -> tuple[Statement, Plan]:
        if self._rollups is not None:
            return plan_stored(self._rollups, self.wide, ask)
        plan = plan_set(self.relation, ask, self._capabilities)
        sql = plan.tree.sql(self._capabilities.dialect, pretty=True)
        names = ", ".join(ask.quasi_identifiers)
        return Statement(sql=sql, purpose=f"profile of {names}", reads_base=True), plan

    def parts(self, ask: Ask, run_all: RunAll, *, rows: int) -> dict[int, Findings]:
        """The set without each column, and each alone, as masks over the columns of ``ask``."""
        found: dict[int, Findings] = {}
        for lot in self._evaluator(ask).evaluate(_parts(ask), run_all, total=rows):
            found |= lot
        return found

    def plan_parts(self, ask: Ask) -> Iterator[Statement]:
        evaluator = self._evaluator(ask)
        for batch in evaluator.batches(_parts(ask)):
            yield evaluator.plan(batch)[0]

    def _evaluator(self, ask: Ask) -> Evaluator:
        plain = replace(ask, curve=False, worst=False)
        return Evaluator(self.relation, plain, self._capabilities, self._rollups, lanes=self._lanes)


def pairs(columns: int) -> Iterator[tuple[int, int]]:
    """For each column the set without it (0 where it is the only one), and it alone."""
    for position in range(columns):
        alone = 1 << position
        yield ((1 << columns) - 1) ^ alone, alone


def _parts(ask: Ask) -> list[int]:
    masks = (mask for pair in pairs(len(ask.quasi_identifiers)) for mask in pair)
    return list(dict.fromkeys(mask for mask in masks if mask))
