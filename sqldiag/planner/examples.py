"""The smallest classes with their values: the one statement that brings values out, when asked."""

from __future__ import annotations

from sqlglot import exp

from sqldiag.planner.ask import Ask
from sqldiag.planner.source import project
from sqldiag.relation import Relation


def plan_examples(relation: Relation, ask: Ask, count: int, dialect: str) -> exp.Query:
    keys = [f"q{i}" for i, _ in enumerate(ask.quasi_identifiers, 1)]
    columns = dict(zip(keys, ask.quasi_identifiers, strict=True))
    people = "COUNT(*)"
    if ask.entity is not None:
        columns["e"] = ask.entity
        people = "COUNT(DISTINCT e)"
    base = project(relation, columns, dialect).subquery("rows_")
    return (
        exp.select(*keys, f"{people} AS people", "COUNT(*) AS n")
        .from_(base)
        .group_by(*keys)
        .order_by("people", "n", *keys)
        .limit(count)
    )
