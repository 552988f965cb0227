"""What is asked of the planner about one set of columns, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sqldiag.measures import Call
from sqldiag.profile import Profile, Sizes, Value
from sqldiag.requirement import Requirement


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One set of quasi-identifiers, and everything wanted of it."""

    quasi_identifiers: tuple[str, ...]
    calls: tuple[Call, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    share: Fraction = Fraction(0)
    curve: bool = False
    entity: str | None = None
    sensitive: tuple[str, ...] = ()
    strict: bool = False

    @property
    def measured(self) -> tuple[Call, ...]:
        """Every measure of the question once, those of the requirements too."""
        return tuple(dict.fromkeys([*self.calls, *(r.call for r in self.requirements)]))

    @property
    def beyond_size(self) -> tuple[Call, ...]:
        return tuple(call for call in self.measured if not call.measure.is_size)


@dataclass(frozen=True, slots=True)
class Worst:
    """The largest class of the worst value: its people, and counts of the measure."""

    people: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the statement says about one measure."""

    worst: Value
    level: Value
    profile: Profile | None = None
    example: Worst | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The answers about a set; ``needs`` are rows to suppress, one per requirement."""

    sizes: Sizes
    entities: int | None
    readings: dict[Call, Reading]
    needs: tuple[int, ...]
    need: int
