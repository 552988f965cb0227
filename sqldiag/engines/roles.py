"""Roles that a database declares itself: in comments of columns, or in labels of an anonymizer."""

from __future__ import annotations

import re

_COMMENT = re.compile(
    r"\bsqldiag:\s*(quasi[-_ ]identifier|identifier|sensitive|entity|none)\b", re.IGNORECASE
)
# PostgreSQL Anonymizer's words; what is masked may be anything, so that masks say no role.
_LABEL = re.compile(r"\b(quasi|indirect|direct) identifier\b", re.IGNORECASE)


def role_in_comment(text: str) -> str | None:
    """Of ``sqldiag: quasi-identifier``, wherever it stands in the comment."""
    match = _COMMENT.search(text)
    return re.sub("[_ ]", "-", match[1].lower()) if match else None


def role_in_label(text: str) -> str | None:
    match = _LABEL.search(text)
    if match is None:
        return None
    return "identifier" if match[1].lower() == "direct" else "quasi-identifier"
