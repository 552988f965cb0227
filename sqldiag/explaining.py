"""What a search would send first, planned as it would be and run by nobody."""

from __future__ import annotations

import math

from sqldiag import lattice
from sqldiag.contributions import Reader
from sqldiag.diagnosing import ReportAsk, for_curves, for_parts
from sqldiag.engines.base import Row, Statement
from sqldiag.planner.ask import Ask
from sqldiag.planner.evaluate import Evaluator
from sqldiag.planner.rollups import Rollups, Run
from sqldiag.relation import Relation
from sqldiag.search.loop import choose
from sqldiag.search.subsets import levels_together
from sqldiag.searches import SearchAsk, Totals, floor_of, problem
from sqldiag.session import Session

# How wide codes are and what pays depends on the data: so many values are assumed in every column,
# and so many groups of rows.
_VALUES, _GROUPS = 100, 100_000


def explain_contributions(session: Session, relation: Relation, ask: Ask) -> tuple[Statement, ...]:
    """What ``measure`` with contributions would send; how wide codes are is assumed as below."""
    planned, rollups, _ = _recorded(session, relation, ask)
    reader = Reader(relation, ask, session.connection.capabilities, rollups)
    whole, _ = reader.plan_whole(ask)
    return (*planned, whole, *reader.plan_parts(ask))


def explain_report(session: Session, asked: ReportAsk) -> tuple[Statement, ...]:
    """What a report would send; of its search, the first steps."""
    ask, relation = asked.prepared.ask, asked.prepared.relation
    planned, rollups, _ = _recorded(session, relation, ask)
    reader = Reader(relation, ask, session.connection.capabilities, rollups)
    planned += [reader.plan_whole(part)[0] for part in (ask, for_curves(ask))]
    planned += reader.plan_parts(for_parts(ask))
    if asked.prepared.examples is not None:
        planned.append(asked.prepared.examples)
    if asked.search is not None:
        planned += explain_search(session, relation, asked.search)[1]
    return tuple(planned)


def _recorded(
    session: Session, relation: Relation, ask: Ask
) -> tuple[list[Statement], Rollups | None, Run]:
    """Roll-ups as they would be made, and where statements are written down instead of run."""
    planned: list[Statement] = []
    columns = len(ask.quasi_identifiers)
    no_nulls, some_values = (_GROUPS,) * columns, (_VALUES,) * columns
    alike = (_GROUPS * math.log(_GROUPS / _VALUES),) * columns

    def record(statement: Statement) -> list[Row]:
        planned.append(statement)
        return [(_GROUPS, 0, *no_nulls, *some_values, _GROUPS, *alike)]

    if not session.connection.stores_rollups():
        return planned, None, record
    capabilities = session.connection.capabilities
    rollups = Rollups(relation, ask, capabilities, record, iter(range(1, 1000)))
    rollups.build()
    return planned, rollups, record


def explain_search(
    session: Session, relation: Relation, asked: SearchAsk
) -> tuple[str, tuple[Statement, ...]]:
    """The strategy and the statements of the first steps, as they would be sent; none is run.

    What is sent depends on the data, so that something is assumed about it, as above.
    """
    planned, rollups, record = _recorded(session, relation, asked.ask)
    capabilities = session.connection.capabilities
    evaluator = Evaluator(relation, asked.ask, capabilities, rollups)
    if rollups is None:
        record(evaluator.totals())
    totals = Totals(10_000, 0, None, (_VALUES,) * len(asked.ask.quasi_identifiers))
    faced = problem(asked.ask, asked.max_size, totals, capabilities.sets_per_statement)
    if asked.ask.calls:
        # A level is asked of every set.
        name, together = "all", levels_together(faced, infers=floor_of(asked.ask) is not None)
        sizes = range(1, together + 1)
        first = [mask for size in sizes for mask in lattice.level(faced.columns, size)]
    else:
        name, make = choose(faced, asked.choice)
        first = list(next(make(faced)))
    planned.append(evaluator.plan(evaluator.batches(first)[0])[0])
    return name, tuple(planned)
