"""The rooms of the package, from the ground up: what each may import."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Room:
    """A module or package of ours, what of ours it may import, and which libraries."""

    modules: str
    ours: str = ""
    libraries: str = ""


# From the ground up: a room may import only what stands above it here, and itself. What is named
# with a dot is that module alone.
PURE = (
    "errors names suppression measure measures requirement profile lattice cost limits output "
    "kinds population"
)
ROOMS = (
    Room(PURE),
    Room("relation", PURE),
    Room("engines", f"{PURE} relation", "duckdb psycopg sqlalchemy"),
    # Knows no question; of engines only what they can do.
    Room("planner", f"{PURE} relation engines.base", "sqlglot"),
    Room("session", f"{PURE} relation engines.base planner"),
    # Knows no SQL and no database: it is handed verdicts.
    Room("search", PURE),
    Room("answers", f"{PURE} planner.ask session"),
    # Rows that nobody sees: asks the catalogue, reads what views say.
    Room("hidden", f"{PURE} relation engines.base planner session"),
    Room("asking", f"{PURE} relation planner.ask"),
    # Counts in, suggestions out.
    Room("scan", PURE),
    Room("scanned", f"{PURE} answers scan"),
    Room("contributions", f"{PURE} relation engines.base planner"),
    # Know no engine by name.
    Room("questions", f"{PURE} relation engines.base planner session answers asking contributions"),
    Room("searches", f"{PURE} relation engines.base planner session search answers questions"),
    Room("searching", f"{PURE} relation asking search searches"),
    Room(
        "diagnosing",
        f"{PURE} relation engines.base planner session search answers contributions questions "
        "searches",
    ),
    Room(
        "explaining",
        f"{PURE} relation engines.base planner session contributions search searches diagnosing",
    ),
    # What must hold, as a file says it; of engines, only how sources are written.
    Room("policy", f"{PURE} engines"),
    Room("outcomes", f"{PURE} answers policy"),
    # Keeps what was found, in whatever store it is handed.
    Room("history", f"{PURE} engines.base engines.store answers outcomes"),
    Room("jobs.model", f"{PURE} policy history"),
    Room(
        "scanning",
        f"{PURE} relation engines.base planner session search answers questions searches scan "
        "scanned",
    ),
    # Knows answers, and nothing of how they came about.
    Room(
        "report",
        f"{PURE} answers outcomes history jobs.model scan scanned",
        "rich jinja2 markupsafe",
    ),
    Room(
        "table",
        f"{PURE} relation engines planner.ask planner.source session search answers asking "
        "questions searches searching diagnosing explaining hidden scanned scanning report "
        "__init__",
        "sqlalchemy",
    ),
    Room(
        "api",
        f"{PURE} relation engines planner.source session hidden scanned scanning table",
        "sqlalchemy",
    ),
    Room("running", f"{PURE} relation engines answers asking api policy outcomes history"),
    Room(
        "jobs",
        f"{PURE} engines planner.ask planner.statement api policy history running",
    ),
    Room(
        "cli",
        f"{PURE} engines asking search scanning.ask report api policy outcomes running jobs "
        "__init__",
        "typer rich",
    ),
    Room("__init__", "errors api"),
    Room("__main__", "cli"),
)
