"""Borders and subsets: from what was asked of all sets of columns to the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqldiag import lattice
from sqldiag.answers import Borders, Measured, Searched, SetFinding, Source, Subsets
from sqldiag.errors import BadInput, Ungroupable
from sqldiag.measure import Direction
from sqldiag.planner.ask import Ask, Findings
from sqldiag.planner.evaluate import Evaluator
from sqldiag.questions import empty, set_finding
from sqldiag.relation import Relation
from sqldiag.requirement import bound
from sqldiag.search.base import Problem, Report, Verdict
from sqldiag.search.choice import Choice
from sqldiag.search.loop import Budget, Seen, borders, search
from sqldiag.search.subsets import everything
from sqldiag.session import Session
from sqldiag.suppression import budget

_NO_ROLLUPS = "temporary tables are not allowed here, so every step reads the whole relation again"
_NOT_MONOTONE = (
    "more columns can make a set pass this, so sets are left out only where too few distinct "
    "values rule them out, and a safe set may have an unsafe part"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAsk:
    """A search: what is asked of every set, of how many columns at once, within which budget."""

    ask: Ask
    max_size: int
    choice: Choice
    budget: Budget
    identifiers: tuple[str, ...] = ()
    inferred: bool = False


class Searching:
    """One search in a session: the evaluation of sets, and what it finds."""

    def __init__(self, session: Session, relation: Relation, asked: SearchAsk) -> None:
        self.session, self.relation, self.asked = session, relation, asked
        self.ask = asked.ask
        self.findings: dict[int, Findings] = {}
        self._rollups = session.rollups(relation, self.ask)
        connection = session.connection
        self._evaluator = Evaluator(
            relation, self.ask, connection.capabilities, self._rollups, lanes=connection.lanes()
        )
        try:
            self.totals = self._totals()
        except Ungroupable:
            session.blame(relation, self.ask.grouped)
            raise
        except BadInput:
            session.still_there(relation)
            raise
        # What was read by now is locked: if it was whole so far, roll-ups of it stay right.
        session.connection.verify()
        if self.totals.rows == 0:
            raise empty(relation)

    def _totals(self) -> Totals:
        if self._rollups is None:
            statement = self._evaluator.totals()
            row = [int(str(value or 0)) for value in self.session.run(statement)[0]]
            unknown = (10,) * len(self.ask.quasi_identifiers)
            return Totals(row[0], row[1], row[2] if len(row) > 2 else None, unknown)
        totals = self._rollups.build().totals
        distinct = tuple(totals.distinct[name] for name in self.ask.quasi_identifiers)
        null_rows = self._rollups.null_rows(self.ask.quasi_identifiers)
        return Totals(totals.rows, null_rows, totals.entities, distinct)

    @property
    def problem(self) -> Problem:
        return problem(self.ask, self.asked.max_size, self.totals, self._batch)

    @property
    def _batch(self) -> int:
        return self.session.connection.capabilities.sets_per_statement

    def evaluate(self, masks: Sequence[int]) -> Iterator[dict[int, Verdict]]:
        for found in self._evaluator.evaluate(masks, self.session.run_all, total=self.totals.rows):
            self.findings |= found
            yield {mask: self._verdict(findings) for mask, findings in found.items()}

    def narrow(self, alive: int) -> None:
        self._evaluator.narrow(alive)

    def _verdict(self, findings: Findings) -> Verdict:
        allowed = self.problem.budget
        holds = findings.need <= allowed
        dead = findings.weak_need > allowed if not self.problem.monotone else not holds
        return Verdict(holds, dead, findings.need)

    def searched(self, seen: Seen) -> Searched:
        ask = self.ask
        self.session.count_sets(len(seen.verdicts))
        return Searched(
            source=Source(
                engine=self.session.connection.engine,
                relation=self.relation.name,
                rows=self.totals.rows,
                entities=self.totals.entities,
                null_rows=self.totals.null_rows,
                warnings=self.relation.warnings,
            ),
            columns=ask.quasi_identifiers,
            identifiers=self.asked.identifiers,
            sensitive=ask.sensitive,
            entity=ask.entity,
            suppress=None if ask.share is None else float(ask.share),
            max_size=self.asked.max_size,
            strategy=seen.strategy,
            complete=seen.complete,
            cancelled=seen.cancelled,
            notes=self._notes(),
            # Who interrupts a statement may lose the connection, but not what is known.
            cost=self.session.finish(verify=not seen.cancelled or self._rollups is None),
        )

    def _notes(self) -> tuple[str, ...]:
        notes = [] if self._rollups is not None else [_NO_ROLLUPS]
        if not is_monotone(self.ask):
            notes.append(_NOT_MONOTONE)
        return tuple(notes)

    def finding(self, mask: int) -> SetFinding:
        names = self.names(mask)
        findings = self.findings.get(mask)
        if findings is None:
            return SetFinding(quasi_identifiers=names, inferred=True)
        return set_finding(self.ask, names, findings)

    def names(self, mask: int) -> tuple[str, ...]:
        return tuple(self.ask.quasi_identifiers[i] for i in lattice.positions(mask))


@dataclass(frozen=True, slots=True)
class Totals:
    """The relation as a whole; ``distinct`` are numbers of values, or a guess."""

    rows: int
    null_rows: int
    entities: int | None
    distinct: tuple[int, ...]


def problem(ask: Ask, max_size: int, totals: Totals, batch: int) -> Problem:
    return Problem(
        columns=len(ask.quasi_identifiers),
        max_size=max_size,
        monotone=is_monotone(ask),
        rows=totals.rows,
        budget=budget(ask.share or Fraction(0), totals.rows),
        distinct=totals.distinct,
        batch=batch,
    )


def is_monotone(ask: Ask) -> bool:
    """Whether parts of sets that hold are proved to hold: every requirement is its own bound."""
    return all(
        bound(required, suppressed=bool(ask.share), entity=ask.entity is not None) == required
        for required in ask.requirements
    )


def find_borders(session: Session, relation: Relation, asked: SearchAsk, report: Report) -> Borders:
    """Questions 3 and 7: for which sets does it hold?"""
    searching = Searching(session, relation, asked)
    seen = search(
        searching.problem,
        searching.evaluate,
        choice=asked.choice,
        budget=asked.budget,
        report=report,
        narrow=searching.narrow,
    )
    safe, unsafe = borders(searching.problem, seen.verdicts)
    found_safe = [searching.finding(mask) for mask in safe]
    found_unsafe = [searching.finding(mask) for mask in unsafe]
    order = {name: i for i, name in enumerate(asked.ask.quasi_identifiers)}

    def place(found: SetFinding) -> list[int]:
        return [order[name] for name in found.quasi_identifiers]

    return Borders(
        searched=searching.searched(seen),
        requirements=asked.ask.requirements,
        safe=tuple(sorted(found_safe, key=lambda f: (-len(f.quasi_identifiers), place(f)))),
        unsafe=tuple(
            sorted(
                found_unsafe,
                key=lambda f: (-(f.rows_to_suppress or 0), len(f.quasi_identifiers), place(f)),
            )
        ),
    )


def find_subsets(session: Session, relation: Relation, asked: SearchAsk, report: Report) -> Subsets:
    """Questions 4, 8, 10 and 12: which level, suppression or curve has every set?"""
    searching = Searching(session, relation, asked)
    floor = floor_of(asked.ask)

    def at_floor(mask: int) -> bool:
        return floor is not None and bool(
            searching.findings[mask].readings[asked.ask.calls[0]].worst == floor
        )

    seen, inferred = everything(
        searching.problem,
        searching.evaluate,
        infers=floor is not None,
        at_floor=at_floor,
        budget=asked.budget,
        report=report,
        list_inferred=asked.inferred,
    )
    # In the order of the table's columns, which then decides between equals.
    looked_at = sorted(seen.verdicts, key=lambda mask: lattice.positions(mask))
    found = [searching.finding(mask) for mask in looked_at]
    if floor is not None:
        known = Measured(
            call=asked.ask.calls[0], value=floor, value_suppressed=None, curve=None, worst=None
        )
        found += [
            SetFinding(quasi_identifiers=searching.names(mask), levels=(known,), inferred=True)
            for mask in inferred
        ]
    return Subsets(
        searched=searching.searched(seen),
        measures=asked.ask.calls,
        requirements=asked.ask.requirements,
        sets=tuple(sorted(found, key=_danger)),
    )


def floor_of(ask: Ask) -> int | float | None:
    """The value that says all about supersets, where nothing but the value is asked for."""
    if len(ask.calls) != 1 or ask.requirements or ask.curve or ask.share is not None:
        return None
    measure = ask.calls[0].measure
    if measure.floor is None or not measure.pruning.strict:
        return None
    if ask.entity is None:
        return int(measure.floor)
    # Among people, a class may be nobody's.
    return 0 if measure.pruning.entity else None


def _danger(found: SetFinding) -> tuple[float, float, float, int]:
    """Worst first: by what it needs, its level, what is unique; then the smaller set."""
    level = found.levels[0] if found.levels else None
    worst = 0.0
    if level is not None:
        value = float(level.value if level.value_suppressed is None else level.value_suppressed)
        worst = value if level.call.measure.direction is Direction.MORE else -value
    need = -(found.suppression_needed or 0.0)
    unique = -found.risk.uniqueness if found.risk is not None else 0.0
    return need, worst, unique, len(found.quasi_identifiers)
