"""The printed tables of fixtures/, and the questions of fixtures/expected.toml about them."""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.oracle_measures import M, Number, R

FIXTURES = Path(__file__).parent.parent / "fixtures"


@dataclass(frozen=True)
class Question:
    """One line of the file: `asked` holds its other keys as they stand there."""

    file: str
    qi: tuple[str, ...]
    asked: dict[str, Any]

    def __str__(self) -> str:
        what = self.asked.get("measure") or ",".join(self.asked.get("require", ["risk"]))
        return f"{self.file.removesuffix('.csv')}-{'+'.join(self.qi)}-{what}"


def questions(kind: str) -> list[Question]:
    """All questions of one kind: measures, checks, risks or borders."""
    with (FIXTURES / "expected.toml").open("rb") as file:
        tables = tomllib.load(file)["table"]
    return [
        Question(table["file"], tuple(asked.get("qi", table["qi"])), asked)
        for table in tables
        for asked in table.get(kind, [])
    ]


def read(file: str) -> list[dict[str, object]]:
    """The rows of a table; a column of digits only is one of integers."""
    with (FIXTURES / file).open(newline="") as lines:
        rows: list[dict[str, object]] = [dict(row) for row in csv.DictReader(lines)]
    for column in rows[0]:
        if all(str(row[column]).isdigit() for row in rows):
            for row in rows:
                row[column] = int(str(row[column]))
    return rows


def number(written: str | float) -> Number:
    """ "4/3" is a fraction, "inf" and 1.75 are floats."""
    if isinstance(written, float) or written == "inf":
        return float(written)
    return Fraction(written)


def measure(written: str) -> M:
    """The measure that "alpha(Disease, 'HIV')" names. Only the plain forms of the file."""
    name, _, inside = written.removesuffix(")").partition("(")
    column, *rest = [part.strip() for part in inside.split(",")] if inside else [None]
    if name == "recursive_l":
        return M(name, column, c=Fraction(str(rest[0])))
    return M(name, column, tuple(str(value).strip("'") for value in rest))


def requirement(written: str) -> R:
    """The requirement that "k >= 5" names."""
    left, sign, right = written.rsplit(maxsplit=2)
    asked = measure(left)
    if (sign == ">=") != asked.more_is_safer:
        raise ValueError(f"wrong direction: {written}")
    return R(asked, Fraction(right))
