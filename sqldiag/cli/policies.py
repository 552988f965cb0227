"""`run`, `history` and `init`: what is checked again and again."""

from __future__ import annotations

import json
import shutil
import sys
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sqldiag import __version__
from sqldiag.cli import options as o
from sqldiag.cli.run import Writing, tell_statement
from sqldiag.errors import BadInput
from sqldiag.report import Format
from sqldiag.report.formats import HistoryFormat, RunFormat

if TYPE_CHECKING:
    from sqldiag.outcomes import Result, Run
    from sqldiag.policy import Policy


class LogFormat(str, Enum):  # noqa: UP042 - a str, so that the command line shows its values
    """How a run speaks of itself on stderr."""

    TEXT = "text"
    JSON = "json"


PolicyFile = Annotated[
    Path,
    typer.Argument(metavar="POLICY", help="The policy file."),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        metavar="TABLE",
        show_default=False,
        help="Only this table of the policy, by its table or its name; may repeat.",
    ),
]


def register(app: typer.Typer) -> None:
    app.command(name="run")(run)
    app.command(name="history")(history)
    app.command(name="init")(init)


def load(path: Path, log: Log) -> Policy:
    from sqldiag.policy import read_policy

    policy = read_policy(path)
    for warning in policy.warnings:
        log.note("warning", warning)
    return policy


class Log:
    """Notes on stderr: sentences, or one JSON object per line for a journal."""

    def __init__(self, form: LogFormat, *, quiet: bool) -> None:
        self._form, self._quiet = form, quiet

    def note(self, level: str, message: str, **more: object) -> None:
        if self._form is LogFormat.JSON:
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            body = {"time": at, "level": level, "message": message, **more}
            print(json.dumps(body, ensure_ascii=False), file=sys.stderr, flush=True)  # noqa: T201
        elif level != "info" and not (self._quiet and level == "warning"):
            line = "".join(c if c.isprintable() else " " for c in message)
            print(f"sqldiag: {line}", file=sys.stderr)  # noqa: T201

    def finished(self, result: Result) -> None:
        level = {"holds": "info", "warns": "warning"}.get(result.status, "error")
        message = f"{result.entry.name}: {result.error or result.status}"
        if self._form is LogFormat.JSON:
            more = {"table": result.entry.name, "status": result.status}
            self.note(level, message, event="table", **more, seconds=round(result.seconds, 3))
        if result.unreported is not None:
            self.note("warning", f"{result.entry.name} has no page: {result.unreported}")

    def written(self, path: Path) -> None:
        if self._form is LogFormat.JSON:
            self.note("info", f"written to {path}", event="report")
        elif not self._quiet:
            print(f"written to {path}", file=sys.stderr)  # noqa: T201


def run(
    policy: PolicyFile = Path("sqldiag.toml"),
    only: Only = None,
    form: Annotated[
        RunFormat, typer.Option("--format", help="How to write the summary.")
    ] = RunFormat.TEXT,
    output: o.Output = None,
    pages: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="DIR",
            show_default=False,
            help="Also write an HTML report of every table into this directory, and an index.",
        ),
    ] = None,
    parallel: Annotated[
        int,
        typer.Option("--parallel", metavar="N", min=1, max=64, help="So many tables at once."),
    ] = 1,
    wait: Annotated[
        float,
        typer.Option(
            "--wait",
            metavar="S",
            min=0,
            help="Wait so many seconds for another run of this policy to end; then give up.",
        ),
    ] = 10,
    log_format: Annotated[
        LogFormat,
        typer.Option("--log-format", help="What goes to stderr: notes, or an object per event."),
    ] = LogFormat.TEXT,
    verbose: o.Verbose = False,
    quiet: o.Quiet = False,
) -> int:
    """Check every table of a policy. Exit code 1 if one does not hold, 2 or 3 if one could not run.

    Example: sqldiag run sqldiag.toml --format junit --output sqldiag.xml
    """
    writing = plain_writing(output, verbose=verbose, quiet=quiet)
    if pages is not None and pages.exists() and not pages.is_dir():
        raise BadInput(f"--report {pages} is a file; name a directory")
    log = Log(log_format, quiet=quiet)
    from sqldiag.report.runs import render_run
    from sqldiag.running.lock import only_run
    from sqldiag.running.run import run_policy

    loaded = load(policy, log)
    tables = loaded.only(tuple(only or ()))
    with only_run(policy, wait=wait):
        log.note("info", f"run of {loaded.name}", event="start", tables=len(tables))
        found = run_policy(
            loaded,
            tables,
            version=__version__,
            parallel=parallel,
            report=log.finished,
            listener=tell_statement if verbose else None,
            pages=pages is not None,
        )
    terminal = output is None and sys.stdout.isatty()
    writing.put(render_run(found, form, terminal=terminal, width=width()))
    _end(loaded, found, log)
    if pages is not None:
        # Last, so that a full disk hides no verdict.
        from sqldiag.report.html.run_site import write_run

        log.written(write_run(pages, found)[0])
    return found.exit_code


