"""The brute force itself against numbers computed by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from tests.oracle import (
    M,
    R,
    allowed,
    borders,
    class_value,
    classes,
    curve,
    holds,
    level,
    misses,
    need,
    profile,
    risk,
    subsets,
    suppression_needed,
    worst,
)
from tests.papers import Question, measure, number, questions, read, requirement

Rows = list[dict[str, object]]


def table(columns: str, *lines: str) -> Rows:
    """A table as one would write it down; a dash is NULL."""
    names = columns.split()
    return [
        {
            name: None if cell == "-" else cell
            for name, cell in zip(names, line.split(), strict=True)
        }
        for line in lines
    ]


def close(value: object, expected: object) -> bool:
    return float(value) == pytest.approx(float(expected), rel=1e-9)  # type: ignore[arg-type]


@pytest.mark.parametrize("question", questions("measures"), ids=str)
def test_printed_measures(question: Question) -> None:
    rows, asked = read(question.file), measure(question.asked["measure"])
    assert close(worst(rows, question.qi, asked), number(question.asked["value"]))
    if "level" in question.asked:
        delta = Fraction(question.asked["suppress"])
        assert level(rows, question.qi, asked, delta) == number(question.asked["level"])
    if "curve" in question.asked:
        points = curve(rows, question.qi, asked)
        assert len(points) == len(question.asked["curve"])
        for (value, share), (expected, needed) in zip(points, question.asked["curve"], strict=True):
            assert close(value, number(expected))
            assert share == number(needed)


@pytest.mark.parametrize("question", questions("checks"), ids=str)
def test_printed_checks(question: Question) -> None:
    rows = read(question.file)
    required = [requirement(text) for text in question.asked["require"]]
    delta = Fraction(question.asked.get("suppress", "0"))
    assert need(rows, question.qi, required) == question.asked["rows_to_suppress"]
    assert holds(rows, question.qi, required, delta) is question.asked["holds"]


@pytest.mark.parametrize("question", questions("risks"), ids=str)
def test_printed_risks(question: Question) -> None:
    found = risk(read(question.file), question.qi)
    assert found.classes == question.asked["classes"]
    assert found.singletons == question.asked["singletons"]
    assert found.uniqueness == number(question.asked["uniqueness"])
    assert found.average_risk == found.distinction == number(question.asked["average_risk"])
    assert found.separation == number(question.asked["separation"])
    assert found.null_rows == 0


@pytest.mark.parametrize("question", questions("borders"), ids=str)
def test_printed_borders(question: Question) -> None:
    required = [requirement(text) for text in question.asked["require"]]
    delta = Fraction(question.asked["suppress"])
    safe, unsafe = borders(read(question.file), question.qi, required, delta)
    assert safe == {tuple(columns) for columns in question.asked["safe"]}
    assert unsafe == {tuple(columns) for columns in question.asked["unsafe"]}


def test_null_is_a_value() -> None:
    rows = table("a b", "- 1", "- 1", "x -")
    assert sorted(len(members) for members in classes(rows, ["a"])) == [1, 2]
    assert worst(rows, ["b"], M("k")) == 1
    assert risk(rows, ["a", "b"]).null_rows == 3
    assert worst(rows, ["a"], M("distinct_l", "b")) == 1


@pytest.mark.parametrize(("rows", "qi"), [([], ["a"]), ([{"a": 1}], [])])
def test_nothing_to_diagnose(rows: Rows, qi: list[str]) -> None:
    with pytest.raises(ValueError, match=r"empty|no quasi"):
        classes(rows, qi)


def test_one_row() -> None:
    found = risk([{"a": None}], ["a"])
    assert found.uniqueness == 1
    assert found.separation == 0
    assert found.null_rows == 1


def test_three_equally_frequent_values_are_entropy_3_diverse() -> None:
    rows = table("s", *["a", "b", "c"] * 7)
    value = class_value(rows, rows, M("entropy_l", "s"))
    assert not misses(value, R(M("entropy_l", "s"), 3))
    assert misses(value, R(M("entropy_l", "s"), 3.00001))


def test_counts_are_compared_exactly() -> None:
    third = R(M("alpha", "s"), Fraction(1, 3))
    assert not misses(Fraction(1, 3), third)
    assert misses(Fraction(1, 3) + Fraction(1, 10**12), third)
    assert not misses(1 / 3 + 1e-12, R(M("t_closeness", "s"), Fraction(1, 3)))
    assert misses(Fraction(10), R(M("frequency_l", "s"), Fraction(10) + Fraction(1, 10**12)))


def test_delta_is_rounded_down_exactly() -> None:
    # 0.29 * 100 is 28.999999999999996 in floating point
    assert [allowed(0.29, 100), allowed(Fraction(1, 3), 9), allowed(0.2899, 100)] == [29, 3, 28]
    assert [allowed(0, 10), allowed(1, 10)] == [0, 10]


def test_level_never_suppresses_everything() -> None:
    rows = table("a", "x", "y", "y", "z", "z", "w", "w", "w")
    assert [level(rows, ["a"], M("k"), Fraction(n, 8)) for n in (0, 1, 4, 5, 8)] == [1, 2, 2, 3, 3]
    assert curve(rows, ["a"], M("k")) == [(1, 0), (2, Fraction(1, 8)), (3, Fraction(5, 8))]
    assert [(line.value, line.classes, line.rows) for line in profile(rows, ["a"], M("k"))] == [
        (1, 1, 1), (2, 2, 4), (3, 1, 3),
    ]  # fmt: skip
    assert suppression_needed(rows, ["a"], [R(M("k"), 4)]) == 1


def test_need_may_shrink_with_more_columns() -> None:
    """{a,a,b} misses frequency 2; of its parts {a,b} and {a} only the second does."""
    rows = table("g x s", "1 1 a", "1 1 b", "1 2 a", "2 1 a", "2 1 b")
    two = [R(M("frequency_l", "s"), 2)]
    assert need(rows, ["g"], two) == 3
    assert need(rows, ["g", "x"], two) == 1
    assert borders(rows, ["g", "x"], two, Fraction(1, 5)) == ({("g", "x")}, {("g",)})


def test_max_size_bounds_both_borders() -> None:
    rows = table("a b c", "1 1 1", "1 2 2", "2 1 2", "2 2 1")
    two = [R(M("k"), 2)]
    assert borders(rows, "abc", two) == (
        {("a",), ("b",), ("c",)},
        {("a", "b"), ("a", "c"), ("b", "c")},
    )
    assert borders(rows, "abc", two, max_size=1) == ({("a",), ("b",), ("c",)}, set())


def test_subsets_answers_every_set() -> None:
    rows = table("a b", "1 1", "1 2", "2 1", "2 1")
    answers = subsets(rows, "ab", delta=Fraction(1, 2), requirements=[R(M("k"), 2)])
    assert list(answers) == [("a",), ("b",), ("a", "b")]
    both = answers["a", "b"]
    assert (both.value, both.value_suppressed, both.classes) == (1, 2, 3)
    assert both.suppression_needed == Fraction(1, 2)
    assert list(both.curve) == [(1, 0), (2, Fraction(1, 2))]
    assert subsets(rows, "ab")["a",].suppression_needed is None


ENTITIES = table(
    "qi who s",
    "x ann flu", "x ann flu", "x ann HIV", "x bob flu", "x - gout",
    "y - flu", "y - flu",
)  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "x"),
    [
        (M("k"), 2),
        (M("distinct_l", "s"), 2),  # nobody has gout
        (M("frequency_l", "s"), 1),  # both people have flu
        (M("entropy_l", "s"), 3 / 2 ** (2 / 3)),  # pairs: flu 2, HIV 1
        (M("recursive_l", "s", c=3), 2),  # 2 < 3 * 1
        (M("recursive_l", "s", c=2), 1),  # not 2 < 2 * 1
        (M("alpha", "s"), 1),
        (M("alpha", "s", ("HIV", "gout")), Fraction(1, 2)),
        (M("t_closeness", "s"), 0),  # all pairs of the relation are in x
        (M("t_closeness_ordered", "s"), 0),
        (M("basic_beta", "s"), 0),
        (M("enhanced_beta", "s"), 0),
        (M("delta_disclosure", "s"), 0),
    ],
    ids=str,
)
def test_people_not_rows(asked: M, x: float) -> None:
    first, nobody = classes(ENTITIES, ["qi"])
    assert close(class_value(first, ENTITIES, asked, entity="who"), x)
    assert class_value(nobody, ENTITIES, asked, entity="who") == 0


def test_shares_with_an_entity_are_shares_of_pairs() -> None:
    rows = table("qi who s", "x ann flu", "x ann flu", "x ann HIV", "y bob flu")
    asked = M("t_closeness", "s")
    # pairs: x has flu and HIV, the relation flu twice and HIV once
    assert worst(rows, ["qi"], asked, entity="who") == Fraction(1, 3)
    assert worst(rows, ["qi"], asked) == Fraction(1, 4)
    assert need(rows, ["qi"], [R(M("k"), 2)], entity="who") == 4


def test_order_is_the_types_own_and_null_is_last() -> None:
    values: list[object] = [9, 10, None]
    rows: Rows = [{"q": value, "s": value} for value in values]
    asked = M("t_closeness_ordered", "s")
    found = [class_value([row], rows, asked) for row in rows]
    assert found == [Fraction(1, 2), Fraction(1, 3), Fraction(1, 2)]
    one_value: Rows = [{"s": "a"}, {"s": "a"}]
    assert class_value(one_value[:1], one_value, asked) == 0


def test_strict_sensitive_makes_the_others_join() -> None:
    rows = table("q s t", "1 a x", "1 b x", "1 a y", "1 b y", "2 a x", "2 b y")
    asked = M("distinct_l", "s")
    assert worst(rows, ["q"], asked) == 2
    assert worst(rows, ["q"], asked, strict_sensitive=["s", "t"]) == 1
    assert need(rows, ["q"], [R(asked, 2)], strict_sensitive=["s", "t"]) == 2
    assert worst(rows, ["q"], M("k"), strict_sensitive=["s", "t"]) == 2


def test_enhanced_beta_at_its_edge() -> None:
    rows = table("q s", "1 a", "1 a", "1 b", "2 b", "2 b", "2 a")
    # p = 2/3 and q = 1/2: the gain 1/3 is below -ln(1/2)
    assert worst(rows, ["q"], M("enhanced_beta", "s")) == Fraction(1, 3)
    # p = 1: the gain 1 is above it
    assert worst(rows, ["s"], M("enhanced_beta", "s")) == math.inf
