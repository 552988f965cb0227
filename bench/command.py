"""The command as a user starts it: how soon it answers, and how much memory it takes."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.contenders import REQUIRE
from bench.data import DuckDBFile, Table
from bench.outcome import Facts, Outcome

RUNS = 20
COMMAND = str(Path(sys.executable).parent / "sqldiag")


@dataclass(frozen=True, slots=True)
class Start:
    """How long a small command takes, the median of some runs."""

    command: str
    seconds: float
    measured_with: str


@dataclass(frozen=True, slots=True)
class Memory:
    """The most memory that a command held, and how long it took."""

    rows: int
    limit: str | None
    finished: bool
    peak_bytes: int
    seconds: float


def start_up(ten_rows: DuckDBFile, table: Table) -> tuple[Start, Start]:
    """`sqldiag --version`, and a check of a table that is hardly there."""
    asked = ["check", ten_rows.url, table.name, "--qi", ",".join(table.columns)]
    return (
        _start([COMMAND, "--version"], "sqldiag --version"),
        _start([COMMAND, *asked, "--require", "k >= 1"], f"sqldiag check, {table.rows} rows"),
    )


def _compiled() -> dict[str, str]:
    """As it is where it was installed: Python has compiled it, which the first run sees to."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def _start(command: Sequence[str], name: str) -> Start:
    if shutil.which("hyperfine"):
        how = ["hyperfine", "--shell=none", "--style=none", "--warmup=1", f"--runs={RUNS}"]
        with TemporaryDirectory(prefix="sqldiag-bench-") as directory:
            # To a file: older ones know no other place.
            found = Path(directory) / "found.json"
            subprocess.run(
                [*how, f"--export-json={found}", subprocess.list2cmdline(command)],
                check=True,
                capture_output=True,
                env=_compiled(),
            )
            results = json.loads(found.read_text(encoding="utf-8"))["results"]
        return Start(name, float(results[0]["median"]), "hyperfine")
    taken = []
    for _ in range(RUNS + 1):
        started = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=_compiled())
        taken.append(time.perf_counter() - started)
    return Start(name, median(taken[1:]), "subprocess")


def memory(place: DuckDBFile, table: Table, limit: str | None) -> tuple[Memory, Outcome]:
    """`sqldiag subsets` in a process of its own, with DuckDB's own memory limit or another."""
    url = place.url + (f"?memory_limit={limit}" if limit else "")
    asked = [COMMAND, "subsets", url, table.name, "--among", ",".join(table.columns)]
    asked += ["--require", *REQUIRE, "--format", "json", "--quiet"]
    # A process starts with the peak of the one that started it, and ours has seen large frames: so
    # a small one starts it.
    ran = subprocess.run(
        [sys.executable, "-m", "bench.command", *asked], check=True, capture_output=True, text=True
    )
    report = json.loads(ran.stderr.splitlines()[-1])
    finished = report["status"] == 0
    sets = json.loads(ran.stdout)["sets"] if finished else []
    facts = {
        frozenset(found["quasi_identifiers"]): Facts(
            found["value"], found["classes"], round(found["suppression_needed"] * table.rows)
        )
        for found in sets
    }
    held = Memory(table.rows, limit, finished, report["peak_bytes"], report["seconds"])
    return held, Outcome(facts=facts)


def main() -> None:
    """Run the command of the arguments, and say on stderr what it took."""
    started = time.perf_counter()
    status = subprocess.run(sys.argv[1:], check=False).returncode
    report = {
        "status": status,
        "seconds": time.perf_counter() - started,
        # Linux counts in KiB.
        "peak_bytes": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024,
    }
    sys.stderr.write(os.linesep + json.dumps(report) + os.linesep)


if __name__ == "__main__":
    main()
