"""Check and measure: from what was asked of one set of columns to the answer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sqldiag import lattice
from sqldiag.answers import (
    Check,
    Contribution,
    Example,
    Measured,
    Measurement,
    SetFinding,
    Source,
    Verdict,
)
from sqldiag.engines.base import Capabilities, Row, Statement
from sqldiag.errors import BadInput, Empty, Ungroupable
from sqldiag.measure import Call
from sqldiag.planner.ask import Ask, Findings
from sqldiag.planner.examples import plan_examples
from sqldiag.planner.findings import read
from sqldiag.planner.statement import Plan, plan_set
from sqldiag.relation import Relation
from sqldiag.session import Session
from sqldiag.suppression import budget

if TYPE_CHECKING:
    from sqldiag.contributions import Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A question about one set, planned: the statements are exactly those that will run."""

    relation: Relation
    ask: Ask
    plan: Plan
    profile: Statement
    examples: Statement | None
    # Then the relation is read into roll-ups, and the profile comes from these.
    contributions: bool = False

    @property
    def statements(self) -> tuple[Statement, ...]:
        return (self.profile,) if self.examples is None else (self.profile, self.examples)


def prepare(
    relation: Relation, ask: Ask, *, capabilities: Capabilities, examples: int | None = None
) -> Prepared:
    """Plan a question without running anything."""
    if not ask.quasi_identifiers:
        raise BadInput("name at least one quasi-identifier with --qi")
    if examples is not None and examples < 1:
        raise BadInput("--examples takes the number of classes to show, 1 or more")
    dialect = capabilities.dialect
    plan = plan_set(relation, ask, capabilities)
    names = ", ".join(ask.quasi_identifiers)
    shown = None
    if examples is not None:
        tree = plan_examples(relation, ask, examples, dialect)
        shown = Statement(
            sql=tree.sql(dialect, pretty=True),
            purpose=f"the {examples} smallest classes of {names}",
            reads_base=True,
        )
    profile = Statement(
        sql=plan.tree.sql(dialect, pretty=True), purpose=f"profile of {names}", reads_base=True
    )
    return Prepared(
        relation=relation,
        ask=ask,
        plan=plan,
        profile=profile,
        examples=shown,
    )


def check(session: Session, prepared: Prepared) -> Check:
    """Questions 1 and 5: does it hold, under a share of suppressed rows?"""
    findings = _findings(session, prepared)
    examples = _examples(session, prepared)
    return _check(session, prepared, findings, examples)


def measure(session: Session, prepared: Prepared) -> Measurement:
    """Questions 2, 6, 9 and 11: which level, which suppression, which curve?"""
    ask, contributions = prepared.ask, None
    if prepared.contributions:
        reader = open_reader(session, prepared.relation, ask)
        findings = read_whole(session, reader, ask)
        contributions = contributions_of(session, reader, ask, rows=findings.rows)
    else:
        findings = _findings(session, prepared)
    return measurement(session, prepared, findings, contributions)


def measurement(
    session: Session,
    prepared: Prepared,
    findings: Findings,
    contributions: tuple[Contribution, ...] | None,
) -> Measurement:
    """The answer, once the set has been read."""
    ask = prepared.ask
    examples = _examples(session, prepared)
    verdicts = _check(session, prepared, findings, examples)
    return Measurement(
        source=verdicts.source,
        quasi_identifiers=ask.quasi_identifiers,
        sensitive=ask.sensitive,
        entity=ask.entity,
        suppress=verdicts.suppress,
        measures=measured_of(ask, findings),
        risk=verdicts.risk,
        check=verdicts if ask.requirements else None,
        examples=examples,
        cost=verdicts.cost,
        contributions=contributions,
    )


def measured_of(ask: Ask, findings: Findings) -> tuple[Measured, ...]:
    return tuple(_measured(call, findings) for call in ask.calls)


def _measured(call: Call, findings: Findings) -> Measured:
    reading = findings.readings[call]
    return Measured(
        call=call,
        value=reading.worst,
        value_suppressed=reading.level,
        curve=None if reading.profile is None else reading.profile.curve(),
        worst=reading.example,
        profile=reading.profile,
    )


def set_finding(ask: Ask, names: tuple[str, ...], findings: Findings) -> SetFinding:
    """What was found about one of many sets."""
    asked = bool(ask.requirements)
    return SetFinding(
        quasi_identifiers=names,
        levels=measured_of(ask, findings),
        rows_to_suppress=findings.need if asked else None,
        suppression_needed=findings.need / findings.rows if asked else None,
        risk=findings.risk,
        null_rows=findings.null_rows,
    )


