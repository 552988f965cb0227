"""Edges that once were wrong: each test is a mistake that must not come back."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

import sqldiag
from sqldiag.cli.main import run
from sqldiag.names import join_list, split_list

ROWS = "a,s\n1,x\n2,y\n2,x\n"


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "small.csv"
    path.write_text(ROWS)
    return str(path)


def test_a_share_finer_than_any_database_counts(table: str) -> None:
    with sqldiag.connect(table) as database:
        for share in ("0." + "3" * 41, "1e-38"):
            with pytest.raises(sqldiag.BadInput, match="finer"):
                database.table().measure(qi=["a"], suppress=share)
        # 18 digits are taken as they are: a third of three rows, and not quite a third.
        for share, level in (("1/3", 2), ("0." + "3" * 18, 1)):
            answer = database.table().measure(qi=["a"], suppress=share)
            assert answer.measures[0].value_suppressed == level


def test_csv_has_all_that_was_asked(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["measure", table, "--qi", "a", "--format", "csv", "--require", "k >= 2"]
    assert run([*asked, "--measure", "entropy_l(s)"]) == 0
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [line["measure"] for line in lines] == ["entropy_l(s)", "k"]
    assert lines[0]["classes"] == "2"
    assert (lines[1]["requirement"], lines[1]["rows_to_suppress"]) == ("k >= 2", "1")
    assert run([*asked, "--curve"]) == 0
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [line["requirement"] for line in lines] == ["", "", "k >= 2"]
    assert run([*asked, "--examples", "1"]) == 0
    assert capsys.readouterr().out == "a,size,rows\n1,1,1\n"


@pytest.mark.parametrize("more", [[], ["--require", "k >= 2"], ["--curve"], ["--suppress", "0.5"]])
def test_subsets_explain_what_they_send_first(
    table: str, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["subsets", table, *more]
    assert run([*asked, "--explain"]) == 0
    planned = re.findall(r"-- diagnosis: (\d+ sets? of .*)", capsys.readouterr().out)
    assert run([*asked, "--verbose"]) == 0
    sent = re.findall(r"-- diagnosis: (\d+ sets? of .*)", capsys.readouterr().err)
    assert planned == sent[:1]


def test_explaining_needs_what_running_needs(
    table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["borders", table, "--explain"]) == 2
    assert "--require" in capsys.readouterr().err


def test_no_part_of_a_password_is_a_host(capsys: pytest.CaptureFixture[str]) -> None:
    url = "postgresql://bob:p@ss/word@localhost:1/db"
    assert run(["check", url, "t", "--qi", "a", "--require", "k >= 1"]) == 2
    said = capsys.readouterr().err
    assert "percent-encoded" in said
    assert "ss" not in re.findall(r"\w+", said)


def test_a_space_in_front_is_part_of_a_name() -> None:
    for names in ((" lead",), ("a", " lead"), (" a", "b")):
        assert split_list([join_list(names)], option="--qi") == names
    assert split_list([" lead"], option="--qi") == (" lead",)
    assert split_list(["a, b"], option="--qi") == ("a", "b")


def test_a_file_does_not_hide_a_table(
    table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With SQLDIAG_URL set, a lone argument is a table unless it is clearly a source."""
    (tmp_path / "patients").write_text("not a database")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SQLDIAG_URL", table)
    assert run(["check", "patients", "--qi", "a", "--require", "k >= 1"]) == 2
    assert "there is no table or view patients" in capsys.readouterr().err
