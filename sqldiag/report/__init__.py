"""Answers as a person or a program wants to read them: one module per format."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from sqldiag.answers import Borders, Check, Measurement, Source, Subsets

Answer = Check | Measurement | Borders | Subsets


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


def source_of(answer: Answer) -> Source:
    return answer.searched.source if isinstance(answer, Borders | Subsets) else answer.source


def was_cancelled(answer: Answer) -> bool:
    """Whether it says of itself that it was cut short."""
    return isinstance(answer, Borders | Subsets) and answer.searched.cancelled


def _writer(form: Format) -> Callable[[Answer], str]:
    if form is Format.JSON:
        from sqldiag.report.json import to_json

        return to_json
    if form is Format.CSV:
        from sqldiag.report.csv import to_csv

        return to_csv
    from sqldiag.report.markdown import to_markdown

    return to_markdown
