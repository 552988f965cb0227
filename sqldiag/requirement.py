"""The requirement language: ``k >= 5``, ``recursive_l(diagnosis, 3) >= 2``."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Context, Decimal, Inexact
from fractions import Fraction

from sqldiag.errors import BadInput, nearest
from sqldiag.measure import Call, Direction, Measure, Takes
from sqldiag.measures import MEASURES, distinct_of
from sqldiag.names import quoted

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?(?![\w.]))
      | (?P<name>[^\W\d]\w*)
      | (?P<quoted>"(?:[^"]|"")+")
      | (?P<string>'(?:[^']|'')*')
      | (?P<operator><=|>=|≤|≥|==|!=|<>|<|>|=)
      | (?P<mark>[(),])
      | (?P<other>\S)
    )""",
    re.VERBOSE,
)
# So many characters show the place of a mistake.
_SHOWN = 60
# What a database can count and compare; nobody means more.
_LONGEST_NUMBER = 64
_SMALLEST, _LARGEST, _TOO_LARGE = Fraction("1e-30"), Fraction("1e30"), Fraction("1e31")
_DECIMAL = Context(prec=2 * _LONGEST_NUMBER, traps=[Inexact])
_OPERATORS = {">=": Direction.MORE, "≥": Direction.MORE, "<=": Direction.LESS, "≤": Direction.LESS}


@dataclass(frozen=True, slots=True)
class Requirement:
    """A measure and the threshold it must reach."""

    call: Call
    threshold: Fraction
    text: str

    def __str__(self) -> str:
        return self.text


def bound(requirement: Requirement, *, suppressed: bool, entity: bool) -> Requirement | None:
    """What a search may prune by: a set that misses this misses the requirement, and so does every
    superset. None where nothing of the kind is proved; the requirement itself where it is."""
    call = requirement.call
    law = call.measure.pruning
    if (law.suppressed if suppressed else law.strict) and (law.entity or not entity):
        return requirement
    if not law.through_distinct or call.column is None:
        return None
    distinct = distinct_of(call, quoted(call.column))
    least = Fraction(math.ceil(requirement.threshold))
    return Requirement(distinct, least, f"{distinct} >= {least}")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


class _Reader:
    """Reads tokens one by one and points at the place where something else was expected."""

    def __init__(self, text: str, *, what: str) -> None:
        self.text = text
        self.what = what
        self.tokens = [
            _Token(
                match.lastgroup or "",
                match[match.lastgroup or 0],
                match.start(match.lastgroup or 0),
            )
            for match in _TOKEN.finditer(text)
        ]
        self.position = 0

    @property
    def current(self) -> _Token:
        if self.position < len(self.tokens):
            return self.tokens[self.position]
        return _Token("end", "", len(self.text))

    def take(self, kind: str, text: str | None = None) -> _Token | None:
        token = self.current
        if token.kind == kind and text in (None, token.text):
            self.position += 1
            return token
        return None

    def fail(self, expected: str, token: _Token | None = None) -> BadInput:
        token = token or self.current
        found = f"found {token.text[:_SHOWN]}" if token.text else "it ends there"
        before, after = self.text[: token.at][-_SHOWN:], self.text[token.at :][:_SHOWN]
        return BadInput(
            f"{self.what}: expected {expected} at character {token.at + 1}, {found}: "
            f"{before}▸{after}"
        )


def parse_requirement(text: str) -> Requirement:
    """``measure >= number`` where more is safer, ``measure <= number`` where less is."""
    reader = _Reader(text, what="requirement")
    call = _call(reader)
    operator = reader.take("operator")
    direction = call.measure.direction
    if operator is None or operator.text not in _OPERATORS:
        raise reader.fail(f"{direction.value} and a number", operator)
    if _OPERATORS[operator.text] is not direction:
        raise BadInput(_wrong_direction(text, call, direction))
    threshold = _number(reader, "a number")
    if reader.current.kind != "end":
        raise reader.fail("nothing more")
    if threshold < 0:
        raise BadInput(f"requirement {text!r}: a threshold cannot be negative")
    return Requirement(call, threshold, f"{call} {direction.value} {plain(threshold)}")


