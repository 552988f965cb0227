"""Check and measure: from what was asked of one set of columns to the answer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sqldiag.answers import Check, Example, Measured, Measurement, Source, Verdict
from sqldiag.engines.base import Capabilities, Row, Statement
from sqldiag.errors import BadInput, Empty, Ungroupable
from sqldiag.planner.ask import Ask, Findings
from sqldiag.planner.examples import plan_examples
from sqldiag.planner.findings import read
from sqldiag.planner.statement import Plan, plan_set
from sqldiag.relation import Relation
from sqldiag.session import Session
from sqldiag.suppression import budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A question about one set, planned: the statements are exactly those that will run."""

    relation: Relation
    ask: Ask
    plan: Plan
    profile: Statement
    examples: Statement | None

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
    findings = _findings(session, prepared)
    examples = _examples(session, prepared)
    verdicts = _check(session, prepared, findings, examples)
    ask = prepared.ask
    measures = []
    for call in ask.calls:
        reading = findings.readings[call]
        curve = reading.profile.curve() if ask.curve and reading.profile is not None else None
        measures.append(
            Measured(
                call=call,
                value=reading.worst,
                value_suppressed=reading.level,
                curve=curve,
                worst=reading.example,
            )
        )
    return Measurement(
        source=verdicts.source,
        quasi_identifiers=ask.quasi_identifiers,
        sensitive=ask.sensitive,
        entity=ask.entity,
        suppress=verdicts.suppress,
        measures=tuple(measures),
        risk=verdicts.risk,
        check=verdicts if ask.requirements else None,
        examples=examples,
        cost=verdicts.cost,
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
