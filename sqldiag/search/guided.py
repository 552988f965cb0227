"""Dualize and advance, guided by a prediction: look only where the border is expected.

Open are the smallest sets that are part of no known safe set and have no known unsafe part. Where
one is predicted to miss, it is looked at itself: if it does miss, it belongs to the border. Where
it is predicted to hold, it is first grown for as long as the prediction holds: if that holds, all
its parts need not be looked at. Every verdict that counts was seen; predictions only choose.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqldiag import lattice
from sqldiag.search.base import Problem, Strategy
from sqldiag.search.model import Model


def guided(problem: Problem) -> Strategy:
    model = Model(problem.distinct, problem.rows, problem.budget)
    frontier = Frontier(problem.columns, problem.max_size)
    limit = 1
    while True:
        targets = _targets(problem, model, frontier)
        if not targets:
            return
        batch = targets[: min(limit, problem.batch)]
        found = yield batch
        for mask in batch:
            model.learn(mask, found[mask].need)
            frontier.learn(mask, found[mask].holds)
        limit *= 2


def _targets(problem: Problem, model: Model, frontier: Frontier) -> list[int]:
    """What to look at, those first that decide most sets if they turn out as predicted."""
    weights = model.weights()
    heavy_first = sorted(range(problem.columns), key=lambda i: -weights[i])
    decided: dict[int, int] = {}
    for mask in frontier.open:
        slack = model.slack(mask, weights)
        if slack < 0:
            decided[mask] = problem.columns - lattice.size(mask)
        else:
            grown = _grow(mask, slack, weights, heavy_first, frontier)
            decided[grown] = lattice.size(grown)
    return sorted(decided, key=lambda mask: (-decided[mask], mask))


def _grow(
    mask: int, slack: float, weights: Sequence[float], order: Sequence[int], frontier: Frontier
) -> int:
    for column in order:
        grown = mask | 1 << column
        if grown != mask and weights[column] <= slack and not frontier.is_unsafe(grown):
            mask, slack = grown, slack - weights[column]
    return mask


class Frontier:
    """The smallest sets that are part of no known safe set and have no known unsafe part."""

    def __init__(self, columns: int, max_size: int) -> None:
        self._everything = (1 << columns) - 1
        self._max_size = max_size
        self._unsafe: list[int] = []
        self.open = [1 << i for i in range(columns)]

    def is_unsafe(self, mask: int) -> bool:
        return any(mask & unsafe == unsafe for unsafe in self._unsafe)

    def learn(self, mask: int, holds: bool) -> None:
        if holds:
            self._cover(mask)
            return
        self._unsafe = [other for other in self._unsafe if other & mask != mask] + [mask]
        self.open = [other for other in self.open if other & mask != mask]

    def _cover(self, safe: int) -> None:
        """A set that is covered now is replaced by its smallest supersets that are not."""
        kept = [mask for mask in self.open if mask & safe != mask]
        covered = [mask for mask in self.open if mask & safe == mask]
        outside = list(lattice.bits(self._everything & ~safe))
        grown = {
            mask | bit for mask in covered if lattice.size(mask) < self._max_size for bit in outside
        }
        new = [
            mask
            for mask in grown
            if not any(other & mask == other for other in kept) and not self.is_unsafe(mask)
        ]
        self.open = kept + lattice.minimal(new)
