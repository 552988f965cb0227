"""Which sets of columns a scan looks at, and what their crowds are like."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from sqldiag import lattice
from sqldiag.engines.base import Statement
from sqldiag.errors import BadInput, Ungroupable
from sqldiag.measures import SIZE
from sqldiag.planner.ask import Ask
from sqldiag.planner.crowds import Crowds, plan_crowds, read_crowds
from sqldiag.relation import Relation
from sqldiag.scan.facts import Facts
from sqldiag.search.choice import Choice
from sqldiag.search.loop import Budget
from sqldiag.searches import SearchAsk, Searching
from sqldiag.session import Session

# So many pairs are looked at unasked; and so many sets at all.
_MOST_PAIRS = 105
_MOST_SETS = 20_000
# From so many sets on it pays to store a roll-up and to code it.
_MANY = 16


def wanted_sets(columns: int, max_size: int | None, *, small: bool) -> list[int]:
    """As bit masks, smallest first: those asked for; else all columns together and, of a table
    that is not too large, each by itself and in pairs."""
    if not columns:
        return []
    if max_size is not None:
        most = min(max_size, columns)
        number = sum(math.comb(columns, size) for size in range(1, most + 1))
        if number > _MOST_SETS:
            raise BadInput(
                f"there are {number:,} sets of up to {most} of {columns} columns; "
                "lower --max-size, or name fewer columns with --qi"
            )
        return [m for size in range(1, most + 1) for m in lattice.level(columns, size)]
    masks = list(lattice.level(columns, 1)) if small else []
    if small and math.comb(columns, 2) <= _MOST_PAIRS:
        masks += lattice.level(columns, 2)
    return list(dict.fromkeys([*masks, (1 << columns) - 1]))


class Sets:
    """The crowds of sets of ``members``, against a population table where there is one."""

    def __init__(
        self,
        session: Session,
        relation: Relation,
        drawn_from: Relation | None,
        members: Sequence[str],
    ) -> None:
        self.session, self.relation, self.drawn_from = session, relation, drawn_from
        self.members = tuple(members)

    def look(self, masks: Sequence[int], facts: Mapping[str, Facts]) -> dict[int, Crowds]:
        """Of single columns, what the profile has counted already is taken from there."""
        known: dict[int, Crowds] = {}
        if self.drawn_from is None:
            alone = {1 << i: facts[name] for i, name in enumerate(self.members)}
            known = {m: _alone(f) for m, f in alone.items() if f.distinct_is_exact}
        left = [mask for mask in masks if mask not in known]
        try:
            if self.drawn_from is None and len(left) > _MANY:
                return known | self._searched(left)
            for statement in self.plan(left):
                known |= read_crowds(self.session.run(statement))
        except Ungroupable:
            self.session.blame(self.relation, self.members)
            raise
        self.session.count_sets(len(left))
        return known

    def plan(self, masks: Sequence[int]) -> list[Statement]:
        capabilities = self.session.connection.capabilities
        most = capabilities.sets_per_statement
        lots = [masks[i : i + most] for i in range(0, len(masks), most)]
        return [
            plan_crowds(self.relation, self.drawn_from, self.members, lot, capabilities)
            for lot in lots
        ]

    def _searched(self, masks: Sequence[int]) -> dict[int, Crowds]:
        """Many sets, from a stored roll-up."""
        ask = Ask(quasi_identifiers=self.members, calls=(SIZE,))
        search = SearchAsk(ask=ask, max_size=len(self.members), choice=Choice.AUTO, budget=Budget())
        searching = Searching(self.session, self.relation, search)
        for _ in searching.evaluate(masks):
            pass
        return {
            mask: Crowds(
                rows=found.rows,
                classes=found.risk.classes,
                singletons=found.risk.singletons,
                null_rows=found.null_rows,
            )
            for mask, found in searching.findings.items()
        }


def _alone(facts: Facts) -> Crowds:
    return Crowds(
        rows=facts.rows,
        classes=facts.distinct + (1 if facts.nulls else 0),
        singletons=facts.singletons or 0,
        null_rows=facts.nulls,
    )