def _end(policy: Policy, found: Run, log: Log) -> None:
    code = found.exit_code
    more = {"event": "end", "run": found.id, "exit_code": code, "seconds": round(found.seconds, 3)}
    log.note("info", f"exit code {code}", **more)
    if not code or policy.on_failure is None:
        return
    from sqldiag.report.runs import render_run
    from sqldiag.running.hook import tell

    text = render_run(found, RunFormat.JSON)
    if complaint := tell(policy.on_failure, text, str(policy.path.parent)):
        log.note("warning", complaint)


def history(
    table: Annotated[
        str | None,
        typer.Argument(metavar="TABLE", show_default=False, help="Only this table."),
    ] = None,
    policy: Annotated[
        Path, typer.Option("--policy", metavar="FILE", help="The policy that keeps the history.")
    ] = Path("sqldiag.toml"),
    last: Annotated[
        int, typer.Option("--last", metavar="N", min=1, help="The latest N runs of each table.")
    ] = 20,
    form: Annotated[
        HistoryFormat, typer.Option("--format", help="How to write it.")
    ] = HistoryFormat.TEXT,
    output: o.Output = None,
) -> int:
    """How did the levels of a policy's tables move over time?

    Example: sqldiag history public.patients --format csv
    """
    writing = plain_writing(output)
    from sqldiag.errors import nearest
    from sqldiag.report.history import render_history
    from sqldiag.running.run import history_of

    loaded = load(policy, Log(LogFormat.TEXT, quiet=False))
    records = history_of(loaded).records(limit=last)
    if table is not None:
        names = [name for record in records for name in (record.name, record.relation)]
        if table not in names:
            raise BadInput(f"the history says nothing of {table}{nearest(table, names)}")
        records = [record for record in records if table in (record.name, record.relation)]
    terminal = output is None and sys.stdout.isatty()
    writing.put(render_history(records, form, terminal=terminal, width=width()))
    return 0


def init(
    source: o.Source = None,
    output: Annotated[
        Path,
        typer.Option("--output", metavar="FILE", help="Where to write the policy; - for stdout."),
    ] = Path("sqldiag.toml"),
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite a policy that is there already.")
    ] = False,
    scan: Annotated[
        Path | None,
        typer.Option(
            "--scan",
            metavar="FILE",
            show_default=False,
            help="Take roles from what `sqldiag scan --format json` wrote, not from names alone.",
        ),
    ] = None,
) -> int:
    """Write a first policy for the tables of a database, to be read and changed by a person.

    Example: sqldiag init postgresql://analyst@db.example.org/clinic --output clinic.toml
    """
    from sqldiag.cli.run import Target
    from sqldiag.limits import Limits
    from sqldiag.running.first import first_policy
    from sqldiag.running.scans import read_scan

    shown = None if str(output) == "-" else output
    writing = plain_writing(shown)
    if shown is not None and shown.exists() and not force:
        raise BadInput(f"{output} is there already; name another with --output, or add --force")
    scans = None if scan is None else read_scan(scan)
    target = Target(source=source, table=None, query=None, where=None, limits=Limits())
    url = target.url()
    with target.open(verbose=False) as database:
        folder = Path.cwd() if shown is None else shown.absolute().parent
        text = first_policy(database, url, folder=folder, scans=scans)
    writing.put(text)
    return 0


def plain_writing(output: Path | None, *, verbose: bool = False, quiet: bool = False) -> Writing:
    writing = Writing(form=Format.TEXT, output=output, explain=False, verbose=verbose, quiet=quiet)
    writing.check()
    return writing


def width() -> int:
    return shutil.get_terminal_size((100, 24)).columns
