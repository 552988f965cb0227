"""Answers: frozen values that a caller can use and a report can show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar

from sqldiag.cost import Cost as Cost
from sqldiag.measure import Call
from sqldiag.planner.ask import Worst
from sqldiag.profile import Profile, Risk, Value
from sqldiag.requirement import Requirement

Curve = tuple[tuple[Value, float], ...]


class Shown:
    """What a notebook shows of an answer. How it is drawn is nothing an answer knows: whoever can
    draw says so here."""

    __slots__ = ()

    draw: ClassVar[Callable[[Shown], str] | None] = None

    def _repr_html_(self) -> str | None:
        return None if Shown.draw is None else Shown.draw(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What was diagnosed."""

    engine: str
    relation: str
    rows: int
    entities: int | None
    null_rows: int
    # Rows that may be there and were not seen, and why.
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A requirement, and whether it holds."""

    requirement: Requirement
    value: Value
    value_suppressed: Value | None
    holds: bool
    rows_to_suppress: int
    suppression_needed: float
    remaining_rows: int

    @property
    def measure(self) -> str:
        return str(self.requirement.call)


@dataclass(frozen=True, slots=True)
class Example:
    """A class, shown because someone asked to see it."""

    values: tuple[object, ...]
    people: int
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Shown):
    """Whether all requirements hold at once, and what it would take."""

    source: Source
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    entity: str | None
    suppress: float | None
    requirements: tuple[Verdict, ...]
    holds: bool
    rows_to_suppress: int
    suppression_needed: float
    remaining_rows: int
    risk: Risk
    examples: tuple[Example, ...] | None
    cost: Cost

    def __bool__(self) -> bool:
        return self.holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The level of one measure; the curve holds a point for every value a class has."""

    call: Call
    value: Value
    value_suppressed: Value | None
    curve: Curve | None
    worst: Worst | None
    # What the curve was read off: classes and rows of every value.
    profile: Profile | None = None

    @property
    def measure(self) -> str:
        return str(self.call)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFinding:
    """What is known of one set of columns.

    ``levels`` are the measures of the question, in its order. A set that was inferred and not
    looked at has no more than what follows from another.
    """

    quasi_identifiers: tuple[str, ...]
    levels: tuple[Measured, ...] = ()
    rows_to_suppress: int | None = None
    suppression_needed: float | None = None
    risk: Risk | None = None
    null_rows: int | None = None
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one column adds: the set without it (None where nothing is left), and it alone."""

    column: str
    without: SetFinding | None
    alone: SetFinding


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement(Shown):
    """The levels of a set of quasi-identifiers, and its risk figures."""

    source: Source
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    entity: str | None
    suppress: float | None
    measures: tuple[Measured, ...]
    risk: Risk
    check: Check | None
    examples: tuple[Example, ...] | None
    cost: Cost
    # One per quasi-identifier, where it was asked for.
    contributions: tuple[Contribution, ...] | None = None

    def value(self, measure: str | None = None) -> Value:
        """The level of one of the measures, by its printed name; of the first, without."""
        for measured in self.measures:
            if measure in (None, measured.measure):
                return measured.value
        raise KeyError(measure)


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What was searched, and how it went."""

    source: Source
    columns: tuple[str, ...]
    identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    entity: str | None
    suppress: float | None
    max_size: int
    strategy: str
    complete: bool
    cancelled: bool
    # What the caller should know, such as a slower way that had to be taken.
    notes: tuple[str, ...]
    cost: Cost


@dataclass(frozen=True, slots=True, kw_only=True)
class Borders(Shown):
    """The maximal sets for which all requirements hold, and the minimal ones for which not."""

    searched: Searched
    requirements: tuple[Requirement, ...]
    safe: tuple[SetFinding, ...]
    unsafe: tuple[SetFinding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subsets(Shown):
    """Every set that was looked at, most dangerous first."""

    searched: Searched
    measures: tuple[Call, ...]
    requirements: tuple[Requirement, ...]
    sets: tuple[SetFinding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A statement that was sent for an answer, and how long it took."""

    purpose: str
    sql: str
    seconds: float
    reads_base: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis(Shown):
    """Everything that a report tells about one set of columns of one relation."""

    measurement: Measurement
    # With their profiles: sizes first, then required measures whose values are whole numbers.
    curves: tuple[Measured, ...]
    borders: Borders | None
    identifiers: tuple[str, ...]
    # ⌊δN⌋, the rows that may be suppressed.
    allowed_rows: int
    where: str | None
    query: str | None
    made: datetime
    version: str
    cost: Cost
    ran: tuple[Ran, ...] = field(repr=False)

    @property
    def check(self) -> Check | None:
        return self.measurement.check
