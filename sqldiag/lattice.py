"""Sets of columns as bit masks: joining, inferring, and the borders between safe and unsafe.

Bit i of a mask stands for column i. Nothing here knows what makes a set safe.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import combinations


def bits(mask: int) -> Iterator[int]:
    """The columns of a set, each as a mask of its own."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def positions(mask: int) -> tuple[int, ...]:
    return tuple(bit.bit_length() - 1 for bit in bits(mask))


def size(mask: int) -> int:
    return mask.bit_count()


def of(members: Iterable[int]) -> int:
    """The set of these columns."""
    mask = 0
    for position in members:
        mask |= 1 << position
    return mask


def level(columns: int, members: int) -> Iterator[int]:
    """Every set of so many of the first ``columns`` columns."""
    return (of(chosen) for chosen in combinations(range(columns), members))


def join(alive: Collection[int]) -> list[int]:
    """Apriori: the sets one larger than these, all of whose parts of that size are among them.

    Two sets that agree but for their highest column are joined, so each candidate is made once.
    """
    known = set(alive)
    by_rest: dict[int, list[int]] = {}
    for mask in alive:
        highest = 1 << (mask.bit_length() - 1)
        by_rest.setdefault(mask ^ highest, []).append(highest)
    candidates = []
    for rest, tops in by_rest.items():
        for one, other in combinations(sorted(tops), 2):
            candidate = rest | one | other
            if all(candidate ^ bit in known for bit in bits(rest)):
                candidates.append(candidate)
    return sorted(candidates)


def maximal(masks: Iterable[int]) -> list[int]:
    """Those that are part of no other."""
    kept: list[int] = []
    # A superset has every column of a set, so it is enough to look where the rarest one is.
    having: dict[int, list[int]] = {}
    for mask in sorted(set(masks), key=size, reverse=True):
        rarest = min((having.get(bit, []) for bit in bits(mask)), key=len, default=kept)
        if not any(mask & other == mask for other in rarest):
            kept.append(mask)
            for bit in bits(mask):
                having.setdefault(bit, []).append(mask)
    return kept


def minimal(masks: Iterable[int]) -> list[int]:
    """Those that have no other as a part."""
    kept: list[int] = []
    # A part of a set has its lowest column in it; the empty set has none, and is part of all.
    lowest: dict[int, list[int]] = {}
    for mask in sorted(set(masks), key=size):
        parts = (other for bit in (0, *bits(mask)) for other in lowest.get(bit, ()))
        if not any(mask & other == other for other in parts):
            kept.append(mask)
            lowest.setdefault(mask & -mask, []).append(mask)
    return kept
