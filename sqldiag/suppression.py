"""How much may be suppressed: an exact share δ of the rows, from ``0.01`` or ``1%``."""

from __future__ import annotations

from fractions import Fraction

from sqldiag.errors import BadInput


def parse_share(text: str | float | Fraction, *, option: str = "--suppress") -> Fraction:
    """The share as exactly the decimal that was written: 0.1 of 10 rows is 1 row."""
    try:
        if isinstance(text, Fraction):
            share = text
        else:
            written = str(text).strip()
            share = Fraction(written.removesuffix("%").strip())
            if written.endswith("%"):
                share /= 100
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"{option} {text!r} is not a share; write 0.01 or 1%") from None
    if not 0 <= share <= 1:
        raise BadInput(f"{option} {text!r} is outside 0 to 1 (0% to 100%)")
    return share


def budget(share: Fraction, rows: int) -> int:
    """⌊δN⌋, the rows that may go."""
    return int(share * rows)
