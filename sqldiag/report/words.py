"""Numbers and findings in words."""

from __future__ import annotations

import math

from sqldiag.answers import Check, Cost, Measured, Source
from sqldiag.measures import AGGREGATES
from sqldiag.profile import Value
from sqldiag.requirement import shown

_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_ENGINES = {"duckdb": "DuckDB", "postgres": "Postgres"}


def count(number: int, noun: str = "", plural: str | None = None) -> str:
    """``1,234 rows``, ``1 row``."""
    if not noun:
        return f"{number:,}"
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def crowd(number: int, *, people: bool) -> str:
    return count(number, "person", "people") if people else count(number, "row")


def value(number: Value | None) -> str:
    """Four significant digits are enough for a person."""
    if number is None:
        return ""
    if isinstance(number, int):
        return f"{number:,}"
    if math.isinf(number):
        return "∞"
    if number == int(number) and abs(number) < 1e15:
        return f"{int(number):,}"
    return f"{number:,.4g}" if abs(number) < 1e4 else f"{number:,.0f}"


def percent(share: float) -> str:
    """A share that is not nothing never reads as 0%, and one that is not all never as 100%."""
    points = share * 100
    if 0 < points < 0.01:
        return f"{points:.1g}%"
    if 99.99 < points < 100:
        return "99.99%"
    shown = f"{points:.2f}" if points < 1 or points > 99 else f"{points:.1f}"
    return f"{shown.rstrip('0').rstrip('.')}%"


def diagnosed(source: Source) -> str:
    """What was read: ``patients: 100,000 rows in DuckDB``."""
    people = f" of {crowd(source.entities, people=True)}" if source.entities is not None else ""
    rows = count(source.rows, "row")
    return f"{source.relation}: {rows}{people} in {engine(source.engine)}"


def engine(name: str) -> str:
    return _ENGINES.get(name, name)


def cost(spent: Cost) -> str:
    scans = count(spent.base_scans, "scan")
    statements = count(spent.statements, "statement")
    return f"{statements}, {scans} of the table, {spent.seconds:.2f} s"


def large(number: float) -> str:
    """A number that may be huge: 1,200, 3.4·10¹⁰."""
    if number < 1e7:
        return value(round(number) if number >= 100 else float(f"{number:.3g}"))
    if math.isinf(number):
        return "∞"
    return _scientific(number, 1)


def share(number: float) -> str:
    """A share that may be tiny: 79.4%, 1.47·10⁻⁶."""
    return _scientific(number, 2) if 0 < number < 1e-4 else percent(number)


def _scientific(number: float, digits: int) -> str:
    mantissa, _, exponent = f"{number:.{digits}e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}·10{str(int(exponent)).translate(_RAISED)}"


def allowance(share: float | None) -> str:
    return f", with up to {percent(share)} of the rows suppressed" if share else ""


def under(measure: str, share: float | None) -> str:
    """Which level is meant: ``k``, or ``k under 1%``."""
    return measure if share is None else f"{measure} under {percent(share)}"


def verdict(answer: Check) -> str:
    """The answer in one sentence."""
    what = " and ".join(str(v.requirement) for v in answer.requirements)
    names = ", ".join(answer.quasi_identifiers)
    several = len(answer.requirements) > 1
    if answer.holds:
        return f"{what} {'hold' if several else 'holds'} for {names}{allowance(answer.suppress)}"
    return f"{what} {'do' if several else 'does'} not hold for {names}{allowance(answer.suppress)}"


def remedy(answer: Check) -> str:
    """What suppression would do."""
    if answer.rows_to_suppress == 0:
        return "No row needs to be suppressed."
    rows = count(answer.rows_to_suppress, "row")
    share = percent(answer.suppression_needed)
    if answer.remaining_rows == 0:
        return "No group reaches it: all rows would have to be suppressed."
    rest = count(answer.remaining_rows, "row")
    if answer.holds:
        return f"{rows} ({share}) must be suppressed; {rest} remain."
    return f"Suppress {rows} ({share}), and it holds for the {rest} that remain."


def meaning(measured: Measured, *, people: bool) -> str:
    """What the number means here, in one plain sentence."""
    call, worst = measured.call, measured.worst
    if worst is None:
        return ""
    names = [name for name in call.measure.aggregates if AGGREGATES[name].type == "BIGINT"]
    counts = dict(zip(names, worst.counts, strict=False))
    at_floor = measured.value == call.measure.floor
    if worst.people == 1 and call.column is not None and at_floor:
        return f"someone stands alone, so that their {call.column} is known"
    at_worst = at_floor or math.isinf(measured.value)
    template = call.measure.at_worst if at_worst else call.measure.sentence
    return (template or call.measure.sentence).format(
        **_words(measured, worst.people, people=people),
        **{name: f"{count:,}" for name, count in counts.items()},
    )


def _words(measured: Measured, size: int, *, people: bool) -> dict[str, str]:
    call = measured.call
    number = min(float(measured.value), 700.0)
    named = " or ".join(map(shown, call.values))
    return {
        "one_crowd": crowd(size, people=people),
        "crowd": "people" if people else "rows",
        "column": call.column or "",
        "value": value(measured.value),
        "percent": percent(number),
        "times": value(round(number + 1, 3)),
        "factor": value(round(math.exp(number), 3)),
        "number": value(float(call.number)) if call.number is not None else "",
        "named": f"{call.column} {named}" if named else f"the same {call.column}",
    }
