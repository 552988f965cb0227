"""How to make a column coarser, in words, so that it keeps no more than so many values."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sqldiag.kinds import NUMBERS, Kind
from sqldiag.scan import words
from sqldiag.scan.facts import Facts

# Days in a step, finest first.
_CALENDAR = (
    ("week", 7.0),
    ("month", 30.44),
    ("quarter", 91.3),
    ("year", 365.25),
    ("five years", 1826.0),
    ("decade", 3652.5),
)
_BANDS = (2, 5, 10, 15, 20, 25, 30, 50)
_POSTCODES = frozenset({"zip", "zipcode", "postcode", "postal", "postalcode", "plz", "codepostal"})
_AGES = frozenset({"age", "alter", "edad"})
# More cut points than this are a list that nobody reads.
MOST_CUTS = 20


@dataclass(frozen=True, slots=True)
class Coarser:
    """``bands`` are asked of the database, where quantiles are the way."""

    how: str
    bands: int | None = None


def coarser(facts: Facts, size: float, kept: float) -> Coarser:
    """From ``size`` possible values to ``kept``."""
    if kept >= size:
        return Coarser("as it is")
    whole = round(kept)
    if whole < 2:
        return Coarser("leave it out")
    if facts.kind in (Kind.DATE, Kind.TIME) or facts.looks_like("date") > 0.5:
        return Coarser(_calendar(size, kept))
    if facts.words & _POSTCODES or facts.looks_like("postcode") > 0.5:
        return Coarser(_first_characters(facts, size, kept))
    if facts.words & _AGES and facts.kind in NUMBERS:
        return Coarser(_years(size, kept))
    if facts.kind in NUMBERS:
        return Coarser(
            f"{whole:,} bands of about as many rows each", whole if whole <= MOST_CUTS else None
        )
    if facts.words & words.PLACE:
        return Coarser(f"{whole:,} larger areas or units")
    return Coarser(f"{whole:,} groups of values that belong together")


def _calendar(size: float, kept: float) -> str:
    for step, days in _CALENDAR:
        if size / days <= kept:
            return step
    return f"{round(kept):,} periods"


def _first_characters(facts: Facts, size: float, kept: float) -> str:
    """Every character at the end that goes leaves a tenth of the values."""
    width = facts.max_length or round(math.log10(size))
    left = width - math.ceil(round(math.log10(size / kept), 2))
    if left < 1:
        return f"{round(kept):,} larger areas"
    digits = facts.kind is Kind.WHOLE or facts.looks_like("digits") > 0.5
    unit = "digit" if digits else "character"
    return f"first {left} {unit}s" if left > 1 else f"first {unit}"


def _years(size: float, kept: float) -> str:
    for band in _BANDS:
        if size / band <= kept * 1.001:
            return f"bands of {band} years"
    return f"{round(kept):,} bands"
