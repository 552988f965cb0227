"""The one family of errors that a user may see.

Each carries a sentence that says what was wrong and what to do. It never holds a password or a
value of a row; the SQL behind it, if any, is an attribute for ``--verbose``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SqldiagError(Exception):
    """Anything sqldiag refuses or fails to do."""

    exit_code = 3

    def __init__(self, sentence: str, *, sql: str | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.sql = sql


class BadInput(SqldiagError):
    """The question cannot be asked: usage, an unknown name, a malformed requirement."""

    exit_code = 2


class Ungroupable(BadInput):
    """A column has a type that the database cannot group or order."""


class Empty(BadInput):
    """There is no row to diagnose."""


class CannotRun(SqldiagError):
    """The question is fine but could not be answered: no connection, no permission, cut short."""

    exit_code = 3


class Cancelled(CannotRun):
    """Someone pressed Ctrl-C, or asked the process to stop."""


def nearest(name: str, names: Iterable[str]) -> str:
    """'; did you mean …?' with the nearest names, or the names themselves when there are few."""
    known = list(dict.fromkeys(names))
    folded = {known_name.casefold(): known_name for known_name in reversed(known)}
    close = [
        folded[match]
        for match in difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.6)
    ]
    if close:
        return f"; did you mean {' or '.join(close)}?"
    if 0 < len(known) <= 12:
        return f"; there are: {', '.join(known)}"
    return ""