def open_reader(session: Session, relation: Relation, wide: Ask) -> Reader:
    """Read the relation once, where roll-ups can be made, for this question and narrower ones."""
    from sqldiag.contributions import Reader

    rollups = session.rollups(relation, wide)
    if rollups is not None:
        try:
            coded = rollups.build()
        except Ungroupable:
            session.blame(relation, wide.grouped)
            raise
        if coded.totals.rows == 0:
            raise empty(relation)
    connection = session.connection
    return Reader(relation, wide, connection.capabilities, rollups, lanes=connection.lanes())


def read_whole(session: Session, reader: Reader, ask: Ask) -> Findings:
    try:
        findings = reader.whole(ask, session.run)
    except Ungroupable:
        session.blame(reader.relation, ask.grouped)
        raise
    session.count_sets(1)
    if findings is None:
        raise empty(reader.relation)
    return findings


def contributions_of(
    session: Session, reader: Reader, ask: Ask, *, rows: int
) -> tuple[Contribution, ...]:
    """For each column of the set, what is left without it and what it is alone."""
    from sqldiag.contributions import pairs

    found = reader.parts(ask, session.run_all, rows=rows)
    session.count_sets(len(found))
    names = ask.quasi_identifiers

    def finding(mask: int) -> SetFinding:
        columns = tuple(names[position] for position in lattice.positions(mask))
        return set_finding(ask, columns, found[mask])

    return tuple(
        Contribution(name, finding(without) if without else None, finding(alone))
        for name, (without, alone) in zip(names, pairs(len(names)), strict=True)
    )


def _findings(session: Session, prepared: Prepared) -> Findings:
    rows = _run(session, prepared, prepared.profile)
    session.count_sets(1)
    findings = read(prepared.ask, prepared.plan, rows)
    if not findings:
        # One that was emptied or rewritten since the snapshot only looks so.
        session.connection.verify()
        raise empty(prepared.relation)
    return findings[0]


def empty(relation: Relation) -> Empty:
    narrowed = " that match --where" if relation.where is not None else ""
    return Empty(f"{relation.name} has no rows{narrowed}: nothing to diagnose")


def _examples(session: Session, prepared: Prepared) -> tuple[Example, ...] | None:
    if prepared.examples is None:
        return None
    return tuple(map(_example, _run(session, prepared, prepared.examples)))


def _run(session: Session, prepared: Prepared, statement: Statement) -> list[Row]:
    try:
        return session.run(statement)
    except Ungroupable:
        session.blame(prepared.relation, prepared.ask.grouped)
        raise
    except BadInput:
        session.still_there(prepared.relation)
        raise


def _example(row: Row) -> Example:
    people, rows = row[-2:]
    assert isinstance(people, int)
    assert isinstance(rows, int)
    return Example(row[:-2], people, rows)


def _check(
    session: Session,
    prepared: Prepared,
    findings: Findings,
    examples: tuple[Example, ...] | None,
) -> Check:
    ask, rows = prepared.ask, findings.rows
    allowed = budget(ask.share or Fraction(0), rows)
    verdicts = []
    for requirement, need in zip(ask.requirements, findings.needs, strict=True):
        reading = findings.readings[requirement.call]
        verdicts.append(
            Verdict(
                requirement=requirement,
                value=reading.worst,
                value_suppressed=reading.level,
                holds=need <= allowed,
                rows_to_suppress=need,
                suppression_needed=need / rows,
                remaining_rows=rows - need,
            )
        )
    return Check(
        source=_source(session, prepared.relation, findings),
        quasi_identifiers=ask.quasi_identifiers,
        sensitive=ask.sensitive,
        entity=ask.entity,
        suppress=None if ask.share is None else float(ask.share),
        requirements=tuple(verdicts),
        holds=findings.need <= allowed,
        rows_to_suppress=findings.need,
        suppression_needed=findings.need / rows,
        remaining_rows=rows - findings.need,
        risk=findings.risk,
        examples=examples,
        cost=session.finish(),
    )


def _source(session: Session, relation: Relation, findings: Findings) -> Source:
    return Source(
        engine=session.connection.engine,
        relation=relation.name,
        rows=findings.rows,
        entities=findings.entities,
        null_rows=findings.null_rows,
        warnings=relation.warnings,
    )
