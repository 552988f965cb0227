"""How much of the lattice is known and how much is left: for a progress bar, and for nothing else.

All sets are followed where they are few, else a sample of them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import comb

from sqldiag import lattice
from sqldiag.search.base import Problem, Progress, Verdict

_SAMPLE = 1_000


def lattice_size(columns: int, max_size: int) -> int:
    return sum(comb(columns, members) for members in range(1, max_size + 1))


class Outlook:
    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._total = lattice_size(problem.columns, problem.max_size)
        self._open = _sample(problem, self._total)
        self._followed = len(self._open)
        self._seen: set[int] = set()
        self._inside = 0

    def after(self, found: Mapping[int, Verdict], *, waiting: int) -> Progress:
        """Where the search stands once these are seen and so many more are about to be."""
        new = {mask: verdict for mask, verdict in found.items() if mask not in self._seen}
        self._seen |= new.keys()
        self._open = [mask for mask in self._open if mask not in new]
        for mask, verdict in new.items():
            self._learn(mask, verdict)
        self._inside += sum(lattice.size(mask) <= self._problem.max_size for mask in new)
        # Of a sample, the last few open sets may be missing, or the first few that were seen.
        estimate = len(self._open) * self._total // self._followed
        remaining = min(max(estimate, waiting), self._total - self._inside)
        return Progress(
            level=max((lattice.size(mask) for mask in new), default=0),
            evaluated=len(self._seen),
            inferred=max(self._total - len(self._seen) - remaining, 0),
            remaining=remaining,
        )

    def _learn(self, mask: int, verdict: Verdict) -> None:
        if not self._open:
            return
        # Smallest first; level by level, nothing smaller is left to cover.
        smallest, largest = lattice.size(self._open[0]), lattice.size(self._open[-1])
        if verdict.dead and lattice.size(mask) < largest:
            self._open = [other for other in self._open if other & mask != mask]
        elif verdict.holds and self._problem.monotone and lattice.size(mask) > smallest:
            self._open = [other for other in self._open if other & mask != other]


def _sample(problem: Problem, total: int) -> list[int]:
    """Sets of the lattice, smallest first."""
    levels = range(1, problem.max_size + 1)
    if total <= _SAMPLE:
        return [mask for members in levels for mask in lattice.level(problem.columns, members)]
    chance = random.Random(0)
    weights = [comb(problem.columns, members) for members in levels]
    sizes = chance.choices(levels, weights, k=_SAMPLE)
    columns = range(problem.columns)
    return [lattice.of(chance.sample(columns, members)) for members in sorted(sizes)]
