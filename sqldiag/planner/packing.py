"""Many codes packed into few numbers, and types just wide enough."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

# What a signed number holds: one INT for all codes where they fit, else BIGINT words.
_SMALL_BITS, _LARGE_BITS = 31, 62


@dataclass(frozen=True, slots=True)
class Field:
    """Where a column's code lies in the packed keys: a word, and the bits of it.

    Codes count from ``first``; the bits are all 0 for NULL, where the column has any.
    """

    word: int
    mask: int
    first: int

    @property
    def unit(self) -> int:
        return self.mask & -self.mask


@dataclass(frozen=True, slots=True)
class Packing:
    """The fields of all columns, and the type of the words that hold them."""

    fields: Mapping[str, Field]
    type: str

    @property
    def words(self) -> list[int]:
        return sorted({field.word for field in self.fields.values()})


def fitting(types: Sequence[tuple[int, str]], number: int) -> str:
    """The first type that holds the number."""
    return next((name for limit, name in types if number < limit), "BIGINT")


def pack(sizes: Mapping[str, int], *, nullable: Collection[str]) -> Packing:
    """Bits for the codes 1 to its size of every column, in as few words as they fit."""
    widths = {
        name: max((size - (name not in nullable)).bit_length(), 1) for name, size in sizes.items()
    }
    small = sum(widths.values()) <= _SMALL_BITS
    fields, word, used = {}, 0, 0
    for name, width in widths.items():
        if used + width > (_SMALL_BITS if small else _LARGE_BITS):
            word, used = word + 1, 0
        fields[name] = Field(word, ((1 << width) - 1) << used, 0 if name in nullable else 1)
        used += width
    return Packing(fields, "INT" if small else "BIGINT")
