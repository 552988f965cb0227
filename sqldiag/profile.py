"""The profile of a set of columns: how many classes, and rows, have each value of a measure.

This small table answers everything about the set: its level, what must be suppressed for a
threshold, the whole curve and, for sizes, the risk figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

# The sizes of classes are whole numbers; the values of other measures may be real, or infinite.
Value = int | float


@dataclass(frozen=True, slots=True)
class Line:
    """All classes of one value."""

    value: Value
    classes: int
    rows: int


@dataclass(frozen=True, slots=True)
class Profile:
    """The lines of a measure, worst value first."""

    lines: tuple[Line, ...]

    @property
    def rows(self) -> int:
        return sum(line.rows for line in self.lines)

    @property
    def worst(self) -> Value:
        return self.lines[0].value

    def level(self, budget: int) -> Value:
        """The worst value that stays when at most ``budget`` rows go, worst classes first."""
        gone = 0
        for line in self.lines[:-1]:
            gone += line.rows
            if gone > budget:
                return line.value
        return self.lines[-1].value

    def curve(self) -> tuple[tuple[Value, float], ...]:
        """For each value that a class has, the share of rows to suppress so that it holds."""
        points, gone, rows = [], 0, self.rows
        for line in self.lines:
            points.append((line.value, gone / rows))
            gone += line.rows
        return tuple(points)


@dataclass(frozen=True, slots=True)
class Risk:
    """What the sizes say about the risk of being singled out."""

    classes: int
    singletons: int
    uniqueness: float
    average_risk: float
    distinction: float
    # Not worked out where many sets are looked at.
    separation: float | None

    @classmethod
    def of(cls, *, rows: int, classes: int, singletons: int, pairs: float | None) -> Self:
        """``pairs`` are the ordered pairs of rows that stand in one class: Σ n·(n−1)."""
        all_pairs = rows * (rows - 1)
        apart = None if pairs is None else 1 - pairs / all_pairs if all_pairs else 0.0
        return cls(
            classes=classes,
            singletons=singletons,
            uniqueness=singletons / rows,
            average_risk=classes / rows,
            distinction=classes / rows,
            separation=apart,
        )
