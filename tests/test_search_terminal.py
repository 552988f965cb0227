"""A search in a real terminal: the bar that moves, and what Ctrl-C leaves."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import pytest

from fixtures import hospital
from tests.command import PROGRAM, environment
from tests.databases import Database

SECONDS = 60
CTRL_C = b"\x03"
FLAGS = hospital.flag_columns(22)
# More sets than anybody waits for: every one of 2^22 holds, and is looked at.
ENDLESS = {
    "borders": ["--require", "k >= 1", "--strategy", "apriori"],
    "subsets": ["--require", "k >= 2"],
}
BAR = re.compile(r"sets of (\d+).*?([\d,]+) looked at, ([\d,]+) inferred, ([\d,]+) to go", re.S)


class Terminal:
    """A command whose stdin and stderr are a terminal of its own; stdout is a pipe."""

    def __init__(self, *arguments: str | Path) -> None:
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            # A session of its own with this terminal, so that Ctrl-C reaches it and nobody else.
            ["setsid", "--ctty", PROGRAM, *arguments],
            env=environment({"TERM": "xterm-256color", "COLUMNS": "120"}),
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=theirs,
        )
        os.close(theirs)
        self.shown = ""
        self.out = ""
        # Read while it runs: a full pipe would stop it.
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.out = self.process.stdout.read().decode()

    def watch(self, wanted: re.Pattern[str], times: int = 1) -> None:
        """Until the terminal has shown it so often, each time differently."""
        deadline = time.monotonic() + SECONDS
        while len(set(wanted.findall(self.shown))) < times:
            assert time.monotonic() < deadline, self.shown[-2000:]
            assert self._more(), self.shown[-2000:]

    def _more(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], 1)
        if not ready:
            return True
        try:
            read = os.read(self._ours, 65536)
        except OSError:
            return False
        self.shown += read.decode(errors="replace")
        return bool(read)

    def press(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    def end(self) -> int:
        """Its exit code, once it has ended and all it wrote is read."""
        deadline = time.monotonic() + SECONDS
        while self._more() and self.process.poll() is None:
            assert time.monotonic() < deadline, self.shown[-2000:]
        code = self.process.wait(SECONDS)
        self._reader.join(SECONDS)
        while select.select([self._ours], [], [], 0)[0] and self._more():
            pass
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()
        os.close(self._ours)


def load(db: Database, rows: int) -> None:
    db.execute(hospital.create_sql(rows, table="h", flags=len(FLAGS)))


def numbers(found: Sequence[str]) -> tuple[int, ...]:
    return tuple(int(number.replace(",", "")) for number in found)


@pytest.mark.parametrize("verb", ["borders", "subsets"])
def test_ctrl_c_prints_what_is_known(db: Database, verb: str) -> None:
    load(db, 200)
    asked = [verb, db.url, "h", "--among", ",".join(FLAGS), *ENDLESS[verb]]
    with Terminal(*asked, "--format", "json") as terminal:
        terminal.watch(BAR, times=3)
        terminal.press(CTRL_C)
        assert terminal.end() == 3, terminal.shown[-2000:]
    assert "Traceback" not in terminal.shown
    assert terminal.out, terminal.shown[-3000:]
    body = json.loads(terminal.out)
    assert (body["command"], body["complete"], body["cancelled"]) == (verb, False, True)
    assert body["cost"]["sets_evaluated"] > len(FLAGS)
    if verb == "subsets":
        assert len(body["sets"]) == body["cost"]["sets_evaluated"]
    else:
        # Every flag was looked at before the first pair.
        assert body["unsafe"] == []
        assert {name for one in body["safe"] for name in one} == set(FLAGS)


def test_ctrl_c_in_text(duckdb_db: Database) -> None:
    load(duckdb_db, 200)
    asked = ["borders", duckdb_db.url, "h", "--among", ",".join(FLAGS), *ENDLESS["borders"]]
    with Terminal(*asked) as terminal:
        terminal.watch(BAR, times=3)
        terminal.press(CTRL_C)
        assert terminal.end() == 3
    assert "Safe to release together" in terminal.out
    assert "Not complete: the search was cancelled. What is listed is right." in terminal.out
    assert "No set of these columns misses it" not in terminal.out


def test_the_bar_moves(db: Database) -> None:
    """It tells the level, and numbers that add up: they only grow, what is to go only shrinks."""
    load(db, 200)
    among = ",".join(FLAGS[:9])
    asked = ["borders", db.url, "h", "--among", among, "--format", "json"]
    required = ["--require", "k >= 2", "--suppress", "1%", "--strategy", "apriori"]
    with Terminal(*asked, *required) as terminal:
        assert terminal.end() == 0
    told = [numbers(found) for found in BAR.findall(terminal.shown)]
    assert told
    assert told == sorted(told, key=lambda one: (one[1], -one[3]))
    for level, looked_at, inferred, to_go in told:
        assert 1 <= level <= 9
        assert looked_at + inferred + to_go == 2**9 - 1
    assert "reading the table" in terminal.shown
    assert json.loads(terminal.out)["complete"] is True


@pytest.mark.parametrize("option", ["--quiet", "--verbose"])
def test_no_bar_when_told_so(duckdb_db: Database, option: str) -> None:
    load(duckdb_db, 50)
    among = ",".join(FLAGS[:4])
    with Terminal("subsets", duckdb_db.url, "h", "--among", among, option) as terminal:
        assert terminal.end() == 0
    assert "looked at" not in terminal.shown
    assert "reading the table" not in terminal.shown
    assert (terminal.shown == "") == (option == "--quiet")
