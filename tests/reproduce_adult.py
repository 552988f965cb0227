"""Published figures on the Adult data, on both engines: `python -m tests.reproduce_adult DATA`.

DATA holds adult.csv and adult_30162.csv. Exits with 1 if any figure differs. To add a figure, add a
check to `checks`: something to work out on one engine, and what it must be there.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb
import psycopg
from psycopg import sql

import sqldiag
from tests import oracle
from tests import reproduce_scan as scans
from tests.oracle import M
from tests.postgres_server import PostgresMissing, Server

FILES = {"adult": "adult.csv", "adult_30162": "adult_30162.csv"}
TEN = (
    *("age", "workclass", "education", "marital-status", "occupation"),
    *("relationship", "race", "sex", "hours-per-week", "native-country"),
)
EIGHT = (
    *("age", "workclass", "education", "marital-status"),
    *("occupation", "race", "sex", "native-country"),
)
SENSITIVE = "salary-class"

Found = Mapping[str, object]


@dataclass(frozen=True)
class Check:
    """What is asked, and what must be found; None where all engines need only agree."""

    title: str
    ask: Callable[[sqldiag.Database], Found]
    expected: Found | None = None


def checks(data: Path) -> Iterator[Check]:
    """Every figure, in the order they are printed."""
    for columns, singletons in (
        (("age",), 2),
        (("age", "hours-per-week"), 986),
        (("age", "race", "sex"), 65),
        (TEN, 24_802),
    ):
        names = ", ".join(columns) if columns != TEN else "all ten columns"
        yield Check(
            f"adult.csv, singletons by {names}",
            _singletons(columns),
            {"rows": 32_561, "singletons": singletons},
        )
    for title, ask, expected in scans.FIGURES:
        yield Check(f"adult.csv, scan: {title}", ask, expected)
    over = f"adult_30162.csv, every measure of {SENSITIVE} over eight columns"
    yield Check(f"{over}: what it costs", _cost, {"rows": 30_162, "base_scans": 1})
    yield Check(f"{over}: the same on both engines", _family())
    yield Check(f"{over}, δ = 50%: the same on both engines", _family("50%"))
    yield Check(f"{over}: whole curves, against brute force", _curves, _brute_force(data))
    for k, share, sets in (
        (2, "0", 23),
        (3, "0", 23),
        (5, "0", 23),
        (10, "0", 18),
        (20, "0", 14),
        (50, "0", 9),
        (2, "0.1", 216),
    ):
        yield Check(
            f"adult_30162.csv, k = {k}, δ = {share}: sets that apriori looks at",
            _evaluated(k, share),
            {"sets": sets, "complete": True},
        )
    for strategy in ("apriori", "auto"):
        yield Check(
            f"adult_30162.csv, k = 5, δ = 0: the borders, by {strategy}",
            _borders(strategy),
            {"safe": 5, "unsafe": 12, "at most two scans": True},
        )


def _singletons(columns: tuple[str, ...]) -> Callable[[sqldiag.Database], Found]:
    def ask(database: sqldiag.Database) -> Found:
        answer = database.table("adult").measure(qi=columns)
        return {"rows": answer.source.rows, "singletons": answer.risk.singletons}

    return ask


def _cost(database: sqldiag.Database) -> Found:
    answer = database.table("adult_30162").measure(qi=EIGHT, sensitive=[SENSITIVE])
    return {"rows": answer.source.rows, "base_scans": answer.cost.base_scans}


def _family(suppress: str | None = None) -> Callable[[sqldiag.Database], Found]:
    def ask(database: sqldiag.Database) -> Found:
        answer = database.table("adult_30162").measure(
            qi=EIGHT, sensitive=[SENSITIVE], suppress=suppress
        )
        return {
            measured.measure: measured.value if suppress is None else measured.value_suppressed
            for measured in answer.measures
        }

    return ask


def _evaluated(k: int, share: str) -> Callable[[sqldiag.Database], Found]:
    def ask(database: sqldiag.Database) -> Found:
        searched = (
            database.table("adult_30162")
            .borders(among=EIGHT, require=[f"k >= {k}"], suppress=share, strategy="apriori")
            .searched
        )
        return {"sets": searched.cost.sets_evaluated, "complete": searched.complete}

    return ask


def _borders(strategy: str) -> Callable[[sqldiag.Database], Found]:
    def ask(database: sqldiag.Database) -> Found:
        answer = database.table("adult_30162").borders(
            among=EIGHT, require=["k >= 5"], strategy=strategy
        )
        return {
            "safe": len(answer.safe),
            "unsafe": len(answer.unsafe),
            "at most two scans": answer.searched.cost.base_scans <= 2,
        }

    return ask


def _curves(database: sqldiag.Database) -> Found:
    answer = database.table("adult_30162").measure(qi=EIGHT, sensitive=[SENSITIVE], curve=True)
    return {measured.measure: measured.curve for measured in answer.measures}


def _brute_force(data: Path) -> Found:
    with (data / FILES["adult_30162"]).open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    found = {}
    for name in sorted(oracle.MORE_IS_SAFER | oracle.LESS_IS_SAFER):
        measure, shown = M(name, SENSITIVE), f'{name}("{SENSITIVE}")'
        if name == "k":
            measure, shown = M(name), name
        elif name == "recursive_l":
            measure, shown = M(name, SENSITIVE, c=3), f'{name}("{SENSITIVE}", 3)'
        points = oracle.curve(rows, EIGHT, measure)
        found[shown] = tuple((float(value), float(need)) for value, need in points)
    return found


def same(one: object, other: object) -> bool:
    """Equal, or real numbers equal to 1e-9; within tuples too."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return one == other


