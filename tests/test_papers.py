"""The printed tables: sqldiag itself gives the numbers of the literature, on every engine."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

import sqldiag
from tests.databases import Database
from tests.papers import Question, number, questions, read
from tests.tables import close

PT_QI = ["ZIP", "MaritalStatus", "Sex"]


def load(db: Database, file: str) -> None:
    rows = read(file)
    db.load("printed", list(rows[0]), [tuple(row.values()) for row in rows])


@pytest.mark.parametrize("question", questions("measures"), ids=str)
def test_measures(db: Database, question: Question) -> None:
    load(db, question.file)
    asked = question.asked
    with sqldiag.connect(db.url) as database:
        answer = database.table("printed").measure(
            qi=question.qi,
            measures=[asked["measure"]],
            suppress=asked.get("suppress"),
            curve="curve" in asked,
        )
    (measured,) = answer.measures
    assert measured.measure == asked["measure"]
    assert close(measured.value, number(asked["value"]))
    if "level" in asked:
        assert measured.value_suppressed is not None
        assert close(measured.value_suppressed, number(asked["level"]))
    if "curve" in asked:
        assert measured.curve is not None
        assert len(measured.curve) == len(asked["curve"])
        for (value, need), (expected, needed) in zip(measured.curve, asked["curve"], strict=True):
            assert close(value, number(expected))
            assert close(need, number(needed))


@pytest.mark.parametrize("question", questions("checks"), ids=str)
def test_checks(db: Database, question: Question) -> None:
    load(db, question.file)
    asked, rows = question.asked, len(read(question.file))
    with sqldiag.connect(db.url) as database:
        answer = database.table("printed").check(
            qi=question.qi, require=asked["require"], suppress=asked.get("suppress")
        )
    assert [str(verdict.requirement) for verdict in answer.requirements] == asked["require"]
    assert answer.holds is asked["holds"]
    assert answer.rows_to_suppress == asked["rows_to_suppress"]
    assert answer.remaining_rows == rows - asked["rows_to_suppress"]
    assert close(answer.suppression_needed, Fraction(asked["rows_to_suppress"], rows))


@pytest.mark.parametrize("question", questions("risks"), ids=str)
def test_risks(db: Database, question: Question) -> None:
    load(db, question.file)
    asked = question.asked
    with sqldiag.connect(db.url) as database:
        answer = database.table("printed").measure(qi=question.qi)
    risk = answer.risk
    assert (risk.classes, risk.singletons) == (asked["classes"], asked["singletons"])
    assert close(risk.uniqueness, number(asked["uniqueness"]))
    assert close(risk.average_risk, number(asked["average_risk"]))
    assert close(risk.distinction, number(asked["average_risk"]))
    assert risk.separation is not None
    assert close(risk.separation, number(asked["separation"]))
    assert answer.source.null_rows == 0


# The worked examples, written out: what must be true is to be read here, not in a file.


def values(
    db: Database, qi: list[str], *measures: str, where: str | None = None
) -> Mapping[str, float]:
    with sqldiag.connect(db.url) as database:
        answer = database.table("printed", where=where).measure(qi=qi, measures=measures)
    return {measured.measure: measured.value for measured in answer.measures}


def test_the_ten_row_table(db: Database) -> None:
    load(db, "pt.csv")
    with sqldiag.connect(db.url) as database:
        table = database.table("printed")
        assert table.measure(qi=PT_QI).value() == 1
        assert table.measure(qi=["MaritalStatus"]).value() == 2
        two = table.check(qi=PT_QI, require=["k >= 2"])
        assert not two.holds
        assert two.rows_to_suppress == 4
        assert two.remaining_rows == 6
        assert table.check(qi=PT_QI, require=["k >= 2"], suppress="40%").holds
        assert not table.check(qi=PT_QI, require=["k >= 2"], suppress="39%").holds


@pytest.mark.parametrize(
    ("sex", "rows", "distinct", "frequency", "entropy"),
    [("F", 4, 2, 4 / 3, 1.7547653506), ("M", 6, 2, 2, 2.0)],
)
def test_the_classes_of_the_ten_row_table(
    db: Database, sex: str, rows: int, distinct: int, frequency: float, entropy: float
) -> None:
    """Each class by itself."""
    load(db, "pt.csv")
    found = values(
        db,
        ["Sex"],
        *("k", "distinct_l(Disease)", "frequency_l(Disease)", "entropy_l(Disease)"),
        where=f"\"Sex\" = '{sex}'",
    )
    assert found["k"] == rows
    assert found["distinct_l(Disease)"] == distinct
    assert found["frequency_l(Disease)"] == pytest.approx(frequency, rel=1e-9)
    assert found["entropy_l(Disease)"] == pytest.approx(entropy, abs=1e-10)


def test_both_classes_of_the_ten_row_table_at_once(db: Database) -> None:
    load(db, "pt.csv")
    with sqldiag.connect(db.url) as database:
        answer = database.table("printed").measure(
            qi=["Sex"], measures=["frequency_l(Disease)", "entropy_l(Disease)"], curve=True
        )
    # F, the smaller, is the worse one: its 4 of 10 rows must go for the value of M.
    for measured, of_f, of_m in zip(answer.measures, (4 / 3, 1.7547653506), (2, 2), strict=True):
        assert measured.curve is not None
        assert [value for value, _ in measured.curve] == pytest.approx([of_f, of_m], abs=1e-10)
        assert [need for _, need in measured.curve] == pytest.approx([0, 0.4])


def test_the_nine_row_table(db: Database) -> None:
    load(db, "nine.csv")
    found = values(db, PT_QI, "k", "distinct_l(Disease)", "alpha(Disease, 'HIV')")
    assert found["k"] == 3
    assert found["distinct_l(Disease)"] == 1
    assert found["alpha(Disease, 'HIV')"] == pytest.approx(2 / 3, rel=1e-12)
    with sqldiag.connect(db.url) as database:
        alpha_k = database.table("printed").check(
            qi=PT_QI, require=["k >= 3", "alpha(Disease, 'HIV') <= 0.4"]
        )
    assert [verdict.holds for verdict in alpha_k.requirements] == [True, False]
    assert not alpha_k.holds
    assert alpha_k.rows_to_suppress == 3


@pytest.mark.parametrize("times", [1, 7, 1000])
def test_three_equally_frequent_values_are_entropy_3_diverse(db: Database, times: int) -> None:
    db.load("printed", ["q", "s"], [(1, value) for value in ("a", "b", "c") * times])
    with sqldiag.connect(db.url) as database:
        table = database.table("printed")
        assert table.check(qi=["q"], require=["entropy_l(s) >= 3"]).holds
        assert not table.check(qi=["q"], require=["entropy_l(s) >= 3.000001"]).holds
    db.load("printed", ["q", "s"], [(1, value) for value in ("a", "b", "c") * times + ("a",)])
    with sqldiag.connect(db.url) as database:
        assert not database.table("printed").check(qi=["q"], require=["entropy_l(s) >= 3"]).holds
