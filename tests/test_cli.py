"""The command line: what it reads, what it writes, and how it ends."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import process, shared_database, sqldiag
from tests.conftest import ENGINES
from tests.databases import Database

# Over (age, sex): (30, F) twice, (30, M) once, (41, M) once, (NULL, M) twice.
ROWS = [
    (30, "F", "flu", 1),
    (30, "F", "HIV", 2),
    (30, "M", "flu", 2),
    (41, "M", None, None),
    (None, "M", "flu", 3),
    (None, "M", "flu", 3),
]
TYPES = {"age": "INTEGER", "sex": "TEXT", "diagnosis": "TEXT", "person": "INTEGER"}
CHECK = ["--qi", "age,sex", "--require", "k >= 2"]


@pytest.fixture(scope="module", params=ENGINES)
def clinic(request: pytest.FixtureRequest) -> Iterator[Database]:
    for database in shared_database(request, "cli"):
        database.load("patients", TYPES, ROWS)
        database.load("patients", TYPES, ROWS[:3], schema="ward")
        database.execute("CREATE VIEW women AS SELECT * FROM patients WHERE sex = 'F'")
        yield database


def ask(*arguments: str | Path) -> dict[str, object]:
    """The JSON of an answer, without its time."""
    ran = sqldiag(*arguments, "--format", "json")
    assert ran.code in (0, 1), ran
    assert ran.err == "", ran
    body: dict[str, object] = json.loads(ran.out)
    cost = body["cost"]
    assert isinstance(cost, dict)
    assert cost.pop("seconds") >= 0
    return body


def test_json_of_a_check(clinic: Database) -> None:
    more = ["--require", "distinct_l(diagnosis)>=2", "--suppress", "50%", "--entity", "person"]
    assert ask("check", clinic.url, "patients", *CHECK, *more) == {
        "schema": 1,
        "command": "check",
        "source": {
            "engine": clinic.engine,
            "relation": "patients",
            "rows": 6,
            "entities": 3,
            "null_rows": 2,
        },
        "warnings": [],
        "quasi_identifiers": ["age", "sex"],
        "sensitive": ["diagnosis"],
        "entity": "person",
        "suppress": 0.5,
        "requirements": [
            {
                "requirement": "k >= 2",
                "measure": "k",
                "value": 0,
                "value_suppressed": 1,
                "holds": False,
                "rows_to_suppress": 4,
                "suppression_needed": 4 / 6,
                "remaining_rows": 2,
            },
            {
                "requirement": "distinct_l(diagnosis) >= 2",
                "measure": "distinct_l(diagnosis)",
                "value": 0,
                "value_suppressed": 1,
                "holds": False,
                "rows_to_suppress": 4,
                "suppression_needed": 4 / 6,
                "remaining_rows": 2,
            },
        ],
        "holds": False,
        "rows_to_suppress": 4,
        "suppression_needed": 4 / 6,
        "remaining_rows": 2,
        "cost": {"statements": 2, "base_scans": 1, "sets_evaluated": 1, "rollups": 0},
    }


def test_json_of_a_measurement(clinic: Database) -> None:
    body = ask("measure", clinic.url, "patients", "--qi", "age,sex", "--curve")
    assert body == {
        "schema": 1,
        "command": "measure",
        "source": {
            "engine": clinic.engine,
            "relation": "patients",
            "rows": 6,
            "entities": None,
            "null_rows": 2,
        },
        "warnings": [],
        "quasi_identifiers": ["age", "sex"],
        "sensitive": [],
        "entity": None,
        "suppress": 0,
        "measures": [{"measure": "k", "value": 1, "curve": [[1, 0.0], [2, 2 / 6]]}],
        "classes": 4,
        "singletons": 2,
        "uniqueness": 2 / 6,
        "average_risk": 4 / 6,
        "distinction": 4 / 6,
        "separation": 1 - 2 / 15,
        "cost": {"statements": 2, "base_scans": 1, "sets_evaluated": 1, "rollups": 0},
    }
    body = ask("measure", clinic.url, "patients", *CHECK, "--suppress", "0.4")
    assert body["measures"] == [{"measure": "k", "value": 1, "value_suppressed": 2}]
    assert body["holds"] is True
    assert "value_suppressed" not in str(ask("measure", clinic.url, "patients", *CHECK))


def test_json_has_no_infinity(clinic: Database) -> None:
    wanted = ["--measure", "enhanced_beta(diagnosis)", "--curve"]
    body = ask("measure", clinic.url, "patients", "--qi", "age,sex", *wanted)
    measured = body["measures"]
    assert isinstance(measured, list)
    assert measured[0]["value"] == "inf"
    assert measured[0]["curve"][0] == ["inf", 0]
    sqldiag("measure", clinic.url, "patients", "--qi", "age,sex", *wanted, "--format", "text")


def test_measures_are_those_asked_for_in_order(clinic: Database) -> None:
    wanted = ["--measure", "alpha( diagnosis,'HIV')", "--measure", "k", "--measure", "k"]
    body = ask("measure", clinic.url, "patients", "--qi", "age", "--sensitive", "sex", *wanted)
    measured = body["measures"]
    assert isinstance(measured, list)
    assert [m["measure"] for m in measured] == ["alpha(diagnosis, 'HIV')", "k"]
    body = ask("measure", clinic.url, "patients", "--qi", "age", "--sensitive", "sex")
    measured = body["measures"]
    assert isinstance(measured, list)
    assert [m["measure"] for m in measured][:2] == ["k", "distinct_l(sex)"]
    assert len(measured) == 11


def test_csv(clinic: Database) -> None:
    def lines(*arguments: str) -> list[dict[str, str]]:
        ran = sqldiag(*arguments, "--qi", "age,sex", "--format", "csv")
        return list(csv.DictReader(io.StringIO(ran.out)))

    require = ["--require", "k >= 2", "--require", "alpha(diagnosis, 'it''s, \"x\"') <= 1"]
    found = lines("check", clinic.url, "patients", *require)
    assert [line["requirement"] for line in found] == [require[1], require[3], "all"]
    assert [line["holds"] for line in found] == ["false", "true", "false"]
    assert [line["rows_to_suppress"] for line in found] == ["2", "0", "2"]
    found = lines("measure", clinic.url, "patients", "--curve")
    assert [(line["value"], float(line["suppression_needed"])) for line in found] == [
        ("1", 0.0),
        ("2", 2 / 6),
    ]
    assert lines("measure", clinic.url, "patients")[0]["classes"] == "4"


def test_markdown(clinic: Database) -> None:
    ran = sqldiag("check", clinic.url, "patients", *CHECK, "--format", "markdown")
    assert ran.code == 1
    table = [line for line in ran.out.splitlines() if line.startswith("|")]
    assert table[0].startswith("| requirement | value |")
    assert set(table[1]) <= set("| -:")
    assert len({line.count("|") for line in table}) == 1
    assert "**✗ k >= 2 does not hold for age, sex**" in ran.out


def test_text_is_plain_when_piped(clinic: Database) -> None:
    ran = process(
        "check", clinic.url, "patients", *CHECK, env={"FORCE_COLOR": "1", "TERM": "xterm"}
    )
    assert (ran.code, ran.err) == (1, "")
    assert "✗ k >= 2 does not hold for age, sex" in ran.out
    assert "Suppress 2 rows (33.3%), and it holds for the 4 rows that remain." in ran.out
    assert all(line == line.rstrip() for line in ran.out.splitlines())
    assert "\x1b" not in ran.out
    assert not set(ran.out) & set("─│━┃╭")


def test_exit_codes(clinic: Database) -> None:
    assert sqldiag("check", clinic.url, "patients", *CHECK).code == 1
    assert sqldiag("check", clinic.url, "patients", *CHECK, "--suppress", "0.3").code == 1
    assert sqldiag("check", clinic.url, "patients", *CHECK, "--suppress", "0.34").code == 0
    assert sqldiag("check", clinic.url, "patients", "--qi", "sex", "--require", "k >= 2").code == 0
    # A question that was answered is 0, whatever the answer.
    assert sqldiag("measure", clinic.url, "patients", *CHECK).code == 0


def test_suppression_is_written_in_two_ways(clinic: Database) -> None:
    answers = [
        ask("check", clinic.url, "patients", *CHECK, "--suppress", share)
        for share in ("25%", "0.25", ".25", "1/4", "2.5e-1")
    ]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["suppress"] == 0.25


def test_relations(clinic: Database) -> None:
    def rows(*arguments: str) -> object:
        body = ask("measure", clinic.url, *arguments, "--qi", "age")
        source = body["source"]
        assert isinstance(source, dict)
        return source["relation"], source["rows"]

    assert rows("patients") == ("patients", 6)
    assert rows("ward.patients") == ("ward.patients", 3)
    assert rows("women") == ("women", 2)
    assert rows("patients", "--where", "sex = 'M' AND age IS NULL") == ("patients", 2)
    assert rows("women", "--where", "diagnosis = 'flu' -- only") == ("women", 1)
    query = "SELECT p.age FROM patients AS p JOIN women AS w ON w.person = p.person;"
    assert rows("--query", query) == ("query", 3)
    assert rows("--query", query, "--where", "age = 30") == ("query", 3)
    union = "WITH w AS (SELECT age FROM women) SELECT age FROM w UNION ALL SELECT age FROM patients"
    assert rows("--query", union, "--where", "age > 30") == ("query", 1)


def test_examples_are_the_only_values(clinic: Database) -> None:
    """No value of a row comes out unless it was asked for."""
    body = ask("measure", clinic.url, "patients", "--qi", "sex,age", "--examples", "2")
    shown = body["examples"]
    assert isinstance(shown, list)
    assert {(e["values"]["sex"], e["values"]["age"], e["size"], e["rows"]) for e in shown} == {
        ("M", 30, 1, 1),
        ("M", 41, 1, 1),
    }
    for form in ("text", "json", "csv", "markdown"):
        for verb in ("check", "measure"):
            ran = sqldiag(verb, clinic.url, "patients", *CHECK, "--format", form, "-v")
            assert "HIV" not in ran.out + ran.err
            assert "41" not in re.sub(r"\d+\.\d+", "", ran.out)


def test_verbose_and_quiet(clinic: Database) -> None:
    loud = sqldiag("check", clinic.url, "patients", *CHECK, "--verbose")
    assert loud.err.count("\n-- ") >= 3
    assert "GROUP BY" in loud.err
    assert "GROUP BY" not in loud.out
    quiet = sqldiag("check", clinic.url, "patients", *CHECK, "--quiet")
    assert quiet.err == ""
    assert quiet.out.splitlines()[:3] == loud.out.splitlines()[:3]


def test_output(clinic: Database, tmp_path: Path) -> None:
    target = tmp_path / "answer.json"
    arguments = ["check", clinic.url, "patients", *CHECK, "--format", "json", "--output"]
    ran = sqldiag(*arguments, target)
    assert (ran.code, ran.out, ran.err) == (1, "", f"written to {target}\n")
    assert json.loads(target.read_text())["holds"] is False
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~mask
    assert sqldiag(*arguments, target, "--quiet").err == ""
    # What fails leaves the old answer alone, and nothing beside it.
    target.write_text("old")
    assert sqldiag("check", clinic.url, "nobody", *CHECK, "--output", target).code == 2
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