@contextmanager
def loaded(data: Path) -> Iterator[dict[str, str]]:
    """Both files in a database of each engine: URLs by the engine's name."""
    with tempfile.TemporaryDirectory() as folder, Server() as server:
        path = Path(folder) / "adult.duckdb"
        _load_duckdb(path, data)
        _load_postgres(server, path, data)
        yield {"DuckDB": f"duckdb:///{path}", "Postgres": server.url()}


def _load_duckdb(path: Path, data: Path) -> None:
    with duckdb.connect(path) as connection:
        for table, file in FILES.items():
            connection.execute(f'CREATE TABLE "{table}" AS FROM read_csv(?)', [str(data / file)])


def _load_postgres(server: Server, path: Path, data: Path) -> None:
    """With the types that DuckDB found, so that both hold the same values."""
    with duckdb.connect(path, read_only=True) as known, server.connect() as connection:
        for table, file in FILES.items():
            columns = known.execute(f'DESCRIBE "{table}"').fetchall()
            _copy(connection, table, [(str(row[0]), str(row[1])) for row in columns], data / file)


def _copy(
    connection: psycopg.Connection, table: str, columns: list[tuple[str, str]], file: Path
) -> None:
    types = {"BIGINT": "BIGINT", "VARCHAR": "TEXT"}
    defined = sql.SQL(", ").join(
        sql.SQL("{} {}").format(sql.Identifier(name), sql.SQL(types[kind]))
        for name, kind in columns
    )
    name = sql.Identifier(table)
    connection.execute(sql.SQL("CREATE TABLE {} ({})").format(name, defined))
    statement = sql.SQL("COPY {} FROM STDIN (FORMAT csv, HEADER true)").format(name)
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.write(file.read_bytes())
    connection.execute(sql.SQL("ANALYZE {}").format(name))


def run(databases: Mapping[str, sqldiag.Database], data: Path) -> int:
    """Print what was checked, a line for each figure; the number of figures that differ."""
    wrong = 0
    for check in checks(data):
        found, times = {}, []
        for engine, database in databases.items():
            started = time.perf_counter()
            found[engine] = check.ask(database)
            times.append(f"{engine} {time.perf_counter() - started:.2f} s")
        print(f"{check.title} ({', '.join(times)})")
        wrong += _compare(check, found)
    return wrong


def _compare(check: Check, found: Mapping[str, Found]) -> int:
    wanted = check.expected if check.expected is not None else next(iter(found.values()))
    wrong = 0
    for name in dict.fromkeys(name for figures in [wanted, *found.values()] for name in figures):
        values = [figures.get(name) for figures in found.values()]
        good = all(same(value, wanted.get(name)) for value in values)
        wrong += not good
        shown = _shown(values[0]) if good else " and ".join(map(_shown, values))
        expected = "" if good or check.expected is None else f", not {_shown(wanted.get(name))}"
        print(f"  {'ok' if good else 'WRONG':<6} {name} = {shown}{expected}")
    return wrong


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return f"{len(value)} points"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def main() -> int:
    options = argparse.ArgumentParser(description="Check published figures on the Adult data.")
    options.add_argument("data", type=Path, help="the folder of adult.csv and adult_30162.csv")
    data: Path = options.parse_args().data
    missing = [file for file in FILES.values() if not (data / file).is_file()]
    if missing:
        print(f"{data} has no {' and no '.join(missing)}", file=sys.stderr)
        return 2
    try:
        with loaded(data) as urls:
            databases = {engine: sqldiag.connect(url) for engine, url in urls.items()}
            try:
                wrong = run(databases, data)
            finally:
                for database in databases.values():
                    database.close()
    except PostgresMissing as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{wrong} figures differ" if wrong else "all figures are as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
