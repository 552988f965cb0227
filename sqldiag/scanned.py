"""Answers of a scan: frozen values that a caller can use and a report can show."""

from __future__ import annotations

from dataclasses import dataclass

from sqldiag.answers import Source
from sqldiag.cost import Cost
from sqldiag.scan.facts import Facts
from sqldiag.scan.roles import Role, Suggestion

ENTITY = "entity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """The people that the table was drawn from; without ``given``, it is taken for all of them."""

    people: float
    given: bool
    table: str | None
    alpha: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnScan:
    """What a column is like, what it probably is, and what somebody declared it to be.

    ``domain`` is the number of values it could take: as told, or as observed.
    """

    facts: Facts
    suggestion: Suggestion
    declared_role: str | None
    domain: float
    domain_is_given: bool

    @property
    def name(self) -> str:
        return self.facts.name

    @property
    def role(self) -> str:
        """What was declared wins."""
        return self.declared_role or self.suggestion.role.value


@dataclass(frozen=True, slots=True, kw_only=True)
class KMap:
    """How many people of the population table match a class of the table."""

    # None where no class matches anybody.
    k: int | None
    one_match_rows: int
    unmatched_classes: int
    unmatched_rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetScan:
    """A set of columns, in the table and in the population."""

    quasi_identifiers: tuple[str, ...]
    classes: int
    singletons: int
    uniqueness: float
    null_rows: int
    domain: float
    population_uniqueness: float
    population_k: float
    # Whether it could single out a share α of the population.
    can_identify: bool
    k_map: KMap | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """How many values a column may keep, and what that means."""

    name: str
    weight: float
    domain: float
    values: float
    how: str
    cut_points: tuple[float, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Coarsening:
    """What it takes for (1 − β, k)-anonymity: at most ``domain`` combinations of values."""

    k: float
    beta: float
    domain: float
    columns: tuple[Kept, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """A table: its columns, its sets of quasi-identifiers, and what to ask next."""

    source: Source
    population: Population
    columns: tuple[ColumnScan, ...]
    sets: tuple[SetScan, ...]
    coarsening: Coarsening | None
    notes: tuple[str, ...]
    next_commands: tuple[str, ...]
    cost: Cost

    def having(self, role: str) -> tuple[str, ...]:
        """The names of the columns of a role."""
        return tuple(column.name for column in self.columns if column.role == role)

    def column(self, name: str) -> ColumnScan:
        return next(column for column in self.columns if column.name == name)

    @property
    def together(self) -> SetScan | None:
        """All quasi-identifiers at once, or the most that were looked at."""
        return max(self.sets, key=lambda found: len(found.quasi_identifiers), default=None)

    @property
    def personal(self) -> tuple[str, ...]:
        """Columns that tell anybody who somebody is: names, addresses, numbers of identity."""
        return tuple(
            column.name
            for column in self.columns
            if column.role == Role.IDENTIFIER.value and column.suggestion.personal
        )

    @property
    def exposed(self) -> float:
        """The share of rows that the quasi-identifiers single out; with names, all of them."""
        together = self.together
        return 1.0 if self.personal else together.uniqueness if together else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaScan:
    """All tables of a schema, riskiest first; ``skipped`` are those that could not be read."""

    engine: str
    schema: str
    tables: tuple[Scan, ...]
    empty: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    next_commands: tuple[str, ...]
    cost: Cost
