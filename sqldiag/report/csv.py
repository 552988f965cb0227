"""CSV: one line per requirement, measure or point of a curve; every line stands by itself."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sqldiag.answers import Borders, Check, Contribution, Measurement, SetFinding, Subsets
from sqldiag.names import join_list
from sqldiag.scanned import ColumnScan, Scan, SchemaScan

if TYPE_CHECKING:
    from sqldiag.report import Answer

Cell = str | int | float | bool | None

_FIGURES = ("rows_to_suppress", "suppression_needed")


def to_csv(answer: Answer) -> str:
    if isinstance(answer, Scan):
        return _sheet(*_scan(answer))
    if isinstance(answer, SchemaScan):
        return _sheet(*_schema(answer))
    if isinstance(answer, Check | Measurement) and answer.examples is not None:
        return _sheet(*_examples(answer))
    if isinstance(answer, Check):
        header, lines = _check(answer)
    elif isinstance(answer, Measurement):
        header, lines = _measurement(answer)
    elif isinstance(answer, Borders):
        header, lines = _borders(answer)
    else:
        header, lines = _subsets(answer)
    return _sheet(header, lines)


def _sheet(header: Sequence[str], lines: Iterable[Sequence[Cell]]) -> str:
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


def _examples(answer: Check | Measurement) -> Sheet:
    """Who asks to see classes gets these, and nothing else fits beside them."""
    header = (*answer.quasi_identifiers, "size", "rows")
    return header, (
        (*(None if v is None else str(v) for v in e.values), e.people, e.rows)
        for e in answer.examples or ()
    )


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
    """Lines of measures, or of their curves; then those of requirements, told by their column."""
    risk = ("classes", "singletons", "uniqueness", "average_risk", "distinction", "separation")
    if any(measured.curve is not None for measured in answer.measures):
        header: tuple[str, ...] = ("measure", "value", "suppression_needed")
        lines = list(_curves(answer))
    else:
        header = ("measure", "value", "value_suppressed", *risk)
        figures = [getattr(answer.risk, name) for name in risk]
        lines = [(m.measure, m.value, m.value_suppressed, *figures) for m in answer.measures]
    sheets: list[Sheet] = [(header, iter(lines))]
    if answer.check is not None:
        sheets.append(_check(answer.check))
    if answer.contributions is not None:
        sheets.append(_contributions(answer.contributions))
    return sheets[0] if len(sheets) == 1 else _together(sheets)


def _together(sheets: Sequence[Sheet]) -> Sheet:
    """Sheets under one another; what a line does not speak of is empty in it."""
    names = tuple(dict.fromkeys(name for header, _ in sheets for name in header))
    told = (dict(zip(header, line, strict=True)) for header, lines in sheets for line in lines)
    return names, (tuple(line.get(name) for name in names) for line in told)


def _contributions(contributions: Sequence[Contribution]) -> Sheet:
    """A line per column, part and measure."""
    risk = ("classes", "singletons", "uniqueness", "average_risk", "distinction")
    header = ("column", "part", "measure", "value", "value_suppressed", *_FIGURES, *risk)
    parts = (
        (contribution.column, part, found)
        for contribution in contributions
        for part, found in (("without", contribution.without), ("alone", contribution.alone))
        if found is not None
    )
    return header, (
        (
            column,
            part,
            level.measure,
            level.value,
            level.value_suppressed,
            found.rows_to_suppress,
            found.suppression_needed,
            *(getattr(found.risk, name) for name in risk),
        )
        for column, part, found in parts
        for level in found.levels
    )


def _curves(answer: Measurement) -> Iterator[Sequence[Cell]]:
    for measured in answer.measures:
        for value, need in measured.curve or ():
            yield (measured.measure, value, need)


def _borders(answer: Borders) -> Sheet:
    sides = (("safe", answer.safe), ("unsafe", answer.unsafe))
    header = ("border", "quasi_identifiers", "columns", *_FIGURES, "classes", "uniqueness")
    return header, ((name, *_set(found)) for name, side in sides for found in side)


def _set(found: SetFinding) -> Sequence[Cell]:
    """The columns as --qi takes them, so that a line can be pasted into `check`."""
    risk = found.risk
    return (
        join_list(found.quasi_identifiers),
        len(found.quasi_identifiers),
        found.rows_to_suppress,
        found.suppression_needed,
        None if risk is None else risk.classes,
        None if risk is None else risk.uniqueness,
    )


def _subsets(answer: Subsets) -> Sheet:
    curves = any(level.curve is not None for found in answer.sets for level in found.levels)
    if curves:
        return ("quasi_identifiers", "measure", "value", "suppression_needed"), (
            (join_list(found.quasi_identifiers), level.measure, value, need)
            for found in answer.sets
            for level in found.levels
            for value, need in level.curve or ()
        )
    figures = ("quasi_identifiers", "columns", *_FIGURES, "classes", "uniqueness")
    header = ("measure", "value", "value_suppressed", *figures, "inferred")
    return header, (
        (level.measure, level.value, level.value_suppressed, *_set(found), found.inferred)
        for found in answer.sets
        for level in found.levels
    )


_COLUMN = (
    "column",
    "type",
    "nulls",
    "distinct",
    "distinct_is_exact",
    "most_frequent_share",
    "singletons",
    "entropy",
    "role",
    "suggested_role",
    "declared_role",
    "reason",
)
_SET = ("quasi_identifiers", "uniqueness", "domain", "population_uniqueness", "population_k")
_K_MAP = ("k_map", "one_match_rows", "unmatched_classes", "unmatched_rows")


def _scan(answer: Scan) -> Sheet:
    """Lines of columns, then those of sets, told by their first cell."""
    header = (*_COLUMN, *_SET, *(_K_MAP if answer.population.table is not None else ()))
    return header, _scanned(answer, len(header))


def _scanned(answer: Scan, width: int) -> Iterator[Sequence[Cell]]:
    for column in answer.columns:
        line = _column(column)
        yield (*line, *[None] * (width - len(line)))
    for found in answer.sets:
        head: list[Cell] = [None] * len(_COLUMN)
        head[_COLUMN.index("singletons")] = found.singletons
        figures = (found.uniqueness, found.domain, found.population_uniqueness, found.population_k)
        k = found.k_map
        mapped = () if k is None else (k.k, k.one_match_rows, k.unmatched_classes, k.unmatched_rows)
        yield (*head, join_list(found.quasi_identifiers), *figures, *mapped)


def _schema(answer: SchemaScan) -> Sheet:
    return ("table", "rows", *_COLUMN), (
        (one.source.relation, one.source.rows, *_column(column))
        for one in answer.tables
        for column in one.columns
    )


def _column(column: ColumnScan) -> Sequence[Cell]:
    facts = column.facts
    return (
        facts.name,
        facts.type,
        facts.nulls,
        facts.distinct,
        facts.distinct_is_exact,
        facts.top_share,
        facts.singletons,
        facts.entropy,
        column.role,
        column.suggestion.role.value,
        column.declared_role,
        column.suggestion.reason,
    )
