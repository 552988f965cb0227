"""The snippets for schedulers in docs/jobs.md: well-formed, and their commands do what they say."""

from __future__ import annotations

import ast
import configparser
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sqldiag.policy.schedule import parse_schedule
from tests.command import PROGRAM, environment, sqldiag
from tests.databases import DuckDBDatabase, PostgresDatabase
from tests.doc_examples import ROOT
from tests.policies import COLUMNS, entry, job_policy, patients, write

PAGE = (ROOT / "docs" / "jobs.md").read_text(encoding="utf-8")


def snippets(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a scheduler would run: a policy of which one table does not hold."""
    db = DuckDBDatabase(tmp_path / "data.duckdb")
    db.load("bad", COLUMNS, patients(group=3))
    write(tmp_path / "sqldiag.toml", {"c": db.url}, entry("bad"))
    return tmp_path


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """As a shell of the scheduler would, in its folder."""
    path = f"{PROGRAM.parent}:{environment({})['PATH']}"
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment({"PATH": path}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_cron_mails_only_what_is_wrong(folder: Path) -> None:
    (snippet,) = snippets("cron")
    line = next(line for line in snippet.splitlines() if line.startswith("0 3"))
    parse_schedule(" ".join(line.split()[:5]))
    command = line.split(maxsplit=5)[5].replace("/srv/privacy", shlex.quote(str(folder)))
    assert "bad: k >= 5 does not hold" in run(command, folder).stdout
    write(folder / "sqldiag.toml", {"c": "data.duckdb"}, entry("bad", require=["k >= 1"]))
    assert run(command, folder).stdout == ""


def test_systemd_units(folder: Path, tmp_path: Path) -> None:
    service, timer = snippets("ini")
    units = []
    for text in (service, timer):
        unit = configparser.ConfigParser(interpolation=None)
        unit.optionxform = str  # type: ignore[assignment,method-assign]
        unit.read_string(text)
        units.append(unit)
    program, *arguments = shlex.split(units[0]["Service"]["ExecStart"])
    assert Path(program).name == "sqldiag"
    done = run(shlex.join(["sqldiag", *arguments]), folder)
    assert done.returncode == 1
    assert [json.loads(line)["event"] for line in done.stderr.splitlines()] == [
        "start",
        "table",
        "end",
    ]
    assert units[1]["Install"]["WantedBy"] == "timers.target"
    if analyze := shutil.which("systemd-analyze"):
        calendar = units[1]["Timer"]["OnCalendar"]
        subprocess.run([analyze, "calendar", calendar], check=True, capture_output=True)


@pytest.mark.parametrize("snippet", snippets("yaml"), ids=("github", "gitlab"))
def test_ci_gets_its_report(folder: Path, snippet: str) -> None:
    (command,) = re.findall(r"- (?:run: )?(sqldiag run .*)$", snippet, re.MULTILINE)
    assert run(command, folder).returncode == 1
    written = folder / shlex.split(command)[-1]
    assert f": {written.name}\n" in snippet
    if written.suffix == ".xml":
        assert ElementTree.parse(written).getroot().get("failures") == "1"
    else:
        assert json.loads(written.read_text())["runs"][0]["results"][0]["level"] == "error"


def test_airflow(folder: Path) -> None:
    (snippet,) = snippets("py")
    calls = [node for node in ast.walk(ast.parse(snippet)) if isinstance(node, ast.Call)]
    given = {k.arg: k.value for call in calls for k in call.keywords}
    schedule, command = given["schedule"], given["bash_command"]
    assert isinstance(schedule, ast.Constant)
    assert isinstance(command, ast.Constant)
    parse_schedule(str(schedule.value))
    assert run(str(command.value), folder).returncode == 1


def test_dbt_calls_a_function_that_is_there(postgres_db: PostgresDatabase, tmp_path: Path) -> None:
    (snippet,) = snippets("jinja")
    (statement,) = re.findall(r'run_query\("(.*)"\)', snippet)
    assert statement in PAGE.replace(snippet, "")
    postgres_db.load("admissions", COLUMNS, patients())
    file = job_policy(postgres_db, tmp_path, entry("admissions"))
    assert sqldiag("job", "install", file).code == 0
    verdict = postgres_db.query(statement)[0][0]
    assert verdict == "holds"
    assert f'"{verdict}"' in snippet
