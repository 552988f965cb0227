"""Markdown, for a pull request or a wiki."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqldiag.report.blocks import Block, Line, Table
from sqldiag.report.sheet import blocks

if TYPE_CHECKING:
    from sqldiag.report import Answer


def to_markdown(answer: Answer) -> str:
    return markdown_of(blocks(answer))


def markdown_of(content: Iterable[Block]) -> str:
    parts = [_table(b) if isinstance(b, Table) else _line(b) for b in content]
    return "\n\n".join(parts) + "\n"


def _line(line: Line) -> str:
    if line.verbatim:
        # A block of code: nothing in it is markup, as long as no line of it ends the block.
        return "\n".join(f"    {part}" for part in line.text.strip().splitlines())
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
