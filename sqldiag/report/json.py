"""JSON: one object, stable keys; new ones may be added."""

from __future__ import annotations

import json
import math
from dataclasses import asdict

from sqldiag.answers import Check, Curve, Example, Measured, Measurement, Source, Verdict
from sqldiag.profile import Value

Json = dict[str, object]


def to_json(answer: Check | Measurement) -> str:
    body = check_object(answer) if isinstance(answer, Check) else measure_object(answer)
    return json.dumps(body, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def check_object(answer: Check) -> Json:
    head = _head("check", answer)
    return {**head, **_verdicts(answer), **_examples(answer), "cost": asdict(answer.cost)}


def measure_object(answer: Measurement) -> Json:
    return {
        **_head("measure", answer),
        "measures": [_measured(measured) for measured in answer.measures],
        **asdict(answer.risk),
        **(_verdicts(answer.check) if answer.check is not None else {}),
        **_examples(answer),
        "cost": asdict(answer.cost),
    }


def _head(command: str, answer: Check | Measurement) -> Json:
    return {
        "schema": 1,
        "command": command,
        "source": source_object(answer.source),
        "quasi_identifiers": list(answer.quasi_identifiers),
        "sensitive": list(answer.sensitive),
        "entity": answer.entity,
        "suppress": answer.suppress or 0,
    }


def source_object(source: Source) -> Json:
    return asdict(source)


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
