"""What the command loads, and what it does before and after its work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sqldiag.cli import main
from tests.command import PROGRAM, environment

LOADED = """
import sys
from sqldiag.cli.main import run
code = run(sys.argv[1:])
print("\\n".join(["", "loaded:", *sys.modules]), file=sys.stderr)
sys.exit(code)
"""


def loaded(*arguments: str | Path) -> set[str]:
    """The modules that are there once a command has answered."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    return set(done.stderr.partition("\nloaded:\n")[2].splitlines())


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    path = tmp_path / "patients.csv"
    path.write_text("age,sex\n30,F\n30,F\n30,M\n")
    return path


def test_a_check_loads_what_it_needs(patients: Path) -> None:
    found = loaded("check", patients, "--qi", "age", "--require", "k >= 1")
    assert {"duckdb", "sqlglot", "sqldiag.questions"} <= found
    spared = {"psycopg", "sqlalchemy", "jinja2", "asyncio", "sqldiag.cli.jobs", "sqldiag.searches"}
    spared |= {
        "sqldiag.planner.rollups",
        "sqldiag.diagnosing",
        "sqldiag.scanning",
        "sqldiag.policy",
    }
    assert not spared & found


def test_the_version_loads_no_library_of_ours() -> None:
    found = loaded("--version")
    assert "typer" in found
    assert not {"duckdb", "psycopg", "sqlglot", "sqlalchemy", "sqldiag.answers"} & found


def test_every_command_is_found_by_its_name() -> None:
    """A home registers just the commands that it is listed with."""

    def names(*arguments: str) -> list[str]:
        app = main.build(arguments)
        nested = [group.typer_instance for group in app.registered_groups]
        groups = [str(group.info.name) for group in nested if group is not None]
        return [str(command.name) for command in app.registered_commands] + groups

    homes = list(main._HOMES.values())
    assert sorted(names()) == sorted(name for commands in homes for name in commands)
    for commands in homes:
        for name in commands:
            assert names(name, "anything") == list(commands)


@pytest.mark.parametrize("shut", [">&-", "2>&-", ">&- 2>&-"])
@pytest.mark.parametrize(("asked", "code"), [("k >= 1", 0), ("k >= 9", 1), ("nonsense", 2)])
def test_closed_streams(patients: Path, shut: str, asked: str, code: int) -> None:
    """The exit code is the answer, and what is left open holds no more than it should."""
    command = f'"{PROGRAM}" check "{patients}" --qi age --require "{asked}" {shut}'
    done = subprocess.run(
        ["sh", "-c", command],
        env=environment({}),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == code
    if shut == ">&-":
        assert done.stderr.startswith("sqldiag: ") if code == 2 else done.stderr == ""
    elif shut == "2>&-":
        assert done.stdout == "" if code == 2 else done.stdout.startswith("patients.csv: 3 rows")


STOPPED_WHILE_LOADING = """
import signal, sys, time
from sqldiag.cli import start
for number in start.STOPS:
    signal.signal(number, start._stop)
try:
    import library
    print(library.loaded)
    time.sleep(10)
except KeyboardInterrupt:
    print("stopped", start.stopped())
"""


def test_a_library_is_loaded_before_a_signal_stops_anything(tmp_path: Path) -> None:
    """Some libraries take the process down when their set-up is interrupted."""
    (tmp_path / "library.py").write_text(
        "import os, signal\nloaded = False\nos.kill(os.getpid(), signal.SIGTERM)\nloaded = True\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", STOPPED_WHILE_LOADING],
        env=environment({"PYTHONPATH": str(tmp_path)}),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("True\nstopped True\n", "")
