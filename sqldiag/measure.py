"""What a measure is: the declaration of one, its law for pruning, and a call of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction


class Direction(Enum):
    """Which values are safer."""

    MORE = ">="
    LESS = "<="


class Takes(Enum):
    """What stands between the parentheses of a measure."""

    NOTHING = "nothing"
    COLUMN = "a sensitive column"
    COLUMN_AND_NUMBER = "a sensitive column and a number"
    COLUMN_AND_VALUES = "a sensitive column and, if wanted, values of it"


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A number per class and sensitive column; ``{…}`` are the arguments of the measure."""

    sql: str
    # Columns of a cell that cost extra work to provide.
    uses: frozenset[str] = frozenset()
    type: str = "BIGINT"


@dataclass(frozen=True, slots=True)
class Pruning:
    """The law that says when the value of a set bounds that of its supersets (SPEC section 5).

    ``strict``: with nothing suppressed, more columns can only make the worst value worse.
    ``suppressed``: more columns can only raise the number of rows to suppress.
    ``entity``: both also hold for crowds of people instead of rows.
    ``through_distinct``: a class with fewer than ⌈l⌉ distinct values misses l, and so do its parts;
    that holds for people as well, for nobody counts for more values than there are.
    """

    strict: bool
    suppressed: bool
    entity: bool
    through_distinct: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One measure: its value is ``over / under``, whole numbers both, or the real ``formula``."""

    name: str
    title: str
    takes: Takes
    direction: Direction
    aggregates: tuple[str, ...]
    pruning: Pruning
    # The value of a group, in words; and where it comes from.
    definition: str
    paper: str
    # What a value means here, in words; ``at_worst`` where it is the worst there is.
    sentence: str
    at_worst: str = ""
    # The worst value there is: once a set has it, so has every superset that the law covers.
    floor: float | None = None
    over: str = ""
    under: str = "1"
    formula: str = ""

    @property
    def is_ratio(self) -> bool:
        """Whether thresholds are compared on whole numbers."""
        return not self.formula

    @property
    def is_whole(self) -> bool:
        return self.is_ratio and self.under == "1"

    @property
    def is_size(self) -> bool:
        """Whether the value is the size of the class, so that the size profile holds it."""
        return self.takes is Takes.NOTHING


@dataclass(frozen=True, slots=True)
class Call:
    """A measure with its arguments, such as ``alpha(diagnosis, 'HIV')``."""

    measure: Measure
    column: str | None = None
    number: Fraction | None = None
    values: tuple[str | Fraction | None, ...] = ()
    text: str = ""

    def __str__(self) -> str:
        return self.text
