"""`check` and `measure`: questions about one set of columns."""

from __future__ import annotations

import typer

from sqldiag.asking import MeasureOptions, SetOptions
from sqldiag.cli import options as o
from sqldiag.cli.groups import command
from sqldiag.cli.run import ASSUMED, Target, Writing, explain, progress


def register(app: typer.Typer) -> None:
    """Add the commands, in the order that --help lists them."""
    command(app)(check)
    command(app)(measure)


def check(target: Target, asked: SetOptions, writing: Writing) -> int:
    """Does it hold for these columns? Exit code 0 if so, 1 if not.

    Example: sqldiag check patients.csv --qi age,sex,zip --require "k >= 5" --suppress 1%
    """
    with target.open(verbose=writing.verbose) as database:
        table = target.relation(database)
        if writing.explain:
            writing.put(explain(database, table.explain_check(**asked)))
            return 0
        with progress("grouping by " + ", ".join(asked["qi"]), writing):
            answer = table.check(**asked)
    writing.write(answer)
    return 0 if answer.holds else 1


def measure(
    target: Target,
    asked: SetOptions,
    measures: o.Measures = None,
    curve: o.Curve = False,
    contributions: o.Contributions = False,
    *,
    writing: Writing,
) -> int:
    """Which level do these columns have: how small is the smallest crowd, how much is unique?

    Example: sqldiag measure patients.csv --qi age,sex,zip --sensitive diagnosis
    """
    options = MeasureOptions(
        **asked, measures=measures or (), curve=curve, contributions=contributions
    )
    with target.open(verbose=writing.verbose) as database:
        table = target.relation(database)
        if writing.explain:
            assumed = ASSUMED if contributions else ""
            writing.put(assumed + explain(database, table.explain_measure(**options)))
            return 0
        with progress("grouping by " + ", ".join(options["qi"]), writing):
            answer = table.measure(**options)
    writing.write(answer)
    return 0
