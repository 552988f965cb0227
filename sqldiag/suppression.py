"""How much may be suppressed: an exact share δ of the rows, from ``0.01`` or ``1%``."""

from __future__ import annotations

import re
from fractions import Fraction

from sqldiag.errors import BadInput

# A decimal or a fraction of whole numbers; the exponents are those that a share may have.
_SHARE = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE]-?\d{1,3})?|\d+/\d+)\s*(%?)", re.ASCII)

# A database multiplies rows by this, in 38 digits.
_FINEST = 10**18


def parse_share(text: str | float | Fraction, *, option: str = "--suppress") -> Fraction:
    """The share as exactly the decimal that was written: 0.1 of 10 rows is 1 row."""
    share = text if isinstance(text, Fraction) else _read(str(text))
    if share is None:
        raise BadInput(f"{option} {text!r} is not a share; write 0.01 or 1%")
    if not 0 <= share <= 1:
        raise BadInput(f"{option} {text!r} is outside 0 to 1 (0% to 100%)")
    if share.denominator > _FINEST:
        raise BadInput(f"{option} {text!r} is finer than any table has rows; 18 digits are enough")
    return share


def _read(text: str) -> Fraction | None:
    match = _SHARE.fullmatch(text.strip())
    if match is None:
        return None
    try:
        return Fraction(match[1]) / (100 if match[2] else 1)
    except (ValueError, ZeroDivisionError):
        # Python reads no number of more than 4300 digits, and nothing is a share of 0.
        return None


def budget(share: Fraction, rows: int) -> int:
    """⌊δN⌋, the rows that may go."""
    return int(share * rows)
