"""The examples in README.md and docs/*.md: found, run, and written anew as they come out today.

    ```console      `$ ` starts a command; what follows, up to the next one, is its output
    ```python       doctest: `>>> ` starts an example; names live on through the document

Other blocks are not run. Examples run in a directory that looks like the project's: fixtures/*.csv,
and build/hospital.duckdb as `make demo` makes it. For `postgresql:` URLs there is a server, which
libpq's environment variables point to, with the database `clinic`.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from fixtures import demo, generator, hospital
from sqldiag.cli.main import run as run_sqldiag
from tests.postgres_server import Server

ROOT = Path(__file__).parent.parent
DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
ADMISSIONS_IN_POSTGRES = 10_000

_BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SECONDS = re.compile(
    r'(?<="seconds": )[\d.e-]+|\b\d+\.\d+(?= s\b)'
    r"|\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?|\b[0-9a-f]{32}\b"
)
_ASSIGNMENT = re.compile(r"(export )?\w+=")
_OPERATOR = re.compile(r"[();<>|&]+")


@dataclass(frozen=True)
class Block:
    """A fenced block that is run."""

    language: str
    text: str
    line: int


def blocks(document: str) -> list[Block]:
    return [
        Block(found[1], found[2], document.count("\n", 0, found.start()) + 1)
        for found in _BLOCK.finditer(document)
    ]


def commands(block: Block) -> list[str]:
    """The commands of a console block, without their output."""
    return [command for command, _ in _console_items(block.text)]


def timeless(text: str) -> str:
    """The text with every duration, time and run id taken out: they differ from run to run."""
    return _SECONDS.sub("#", text)


def refreshed(document: str, world: World) -> str:
    """The document with the output of all its examples as it is now."""
    session = PythonSession(world)

    def replace(found: re.Match[str]) -> str:
        old = found[2]
        new = world.console(old) if found[1] == "console" else session.run(old)
        # What differs in its durations only stays as it is.
        kept = old if timeless(new) == timeless(old) else new
        return f"```{found[1]}\n{kept}```"

    return _BLOCK.sub(replace, document)


@dataclass
class World:
    """Where examples run: a directory with the files they name, and a server if one asks for it."""

    directory: Path
    serve: Callable[[], Server]
    _libpq: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shutil.copytree(ROOT / "fixtures", self.directory / "fixtures")
        database = self.directory / demo.DATABASE
        database.parent.mkdir()
        generator.run(f"duckdb:///{database}", hospital.create_sql(demo.ROWS))

    def console(self, text: str) -> str:
        """A console block with fresh output."""
        shell = Shell(self)
        return "".join(
            f"$ {command}\n{_tidy(shell.run(command))}" for command, _ in _console_items(text)
        )

    def variables(self, code: str) -> Mapping[str, str]:
        """The environment for a piece of code: fixed, whatever that of the developer is."""
        ours = {"COLUMNS": "100", "NO_COLOR": "1", "HOME": str(self.directory), "LANG": "C.UTF-8"}
        ours["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        return ours | (self._postgres() if "postgresql:" in code else {})

    @contextlib.contextmanager
    def entered(self, code: str) -> Iterator[None]:
        """This process, for a while, in the directory and with the variables of the world."""
        variables = mock.patch.dict(os.environ, self.variables(code), clear=True)
        with variables, contextlib.chdir(self.directory):
            yield

    def _postgres(self) -> dict[str, str]:
        if not self._libpq:
            server = self.serve()
            with server.connect() as connection:
                connection.execute("DROP DATABASE IF EXISTS clinic")
                connection.execute("CREATE DATABASE clinic")
            sql = hospital.create_sql(ADMISSIONS_IN_POSTGRES, table="admissions")
            generator.run(server.url("clinic"), sql)
            services = self.directory / "services.conf"
            services.write_text(f"[clinic]\nhost={server.socket_dir}\ndbname=clinic\n")
            self._libpq = {
                "PGHOST": str(server.socket_dir),
                "PGPORT": str(server.port),
                "PGUSER": "postgres",
                "PGSERVICEFILE": str(services),
            }
        return self._libpq


class Shell:
    """Runs the commands of one block one after the other.

    A plain `sqldiag …` runs in this process, which is quick; bash does everything else.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._assignments: list[str] = []
        self._code = 0

    def run(self, command: str) -> str:
        if command == "echo $?":
            return f"{self._code}\n"
        if _ASSIGNMENT.match(command) and len(shlex.split(command.removeprefix("export "))) == 1:
            self._assignments.append(command)
            return ""
        if self._assignments or not _is_plain(command):
            return self._bash("\n".join([*self._assignments, command]))
        return self._here(shlex.split(command.replace("\\\n", " "))[1:])

    def _here(self, arguments: list[str]) -> str:
        out = io.StringIO()
        streams = contextlib.redirect_stdout(out), contextlib.redirect_stderr(out)
        with self._world.entered(" ".join(arguments)), streams[0], streams[1]:
            self._code = run_sqldiag(arguments)
        return out.getvalue()

    def _bash(self, script: str) -> str:
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=self._world.directory,
            env=dict(self._world.variables(script)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self._code = done.returncode
        return done.stdout


class PythonSession:
    """Runs the examples of a document, as one session of the interpreter."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._names: dict[str, object] = {"__name__": "__main__"}

    def run(self, text: str) -> str:
        parts = doctest.DocTestParser().parse(text)
        return "".join(part if isinstance(part, str) else self._example(part) for part in parts)

    def _example(self, example: doctest.Example) -> str:
        first, *more = example.source.splitlines()
        prompted = [f">>> {first}", *(f"... {line}".rstrip() for line in more)]
        return "\n".join(prompted) + "\n" + _tidy(self._output(example.source))

    def _output(self, source: str) -> str:
        out = io.StringIO()
        with self._world.entered(source), contextlib.redirect_stdout(out):
            try:
                exec(compile(source, "<documentation>", "single"), self._names)
            except Exception as error:
                last = "".join(traceback.format_exception_only(error))
                return f"Traceback (most recent call last):\n    ...\n{last}"
        return out.getvalue()


def _console_items(text: str) -> Iterator[tuple[str, str]]:
    """The commands and the output of each; a command goes on after \\ or |, and in quotes."""
    lines = text.splitlines()
    while lines:
        line = lines.pop(0)
        if not line.startswith("$ "):
            raise ValueError(f"a console block starts with a command, not with {line!r}")
        command = line.removeprefix("$ ")
        while _goes_on(command):
            command += "\n" + lines.pop(0)
        output = []
        while lines and not lines[0].startswith("$ "):
            output.append(lines.pop(0))
        yield command, "".join(f"{line}\n" for line in output)


def _goes_on(command: str) -> bool:
    if command.endswith(("\\", "|")):
        return True
    try:
        shlex.split(command)
    except ValueError:
        return True
    return False


def _is_plain(command: str) -> bool:
    """Whether it needs no shell. Help is drawn by a library that looks at its surroundings when it
    is first imported, so that goes to a process of its own."""
    if not command.startswith("sqldiag ") or "$" in command or "--help" in command:
        return False
    tokens = shlex.shlex(command.replace("\\\n", " "), posix=True, punctuation_chars=True)
    return not any(_OPERATOR.fullmatch(token) for token in tokens)


def _tidy(output: str) -> str:
    """Without blanks at the ends, and with durations that are fit to print."""
    lines = [line.rstrip() for line in output.strip("\n").splitlines()]
    text = "\n".join(lines).strip("\n")
    text = re.sub(r'(?<="seconds": )[\d.e-]+', lambda found: f"{float(found[0]):.2f}", text)
    return f"{text}\n" if text else ""
