"""What a caller may ask of all sets of columns, checked and turned into a ``SearchAsk``."""

from __future__ import annotations

from sqldiag.asking import SubsetsOptions, to_search
from sqldiag.errors import BadInput, nearest
from sqldiag.relation import Relation
from sqldiag.search.choice import Choice
from sqldiag.search.loop import Budget
from sqldiag.searches import SearchAsk


def search_ask(
    relation: Relation, options: SubsetsOptions, *, default_measures: bool = False
) -> SearchAsk:
    """``default_measures``: without any measure named, those that everybody wants."""
    ask = to_search(relation, options, default_measures=default_measures)
    columns = len(ask.quasi_identifiers)
    for name in ("max_size", "max_sets", "max_seconds"):
        limit = options.get(name)
        if isinstance(limit, int | float) and not limit > 0:
            raise BadInput(f"--{name.replace('_', '-')} must be above 0")
    return SearchAsk(
        ask=ask,
        max_size=min(options.get("max_size") or columns, columns),
        choice=_choice(options.get("strategy", "auto")),
        budget=Budget(sets=options.get("max_sets"), seconds=options.get("max_seconds")),
        identifiers=tuple(options.get("identifiers", ())),
        inferred=options.get("all", False),
    )


def _choice(strategy: str) -> Choice:
    if strategy not in {choice.value for choice in Choice}:
        raise BadInput(f"there is no strategy {strategy}{nearest(strategy, Choice)}")
    return Choice(strategy)
