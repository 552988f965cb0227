"""Text: a rich table on a terminal, plain when piped."""

from __future__ import annotations

import io

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from sqldiag.answers import Borders, Check, Measurement, Subsets
from sqldiag.report.blocks import Line, Table
from sqldiag.report.sheet import blocks

# What is piped has lines as long as they are.
_PIPED_WIDTH = 1_000_000


def to_text(answer: Check | Measurement | Borders | Subsets, *, terminal: bool, width: int) -> str:
    out = io.StringIO()
    console = Console(
        file=out,
        force_terminal=terminal,
        no_color=not terminal or None,
        width=width if terminal else _PIPED_WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for number, block in enumerate(blocks(answer)):
        # A table stands apart from what is around it; a verdict from what is before it.
        if number and (isinstance(block, Table) or block.good is not None):
            console.print()
        if isinstance(block, Line):
            console.print(_line(block))
        else:
            if block.title:
                console.print(Text(block.title, style="bold"))
            console.print(_table(block, terminal=terminal))
            console.print()
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    once = [line for i, line in enumerate(lines) if line or (i and lines[i - 1])]
    return "\n".join(once).strip("\n") + "\n"


def _line(line: Line) -> Text:
    if line.good is None:
        return Text(_safe(line.text))
    return Text(_safe(line.text), style="bold green" if line.good else "bold red")


def _table(table: Table, *, terminal: bool) -> RichTable:
    shape = box.SIMPLE_HEAD if terminal else None
    rich = RichTable(box=shape, pad_edge=False, padding=(0, 2, 0, 0))
    for i, name in enumerate(table.header):
        rich.add_column(Text(_safe(name)), justify="right" if i in table.right else "left")
    for row in table.rows:
        rich.add_row(*(Text(_safe(cell)) for cell in row))
    return rich


def _safe(text: str) -> str:
    """A name may hold control characters: none reaches the terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
