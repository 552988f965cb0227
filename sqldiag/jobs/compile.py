"""The jobs of a policy, planned against the databases that will run them."""

from __future__ import annotations

from sqldiag.api import connect
from sqldiag.engines import open_store, schedules_jobs
from sqldiag.errors import BadInput
from sqldiag.jobs.compiled import Job
from sqldiag.policy.model import Policy, TablePolicy
from sqldiag.policy.schedule import parse_schedule
from sqldiag.running.asked import check_options, question_of
from sqldiag.running.table import find_table

DEFAULT_SCHEDULE = "0 3 * * *"
_PATH = "SELECT unnest(current_schemas(false))"


def job_connections(policy: Policy) -> list[str]:
    """The connections of the policy whose databases can run jobs."""
    used = dict.fromkeys(entry.connection for entry in policy.tables)
    able = [name for name in used if schedules_jobs(policy.url(name))]
    if not able:
        raise BadInput(
            f"{policy.path.name} names no Postgres database; only those run jobs by themselves"
        )
    return able


def compile_jobs(
    policy: Policy,
    tables: tuple[TablePolicy, ...],
    connection: str,
    *,
    schedule: str | None,
    version: str,
) -> list[Job]:
    """Each check of the connection, with its roles and columns as they are in the database now."""
    url = policy.url(connection)
    mine = [entry for entry in tables if entry.connection == connection]
    if not mine:
        return []
    with open_store(url).reading() as reader:
        path = tuple(str(row[0]) for row in reader.execute(_PATH))
    jobs = []
    for entry in mine:
        with connect(url) as database:
            table = find_table(database, entry)
            options = check_options(entry, table.declared_roles())
            prepared = table.prepare_check(**options)
            engine = database.session.connection.engine
        wanted = schedule or entry.schedule or policy.schedule or DEFAULT_SCHEDULE
        jobs.append(
            Job(
                entry=entry,
                ask=prepared.ask,
                plan=prepared.plan,
                sql=prepared.profile.sql,
                question=question_of(entry, options),
                policy=policy.name,
                policy_hash=policy.digest,
                engine=engine,
                version=version,
                schema=policy.schema,
                schedule=parse_schedule(wanted).text,
                path=path,
            )
        )
    return jobs
