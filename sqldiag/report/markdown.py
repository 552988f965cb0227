"""Markdown, for a pull request or a wiki."""

from __future__ import annotations

from sqldiag.answers import Borders, Check, Measurement, Subsets
from sqldiag.report.blocks import Line, Table
from sqldiag.report.sheet import blocks


def to_markdown(answer: Check | Measurement | Borders | Subsets) -> str:
    parts = [_table(b) if isinstance(b, Table) else _line(b) for b in blocks(answer)]
    return "\n\n".join(parts) + "\n"


def _line(line: Line) -> str:
    text = _escaped(line.text)
    return text if line.good is None else f"**{text}**"


def _table(table: Table) -> str:
    rules = ["---:" if i in table.right else "---" for i, _ in enumerate(table.header)]
    title = [f"### {table.title}", ""] if table.title else []
    lines = [_row(table.header), "| " + " | ".join(rules) + " |", *map(_row, table.rows)]
    return "\n".join([*title, *lines])


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(_escaped(cell) for cell in cells) + " |"


def _escaped(text: str) -> str:
    """Names may hold anything: nothing in them is markup, and a line stays a line."""
    for mark in ("\\", "|", "*", "_", "`", "<", "["):
        text = text.replace(mark, "\\" + mark)
    return " ".join(text.splitlines())
