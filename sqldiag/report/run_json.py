"""A run as JSON: `results`, one entry per table with its `check` object."""

from __future__ import annotations

from datetime import datetime

from sqldiag.outcomes import HOLDS, Drift, Result, Run
from sqldiag.report.json import Json, borders_object, check_object, number


def run_object(run: Run) -> Json:
    return {
        "schema": 1,
        "command": "run",
        "run": run.id,
        "at": moment(run.at),
        "policy": run.policy,
        "policy_hash": run.digest,
        "results": [result_object(result) for result in run.results],
        "holds": all(result.status == HOLDS for result in run.results),
        "exit_code": run.exit_code,
        "problems": list(run.problems),
        "warnings": list(run.warnings),
        "seconds": round(run.seconds, 6),
    }


def result_object(result: Result) -> Json:
    entry = result.entry
    body: Json = {
        "name": entry.name,
        "connection": entry.connection,
        "table": entry.shown,
        "status": result.status,
        "exit_code": result.exit_code,
        "severity": entry.severity,
        "owner": entry.owner,
        "description": entry.description,
        "at": moment(result.at),
        "check": None if result.check is None else check_object(result.check),
        "declared": dict(result.declared),
        "drift": [_drift(drift) for drift in result.drift],
    }
    if result.borders is not None:
        body["borders"] = borders_object(result.borders)
    if result.error is not None:
        body["error"] = result.error
    return body


def moment(at: datetime) -> str:
    return at.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _drift(drift: Drift) -> Json:
    return {
        "measure": drift.measure,
        "before": number(drift.before),
        "now": number(drift.now),
        "since": moment(drift.since),
        "worse": drift.worse,
        "too_much": drift.too_much,
    }
