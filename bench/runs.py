"""Which contests are held, on which tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bench import command, contenders
from bench.contenders import Contender
from bench.contest import Contest, hold, say
from bench.data import DuckDBFile, Place, PostgresDatabase, Table, admissions, adult, widened
from bench.outcome import Outcome, compare, compare_levels
from bench.report import Results
from tests.postgres_server import Server

# Above so many rows the slow contenders run in few rounds, or, those in memory, not at all.
SLOW = {"duckdb": 1_000_000, "postgres": 100_000}
SLOW_ROUNDS = 3
IN_MEMORY = 1_000_000
MAX_SIZE = 3


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many rows the contests have, for each engine, and how far the scaling goes."""

    duckdb: tuple[int, ...]
    postgres: tuple[int, ...]
    duckdb_rows: tuple[int, ...]
    postgres_rows: tuple[int, ...]
    widths: tuple[int, ...]
    wide_rows: int
    # pyCANON takes a millisecond for every class: the largest table that it gets.
    pycanon: int

    def of(self, engine: str) -> tuple[int, ...]:
        return self.duckdb if engine == "duckdb" else self.postgres

    def growing(self, engine: str) -> tuple[int, ...]:
        return self.duckdb_rows if engine == "duckdb" else self.postgres_rows


class Bench:
    """Holds the contests; DuckDB's files are kept until the end, Postgres' databases are not."""

    def __init__(self, directory: Path, server: Server | None, sizes: Sizes, repeat: int) -> None:
        self._directory = directory
        self._server = server
        self._sizes = sizes
        self._repeat = repeat
        self.results = Results()
        self.without = contenders.missing()
        if self.without:
            self.results.notes.append(f"Not installed, so left out: {', '.join(self.without)}.")
        if server is not None:
            with server.connect() as connection:
                [(number,)] = connection.execute("SHOW server_version").fetchall()
            self.results.postgres = str(number)

    @contextmanager
    def _place(self, engine: str, table: Table) -> Iterator[Place]:
        say(f"{engine}: {table.name}, {table.rows:,} rows, {len(table.columns)} columns")
        if engine == "duckdb":
            yield DuckDBFile(self._directory, table)
            return
        assert self._server is not None
        database = PostgresDatabase(self._server, table)
        try:
            yield database
        finally:
            database.drop()

    def against_others(self, engine: str) -> None:
        """All contenders on the census table, and those in SQL on the hospital's."""
        sizes = self._sizes.of(engine)
        for rows in sizes:
            self._contest(engine, adult(rows))
        small = [rows for rows in sizes if rows <= IN_MEMORY]
        if small:
            self._contest(engine, admissions(max(small)))

    def _contest(self, engine: str, table: Table) -> None:
        with self._place(engine, table) as place:
            rounds = SLOW_ROUNDS if table.rows > SLOW[engine] else None
            taking_part = [
                *_in_sql(place, table),
                contenders.by_hand(place, table, rounds=rounds),
            ]
            census = table.name == adult(1).name
            if isinstance(place, DuckDBFile) and census and table.rows <= IN_MEMORY:
                taking_part += self._in_memory(place, table)
            self.results.contests.append(hold(place, table, taking_part, repeat=self._repeat))

    def _in_memory(self, place: DuckDBFile, table: Table) -> Iterator[Contender]:
        yield contenders.measure(place, table, table.columns)
        if table.rows <= self._sizes.pycanon and "pycanon" not in self.without:
            # All columns together have k = l = 1; one or two of them tell more, untimed.
            for columns in (("sex",), ("race", "sex")):
                ours = contenders.measure(place, table, columns).run()
                theirs = contenders.pycanon(place, table, columns).run()
                compare_levels(f"{contenders.PYCANON} of {columns}", ours.levels, theirs.levels)
            yield contenders.pycanon(place, table, table.columns)
        if not {"polars", "pyarrow"} & set(self.without):
            yield contenders.polars(place, table, coded=False)
            yield contenders.polars(place, table, coded=True)

    def growing_rows(self, engine: str) -> None:
        """Ever more rows; contests that were held already are not held again."""
        for rows in self._sizes.growing(engine):
            table = adult(rows)
            known = [
                c
                for c in self.results.contests
                if (c.engine, c.table, c.rows) == (engine, table.name, rows)
            ]
            if known:
                self.results.rows_scaling.append(_only_light(known[0]))
                continue
            with self._place(engine, table) as place:
                held = hold(place, table, _in_sql(place, table), repeat=self._repeat)
            self.results.rows_scaling.append(held)

    def growing_columns(self, engine: str) -> None:
        """Ever more columns, on the hospital's table."""
        for width in self._sizes.widths:
            table = widened(self._sizes.wide_rows, width)
            with self._place(engine, table) as place:
                light = [
                    contenders.limit(place, table),
                    contenders.borders(place, table),
                    contenders.subsets(place, table, max_size=MAX_SIZE),
                ]
                held = hold(place, table, light, repeat=min(2, self._repeat))
            self.results.columns_scaling.append(held)

    def command(self) -> None:
        """Start-up, and memory on the largest DuckDB table of the contests."""
        tiny = adult(10)
        say("start-up")
        self.results.starts += command.start_up(DuckDBFile(self._directory, tiny), tiny)
        table = adult(max(self._sizes.duckdb))
        with self._place("duckdb", table) as place:
            assert isinstance(place, DuckDBFile)
            expected: Outcome = contenders.subsets(place, table).run()
            for limit in (None, "1GB"):
                held, found = command.memory(place, table, limit)
                say(f"  memory limit {limit}: {held.peak_bytes / 1e9:.2f} GB, {held.seconds:.1f} s")
                if held.finished:
                    name = f"subsets with memory limit {limit}"
                    compare(name, found, expected, every_set=True)
                self.results.memories.append(held)


def _in_sql(place: Place, table: Table) -> list[Contender]:
    return [
        contenders.limit(place, table),
        contenders.check(place, table),
        contenders.borders(place, table),
        contenders.subsets(place, table),
    ]


def _only_light(contest: Contest) -> Contest:
    names = (contenders.LIMIT, contenders.CHECK, contenders.BORDERS, contenders.SUBSETS)
    return replace(contest, timings=tuple(t for t in contest.timings if t.contender in names))
