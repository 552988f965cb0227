"""The population model: the worked examples of the literature, and laws that must hold."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqldiag import population as p
from sqldiag.errors import BadInput

US = 3e8
GENDER, BIRTH_DATE, ZIP = 2, 2e4, 1e5


def test_gender_birth_date_and_zip_single_out_nearly_everybody() -> None:
    size = p.domain([GENDER, BIRTH_DATE, ZIP])
    assert size == 4e9
    assert p.expected_uniqueness(size, US) == pytest.approx(0.93, abs=0.005)
    assert p.is_alpha_quasi_identifier(size, US, 0.5)


def test_nationality_birth_date_and_occupation_single_out_few() -> None:
    size = p.domain([200, 2e4, 100])
    assert size == 4e8
    assert p.expected_uniqueness(size, 6e9) == pytest.approx(0.025, abs=0.0005)
    assert not p.is_alpha_quasi_identifier(size, 6e9)


def test_crowds_of_a_hundred_allow_some_millions_of_combinations() -> None:
    assert p.largest_domain(US, 100, 0.1) == pytest.approx(2.4e6, rel=0.02)


def test_equal_weights_leave_months_and_three_digits() -> None:
    allowed = p.largest_domain(US, 100, 0.1)
    kept = p.values_to_keep({"gender": 2, "birth": 2e4, "zip": 1e5}, allowed, {})
    assert kept["gender"] == 2
    assert kept["birth"] == kept["zip"] == pytest.approx(1.1e3, rel=0.01)


def test_gender_and_age_leave_some_zips() -> None:
    allowed = p.largest_domain(US, 20_000, 0.1)
    assert allowed / (2 * 100) == pytest.approx(75, rel=0.02)
    weights = {"gender": 100.0, "age": 100.0}
    kept = p.values_to_keep({"gender": 2, "age": 100, "zip": 1e5}, allowed, weights)
    assert (kept["gender"], kept["age"]) == (2, 100)
    assert kept["zip"] == pytest.approx(75, rel=0.02)


def test_many_columns_leave_two_values_each() -> None:
    allowed = p.largest_domain(US, 10, 0.1)
    kept = p.values_to_keep({f"c{i}": 1000 for i in range(25)}, allowed, {})
    assert all(round(number) == 2 for number in kept.values())


def test_the_bound_is_continuous_and_where_the_paper_says() -> None:
    assert p.expected_uniqueness(US, US) == pytest.approx(1 / math.e)
    assert p.expected_uniqueness(1200, US) == pytest.approx(1.48e-6, rel=0.01)
    assert p.anonymity(1200, US) == 2.5e5
    assert p.anonymity(4e9, US) == 1


numbers = st.floats(min_value=1, max_value=1e6)


@settings(max_examples=200)
@given(
    domains=st.dictionaries(st.text(max_size=3), numbers, min_size=1, max_size=8),
    allowed=st.floats(min_value=1, max_value=1e12),
    data=st.data(),
)
def test_what_is_kept_fits_and_wastes_nothing(
    domains: dict[str, float], allowed: float, data: st.DataObject
) -> None:
    weight = st.floats(min_value=0.1, max_value=10)
    weights = {name: data.draw(weight) for name in domains}
    kept = p.values_to_keep(domains, allowed, weights)
    assert kept.keys() == domains.keys()
    assert all(1 <= kept[name] <= max(domains[name], 1) for name in domains)
    wanted = min(allowed, math.prod(domains.values()))
    assert math.prod(kept.values()) == pytest.approx(wanted, rel=1e-6)
    cut = [name for name in domains if 1 < kept[name] < domains[name]]
    ratios = [kept[name] / weights[name] for name in cut]
    assert all(ratio == pytest.approx(ratios[0], rel=1e-6) for ratio in ratios)


@settings(max_examples=100)
@given(people=st.integers(1, 30), size=st.integers(1, 60), data=st.data())
def test_no_distribution_beats_the_bound(people: int, size: int, data: st.DataObject) -> None:
    """Expected share of unique people: Σ p·(1 − p)^(n−1)."""
    raw = data.draw(st.lists(st.floats(0.001, 1), min_size=size, max_size=size))
    shares = [x / sum(raw) for x in raw]
    expected = sum(q * (1 - q) ** (people - 1) for q in shares)
    # The literature's bound takes n − 1 for n, which matters only for a handful of people.
    bound = p.expected_uniqueness(size, max(people - 1, 1))
    assert expected <= bound + 1e-9 or people == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda: p.alpha_domain(100, 0.4),
        lambda: p.alpha_domain(100, 1.0),
        lambda: p.largest_domain(100, 0),
        lambda: p.largest_domain(100, 5, 0),
        lambda: p.largest_domain(100, 5, 1),
    ],
)
def test_nonsense_is_refused(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(BadInput):
        ask()
