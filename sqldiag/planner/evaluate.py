"""Evaluates sets of columns in batches, from the cheapest roll-up or, without any, the relation."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_
from typing import Protocol

from sqlglot import exp

from sqldiag import lattice
from sqldiag.engines.base import Capabilities, Kind, Row, Statement
from sqldiag.planner import kin
from sqldiag.planner.ask import Ask, Findings
from sqldiag.planner.findings import read
from sqldiag.planner.grouping import MOST_COLUMNS, Grouping, ManySets, PackedSets
from sqldiag.planner.portions import Portions, portion_by
from sqldiag.planner.rollups import Rollup, Rollups
from sqldiag.planner.sizes import only_sizes, plan_sizes
from sqldiag.planner.source import project
from sqldiag.planner.statement import ENTITY, Plan, count_rows, facts_columns, plan_sets
from sqldiag.planner.steps import Steps
from sqldiag.relation import Relation

# Grouping by all columns of a statement's sets first pays from so many sets on.
_WORTH_NARROWING = 4
# Rows to group, sets times rows, that are worth more statements than one.
_MUCH = 1_000_000


class RunAll(Protocol):
    """Runs a number of statements, and gives the rows of each in their order."""

    def __call__(self, statements: Iterable[Statement], *, number: int) -> Iterator[list[Row]]: ...


class Evaluator:
    """Sets are bit masks over ``ask.quasi_identifiers``; ``rollups`` is None where none can be.

    ``lanes``: so many statements run side by side.
    """

    def __init__(
        self,
        relation: Relation,
        ask: Ask,
        capabilities: Capabilities,
        rollups: Rollups | None,
        *,
        lanes: int = 1,
    ) -> None:
        self.relation, self.ask, self.capabilities = relation, ask, capabilities
        self.columns = ask.quasi_identifiers
        self._rollups, self._lanes = rollups, lanes

    def evaluate(
        self, masks: Sequence[int], run_all: RunAll, *, total: int
    ) -> Iterator[dict[int, Findings]]:
        """The findings of every set, in a relation of so many rows; a lot per statement."""
        batches = self.batches(masks)
        plans: deque[tuple[Plan, tuple[int, ...]]] = deque()

        def planned() -> Iterator[Statement]:
            for batch in batches:
                statement, plan, members = self.plan(batch)
                plans.append((plan, members))
                yield statement

        for rows in run_all(planned(), number=len(batches)):
            plan, members = plans.popleft()
            found: dict[int, Findings] = {}
            for number, findings in read(self.ask, plan, rows, total=total).items():
                mask = lattice.of(members[i] for i in lattice.positions(number))
                found[mask] = findings
            yield found

    def narrow(self, alive: int) -> None:
        """Only these columns still matter: go on from a roll-up of them."""
        if self._rollups is not None and self._rollups.coded is not None and alive:
            self._rollups.restrict(self._named(lattice.positions(alive)))

    def plan(self, masks: Sequence[int]) -> tuple[Statement, Plan, tuple[int, ...]]:
        """The statement for a batch, and the columns that the bits of its g stand for."""
        members = lattice.positions(kin.union(masks))
        steps = Steps()
        sizes = self._rollups is not None and only_sizes(self.ask)
        portions = self._portions(masks) if sizes else None
        grouping, dictionaries = self._grouping(members, masks, steps, portions)
        if isinstance(grouping, PackedSets) and sizes:
            plan = plan_sizes(
                self.ask, grouping, steps, portions, dialect=self.capabilities.dialect
            )
        else:
            plan = plan_sets(
                self.ask,
                grouping,
                steps,
                dictionaries=dictionaries,
                joins_nulls=self.capabilities.joins_nulls,
            )
        statement = Statement(
            sql=plan.tree.sql(self.capabilities.dialect, pretty=True, copy=False),
            purpose=f"{_count(len(masks), 'set')} of {_count(len(members), 'column')}",
            kind=Kind.DIAGNOSIS,
            reads_base=self._rollups is None,
        )
        return statement, plan, members

    def totals(self) -> Statement:
        """Rows, rows with a NULL and people of the relation itself, where no roll-up can say."""
        columns = {f"q{i}": name for i, name in enumerate(self.columns, 1)}
        nulls = " OR ".join(f"{ours} IS NULL" for ours in columns)
        counts = ["COUNT(*)", f"COUNT(CASE WHEN {nulls} THEN 1 END)"]
        if self.ask.entity is not None:
            columns[ENTITY] = self.ask.entity
            counts.append(f"COUNT(DISTINCT {ENTITY})")
        base = project(self.relation, columns, self.capabilities.dialect)
        tree = exp.select(*counts).from_(base.subquery("rows_"))
        sql = tree.sql(self.capabilities.dialect, pretty=True)
        return Statement(sql=sql, purpose="count the rows", reads_base=True)

    def batches(self, masks: Sequence[int]) -> list[list[int]]:
        """As many sets in one statement as the engine takes well, of one roll-up each."""
        most = self.capabilities.sets_per_statement
        if self._rollups is None:
            return [list(masks[i : i + most]) for i in range(0, len(masks), most)]
        distinct = self._rollups.build().totals.distinct
        sources: dict[str, list[int]] = {}
        rows: dict[str, int] = {}
        for mask in masks:
            rollup = self._cheapest(lattice.positions(mask))
            sources.setdefault(rollup.name, []).append(mask)
            rows[rollup.name] = rollup.rows
        values = [distinct[name] for name in self.columns]
        found: list[list[int]] = []
        for name, mine in sources.items():
            much = len(mine) * rows[name] >= _MUCH
            batches = kin.batches(
                mine,
                values,
                together=self._together(len(mine), much=much),
                most=most,
                most_columns=MOST_COLUMNS,
            )
            if much:
                batches = kin.shared_out(batches, values, weight=self._groups, lanes=self._lanes)
            found += batches
        return found

    def _together(self, sets: int, *, much: bool) -> int:
        """How many sets share a statement: where there is much to do, there is some for each
        lane, and a second helping for those that are through early. Half of the sets have a
        column in common by which they can be grouped in portions."""
        together = self.capabilities.sets_together
        portioned = self.capabilities.portion_rows is not None
        if not much or (self._lanes < 2 and not portioned):
            return together
        statements = 2 * self._lanes
        return max(min(together, -(-sets // statements)), 1)

    def _cheapest(self, members: Sequence[int]) -> Rollup:
        assert self._rollups is not None
        return self._rollups.cheapest(self._named(members))

    def _named(self, members: Iterable[int]) -> list[str]:
        return [self.columns[member] for member in members]

    def _portions(self, masks: Sequence[int]) -> Portions | None:
        """By the column of most values among those that all sets have."""
        assert self._rollups is not None
        common = self._named(lattice.positions(reduce(and_, masks)))
        size = self.capabilities.portion_rows
        if size is None or not common:
            return None
        rollup, totals = self._cheapest(lattice.positions(masks[0])), self._rollups.build().totals
        column = max(common, key=lambda name: totals.distinct[name])
        return portion_by(
            rollup.packing.fields[column],
            totals.distinct[column] + (column in totals.nullable),
            rows=rollup.rows,
            large_sets=sum(self._groups(mask) > size for mask in masks),
            portion_rows=size,
        )

    def _grouping(
        self,
        members: tuple[int, ...],
        masks: Sequence[int],
        steps: Steps,
        portions: Portions | None,
    ) -> tuple[Grouping, Mapping[str, str]]:
        place = {member: i for i, member in enumerate(members)}
        sets = [[place[member] for member in lattice.positions(mask)] for mask in masks]
        if self._rollups is None:
            return self._from_relation(members, sets, steps), {}
        # Every batch comes from one roll-up, so the first set's serves them all.
        rollup = self._cheapest(lattice.positions(masks[0]))
        coded = self._rollups.build()
        names, nullable = self._named(members), coded.totals.nullable
        facts = self._rollups.place(rollup)
        if portions is not None:
            words = [f"w{word}" for word in rollup.packing.words]
            facts = steps.add("facts", portions.facts(words, facts), shared=True)
        narrows = len(masks) >= _WORTH_NARROWING and len(members) < len(rollup.columns)
        packed = PackedSets(
            facts,
            [rollup.packing.fields[name] for name in names],
            sets,
            word_type=rollup.packing.type,
            rows=rollup.rows,
            groups=[self._groups(mask) for mask in masks],
            together=self._groups(lattice.of(members)) if narrows else None,
            nullable=[i for i, name in enumerate(names) if name in nullable],
            grouped=len(members) == len(rollup.columns) and not self._rollups.has_facts,
            count_type=coded.count_type,
            dialect=self.capabilities.dialect,
        )
        return packed, coded.dictionaries

    def _groups(self, mask: int) -> float:
        assert self._rollups is not None
        return self._rollups.build().totals.groups(self._named(lattice.positions(mask)))

    def _from_relation(
        self, members: Sequence[int], sets: list[list[int]], steps: Steps
    ) -> Grouping:
        keys = {f"q{member + 1}": self.columns[member] for member in members}
        columns = keys | facts_columns(self.ask)
        base = project(self.relation, columns, self.capabilities.dialect)
        steps.add("facts", count_rows(base, list(columns)))
        names = list(keys)
        grouped = [[names[i] for i in one] for one in sets]
        return ManySets("facts", names, grouped)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
