"""What every command does around its question: open, explain or ask, write, and let go."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqldiag.cli.start import stopped
from sqldiag.errors import BadInput, CannotRun
from sqldiag.limits import Limits
from sqldiag.output import write_whole
from sqldiag.report import Format, render, source_of, was_cancelled

if TYPE_CHECKING:
    from sqldiag.api import Database, Table
    from sqldiag.engines.base import Executed, Statement
    from sqldiag.report import Answer

_PASSWORD = re.compile(r"://[^/?#@]*:[^/?#]*@|[?&]password=")

# What is done with a roll-up depends on the data, which nobody knows before it is read.
ASSUMED = (
    "-- The first steps follow, as they would be if every column had a hundred values,\n"
    "-- and the table a hundred thousand groups.\n\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The relation a command was pointed at, as written on the command line."""

    source: str | None
    table: str | None
    query: str | None
    where: str | None
    limits: Limits

    def open(self, *, verbose: bool) -> Database:
        # Drivers and the planner are loaded only now: --help and --version do without.
        from sqldiag.api import connect

        source, _ = self._resolved()
        listener = tell_statement if verbose else None
        return connect(source, listener=listener, **asdict(self.limits))

    def url(self) -> str:
        """Where the source is, as it was written."""
        return self._resolved()[0]

    def relation(self, database: Database) -> Table:
        _, table = self._resolved()
        if self.query is None:
            return database.table(table, where=self.where)
        if table is not None:
            raise BadInput(f"name a table or a --query, not both ({table})")
        return database.query(self.query, where=self.where)

    def origin(self) -> tuple[str, ...]:
        """What a command about the same relation starts with; a password is not repeated."""
        source, table = self._resolved()
        named = (source,) if self.source == source and not _PASSWORD.search(source) else ()
        asked = () if self.query is None else ("--query", self.query)
        narrowed = () if self.where is None else ("--where", self.where)
        return (*named, *((table,) if table is not None else ()), *asked, *narrowed)

    @property
    def names_no_relation(self) -> bool:
        return self._resolved()[1] is None and self.query is None

    @property
    def hides_source(self) -> bool:
        """Whether the source holds a password, so that only SQLDIAG_URL may stand for it."""
        return _PASSWORD.search(self._resolved()[0]) is not None

    def _resolved(self) -> tuple[str, str | None]:
        """SRC TABLE; or, with SQLDIAG_URL set, TABLE alone."""
        from sqldiag.engines import looks_like_source

        fallback = os.environ.get("SQLDIAG_URL") or None
        if not self.source:
            if fallback is None:
                raise BadInput(
                    "name a source: a URL, a DuckDB file or a data file (or set SQLDIAG_URL)"
                )
            return fallback, self.table
        if self.table is None and fallback is not None and not looks_like_source(self.source):
            return fallback, self.source
        return self.source, self.table


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """Where and how the answer goes out."""

    form: Format
    output: Path | None
    explain: bool
    verbose: bool
    quiet: bool

    def check(self) -> None:
        """Refuse before the work, not after it."""
        if self.verbose and self.quiet:
            raise BadInput("--verbose and --quiet contradict each other")
        if self.output is not None and not self.output.absolute().parent.is_dir():
            raise BadInput(f"--output {self.output}: there is no such directory")
        if self.output is not None and self.output.is_dir():
            raise BadInput(f"--output {self.output} is a directory")

    def write(self, answer: Answer) -> None:
        if stopped() and not was_cancelled(answer):
            raise KeyboardInterrupt
        terminal = self.output is None and sys.stdout.isatty()
        self.put(render(answer, self.form, terminal=terminal, width=_width()))
        if self.form is Format.CSV and not self.quiet:
            # Lines of a table have no place for them.
            source = source_of(answer)
            for warning in () if source is None else source.warnings:
                print(f"sqldiag: warning: {_one_line(warning)}", file=sys.stderr)  # noqa: T201

    def put(self, text: str) -> None:
        try:
            if self.output is None:
                _print(text)
            else:
                write_whole(self.output, text)
        except OSError as error:
            where = self.output or "the answer"
            raise CannotRun(f"cannot write {where}: {error.strerror}") from None
        if self.output is not None and not self.quiet:
            print(f"written to {self.output}", file=sys.stderr)  # noqa: T201


def explain(database: Database, statements: Sequence[Statement]) -> str:
    """Everything a run sends, in order: what opened the session, and what would follow."""
    connection = database.session.connection
    done = [_shown(executed.statement, executed.script) for executed in connection.executed]
    planned = [
        _shown(statement, connection.script(statement))
        for statement in (*statements, *connection.checks)
    ]
    return "\n\n".join([*done, *planned]) + "\n"


def _shown(statement: Statement, script: Sequence[str]) -> str:
    sent = "\n".join(f"{sql};" for sql in script)
    return f"-- {statement.kind.value}: {_one_line(statement.purpose)}\n{sent}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def tell_statement(executed: Executed) -> None:
    """What ran, and how long it took, on stderr."""
    shown = _shown(executed.statement, executed.script)
    print(f"{shown}\n-- {executed.seconds:.3f} s\n", file=sys.stderr)  # noqa: T201


def _width() -> int:
    return shutil.get_terminal_size((100, 24)).columns


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the answer has seen enough; it is the same answer. What is still buffered
        # must not fail again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def progress(label: str, writing: Writing) -> Iterator[None]:
    """A sign of life on stderr while the database works, when someone is looking."""
    if writing.quiet or writing.verbose or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        bar.add_task(label, total=None)
        yield
