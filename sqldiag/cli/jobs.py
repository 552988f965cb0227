"""`job`: checks that the database runs by itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sqldiag import __version__
from sqldiag.cli import options as o
from sqldiag.cli.policies import Log, LogFormat, Only, PolicyFile, load, plain_writing, width
from sqldiag.errors import BadInput
from sqldiag.report.formats import JobFormat

if TYPE_CHECKING:
    from sqldiag.jobs.manage import Jobs
    from sqldiag.policy import Policy

app = typer.Typer(
    name="job",
    no_args_is_help=True,
    help="Let a Postgres database check itself: install, list, watch, run and remove jobs.",
)
Name = Annotated[
    str, typer.Argument(metavar="NAME", show_default=False, help="The job, by its table's name.")
]
Form = Annotated[JobFormat, typer.Option("--format", help="How to write it.")]
_DEFAULT = Path("sqldiag.toml")


def register(parent: typer.Typer) -> None:
    parent.add_typer(app)


def _load(path: Path) -> Policy:
    return load(path, Log(LogFormat.TEXT, quiet=False))


def _places(policy: Policy) -> Iterator[tuple[str, Jobs]]:
    """The databases of the policy that can hold jobs."""
    from sqldiag.engines import open_store
    from sqldiag.jobs.compile import job_connections
    from sqldiag.jobs.manage import Jobs

    for connection in job_connections(policy):
        store = open_store(policy.url(connection))
        jobs = Jobs(store, policy.schema, policy=policy.name, connection=connection)
        yield connection, jobs


def _say(text: str) -> None:
    print(_clean(text), file=sys.stderr)  # noqa: T201


def _clean(text: str) -> str:
    """A name may hold anything: it stays on its line."""
    return "".join(c if c.isprintable() else " " for c in text)


@app.command()
def install(
    policy: PolicyFile = _DEFAULT,
    only: Only = None,
    schedule: Annotated[
        str | None,
        typer.Option(
            "--schedule",
            metavar="CRON",
            show_default=False,
            help="When to run, as cron writes it (UTC), instead of what the policy says.",
        ),
    ] = None,
    print_only: Annotated[
        bool, typer.Option("--print", help="Print the SQL for somebody else to apply; run nothing.")
    ] = False,
    output: o.Output = None,
) -> int:
    """Compile the checks of a policy to functions in its database, and schedule them with pg_cron.

    Example: sqldiag job install sqldiag.toml --schedule "0 3 * * *"
    """
    from sqldiag.jobs.compile import compile_jobs
    from sqldiag.jobs.script import install_script

    writing = plain_writing(output)
    loaded = _load(policy)
    tables = loaded.only(tuple(only or ()))
    lines, able, has_cron = [], set(), True
    for connection, place in _places(loaded):
        able.add(connection)
        jobs = compile_jobs(loaded, tables, connection, schedule=schedule, version=__version__)
        if print_only:
            lines.append(f"-- connection {json.dumps(connection, ensure_ascii=False)}")
            lines.append(install_script(jobs, loaded.schema))
            continue
        done = place.install(jobs, whole=not only)
        lines += [_clean(f"{what}: {name}") for name, what in done.items()]
        has_cron = has_cron and place.has_cron()
    writing.put("\n".join(lines) + ("" if print_only else "\n"))
    for entry in tables:
        if entry.connection not in able:
            _say(f"sqldiag: {entry.name} is left to `sqldiag run`: {entry.connection} runs no jobs")
        for what, said in (("borders search", entry.borders), ("max_drop", entry.max_drop)):
            if said is not None:
                _say(f"sqldiag: the {what} of {entry.name} is left to `sqldiag run`")
    if not has_cron:
        _say("sqldiag: pg_cron is not in this database, so that nothing is scheduled")
    return 0


@app.command(name="list")
def list_jobs(policy: PolicyFile = _DEFAULT, form: Form = JobFormat.TEXT) -> int:
    """Which jobs of this policy are installed, and when do they run?

    Example: sqldiag job list
    """
    from sqldiag.report.jobs import render_jobs

    loaded = _load(policy)
    found = [(c, s) for c, place in _places(loaded) for s in place.status(last=1)]
    plain_writing(None).put(
        render_jobs(found, form, runs=False, terminal=sys.stdout.isatty(), width=width())
    )
    return 0


@app.command()
def status(
    policy: PolicyFile = _DEFAULT,
    last: Annotated[
        int, typer.Option("--last", metavar="N", min=1, help="The latest N runs of each job.")
    ] = 5,
    form: Form = JobFormat.TEXT,
) -> int:
    """How did the last runs of each job end, and when is the next? Exit code 1 if one failed.

    Example: sqldiag job status --last 10
    """
    from sqldiag.report.jobs import render_jobs

    loaded = _load(policy)
    found = [(c, s) for c, place in _places(loaded) for s in place.status(last=last)]
    plain_writing(None).put(
        render_jobs(found, form, runs=True, terminal=sys.stdout.isatty(), width=width())
    )
    latest = [status.records[-1].status for _, status in found if status.records]
    return 3 if "error" in latest else 1 if "fails" in latest else 0


@app.command()
def run(name: Name, policy: PolicyFile = _DEFAULT) -> int:
    """Run one job now, in the database. Exit code 1 if it does not hold.

    Example: sqldiag job run public.patients
    """
    loaded = _load(policy)
    for _, place in _places(loaded):
        if name in [job.name for job in place.installed()]:
            verdict = place.run(name)
            plain_writing(None).put(_clean(f"{name}: {verdict}") + "\n")
            return {"fails": 1, "error": 3}.get(verdict, 0)
    raise BadInput(f"there is no job {name}; `sqldiag job list` shows those there are")


@app.command()
def remove(
    policy: PolicyFile = _DEFAULT,
    job: Annotated[
        str | None,
        typer.Option("--job", metavar="NAME", show_default=False, help="Only this job."),
    ] = None,
    drop_history: Annotated[
        bool, typer.Option("--drop-history", help="Delete what the jobs have recorded, too.")
    ] = False,
) -> int:
    """Remove the jobs of a policy and their schedule; the history stays unless asked.

    Example: sqldiag job remove sqldiag.toml --drop-history
    """
    loaded = _load(policy)
    lines = []
    for _, place in _places(loaded):
        known = job is None or job in [one.name for one in place.installed()]
        if known:
            gone = place.remove(job, drop_history=drop_history)
            lines += [_clean(f"removed: {name}") for name in gone]
            lines += ["removed: the history"] if drop_history else []
    if job is not None and not lines:
        raise BadInput(f"there is no job {job}; `sqldiag job list` shows those there are")
    plain_writing(None).put("\n".join(lines or ["there was nothing to remove"]) + "\n")
    return 0
