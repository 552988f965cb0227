"""Narrow types for codes and counts, and many codes packed into few numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_WORD_BITS = 62


@dataclass(frozen=True, slots=True)
class Field:
    """Where a column's code lies in the packed keys: a word, and the bits of it."""

    word: int
    mask: int


def fitting(types: Sequence[tuple[int, str]], number: int) -> str:
    """The first type that holds the number."""
    return next((name for limit, name in types if number < limit), "BIGINT")


def fields_for(sizes: Mapping[str, int]) -> dict[str, Field]:
    """Bits for every code, 0 included, in as few words as they fit."""
    fields, word, used = {}, 0, 0
    for name, size in sizes.items():
        width = max(size.bit_length(), 1)
        if used + width > _WORD_BITS:
            word, used = word + 1, 0
        fields[name] = Field(word, ((1 << width) - 1) << used)
        used += width
    return fields
