"""JSON: one object, stable keys; new ones may be added."""

from __future__ import annotations

import json
import math
import re
from dataclasses import asdict
from typing import TYPE_CHECKING

from sqldiag.answers import (
    Borders,
    Check,
    Cost,
    Curve,
    Example,
    Measured,
    Measurement,
    Searched,
    SetFinding,
    Source,
    Subsets,
    Verdict,
)
from sqldiag.profile import Value
from sqldiag.report.scan_json import scan_object, schema_object
from sqldiag.requirement import Requirement
from sqldiag.scanned import Scan, SchemaScan

if TYPE_CHECKING:
    from sqldiag.report import Answer

Json = dict[str, object]


def to_json(answer: Answer) -> str:
    if isinstance(answer, Scan):
        body = scan_object(answer)
    elif isinstance(answer, SchemaScan):
        body = schema_object(answer)
    elif isinstance(answer, Check):
        body = check_object(answer)
    elif isinstance(answer, Measurement):
        body = measure_object(answer)
    elif isinstance(answer, Borders):
        body = borders_object(answer)
    else:
        body = subsets_object(answer)
    return written(body)


def written(body: Json) -> str:
    text = json.dumps(body, indent=2, ensure_ascii=False, allow_nan=False)
    # A list of plain values stands on one line. Within a string, a line never ends.
    return re.sub(r"\[\n\s+([^\[\]{}]*?)\n\s+\]", _one_line, text) + "\n"


def _one_line(found: re.Match[str]) -> str:
    return "[" + re.sub(r"\n\s+", " ", found[1]) + "]"


def check_object(answer: Check) -> Json:
    head = _head("check", answer)
    return {**head, **_verdicts(answer), **_examples(answer), "cost": _cost(answer.cost)}


def measure_object(answer: Measurement) -> Json:
    return {
        **_head("measure", answer),
        "measures": [_measured(measured) for measured in answer.measures],
        **asdict(answer.risk),
        **(_verdicts(answer.check) if answer.check is not None else {}),
        **_contributions(answer),
        **_examples(answer),
        "cost": _cost(answer.cost),
    }


def borders_object(answer: Borders) -> Json:
    return {
        **_searched("borders", answer.searched, answer.requirements),
        "safe": [list(found.quasi_identifiers) for found in answer.safe],
        "unsafe": [list(found.quasi_identifiers) for found in answer.unsafe],
        **_how(answer.searched),
        "details": {
            "safe": [_set(found) for found in answer.safe],
            "unsafe": [_set(found) for found in answer.unsafe],
        },
        "cost": _cost(answer.searched.cost),
    }


def subsets_object(answer: Subsets) -> Json:
    return {
        **_searched("subsets", answer.searched, answer.requirements),
        "measures": [str(call) for call in answer.measures],
        "sets": [_set(found) for found in answer.sets],
        **_how(answer.searched),
        "cost": _cost(answer.searched.cost),
    }


def _searched(command: str, searched: Searched, requirements: tuple[Requirement, ...]) -> Json:
    return {
        "schema": 1,
        "command": command,
        "source": source_object(searched.source),
        "warnings": list(searched.source.warnings),
        "columns": list(searched.columns),
        "identifiers": list(searched.identifiers),
        "sensitive": list(searched.sensitive),
        "entity": searched.entity,
        "suppress": searched.suppress or 0,
        "max_size": searched.max_size,
        "requirements": [str(requirement) for requirement in requirements],
    }


def _how(searched: Searched) -> Json:
    return {
        "complete": searched.complete,
        "cancelled": searched.cancelled,
        "strategy": searched.strategy,
        "notes": list(searched.notes),
    }


def _contributions(answer: Measurement) -> Json:
    if answer.contributions is None:
        return {}
    return {
        "contributions": [
            {
                "column": contribution.column,
                "without": None if contribution.without is None else _part(contribution.without),
                "alone": _part(contribution.alone),
            }
            for contribution in answer.contributions
        ]
    }


def _part(found: SetFinding) -> Json:
    """A part of a set was always looked at."""
    return {key: value for key, value in _set(found).items() if key != "inferred"}


def _set(found: SetFinding) -> Json:
    body: Json = {"quasi_identifiers": list(found.quasi_identifiers)}
    if found.levels:
        body |= _level(found.levels[0])
    if found.suppression_needed is not None:
        body["rows_to_suppress"] = found.rows_to_suppress
        body["suppression_needed"] = found.suppression_needed
    if found.risk is not None:
        body |= {name: value for name, value in asdict(found.risk).items() if value is not None}
        body["null_rows"] = found.null_rows
    if len(found.levels) > 1:
        body["measures"] = [_measured(level) for level in found.levels]
    body["inferred"] = found.inferred
    return body


def _level(level: Measured) -> Json:
    return {key: value for key, value in _measured(level).items() if key != "measure"}


def _head(command: str, answer: Check | Measurement) -> Json:
    return {
        "schema": 1,
        "command": command,
        "source": source_object(answer.source),
        "warnings": list(answer.source.warnings),
        "quasi_identifiers": list(answer.quasi_identifiers),
        "sensitive": list(answer.sensitive),
        "entity": answer.entity,
        "suppress": answer.suppress or 0,
    }


def _cost(cost: Cost) -> Json:
    return {**asdict(cost), "seconds": round(cost.seconds, 6)}


def source_object(source: Source) -> Json:
    return {name: value for name, value in asdict(source).items() if name != "warnings"}


def number(value: Value) -> object:
    """JSON has no infinity."""
    return "inf" if math.isinf(value) else value


def curve_points(curve: Curve) -> list[list[object]]:
    return [[number(value), need] for value, need in curve]


def _verdicts(answer: Check) -> Json:
    return {
        "requirements": [_verdict(verdict) for verdict in answer.requirements],
        "holds": answer.holds,
        "rows_to_suppress": answer.rows_to_suppress,
        "suppression_needed": answer.suppression_needed,
        "remaining_rows": answer.remaining_rows,
    }


def _verdict(verdict: Verdict) -> Json:
    body: Json = {
        "requirement": str(verdict.requirement),
        "measure": verdict.measure,
        "value": number(verdict.value),
    }
    if verdict.value_suppressed is not None:
        body["value_suppressed"] = number(verdict.value_suppressed)
    return body | {
        "holds": verdict.holds,
        "rows_to_suppress": verdict.rows_to_suppress,
        "suppression_needed": verdict.suppression_needed,
        "remaining_rows": verdict.remaining_rows,
    }


def _measured(measured: Measured) -> Json:
    body: Json = {"measure": measured.measure, "value": number(measured.value)}
    if measured.value_suppressed is not None:
        body["value_suppressed"] = number(measured.value_suppressed)
    if measured.curve is not None:
        body["curve"] = curve_points(measured.curve)
    return body


def _examples(answer: Check | Measurement) -> Json:
    if answer.examples is None:
        return {}
    return {"examples": [_example(answer.quasi_identifiers, e) for e in answer.examples]}


def _example(names: tuple[str, ...], example: Example) -> Json:
    values = {name: _plain(value) for name, value in zip(names, example.values, strict=True)}
    return {"values": values, "size": example.people, "rows": example.rows}


def _plain(value: object) -> object:
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return str(value)
