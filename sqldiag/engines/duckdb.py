"""DuckDB: database files, in-memory databases and data files (parquet, csv, json)."""

from __future__ import annotations

import glob
import json
import os
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import ClassVar

import duckdb

from sqldiag.engines.base import (
    Capabilities,
    Connection,
    Kind,
    Listener,
    Row,
    Statement,
    failed_on_data,
    literal,
)
from sqldiag.engines.paths import READERS, is_database, reader_for
from sqldiag.errors import BadInput, Cancelled, CannotRun, SqldiagError
from sqldiag.relation import Column

# Messages of these name objects or syntax; those of others may quote a value of a row.
_NAMES_ONLY = (
    duckdb.CatalogException,
    duckdb.BinderException,
    duckdb.ParserException,
    duckdb.PermissionException,
)
_SUGGESTIONS = ("Candidate bindings", "Did you mean")


class DuckDB(Connection):
    engine: ClassVar[str] = "duckdb"
    capabilities: ClassVar[Capabilities] = Capabilities(
        dialect="duckdb",
        temporary_schema="temp",
        joins_nulls=True,
        packs_keys=False,
        code_types=((2**8, "UTINYINT"), (2**16, "USMALLINT"), (2**31, "INT")),
        # Whole numbers sum to HUGEINT, which is slow; a double is exact up to 2^53 rows.
        count_types=((2**53, "DOUBLE"),),
        sets_per_statement=255,
        sets_together=32,
        exact_cells=400_000_000,
        approximates=True,
    )

    def __init__(
        self,
        database: str,
        *,
        config: dict[str, str] | None = None,
        listener: Listener | None = None,
    ) -> None:
        super().__init__(listener=listener)
        self._files: dict[Path, os.stat_result] = {}
        # A file that is open for reading cannot be written by anybody, so that all statements see
        # one snapshot without a transaction, and a failed one spoils nothing.
        self._connection = _open(database, config or {})
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sqldiag-duckdb")

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

    def close(self) -> None:
        self._worker.shutdown()
        self._connection.close()

    def _set_up(self, sql: str, purpose: str) -> None:
        self.run(Statement(sql=sql, purpose=purpose, kind=Kind.SETUP))

    def script(self, statement: Statement) -> tuple[str, ...]:
        if statement.stores is None:
            return (statement.sql,)
        return (f"CREATE TEMPORARY TABLE {statement.stores} AS\n{statement.sql}",)

    def _execute(self, sql: str) -> list[Row]:
        """In a thread of its own, for DuckDB does not heed every Ctrl-C while it works: the main
        thread waits, can be interrupted, and then interrupts DuckDB."""
        working = self._worker.submit(self._fetch, sql)
        try:
            return working.result()
        except duckdb.Error as error:
            raise _sentence(error, sql) from None
        except KeyboardInterrupt:
            self._connection.interrupt()
            wait([working])
            raise Cancelled("cancelled", sql=sql) from None

    def _fetch(self, sql: str) -> list[Row]:
        return [tuple(row) for row in self._connection.execute(sql).fetchall()]

    def _describe(self, statement: Statement) -> tuple[Column, ...]:
        self.run(statement)
        fields = self._connection.description or []
        return tuple(Column(str(field[0]), str(field[1])) for field in fields)

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
            "  table_oid IN (SELECT table_oid FROM duckdb_tables())\n"
            "FROM duckdb_columns()\n"
            "WHERE NOT internal\n"
            f"  AND (table_name = {name} OR schema_name || '.' || table_name = {name})\n"
            "  AND database_name IN (current_database(), 'temp')\n"
            "ORDER BY schema_name, table_name, column_index"
        )

    def _tables_sql(self) -> str:
        return (
            "SELECT DISTINCT CASE WHEN schema_name = current_schema() THEN table_name"
            " ELSE schema_name || '.' || table_name END AS name\n"
            "FROM duckdb_columns() WHERE NOT internal ORDER BY name LIMIT 10000"
        )


def _open(database: str, config: dict[str, str]) -> duckdb.DuckDBPyConnection:
    in_memory = database in ("", ":memory:")
    if not in_memory and not Path(database).is_file():
        raise BadInput(f"there is no file {database}")
    if reader_for(database) is not None and not is_database(database):
        raise BadInput(f"{database} is a data file; name it by its path alone, without a URL")
    # A name in a query is a table's, never that of a variable of ours.
    ours = {"python_enable_replacements": False}
    settings: dict[str, str | bool | int | float | list[str]] = {**config, **ours}
    try:
        return duckdb.connect(database or ":memory:", read_only=not in_memory, config=settings)
    except duckdb.IOException as error:
        if "lock" in str(error).lower():
            raise CannotRun(
                f"{database} is held open for writing by another process; close that first"
            ) from None
        if "not a valid" in str(error):
            raise BadInput(f"{database} is not a DuckDB database") from None
        raise CannotRun(f"cannot open {database}: {_first_line(error)}") from None
    except duckdb.ConnectionException:
        raise CannotRun(f"{database} is open in this process already; close that first") from None
    except duckdb.Error as error:
        raise CannotRun(f"cannot open {database}: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]


def _sentence(error: Exception, sql: str) -> SqldiagError:
    if isinstance(error, duckdb.InterruptException):
        return Cancelled("cancelled", sql=sql)
    if isinstance(error, duckdb.OutOfMemoryException):
        return CannotRun("DuckDB ran out of memory", sql=sql)
    if isinstance(error, _NAMES_ONLY) or "No files found" in _first_line(error):
        return BadInput(f"DuckDB refused the statement: {_with_names(error)}", sql=sql)
    kind = type(error).__name__.removesuffix("Exception")
    converting = isinstance(error, duckdb.ConversionException)
    return failed_on_data("DuckDB", f"{kind} error", converting=converting, sql=sql)


def _with_names(error: Exception) -> str:
    """The first line, and the second where it says which names there are."""
    lines = str(error).strip().splitlines()
    suggested = lines[1:2] if lines[1:2] and lines[1].startswith(_SUGGESTIONS) else []
    return " ".join([lines[0], *suggested])
