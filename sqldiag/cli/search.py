"""`borders` and `subsets`: questions about all sets of columns."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

import typer

from sqldiag.asking import SearchOptions, SubsetsOptions
from sqldiag.cli import options as o
from sqldiag.cli.groups import command
from sqldiag.cli.run import ASSUMED, Target, Writing, explain
from sqldiag.search.base import Progress, Report
from sqldiag.search.choice import Choice

_STRATEGY = "-- strategy: {}\n" + ASSUMED


def register(app: typer.Typer) -> None:
    """Add the commands, in the order that --help lists them."""
    command(app)(borders)
    command(app)(subsets)


def borders(
    target: Target,
    searched: SearchOptions,
    strategy: o.Strategy = Choice.AUTO,
    *,
    writing: Writing,
) -> int:
    """For which sets of columns does it hold? Finds the largest safe and the smallest unsafe sets.

    Example: sqldiag borders patients.csv --identifier name --require "k >= 5" --max-size 4
    """
    options = SearchOptions(**searched, strategy=strategy.value)
    with target.open(verbose=writing.verbose) as database:
        table = target.relation(database)
        if writing.explain:
            how, statements = table.explain_borders(**options)
            writing.put(_STRATEGY.format(how) + explain(database, statements))
            return 0
        with bar(writing) as report:
            answer = table.borders(progress=report, **options)
    writing.write(answer)
    return 3 if answer.searched.cancelled else 0


def subsets(
    target: Target,
    searched: SearchOptions,
    measures: o.Measures = None,
    curve: o.Curve = False,
    all_sets: o.AllSets = False,
    *,
    writing: Writing,
) -> int:
    """Which level does every set of columns have? Lists them, most dangerous first.

    Example: sqldiag subsets patients.csv --among age,sex,zip,ward --max-size 3
    """
    options = SubsetsOptions(**searched, measures=measures or (), curve=curve, all=all_sets)
    with target.open(verbose=writing.verbose) as database:
        table = target.relation(database)
        if writing.explain:
            how, statements = table.explain_subsets(**options)
            writing.put(_STRATEGY.format(how) + explain(database, statements))
            return 0
        with bar(writing) as report:
            answer = table.subsets(progress=report, **options)
    writing.write(answer)
    return 3 if answer.searched.cancelled else 0


@contextlib.contextmanager
def bar(writing: Writing) -> Iterator[Report | None]:
    """How far the search is, on stderr, when someone is looking."""
    if writing.quiet or writing.verbose or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[state]}"),
        TimeElapsedColumn(),
    )
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading the table", total=None, state="")

        def report(progress: Progress) -> None:
            known = progress.evaluated + progress.inferred
            state = (
                f"{progress.evaluated:,} looked at, {progress.inferred:,} inferred, "
                f"{progress.remaining:,} to go"
            )
            bar.update(
                task,
                description=f"sets of {progress.level}",
                completed=known,
                total=known + progress.remaining,
                state=state,
            )

        yield report
