"""Answers as a person or a program wants to read them: one module per format."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Loaded when there is an answer: `sqldiag --version` should not wait for it.
    from sqldiag.answers import Borders, Check, Measurement, Source, Subsets
    from sqldiag.scanned import Scan, SchemaScan

    Answer = Check | Measurement | Borders | Subsets | Scan | SchemaScan


class Format(str, Enum):  # noqa: UP042 - a str, so that the command line shows its values
    """How an answer is written."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


def render(answer: Answer, form: Format, *, terminal: bool = False, width: int = 100) -> str:
    """The answer as text, ending in a newline; ``terminal`` allows colour and lines."""
    if form is Format.TEXT:
        from sqldiag.report.text import to_text

        return to_text(answer, terminal=terminal, width=width)
    return _writer(form)(answer)


def source_of(answer: Answer) -> Source | None:
    """What was diagnosed; None where that is a whole schema."""
    searched = getattr(answer, "searched", answer)
    source: Source | None = getattr(searched, "source", None)
    return source


def was_cancelled(answer: Answer) -> bool:
    """Whether it says of itself that it was cut short."""
    return bool(getattr(getattr(answer, "searched", None), "cancelled", False))


def _writer(form: Format) -> Callable[[Answer], str]:
    if form is Format.JSON:
        from sqldiag.report.json import to_json

        return to_json
    if form is Format.CSV:
        from sqldiag.report.csv import to_csv

        return to_csv
    from sqldiag.report.markdown import to_markdown

    return to_markdown
