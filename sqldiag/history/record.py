"""One table in one run, as it is kept."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from datetime import datetime

from sqldiag.answers import Check
from sqldiag.outcomes import Result, Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A requirement in a record."""

    position: int
    requirement: str
    measure: str
    value: float
    value_suppressed: float | None
    holds: bool
    rows_to_suppress: int
    suppression_needed: float
    remaining_rows: int

    @property
    def level(self) -> float:
        return self.value if self.value_suppressed is None else self.value_suppressed


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The fields are the columns of the table, in their order; ``taken_at`` is in UTC."""

    run: str
    name: str
    taken_at: datetime
    origin: str
    policy: str
    policy_hash: str
    tool_version: str
    connection: str
    relation: str
    engine: str | None
    question: str
    severity: str
    status: str
    error: str | None
    quasi_identifiers: str | None = None
    suppress: float | None = None
    row_count: int | None = None
    entity_count: int | None = None
    null_rows: int | None = None
    class_count: int | None = None
    singletons: int | None = None
    holds: bool | None = None
    rows_to_suppress: int | None = None
    suppression_needed: float | None = None
    remaining_rows: int | None = None
    statements: int | None = None
    base_scans: int | None = None
    seconds: float | None = None
    verdicts: tuple[Verdict, ...] = ()


RESULT_COLUMNS = tuple(f.name for f in fields(Record) if f.name != "verdicts")
VERDICT_COLUMNS = ("run", "name", *(f.name for f in fields(Verdict)))


def record_of(result: Result, run: Run, *, version: str) -> Record:
    entry, check = result.entry, result.check
    told = {} if check is None else _told(check)
    return Record(
        run=run.id,
        name=entry.name,
        taken_at=result.at.replace(tzinfo=None),
        origin="run",
        policy=run.policy,
        policy_hash=run.digest,
        tool_version=version,
        connection=entry.connection,
        relation=entry.shown,
        engine=None if check is None else check.source.engine,
        question=result.question,
        severity=entry.severity,
        status=result.status,
        error=result.error,
        **{"seconds": result.seconds, **told},  # type: ignore[arg-type]
    )


def _told(check: Check) -> dict[str, object]:
    return {
        "quasi_identifiers": json.dumps(check.quasi_identifiers, ensure_ascii=False),
        "suppress": check.suppress,
        "row_count": check.source.rows,
        "entity_count": check.source.entities,
        "null_rows": check.source.null_rows,
        "class_count": check.risk.classes,
        "singletons": check.risk.singletons,
        "holds": check.holds,
        "rows_to_suppress": check.rows_to_suppress,
        "suppression_needed": check.suppression_needed,
        "remaining_rows": check.remaining_rows,
        "statements": check.cost.statements,
        "base_scans": check.cost.base_scans,
        "seconds": check.cost.seconds,
        "verdicts": tuple(
            Verdict(
                position=position,
                requirement=str(verdict.requirement),
                measure=verdict.measure,
                value=float(verdict.value),
                value_suppressed=None
                if verdict.value_suppressed is None
                else float(verdict.value_suppressed),
                holds=verdict.holds,
                rows_to_suppress=verdict.rows_to_suppress,
                suppression_needed=verdict.suppression_needed,
                remaining_rows=verdict.remaining_rows,
            )
            for position, verdict in enumerate(check.requirements)
        ),
    }
