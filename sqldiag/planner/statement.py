"""One statement for everything asked about one set of columns: the relation is read once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from sqldiag.measures import Call, Direction
from sqldiag.planner.ask import Ask
from sqldiag.planner.cells import Facts
from sqldiag.planner.classes import ClassTable, Partition, rounded
from sqldiag.planner.source import project
from sqldiag.planner.steps import Steps, any_of, union_all, whole
from sqldiag.relation import Relation
from sqldiag.requirement import Requirement


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of line in the result: its number stands in the first column."""

    kind: str
    call: Call | None = None
    requirement: int | None = None


@dataclass(slots=True)
class Plan:
    """The statement's tree, and what each part of its result means."""

    tree: exp.Query
    parts: list[Part] = field(default_factory=list)


def plan_set(relation: Relation, ask: Ask, dialect: str) -> Plan:
    return _Planner(relation, ask, dialect).plan()


class _Planner:
    def __init__(self, relation: Relation, ask: Ask, dialect: str) -> None:
        self.relation, self.ask, self.dialect = relation, ask, dialect
        self.steps = Steps()
        self.parts: list[Part] = []
        self.selects: list[exp.Query] = []
        self.keys = tuple(f"q{i}" for i, _ in enumerate(ask.quasi_identifiers, 1))
        named = dict.fromkeys([*(call.column or "" for call in ask.beyond_size), *ask.sensitive])
        sensitive = [name for name in named if name and (name in self._measured() or ask.strict)]
        self.ours = {name: f"s{i}" for i, name in enumerate(sensitive, 1)}
        self.values: dict[Call, tuple[str, str]] = {}

    def _measured(self) -> set[str | None]:
        return {call.column for call in self.ask.beyond_size}

    def plan(self) -> Plan:
        columns = dict(zip(self.keys, self.ask.quasi_identifiers, strict=True))
        columns |= {ours: name for name, ours in self.ours.items()}
        if self.ask.entity is not None:
            columns["e"] = self.ask.entity
        base = project(self.relation, columns, self.dialect)
        if list(columns) == list(self.keys):
            self._sizes(self._count(base, self.keys).subquery("classes"), people="n")
            return Plan(union_all(self.selects), self.parts)
        self.steps.add("facts", self._count(base, list(columns)), materialized=True)
        self._from_facts(list(columns))
        return Plan(self.steps.finish(union_all(self.selects)), self.parts)

    def _count(self, base: exp.Select, columns: Sequence[str]) -> exp.Select:
        return (
            exp.select(*columns, "COUNT(*) AS n").from_(base.subquery("rows_")).group_by(*columns)
        )

    def _from_facts(self, columns: list[str]) -> None:
        facts = Facts(self._regroup(columns), "e" if self.ask.entity is not None else None)
        histograms: dict[str, str] = {}
        rated = []
        for partition in self._partitions():
            table = ClassTable(facts, partition, self.ours, self.steps, prefix=partition.name)
            classes = table.build(histograms)
            rated.append(self._rate(partition, table, classes))
        self._sizes(exp.to_table(rated[0]), people="people")
        for call in self.ask.beyond_size:
            self._reading(call)
        self._needs(rated)
        if self.ask.entity is not None:
            people = facts.regroup(["e"])
            self._part(Part("entities"), exp.select(*_row("COUNT(e)")).from_(people))

    def _regroup(self, columns: list[str]):  # type: ignore[no-untyped-def]
        made: dict[tuple[str, ...], str] = {tuple(columns): "facts"}

        def regroup(wanted: Sequence[str]) -> str:
            known = made.get(tuple(wanted))
            if known is None:
                select = exp.select(*wanted, f"{whole('SUM(n)')} AS n").from_("facts")
                known = f"facts_{'_'.join(wanted)}"
                made[tuple(wanted)] = self.steps.add(known, select.group_by(*wanted))
            return known

        return regroup

    def _partitions(self) -> list[Partition]:
        """By the quasi-identifiers; strictly, for each sensitive column also by the others."""
        calls = self.ask.beyond_size
        if not self.ask.strict or len(self.ours) < 2:
            return [Partition("", self.keys, calls)]
        partitions = [Partition("", self.keys, ())]
        for name, ours in self.ours.items():
            mine = tuple(call for call in calls if call.column == name)
            if mine:
                others = tuple(other for other in self.ours.values() if other != ours)
                partitions.append(Partition(f"{ours}_", (*self.keys, *others), mine))
        return partitions

    def _rate(self, partition: Partition, table: ClassTable, classes: str) -> str:
        """Classes with the value of every measure, rounded where it is real, and its misses."""
        valued = exp.select("*", _null_rows(self.keys)).from_(classes)
        rounds = []
        for call in partition.calls:
            number = len(self.values) + 1
            raw, value = f"raw{number}", f"v{number}"
            self.values[call] = (value, f"{partition.name}rated")
            valued = valued.select(table.value(call).as_(raw))
            real = not call.measure.is_ratio
            rounds.append(rounded(raw).as_(value) if real else exp.column(raw).as_(value))
        step = self.steps.add(f"{partition.name}valued", valued)
        step = self.steps.add(f"{partition.name}rounded", exp.select("*", *rounds).from_(step))
        misses = [
            table.miss(requirement, self.values.get(requirement.call, ("people", ""))[0]).as_(
                f"m{i}"
            )
            for i, requirement in self._requirements(partition)
        ]
        details = [
            exp.column(name).as_(f"d{self._number(call)}_{i}")
            for call in partition.calls
            for i, name in enumerate(table.detail(call))
        ]
        select = exp.select("*", *misses, *details).from_(step)
        return self.steps.add(f"{partition.name}rated", select, materialized=True)

    def _number(self, call: Call) -> str:
        return self.values[call][0].removeprefix("v")

    def _requirements(self, partition: Partition) -> list[tuple[int, Requirement]]:
        return [
            (i, requirement)
            for i, requirement in enumerate(self.ask.requirements)
            if requirement.call in partition.calls
            or (requirement.call.measure.is_size and partition.name == "")
        ]

    def _part(self, part: Part, select: exp.Query) -> None:
        number = len(self.parts)
        self.parts.append(part)
        self.selects.append(select.select(f"{number} AS part", copy=False))

    def _sizes(self, source: exp.Expr, *, people: str) -> None:
        nulls = whole(f"SUM({'null_rows' if people == 'people' else _null_rows(self.keys, '')})")
        select = (
            exp.select(
                *_row(
                    "COUNT(*)",
                    whole("SUM(n)"),
                    nulls,
                    "COUNT(CASE WHEN n = 1 THEN 1 END)",
                    "CAST(SUM(n * (n - 1)) AS DECIMAL(38, 0))",
                    value=f"CAST({people} AS DOUBLE)",
                )
            )
            .from_(source)
            .group_by(people)
        )
        self._part(Part("sizes"), select)

    def _reading(self, call: Call) -> None:
        value, source = self.values[call]
        more = call.measure.direction is Direction.MORE
        worst, order = ("MIN", f"{value}") if more else ("MAX", f"{value} DESC")
        if self.ask.curve:
            lines = exp.select(*_row("COUNT(*)", whole("SUM(n)"), value=_real(value)))
            self._part(Part("curve", call), lines.from_(source).group_by(value))
        else:
            reached = (
                exp.select(value, f"{whole(f'SUM(SUM(n)) OVER (ORDER BY {order})')} AS gone")
                .from_(source)
                .group_by(value)
            )
            best = "MAX" if more else "MIN"
            rows = f"(SELECT {whole('SUM(n)')} FROM {source})"
            share = self.ask.share
            stays = (
                f"CAST(gone AS DECIMAL(38, 0)) * {share.denominator} > "
                f"CAST({rows} AS DECIMAL(38, 0)) * {share.numerator}"
            )
            level = f"COALESCE({worst}(CASE WHEN {stays} THEN {value} END), {best}({value}))"
            self._part(
                Part("worst", call),
                exp.select(*_row(value=_real(f"{worst}({value})"))).from_(source),
            )
            self._part(
                Part("level", call),
                exp.select(*_row(value=_real(level))).from_(reached.subquery("reached")),
            )
        names = [f"d{self._number(call)}_{i}" for i in range(_details(call))]
        example = (
            exp.select(*_row(*names, value=_real(value)))
            .from_(source)
            .order_by(order, "n DESC")
            .limit(1)
        )
        self._part(Part("example", call), exp.select("*").from_(example.subquery("example")))

    def _needs(self, rated: list[str]) -> None:
        if not self.ask.beyond_size:
            return
        indices = range(len(self.ask.requirements))
        for i in indices:
            source = self.values.get(self.ask.requirements[i].call, ("", "rated"))[1]
            select = exp.select(*_row(f"COALESCE({whole('SUM(n)')}, 0)")).from_(source)
            self._part(Part("need", requirement=i), select.where(f"m{i}"))
        if indices:
            self._joint(rated)

    def _joint(self, rated: list[str]) -> None:
        """Rows of classes that miss any requirement. Where requirements group differently, rows
        are told by the finest grouping: each class hands its miss down to the rows it holds."""
        total = exp.select(*_row(f"COALESCE({whole('SUM(n)')}, 0)"))
        misses = [f"m{i}" for i in range(len(self.ask.requirements))]
        if len(rated) == 1:
            self._part(Part("joint"), total.from_(rated[0]).where(any_of(misses)))
            return
        partitions = self._partitions()
        columns = (*self.keys, *self.ours.values())
        finest = exp.select(*columns, "n", *(f"0 AS {miss}" for miss in misses)).from_("facts")
        branches = [finest]
        handed = []
        for partition, source in zip(partitions, rated, strict=True):
            mine = [f"m{i}" for i, _ in self._requirements(partition)]
            if not mine:
                continue
            flags = [
                f"CASE WHEN {miss} THEN 1 ELSE 0 END AS {miss}" if miss in mine else f"0 AS {miss}"
                for miss in misses
            ]
            absent = [c if c in partition.keys else f"NULL AS {c}" for c in columns]
            branches.append(exp.select(*absent, "0 AS n", *flags).from_(source))
            over = ", ".join(partition.keys)
            handed += [f"MAX({miss}) OVER (PARTITION BY {over}) AS {miss}" for miss in mine]
        merged = self.steps.add("handed_down", union_all(branches))
        told = self.steps.add("told", exp.select("n", *handed).from_(merged))
        missed = any_of([f"{miss} > 0" for miss in misses])
        self._part(Part("joint"), total.from_(told).where(missed))


def _details(call: Call) -> int:
    from sqldiag.measures import AGGREGATES

    return 1 + len([a for a in call.measure.aggregates if AGGREGATES[a].type == "BIGINT"][:2])


def _null_rows(keys: Sequence[str], alias: str = " AS null_rows") -> str:
    nulls = " OR ".join(f"{key} IS NULL" for key in keys)
    return f"CASE WHEN {nulls} THEN n ELSE 0 END{alias}"


def _real(sql: str) -> str:
    return f"CAST({sql} AS DOUBLE)"


def _row(*counts: str, value: str = "CAST(NULL AS DOUBLE)") -> list[str]:
    """The columns of every part: a value and five counts."""
    padded = [*counts, *["CAST(NULL AS BIGINT)"] * (5 - len(counts))]
    return [f"{value} AS value", *(f"{count} AS c{i}" for i, count in enumerate(padded, 1))]
