"""The whole script of an installation: the history's tables, the functions, the schedule."""

from __future__ import annotations

from collections.abc import Sequence

from sqldiag.engines.base import identifier, literal
from sqldiag.history.schema import STEPS, script
from sqldiag.jobs.compiled import Job, dollar_quoted, functions

_HAS_CRON = "EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_cron')"
NOW = "now() AT TIME ZONE 'UTC'"


def history_script(schema: str) -> list[str]:
    """The history's tables, where they are not there yet; what is there stays."""
    named = literal(schema)
    missing = f"NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = {named})"
    statements = [_if(missing, f"CREATE SCHEMA {identifier(schema)};")]
    for number, step in enumerate(STEPS, 1):
        body = ";\n".join(script(schema, number, step, now=NOW))
        known = f"{literal(identifier(schema) + '.history_version')}"
        missing = f"to_regclass({known}) IS NULL" if number == 1 else _older(schema, number)
        statements.append(_if(missing, f"{body};"))
    return statements


def _older(schema: str, number: int) -> str:
    return f"(SELECT MAX(version) FROM {identifier(schema)}.history_version) < {number}"


def schedule_script(job: Job) -> str:
    """Only where pg_cron is in this database; a name that is there already gets a new schedule."""
    values = ", ".join(map(literal, (job.cron_name, job.schedule, job.command)))
    otherwise = "ELSE\nRAISE NOTICE 'pg_cron is not in this database: nothing is scheduled';"
    return _if(_HAS_CRON, f"PERFORM cron.schedule({values});\n{otherwise}")


def unschedule_script(cron_name: str) -> str:
    mine = f"jobname = {literal(cron_name)} AND username = current_user"
    jobs = f"FROM cron.job WHERE {mine}"
    # pg_cron keeps its own record of attempts, which outlives the job otherwise.
    forget = f"DELETE FROM cron.job_run_details WHERE jobid IN (SELECT jobid {jobs});"
    return _if(_HAS_CRON, f"{forget}\nPERFORM cron.unschedule(jobid) {jobs};")


def _if(condition: str, body: str) -> str:
    text = f"BEGIN\nIF {condition} THEN\n{body}\nEND IF;\nEND"
    return f"DO {dollar_quoted(text)}"


def install_script(jobs: Sequence[Job], schema: str) -> str:
    """What a DBA reads and applies: `psql -f` will do, and doing it twice changes nothing."""
    parts = ["BEGIN", *history_script(schema)]
    for job in jobs:
        parts += [*functions(job), schedule_script(job)]
    return ";\n\n".join([*parts, "COMMIT"]) + ";\n"
