"""Sets as bit masks: every operation equals its definition over all sets."""

from __future__ import annotations

from math import comb

from hypothesis import given
from hypothesis import strategies as st

from sqldiag import lattice

COLUMNS = 6
EVERY = range(1, 1 << COLUMNS)
MASKS = st.integers(0, (1 << 70) - 1)
FAMILIES = st.sets(st.integers(0, (1 << COLUMNS) - 1), max_size=30)


def members(mask: int) -> set[int]:
    """The columns of a mask, without a bit trick."""
    return {position for position in range(mask.bit_length()) if f"{mask:b}"[::-1][position] == "1"}


@given(mask=MASKS)
def test_a_mask_is_its_columns(mask: int) -> None:
    expected = sorted(members(mask))
    assert list(lattice.positions(mask)) == expected
    assert list(lattice.bits(mask)) == [2**position for position in expected]
    assert lattice.size(mask) == len(expected)
    assert lattice.of(expected) == mask


@given(positions=st.lists(st.integers(0, 70), max_size=12))
def test_of_any_order_and_often(positions: list[int]) -> None:
    assert members(lattice.of(positions)) == set(positions)


@given(columns=st.integers(1, 9), data=st.data())
def test_a_level_is_every_set_of_that_size_once(columns: int, data: st.DataObject) -> None:
    wanted = data.draw(st.integers(1, columns))
    level = list(lattice.level(columns, wanted))
    assert len(level) == len(set(level)) == comb(columns, wanted)
    assert set(level) == {mask for mask in range(1, 1 << columns) if len(members(mask)) == wanted}


def parts(mask: int) -> list[int]:
    """The sets that lack one of its columns."""
    return [mask - 2**position for position in members(mask)]


@given(size=st.integers(1, COLUMNS), data=st.data())
def test_join_gives_the_sets_all_of_whose_parts_are_alive(size: int, data: st.DataObject) -> None:
    """Join and prune of the apriori algorithm, by what they are for."""
    level = [mask for mask in EVERY if len(members(mask)) == size]
    alive = data.draw(st.permutations(sorted(data.draw(st.sets(st.sampled_from(level))))))
    expected = [
        mask
        for mask in EVERY
        if len(members(mask)) == size + 1 and all(part in alive for part in parts(mask))
    ]
    assert lattice.join(alive) == expected


@given(columns=st.integers(2, 8), data=st.data())
def test_join_of_a_whole_level_is_the_next(columns: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(1, columns - 1))
    joined = lattice.join(list(lattice.level(columns, size)))
    assert joined == sorted(lattice.level(columns, size + 1))


def test_join_of_nothing() -> None:
    assert lattice.join([]) == []
    assert lattice.join([0b100]) == []


@given(family=FAMILIES, data=st.data())
def test_maximal_and_minimal(family: set[int], data: st.DataObject) -> None:
    """In any order, with repetitions, the empty set included."""
    given_ = data.draw(st.permutations(sorted(family) + sorted(family)[:3]))
    largest = lattice.maximal(iter(given_))
    smallest = lattice.minimal(iter(given_))
    sets = {mask: members(mask) for mask in family}
    assert len(largest) == len(set(largest))
    assert set(largest) == {
        mask for mask in family if not any(sets[mask] < sets[other] for other in family)
    }
    assert len(smallest) == len(set(smallest))
    assert set(smallest) == {
        mask for mask in family if not any(sets[other] < sets[mask] for other in family)
    }


@given(unsafe=st.sets(st.sampled_from(EVERY), max_size=6))
def test_borders_of_a_closed_family_say_all(unsafe: set[int]) -> None:
    """The maximal of a family closed downwards and the minimal of its complement decide it."""
    bad = [mask for mask in EVERY if any(mask & core == core for core in unsafe)]
    good = [mask for mask in EVERY if mask not in bad]
    largest, smallest = lattice.maximal(good), lattice.minimal(bad)
    for mask in EVERY:
        covered = any(mask & safe == mask for safe in largest)
        assert covered == (mask in good)
        assert covered != any(mask & core == core for core in smallest)
