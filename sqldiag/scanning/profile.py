"""The profile of a relation's columns: what is sent, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence

from sqldiag.engines.base import Statement
from sqldiag.errors import BadInput
from sqldiag.planner.columns import MOST_COLUMNS, plan_columns, read_columns
from sqldiag.planner.source import project
from sqldiag.questions import empty
from sqldiag.relation import Column, Relation
from sqldiag.scan.counting import facts_of
from sqldiag.scan.facts import Facts
from sqldiag.session import Session


def plan_profile(session: Session, relation: Relation) -> tuple[Statement, ...]:
    """One statement; more for tables of very many columns only."""
    if not relation.columns:
        raise BadInput(f"{relation.name} has no columns: nothing to scan")
    first, dialect = relation.columns[0].name, session.dialect
    estimate = session.connection.estimate(project(relation, {"q1": first}, dialect).sql(dialect))
    capabilities = session.connection.capabilities
    return tuple(
        plan_columns(relation, columns, capabilities, estimate=estimate)
        for columns in _pieces(relation.columns)
    )


def profile(session: Session, relation: Relation) -> list[Facts]:
    facts = []
    statements = plan_profile(session, relation)
    for statement, columns in zip(statements, _pieces(relation.columns), strict=True):
        facts += [
            facts_of(one.column.name, one.column.type, one.totals, one.groups, one.shapes)
            for one in read_columns(columns, session.run(statement))
        ]
    if not facts[0].rows:
        raise empty(relation)
    return facts


def _pieces(columns: Sequence[Column]) -> list[Sequence[Column]]:
    return [columns[i : i + MOST_COLUMNS] for i in range(0, len(columns), MOST_COLUMNS)]
