"""What is asked of the planner about sets of columns, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from sqldiag.measure import Call
from sqldiag.profile import Profile, Risk, Value
from sqldiag.requirement import Requirement


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Everything wanted of a set of quasi-identifiers, or of each of many.

    ``weak`` are requirements whose misses only grow with more columns; a search prunes by them.
    ``share`` is None where nothing is said about suppression.
    """

    quasi_identifiers: tuple[str, ...]
    calls: tuple[Call, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    weak: tuple[Requirement, ...] = ()
    share: Fraction | None = None
    curve: bool = False
    worst: bool = False
    entity: str | None = None
    sensitive: tuple[str, ...] = ()
    strict: bool = False

    @property
    def measured(self) -> tuple[Call, ...]:
        """Every measure of the question once, those of the requirements too."""
        required = (requirement.call for requirement in (*self.requirements, *self.weak))
        return tuple(dict.fromkeys([*self.calls, *required]))

    @property
    def grouped(self) -> tuple[str, ...]:
        """Every column that is grouped by."""
        entity = () if self.entity is None else (self.entity,)
        return (*self.quasi_identifiers, *self.columns, *entity)

    @property
    def columns(self) -> tuple[str, ...]:
        """The sensitive columns that the statement must read."""
        measured = [call.column for call in self.measured if call.column is not None]
        if not measured:
            return ()
        return tuple(dict.fromkeys([*measured, *(self.sensitive if self.strict else ())]))


@dataclass(frozen=True, slots=True)
class Worst:
    """The largest class of the worst value: its people, and counts of the measure."""

    people: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the statement says about one measure; the level is the value under suppression."""

    worst: Value
    level: Value | None = None
    profile: Profile | None = None
    example: Worst | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The answers about one set; ``needs`` are rows to suppress, one per requirement."""

    rows: int
    null_rows: int
    risk: Risk
    readings: Mapping[Call, Reading]
    needs: tuple[int, ...] = ()
    need: int = 0
    weak_need: int = 0
    entities: int | None = field(default=None)
