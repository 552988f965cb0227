"""`sqldiag`: the commands, and what an error looks like to the one who typed it."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from sqldiag import __version__
from sqldiag.cli.start import STOPS
from sqldiag.errors import SqldiagError

# Where the commands are, in the order that --help lists them: only what is asked for is loaded.
_HOMES = {
    "sets": ("check", "measure"),
    "search": ("borders", "subsets"),
    "policies": ("run", "history", "init"),
    "jobs": ("job",),
    "scan": ("scan",),
    "report": ("report",),
}
_ANSWERED = (0, 1)


def build(arguments: Sequence[str] = ()) -> typer.Typer:
    """The command line that these arguments need: all of it, unless they begin with a command."""
    app = typer.Typer(
        name="sqldiag",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        help="Is this table anonymous? Privacy diagnosis that runs inside the database.",
        epilog="Exit codes: 0 it holds or was answered, 1 it does not hold, 2 bad input, "
        "3 it could not be done.",
    )
    app.callback()(_root)
    named = set(arguments[:1])
    wanted = [home for home, commands in _HOMES.items() if named.intersection(commands)]
    for home in wanted or _HOMES:
        import_module(f"sqldiag.cli.{home}").register(app)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sqldiag {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The options before a command."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; every failure is a sentence on stderr and an exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A file or a pipe holds UTF-8, whatever the locale; a terminal shows what it can.
        terminal = sys.stdout.isatty()
        sys.stdout.reconfigure(encoding=None if terminal else "utf-8", errors="replace")
    try:
        code = run(arguments)
    except Exception as error:
        # Its message might hold a value of a row: the place is enough to find the mistake.
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {Path(place.filename).name}, line {place.lineno}"
        code = _fail(f"this is a mistake in sqldiag itself, please report it: {where}", 3)
    for no_more in STOPS:
        # It is over: nothing is left to stop.
        signal.signal(no_more, signal.SIG_IGN)
    _leave(code)


def _leave(code: int) -> NoReturn:
    """At once after an answer: by then everything is closed, and Python would only take apart what
    it has loaded, for a tenth of the time that a small command takes."""
    if code in _ANSWERED:
        # What cannot be written is for Python to complain about.
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        code = build(given)(args=given, prog_name="sqldiag", standalone_mode=False)
    except SqldiagError as error:
        return _fail(error.sentence, error.exit_code)
    except typer.TyperException as error:
        return _fail(_usage(error), 2)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("cancelled", 3)
    # The library turns Ctrl-C into 130.
    if code == 130:
        return _fail("cancelled", 3)
    return int(code or 0)


def _usage(error: typer.TyperException) -> str:
    """What the library says of options and arguments, and where to read about them."""
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    # Without a message, it has shown the help itself.
    if not message or context is None:
        return message
    return f"{message}; see {context.command_path} --help"


def _fail(sentence: str, code: int) -> int:
    """A name in a sentence may hold anything: it stays one line and moves no cursor."""
    line = "".join(c if c.isprintable() else " " for c in sentence)
    if line:
        typer.echo(f"sqldiag: {line}", err=True)
    return code
