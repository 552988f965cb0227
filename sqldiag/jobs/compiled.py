"""A check of a policy as SQL functions, from the very statement that `sqldiag run` would send.

Two functions per job. ``check_…`` is that statement and nothing else. ``run_…`` judges its lines
and adds the verdict to the history; where the check fails, it records that, with the error's code
alone: a message might quote a value of a row.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqldiag.engines.base import identifier, literal
from sqldiag.history.record import RESULT_COLUMNS, VERDICT_COLUMNS
from sqldiag.planner.ask import Ask
from sqldiag.planner.statement import Plan
from sqldiag.policy.model import TablePolicy
from sqldiag.policy.read import digest

_NAME_BYTES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a check needs to become a job. ``path`` are the schemas in which names are looked up."""

    entry: TablePolicy
    ask: Ask
    plan: Plan
    sql: str
    question: str
    policy: str
    policy_hash: str
    engine: str
    version: str
    schema: str
    schedule: str
    path: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def slug(self) -> str:
        """Fit for the name of a function, and no other job's."""
        plain = re.sub(r"[^a-z0-9]+", "_", self.name.lower()).strip("_")[:_NAME_BYTES]
        return plain if plain == self.name else f"{plain}_{digest([self.policy, self.name])[:6]}"

    def function(self, kind: str) -> str:
        return f"{identifier(self.schema)}.{kind}_{self.slug}"

    @property
    def cron_name(self) -> str:
        return f"sqldiag {self.policy}: {self.name}"

    @property
    def command(self) -> str:
        return f"SELECT {self.function('run')}()"


def functions(job: Job) -> list[str]:
    """The statements that make the job's functions, and say what they are."""
    note = {
        "job": job.name,
        "policy": job.policy,
        "connection": job.entry.connection,
        "policy_hash": job.policy_hash,
        "schedule": job.schedule,
        "cron": job.cron_name,
    }
    made = [_check_function(job), _run_function(job)]
    note["fingerprint"] = digest([note, made])
    comment = literal(f"sqldiag {json.dumps(note, ensure_ascii=False)}")
    about = literal(f"sqldiag: the statement behind {job.name}")
    # A check of other columns cannot be replaced, only made anew.
    return [
        f"DROP FUNCTION IF EXISTS {job.function('check')}()",
        *made,
        f"COMMENT ON FUNCTION {job.function('check')}() IS {about}",
        f"COMMENT ON FUNCTION {job.function('run')}() IS {comment}",
    ]


def _settings(job: Job) -> str:
    """Names mean what they meant when the job was made, whoever calls it from where."""
    schemas = ["pg_catalog", *map(identifier, job.path), "pg_temp"]
    return (
        f"SECURITY INVOKER\nSET search_path = {', '.join(schemas)}\n"
        "SET standard_conforming_strings = on"
    )


def _check_function(job: Job) -> str:
    width = max(len(part.labels) for part in job.plan.parts)
    columns = ", ".join(f"x{i} DOUBLE PRECISION" for i in range(1, width + 1))
    return (
        f"CREATE OR REPLACE FUNCTION {job.function('check')}()\n"
        f"RETURNS TABLE (part INTEGER, {columns})\n"
        f"LANGUAGE sql STABLE {_settings(job)}\nSET work_mem = '64MB'\nSET jit = off\n"
        f"AS {dollar_quoted(job.sql)}"
    )


def _run_function(job: Job) -> str:
    body = f"""\
DECLARE
  run_id TEXT := replace(gen_random_uuid()::text, '-', '');
  started TIMESTAMP WITH TIME ZONE := clock_timestamp();
  verdict TEXT;
BEGIN
  WITH lines AS MATERIALIZED (
    SELECT * FROM {job.function("check")}()
  ), found AS (
    SELECT
{_indented(_figures(job), 6)}
    FROM lines
  ), judged AS (
    SELECT *, {_allowed(job)} AS allowed FROM found
  ), result AS (
    INSERT INTO {identifier(job.schema)}.results
      ({", ".join(RESULT_COLUMNS)})
    SELECT
{_indented(_result(job), 6)}
    FROM judged
    RETURNING status
  ), verdicts AS (
    INSERT INTO {identifier(job.schema)}.verdicts
      ({", ".join(VERDICT_COLUMNS)})
{_verdicts(job)}
  )
  SELECT status INTO verdict FROM result;
  RETURN verdict;
EXCEPTION WHEN QUERY_CANCELED OR OTHERS THEN
  INSERT INTO {identifier(job.schema)}.results
    ({", ".join(RESULT_COLUMNS)})
  SELECT
{_indented(_failed(job), 4)};
  RETURN 'error';
END
"""
    return (
        f"CREATE OR REPLACE FUNCTION {job.function('run')}()\nRETURNS TEXT\n"
        f"LANGUAGE plpgsql VOLATILE {_settings(job)}\n"
        f"AS {dollar_quoted(body)}"
    )


