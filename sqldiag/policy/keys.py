"""The keys of a policy file, declared once: reading checks them, the JSON Schema shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sqldiag.errors import BadInput
from sqldiag.policy.schedule import parse_schedule
from sqldiag.requirement import parse_requirement
from sqldiag.suppression import parse_share

TEXT, LIST, WHOLE, NUMBER, FLAG, SHARE, TABLE, TABLES, NAMES = (
    "a text",
    "a list of texts",
    "a whole number above 0",
    "a number above 0",
    "true or false",
    'a share, such as 0.01 or "1%"',
    "a table",
    "an array of tables",
    "a table of texts",
)


@dataclass(frozen=True, slots=True)
class Key:
    """A key: what kind of value it takes, what it means, and what else must be true of it."""

    name: str
    kind: str
    says: str
    required: bool = False
    choices: tuple[str, ...] = ()
    keys: tuple[Key, ...] = ()
    # Raises BadInput with what is wrong.
    check: Callable[[str], object] | None = field(default=None, compare=False)


def _share(text: str) -> object:
    return parse_share(text, option="the share")


def _identifier(text: str) -> None:
    if not text or len(text.encode()) > 63 or "\0" in text:
        raise BadInput("a schema's name has 1 to 63 bytes")


_REQUIRE = Key(
    "require",
    LIST,
    'What must hold, such as "k >= 5". All at once.',
    required=True,
    check=parse_requirement,
)
_SUPPRESS = Key("suppress", SHARE, "The share of rows that may be suppressed for it.", check=_share)
_SCHEDULE = "When a job runs in the database, as cron writes it; UTC."

BORDERS = (
    Key("require", LIST, "What sets must fulfil; the table's own without.", check=_REQUIRE.check),
    _SUPPRESS,
    Key("among", LIST, "The columns to search; every column without another role by default."),
    Key("exclude", LIST, "Columns to leave out of the search."),
    Key("max_size", WHOLE, "Sets of at most so many columns."),
    Key("max_sets", WHOLE, "Stop after looking at so many sets."),
    Key("max_seconds", NUMBER, "Stop after so many seconds."),
)

TABLE_KEYS = (
    Key("name", TEXT, "What reports, history and jobs call this check; the table by default."),
    Key("connection", TEXT, "One of the connections; may be left out where there is one only."),
    Key("table", TEXT, "The table or view, as table or schema.table; nothing for a data file."),
    Key("query", TEXT, "A SELECT whose rows are checked in place of a table."),
    Key("where", TEXT, "Only rows that match this condition are checked."),
    Key("quasi_identifiers", LIST, "Columns that someone may know about a person."),
    Key("sensitive", LIST, "Columns that nobody should learn about a person."),
    Key("entity", TEXT, "The column that says whom a row is about: crowds are counted in people."),
    Key("identifiers", LIST, "Columns that identify directly."),
    _REQUIRE,
    _SUPPRESS,
    Key("strict_sensitive", FLAG, "For each sensitive column, the others join the known ones."),
    Key("severity", TEXT, "Whether what does not hold fails the run.", choices=("fail", "warn")),
    Key("owner", TEXT, "Whom to ask; reports say it."),
    Key("description", TEXT, "What this is about; reports say it."),
    Key(
        "max_drop",
        SHARE,
        "How much worse than last time a required measure may get. Needs a history.",
        check=_share,
    ),
    Key("schedule", TEXT, _SCHEDULE, check=parse_schedule),
    Key("borders", TABLE, "Also search which sets of columns are safe.", keys=BORDERS),
)

KEYS = (
    Key("name", TEXT, "The policy's name, by which its jobs are told; the file's by default."),
    Key(
        "on_failure",
        TEXT,
        "A command for the shell, run when a check fails or could not run; gets the JSON on stdin.",
    ),
    Key(
        "connections", NAMES, "Name → URL, or env:NAME for a variable that holds it.", required=True
    ),
    Key(
        "history",
        TABLE,
        "Where every run is kept.",
        keys=(
            Key("url", TEXT, "A DuckDB file or a Postgres URL, or env:NAME.", required=True),
            Key("schema", TEXT, "The schema there, sqldiag by default.", check=_identifier),
        ),
    ),
    Key(
        "jobs",
        TABLE,
        "For `sqldiag job install`.",
        keys=(
            Key("schedule", TEXT, _SCHEDULE, check=parse_schedule),
            Key("schema", TEXT, "The schema of the jobs, sqldiag by default.", check=_identifier),
        ),
    ),
    Key("tables", TABLES, "What is checked.", required=True, keys=TABLE_KEYS),
)
