"""Predicts how many rows a set misses, from the sets seen so far: for steering only.

The log-odds of the share of missed rows grow about linearly with the columns of a set, each
column weighing about 0.65 of the logarithm of its number of values. That is where the weights
start; every set that is seen moves them (a Bayesian linear regression), those near the threshold
most. The constants were chosen on the Adult data; they steer, and no verdict depends on them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sqldiag import lattice

_PER_VALUE = 0.65
_FREEDOM = 0.5
_START = -10.0
_START_VARIANCE = 9.0
_NOISE = 0.3
_FAR = 8.0


class Model:
    def __init__(self, distinct: Sequence[int], rows: int, budget: int) -> None:
        self._rows = rows
        self._threshold = self._odds(budget) + 1e-9
        logs = [math.log(max(values, 2)) for values in distinct]
        precision = [1 / _START_VARIANCE, *(1 / (_FREEDOM * log) ** 2 for log in logs)]
        start = [_START, *(_PER_VALUE * log for log in logs)]
        size = len(start)
        self._matrix = [[precision[i] if i == j else 0.0 for j in range(size)] for i in range(size)]
        self._vector = [p * s for p, s in zip(precision, start, strict=True)]
        self._solved: list[float] | None = start

    def _odds(self, missed: int) -> float:
        return math.log((missed + 0.5) / (self._rows - missed + 0.5))

    def learn(self, mask: int, missed: int) -> None:
        seen = self._odds(missed)
        weight = 1 / _NOISE / (1 + (seen - self._threshold) ** 2 / _FAR)
        members = [0, *(position + 1 for position in lattice.positions(mask))]
        for i in members:
            self._vector[i] += weight * seen
            for j in members:
                self._matrix[i][j] += weight
        self._solved = None

    def weights(self) -> list[float]:
        """One per column; more columns never make a set look safer."""
        return [max(weight, 0.01) for weight in self._solution()[1:]]

    def slack(self, mask: int, weights: Sequence[float]) -> float:
        """How far the set is predicted to stay below the threshold; negative if it misses."""
        known = self._solution()[0] + sum(weights[i] for i in lattice.positions(mask))
        return self._threshold - known

    def _solution(self) -> list[float]:
        if self._solved is None:
            self._solved = _solve(self._matrix, self._vector)
        return self._solved


def _solve(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """Gauss; the matrix is positive definite, so no pivoting is needed."""
    size = len(vector)
    rows = [[*row, value] for row, value in zip(matrix, vector, strict=True)]
    for i in range(size):
        pivot = rows[i]
        for j in range(i + 1, size):
            factor = rows[j][i] / pivot[i]
            if factor:
                rows[j] = [a - factor * b for a, b in zip(rows[j], pivot, strict=True)]
    solved = [0.0] * size
    for i in reversed(range(size)):
        rest = sum(rows[i][j] * solved[j] for j in range(i + 1, size))
        solved[i] = (rows[i][size] - rest) / rows[i][i]
    return solved
