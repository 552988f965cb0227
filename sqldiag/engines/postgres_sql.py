"""What is sent to Postgres beside the diagnosis itself: the transaction, the catalogue."""

from __future__ import annotations

from collections.abc import Iterable

from sqldiag.engines.base import literal
from sqldiag.limits import Limits

# A part of the transaction that can only read. It is left for as long as it takes to make a
# temporary table of ours, and for nothing else; what a part sets ends with it.
READING, STORING = "SAVEPOINT sqldiag_reads", "SAVEPOINT sqldiag_stores"
GUARD = (READING, "SET TRANSACTION READ ONLY")
UNGUARD = (f"RELEASE {READING}", STORING)
REGUARD = (f"RELEASE {STORING}", *GUARD)

_WORK_MEM = "64MB"

# Where neither the server nor the role nor the URL says how long to wait, we do. A lock: nobody
# queues behind us for long. An idle transaction: it keeps old rows from being cleaned up. A client
# that has gone: its statement ends (not every system can look for that).
_PATIENCE = """\
SELECT set_config(name, wanted, true)
FROM (VALUES ('lock_timeout', '10s'), ('idle_in_transaction_session_timeout', '15min'),
  ('client_connection_check_interval', '10s')) AS ours(name, wanted)
JOIN pg_settings USING (name)
WHERE setting = '0' AND (name NOT LIKE 'client%' OR version() LIKE '%linux%')"""

DECLARED = """\
SELECT a.attname, col_description(c.oid, a.attnum), l.label
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_seclabel AS l ON l.objoid = c.oid AND l.classoid = 'pg_class'::regclass
  AND l.objsubid = a.attnum AND l.provider IN ('anon', 'k_anonymity')
WHERE n.nspname = {schema} AND c.relname = {table}
ORDER BY a.attnum, l.provider"""


def setup(limits: Limits) -> Iterable[tuple[str, str]]:
    """What opens the transaction, each with what it is for."""
    yield "BEGIN ISOLATION LEVEL REPEATABLE READ", "one snapshot for all statements"
    yield "SET LOCAL standard_conforming_strings = on", "string constants mean what they say"
    yield (
        f"SET LOCAL work_mem = {literal(limits.work_mem or _WORK_MEM)}",
        "room to group in memory",
    )
    yield "SET LOCAL jit = off", "many small statements are not worth compiling"
    for name, seconds in (
        ("statement_timeout", limits.timeout),
        ("lock_timeout", limits.lock_timeout),
    ):
        if seconds is not None:
            yield f"SET LOCAL {name} = {round(seconds * 1000)}", "no longer than asked for"
    if limits.threads is not None:
        # The process that was asked works too.
        workers = f"SET LOCAL max_parallel_workers_per_gather = {limits.threads - 1}"
        yield workers, "no more processes than asked for"
    yield _PATIENCE, "no endless waiting"
    for sql in GUARD:
        yield sql, "nothing can be written"


MAY_STORE = """\
SELECT NOT pg_is_in_recovery() AND has_database_privilege(current_database(), 'TEMPORARY')
  AND current_setting('default_transaction_read_only') = 'off'"""

FIND = """\
SELECT NULL, n.nspname, c.relname, pg_table_is_visible(c.oid), a.attname,
  format_type(a.atttypid, a.atttypmod), c.relkind IN ('r', 'p', 'm') AND NOT c.relrowsecurity,
  c.relkind IN ('r', 'm') AND NOT c.relrowsecurity AND NOT c.relhassubclass
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND (c.relname = {name} OR n.nspname || '.' || c.relname = {name})
ORDER BY n.nspname, c.relname, a.attnum"""

TABLES = """\
SELECT CASE WHEN pg_table_is_visible(c.oid) THEN c.relname
  ELSE n.nspname || '.' || c.relname END AS name
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_toast%'
ORDER BY name LIMIT 10000"""

