"""What is sent to a database, and what is known of it afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

Row = tuple[object, ...]


class Kind(Enum):
    """Why a statement is sent."""

    SETUP = "session"
    CATALOGUE = "catalogue"
    ROLLUP = "roll-up"
    DIAGNOSIS = "diagnosis"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """SQL in the engine's dialect, with what it is for.

    One that ``stores`` puts its rows into a temporary table of that name, and answers with their
    number. ``runs_foreign_code``: it reads a view or a query, which may call functions.
    """

    sql: str
    purpose: str
    kind: Kind = Kind.DIAGNOSIS
    reads_base: bool = False
    stores: str | None = None
    runs_foreign_code: bool = False


@dataclass(frozen=True, slots=True)
class Executed:
    """A statement that ran, what was sent for it, and how long it took."""

    statement: Statement
    script: tuple[str, ...]
    seconds: float


Listener = Callable[[Executed], None]


def literal(text: str) -> str:
    """A string constant of standard SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A quoted name of standard SQL."""
    return '"' + name.replace('"', '""') + '"'
