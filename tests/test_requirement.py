"""The requirement language: one canonical form, and a pointed finger at every mistake."""

from __future__ import annotations

import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqldiag.errors import BadInput
from sqldiag.measure import Call, Direction, Takes
from sqldiag.measures import MEASURES
from sqldiag.names import quoted
from sqldiag.requirement import parse_measure, parse_requirement, plain

CANONICAL = {
    "k>=5": "k >= 5",
    "  K  >=  5.0 ": "k >= 5",
    "k()>=5": "k >= 5",
    "k ≥ 05": "k >= 5",
    "k >= +5": "k >= 5",
    "k >= 1e2": "k >= 100",
    "distinct_l( diagnosis )>=3": "distinct_l(diagnosis) >= 3",
    'Distinct_L("diagnosis")>=3': "distinct_l(diagnosis) >= 3",
    'distinct_l("select") >= 3': 'distinct_l("select") >= 3',
    'distinct_l("marital-status") >= 3': 'distinct_l("marital-status") >= 3',
    'distinct_l("weird ""t") >= 3': 'distinct_l("weird ""t") >= 3',
    'distinct_l("x,y") >= 3': 'distinct_l("x,y") >= 3',
    'distinct_l("a)b(") >= 3': 'distinct_l("a)b(") >= 3',
    "distinct_l(ünïcode) >= 3": "distinct_l(ünïcode) >= 3",
    "entropy_l(s)>=2.50": "entropy_l(s) >= 2.5",
    "recursive_l(s,3)>=2": "recursive_l(s, 3) >= 2",
    "recursive_l(s  ,  .50)>=2": "recursive_l(s, 0.5) >= 2",
    "alpha(s)<=0.4": "alpha(s) <= 0.4",
    "alpha(s,'HIV','it''s',  null, 3, -1.50)≤.4": (
        "alpha(s, 'HIV', 'it''s', NULL, 3, -1.5) <= 0.4"
    ),
    "alpha(s, '') <= 1": "alpha(s, '') <= 1",
    "t_closeness(s) <= 1e-12": "t_closeness(s) <= 0.000000000001",
    "t_closeness(s) <= 0.123456789012345678901": "t_closeness(s) <= 0.123456789012345678901",
    "delta_disclosure(s)\n<=\n1": "delta_disclosure(s) <= 1",
}


@pytest.mark.parametrize(("text", "canonical"), CANONICAL.items())
def test_canonical_form(text: str, canonical: str) -> None:
    requirement = parse_requirement(text)
    assert str(requirement) == canonical
    assert parse_requirement(canonical) == requirement


# What is wrong, and what the message must say: ▸ stands before the place.
MALFORMED = {
    "": r"expected a measure \(k, .*at character 1, it ends there: ▸$",
    "   ": r"at character 4, it ends there:    ▸$",
    "5": r"expected a measure .* found 5: ▸5$",
    "k": r"expected >= and a number at character 2, it ends there: k▸$",
    "k >=": r"expected a number at character 5, it ends there: k >=▸$",
    "k >= five": r"expected a number at character 6, found five: k >= ▸five$",
    "k >= 5 5": r"expected nothing more at character 8, found 5: k >= 5 ▸5$",
    "k >= 5 and k >= 6": r"expected nothing more at character 8, found and",
    "k >= 5%": r"expected nothing more at character 7, found %: k >= 5▸%$",
    "k >= 5x": r"expected a number at character 6",
    "k >= 5.5.5": r"expected a number at character 6",
    "k > 5": r"expected >= and a number at character 3, found >: k ▸> 5$",
    "k = 5": r"expected >= and a number at character 3, found =",
    "k == 5": r"expected >= and a number at character 3, found ==",
    "k <> 5": r"expected >= and a number at character 3, found <>",
    "k => 5": r"expected >= and a number at character 3, found =",
    "5 <= k": r"expected a measure .* at character 1, found 5",
    "k(age) >= 5": r"expected \), for k takes no column at character 3, found age: k\(▸age\) >= 5$",
    "k( >= 5": r"expected \), for k takes no column at character 4",
    "m >= 5": r"requirement 'm >= 5': there is no measure m",
    "distinct(s) >= 5": r"there is no measure distinct; did you mean distinct_l\?$",
    "t_closenes(s) <= 1": r"did you mean t_closeness or t_closeness_ordered\?$",
    "distinct_l >= 5": r"expected \( and a sensitive column at character 12, found >=",
    "distinct_l() >= 5": r"expected a column \(.*\) at character 12, found \)",
    "distinct_l(marital-status) >= 5": r"expected \) at character 19, found -: .*marital▸-status",
    "distinct_l('s') >= 5": r"expected a column .* at character 12, found 's'",
    'distinct_l("s) >= 5': r'expected a column .* at character 12, found "',
    'distinct_l("") >= 5': r"expected a column .* at character 12",
    "distinct_l(s, 3) >= 5": r"expected \) at character 13, found ,",
    "distinct_l(s >= 5": r"expected \) at character 14, found >=",
    "recursive_l(s) >= 5": r"expected , and the number c, as in recursive_l\(s, 3\)",
    "recursive_l(s, ) >= 5": r"expected the number c at character 16, found \)",
    "recursive_l(s, 0) >= 5": r"c must be above 0$",
    "recursive_l(s, -1) >= 5": r"c must be above 0$",
    "alpha(s, HIV) <= 1": r"expected a value in 'single quotes', a number or NULL .* found HIV",
    'alpha(s, "HIV") <= 1': r"expected a value in 'single quotes', a number or NULL",
    "alpha(s, 'HIV) <= 1": r"expected a value in 'single quotes', a number or NULL .* found '",
    "alpha(s,) <= 1": r"expected a value in 'single quotes', a number or NULL",
    "alpha(s) <= -0.1": r"a threshold cannot be negative$",
    "k >= -5": r"a threshold cannot be negative$",
    "k >= 1e31": r"expected a number between 1e-30 and 1e30 .* at character 6, found 1e31",
    "k >= " + "9" * 5000: r"expected a number between 1e-30 and 1e30 .* at character 6",
    "t_closeness(s) <= 1e-999": r"expected a number between 1e-30 and 1e30",
    "t_closeness(s) <= 0." + "1" * 63: r"expected a number between .* of at most 64 digits",
    "k >= inf": r"expected a number at character 6, found inf",
    "k >= nan": r"expected a number at character 6, found nan",
}


