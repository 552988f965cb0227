"""The smallest classes with their values: the one statement that brings values out, when asked."""

from __future__ import annotations

from sqlglot import exp

from sqldiag.planner.ask import Ask
from sqldiag.planner.source import project
from sqldiag.relation import Relation

# Types that arrive as they are; the values of others are shown as the database writes them.
_PLAIN = ("int", "bigint", "smallint", "text", "varchar", "char", "bool", "double", "real", "float")


def plan_examples(relation: Relation, ask: Ask, count: int, dialect: str) -> exp.Query:
    keys = [f"q{i}" for i, _ in enumerate(ask.quasi_identifiers, 1)]
    columns = dict(zip(keys, ask.quasi_identifiers, strict=True))
    people = "COUNT(*)"
    if ask.entity is not None:
        columns["e"] = ask.entity
        people = "COUNT(DISTINCT e)"
    base = project(relation, columns, dialect).subquery("rows_")
    smallest = (
        exp.select(*keys, f"{people} AS people", "COUNT(*) AS n")
        .from_(base)
        .group_by(*keys)
        .order_by("people", "n", *(f"{key} NULLS LAST" for key in keys))
        .limit(count)
    )
    types = {column.name: column.type.lower() for column in relation.columns}
    shown = [
        key if types[name].startswith(_PLAIN) else f"CAST({key} AS TEXT) AS {key}"
        for key, name in zip(keys, ask.quasi_identifiers, strict=True)
    ]
    return (
        exp.select(*shown, "people", "n")
        .from_(smallest.subquery("smallest"))
        .order_by("people", "n", *(f"smallest.{key} NULLS LAST" for key in keys))
    )
