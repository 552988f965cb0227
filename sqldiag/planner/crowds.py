"""Crowds of many sets in one statement: in the relation, and in the population it was drawn from.

The relation is rolled up once by all columns, and so is the population; the two roll-ups are laid
over each other and grouped by each set. Grouping takes NULL for equal to NULL and hashes on every
engine, where a join that does so is a nested loop on some.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqldiag.engines.base import Capabilities, Row, Statement
from sqldiag.planner import kin
from sqldiag.planner.source import project
from sqldiag.planner.statement import count_rows
from sqldiag.planner.steps import Steps, union_all
from sqldiag.relation import Relation

# The number of a set must fit a signed BIGINT.
MOST_COLUMNS = 62

_OF_THE_RELATION = (
    "SUM(n)",
    "COUNT(*) FILTER (WHERE n > 0)",
    "COUNT(*) FILTER (WHERE n = 1)",
    "SUM(n) FILTER (WHERE blank)",
    "SUM(n * LN(GREATEST(n, 1)))",
)
_OF_THE_POPULATION = (
    "SUM(p)",
    "MIN(p) FILTER (WHERE n > 0 AND p > 0)",
    "COUNT(*) FILTER (WHERE n > 0 AND p = 0)",
    "SUM(n) FILTER (WHERE p = 0)",
    "SUM(n) FILTER (WHERE p = 1)",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowds:
    """What a set's classes are like.

    ``logs``, Σ n·ln n, is what the entropy of a single column needs beside. What follows speaks
    of the population, ``k_map`` of the fewest people who match a class: None where no class
    matches anybody.
    """

    rows: int
    classes: int
    singletons: int
    null_rows: int
    logs: float | None = None
    people: int = 0
    k_map: int | None = None
    unmatched_classes: int = 0
    unmatched_rows: int = 0
    one_match_rows: int = 0


def plan_crowds(
    relation: Relation,
    population: Relation | None,
    columns: Sequence[str],
    sets: Sequence[int],
    capabilities: Capabilities,
) -> Statement:
    """``sets`` are bit masks over the columns."""
    plan = _Plan(relation, population, columns, capabilities)
    tree = plan.tree(sets)
    drawn = "" if population is None else f" against {population.name}"
    return Statement(
        sql=tree.sql(capabilities.dialect, pretty=True),
        purpose=f"crowds of {len(sets)} set{'' if len(sets) == 1 else 's'}{drawn}",
        reads_base=True,
    )


class _Plan:
    def __init__(
        self,
        relation: Relation,
        population: Relation | None,
        columns: Sequence[str],
        capabilities: Capabilities,
    ) -> None:
        self.relation, self.population, self.capabilities = relation, population, capabilities
        self.columns = {f"q{i}": name for i, name in enumerate(columns, 1)}
        self.all = (1 << len(columns)) - 1
        self.steps = Steps()

    def tree(self, sets: Sequence[int]) -> exp.Query:
        facts = self._facts()
        parts: list[exp.Query] = []
        if self.all in sets:
            # These are the facts themselves, where no population lies over them.
            parts.append(self._whole(facts))
        smaller = [mask for mask in sets if mask != self.all]
        if smaller:
            parts.append(self._summary(self._grouped(facts, smaller), "g", group=True))
        return self.steps.finish(union_all(parts))

    def _facts(self) -> str:
        drawn = self._rolled_up(self.relation)
        if self.population is None:
            return self.steps.add("facts", drawn)
        mine = self.steps.add("drawn", drawn)
        theirs = self.steps.add("people", self._rolled_up(self.population))
        both = [
            exp.select(*self.columns, "n", "0 AS p").from_(mine),
            exp.select(*self.columns, "0 AS n", "n AS p").from_(theirs),
        ]
        return self.steps.add("facts", union_all(both))

    def _rolled_up(self, relation: Relation) -> exp.Select:
        base = project(relation, self.columns, self.capabilities.dialect)
        return count_rows(base, list(self.columns))

    def _counts(self) -> list[str]:
        mine = ["CAST(SUM(n) AS BIGINT) AS n"]
        return mine if self.population is None else [*mine, "CAST(SUM(p) AS BIGINT) AS p"]

    def _whole(self, facts: str) -> exp.Select:
        blank = f"{' OR '.join(f'{name} IS NULL' for name in self.columns)} AS blank"
        if self.population is None:
            select = exp.select("n", blank).from_(facts)
        else:
            select = exp.select(*self._counts(), blank).from_(facts).group_by(*self.columns)
        return self._summary(select, str(self.all), group=False)

    def _grouped(self, facts: str, sets: Sequence[int]) -> exp.Select:
        used = kin.union(sets)
        # GROUPING takes only columns that some set has.
        members = {i: name for i, name in enumerate(self.columns) if used >> i & 1}
        number = " + ".join(
            f"(1 - GROUPING({name})) * CAST({1 << i} AS BIGINT)" for i, name in members.items()
        )
        blank = " OR ".join(f"(GROUPING({q}) = 0 AND {q} IS NULL)" for q in members.values())
        tuples = [
            exp.Tuple(expressions=[exp.column(q) for i, q in members.items() if mask >> i & 1])
            for mask in sets
        ]
        select = exp.select(f"{number} AS g", f"{blank} AS blank", *self._counts()).from_(facts)
        select.set("group", exp.Group(grouping_sets=[exp.GroupingSets(expressions=tuples)]))
        return select

    def _summary(self, classes: exp.Select, number: str, *, group: bool) -> exp.Select:
        theirs = () if self.population is None else _OF_THE_POPULATION
        wanted = (*_OF_THE_RELATION, *theirs)
        figures = [f"CAST({sql} AS DOUBLE) AS x{i}" for i, sql in enumerate(wanted, 1)]
        select = exp.select(f"CAST({number} AS BIGINT) AS g", *figures)
        select = select.from_(classes.subquery("classes"))
        return select.group_by("classes.g") if group else select


def read_crowds(rows: Sequence[Row]) -> dict[int, Crowds]:
    """The crowds of every set, by its mask."""
    found = {}
    for number, *figures in rows:
        known = [None if figure is None else float(str(figure)) for figure in figures]
        known += [None] * (len(_OF_THE_RELATION) + len(_OF_THE_POPULATION) - len(known))
        total, classes, singletons, blank, logs, people, k_map, strange, strangers, one = known
        found[int(str(number))] = Crowds(
            rows=int(total or 0),
            classes=int(classes or 0),
            singletons=int(singletons or 0),
            null_rows=int(blank or 0),
            logs=logs,
            people=int(people or 0),
            k_map=None if k_map is None else int(k_map),
            unmatched_classes=int(strange or 0),
            unmatched_rows=int(strangers or 0),
            one_match_rows=int(one or 0),
        )
    return found
