"""What each column adds, as tables: one per measure, the figures of the sets beside the first."""

from __future__ import annotations

from collections.abc import Iterator

from sqldiag.answers import Measurement, SetFinding
from sqldiag.report import words
from sqldiag.report.blocks import Table

NOTHING = "–"


def contribution_tables(answer: Measurement) -> Iterator[Table]:
    if answer.contributions is None:
        return
    required = answer.check is not None
    for number, measured in enumerate(answer.measures):
        first = number == 0
        level = words.under(measured.measure, answer.suppress)
        header = _header(level, first=first, required=required)
        rows = [
            (
                contribution.column,
                *_figures(contribution.without, number, first=first, required=required),
                *_figures(contribution.alone, number, first=first, required=required),
            )
            for contribution in answer.contributions
        ]
        title = "what each column adds" if first else f"{measured.measure}, column by column"
        yield Table(header, tuple(rows), frozenset(range(1, len(header))), title=title)


def _header(measure: str, *, first: bool, required: bool) -> tuple[str, ...]:
    names = [measure, *(["unique"] if first else []), *(["suppress"] if first and required else [])]
    return ("column", *(f"{name} {part}" for part in ("without it", "alone") for name in names))


def _figures(
    found: SetFinding | None, number: int, *, first: bool, required: bool
) -> tuple[str, ...]:
    if found is None:
        return (NOTHING,) * (1 + first + (first and required))
    level = found.levels[number]
    shown = [words.value(level.value if level.value_suppressed is None else level.value_suppressed)]
    if first and found.risk is not None:
        shown.append(words.percent(found.risk.uniqueness))
    if first and required:
        shown.append(words.percent(found.suppression_needed or 0))
    return tuple(shown)
