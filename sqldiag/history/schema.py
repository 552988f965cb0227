"""The tables of a history, and the steps from each version of them to the next."""

from __future__ import annotations

from collections.abc import Sequence

from sqldiag.engines.base import identifier
from sqldiag.engines.store import Writer
from sqldiag.errors import CannotRun

# A step is never changed once it was released: whoever has its tables goes on from the next one.
# {schema} is quoted. The same text for every engine.
_FIRST = (
    "CREATE TABLE {schema}.history_version (version INTEGER NOT NULL, since TIMESTAMP NOT NULL)",
    """\
CREATE TABLE {schema}.results (
  run TEXT NOT NULL,
  name TEXT NOT NULL,
  taken_at TIMESTAMP NOT NULL,
  origin TEXT NOT NULL,
  policy TEXT NOT NULL,
  policy_hash TEXT NOT NULL,
  tool_version TEXT NOT NULL,
  connection TEXT NOT NULL,
  relation TEXT NOT NULL,
  engine TEXT,
  question TEXT NOT NULL,
  severity TEXT NOT NULL,
  status TEXT NOT NULL,
  error TEXT,
  quasi_identifiers TEXT,
  suppress DOUBLE PRECISION,
  row_count BIGINT,
  entity_count BIGINT,
  null_rows BIGINT,
  class_count BIGINT,
  singletons BIGINT,
  holds BOOLEAN,
  rows_to_suppress BIGINT,
  suppression_needed DOUBLE PRECISION,
  remaining_rows BIGINT,
  statements INTEGER,
  base_scans INTEGER,
  seconds DOUBLE PRECISION,
  PRIMARY KEY (run, name)
)""",
    """\
CREATE TABLE {schema}.verdicts (
  run TEXT NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  requirement TEXT NOT NULL,
  measure TEXT NOT NULL,
  value DOUBLE PRECISION NOT NULL,
  value_suppressed DOUBLE PRECISION,
  holds BOOLEAN NOT NULL,
  rows_to_suppress BIGINT NOT NULL,
  suppression_needed DOUBLE PRECISION NOT NULL,
  remaining_rows BIGINT NOT NULL,
  PRIMARY KEY (run, name, position)
)""",
)

STEPS: tuple[tuple[str, ...], ...] = (_FIRST,)
TABLES = ("verdicts", "results", "history_version")

_IS_THERE = """\
SELECT COUNT(*) FROM information_schema.tables
WHERE table_schema = ? AND table_name = 'history_version'"""


def version(writer: Writer, schema: str) -> int:
    """0 where there are no tables yet."""
    if not writer.execute(_IS_THERE, [schema])[0][0]:
        return 0
    found = writer.execute(f"SELECT MAX(version) FROM {identifier(schema)}.history_version")
    return int(str(found[0][0] or 0))


def migrate(
    writer: Writer, schema: str, *, now: str, steps: Sequence[Sequence[str]] = STEPS
) -> None:
    """Bring the tables to the newest version, one step after the other; rows stay."""
    if version(writer, schema) < len(steps):
        # Two runs may be the first: the second finds the tables there.
        writer.lock(f"sqldiag history {schema}")
        writer.make_schema(schema)
    present = version(writer, schema)
    must_know(present, schema, steps)
    for number, step in enumerate(steps[present:], present + 1):
        for sql in script(schema, number, step, now=now):
            writer.execute(sql)


def must_know(present: int, schema: str, steps: Sequence[Sequence[str]] = STEPS) -> None:
    if present > len(steps):
        raise CannotRun(
            f"the history in schema {schema} is of version {present}, made by a newer sqldiag; "
            f"this one knows versions up to {len(steps)}: upgrade it"
        )


def script(schema: str, number: int, step: Sequence[str], *, now: str) -> list[str]:
    """The statements of a step; ``now`` is SQL for the time in UTC."""
    quoted = identifier(schema)
    statements = [sql.replace("{schema}", quoted) for sql in step]
    return [*statements, f"INSERT INTO {quoted}.history_version VALUES ({number}, {now})"]
