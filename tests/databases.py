"""One small interface to a fresh database on each engine, for tests that run on all of them."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import duckdb
import psycopg
from psycopg import sql

from tests.postgres_server import Server

Columns = Mapping[str, str] | Sequence[str]
Rows = Sequence[Sequence[object]]


class Database(Protocol):
    """A database that holds nothing but what the test puts there."""

    @property
    def engine(self) -> str:
        """`duckdb` or `postgres`."""

    @property
    def url(self) -> str:
        """What a user would pass as SRC."""

    def execute(self, statement: str) -> None:
        """Run one or more statements, each committed by itself."""

    def query(self, statement: str) -> list[tuple[object, ...]]:
        """The rows of a statement."""

    def load(self, table: str, columns: Columns, rows: Rows, *, schema: str | None = None) -> None:
        """Make the table anew, in a schema made if need be, with these rows.

        Names are taken literally. `columns` maps names to SQL types; where it only lists names the
        types are guessed from the values.
        """

    def tables(self) -> set[str]:
        """Every object that anybody has made and left: tables, views, indexes, sequences, types,
        functions, schemas, and other sessions' temporary ones where the catalog shows them.

        Named plainly in the default schema, `schema.name` elsewhere.
        """


class DuckDBDatabase:
    """A DuckDB file. It is open only within a call: two configurations cannot share a file."""

    engine = "duckdb"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.url = f"duckdb:///{path}"
        duckdb.connect(path).close()

    def execute(self, statement: str) -> None:
        with duckdb.connect(self.path) as connection:
            connection.execute(statement)

    def query(self, statement: str) -> list[tuple[object, ...]]:
        with duckdb.connect(self.path) as connection:
            return connection.execute(statement).fetchall()

    def load(self, table: str, columns: Columns, rows: Rows, *, schema: str | None = None) -> None:
        types = _types(columns, rows)
        name = _quoted(table) if schema is None else f"{_quoted(schema)}.{_quoted(table)}"
        columns_sql = ", ".join(f"{_quoted(column)} {kind}" for column, kind in types.items())
        with duckdb.connect(self.path) as connection:
            connection.execute("BEGIN")
            if schema is not None:
                connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_quoted(schema)}")
            connection.execute(f"DROP TABLE IF EXISTS {name}")
            connection.execute(f"CREATE TABLE {name} ({columns_sql})")
            if rows:
                # A list for each column: one statement, where executemany takes one for each row.
                values = ", ".join(f"unnest(CAST(? AS {kind}[]))" for kind in types.values())
                by_column = [list(column) for column in zip(*rows, strict=True)]
                connection.execute(f"INSERT INTO {name} SELECT {values}", by_column)
            connection.execute("COMMIT")

    def tables(self) -> set[str]:
        return _names("main", self.query(_DUCKDB_OBJECTS))


class PostgresDatabase:
    """A database of its own on a throwaway server."""

    engine = "postgres"

    def __init__(self, server: Server, name: str) -> None:
        self.server = server
        self.name = name
        self.url = server.url(name)
        with server.connect() as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        self._connection: psycopg.Connection | None = None

    def execute(self, statement: str) -> None:
        self._connected().execute(statement)

    def query(self, statement: str) -> list[tuple[object, ...]]:
        return self._connected().execute(statement).fetchall()

    def load(self, table: str, columns: Columns, rows: Rows, *, schema: str | None = None) -> None:
        types = _types(columns, rows)
        name = sql.Identifier(table) if schema is None else sql.Identifier(schema, table)
        columns_sql = sql.SQL(", ").join(
            sql.SQL("{} {}").format(sql.Identifier(column), sql.SQL(kind))
            for column, kind in types.items()
        )
        connection = self._connected()
        with connection.transaction(), connection.cursor() as cursor:
            if schema is not None:
                create = sql.SQL("CREATE SCHEMA IF NOT EXISTS {}")
                cursor.execute(create.format(sql.Identifier(schema)))
            cursor.execute(
                sql.SQL("DROP TABLE IF EXISTS {0}; CREATE TABLE {0} ({1})").format(
                    name, columns_sql
                )
            )
            with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(name)) as copy:
                for row in rows:
                    copy.write_row(row)

    def tables(self) -> set[str]:
        return _names("public", self.query(_POSTGRES_OBJECTS))

    def drop(self) -> None:
        """Drop the database, whoever is still connected to it."""
        if self._connection is not None:
            self._connection.close()
        with self.server.connect() as connection:
            statement = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
            connection.execute(statement.format(sql.Identifier(self.name)))

    def _connected(self) -> psycopg.Connection:
        """The one connection we keep, or a new one where the server has cut it off."""
        if self._connection is not None:
            try:
                self._connection.execute("")
                return self._connection
            except psycopg.OperationalError:
                self._connection.close()
        self._connection = self.server.connect(self.name)
        # A test may drop what is not there; the server's notices are of no interest.
        self._connection.execute("SET client_min_messages = warning")
        return self._connection


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _types(columns: Columns, rows: Rows) -> dict[str, str]:
    if isinstance(columns, Mapping):
        return dict(columns)
    return {name: _guess([row[position] for row in rows]) for position, name in enumerate(columns)}


def _guess(values: Sequence[object]) -> str:
    """A type that both engines know and that holds all the values."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "BOOLEAN"
    if kinds == {int}:
        small = all(-(2**31) <= value < 2**31 for value in values if isinstance(value, int))
        return "INTEGER" if small else "BIGINT"
    if kinds and kinds <= {int, float}:
        return "DOUBLE PRECISION"
    if kinds == {datetime.date}:
        return "DATE"
    if kinds == {datetime.datetime}:
        return "TIMESTAMP"
    if kinds <= {str}:
        return "TEXT"
    raise TypeError(f"cannot guess one SQL type for {sorted(kind.__name__ for kind in kinds)}")


def _names(default_schema: str, objects: Sequence[tuple[object, ...]]) -> set[str]:
    return {
        str(name) if schema == default_schema else f"{schema}.{name}" for schema, name in objects
    }


_DUCKDB_OBJECTS = """
SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal
UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal
UNION ALL SELECT schema_name, index_name FROM duckdb_indexes()
UNION ALL SELECT schema_name, sequence_name FROM duckdb_sequences()
UNION ALL SELECT schema_name, type_name FROM duckdb_types() WHERE NOT internal
UNION ALL SELECT schema_name, function_name FROM duckdb_functions() WHERE NOT internal
UNION ALL SELECT 'schema', schema_name FROM duckdb_schemas()
    WHERE NOT internal AND schema_name <> 'main'
"""

# A schema pg_temp_N stays for good once any session has made a temporary table; what counts is
# whether anything is in it.
_POSTGRES_OBJECTS = """
WITH ours AS (
    SELECT oid, nspname FROM pg_namespace
    WHERE nspname NOT IN ('pg_catalog', 'information_schema') AND nspname !~ '^pg_toast'
)
SELECT nspname, relname FROM pg_class JOIN ours ON ours.oid = relnamespace
UNION ALL SELECT nspname, typname FROM pg_type JOIN ours ON ours.oid = typnamespace
    WHERE typtype IN ('d', 'e', 'r')
UNION ALL SELECT nspname, proname FROM pg_proc JOIN ours ON ours.oid = pronamespace
    WHERE NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype IN ('e', 'i'))
UNION ALL SELECT 'schema', nspname FROM ours
    WHERE nspname <> 'public' AND nspname !~ '^pg_temp'
"""
