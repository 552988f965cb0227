"""Named steps of a statement: common table expressions in the order they were added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqlglot import exp, parse_one


class Steps:
    """Collects the steps that a statement's last SELECT stands on."""

    def __init__(self) -> None:
        self._steps: list[tuple[str, exp.Query]] = []
        self._shared: dict[str, bool] = {}

    def add(self, name: str, query: exp.Query, *, shared: bool | None = None) -> str:
        """``shared``: whether the step is used more than once, where that is known."""
        self._steps.append((name, query))
        if shared is not None:
            self._shared[name] = shared
        return name

    def finish(self, query: exp.Query) -> exp.Query:
        """The statement. A step that is used more than once is worked out once, on any engine."""
        shared = self._shared
        if len(shared) < len(self._steps):
            shared = {name: uses > 1 for name, uses in self._uses(query).items()} | shared
        for name, step in self._steps:
            alias = exp.TableAlias(this=exp.to_identifier(name))
            query = query.with_(alias, as_=step, materialized=shared[name], copy=False)
        return query

    def _uses(self, query: exp.Query) -> Counter[str]:
        return Counter(
            table.name
            for tree in [step for _, step in self._steps] + [query]
            for table in tree.find_all(exp.Table)
        )


def whole(sql: str) -> str:
    """A sum as BIGINT: engines widen sums to types that are slow."""
    return f"CAST({sql} AS BIGINT)"


def real(sql: str) -> str:
    return f"CAST({sql} AS DOUBLE)"


def fixed(columns: Sequence[str], dialect: str) -> exp.Expr:
    """Columns that stand in hundreds of places: rendered once, for that takes longer than all else.

    A tree of them for each place would be made, rendered and thrown away again.
    """
    return exp.var(",\n".join(parse_one(column).sql(dialect) for column in columns))


def union_all(selects: Sequence[exp.Query]) -> exp.Query:
    first, *rest = selects
    return exp.union(first, *rest, distinct=False, copy=False) if rest else first


def any_of(conditions: Sequence[str | exp.Expr]) -> exp.Expr:
    return exp.or_(*conditions)
