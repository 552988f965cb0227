"""What a report for people is made of, before it becomes text or Markdown: lines and tables."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence; ``good`` says whether it is good news, where it is news at all."""

    text: str
    good: bool | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """``right`` are the columns that hold numbers."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int]
    title: str = ""


Block = Line | Table
