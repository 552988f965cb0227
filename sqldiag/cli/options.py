"""The options that commands share, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sqldiag.report import Format
from sqldiag.search.choice import Choice

_SRC = (
    "A URL (postgresql://…, duckdb:///file.duckdb), a DuckDB file or a data file "
    "(parquet, csv, json). "
)

Source = Annotated[
    str | None,
    typer.Argument(
        metavar="SRC",
        show_default=False,
        help=_SRC + "The environment variable SQLDIAG_URL stands in for it.",
    ),
]
TableName = Annotated[
    str | None,
    typer.Argument(
        metavar="TABLE",
        show_default=False,
        help="The table or view, as table or schema.table; left out for a data file.",
    ),
]
Qi = Annotated[
    list[str],
    typer.Option(
        "--qi",
        metavar="A,B",
        show_default=False,
        help="Quasi-identifiers: the columns someone may know. Comma-separated, may repeat; "
        "quote a name that holds a comma as in CSV: '\"x,y\",b'.",
    ),
]
Require = Annotated[
    list[str] | None,
    typer.Option(
        "--require",
        metavar="TEXT",
        show_default=False,
        help='What must hold, e.g. "k >= 5" or "distinct_l(diagnosis) >= 3". May repeat: all must '
        "hold at once.",
    ),
]
Suppress = Annotated[
    str | None,
    typer.Option(
        "--suppress",
        metavar="SHARE",
        show_default=False,
        help="The share of rows that may be suppressed: 0.01 or 1%.",
    ),
]
Sensitive = Annotated[
    list[str] | None,
    typer.Option(
        "--sensitive",
        metavar="A,B",
        show_default=False,
        help="Sensitive columns: what nobody should learn about a person.",
    ),
]
Entity = Annotated[
    str | None,
    typer.Option(
        "--entity",
        metavar="COLUMN",
        show_default=False,
        help="The column that says which person a row is about; crowds are then counted in people.",
    ),
]
Identifier = Annotated[
    list[str] | None,
    typer.Option(
        "--identifier", metavar="A,B", show_default=False, help="Columns that identify directly."
    ),
]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        metavar="TEXT",
        show_default=False,
        help='A measure to report, e.g. k or "entropy_l(diagnosis)"; may repeat. Without it: k '
        "and, for every --sensitive column, the whole family.",
    ),
]
Curve = Annotated[
    bool,
    typer.Option("--curve", help="The whole curve: for every value, the share to suppress."),
]
Contributions = Annotated[
    bool,
    typer.Option(
        "--contributions",
        help="What each column adds: the level without it, and of it alone.",
    ),
]
StrictSensitive = Annotated[
    bool,
    typer.Option(
        "--strict-sensitive",
        help="With several sensitive columns: for each, the others join the quasi-identifiers.",
    ),
]
Examples = Annotated[
    int | None,
    typer.Option(
        "--examples",
        metavar="N",
        min=1,
        show_default=False,
        help="Show the values of the N smallest groups. This brings data out of the database.",
    ),
]
Among = Annotated[
    list[str] | None,
    typer.Option(
        "--among",
        metavar="A,B",
        show_default=False,
        help="The columns to search. Without it: every column that has no other role.",
    ),
]
ReportAmong = Annotated[
    list[str] | None,
    typer.Option(
        "--among",
        metavar="A,B",
        show_default=False,
        help="The columns to search for sets that hold. Without it: those of --qi.",
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude", metavar="A,B", show_default=False, help="Columns to leave out of the search."
    ),
]
MaxSize = Annotated[
    int | None,
    typer.Option(
        "--max-size",
        metavar="M",
        min=1,
        show_default=False,
        help="Sets of at most M columns: what someone can know at once.",
    ),
]
MaxSets = Annotated[
    int | None,
    typer.Option(
        "--max-sets",
        metavar="N",
        min=1,
        show_default=False,
        help="Stop after looking at N sets, and print what is known by then.",
    ),
]
MaxSeconds = Annotated[
    float | None,
    typer.Option(
        "--max-seconds",
        metavar="S",
        show_default=False,
        help="Stop after S seconds, and print what is known by then.",
    ),
]
Strategy = Annotated[
    Choice,
    typer.Option(
        "--strategy",
        help="How to search: level by level (apriori), or whatever needs least work (auto). "
        "Both find the same.",
    ),
]
AllSets = Annotated[
    bool,
    typer.Option("--all", help="List the sets too whose value follows from a smaller set."),
]
Query = Annotated[
    str | None,
    typer.Option(
        "--query",
        metavar="SQL",
        show_default=False,
        help="Diagnose the rows of a SELECT instead of a table.",
    ),
]
Where = Annotated[
    str | None,
    typer.Option(
        "--where",
        metavar="SQL",
        show_default=False,
        help="Diagnose only rows that match: a condition.",
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        metavar="S",
        show_default=False,
        help="Give up when a statement takes longer than S seconds.",
    ),
]
LockTimeout = Annotated[
    float | None,
    typer.Option(
        "--lock-timeout",
        metavar="S",
        show_default=False,
        help="Postgres: give up when a lock takes longer than S seconds; otherwise as the server "
        "says, or 10.",
    ),
]
WorkMem = Annotated[
    str | None,
    typer.Option(
        "--work-mem",
        metavar="SIZE",
        show_default=False,
        help="Postgres: memory for one step of a statement, 64MB if not said.",
    ),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        "--memory-limit",
        metavar="SIZE",
        show_default=False,
        help="DuckDB: memory in all, such as 2GB.",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        show_default=False,
        help="Work with N threads; on Postgres, processes.",
    ),
]
Form = Annotated[Format, typer.Option("--format", help="How to write the answer.")]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        metavar="FILE",
        show_default=False,
        help="Write the answer there instead of to stdout.",
    ),
]
Explain = Annotated[
    bool, typer.Option("--explain", help="Print the SQL that would run, and run none of it.")
]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Print every statement, with its time, to stderr.")
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress, no notes: only the answer.")
]
