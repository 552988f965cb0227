"""The report: what stands on the page, what it costs, and what never stands there."""

from __future__ import annotations

import html
import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import sqldiag
from sqldiag.answers import Diagnosis, Shown
from sqldiag.errors import BadInput, CannotRun
from sqldiag.report.page import Page
from tests import command, oracle
from tests.databases import Database, PostgresDatabase
from tests.oracle import M

ROWS = [
    (i % 3, f"sex-{i % 2}", f"zip-{i * i % 11}", f"ill-{i % 4}", 900_000_000 + i // 2)
    for i in range(120)
]
NAMES = ("age", "sex", "zip", "illness", "person")
DICTS = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
ASKED = ("--qi", "age,sex,zip", "--sensitive", "illness", "--entity", "person")


@pytest.fixture
def loaded(db: Database) -> Database:
    db.load("t", NAMES, ROWS)
    return db


def plain(page: str) -> str:
    """The text of a page, without its tags."""
    body = page.partition("<body")[2]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())


def test_says_what_check_says(loaded: Database, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    required = ("--require", "k >= 4", "--require", "distinct_l(illness) >= 2", "--suppress", "5%")
    ran = command.sqldiag("report", loaded.url, "t", *ASKED, *required, "--output", file)
    checked = command.sqldiag("check", loaded.url, "t", *ASKED, *required)
    assert (ran.code, ran.out, ran.err) == (checked.code, "", f"written to {file}\n")
    verdict = re.search(r"^[✓✗] (.+)$", checked.out, re.MULTILINE)
    assert verdict is not None
    text = plain(file.read_text("utf-8"))
    assert verdict[1] in text
    headings = re.findall(r"<h2>(.*?)</h2>", file.read_text("utf-8"))
    assert headings == [
        "What was asked", "What was found", "Where the risk lies", "What to do next", "Appendix"
    ]  # fmt: skip
    for part in (
        "How large are the crowds?",
        "What would suppression buy?",
        "What would suppression buy for distinct_l(illness)?",
        "Which columns carry the risk?",
        "Which columns go together?",
        f"sqldiag {sqldiag.__version__}",
        "Only counts left the database.",
    ):
        assert part in text, part


def test_numbers_are_those_of_the_questions(loaded: Database) -> None:
    with sqldiag.connect(loaded.url) as database:
        table = database.table("t")
        found = table.report(
            qi=["age", "zip"], entity="person", sensitive=["illness"], require=["k >= 4"]
        ).diagnosis
    assert found.check is not None
    assert found.borders is not None
    with sqldiag.connect(loaded.url) as database:
        table = database.table("t")
        level = table.measure(
            qi=["age", "zip"], entity="person", measures=["k"], curve=True, contributions=True,
            require=["k >= 4"],
        )  # fmt: skip
        borders = table.borders(among=["age", "zip"], entity="person", require=["k >= 4"])
    assert found.curves[0].curve == level.measures[0].curve
    assert found.measurement.contributions == level.contributions
    assert found.check.rows_to_suppress == oracle.need(
        DICTS, ["age", "zip"], [oracle.R(M("k"), 4)], entity="person"
    )
    assert found.borders.safe == borders.safe
    assert found.borders.unsafe == borders.unsafe
    assert [m.measure for m in found.measurement.measures][:2] == ["k", "distinct_l(illness)"]
    # The set with its sensitive column takes one reading, the search without it another.
    assert found.cost.base_scans <= 2


def test_one_reading_where_one_will_do(loaded: Database) -> None:
    with sqldiag.connect(loaded.url) as database:
        found = database.table("t").report(qi=["age", "sex"], require=["k >= 4"]).diagnosis
    assert found.cost.base_scans == 1
    assert sum(ran.reads_base for ran in found.ran) == 1


def test_several_sensitive_columns(loaded: Database) -> None:
    """What is required of one of two columns, whose names in the roll-up are those of both."""
    with sqldiag.connect(loaded.url) as database:
        found = (
            database.table("t")
            .report(
                qi=["age", "sex"], sensitive=["zip", "illness"], require=["alpha(illness) <= 0.3"]
            )
            .diagnosis
        )
    assert found.check is not None
    assert found.check.requirements[0].value == pytest.approx(
        float(oracle.worst(DICTS, ["age", "sex"], M("alpha", "illness")))
    )
    parts = found.measurement.contributions
    assert parts is not None
    level = next(m for m in parts[0].alone.levels if m.measure == "alpha(illness)")
    assert level.value == pytest.approx(float(oracle.worst(DICTS, ["age"], M("alpha", "illness"))))


def test_no_value_of_a_row_is_on_the_page(loaded: Database, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    required = ("--require", "k >= 4", "--suppress", "5%", "--quiet")
    command.sqldiag("report", loaded.url, "t", *ASKED, *required, "--output", file)
    page = file.read_text("utf-8")
    values = {str(value) for row in ROWS for value in row[1:]}
    assert not [value for value in values if value in page]
    command.sqldiag(
        "report", loaded.url, "t", *ASKED, *required, "--examples", "3", "--output", file
    )
    page = file.read_text("utf-8")
    table = page.partition("Groups that were asked for")[2].partition("</table>")[0]
    shown = re.findall(r"<td>(.*?)</td>", table)
    assert len(shown) == 9
    groups = [tuple(shown[i : i + 3]) for i in (0, 3, 6)]
    sizes = {
        tuple(map(str, key)): len({row["person"] for row in members})
        for members in oracle.classes(DICTS, ["age", "sex", "zip"])
        for key in [tuple(members[0][name] for name in ("age", "sex", "zip"))]
    }
    assert sorted(sizes.values())[:3] == sorted(sizes[group] for group in groups)
    # Nothing but these: no value is anywhere else on the page.
    rest = page.replace(table, "")
    assert not [value for value in values if value in rest]
    assert not [
        value for value in values - {cell for group in groups for cell in group} if value in page
    ]


def test_what_was_asked_of_what(loaded: Database) -> None:
    with sqldiag.connect(loaded.url) as database:
        query = database.query("SELECT age, sex, zip FROM t", where="age > 0")
        page = query.report(qi=["age"], identifiers=["zip"]).html()
    text = plain(page)
    for part in (
        "Is the result of a query anonymous?",
        "SELECT age, sex, zip FROM t",
        "Only rows where age > 0",
        "zip identifier",
        "Nothing was required",
        "k is 40 for age",
        "Decide what must hold",
        "UTC",
    ):
        assert part in text, part


def test_when_it_holds(loaded: Database) -> None:
    with sqldiag.connect(loaded.url) as database:
        table = database.table("t")
        holds = table.report(qi=["age", "sex"], require=["k >= 2"])
        barely = table.report(qi=["zip", "sex"], require=["k >= 8"], suppress="10%")
    assert "Nothing has to be suppressed." in plain(holds.html())
    assert "whose groups miss what is required" in plain(barely.html())
    assert barely.diagnosis.check is not None
    assert barely.diagnosis.check.holds


def test_one_column_and_one_row(db: Database) -> None:
    db.load("t", ["a", "b"], [(1, None)])
    with sqldiag.connect(db.url) as database:
        for qi in (["a"], ["b"], ["a", "b"]):
            text = plain(database.table("t").report(qi=qi, require=["k >= 2"]).html())
            assert "Suppression cannot help: no group reaches what is required." in text
            assert "1 row of 1 (100%) is alone in its group." in text


def test_nobody_in_a_group(db: Database) -> None:
    db.load("t", {"a": "INTEGER", "p": "INTEGER"}, [(1, None), (1, 2), (2, None)])
    with sqldiag.connect(db.url) as database:
        found = database.table("t").report(qi=["a"], entity="p", require=["k >= 1"])
    assert found.diagnosis.check is not None
    assert found.diagnosis.check.rows_to_suppress == 1
    assert "1 row (33.3%)" in plain(found.html())


def test_light_and_quick(loaded: Database) -> None:
    """Far below what may be sent around, and far quicker than anyone would mind."""
    names = [f"c{i}" for i in range(8)]
    rows = [[(row * 7 + i * 3) % (i + 2) for i in range(8)] for row in range(2000)]
    loaded.load("wide", names, rows)
    with sqldiag.connect(loaded.url) as database:
        page = database.table("wide").report(qi=names, require=["k >= 5"], suppress="1%")
    started = time.perf_counter()
    text = page.html()
    assert time.perf_counter() - started < 3
    assert len(text.encode()) < 1_500_000


def test_without_temporary_tables(postgres_db: PostgresDatabase) -> None:
    postgres_db.load("t", NAMES, ROWS)
    postgres_db.execute(
        f"REVOKE TEMPORARY ON DATABASE {postgres_db.name} FROM PUBLIC;"
        "DROP ROLE IF EXISTS pages; CREATE ROLE pages LOGIN; GRANT SELECT ON t TO pages"
    )
    with sqldiag.connect(postgres_db.server.url(postgres_db.name, user="pages")) as database:
        text = plain(database.table("t").report(qi=["age", "sex"], require=["k >= 4"]).html())
    assert "every step reads the whole relation again" in text
    postgres_db.execute("DROP OWNED BY pages; DROP ROLE pages")


def test_refused(loaded: Database, tmp_path: Path) -> None:
    with sqldiag.connect(loaded.url) as database, pytest.raises(BadInput, match="--among searches"):
        database.table("t").report(qi=["age"], among=["sex"])
    ran = command.sqldiag("report", loaded.url, "t", "--qi", "nowhere", "--require", "k >= 2")
    assert "has no column nowhere" in command.refused(ran, 2)
    file = tmp_path / "none" / "report.html"
    ran = command.sqldiag("report", loaded.url, "t", "--qi", "age", "--output", file)
    assert "no such directory" in command.refused(ran, 2)


def test_to_stdout_and_explained(loaded: Database) -> None:
    ran = command.sqldiag("report", loaded.url, "t", "--qi", "age", "--require", "k >= 2")
    assert ran.code == 0
    assert ran.out.startswith("<!DOCTYPE html>")
    explained = command.sqldiag(
        "report", loaded.url, "t", "--qi", "age,sex", "--require", "k >= 2", "--explain"
    )
    assert explained.code == 0
    assert explained.out.startswith("-- The first steps follow")
    assert "-- diagnosis: profile of age, sex" in explained.out


def test_answers_show_themselves(loaded: Database) -> None:
    with sqldiag.connect(loaded.url) as database:
        table = database.table("t")
        check = table.check(qi=["age", "zip"], require=["k >= 4"], suppress="1%")
        measured = table.measure(
            qi=["age", "zip"], sensitive=["illness"], curve=True, contributions=True, examples=1
        )
        borders = table.borders(among=["age", "sex", "zip"], require=["k >= 4"])
        subsets = table.subsets(among=["age", "sex"])
        page = table.report(qi=["age"], require=["k >= 4"])
    for answer, says in (
        (check, "k >= 4 does not hold for age, zip, with up to 1% of the rows suppressed"),
        (measured, "Which columns carry the risk?"),
        (borders, "Which columns go together?"),
        (subsets, "age, sex"),
        (page, "What to do next"),
    ):
        assert isinstance(answer, Shown | Page)
        shown = answer._repr_html_() or ""
        assert shown.lstrip().startswith('<div class="sqldiag piece">')
        assert says in plain("<body" + shown)
        assert "<script" not in shown


def test_saved_whole(loaded: Database, tmp_path: Path) -> None:
    with sqldiag.connect(loaded.url) as database:
        page = database.table("t").report(qi=["age"])
    assert isinstance(page.diagnosis, Diagnosis)
    assert page.diagnosis.made - datetime.now(UTC) < timedelta(minutes=1)
    file = page.save(tmp_path / "report.html")
    assert file.read_text("utf-8") == page.html()
    assert [path.name for path in tmp_path.glob("*.html")] == ["report.html"]
    with pytest.raises(CannotRun, match=r"cannot write .*: No such file or directory"):
        page.save(tmp_path / "none" / "report.html")


def test_a_search_that_stops_early(loaded: Database) -> None:
    with sqldiag.connect(loaded.url) as database:
        page = database.table("t").report(
            qi=["age", "sex", "zip", "illness"], require=["k >= 4"], max_sets=1
        )
    assert "The search was not finished; what is listed is right." in plain(page.html())
