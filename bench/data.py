"""The tables that are measured, and where they are: a DuckDB file or a throwaway Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Protocol

import duckdb
import psycopg

from fixtures import adult_like, hospital
from fixtures.generator import quoted
from tests.postgres_server import Server

Rows = list[tuple[Any, ...]]

# What sqldiag sets for itself; without it the limit spills to disk and looks slower than it is.
SETTINGS = "-c work_mem=64MB -c jit=off"


@dataclass(frozen=True, slots=True)
class Table:
    """A generated table: its candidate columns, in its own order, and a sensitive one."""

    name: str
    rows: int
    columns: tuple[str, ...]
    sensitive: str
    sql: str

    @property
    def sets(self) -> list[tuple[str, ...]]:
        """Every set of the columns but the empty one."""
        sizes = range(1, len(self.columns) + 1)
        return [s for size in sizes for s in combinations(self.columns, size)]


def adult(rows: int) -> Table:
    """Eight text columns, as in the census data."""
    columns = adult_like.QUASI_IDENTIFIERS
    return Table("adult_like", rows, columns, "salary_class", adult_like.create_sql(rows))


def admissions(rows: int) -> Table:
    """A hospital's admissions: few columns of many values, so that grouping shrinks little."""
    columns = ("age", "sex", "zip", "admission_date", "ward")
    return Table("hospital", rows, columns, "diagnosis", hospital.create_sql(rows))


def widened(rows: int, width: int) -> Table:
    """The hospital's table with flags, ``width`` columns in all (four at least)."""
    flags = width - 4
    columns = ("age", "sex", "zip", "ward", *hospital.flag_columns(flags))
    name = f"hospital_{width}"
    return Table(
        name, rows, columns, "diagnosis", hospital.create_sql(rows, table=name, flags=flags)
    )


class Place(Protocol):
    """A database with one table in it, as its contenders reach it."""

    engine: str
    url: str

    def ask(self, statements: Sequence[str]) -> Rows:
        """The first row of each statement, all on one new connection."""
        ...


class DuckDBFile:
    """A DuckDB file with the table."""

    engine = "duckdb"

    def __init__(self, directory: Path, table: Table) -> None:
        self.path = directory / f"{table.name}_{table.rows}.duckdb"
        self.url = f"duckdb:///{self.path}"
        if not self.path.exists():
            with duckdb.connect(str(self.path)) as connection:
                connection.execute(table.sql)

    def ask(self, statements: Sequence[str]) -> Rows:
        with duckdb.connect(str(self.path), read_only=True) as connection:
            return [connection.execute(sql).fetchall()[0] for sql in statements]


class PostgresDatabase:
    """A database of the server with the table, vacuumed and analysed as a real one would be."""

    engine = "postgres"

    def __init__(self, server: Server, table: Table) -> None:
        self._name = f"{table.name}_{table.rows}"
        self._server = server
        self.url = server.url(self._name)
        with server.connect() as connection:
            connection.execute(f"CREATE DATABASE {self._name}".encode())
        with server.connect(self._name) as connection:
            connection.execute(table.sql.encode())
            connection.execute("VACUUM ANALYZE")

    def ask(self, statements: Sequence[str]) -> Rows:
        with psycopg.connect(self.url, options=SETTINGS) as connection:
            return [connection.execute(sql.encode()).fetchall()[0] for sql in statements]

    def drop(self) -> None:
        with self._server.connect() as connection:
            connection.execute(f"DROP DATABASE {self._name}".encode())


def all_at_once(table: Table) -> str:
    """One GROUP BY over all columns: the smallest class, and how many there are."""
    return f"SELECT min(n), count(*) FROM ({_sizes(table.name, table.columns)}) AS classes"


def one_set(table: str, columns: Sequence[str], k: int) -> str:
    """What someone would write for one set: k, the classes, and the rows in too small ones."""
    return (
        f"SELECT min(n), count(*), coalesce(sum(n) FILTER (WHERE n < {k}), 0) "
        f"FROM ({_sizes(table, columns)}) AS classes"
    )


def _sizes(table: str, columns: Sequence[str]) -> str:
    names = ", ".join(quoted(column) for column in columns)
    return f"SELECT count(*) AS n FROM {quoted(table)} GROUP BY {names}"
