"""How runs, histories and jobs can be written: all that the command line needs to offer it."""

from __future__ import annotations

from enum import Enum


class RunFormat(str, Enum):  # noqa: UP042 - a str, so that the command line shows its values
    """How a run is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    JUNIT = "junit"
    SARIF = "sarif"


class HistoryFormat(str, Enum):  # noqa: UP042 - a str, so that the command line shows its values
    """How a history is written."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"


class JobFormat(str, Enum):  # noqa: UP042 - a str, so that the command line shows its values
    """How jobs are written."""

    TEXT = "text"
    JSON = "json"