def _figures(job: Job) -> list[str]:
    """Every figure of the statement's lines in one row; their names are ours."""
    whole = ("rows", "classes", "singletons", "null_rows")
    columns = [f"CAST({_at(job, label)} AS BIGINT) AS {label}" for label in whole]
    entities = _at(job, "entities") if job.ask.entity is not None else "NULL"
    columns.append(f"CAST({entities} AS BIGINT) AS entities")
    for i, requirement in enumerate(job.ask.requirements):
        columns.append(f"CAST({_at(job, f'need {i}')} AS BIGINT) AS need{i}")
        columns.append(f"{_at(job, f'worst {requirement.call}')} AS value{i}")
        level = _level(job, i) if job.ask.share is not None else "CAST(NULL AS DOUBLE PRECISION)"
        columns.append(f"{level} AS level{i}")
    joint = _at(job, "joint") if len(job.ask.requirements) > 1 else _at(job, "need 0")
    columns.append(f"CAST({joint} AS BIGINT) AS need")
    return columns


def _at(job: Job, label: str) -> str:
    for number, part in enumerate(job.plan.parts):
        if part.kind == "summary" and label in part.labels:
            return _line(number, part.labels.index(label) + 1)
    raise KeyError(label)


def _level(job: Job, requirement: int) -> str:
    call = job.ask.requirements[requirement].call
    for number, part in enumerate(job.plan.parts):
        if part.kind == "level" and part.call == call:
            return _line(number, 1)
    raise KeyError(str(call))


def _line(part: int, column: int) -> str:
    return f"MAX(x{column}) FILTER (WHERE part = {part})"


def _allowed(job: Job) -> str:
    """⌊δN⌋ on whole numbers, so that it is exact."""
    share = job.ask.share or Fraction(0)
    return f"CAST(div(CAST(rows AS NUMERIC) * {share.numerator}, {share.denominator}) AS BIGINT)"


def _constants(job: Job) -> dict[str, str]:
    entry = job.entry
    return {
        "run": "run_id",
        "name": literal(job.name),
        "taken_at": "started AT TIME ZONE 'UTC'",
        "origin": "'job'",
        "policy": literal(job.policy),
        "policy_hash": literal(job.policy_hash),
        "tool_version": literal(job.version),
        "connection": literal(entry.connection),
        "relation": literal(entry.shown),
        "engine": literal(job.engine),
        "question": literal(job.question),
        "severity": literal(entry.severity),
        "seconds": "CAST(EXTRACT(EPOCH FROM clock_timestamp() - started) AS DOUBLE PRECISION)",
    }


def _result(job: Job) -> list[str]:
    missed = "'fails'" if job.entry.severity == "fail" else "'warns'"
    names = json.dumps(job.ask.quasi_identifiers, ensure_ascii=False)
    share = "NULL" if job.ask.share is None else literal(repr(float(job.ask.share)))
    empty = literal(f"{job.entry.shown} has no rows: nothing to diagnose")
    values = _constants(job) | {
        "status": f"CASE WHEN rows IS NULL THEN 'error' WHEN need <= allowed THEN 'holds' "
        f"ELSE {missed} END",
        "error": f"CASE WHEN rows IS NULL THEN {empty} END",
        "quasi_identifiers": literal(names),
        "suppress": f"CAST({share} AS DOUBLE PRECISION)",
        "row_count": "rows",
        "entity_count": "entities",
        "null_rows": "null_rows",
        "class_count": "classes",
        "singletons": "singletons",
        "holds": "need <= allowed",
        "rows_to_suppress": "need",
        "suppression_needed": "CAST(need AS DOUBLE PRECISION) / rows",
        "remaining_rows": "rows - need",
        "statements": "1",
        "base_scans": "1",
    }
    return [values[column] for column in RESULT_COLUMNS]


def _failed(job: Job) -> list[str]:
    values = _constants(job) | {
        "status": "'error'",
        "error": "'the check failed in the database: error ' || SQLSTATE",
    }
    return [values.get(column, "NULL") for column in RESULT_COLUMNS]


def _verdicts(job: Job) -> str:
    selects = []
    for i, requirement in enumerate(job.ask.requirements):
        values = [
            "run_id",
            literal(job.name),
            str(i),
            literal(str(requirement)),
            literal(str(requirement.call)),
            f"value{i}",
            f"level{i}",
            f"need{i} <= allowed",
            f"need{i}",
            f"CAST(need{i} AS DOUBLE PRECISION) / rows",
            f"rows - need{i}",
        ]
        selects.append(
            f"    SELECT\n{_indented(values, 6)}\n    FROM judged\n    WHERE rows IS NOT NULL"
        )
    return "\n    UNION ALL\n".join(selects)


def _indented(values: Sequence[str], by: int) -> str:
    return ",\n".join(f"{' ' * by}{value}" for value in values)


def dollar_quoted(text: str) -> str:
    """Between dollars that the text does not hold."""
    tag = "$sqldiag$"
    while tag in text:
        tag = f"{tag[:-1]}_$"
    return f"{tag}\n{text.strip()}\n{tag}"