# Everything that reading some relations reads, and as whom: a view reads with its owner's rights
# unless it says otherwise; policies of a partition do not count when its parent is read.
BEHIND = """\
WITH RECURSIVE reads(oid, reader) AS (
  SELECT CAST(to_regclass(name) AS OID), (SELECT oid FROM pg_roles WHERE rolname = current_user)
  FROM unnest(ARRAY[{names}]) AS named(name)
  UNION
  SELECT next.oid, next.reader
  FROM reads
  JOIN pg_class AS c ON c.oid = reads.oid
  CROSS JOIN LATERAL (
    SELECT d.refobjid AS oid, CASE WHEN EXISTS (
        SELECT FROM pg_options_to_table(c.reloptions)
        WHERE option_name = 'security_invoker' AND CAST(option_value AS BOOLEAN)
      ) THEN reads.reader ELSE c.relowner END AS reader
    FROM pg_rewrite AS r
    JOIN pg_depend AS d ON d.classid = CAST('pg_rewrite' AS regclass) AND d.objid = r.oid
      AND d.refclassid = CAST('pg_class' AS regclass) AND d.refobjid <> c.oid
    WHERE r.ev_class = c.oid AND c.relkind = 'v'
    UNION ALL
    SELECT inhrelid, NULL FROM pg_inherits WHERE inhparent = c.oid
  ) AS next
)
SELECT DISTINCT CASE WHEN pg_table_is_visible(c.oid) THEN c.relname
    ELSE n.nspname || '.' || c.relname END AS name,
  CASE WHEN c.relrowsecurity AND NOT (a.rolsuper OR a.rolbypassrls)
    AND (c.relforcerowsecurity OR NOT pg_has_role(a.oid, c.relowner, 'USAGE'))
    THEN a.rolname END,
  c.relkind = 'f',
  CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) END
FROM reads
JOIN pg_class AS c ON c.oid = reads.oid
JOIN pg_namespace AS n ON n.oid = c.relnamespace
LEFT JOIN pg_roles AS a ON a.oid = reads.reader
WHERE n.nspname <> 'pg_catalog'
ORDER BY name"""

# Functions in C run outside of what a read-only transaction guards: they may signal processes,
# read and write files, connect elsewhere, or run SQL that stands in a string. Those that say of
# themselves that they do more than compute are refused, but for these.
_HARMLESS = (
    *("random", "random_normal", "setseed", "gen_random_uuid", "gen_random_bytes", "gen_salt"),
    *("uuid_generate_v1", "uuid_generate_v1mc", "uuid_generate_v4", "clock_timestamp"),
    *("timeofday", "currval", "lastval", "pg_sleep", "txid_current", "pg_current_xact_id"),
)

SIDE_EFFECTS = """\
SELECT DISTINCT p.proname
FROM pg_proc AS p
JOIN pg_language AS l ON l.oid = p.prolang
WHERE lower(p.proname) IN ({names}) AND p.provolatile = 'v' AND NOT l.lanpltrusted
  AND p.proname NOT IN ({harmless})
ORDER BY 1"""


def side_effects(names: Iterable[str]) -> str:
    listed, harmless = (", ".join(map(literal, each)) for each in (names, _HARMLESS))
    return SIDE_EFFECTS.format(names=listed, harmless=harmless)


# A snapshot does not cover everything: a table that was truncated or rewritten since looks empty,
# one made since has no rows, and a partition attached since is simply there. What we have read is
# locked, so that looking once, afterwards, is enough. (Roll-ups that we dropped stay locked, too,
# and have no name any more; an index may be made at any time.)
CHANGED = """\
SELECT COALESCE(c.relname, CAST(CAST(l.relation AS regclass) AS TEXT))
FROM pg_locks AS l
LEFT JOIN pg_class AS c ON c.oid = l.relation
WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation'
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND CASE WHEN c.oid IS NULL THEN pg_get_indexdef(l.relation) IS NULL
      AND CAST(CAST(l.relation AS regclass) AS TEXT) <> CAST(l.relation AS TEXT)
    WHEN c.relkind IN ('r', 'm') AND c.relpersistence <> 't' AND c.relfilenode <> 0
      THEN c.relfilenode IS DISTINCT FROM pg_relation_filenode(c.oid)
    WHEN c.relkind = 'p' THEN (SELECT COUNT(*) FROM pg_inherits WHERE inhparent = c.oid)
      <> (SELECT COUNT(*) FROM pg_partition_tree(c.oid) WHERE level = 1)
    ELSE FALSE END
LIMIT 1"""
