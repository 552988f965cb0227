"""How names and shares are written, and what nearest names are: no database."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sqldiag.engines import looks_like_source
from sqldiag.engines.paths import reader_for
from sqldiag.errors import BadInput, nearest
from sqldiag.names import quoted, split_list
from sqldiag.relation import Column, Relation, Roles
from sqldiag.suppression import budget, parse_share

LISTS = {
    "a,b": ["a", "b"],
    "a, b": ["a", "b"],
    "a,a,b": ["a", "b"],
    '"x,y",b': ["x,y", "b"],
    'b,"x,y"': ["b", "x,y"],
    '"x,y", "z,"': ["x,y", "z,"],
    'weird "t,b': ['weird "t', "b"],
    '"weird ""t",b': ['weird "t', "b"],
    '"t': ['"t'],
    'a,"t': ["a", '"t'],
    '" lead"': [" lead"],
    "a b,select": ["a b", "select"],
    "c.d.a.b": ["c.d.a.b"],
    "two\nlines": ["two\nlines"],
    '"two\nlines",b': ["two\nlines", "b"],
    "ünïcode": ["ünïcode"],
}


@pytest.mark.parametrize(("text", "names"), LISTS.items())
def test_a_list_of_names(text: str, names: list[str]) -> None:
    assert split_list([text], option="--qi") == tuple(names)


def test_an_option_may_repeat() -> None:
    assert split_list(["a,b", "c", "a"], option="--qi") == ("a", "b", "c")
    assert split_list([], option="--qi") == ()


@pytest.mark.parametrize("text", [",", "a,", ",a", "a,,b", '""', 'a,""', " "])
def test_an_empty_name_in_a_list(text: str) -> None:
    with pytest.raises(BadInput, match="--sensitive holds an empty column name"):
        split_list([text], option="--sensitive")


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@given(st.lists(NAMES, min_size=1, unique=True))
@example(['"'])
@example(["a\r"])
@example(["\x00"])
def test_every_name_can_be_listed(names: list[str]) -> None:
    """Written as CSV, any names come through."""
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="").writerow(names)
    assert split_list([out.getvalue()], option="--qi") == tuple(names)


@given(st.text())
def test_any_list_is_read_or_refused(text: str) -> None:
    try:
        names = split_list([text], option="--qi")
    except BadInput:
        return
    assert all(names)


QUOTED = {
    "age": "age",
    "Age_2": "Age_2",
    "_x": "_x",
    "ünïcode": "ünïcode",
    "2x": '"2x"',
    "a b": '"a b"',
    "x,y": '"x,y"',
    "marital-status": '"marital-status"',
    'weird "t': '"weird ""t"',
    "select": '"select"',
    "USER": '"USER"',
    "a.b": '"a.b"',
    "": '""',
}


@pytest.mark.parametrize(("name", "written"), QUOTED.items())
def test_quoted_only_where_needed(name: str, written: str) -> None:
    assert quoted(name) == written


SHARES = {
    "0": Fraction(0),
    "0.01": Fraction(1, 100),
    "1%": Fraction(1, 100),
    " 1 % ": Fraction(1, 100),
    ".5": Fraction(1, 2),
    "1.": Fraction(1),
    "12.5%": Fraction(1, 8),
    "0.1%": Fraction(1, 1000),
    "100%": Fraction(1),
    "1/3": Fraction(1, 3),
    "1e-3": Fraction(1, 1000),
    "-0": Fraction(0),
}


@pytest.mark.parametrize(("text", "share"), SHARES.items())
def test_shares(text: str, share: Fraction) -> None:
    assert parse_share(text) == share


def test_a_share_is_the_decimal_that_was_written() -> None:
    """0.1 as a float is a little more than a tenth, 0.7 a little less: both are meant exactly."""
    assert parse_share(0.1) == Fraction(1, 10)
    assert budget(parse_share(0.7), 10) == 7
    assert budget(parse_share("0.29"), 100) == 29
    assert budget(parse_share("28.999999%"), 100) == 28
    assert parse_share(1e-7) == Fraction(1, 10**7)
    assert parse_share(Fraction(2, 3)) == Fraction(2, 3)
    assert parse_share(1) == 1


@pytest.mark.parametrize("text", ["", "%", "a", "nan", "inf", "1/0", "0,5", "1%%", "1e999", "½"])
def test_not_a_share(text: str) -> None:
    with pytest.raises(BadInput, match=r"--suppress .* is not a share; write 0.01 or 1%|outside"):
        parse_share(text)


@pytest.mark.parametrize("text", ["-0.01", "1.01", "101%", "-1%", "2", "1" * 100, "3/2"])
def test_a_share_outside(text: str) -> None:
    with pytest.raises(BadInput, match=r"is outside 0 to 1 \(0% to 100%\)"):
        parse_share(text)


@given(st.text(max_size=30))
@example("1e999999999")
@example("9" * 5000)
@example("1/" + "9" * 5000)
def test_any_share_is_read_or_refused(text: str) -> None:
    try:
        share = parse_share(text)
    except BadInput:
        return
    assert 0 <= share <= 1


def test_nearest_names() -> None:
    assert nearest("agee", ["age", "sex"]) == "; did you mean age?"
    assert nearest("AGE", ["age", "sex"]) == "; did you mean age?"
    assert nearest("ag", ["age", "aga", "sex"]) in (
        "; did you mean aga or age?",
        "; did you mean age or aga?",
    )
    assert nearest("diagnosis", ["age", "sex"]) == "; there are: age, sex"
    assert nearest("zzz", [f"c{i}" for i in range(100)]) == ""
    assert nearest("x", []) == ""


def test_roles() -> None:
    columns = tuple(Column(name, "TEXT") for name in ("a", "b", "c", "d"))
    relation = Relation(name="t", columns=columns)
    Roles(quasi_identifiers=("a", "b"), sensitive=("c",), entity="d").check(relation)
    for roles, both in {
        Roles(quasi_identifiers=("a",), sensitive=("a",)): "quasi-identifier and as sensitive",
        Roles(quasi_identifiers=("a",), entity="a"): "quasi-identifier and as entity",
        Roles(sensitive=("a",), entity="a"): "sensitive and as entity",
        Roles(entity="a", identifiers=("a",)): "entity and as identifier",
        Roles(identifiers=("a",), excluded=("a",)): "identifier and as excluded",
    }.items():
        with pytest.raises(BadInput, match=f"column a is named both as {both}; a column has one"):
            roles.check(relation)
    with pytest.raises(BadInput, match="t has no column A; did you mean a"):
        Roles(quasi_identifiers=("A",)).check(relation)
    assert relation.in_order(["d", "a"]) == ("a", "d")


def test_what_a_path_says() -> None:
    for path in ("x.csv", "x.CSV", "x.csv.gz", "dir/x.tsv.zst", "*.parquet", "x.jsonl", "x.ndjson"):
        assert reader_for(path) is not None
        assert looks_like_source(path)
    for path in ("x", "x.txt", "csv", "x.gz", "patients.age"):
        assert reader_for(path) is None
        assert not looks_like_source(path)
    for source in ("x.duckdb", "x.db", ":memory:", "postgresql://h/d", "nosuch://h", "duckdb:///x"):
        assert looks_like_source(source)
