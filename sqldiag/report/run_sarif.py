"""SARIF 2.1.0, which code hosts show beside the policy file."""

from __future__ import annotations

from sqldiag.outcomes import ERROR, FAILS, Result, Run
from sqldiag.report.json import Json
from sqldiag.report.run_words import broken

_RULES = {
    "requirement": "A requirement of the policy does not hold.",
    "could-not-run": "A table could not be checked.",
}


def sarif_object(run: Run) -> Json:
    found = [sarif for result in run.results for sarif in _results(result)]
    driver: Json = {
        "name": "sqldiag",
        "rules": [
            {"id": rule, "shortDescription": {"text": text}} for rule, text in _RULES.items()
        ],
    }
    notes = [{"level": "error", "message": {"text": problem}} for problem in run.problems]
    invocation: Json = {
        "executionSuccessful": run.exit_code < 2,
        "toolExecutionNotifications": notes,
    }
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "invocations": [invocation], "results": found}],
    }


def _results(result: Result) -> list[Json]:
    sentences = [sentence for _, sentence in broken(result)]
    if result.error is not None:
        sentences = [result.error]
    level = "error" if result.status in (FAILS, ERROR) else "warning"
    rule = "could-not-run" if result.status == ERROR else "requirement"
    entry = result.entry
    place: Json = {
        "logicalLocations": [
            {"name": entry.shown, "fullyQualifiedName": f"{entry.connection}.{entry.shown}"}
        ]
    }
    return [
        {
            "ruleId": rule,
            "level": level,
            "message": {"text": f"{entry.name}: {sentence}"},
            "locations": [place],
        }
        for sentence in sentences
    ]
