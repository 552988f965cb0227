"""The trend of each table, for a terminal, and its records for programs."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from sqldiag.history.record import RESULT_COLUMNS, VERDICT_COLUMNS, Record
from sqldiag.report import words
from sqldiag.report.blocks import Block, Line, Table
from sqldiag.report.formats import HistoryFormat
from sqldiag.report.json import Json, number, written
from sqldiag.report.run_json import moment

_BARS = "▁▂▃▄▅▆▇█"
_MARKS = {"holds": "✓", "fails": "✗", "warns": "!", "error": "–"}


def render_history(
    records: Sequence[Record], form: HistoryFormat, *, terminal: bool = False, width: int = 100
) -> str:
    if form is HistoryFormat.JSON:
        return written(
            {
                "schema": 1,
                "command": "history",
                "records": [record_object(record) for record in records],
            }
        )
    if form is HistoryFormat.CSV:
        return _csv(records)
    from sqldiag.report.text import text_of

    return text_of(_blocks(records), terminal=terminal, width=width)


def sparkline(values: Sequence[float | None]) -> str:
    """One bar per value between the least and the most; a gap where there is none."""
    known = [v for v in values if v is not None and math.isfinite(v)]
    least, most = min(known, default=0.0), max(known, default=0.0)
    span = (most - least) or 1.0

    def bar(value: float | None) -> str:
        if value is None:
            return " "
        place = 1.0 if math.isinf(value) else (value - least) / span
        return _BARS[round(place * (len(_BARS) - 1))] if most > least else _BARS[3]

    return "".join(map(bar, values))


def _blocks(records: Sequence[Record]) -> Iterator[Block]:
    if not records:
        yield Line("The history is empty.")
    for name in sorted({record.name for record in records}):
        mine = [record for record in records if record.name == name]
        yield _trend(name, mine)
        yield runs_table(mine)


def _trend(name: str, records: Sequence[Record]) -> Table:
    measures = dict.fromkeys(v.measure for record in records for v in record.verdicts)
    rows = []
    for measure in measures:
        values = [_level(record, measure) for record in records]
        known = [value for value in values if value is not None]
        figures = (words.value(f(known)) for f in (min, max, lambda found: found[-1]))
        rows.append((measure, sparkline(values), *figures))
    header = ("measure", "trend", "least", "most", "now")
    return Table(header, tuple(rows), frozenset({2, 3, 4}), title=name)


def _level(record: Record, measure: str) -> float | None:
    for verdict in record.verdicts:
        if verdict.measure == measure:
            return verdict.level
    return None


def runs_table(records: Sequence[Record], title: str = "") -> Table:
    """A line per run, oldest first."""
    rows = []
    for record in records:
        found = ", ".join(f"{v.measure} = {words.value(v.level)}" for v in record.verdicts)
        rows.append(
            (
                record.taken_at.isoformat(sep=" ", timespec="seconds"),
                f"{_MARKS.get(record.status, '')} {record.status}",
                found or record.error or "",
                "" if record.row_count is None else words.count(record.row_count),
                "" if record.seconds is None else f"{record.seconds:.2f} s",
                record.origin,
            )
        )
    header = ("at (UTC)", "verdict", "found", "rows", "seconds", "by")
    return Table(header, tuple(rows), frozenset({3, 4}), title=title)


def record_object(record: Record) -> Json:
    """The record under the names of its columns."""
    body: Json = {name: getattr(record, name) for name in RESULT_COLUMNS}
    if record.quasi_identifiers is not None:
        body["quasi_identifiers"] = json.loads(record.quasi_identifiers)
    verdicts = [
        {**asdict(v), "value": _number(v.value), "value_suppressed": _number(v.value_suppressed)}
        for v in record.verdicts
    ]
    return {**body, "taken_at": moment(record.taken_at), "verdicts": verdicts}


def _number(value: float | None) -> object:
    """Sizes and counts are kept as real numbers, and are none."""
    if value is None:
        return None
    return int(value) if value.is_integer() else number(value)


def _csv(records: Sequence[Record]) -> str:
    """A line per requirement; one without for a table that could not be checked."""
    own = [column for column in VERDICT_COLUMNS if column not in RESULT_COLUMNS]
    told = [
        column for column in VERDICT_COLUMNS if column in RESULT_COLUMNS and column not in _KEYS
    ]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*RESULT_COLUMNS, *own, *(f"requirement_{column}" for column in told)])
    for record in records:
        head = [_cell(getattr(record, name)) for name in RESULT_COLUMNS]
        for verdict in record.verdicts or (None,):
            writer.writerow([*head, *(_cell(getattr(verdict, c, None)) for c in (*own, *told))])
    return text.getvalue()


_KEYS = ("run", "name")


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value
