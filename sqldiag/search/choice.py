"""The strategies that a user may name."""

from __future__ import annotations

from enum import Enum


class Choice(str, Enum):  # noqa: UP042 - a str, so that the command line shows its values
    """How to search; every strategy finds the same borders."""

    AUTO = "auto"
    APRIORI = "apriori"
