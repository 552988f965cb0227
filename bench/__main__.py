"""Measure sqldiag against the other ways of asking: `python -m bench --help`.

Generates the tables, runs all contenders on the same data in turn, compares their answers, and
writes ratios to one GROUP BY over all columns, the limit. Exits with 1 when answers differ.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import plot, report
from bench.outcome import Differs
from bench.runs import Bench, Sizes
from tests.postgres_server import Server

ENGINES = ("duckdb", "postgres")
# The load of a machine on which something else is running.
BUSY = 0.5
FULL = Sizes(
    duckdb=(1_000_000, 10_000_000),
    postgres=(1_000_000,),
    duckdb_rows=(100_000, 300_000, 1_000_000, 3_000_000, 10_000_000),
    postgres_rows=(100_000, 300_000, 1_000_000, 2_000_000),
    widths=(4, 6, 8, 10, 12, 14, 16),
    wide_rows=100_000,
    pycanon=1_000_000,
)
QUICK = Sizes(
    duckdb=(10_000, 100_000),
    postgres=(50_000,),
    duckdb_rows=(50_000, 100_000),
    postgres_rows=(50_000, 100_000),
    widths=(4, 8, 12),
    wide_rows=20_000,
    pycanon=10_000,
)


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench", description="Measure sqldiag against the other ways of asking."
    )
    parser.add_argument("--quick", action="store_true", help="small tables, under two minutes")
    parser.add_argument("--engine", choices=(*ENGINES, "both"), default="both")
    parser.add_argument("--rows", type=int, nargs="+", help="the sizes of the contests instead")
    parser.add_argument("--repeat", type=int, help="rounds, 7 unless told; 3 with --quick")
    parser.add_argument("--scaling", action="store_true", help="more rows, more columns as well")
    parser.add_argument(
        "--output", type=Path, default=Path("docs/benchmarks"), help="a folder, docs/benchmarks"
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    given = options().parse_args(arguments)
    sizes = QUICK if given.quick else FULL
    if given.rows:
        rows = tuple(given.rows)
        sizes = replace(sizes, duckdb=rows, postgres=rows)
    engines = ENGINES if given.engine == "both" else (given.engine,)
    started, load = time.perf_counter(), os.getloadavg()[0]
    with ExitStack() as stack:
        directory = stack.enter_context(TemporaryDirectory(prefix="sqldiag-bench-"))
        server = stack.enter_context(Server()) if "postgres" in engines else None
        rounds = given.repeat or (3 if given.quick else 7)
        bench = Bench(Path(directory), server, sizes, rounds)
        if load > BUSY:
            bench.results.notes.append(
                f"The machine was busy with other work (a load of {load:.1f} before the start)."
            )
        try:
            for step in _steps(bench, engines, scaling=given.scaling):
                step()
                # A run that is stopped leaves what it knows.
                report.write(bench.results, given.output)
        except Differs as difference:
            print(f"The answers differ, so there are no ratios. {difference}", file=sys.stderr)
            return 1
    minutes = (time.perf_counter() - started) / 60
    bench.results.notes.append(f"The whole run took {minutes:.1f} minutes.")
    print(report.write(bench.results, given.output))
    if "matplotlib" not in bench.without:
        plot.draw(bench.results, given.output / "benchmarks.svg")
    return 0


def _steps(bench: Bench, engines: Sequence[str], *, scaling: bool) -> Iterator[Callable[[], None]]:
    for engine in engines:
        yield partial(bench.against_others, engine)
    if "duckdb" in engines:
        yield bench.command
    if scaling:
        for engine in engines:
            yield partial(bench.growing_rows, engine)
            yield partial(bench.growing_columns, engine)


if __name__ == "__main__":
    sys.exit(main())
