"""`report`: a diagnosis as a page that someone else can read and sign."""

from __future__ import annotations

import sys

import typer

from sqldiag.asking import ReportOptions, SetOptions
from sqldiag.cli import options as o
from sqldiag.cli.groups import command
from sqldiag.cli.run import ASSUMED, Target, Writing, explain
from sqldiag.cli.search import bar
from sqldiag.errors import BadInput
from sqldiag.names import split_list


def register(app: typer.Typer) -> None:
    command(app)(report)


def report(
    target: Target,
    asked: SetOptions,
    among: o.ReportAmong = None,
    max_size: o.MaxSize = None,
    max_sets: o.MaxSets = None,
    max_seconds: o.MaxSeconds = None,
    *,
    paging: Writing,
) -> int:
    """Everything about these columns on one HTML page, for someone else to read and sign.

    Example: sqldiag report patients.csv --qi age,sex,zip --require "k >= 5" --output report.html
    """
    if paging.output is None and not paging.explain and sys.stdout.isatty():
        raise BadInput("name the file to write with --output, for example --output report.html")
    options = ReportOptions(
        **asked,
        among=split_list(among or (), option="--among"),
        max_size=max_size,
        max_sets=max_sets,
        max_seconds=max_seconds,
    )
    with target.open(verbose=paging.verbose) as database:
        table = target.relation(database)
        if paging.explain:
            paging.put(ASSUMED + explain(database, table.explain_report(**options)))
            return 0
        with bar(paging) as progress:
            page = table.report(progress=progress, **options)
    paging.put(page.html())
    diagnosis = page.diagnosis
    if diagnosis.borders is not None and diagnosis.borders.searched.cancelled:
        return 3
    return 1 if diagnosis.check is not None and not diagnosis.check.holds else 0
