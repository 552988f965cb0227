"""What a search would send first, planned as it would be and run by nobody."""

from __future__ import annotations

from sqldiag.engines.base import Row, Statement
from sqldiag.planner.evaluate import Evaluator
from sqldiag.planner.rollups import Rollups
from sqldiag.relation import Relation
from sqldiag.search.apriori import apriori
from sqldiag.search.loop import choose
from sqldiag.searches import SearchAsk, Totals, problem
from sqldiag.session import Session


def explain_search(
    session: Session, relation: Relation, asked: SearchAsk
) -> tuple[str, tuple[Statement, ...]]:
    """The strategy and the statements of the first steps, as they would be sent; none is run.

    How wide codes are depends on the data, so that a hundred values per column are assumed.
    """
    planned: list[Statement] = []

    def record(statement: Statement) -> list[Row]:
        planned.append(statement)
        return [(100, 0, 0)]

    capabilities = session.connection.capabilities
    rollups = None
    if session.connection.stores_rollups():
        rollups = Rollups(relation, asked.ask, capabilities, record, iter(range(1, 1000)))
        rollups.build()
    evaluator = Evaluator(relation, asked.ask, capabilities, record, rollups)
    if rollups is None:
        record(evaluator.totals())
    totals = Totals(10_000, 0, None, (100,) * len(asked.ask.quasi_identifiers))
    faced = problem(asked.ask, asked.max_size, totals, capabilities.sets_per_statement)
    # A level is asked of every set; where none is, the border is all there is to find.
    name, make = ("all", apriori) if asked.ask.calls else choose(faced, asked.choice)
    first = list(next(make(faced)))[: capabilities.sets_per_statement]
    planned.append(evaluator.plan(first)[0])
    return name, tuple(planned)
