"""Named steps of a statement: common table expressions in the order they were added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqlglot import exp


class Steps:
    """Collects the steps that a statement's last SELECT stands on."""

    def __init__(self) -> None:
        self._steps: list[tuple[str, exp.Query]] = []

    def add(self, name: str, query: exp.Query) -> str:
        self._steps.append((name, query))
        return name

    def finish(self, query: exp.Query) -> exp.Query:
        """The statement. A step that is used more than once is worked out once, on any engine."""
        uses = Counter(
            table.name
            for tree in [step for _, step in self._steps] + [query]
            for table in tree.find_all(exp.Table)
        )
        for name, step in self._steps:
            shared = uses[name] > 1
            query = query.with_(name, as_=step, materialized=shared, copy=False)
        return query


def whole(sql: str) -> str:
    """A sum as BIGINT: engines widen sums to types that are slow."""
    return f"CAST({sql} AS BIGINT)"


def real(sql: str) -> str:
    return f"CAST({sql} AS DOUBLE)"


def union_all(selects: Sequence[exp.Query]) -> exp.Query:
    first, *rest = selects
    return exp.union(first, *rest, distinct=False, copy=False) if rest else first


def any_of(conditions: Sequence[str | exp.Expr]) -> exp.Expr:
    return exp.or_(*conditions)
