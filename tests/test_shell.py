"""The real command between a shell's pipes, files and terminals."""

from __future__ import annotations

import json
import os
import pty
import re
import stat
import subprocess
import threading
from pathlib import Path

import pytest

from sqldiag.cli.main import build
from tests.command import PROGRAM, environment, process, sqldiag

NAMES = sorted(str(command.name) for command in build().registered_commands)
# Those that ask one relation; others speak of policies.
QUESTIONS = ("borders", "check", "measure", "subsets")


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    path = tmp_path / "patients.csv"
    path.write_text("age,sex,ünïcode\n30,F,ä\n30,F,ö\n30,M,ü\n41,M,ß\n")
    return path


def test_help_teaches() -> None:
    """Every command says what it is for, how its exit code reads, and shows an example."""
    assert {"check", "measure"} <= set(NAMES)
    overview = process("--help")
    assert overview.code == 0
    assert "Exit codes" in overview.out
    for name in NAMES:
        assert name in overview.out
        ran = process(name, "--help", env={"COLUMNS": "200", "TERMINAL_WIDTH": "200"})
        assert (ran.code, ran.err) == (0, "")
        assert re.search(rf"Example: sqldiag {name} .*--", " ".join(ran.out.split()))
        options = ["--output"]
        if name in QUESTIONS:
            options += ["--explain", "--quiet", "--verbose", "SQLDIAG_URL"]
        for option in options:
            assert option in ran.out
        if name in QUESTIONS:
            # A page has one form only.
            assert ("--format" in ran.out) == (name != "report")
        assert "\x1b" not in ran.out


def test_the_example_of_the_help_works(patients: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    patients.write_text("age,sex,zip,diagnosis\n30,F,1000,flu\n")
    monkeypatch.chdir(patients.parent)
    assert sqldiag("check", "patients.csv", "--qi", "age,sex,zip", "--require", "k >= 5").code == 1
    ran = sqldiag("measure", "patients.csv", "--qi", "age,sex,zip", "--sensitive", "diagnosis")
    assert ran.code == 0


def test_version() -> None:
    ran = process("--version")
    assert (ran.code, ran.err) == (0, "")
    assert re.fullmatch(r"sqldiag \d+\.\d+\S*\n", ran.out)


@pytest.mark.parametrize(("require", "code"), [("k >= 1", 0), ("k >= 2", 1)])
def test_a_reader_that_leaves_early(patients: Path, require: str, code: int) -> None:
    """`sqldiag … | head -0` is no failure; the verdict stays what it is."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [PROGRAM, "check", patients, "--qi", "age", "--require", require],
        env=environment({}),
        stdout=writing,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (code, "")


def test_a_full_disk(patients: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [PROGRAM, "measure", patients, "--qi", "age"],
            env=environment({}),
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr == "sqldiag: cannot write the answer: No space left on device\n"
    ran = sqldiag("measure", patients, "--qi", "age", "--output", "/dev/full")
    assert (ran.code, ran.err) == (3, "sqldiag: cannot write /dev/full: No space left on device\n")


def test_output_is_written_through(patients: Path, tmp_path: Path) -> None:
    """A link, a device and a file's own permissions stay what they are."""
    target, link = tmp_path / "answer.json", tmp_path / "link.json"
    target.write_text("{}")
    target.chmod(0o600)
    link.symlink_to(target)
    arguments = ["measure", str(patients), "--qi", "age", "--format", "json", "--output"]
    assert sqldiag(*arguments, link).code == 0
    assert link.is_symlink()
    assert json.loads(target.read_text())["command"] == "measure"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    for device in ("/dev/null", "/dev/stdout"):
        assert process(*arguments, device, "-q").code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert sqldiag(*arguments, pipe).code == 0
    reader.join(10)
    assert json.loads(read[0])["command"] == "measure"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("answer.json", "link.json", "patients.csv", "pipe"),
    ]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_locale(patients: Path, encoding: str) -> None:
    """What is piped is UTF-8; a message never fails for want of a letter."""
    env = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    arguments = ["measure", str(patients), "--qi", "ünïcode", "--examples", "4"]
    ran = process(*arguments, "--format", "json", env=env)
    shown = {example["values"]["ünïcode"] for example in json.loads(ran.out)["examples"]}
    assert shown == {"ä", "ö", "ü", "ß"}
    assert "ünïcode" in process(*arguments, env=env).out
    done = subprocess.run(
        [PROGRAM, "measure", patients, "--qi", "ünïkode"],
        env=environment(env),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert b"did you mean" in done.stderr
    assert b"Traceback" not in done.stderr


def on_terminal(*arguments: str | Path, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Run with a terminal for stdout and stderr; what it shows comes back."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [PROGRAM, *arguments],
        env=environment({"TERM": "xterm-256color", "NO_COLOR": "", **(env or {})}),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                read = os.read(ours, 65536)
            except OSError:
                break
            if not read:
                break
            shown += read
    os.close(ours)
    return process.returncode, shown.decode()


def test_a_terminal_gets_colour(patients: Path) -> None:
    arguments = ["check", str(patients), "--qi", "age", "--require", "k >= 2"]
    code, shown = on_terminal(*arguments)
    assert code == 1
    assert "\x1b[" in shown
    assert "─" in shown
    code, shown = on_terminal(*arguments, env={"NO_COLOR": "1"})
    assert not re.search(r"\x1b\[[0-9;]*3[12]m", shown)
    code, shown = on_terminal(*arguments, "--quiet", "--format", "json")
    assert json.loads(shown)["holds"] is False


def test_a_terminal_is_not_steered_by_names(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('"\x1b[2Jage"\n1\n')
    _, shown = on_terminal("measure", path, "--qi", "\x1b[2Jage", "--quiet", "--examples", "1")
    assert "\x1b[2J" not in shown
    _, shown = on_terminal("measure", path, "--qi", "\x1b[2Jagee", "--quiet")
    assert "did you mean" in shown
    assert "\x1b[2J" not in shown
