"""DuckDB: database files, in-memory databases and data files (parquet, csv, json)."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import duckdb

from sqldiag.engines.base import (
    Behind,
    Capabilities,
    Connection,
    Kind,
    Listener,
    Row,
    Statement,
    literal,
)
from sqldiag.engines.duckdb_open import open_database, sentence, settings_for
from sqldiag.engines.paths import READERS, reader_for
from sqldiag.errors import BadInput, CannotRun
from sqldiag.limits import Limits
from sqldiag.relation import Column

_ROLLUPS = "sqldiag_rollups"
# More connections to one file at once are not tried.
_MOST_NEIGHBOURS = 100
_CORES = "SELECT current_setting('threads')"
# Statements that wait for each lane, so that none stands idle behind a slow neighbour.
_HELPINGS = 4

# Functions that write, set something, or run SQL that stands in a string.
_SIDE_EFFECTS = frozenset(
    (
        *("nextval", "setval", "write_log", "query", "query_table", "json_execute_serialized_sql"),
        *("checkpoint", "force_checkpoint", "copy_database", "import_database", "add_parquet_key"),
        *("create_external_resource", "register_external_resource"),
        *("register_external_resource_type", "deregister_external_resource"),
        *("destroy_external_resource", "enable_logging", "disable_logging", "truncate_duckdb_logs"),
        *("enable_profiling", "enable_profile", "disable_profiling", "disable_profile"),
        *("enable_progress_bar", "enable_optimizer", "disable_optimizer", "enable_verification"),
        *("disable_verification", "enable_object_cache", "disable_object_cache"),
        *("enable_checkpoint_on_shutdown", "disable_checkpoint_on_shutdown", "python_map_function"),
        *("pandas_scan", "arrow_scan", "arrow_scan_dumb", "python_arrow_scan", "seq_scan"),
        "getenv",
    )
)
_VIEWS = """\
SELECT view_name, sql FROM duckdb_views()
WHERE NOT internal AND database_name = current_database() ORDER BY view_name"""


class DuckDB(Connection):
    engine: ClassVar[str] = "duckdb"
    capabilities: Capabilities = Capabilities(
        dialect="duckdb",
        temporary_schema=f"{_ROLLUPS}.main",
        joins_nulls=True,
        # Whole numbers sum to HUGEINT, which is slow; a double is exact up to 2^53 rows.
        count_types=((2**53, "DOUBLE"),),
        sets_per_statement=255,
        sets_together=32,
        portion_rows=None,
        exact_cells=400_000_000,
        approximates=True,
    )

    def __init__(
        self,
        database: str,
        *,
        config: dict[str, str] | None = None,
        limits: Limits,
        listener: Listener | None = None,
    ) -> None:
        super().__init__(listener=listener)
        limits.refuse(
            *("lock_timeout", "work_mem"),
            engine="DuckDB",
            instead="there, --timeout and --memory-limit say how much a diagnosis may take",
        )
        self._timeout = limits.timeout
        self._files: dict[Path, os.stat_result] = {}
        # A file that is open for reading cannot be written by anybody, so that all statements see
        # one snapshot without a transaction, and a failed one spoils nothing.
        self._connection = open_database(database, {**(config or {}), **settings_for(limits)})
        self._lane = threading.local()
        self._cursors: list[duckdb.DuckDBPyConnection] = []
        self._placed, self._attached = _ROLLUPS, False

    def mount_file(self, path: str) -> str:
        """Make a data file readable under its own name, as a temporary view."""
        reader = reader_for(path)
        # A file whose name looks like a pattern is that file.
        named = [path] if Path(path).is_file() else glob.glob(path, recursive=True)  # noqa: PTH207
        files = sorted(file for file in map(Path, named) if file.is_file())
        if not files:
            raise BadInput(f"there is no file {path}")
        if reader is None:
            raise BadInput(f"{path} is no data file that can be read ({', '.join(READERS)})")
        self._files = {file: file.stat() for file in files}
        name = Path(path).name
        view = '"' + name.replace('"', '""') + '"'
        # The files as they are now: one that appears later is not of this snapshot.
        listed = ", ".join(literal(glob.escape(str(file))) for file in files)
        source = f"{reader}({listed if len(files) == 1 else f'[{listed}]'})"
        self._set_up(f"CREATE TEMP VIEW {view} AS SELECT * FROM {source}", "read the file")
        return name

    def verify(self) -> None:
        for file, before in self._files.items():
            try:
                now = file.stat()
            except OSError:
                raise CannotRun(f"{file} went away during the diagnosis") from None
            if (now.st_mtime_ns, now.st_size) != (before.st_mtime_ns, before.st_size):
                raise CannotRun(f"{file} was changed during the diagnosis; run it again")

    def _disconnect(self) -> None:
        if self._attached:
            # It would stay as long as another connection of this process reads the file.
            with contextlib.suppress(duckdb.Error):
                self._connection.execute(f"DETACH {self._placed}")
        self._connection.close()

    def _set_up(self, sql: str, purpose: str) -> None:
        self.run(Statement(sql=sql, purpose=purpose, kind=Kind.SETUP))

    def script(self, statement: Statement) -> tuple[str, ...]:
        if statement.stores is None:
            return (statement.sql,)
        placed = self.capabilities.temporary_schema
        return (f"CREATE TABLE {placed}.{statement.stores} AS\n{statement.sql}",)

    def lanes(self) -> int:
        return int(str(self._connection.execute(_CORES).fetchall()[0][0]))

    def run_all(self, statements: Iterable[Statement], *, number: int) -> Iterator[list[Row]]:
        """Side by side: a statement on every core gets more done than all cores on one."""
        cores = self.lanes()
        side_by_side = min(cores, number)
        if side_by_side < 2:
            yield from self._run_ahead(statements, ahead=1)
            return
        alone, self._lanes = self._lanes, self._more_lanes(side_by_side)
        if number >= cores:
            self._connection.execute("SET threads = 1")
        try:
            yield from self._run_ahead(statements, ahead=_HELPINGS * side_by_side)
        finally:
            self._lanes.shutdown()
            self._lanes, self._cursors = alone, []
            self._connection.execute(f"SET threads = {cores}")

    def _more_lanes(self, number: int) -> ThreadPoolExecutor:
        """Each has a connection of its own to what this one has opened."""
        self._cursors = [self._connection.cursor() for _ in range(number)]
        free = iter(self._cursors)

        def begin() -> None:
            self._lane.connection = next(free)

        return ThreadPoolExecutor(number, thread_name_prefix="sqldiag", initializer=begin)

    def _execute(self, sql: str) -> list[Row]:
        connection = getattr(self._lane, "connection", self._connection)
        try:
            return self._fetch(connection, sql)
        except duckdb.Error as error:
            raise sentence(error, sql) from None

    def _fetch(self, connection: duckdb.DuckDBPyConnection, sql: str) -> list[Row]:
        if self._timeout is None:
            return [tuple(row) for row in connection.execute(sql).fetchall()]
        late = threading.Event()

        def stop() -> None:
            late.set()
            connection.interrupt()

        timer = threading.Timer(self._timeout, stop)
        timer.start()
        try:
            return [tuple(row) for row in connection.execute(sql).fetchall()]
        except duckdb.InterruptException:
            if late.is_set():
                message = "the statement took longer than --timeout allows"
                raise CannotRun(message, sql=sql) from None
            raise
        finally:
            timer.cancel()

    def interrupt(self) -> None:
        for connection in (self._connection, *self._cursors):
            connection.interrupt()

    def stores_rollups(self) -> bool:
        """In a database of its own in memory, which all lanes see; a temporary table is seen by
        one connection only."""
        if not self._attached:
            self._attach()
        return True

    def _attach(self) -> None:
        """Connections of this process to one file share what is attached, so that each of them
        takes a name of its own; the file itself may bear ours, too."""
        for number in range(1, _MOST_NEIGHBOURS + 1):
            name = _ROLLUPS if number == 1 else f"{_ROLLUPS}_{number}"
            try:
                self._set_up(
                    f"ATTACH ':memory:' AS {name} (READ_WRITE)", "room for roll-ups, in memory"
                )
            except BadInput:
                if number == _MOST_NEIGHBOURS:
                    raise
                continue
            self._placed, self._attached = name, True
            placed = replace(type(self).capabilities, temporary_schema=f"{name}.main")
            self.capabilities = placed
            return

    def _describe(self, statement: Statement) -> tuple[Column, ...]:
        self.run(statement)
        fields = self._connection.description or []
        return tuple(Column(str(field[0]), str(field[1])) for field in fields)

    def side_effects(self, functions: Sequence[str]) -> tuple[str, ...]:
        return tuple(sorted(_SIDE_EFFECTS.intersection(functions)))

    def behind(self, relations: Sequence[str]) -> tuple[Behind, ...]:  # noqa: ARG002
        """Every view there is: who reads which is for the caller to find out."""
        look = Statement(sql=_VIEWS, purpose="what is read behind it?", kind=Kind.CATALOGUE)
        return tuple(Behind(name=str(name), definition=str(sql)) for name, sql in self.run(look))

    def _estimated(self, plan: list[Row]) -> int:
        node = json.loads(str(plan[0][1]))[0]
        while "Estimated Cardinality" not in node["extra_info"] and node["children"]:
            node = node["children"][0]
        return int(node["extra_info"].get("Estimated Cardinality", 0))

    def _find_sql(self, name: str) -> str:
        return (
            # A schema named like a database is ambiguous without the name of its own.
            "SELECT CASE WHEN schema_name IN (SELECT database_name FROM duckdb_databases())"
            " THEN database_name END,\n"
            "  schema_name, table_name,\n"
            "  schema_name = current_schema() OR database_name = 'temp', column_name, data_type,\n"
            "  table_oid IN (SELECT table_oid FROM duckdb_tables()),\n"
            "  database_name = 'temp' OR table_oid IN (SELECT table_oid FROM duckdb_tables())\n"
            "FROM duckdb_columns()\n"
            "WHERE NOT internal\n"
            f"  AND (table_name = {name} OR schema_name || '.' || table_name = {name})\n"
            "  AND database_name IN (current_database(), 'temp')\n"
            "ORDER BY schema_name, table_name, column_index"
        )

    def _declared_sql(self, schema: str, table: str) -> str:
        return (
            "SELECT column_name, comment, NULL FROM duckdb_columns()\n"
            f"WHERE NOT internal AND schema_name = {schema} AND table_name = {table}\n"
            "  AND database_name IN (current_database(), 'temp')\n"
            "ORDER BY column_index"
        )

    def _tables_sql(self) -> str:
        return (
            "SELECT DISTINCT CASE WHEN schema_name = current_schema() THEN table_name"
            " ELSE schema_name || '.' || table_name END AS name\n"
            "FROM duckdb_columns() WHERE NOT internal ORDER BY name LIMIT 10000"
        )
