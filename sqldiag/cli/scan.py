"""`scan`: what the columns of a table probably are, before anyone has named them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from sqldiag.cli import options as o
from sqldiag.cli.groups import command
from sqldiag.cli.run import Target, Writing, explain, progress
from sqldiag.errors import BadInput
from sqldiag.names import split_list

if TYPE_CHECKING:
    from sqldiag.scanning.ask import ScanOptions

_QI = Annotated[
    list[str] | None,
    typer.Option(
        "--qi",
        metavar="A,B",
        show_default=False,
        help="Quasi-identifiers, where you know them. Without it: those that are suggested.",
    ),
]
_SCHEMA = Annotated[
    str | None,
    typer.Option(
        "--schema",
        metavar="NAME",
        show_default=False,
        help="Without TABLE: the schema whose tables are scanned.",
    ),
]
_POPULATION = Annotated[
    str | None,
    typer.Option(
        "--population",
        metavar="N",
        show_default=False,
        help="How many people the table was drawn from, e.g. 3e8. Without it, it is taken to hold "
        "everybody.",
    ),
]
_POPULATION_TABLE = Annotated[
    str | None,
    typer.Option(
        "--population-table",
        metavar="TABLE",
        show_default=False,
        help="The table of these people, one row each, with columns of the same names.",
    ),
]
_DOMAIN = Annotated[
    list[str] | None,
    typer.Option(
        "--domain",
        metavar="COLUMN=N",
        show_default=False,
        help="How many values a column could take, e.g. zip=100000; may repeat. Without it: as "
        "many as it has.",
    ),
]
_ALPHA = Annotated[
    float,
    typer.Option(
        "--alpha", metavar="SHARE", help="Columns that could single out this share identify."
    ),
]
_K = Annotated[
    str | None,
    typer.Option(
        "--k",
        metavar="K",
        show_default=False,
        help="Say how coarse columns must be so that K people share their values.",
    ),
]
_BETA = Annotated[
    float, typer.Option("--beta", metavar="SHARE", help="… but for this probability.")
]
_WEIGHT = Annotated[
    list[str] | None,
    typer.Option(
        "--weight",
        metavar="COLUMN=W",
        show_default=False,
        help="How much of its detail a column should keep, 1 for all others; may repeat.",
    ),
]

_FIRST = (
    "-- Which sets of columns are grouped then depends on what the columns turn out to be; with "
    "--qi\n-- it is known before.\n\n"
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(scan)


def scan(
    target: Target,
    qi: _QI = None,
    sensitive: o.Sensitive = None,
    entity: o.Entity = None,
    identifier: o.Identifier = None,
    exclude: o.Exclude = None,
    population: _POPULATION = None,
    population_table: _POPULATION_TABLE = None,
    domain: _DOMAIN = None,
    alpha: _ALPHA = 0.5,
    k: _K = None,
    beta: _BETA = 0.1,
    weight: _WEIGHT = None,
    max_size: o.MaxSize = None,
    schema: _SCHEMA = None,
    *,
    writing: Writing,
) -> int:
    """What is each column, and which single people out? A place to start when nothing is known.

    Example: sqldiag scan patients.csv --population 3e8
    """
    options: ScanOptions = {
        "qi": split_list(qi or (), option="--qi"),
        "sensitive": split_list(sensitive or (), option="--sensitive"),
        "entity": entity,
        "identifiers": split_list(identifier or (), option="--identifier"),
        "exclude": split_list(exclude or (), option="--exclude"),
        "population": population,
        "population_table": population_table,
        "domains": _pairs(domain or (), option="--domain"),
        "alpha": alpha,
        "k": k,
        "beta": beta,
        "weights": _pairs(weight or (), option="--weight"),
        "max_size": max_size,
    }
    with target.open(verbose=writing.verbose) as database:
        origin = target.origin()
        whole = target.names_no_relation and database.needs_table
        if whole:
            _must_not_name(options)
            if writing.explain:
                raise BadInput("--explain takes the name of a table to scan")
            with progress("scanning tables", writing):
                every = database.scan(schema, population=population, origin=origin)
            writing.write(every)
        else:
            if schema is not None:
                raise BadInput("--schema is for scans without TABLE; write schema.table")
            table = target.relation(database)
            if writing.explain:
                planned = explain(database, table.explain_scan(origin=origin, **options))
                writing.put(planned if options["qi"] else _FIRST + planned)
                return 0
            with progress("counting values", writing):
                answer = table.scan(origin=origin, **options)
            writing.write(answer)
    if target.hides_source and not writing.quiet:
        print(  # noqa: T201
            "The commands leave out the source, which holds a password: put it into SQLDIAG_URL.",
            file=sys.stderr,
        )
    return 0


def _pairs(texts: list[str] | tuple[str, ...], *, option: str) -> dict[str, str]:
    """``zip=100000``; a name may hold an equals sign."""
    found = {}
    for text in texts:
        name, equals, value = text.rpartition("=")
        if not equals or not name:
            raise BadInput(f"{option} takes a column and a number, such as zip=100000, not {text}")
        found[name] = value
    return found


def _must_not_name(options: ScanOptions) -> None:
    """Columns and sets belong to one table."""
    allowed = ("population", "alpha", "beta")
    wrong = [name for name, value in options.items() if value and name not in allowed]
    if wrong:
        option = {"identifiers": "identifier", "domains": "domain", "weights": "weight"}
        named = option.get(wrong[0], wrong[0]).replace("_", "-")
        raise BadInput(f"--{named} is about the columns of one table; name the table to scan")
