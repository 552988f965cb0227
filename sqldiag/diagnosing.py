"""The whole diagnosis of a set, as a report tells it: levels, curves, what each column adds, and
for which parts of it the requirements hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction

from sqldiag.answers import Diagnosis, Ran
from sqldiag.engines.base import Executed, Kind
from sqldiag.measures import SIZE
from sqldiag.planner.ask import Ask
from sqldiag.planner.stored import covers
from sqldiag.questions import (
    Prepared,
    contributions_of,
    measured_of,
    measurement,
    open_reader,
    read_whole,
)
from sqldiag.search.base import Report
from sqldiag.searches import SearchAsk, find_borders
from sqldiag.session import Session
from sqldiag.suppression import budget


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportAsk:
    """What a report tells of: a set, and, where something is required, the search of its parts."""

    prepared: Prepared
    search: SearchAsk | None
    identifiers: tuple[str, ...]
    version: str


def diagnose(session: Session, asked: ReportAsk, progress: Report) -> Diagnosis:
    """Levels, curves and contributions come from one reading of the relation; a search among other
    columns takes another."""
    began = len(session.connection.executed)
    prepared = asked.prepared
    relation, ask = prepared.relation, prepared.ask
    reader = open_reader(session, relation, ask)
    findings = read_whole(session, reader, ask)
    curve_ask = for_curves(ask)
    curves = measured_of(curve_ask, read_whole(session, reader, curve_ask))
    parts = contributions_of(session, reader, for_parts(ask), rows=findings.rows)
    answer = measurement(session, prepared, findings, parts)
    borders, cost = None, answer.cost
    if asked.search is not None:
        borders = find_borders(session, relation, asked.search, progress)
        cost += borders.searched.cost
    return Diagnosis(
        measurement=answer,
        curves=curves,
        borders=borders,
        identifiers=asked.identifiers,
        allowed_rows=budget(ask.share or Fraction(0), findings.rows),
        where=relation.where,
        query=relation.query,
        made=datetime.now(UTC),
        version=asked.version,
        cost=cost,
        ran=tuple(_ran(done) for done in session.connection.executed[began:] if _tells(done)),
    )


def for_curves(ask: Ask) -> Ask:
    """Sizes, and what is required, where the values are whole numbers: of real ones there may be as
    many as there are groups."""
    required = [r.call for r in ask.requirements if r.call.measure.is_whole]
    wanted = tuple(dict.fromkeys([SIZE, *required]))
    curves = replace(ask, calls=wanted, requirements=(), curve=True, worst=False)
    return curves if covers(ask, curves) else replace(curves, calls=(SIZE,))


def for_parts(ask: Ask) -> Ask:
    """Of the parts, sizes and what is required are enough; all measures where the roll-up names its
    columns for all."""
    required = [requirement.call for requirement in ask.requirements]
    parts = replace(ask, calls=tuple(dict.fromkeys([SIZE, *required])))
    if covers(ask, parts):
        return parts
    return replace(ask, calls=tuple(dict.fromkeys([SIZE, *ask.calls])))


def _tells(done: Executed) -> bool:
    return done.statement.kind in (Kind.ROLLUP, Kind.DIAGNOSIS)


def _ran(done: Executed) -> Ran:
    return Ran(
        purpose=done.statement.purpose,
        sql="\n".join(f"{sql};" for sql in done.script),
        seconds=done.seconds,
        reads_base=done.statement.reads_base,
    )
