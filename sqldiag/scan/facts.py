"""What is known of a column: counts, and what its values look like; never a value."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sqldiag.kinds import Kind

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")


@dataclass(frozen=True, kw_only=True)
class Facts:
    """``singletons`` and ``entropy`` are None where a sample cannot tell.

    ``distinct`` counts values, of which NULL is none; ``entropy`` is in natural units and takes
    NULL for a value, as ``singletons`` does. ``looked_at`` values were compared with patterns:
    ``shapes`` says how many look like what.
    """

    name: str
    type: str
    kind: Kind
    rows: int
    nulls: int
    distinct: int
    distinct_is_exact: bool
    top_share: float
    singletons: int | None = None
    entropy: float | None = None
    looked_at: int = 0
    mean_length: float = 0.0
    max_length: int = 0
    shapes: Mapping[str, int] = field(default_factory=dict)

    @property
    def filled(self) -> int:
        return self.rows - self.nulls

    @property
    def variety(self) -> float:
        """Distinct values per row that has one."""
        return self.distinct / self.filled if self.filled else 0.0

    @property
    def uniqueness(self) -> float:
        """The share of rows alone with their value; a guess where they were not counted."""
        if self.singletons is not None:
            return self.singletons / self.rows
        return max(2 * self.variety - 1, 0.0)

    def looks_like(self, *shapes: str) -> float:
        """The share of values of these shapes."""
        found = sum(self.shapes.get(shape, 0) for shape in shapes)
        return found / self.looked_at if self.looked_at else 0.0

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the name: `DateOfBirth`, `date_of_birth` and `date-of-birth` have three.

        Two neighbours count as one word too, so that `e-mail` and `post code` are found.
        """
        words = [word.lower() for word in _WORD.findall(self.name)]
        pairs = [first + second for first, second in itertools.pairwise(words)]
        return frozenset([*words, *pairs, *(_singular(word) for word in words)])


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
