"""The one direction of the design: a module knows which room it is in by what it may touch."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from sqldiag.measures import MEASURES
from tests.rooms import ROOMS, Room

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "sqldiag"
LARGEST = 300

# Texts that would let an algorithm depend on what it should not know, and where they may stand.
ENGINE_NAMES = re.compile("duckdb|postgres|postgresql", re.IGNORECASE)
MAY_NAME_ENGINES = ("engines", "report.words")
MEASURE_NAMES = re.compile("|".join(MEASURES))
# The population model has a k and an α of its own.
_OF_THE_MODEL = {"k", "alpha"}
MAY_NAME_MEASURES = {
    "measures": set(MEASURES),
    "cli.scan": _OF_THE_MODEL,
    "report.scan_json": _OF_THE_MODEL,
    "scanning.ask": _OF_THE_MODEL,
}

SQL = re.compile(r"\b(SELECT\b.+\bFROM|INSERT INTO|CREATE TEMP|GROUP BY|ORDER BY)\b", re.DOTALL)
# A history's tables and the functions of jobs are the same text wherever they can be.
MAY_WRITE_SQL = ("engines", "planner", "measures", "history", "jobs")


@dataclass(frozen=True)
class Import:
    module: str
    line: int
    # Under `if TYPE_CHECKING`, so that nothing is loaded when it runs.
    for_types: bool


@cache
def modules() -> dict[str, Path]:
    """Every module of ours by its name within the package: `errors`, `engines.base`, `engines`."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1]) if len(parts) > 1 and parts[-1] == "__init__" else None
        found[name or ".".join(parts)] = path
    return found


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


def imports(module: str) -> Iterator[Import]:
    guarded = {
        id(inner)
        for node in ast.walk(tree(module))
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            yield Import(name, node.lineno, id(node) in guarded)


def ours(imported: Import) -> str | None:
    """The module of ours that an import reaches; of `sqldiag.errors.BadInput`, `errors`."""
    head, _, name = imported.module.partition(".")
    if head != "sqldiag":
        return None
    while name and name not in modules():
        name = name.rpartition(".")[0]
    return name or "__init__"


def within(module: str, rooms: str | tuple[str, ...]) -> bool:
    """`engines` holds all its modules; `engines.base` is one."""
    names = rooms.split() if isinstance(rooms, str) else rooms
    return any(module == name or module.startswith(f"{name}.") for name in names)


def room_of(module: str) -> Room:
    for room in ROOMS:
        if within(module, room.modules):
            return room
    raise AssertionError(f"{module} is in no room: give it one in {Path(__file__).name}")


def texts(module: str) -> Iterator[tuple[int, str]]:
    """Every string that is no docstring, with its line; {} stands for what an f-string fills in."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree(module))
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) in docstrings:
                continue
            yield node.lineno, node.value


EVERY_MODULE = pytest.mark.parametrize("module", modules())


def test_the_table_has_one_direction() -> None:
    above: list[str] = []
    for room in ROOMS:
        for name in room.ours.split():
            # The package itself holds the version, and loads the rest when asked.
            assert within(name, tuple(above)) or name == "__init__", (room.modules, name)
        above += room.modules.split()


@EVERY_MODULE
def test_imports_of_ours(module: str) -> None:
    room = room_of(module)
    wrong = [
        f"line {imported.line}: {name}"
        for imported in imports(module)
        if (name := ours(imported)) is not None
        and not within(name, room.modules)
        and not within(name, room.ours)
    ]
    assert not wrong, f"{module} may import only {room.ours or 'nothing of ours'}"


@pytest.mark.parametrize("module", [name for name in modules() if not within(name, "engines")])
def test_engines_are_reached_by_their_registry(module: str) -> None:
    """Nobody outside imports a certain engine."""
    reached = {
        name for imported in imports(module) if within(name := ours(imported) or "", "engines")
    }
    assert reached <= {"engines", "engines.base", "engines.store"}


@EVERY_MODULE
def test_imports_of_libraries(module: str) -> None:
    room = room_of(module)
    wrong = [
        f"line {imported.line}: {library}"
        for imported in imports(module)
        if (library := imported.module.partition(".")[0]) != "sqldiag"
        and library not in sys.stdlib_module_names
        and library not in room.libraries.split()
    ]
    assert not wrong, f"{module} may import only {room.libraries or 'the standard library'}"


def test_each_driver_has_one_home() -> None:
    """And SQLAlchemy is outside of engines only for its types."""
    for module in modules():
        for imported in imports(module):
            library = imported.module.partition(".")[0]
            if library in ("duckdb", "psycopg"):
                home = {"duckdb": "engines.duckdb", "psycopg": "engines.postgres"}[library]
                assert module == home or module.startswith(f"{home}_")
            if library == "sqlalchemy" and not within(module, "engines"):
                assert imported.for_types, f"{module}, line {imported.line}"


@pytest.mark.parametrize("module", [name for name in modules() if not within(name, "cli")])
def test_only_the_command_line_prints(module: str) -> None:
    for node in ast.walk(tree(module)):
        assert not (isinstance(node, ast.Name) and node.id == "print"), node.lineno
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "sys":
            assert node.attr not in ("stdout", "stderr", "exit"), node.lineno


@pytest.mark.parametrize(
    "module", [name for name in modules() if not within(name, MAY_NAME_ENGINES)]
)
def test_no_engine_is_known_by_name(module: str) -> None:
    named = [
        f"line {line}: {text!r}" for line, text in texts(module) if ENGINE_NAMES.fullmatch(text)
    ]
    assert not named, "ask the engine's capabilities instead"


@EVERY_MODULE
def test_no_measure_is_known_by_name(module: str) -> None:
    named = [
        f"line {line}: {text!r}"
        for line, text in texts(module)
        if MEASURE_NAMES.fullmatch(text) and text not in MAY_NAME_MEASURES.get(module, set())
    ]
    assert not named, "ask the measure's declaration instead"


@pytest.mark.parametrize("module", [name for name in modules() if not within(name, MAY_WRITE_SQL)])
def test_sql_is_written_only_by_planner_and_engines(module: str) -> None:
    written = [f"line {line}: {text!r}" for line, text in texts(module) if SQL.search(text)]
    assert not written


def test_no_file_is_long() -> None:
    folders = ("sqldiag", "tests", "fixtures", "bench")
    long = {
        str(path.relative_to(ROOT)): lines
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LARGEST
    }
    assert not long