@pytest.mark.parametrize(("text", "message"), MALFORMED.items(), ids=range(len(MALFORMED)))
def test_malformed(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        parse_requirement(text)
    assert caught.value.exit_code == 2
    assert len(caught.value.sentence) < 500


@pytest.mark.parametrize("name", MEASURES)
def test_wrong_direction(name: str) -> None:
    """The other direction is an error that says so, and names the border that was meant."""
    measure = MEASURES[name]
    arguments = {Takes.NOTHING: "", Takes.COLUMN_AND_NUMBER: "(s, 3)"}.get(measure.takes, "(s)")
    right = measure.direction.value
    wrong = "<=" if measure.direction is Direction.MORE else ">="
    parse_requirement(f"{name}{arguments} {right} 1")
    safer = "more" if measure.direction is Direction.MORE else "less"
    with pytest.raises(BadInput, match=rf"{safer} is safer.*{right}.*unsafe border"):
        parse_requirement(f"{name}{arguments} {wrong} 1")


def test_a_measure_has_no_threshold() -> None:
    assert str(parse_measure(' entropy_l( "a b" ) ')) == 'entropy_l("a b")'
    with pytest.raises(BadInput, match=r"^measure: .*a threshold goes to --require.*: k ▸>= 5$"):
        parse_measure("k >= 5")
    with pytest.raises(BadInput, match=r"expected nothing more at character 3, found x"):
        parse_measure("k x")


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (parse_requirement, parse_measure):
        with contextlib.suppress(BadInput):
            assert str(parse(text))


PIECES = st.sampled_from(
    [*MEASURES, *("s", '"x,y"', "'v'", "NULL", "3", "0.5", "-1", "(", ")", ",", ">=", "<=", "=")]
)


@given(st.lists(PIECES, max_size=9).map(" ".join))
def test_any_words_are_read_or_refused(text: str) -> None:
    """Nearer to the language than any text: some of these hold."""
    try:
        requirement = parse_requirement(text)
    except BadInput:
        return
    assert parse_requirement(str(requirement)) == requirement


DECIMALS = st.builds(
    lambda digits, places: Fraction(digits, 10**places), st.integers(0, 10**20), st.integers(0, 20)
)
COLUMNS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
VALUES = st.one_of(st.none(), st.text(st.characters(exclude_categories=["Cs"])), DECIMALS)


@st.composite
def requirements(draw: st.DrawFn) -> tuple[str, Call, Fraction]:
    """A requirement as a careful user writes it, and what it means."""
    measure = draw(st.sampled_from(list(MEASURES.values())))
    threshold = draw(DECIMALS)
    end = f" {measure.direction.value} {plain(threshold)}"
    if measure.takes is Takes.NOTHING:
        return measure.name + end, Call(measure, text=measure.name), threshold
    column = draw(COLUMNS)
    number: Fraction | None = None
    values: tuple[str | Fraction | None, ...] = ()
    more = ""
    if measure.takes is Takes.COLUMN_AND_NUMBER:
        number = draw(DECIMALS.filter(bool))
        more = f", {plain(number)}"
    elif measure.takes is Takes.COLUMN_AND_VALUES:
        values = tuple(draw(st.lists(VALUES, max_size=3)))
        more = "".join(f", {_written(value)}" for value in values)
    text = f"{measure.name}({quoted(column)}{more})"
    return text + end, Call(measure, column, number=number, values=values, text=text), threshold


def _written(value: str | Fraction | None) -> str:
    if value is None:
        return "NULL"
    return plain(value) if isinstance(value, Fraction) else "'" + value.replace("'", "''") + "'"


@given(requirements())
def test_what_is_written_is_what_is_read(written: tuple[str, Call, Fraction]) -> None:
    text, call, threshold = written
    requirement = parse_requirement(text)
    assert (requirement.call, requirement.threshold) == (call, threshold)
    assert str(requirement) == text
    assert parse_requirement(str(requirement)) == requirement
    assert str(parse_measure(str(requirement.call))) == str(requirement.call)


@given(DECIMALS)
def test_a_number_is_written_to_its_last_digit(number: Fraction) -> None:
    assert Fraction(plain(number)) == number
    assert "e" not in plain(number)
