"""CSV: one line per requirement, measure or point of a curve; every line stands by itself."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from sqldiag.answers import Check, Measurement

Cell = str | int | float | bool | None


def to_csv(answer: Check | Measurement) -> str:
    header, lines = _check(answer) if isinstance(answer, Check) else _measurement(answer)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    for line in lines:
        writer.writerow([_cell(cell) for cell in line])
    return text.getvalue()


def _cell(cell: Cell) -> str | int | float:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return "" if cell is None else cell


Sheet = tuple[Sequence[str], Iterator[Sequence[Cell]]]


def _check(answer: Check) -> Sheet:
    header = (
        "requirement",
        "measure",
        "value",
        "value_suppressed",
        "holds",
        "rows_to_suppress",
        "suppression_needed",
        "remaining_rows",
    )
    return header, _verdicts(answer)


def _verdicts(answer: Check) -> Iterator[Sequence[Cell]]:
    for v in answer.requirements:
        yield (
            str(v.requirement),
            v.measure,
            v.value,
            v.value_suppressed,
            v.holds,
            v.rows_to_suppress,
            v.suppression_needed,
            v.remaining_rows,
        )
    if len(answer.requirements) > 1:
        both = (answer.rows_to_suppress, answer.suppression_needed, answer.remaining_rows)
        yield ("all", None, None, None, answer.holds, *both)


def _measurement(answer: Measurement) -> Sheet:
    if any(measured.curve is not None for measured in answer.measures):
        return ("measure", "value", "suppression_needed"), _curves(answer)
    risk = ("classes", "singletons", "uniqueness", "average_risk", "distinction", "separation")
    if answer.check is not None:
        # What was required is what was asked; levels stand in the same lines.
        return _check(answer.check)
    return ("measure", "value", "value_suppressed", *risk), (
        (m.measure, m.value, m.value_suppressed, *(getattr(answer.risk, name) for name in risk))
        for m in answer.measures
    )


def _curves(answer: Measurement) -> Iterator[Sequence[Cell]]:
    for measured in answer.measures:
        for value, need in measured.curve or ():
            yield (measured.measure, value, need)
