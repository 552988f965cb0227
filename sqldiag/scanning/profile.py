"""The profile of a relation's columns: what is sent, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence

from sqldiag.engines.base import Statement
from sqldiag.errors import BadInput
from sqldiag.planner.columns import MOST_COLUMNS, Counted, plan_columns, read_columns
from sqldiag.planner.source import project
from sqldiag.questions import empty
from sqldiag.relation import Column, Relation
from sqldiag.scan.counting import facts_of
from sqldiag.scan.facts import Facts
from sqldiag.session import Session

# A sample of fewer rows than this, of more that there are, says nothing: its share was wrong.
_LEAST_SAMPLE = 1000


def plan_profile(
    session: Session, relation: Relation, estimate: int | None = None
) -> tuple[Statement, ...]:
    """One statement; more for tables of very many columns only."""
    if not relation.columns:
        raise BadInput(f"{relation.name} has no columns: nothing to scan")
    if estimate is None:
        first, dialect = relation.columns[0].name, session.dialect
        rows = project(relation, {"q1": first}, dialect).sql(dialect)
        estimate = session.connection.estimate(rows)
    capabilities = session.connection.capabilities
    return tuple(
        plan_columns(relation, columns, capabilities, estimate=estimate)
        for columns in _pieces(relation.columns)
    )


def profile(session: Session, relation: Relation) -> list[Facts]:
    counted = _counted(session, relation, plan_profile(session, relation))
    rows = int(counted[0].totals.get("rows", 0))
    if counted[0].groups.get("rows", 0) < min(rows, _LEAST_SAMPLE):
        # The engine took the relation for far larger than it is; now its size is known.
        counted = _counted(session, relation, plan_profile(session, relation, rows))
    facts = [
        facts_of(one.column.name, one.column.type, one.totals, one.groups, one.shapes)
        for one in counted
    ]
    if not facts[0].rows:
        raise empty(relation)
    return facts


def _counted(
    session: Session, relation: Relation, statements: Sequence[Statement]
) -> list[Counted]:
    counted: list[Counted] = []
    for statement, columns in zip(statements, _pieces(relation.columns), strict=True):
        counted += read_columns(columns, session.run(statement))
    return counted


def _pieces(columns: Sequence[Column]) -> list[Sequence[Column]]:
    return [columns[i : i + MOST_COLUMNS] for i in range(0, len(columns), MOST_COLUMNS)]
