"""Named steps of a statement: common table expressions in the order they were added."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp


class Steps:
    """Collects the steps that a statement's last SELECT stands on."""

    def __init__(self) -> None:
        self._steps: list[tuple[str, exp.Query, bool]] = []

    def add(self, name: str, query: exp.Query, *, materialized: bool = False) -> str:
        """``materialized`` keeps an engine from working a step out once per use."""
        self._steps.append((name, query, materialized))
        return name

    def finish(self, query: exp.Query) -> exp.Query:
        for name, step, materialized in self._steps:
            query = query.with_(name, as_=step, materialized=materialized or None, copy=False)
        return query


def whole(sql: str) -> str:
    """A sum as BIGINT: engines widen sums to types that are slow."""
    return f"CAST({sql} AS BIGINT)"


def union_all(selects: Sequence[exp.Query]) -> exp.Query:
    first, *rest = selects
    return exp.union(first, *rest, distinct=False) if rest else first


def any_of(conditions: Sequence[str | exp.Expr]) -> exp.Expr:
    return exp.or_(*conditions)
