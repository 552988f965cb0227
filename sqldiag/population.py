"""How identifying columns can be in the population that a table was drawn from.

Nothing is known of that population but its size n and how many values a set of columns could take:
D, the product of its columns' numbers of values. Whatever the distribution of people over these D
values, the figures here bound what can be expected.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from sqldiag.errors import BadInput

ALPHA = 0.5
BETA = 0.1

# Scales are logarithms; numbers of values and weights lie far within.
_MOST_SCALE = 300.0
_HALVINGS = 100


def domain(values: Sequence[float]) -> float:
    """D: every combination of values may occur. Some hundred columns are beyond any float."""
    logarithm = math.fsum(math.log(count) for count in values)
    return math.prod(values) if logarithm < 700 else math.inf


def expected_uniqueness(size: float, people: float) -> float:
    """No more than this share of the people is expected to be unique, for any distribution."""
    if size <= people:
        return size / (math.e * people)
    return math.exp(-people / size)


def alpha_domain(people: float, alpha: float = ALPHA) -> float:
    """D must be larger than this for a share α of the people to be unique."""
    if not 0.5 <= alpha < 1:
        raise BadInput("--alpha must be at least 0.5 and below 1")
    return people / math.log(1 / alpha)


def is_alpha_quasi_identifier(size: float, people: float, alpha: float = ALPHA) -> bool:
    """Whether the columns could single out a share α of the people; if not, they never do."""
    return size > alpha_domain(people, alpha)


def anonymity(size: float, people: float) -> float:
    """How many people share a combination of values on average; everybody shares their own."""
    return max(people / size, 1.0)


def largest_domain(people: float, k: float, beta: float = BETA) -> float:
    """D′: with no more combinations than this, somebody shares theirs with k − 1 others with a
    probability of at least 1 − β."""
    if not k >= 1:
        raise BadInput("--k must be 1 or more")
    if not 0 < beta < 1:
        raise BadInput("--beta must be between 0 and 1")
    if k == 1:
        return math.inf
    x = -math.log(beta) / (k - 1)
    return people / (k - 1) * (1 + x - math.sqrt(x * x + 2 * x))


def values_to_keep(
    domains: Mapping[str, float], allowed: float, weights: Mapping[str, float]
) -> dict[str, float]:
    """How many values each column may keep so that their product is at most ``allowed``.

    The numbers are in the proportion of the weights. A column that has no more values than it may
    keep stays as it is, and one that may keep less than one keeps one and says nothing; the others
    share what is left. So each keeps scale · weight, within these limits, and the product grows
    with the scale: halving an interval finds it.
    """

    def kept(scale: float) -> dict[str, float]:
        wanted = {name: math.exp(scale) * weights.get(name, 1.0) for name in domains}
        return {name: min(max(wanted[name], 1.0), size) for name, size in domains.items()}

    low, high = -_MOST_SCALE, _MOST_SCALE
    if domain(list(kept(high).values())) <= allowed:
        return dict(domains)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if domain(list(kept(middle).values())) <= allowed:
            low = middle
        else:
            high = middle
    return kept(low)
