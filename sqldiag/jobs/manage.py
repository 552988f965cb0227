"""Jobs in a database: install them, see them, run one, remove them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from sqldiag.engines.base import identifier
from sqldiag.engines.store import Store, Writer
from sqldiag.errors import BadInput, CannotRun, nearest
from sqldiag.history import History
from sqldiag.history.schema import TABLES, migrate
from sqldiag.jobs.compiled import Job, functions
from sqldiag.jobs.model import Installed, Status
from sqldiag.jobs.script import NOW, schedule_script, unschedule_script

# What our functions say of themselves is all that is known of jobs: there is no table of them.
_INSTALLED = """\
SELECT p.proname, d.description FROM pg_proc AS p
JOIN pg_namespace AS n ON n.oid = p.pronamespace
JOIN pg_description AS d ON d.objoid = p.oid AND d.classoid = 'pg_proc'::regclass
WHERE n.nspname = ? AND d.description LIKE 'sqldiag {%' ORDER BY p.proname"""
_HAS_CRON = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_cron')"
_SCHEDULED = "SELECT jobname, schedule, active, jobid FROM cron.job WHERE username = current_user"
_LATEST = """\
SELECT status, start_time AT TIME ZONE 'UTC' FROM cron.job_run_details
WHERE jobid = ? ORDER BY runid DESC LIMIT 1"""


class Jobs:
    """The jobs of one connection of a policy, in one schema of its database."""

    def __init__(self, store: Store, schema: str, *, policy: str, connection: str) -> None:
        self._store, self._schema = store, schema
        self._policy, self._connection = policy, connection

    def install(self, jobs: Sequence[Job], *, whole: bool) -> dict[str, str]:
        """Name → installed, updated or unchanged. Of a ``whole`` policy, jobs that it no longer
        names are removed."""
        done: dict[str, str] = {}
        with self._store.writing() as writer:
            writer.lock(f"sqldiag jobs {self._schema}")
            migrate(writer, self._schema, now=NOW)
            before = {job.name: job for job in self._mine(writer)}
            has_cron = bool(writer.execute(_HAS_CRON)[0][0])
            for job in jobs:
                done[job.name] = _install(writer, job, before.get(job.name), has_cron=has_cron)
            gone = [name for name in before if whole and name not in done]
            for name in gone:
                self._drop(writer, before[name])
                done[name] = "removed"
        return done

    def has_cron(self) -> bool:
        with self._store.reading() as reader:
            return bool(reader.execute(_HAS_CRON)[0][0])

    def installed(self) -> list[Installed]:
        with self._store.reading() as reader:
            return self._mine(reader)

    def status(self, *, last: int) -> list[Status]:
        now = datetime.now(UTC).replace(tzinfo=None)
        found = []
        for job in self.installed():
            records = History(self._store, self._schema).records(name=job.name, limit=last)
            attempt, attempted = self._attempt(job)
            found.append(
                Status(
                    job=job,
                    records=tuple(r for r in records if r.policy == self._policy),
                    attempt=attempt,
                    attempted=attempted,
                    next_run=job.next_run(now),
                )
            )
        return found

    def _attempt(self, job: Installed) -> tuple[str | None, datetime | None]:
        """pg_cron's own word. Its message may quote a value of a row, and is left where it is."""
        if job.cron_id is None:
            return None, None
        with self._store.reading() as reader:
            try:
                rows = reader.execute(_LATEST, [job.cron_id])
            except CannotRun:
                return None, None
        status, at = rows[0] if rows else (None, None)
        return (None if status is None else str(status)), at if isinstance(at, datetime) else None

    def run(self, name: str) -> str:
        """Run it now; what it found is in the history."""
        with self._store.writing() as writer:
            job = self._named(writer, name)
            return str(writer.execute(f"SELECT {self._function('run', job)}()")[0][0])

    def remove(self, name: str | None, *, drop_history: bool) -> list[str]:
        """The names of what was removed. The schema goes when nothing is left in it."""
        with self._store.writing() as writer:
            writer.lock(f"sqldiag jobs {self._schema}")
            jobs = self._mine(writer) if name is None else [self._named(writer, name)]
            for job in jobs:
                self._drop(writer, job)
            if drop_history:
                self._drop_history(writer)
            return [job.name for job in jobs]

    def _drop(self, writer: Writer, job: Installed) -> None:
        writer.execute(unschedule_script(job.cron_name))
        for kind in ("run", "check"):
            writer.execute(f"DROP FUNCTION IF EXISTS {self._function(kind, job)}()")

    def _drop_history(self, writer: Writer) -> None:
        if self._installed(writer):
            raise BadInput(
                f"other jobs still write to the history in schema {self._schema}; remove them first"
            )
        schema = identifier(self._schema)
        for table in TABLES:
            writer.execute(f"DROP TABLE IF EXISTS {schema}.{table}")
        # Whatever else somebody keeps there keeps its schema.
        left = "SELECT FROM pg_depend JOIN pg_namespace AS n ON refobjid = n.oid"
        left += " WHERE refclassid = 'pg_namespace'::regclass AND nspname = ? LIMIT 1"
        if not writer.execute(left, [self._schema]):
            writer.execute(f"DROP SCHEMA IF EXISTS {schema}")

    def _function(self, kind: str, job: Installed) -> str:
        return f"{identifier(self._schema)}.{kind}_{job.slug}"

    def _named(self, writer: Writer, name: str) -> Installed:
        jobs = self._mine(writer)
        for job in jobs:
            if job.name == name:
                return job
        names = [job.name for job in jobs]
        raise BadInput(f"there is no job {name}{nearest(name, names)}")

    def _mine(self, reader: Writer) -> list[Installed]:
        """Two connections may lead to one database: each has its own jobs there."""
        own = (self._policy, self._connection)
        return [job for job in self._installed(reader) if (job.policy, job.connection) == own]

    def _installed(self, reader: Writer) -> list[Installed]:
        scheduled = {}
        if reader.execute(_HAS_CRON)[0][0]:
            scheduled = {str(row[0]): row for row in reader.execute(_SCHEDULED) if row[2]}
        found = []
        for function, comment in reader.execute(_INSTALLED, [self._schema]):
            note = json.loads(str(comment).removeprefix("sqldiag "))
            cron = scheduled.get(note["cron"])
            found.append(
                Installed(
                    name=note["job"],
                    policy=note["policy"],
                    connection=note["connection"],
                    policy_hash=note["policy_hash"],
                    schedule=note["schedule"],
                    fingerprint=note["fingerprint"],
                    slug=str(function).removeprefix("run_"),
                    cron_name=note["cron"],
                    scheduled=None if cron is None else str(cron[1]),
                    cron_id=None if cron is None else int(str(cron[3])),
                )
            )
        return found


def _install(writer: Writer, job: Job, before: Installed | None, *, has_cron: bool) -> str:
    made = functions(job)
    same = before is not None and f'"fingerprint": "{before.fingerprint}"' in made[-1]
    on_time = before is not None and (not has_cron or before.scheduled == job.schedule)
    if same and on_time:
        return "unchanged"
    for sql in made:
        writer.execute(sql)
    if has_cron:
        writer.execute(schedule_script(job))
    return "installed" if before is None else "updated"
