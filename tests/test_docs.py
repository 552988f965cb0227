"""The documentation tells the truth: every example prints what the page says it prints.

After a change of output: `python -m tests.refresh_docs`, and read the difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from fixtures import demo
from sqldiag.cli.main import build
from sqldiag.measure import Measure
from sqldiag.measures import MEASURES
from tests.doc_examples import (
    DOCUMENTS,
    ROOT,
    Block,
    PythonSession,
    World,
    blocks,
    commands,
    timeless,
)

HINT = "run `python -m tests.refresh_docs` if the new output is meant"
CONSOLE = [
    pytest.param(block, id=f"{path.name}:{block.line}")
    for path in DOCUMENTS
    for block in blocks(path.read_text(encoding="utf-8"))
    if block.language == "console"
]
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]*?)(?:#([^)\s]+))?\)")


@pytest.fixture(scope="module")
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("docs"), serve=lambda: request.getfixturevalue("postgres"))


@pytest.mark.parametrize("block", CONSOLE)
def test_console_examples_print_what_the_page_says(world: World, block: Block) -> None:
    assert timeless(world.console(block.text)) == timeless(block.text), HINT


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_python_examples_print_what_the_page_says(world: World, path: Path) -> None:
    session = PythonSession(world)
    for block in blocks(path.read_text(encoding="utf-8")):
        if block.language == "python":
            assert ">>> " in block.text, f"line {block.line} shows no example"
            assert timeless(session.run(block.text)) == timeless(block.text), HINT


def _options() -> Iterator[tuple[str, list[str]]]:
    """Every option of every command, with all its spellings."""
    group = get_command(build())
    assert isinstance(group, typer.core.TyperGroup)
    found: list[tuple[str, object]] = [("", group), *sorted(group.commands.items())]
    for name, command in found:
        if isinstance(command, typer.core.TyperGroup):
            found += [(f"{name} {inner}", of) for inner, of in command.commands.items() if name]
        for parameter in getattr(command, "params", []):
            if isinstance(parameter, typer.core.TyperOption):
                yield name, [*parameter.opts, *parameter.secondary_opts]


def _command_names() -> list[str]:
    group = get_command(build())
    assert isinstance(group, typer.core.TyperGroup)
    return sorted(group.commands)


def test_every_option_is_explained_and_shown() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    prose = _FENCED.sub("", page)
    shown = " ".join(
        command
        for block in blocks(page)
        if block.language == "console"
        for command in commands(block)
    )
    for command, spellings in _options():
        if spellings == ["--help"]:
            continue
        for spelling in spellings:
            if command:
                assert re.search(rf"`{spelling}[ `]", prose), f"{spelling} is not explained"
        assert any(f"{spelling} " in f"{shown} " for spelling in spellings), (
            f"no example shows {spellings[0]}"
        )


@pytest.mark.parametrize("command", _command_names())
def test_every_command_has_its_section_and_help(command: str) -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert command in _HEADING.findall(page)
    assert f"$ sqldiag {command} --help" in page
    assert f"sqldiag {command}" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("measure", MEASURES.values(), ids=lambda measure: measure.name)
def test_every_measure_has_its_section(measure: Measure) -> None:
    page = (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")
    _, _, rest = page.partition(f"\n## {measure.name}\n")
    section = rest.partition("\n## ")[0]
    for part in ("*Paper*:", "*Example*:", "*More columns*", "$ sqldiag ", measure.direction.value):
        assert part in section, f"the section on {measure.name} lacks {part}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    text = _FENCED.sub("", path.read_text(encoding="utf-8"))
    for target, anchor in _LINK.findall(text):
        if "://" in target:
            continue
        file = path.parent / target if target else path
        assert file.exists(), f"{target} does not exist"
        if anchor:
            headings = _HEADING.findall(_FENCED.sub("", file.read_text(encoding="utf-8")))
            assert anchor in map(_anchor, headings), f"{target}#{anchor} does not exist"


def _anchor(heading: str) -> str:
    """The anchor that code hosts give a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_the_demo_runs_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert demo.tell() == 0
    printed = capfd.readouterr()
    assert "✗ k >= 5 does not hold for age, sex, zip" in printed.out
    assert "And now?" in printed.out
    assert printed.out.endswith(f"The report is in {tmp_path / demo.REPORT}\n")
    assert "does not hold for age, sex, zip" in (tmp_path / demo.REPORT).read_text("utf-8")
    assert printed.err == f"written to {demo.REPORT}\n"
