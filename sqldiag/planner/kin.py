"""Which sets to answer together: those that do without the same columns share the most work.

A statement first groups by all columns that its sets have between them, and then by each set. The
fewer columns and the fewer values these have, the less is left to group again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import and_

from sqldiag import lattice

# Up to so many columns, sets are told apart by the columns of most values; beyond, by blocks.
_FEW_COLUMNS = 16
# The columns of a statement's sets, where there are many columns: three blocks of four.
_STATEMENT_COLUMNS = 12
# Kin of fewer sets on average are not worth it.
_WORTH = 4


def batches(
    masks: Sequence[int], values: Sequence[int], *, together: int, most: int, most_columns: int
) -> list[list[int]]:
    """``values`` are the columns' numbers of values; about ``together`` sets share a statement, at
    most ``most`` of at most ``most_columns`` columns."""
    alike = _likeness(masks, values, together)
    grouped: dict[int, list[int]] = {}
    for mask in masks:
        grouped.setdefault(alike(mask), []).append(mask)
    if len(grouped) * _WORTH > len(masks):
        # Too little kinship to be worth a statement each.
        grouped = {0: list(masks)}
    return [
        piece
        for number in sorted(grouped, reverse=True)
        for piece in _pieces(grouped[number], most, most_columns)
    ]


def shared_out(
    batches: Sequence[Sequence[int]],
    values: Sequence[int],
    *,
    weight: Callable[[int], float],
    lanes: int,
) -> list[list[int]]:
    """So that none of several lanes is still at work when all others are through: a batch of more
    than a lane's share of the weight is halved, and halved again."""
    weights = {mask: weight(mask) for batch in batches for mask in batch}
    share = sum(weights.values()) / lanes

    def pieces(batch: Sequence[int]) -> list[list[int]]:
        if lanes < 2 or len(batch) < 2 or sum(weights[mask] for mask in batch) <= share:
            return [list(batch)]
        return [piece for half in _halves(batch, values) for piece in pieces(half)]

    return [piece for batch in batches for piece in pieces(batch)]


def union(masks: Iterable[int]) -> int:
    everything = 0
    for mask in masks:
        everything |= mask
    return everything


def _likeness(masks: Sequence[int], values: Sequence[int], together: int) -> Callable[[int], int]:
    """What sets of one batch have in common, as a number."""
    members = lattice.positions(union(masks))
    heavy = sorted(members, key=lambda position: -values[position])
    if len(members) <= _FEW_COLUMNS:
        telling = (-(-len(masks) // together) - 1).bit_length()
        chosen = lattice.of(heavy[:telling])
        return lambda mask: mask & chosen
    largest = max(lattice.size(mask) for mask in masks)
    width = max(_STATEMENT_COLUMNS // largest, 1)
    block = {position: rank // width for rank, position in enumerate(heavy)}
    return lambda mask: union(1 << block[position] for position in lattice.positions(mask))


def _halves(masks: Sequence[int], values: Sequence[int]) -> tuple[list[int], list[int]]:
    """Those with, and those without, the column of most values that only some of them have."""
    telling = union(masks) & ~reduce(and_, masks)
    column = max(lattice.positions(telling), key=lambda position: values[position])
    halves: tuple[list[int], list[int]] = ([], [])
    for mask in masks:
        halves[not mask >> column & 1].append(mask)
    return halves


def _pieces(masks: Sequence[int], most: int, most_columns: int) -> list[list[int]]:
    pieces: list[list[int]] = []
    columns = 0
    for mask in masks:
        columns |= mask
        if not pieces or len(pieces[-1]) >= most or lattice.size(columns) > most_columns:
            pieces.append([])
            columns = mask
        pieces[-1].append(mask)
    return pieces
