"""Level by level: the sets of one size, then those larger by one whose parts are all alive.

The reference. It also searches where a set that holds says nothing about its parts: then a set
stays alive unless a bound proves that all its supersets miss.
"""

from __future__ import annotations

from sqldiag import lattice
from sqldiag.search.base import Problem, Strategy


def apriori(problem: Problem) -> Strategy:
    level = list(lattice.level(problem.columns, 1))
    for members in range(1, problem.max_size + 1):
        if not level:
            return
        found = yield level
        alive = [mask for mask in level if not found[mask].dead]
        level = lattice.join(alive) if members < problem.max_size else []