def parse_measure(text: str) -> Call:
    """A measure without a threshold, as ``--measure`` takes it."""
    reader = _Reader(text, what="measure")
    call = _call(reader)
    if reader.current.kind != "end":
        hint = "nothing more (a threshold goes to --require)"
        raise reader.fail(hint if reader.current.kind == "operator" else "nothing more")
    return call


def plain(number: Fraction) -> str:
    """A decimal number as a person writes it, to its last digit: 5, 0.4."""
    exact = _DECIMAL.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{exact.normalize(_DECIMAL):f}"


def _wrong_direction(text: str, call: Call, direction: Direction) -> str:
    safer = "more" if direction is Direction.MORE else "less"
    return (
        f"requirement {text!r}: for {call.measure.name}, {safer} is safer, so write {call} "
        f"{direction.value} …; the sets that miss it are the unsafe border of that"
    )


def _call(reader: _Reader) -> Call:
    name = reader.take("name")
    if name is None:
        raise reader.fail(f"a measure ({', '.join(MEASURES)})")
    measure = MEASURES.get(name.text.lower())
    if measure is None:
        raise BadInput(
            f"{reader.what} {reader.text!r}: there is no measure {name.text}"
            f"{nearest(name.text, MEASURES)}"
        )
    if measure.takes is Takes.NOTHING:
        if reader.take("mark", "(") and not reader.take("mark", ")"):
            raise reader.fail(f"), for {measure.name} takes no column")
        return Call(measure, text=measure.name)
    if not reader.take("mark", "("):
        raise reader.fail(f"( and {measure.takes.value}")
    column = _column(reader)
    call = _arguments(reader, measure, column)
    if not reader.take("mark", ")"):
        raise reader.fail(")")
    return call


def _column(reader: _Reader) -> str:
    token = reader.take("name") or reader.take("quoted")
    if token is None:
        raise reader.fail('a column (in "double quotes" unless it is a plain word)')
    if token.kind == "quoted":
        return token.text[1:-1].replace('""', '"')
    return token.text


def _arguments(reader: _Reader, measure: Measure, column: str) -> Call:
    head = f"{measure.name}({quoted(column)}"
    if measure.takes is Takes.COLUMN_AND_NUMBER:
        if not reader.take("mark", ","):
            raise reader.fail(f", and the number c, as in {head}, 3)")
        number = _number(reader, "the number c")
        if number <= 0:
            raise BadInput(f"{reader.what} {reader.text!r}: c must be above 0")
        return Call(measure, column, number=number, text=f"{head}, {plain(number)})")
    values: list[str | Fraction | None] = []
    while measure.takes is Takes.COLUMN_AND_VALUES and reader.take("mark", ","):
        values.append(_value(reader))
    listed = "".join(f", {shown(value)}" for value in values)
    return Call(measure, column, values=tuple(values), text=f"{head}{listed})")


def _value(reader: _Reader) -> str | Fraction | None:
    if string := reader.take("string"):
        return string.text[1:-1].replace("''", "'")
    if (word := reader.current).kind == "name" and word.text.lower() == "null":
        reader.position += 1
        return None
    return _number(reader, "a value in 'single quotes', a number or NULL")


def shown(value: str | Fraction | None) -> str:
    """A value as it stands in a measure."""
    if value is None:
        return "NULL"
    return plain(value) if isinstance(value, Fraction) else "'" + value.replace("'", "''") + "'"


def _number(reader: _Reader, expected: str) -> Fraction:
    token = reader.take("number")
    if token is None:
        raise reader.fail(expected)
    number = Fraction(token.text) if len(token.text) <= _LONGEST_NUMBER else _TOO_LARGE
    in_range = not number or _SMALLEST <= abs(number) <= _LARGEST
    if not in_range or len(plain(number)) > _LONGEST_NUMBER:
        limits = f"between 1e-30 and 1e30 and of at most {_LONGEST_NUMBER} digits"
        raise reader.fail(f"a number {limits}", token)
    return number
