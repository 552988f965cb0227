"""One table scanned: its columns, its sets, how coarse they would have to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqldiag import lattice, population
from sqldiag.answers import Source
from sqldiag.engines.base import Statement
from sqldiag.errors import BadInput
from sqldiag.planner.crowds import MOST_COLUMNS, Crowds
from sqldiag.planner.cuts import plan_cuts, read_cuts
from sqldiag.questions import empty
from sqldiag.relation import Relation
from sqldiag.scan.coarse import coarser
from sqldiag.scan.counting import counted
from sqldiag.scan.facts import Facts
from sqldiag.scan.roles import Role, suggest
from sqldiag.scanned import Coarsening, ColumnScan, Kept, KMap, Population, Scan, SetScan
from sqldiag.scanning.ask import ScanAsk
from sqldiag.scanning.commands import next_commands
from sqldiag.scanning.profile import plan_profile, profile
from sqldiag.scanning.sets import Sets, wanted_sets
from sqldiag.session import Session

# A band must hold so many rows for its ends to be told.
_ROWS_PER_BAND = 20
_SAMPLED = (
    "the table is large: rows and NULLs are counted, all else about single columns is estimated "
    "from a sample (~)"
)


def explain_scan(session: Session, relation: Relation, asked: ScanAsk) -> tuple[Statement, ...]:
    """What a scan sends: the profile, and the crowds of the columns where they are named."""
    planned = plan_profile(session, relation)
    if not asked.quasi_identifiers:
        return planned
    members = relation.in_order(asked.quasi_identifiers)[:MOST_COLUMNS]
    masks = wanted_sets(len(members), asked.max_size, small=True)
    larger = [mask for mask in masks if asked.population is not None or lattice.size(mask) > 1]
    return (*planned, *Sets(session, relation, asked.population, members).plan(larger))


def scan(session: Session, relation: Relation, asked: ScanAsk) -> Scan:
    """Everything about a table, from at most two readings of it."""
    return _Scanner(session, relation, asked).answer()


class _Scanner:
    def __init__(self, session: Session, relation: Relation, asked: ScanAsk) -> None:
        self.session, self.relation, self.asked = session, relation, asked
        self.declared = session.connection.declared_roles(relation.path) | dict(asked.declared)
        self.notes: list[str] = []

    def answer(self) -> Scan:
        facts = profile(self.session, self.relation)
        rows = facts[0].rows
        columns = [self._column(one, self.asked.people or rows) for one in facts]
        members = self._members(columns)
        exact = all(one.distinct_is_exact for one in facts)
        masks = wanted_sets(len(members), self.asked.max_size, small=exact)
        self._note(members, masks, exact=exact)
        crowds = Sets(self.session, self.relation, self.asked.population, members).look(
            masks, {one.name: one for one in facts}
        )
        columns = [self._refined(column, members, crowds) for column in columns]
        drawn = self._population(rows, crowds)
        if drawn.people < rows:
            self.notes.append("the population is smaller than the table: is it that of people?")
        together = crowds.get((1 << len(members)) - 1)
        return Scan(
            source=Source(
                engine=self.session.connection.engine,
                relation=self.relation.name,
                rows=rows,
                entities=None,
                null_rows=0 if together is None else together.null_rows,
                warnings=self.relation.warnings,
            ),
            population=drawn,
            columns=tuple(columns),
            sets=_sets(members, masks, crowds, columns, drawn),
            coarsening=self._coarsening(columns, members, drawn.people),
            notes=tuple(self.notes),
            next_commands=next_commands(columns, members, self.asked.origin),
            cost=self.session.finish(),
        )

    def _column(self, facts: Facts, people: float) -> ColumnScan:
        given = self.asked.domains.get(facts.name)
        return ColumnScan(
            facts=facts,
            suggestion=suggest(facts, people),
            declared_role=self.declared.get(facts.name),
            domain=given or float(max(facts.distinct, 1)),
            domain_is_given=given is not None,
        )

    def _members(self, columns: Sequence[ColumnScan]) -> tuple[str, ...]:
        """The columns whose sets are looked at."""
        guessed = (column.name for column in columns if column.role == Role.QUASI_IDENTIFIER)
        found = self.relation.in_order(self.asked.quasi_identifiers or guessed)
        people = self.asked.population
        if people is not None:
            theirs = {column.name for column in people.columns}
            missing = [name for name in found if name not in theirs]
            if found and len(missing) == len(found):
                raise BadInput(
                    f"{people.name} has none of the columns {', '.join(found)}; they must have "
                    "the same names there"
                )
            if missing:
                self.notes.append(f"{people.name} has no {', '.join(missing)}: left out of sets")
            found = tuple(name for name in found if name in theirs)
        if len(found) > MOST_COLUMNS:
            self.notes.append(f"only the first {MOST_COLUMNS} quasi-identifiers are combined")
        return found[:MOST_COLUMNS]

    def _note(self, members: Sequence[str], masks: Sequence[int], *, exact: bool) -> None:
        if not exact:
            self.notes.append(_SAMPLED)
        if not members:
            self.notes.append("no column looks like a quasi-identifier; name some with --qi")
        elif len(members) > 2 and all(lattice.size(m) in (1, len(members)) for m in masks):
            self.notes.append("smaller sets were not looked at; --max-size 2 looks at pairs")

    def _refined(
        self, column: ColumnScan, members: Sequence[str], crowds: Mapping[int, Crowds]
    ) -> ColumnScan:
        """What a sample said of a column gives way to what was counted."""
        place = members.index(column.name) if column.name in members else None
        found = None if place is None else crowds.get(1 << place)
        if found is None or column.facts.distinct_is_exact:
            return column
        facts = counted(
            column.facts, classes=found.classes, singletons=found.singletons, logs=found.logs
        )
        domain = column.domain if column.domain_is_given else float(max(facts.distinct, 1))
        return replace(column, facts=facts, domain=domain)

    def _population(self, rows: int, crowds: Mapping[int, Crowds]) -> Population:
        told, people = self.asked.population, self.asked.people
        if told is not None and crowds:
            people = float(max(found.people for found in crowds.values()))
            if not people:
                raise empty(told)
        return Population(
            people=people or float(rows),
            given=people is not None,
            table=None if told is None else told.name,
            alpha=self.asked.alpha,
        )

    def _coarsening(
        self, columns: Sequence[ColumnScan], members: Sequence[str], people: float
    ) -> Coarsening | None:
        if self.asked.k is None or not members:
            return None
        allowed = population.largest_domain(people, self.asked.k, self.asked.beta)
        mine = {column.name: column for column in columns if column.name in members}
        domains = {name: column.domain for name, column in mine.items()}
        kept = population.values_to_keep(domains, allowed, self.asked.weights)
        ways = {name: coarser(mine[name].facts, domains[name], kept[name]) for name in mine}
        cuts = self._cuts(
            {
                name: way.bands
                for name, way in ways.items()
                if way.bands and way.bands * _ROWS_PER_BAND <= mine[name].facts.filled
            }
        )
        return Coarsening(
            k=self.asked.k,
            beta=self.asked.beta,
            domain=allowed,
            columns=tuple(
                Kept(
                    name=name,
                    weight=self.asked.weights.get(name, 1.0),
                    domain=domains[name],
                    values=kept[name],
                    how=way.how,
                    cut_points=cuts.get(name),
                )
                for name, way in ways.items()
            ),
        )

    def _cuts(self, bands: Mapping[str, int]) -> dict[str, tuple[float, ...]]:
        if not bands:
            return {}
        statement = plan_cuts(self.relation, bands, self.session.dialect)
        return read_cuts(bands, self.session.run(statement))


def _sets(
    members: Sequence[str],
    masks: Sequence[int],
    crowds: Mapping[int, Crowds],
    columns: Sequence[ColumnScan],
    drawn: Population,
) -> tuple[SetScan, ...]:
    domains = {column.name: column.domain for column in columns}
    found = []
    for mask in masks:
        names = tuple(members[i] for i in lattice.positions(mask))
        here, size = crowds[mask], population.domain([domains[name] for name in names])
        found.append(
            SetScan(
                quasi_identifiers=names,
                classes=here.classes,
                singletons=here.singletons,
                uniqueness=here.singletons / here.rows,
                null_rows=here.null_rows,
                domain=size,
                population_uniqueness=population.expected_uniqueness(size, drawn.people),
                population_k=population.anonymity(size, drawn.people),
                can_identify=population.is_alpha_quasi_identifier(size, drawn.people, drawn.alpha),
                k_map=None if drawn.table is None else _k_map(here),
            )
        )
    return tuple(found)


def _k_map(found: Crowds) -> KMap:
    return KMap(
        k=found.k_map,
        one_match_rows=found.one_match_rows,
        unmatched_classes=found.unmatched_classes,
        unmatched_rows=found.unmatched_rows,
    )
