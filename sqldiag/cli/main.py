"""`sqldiag`: the commands, and what an error looks like to the one who typed it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from sqldiag import __version__
from sqldiag.cli import sets
from sqldiag.errors import SqldiagError

app = typer.Typer(
    name="sqldiag",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Is this table anonymous? Privacy diagnosis that runs inside the database.",
    epilog="Exit codes: 0 it holds or was answered, 1 it does not hold, 2 bad input, "
    "3 it could not be done.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sqldiag {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The options before a command."""


sets.register(app)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; every failure is a sentence on stderr and an exit code."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    try:
        code = app(args=arguments, prog_name="sqldiag", standalone_mode=False)
    except SqldiagError as error:
        return _fail(error.sentence, error.exit_code)
    except typer.TyperException as error:
        return _fail(error.format_message(), 2)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("cancelled", 3)
    except BrokenPipeError:
        # Whoever read the answer has seen enough.
        sys.stderr.close()
        return 0
    # The library turns Ctrl-C into 130.
    if code == 130:
        return _fail("cancelled", 3)
    return int(code or 0)


def _fail(sentence: str, code: int) -> int:
    typer.echo(f"sqldiag: {sentence}", err=True)
    return code
