"""No memory and no space, on DuckDB and on our own disk: exit code 3, and nothing half-written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.command import PROGRAM, environment, refused
from tests.command import sqldiag as command
from tests.databases import DuckDBDatabase

BEFORE = "what was there before"


@pytest.mark.parametrize("verb", ["check", "borders"])
def test_duckdb_runs_out_of_memory_and_space(tmp_path: Path, verb: str) -> None:
    path = tmp_path / "big.duckdb"
    DuckDBDatabase(path).execute(
        "CREATE TABLE t AS SELECT i AS a, md5(CAST(i AS VARCHAR)) AS b FROM range(1000000) AS r(i)"
    )
    names = ["--qi", "a,b"] if verb == "check" else ["--among", "a,b"]
    url = f"duckdb:///{path}?max_temp_directory_size=1MB"
    arguments = ["t", *names, "--require", "k >= 1", "--memory-limit", "10MB", "--threads", "1"]
    said = refused(command(verb, url, *arguments, "--output", tmp_path / "answer"), 3)
    assert said == "DuckDB ran out of memory; allow more with --memory-limit"
    assert [file.name for file in tmp_path.iterdir()] == ["big.duckdb"]
    # Where it may spill, the same memory is enough, or it says so.
    ran = command(verb, path, *arguments)
    assert ran.code in (0, 3)
    assert [file.name for file in tmp_path.iterdir()] == ["big.duckdb"]


def test_the_disk_is_full(tmp_path: Path) -> None:
    """The old file stays, and nothing lies beside it."""
    data = tmp_path / "t.csv"
    data.write_text("a\n1\n")
    output = tmp_path / "answer.json"
    output.write_text(BEFORE)
    limit = "import resource, signal, sys, os; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); os.execv(sys.argv[1],"
    limit += " sys.argv[1:])"
    done = subprocess.run(
        ["python3", "-c", limit, PROGRAM, "measure", data, "--qi", "a", "--format", "json",
         "--output", output],
        env=environment({"PYTHONDONTWRITEBYTECODE": "1"}),
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (3, "")
    assert "cannot write" in done.stderr
    assert output.read_text() == BEFORE
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answer.json", "t.csv"]
