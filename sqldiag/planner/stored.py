"""Everything about one set from a stored roll-up, where the relation was read already."""

from __future__ import annotations

from collections.abc import Sequence

from sqldiag.engines.base import Statement
from sqldiag.planner.ask import Ask
from sqldiag.planner.grouping import OneSet, is_null
from sqldiag.planner.rollups import Rollups
from sqldiag.planner.statement import Plan, facts_columns, plan_sets
from sqldiag.planner.steps import Steps


class StoredSet(OneSet):
    """By one set, of packed facts; ``nulls`` are the tests for a NULL in them."""

    def __init__(
        self, facts: str, keys: Sequence[str], columns: Sequence[str], *, nulls: Sequence[str]
    ) -> None:
        super().__init__(facts, keys, columns)
        self._nulls = nulls

    def has_null(self) -> str:
        return " OR ".join(self._nulls) or "FALSE"


def covers(wide: Ask, ask: Ask) -> bool:
    """Whether roll-ups that serve the wide question have, under the same names, what another
    reads: they may hold more than that, for facts are grouped to what is needed."""
    made = facts_columns(wide)
    named = all(made.get(ours) == name for ours, name in facts_columns(ask).items())
    return named and set(ask.quasi_identifiers) <= set(wide.quasi_identifiers)


def plan_stored(rollups: Rollups, wide: Ask, ask: Ask) -> tuple[Statement, Plan]:
    """The statement about the set of all quasi-identifiers of ``ask``, and what its lines mean;
    the roll-ups are those that serve ``wide``, which covers it."""
    capabilities = rollups.capabilities
    coded = rollups.build()
    rollup = rollups.restrict(ask.quasi_identifiers)
    keys = [f"w{word}" for word in rollup.packing.words]
    extra = facts_columns(wide)
    nullable = [name for name in ask.quasi_identifiers if name in coded.totals.nullable]
    fields = rollup.packing.fields
    grouping = StoredSet(
        rollups.place(rollup),
        keys,
        # Roll-ups of an earlier question may hold more than one without such columns needs.
        [*keys, *extra] if extra else [],
        nulls=[is_null(fields[name]) for name in nullable],
    )
    plan = plan_sets(
        ask,
        grouping,
        Steps(),
        dictionaries=coded.dictionaries,
        joins_nulls=capabilities.joins_nulls,
    )
    names = ", ".join(ask.quasi_identifiers)
    sql = plan.tree.sql(capabilities.dialect, pretty=True)
    return Statement(sql=sql, purpose=f"profile of {names}"), plan
