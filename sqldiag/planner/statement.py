"""One statement for everything asked about a set of columns, or about each of many sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqldiag.engines.base import Capabilities
from sqldiag.measure import Call
from sqldiag.planner.ask import Ask
from sqldiag.planner.cells import Counting
from sqldiag.planner.classes import ClassTable, Partition, Sensitive, rounded
from sqldiag.planner.grouping import Grouping, OneSet
from sqldiag.planner.outcome import Outcome, Part, Rated, handed_down
from sqldiag.planner.source import project
from sqldiag.planner.steps import Steps
from sqldiag.relation import Relation
from sqldiag.requirement import Requirement

ENTITY = "e"


@dataclass(frozen=True, slots=True)
class Plan:
    """The statement's tree, and what each part of its result means."""

    tree: exp.Query
    parts: tuple[Part, ...]
    # Whether the lines say which set they belong to.
    many: bool


def plan_set(relation: Relation, ask: Ask, capabilities: Capabilities) -> Plan:
    """Everything about one set in one statement that reads the relation once."""
    dialect = capabilities.dialect
    keys = [f"q{i}" for i, _ in enumerate(ask.quasi_identifiers, 1)]
    columns = dict(zip(keys, ask.quasi_identifiers, strict=True)) | facts_columns(ask)
    steps = Steps()
    facts = count_rows(project(relation, columns, dialect), list(columns))
    steps.add("facts", facts)
    return plan_sets(
        ask,
        OneSet("facts", keys, list(columns)),
        steps,
        dictionaries={},
        joins_nulls=capabilities.joins_nulls,
    )


def facts_columns(ask: Ask) -> dict[str, str]:
    """The columns beside the keys that facts must hold: ours → the relation's."""
    columns = {f"s{i}": name for i, name in enumerate(ask.columns, 1)}
    return columns if ask.entity is None else {**columns, ENTITY: ask.entity}


def count_rows(base: exp.Select, columns: Sequence[str]) -> exp.Select:
    """The relation grouped by the columns: what all else is rolled up from."""
    return exp.select(*columns, "COUNT(*) AS n").from_(base.subquery("rows_")).group_by(*columns)


def plan_sets(
    ask: Ask,
    grouping: Grouping,
    steps: Steps,
    *,
    dictionaries: Mapping[str, str],
    joins_nulls: bool,
) -> Plan:
    """The same from facts that are there already, for each set of the grouping."""
    names = {name: f"s{i}" for i, name in enumerate(ask.columns, 1)}
    sensitive = Sensitive(names, dictionaries)
    entity = None if ask.entity is None else ENTITY
    counting = Counting(grouping, entity, steps, joins_nulls)
    outcome = Outcome(ask, grouping.by)
    histograms: dict[str, str] = {}
    rated = [
        _rate(ask, ClassTable(counting, partition, sensitive), histograms)
        for partition in _partitions(ask, sensitive)
    ]
    for one in rated:
        outcome.summary(one, sizes=one is rated[0])
    _joint(ask, outcome, rated, grouping, sensitive, steps)
    # Of many sets, only what is asked for itself is read: a search has no use for the rest.
    wanted = ask.calls if grouping.by else ask.measured
    for one in rated:
        for call in one.values:
            if call in wanted:
                outcome.reading(one, call)
    if counting.entity is not None and not grouping.by:
        outcome.entities(grouping.whole([ENTITY], steps), ENTITY)
    return Plan(steps.finish(outcome.query()), tuple(outcome.parts), bool(grouping.by))


def _partitions(ask: Ask, sensitive: Sensitive) -> list[Partition]:
    """By the quasi-identifiers; strictly, for each sensitive column also by the others."""
    if not ask.strict or len(sensitive.names) < 2:
        return [Partition("", (), ask.measured)]
    sized = tuple(call for call in ask.measured if call.measure.is_size)
    partitions = [Partition("", (), sized)]
    for name, ours in sensitive.names.items():
        mine = tuple(call for call in ask.measured if call.column == name)
        if mine:
            others = tuple(other for other in sensitive.names.values() if other != ours)
            partitions.append(Partition(f"{ours}_", others, mine))
    return partitions


def _rate(ask: Ask, table: ClassTable, histograms: dict[str, str]) -> Rated:
    """Classes with the value of every measure, rounded where it is real, and its misses."""
    classes = table.build(histograms)
    calls, prefix, steps = table.partition.calls, table.prefix, table.steps
    raw = {call: f"raw{i}" for i, call in enumerate(calls, 1)}
    nulls = f"{table.counting.grouping.has_null()} AS has_null"
    valued = exp.select("*", nulls, *(table.value(call).as_(name) for call, name in raw.items()))
    step = steps.add(f"{prefix}valued", valued.from_(classes))
    values = {call: name.replace("raw", "v") for call, name in raw.items()}
    if any(not call.measure.is_ratio for call in calls):
        rounding = [_rounded(call, raw[call]).as_(value) for call, value in values.items()]
        step = steps.add(f"{prefix}rounded", exp.select("*", *rounding).from_(step))
    else:
        values = raw
    misses: dict[int, str] = {}
    weak: dict[int, str] = {}
    flags = []
    for kind, requirements, found in (
        ("miss", ask.requirements, misses),
        ("bound", ask.weak, weak),
    ):
        for number, requirement in _mine(requirements, calls):
            found[number] = f"{kind}{number}"
            flags.append(table.miss(requirement, values[requirement.call]).as_(found[number]))
    if flags:
        step = steps.add(f"{prefix}rated", exp.select("*", *flags).from_(step))
    details = {call: tuple(table.detail(call)) for call in calls}
    return Rated(step, table.keys, values, details, misses, weak)


def _rounded(call: Call, raw: str) -> exp.Expr:
    return exp.column(raw) if call.measure.is_ratio else rounded(raw)


def _mine(
    requirements: Sequence[Requirement], calls: Sequence[Call]
) -> list[tuple[int, Requirement]]:
    return [(i, required) for i, required in enumerate(requirements) if required.call in calls]


def _joint(
    ask: Ask,
    outcome: Outcome,
    rated: Sequence[Rated],
    grouping: Grouping,
    sensitive: Sensitive,
    steps: Steps,
) -> None:
    """The rows that miss any of several requirements, and those that miss a weak one."""
    for label, count in (("joint", len(ask.requirements)), ("weak", len(ask.weak))):
        found = [one.misses if label == "joint" else one.weak for one in rated]
        misses = {number: miss for mine in found for number, miss in mine.items()}
        if count == 0 or (label == "joint" and count == 1):
            continue
        if len(rated) == 1:
            outcome.joint(label, rated[0].step, list(misses.values()))
            continue
        extra = list(sensitive.names.values())
        facts = grouping.grouped(extra, steps)
        told, conditions = handed_down(
            [_only(one, mine) for one, mine in zip(rated, found, strict=True)],
            facts,
            [*grouping.keys, *extra],
            misses,
        )
        if grouping.by:
            told = told.select(*grouping.by)
        outcome.joint(label, steps.add(f"told_{label}", told), conditions)


def _only(rated: Rated, misses: Mapping[int, str]) -> Rated:
    return Rated(rated.step, rated.keys, rated.values, rated.details, misses, {})
