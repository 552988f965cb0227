"""`borders` and `subsets` as typed: formats, options and exit codes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests import oracle
from tests.command import sqldiag
from tests.oracle import M, R

NAMES = ("id", "age", "sex", "zip", "a,b", "note", "diagnosis")
COLUMNS = ("age", "sex", "zip", "a,b")
ROWS = [
    (i, 30 + i % 3, "FM"[i % 2], 1000 + i // 8, i % 7 % 2, "-", ("flu", "flu", "HIV")[i % 3])
    for i in range(24)
]
DICTS = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
COMMON = ["--identifier", "id", "--exclude", "note", "--sensitive", "diagnosis"]
COST = {"statements", "base_scans", "sets_evaluated", "rollups", "seconds"}


@pytest.fixture(scope="module")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("search"))


def write(folder: Path) -> Path:
    path = folder / "patients.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([NAMES, *ROWS])
    return path


def asked(*arguments: str | Path) -> Any:
    """The JSON of a question that was answered."""
    ran = sqldiag(*arguments, "--format", "json")
    assert (ran.code, ran.err) == (0, ""), ran
    return json.loads(ran.out)


def sets(found: list[list[str]]) -> set[tuple[str, ...]]:
    listed = [tuple(one) for one in found]
    assert len(listed) == len(set(listed))
    return set(listed)


def in_table_order(columns: list[str]) -> bool:
    return columns == sorted(columns, key=NAMES.index)


@pytest.mark.parametrize("more", [[], ["--strategy", "apriori"], ["--strategy", "auto"]])
def test_borders_json(patients: Path, more: list[str]) -> None:
    body = asked("borders", patients, *COMMON, "--require", "k>=3", "--suppress", "25%", *more)
    assert {"schema", "command", "source", "suppress", "requirements", "safe", "unsafe"} <= set(
        body
    )
    assert (body["schema"], body["command"], body["complete"]) == (1, "borders", True)
    assert body["source"] == {
        "engine": "duckdb",
        "relation": "patients.csv",
        "rows": 24,
        "entities": None,
        "null_rows": 0,
    }
    assert body["suppress"] == 0.25
    assert (body["columns"], body["identifiers"]) == (list(COLUMNS), ["id"])
    assert set(body["cost"]) == COST
    assert body["cost"]["base_scans"] <= 2
    safe, unsafe = oracle.borders(DICTS, COLUMNS, [R(M("k"), 3)], 0.25)
    assert sets(body["safe"]) == safe
    assert sets(body["unsafe"]) == unsafe
    assert all(in_table_order(one) for one in [*body["safe"], *body["unsafe"]])
    sizes = [len(one) for one in body["safe"]]
    assert sizes == sorted(sizes, reverse=True), "the largest safe sets first"
    exposed = [oracle.need(DICTS, one, [R(M("k"), 3)]) for one in body["unsafe"]]
    assert exposed == sorted(exposed, reverse=True), "the most dangerous first"


def test_the_order_of_columns_is_the_tables(patients: Path) -> None:
    arguments = ["--among", '"a,b",zip', "--among", "age", "--require", "k >= 3"]
    body = asked("borders", patients, *arguments)
    assert body["columns"] == ["age", "zip", "a,b"]
    assert any(len(one) > 1 for one in [*body["safe"], *body["unsafe"]])
    assert all(in_table_order(one) for one in [*body["safe"], *body["unsafe"]])
    listed = asked("subsets", patients, *arguments)["sets"]
    assert all(in_table_order(one["quasi_identifiers"]) for one in listed)


def test_subsets_json(patients: Path) -> None:
    body = asked("subsets", patients, *COMMON, "--measure", "k", "--suppress", "10%")
    assert (body["schema"], body["command"], body["complete"]) == (1, "subsets", True)
    assert set(body["cost"]) == COST
    expected = oracle.subsets(DICTS, COLUMNS, M("k"), 0.1)
    assert sets([one["quasi_identifiers"] for one in body["sets"]]) == set(expected)
    for one in body["sets"]:
        theirs = expected[tuple(one["quasi_identifiers"])]
        assert one["value"] == theirs.value
        assert one["value_suppressed"] == theirs.value_suppressed
        assert one["classes"] == theirs.classes
        assert one["inferred"] is False
        assert "suppression_needed" not in one
        assert "curve" not in one
    levels = [one["value_suppressed"] for one in body["sets"]]
    assert levels == sorted(levels), "worst first"


def test_subsets_with_a_requirement(patients: Path) -> None:
    body = asked("subsets", patients, *COMMON, "--require", "k >= 3", "--measure", "k")
    for one in body["sets"]:
        need = oracle.suppression_needed(DICTS, one["quasi_identifiers"], [R(M("k"), 3)])
        assert one["suppression_needed"] == pytest.approx(float(need))
        assert "value_suppressed" not in one
    needs = [one["suppression_needed"] for one in body["sets"]]
    assert needs == sorted(needs, reverse=True)


def test_curves(patients: Path) -> None:
    for name, measure in (("k", M("k")), ("alpha(diagnosis)", M("alpha", "diagnosis"))):
        for one in asked("subsets", patients, *COMMON, "--measure", name, "--curve")["sets"]:
            theirs = oracle.curve(DICTS, one["quasi_identifiers"], measure)
            assert one["curve"] == [
                [pytest.approx(float(value)), pytest.approx(float(need))] for value, need in theirs
            ]
    text = sqldiag("subsets", patients, *COMMON, "--curve", "--measure", "enhanced_beta(diagnosis)")
    assert "∞" in text.out
    beta = ["--measure", "enhanced_beta(diagnosis)", "--curve"]
    listed = asked("subsets", patients, *COMMON, *beta)["sets"]
    assert listed[0]["value"] == "inf"
    assert listed[0]["curve"][0] == ["inf", 0]
    lines = list(
        csv.reader(io.StringIO(sqldiag("subsets", patients, *COMMON, *beta, "--format", "csv").out))
    )
    assert lines[0] == ["quasi_identifiers", "measure", "value", "suppression_needed"]
    assert [line[2:] for line in lines[1:2]] == [["inf", "0.0"]]


def test_inferred_sets_are_listed_on_demand(patients: Path) -> None:
    """id tells everybody apart, and so does every set with it."""
    among = ["--among", "id,age,sex", "--measure", "k"]
    short, long = (asked("subsets", patients, *among, *more) for more in ([], ["--all"]))
    assert sets([one["quasi_identifiers"] for one in short["sets"]]) == {
        *[("id",), ("age",), ("sex",), ("age", "sex")]
    }
    assert not any(one["inferred"] for one in short["sets"])
    added = [one for one in long["sets"] if one["inferred"]]
    assert sets([one["quasi_identifiers"] for one in added]) == {
        *[("id", "age"), ("id", "sex"), ("id", "age", "sex")]
    }
    assert {one["value"] for one in added} == {1}
    assert [one for one in long["sets"] if not one["inferred"]] == short["sets"]
    assert long["cost"]["sets_evaluated"] == short["cost"]["sets_evaluated"] == 4


def test_text(patients: Path) -> None:
    ran = sqldiag("borders", patients, *COMMON, "--require", "k >= 3")
    assert (ran.code, ran.err) == (0, "")
    safe, unsafe = ran.out.split("Singles people out")
    assert "Safe to release together" in safe
    assert "left out, as they identify by themselves: id" in safe
    found_safe, found_unsafe = oracle.borders(DICTS, COLUMNS, [R(M("k"), 3)])
    assert all(", ".join(one) in safe for one in found_safe)
    for one in found_unsafe:
        need = oracle.need(DICTS, one, [R(M("k"), 3)])
        [line] = [text for text in unsafe.splitlines() if text.startswith(", ".join(one) + " ")]
        assert line.split()[-2] == str(need), "how many rows it exposes"
    listed = sqldiag("subsets", patients, *COMMON, "--measure", "k", "--require", "k >= 3").out
    header = next(line for line in listed.splitlines() if line.startswith("columns"))
    assert header.split() == ["columns", "k", "suppress", "unique"]


def test_text_where_a_border_is_empty(patients: Path) -> None:
    none_safe = sqldiag("borders", patients, *COMMON, "--require", "k >= 24").out
    assert "No column is safe to release" in none_safe
    all_safe = sqldiag("borders", patients, *COMMON, "--require", "k >= 1").out
    assert "No set of these columns misses it" in all_safe


@pytest.mark.parametrize("budget", [["--max-sets", "1"], ["--max-seconds", "0.000001"]])
def test_text_does_not_claim_what_it_does_not_know(patients: Path, budget: list[str]) -> None:
    """A border that is empty so far is not empty."""
    for require in ("k >= 1", "k >= 3", "k >= 24"):
        for strategy in ("apriori", "auto"):
            arguments = [*COMMON, "--require", require, "--strategy", strategy, *budget]
            out = sqldiag("borders", patients, *arguments).out
            if require == "k >= 1" and strategy == "auto" and "Not complete" not in out:
                # All columns together hold, and that was the first set to be looked at.
                assert "1 set looked at" in out
                continue
            assert "Not complete" in out
            assert "No column is safe" not in out
            assert "No set of these columns misses it" not in out


def test_csv(patients: Path) -> None:
    ran = sqldiag("borders", patients, *COMMON, "--require", "k >= 3", "--format", "csv")
    lines = list(csv.DictReader(io.StringIO(ran.out)))
    body = asked("borders", patients, *COMMON, "--require", "k >= 3")
    assert [line["border"] for line in lines] == ["safe"] * len(body["safe"]) + ["unsafe"] * len(
        body["unsafe"]
    )
    for line in lines:
        # What stands there can be pasted.
        arguments = ["--qi", line["quasi_identifiers"], "--require", "k >= 3"]
        checked = sqldiag("check", patients, *arguments, "--format", "json")
        assert checked.code == (0 if line["border"] == "safe" else 1)
        assert json.loads(checked.out)["rows_to_suppress"] == int(line["rows_to_suppress"])
    listed = sqldiag("subsets", patients, *COMMON, "--measure", "k", "--format", "csv").out
    found = list(csv.DictReader(io.StringIO(listed)))
    alone = [one for one in oracle.sets_of(COLUMNS) if oracle.worst(DICTS, one, M("k")) == 1]
    follow = {
        one for one in oracle.sets_of(COLUMNS) if any(set(other) < set(one) for other in alone)
    }
    assert len(found) == 2 ** len(COLUMNS) - 1 - len(follow)
    assert {line["measure"] for line in found} == {"k"}


def test_markdown(patients: Path) -> None:
    arguments = [*COMMON, "--require", "k >= 3", "--format", "markdown"]
    out = sqldiag("borders", patients, *arguments).out
    assert "### Safe to release together" in out
    assert "### Singles people out" in out
    assert "| columns | rows exposed | share |" in out
    assert "| columns | k |" in sqldiag("subsets", patients, *arguments, "--measure", "k").out
