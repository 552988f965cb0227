"""The strategies alone: no database, a random predicate in its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqldiag.errors import Cancelled
from sqldiag.search.base import Verdict
from sqldiag.search.choice import Choice
from sqldiag.search.loop import Budget, choose
from tests.worlds import CHOICES, World, worlds


@given(world=worlds(), choice=CHOICES)
@settings(max_examples=300)
def test_borders_of_a_monotone_predicate(world: World, choice: Choice) -> None:
    """No set is looked at whose verdict follows from those seen: `evaluate` asserts it."""
    seen = world.search(choice)
    assert seen.complete
    assert not seen.cancelled
    assert seen.verdicts == {mask: world.verdict(mask) for mask in world.asked}
    assert world.found(seen) == world.borders()


@given(world=worlds(monotone=False), choice=CHOICES)
@settings(max_examples=200)
def test_borders_of_any_predicate_with_a_bound(world: World, choice: Choice) -> None:
    """Sets that miss may have supersets that hold: only what is dead is not extended."""
    seen = world.search(choice)
    assert seen.complete
    assert seen.strategy == "apriori"
    assert world.found(seen) == world.borders()


def alive_parts(world: World, mask: int) -> bool:
    columns = [1 << i for i in range(world.columns) if mask >> i & 1]
    return all(
        not world.dead(sum(chosen))
        for size in range(1, len(columns))
        for chosen in combinations(columns, size)
    )


@given(monotone=st.booleans(), data=st.data())
@settings(max_examples=150)
def test_apriori_looks_at_exactly_the_sets_without_a_dead_part(
    monotone: bool, data: st.DataObject
) -> None:
    world = data.draw(worlds(monotone=monotone))
    seen = world.search(Choice.APRIORI)
    expected = {mask for mask in world.every() if alive_parts(world, mask)}
    assert seen.strategy == "apriori"
    assert set(seen.verdicts) == expected
    sizes = [mask.bit_count() for mask in world.asked]
    assert sizes == sorted(sizes), "level by level"


@given(world=worlds())
@settings(max_examples=150)
def test_auto_sees_the_border_itself(world: World) -> None:
    """Without a limit of size every set of both borders must have been looked at."""
    world.max_size = 0
    seen = world.search(Choice.AUTO)
    assert seen.strategy == "guided"
    safe, unsafe = world.borders()
    assert safe | unsafe <= set(seen.verdicts)


@given(monotone=st.booleans(), choice=CHOICES, most=st.integers(1, 40), data=st.data())
@settings(max_examples=200)
def test_a_budget_of_sets(monotone: bool, choice: Choice, most: int, data: st.DataObject) -> None:
    world = data.draw(worlds(monotone=monotone))
    seen = world.search(choice, Budget(sets=most))
    assert len(seen.verdicts) == len(world.asked) <= most
    safe, unsafe = world.found(seen)
    if seen.complete:
        assert (safe, unsafe) == world.borders()
    else:
        assert len(world.asked) == most
    assert all(world.holds(mask) for mask in safe)
    assert not any(world.holds(mask) for mask in unsafe)
    for mask in safe | unsafe:
        assert mask.bit_count() <= world.problem.max_size
    again = World(world.columns, world.cores, world.needs, world.holes, world.max_size, world.batch)
    assert seen.complete == (len(again.search(choice).verdicts) <= most)


@given(world=worlds(), choice=CHOICES)
@settings(max_examples=50)
def test_no_time_at_all(world: World, choice: Choice) -> None:
    seen = world.search(choice, Budget(seconds=-1))
    assert not seen.complete
    assert not seen.cancelled
    assert world.asked == []
    assert world.found(seen) == (set(), set())


@given(monotone=st.booleans(), choice=CHOICES, data=st.data())
@settings(max_examples=150)
def test_an_interrupt(monotone: bool, choice: Choice, data: st.DataObject) -> None:
    """What was seen before it counts; where nothing was, it is passed on."""
    world = data.draw(worlds(monotone=monotone))
    after = data.draw(st.integers(0, 6))
    interrupt = data.draw(st.sampled_from([KeyboardInterrupt(), Cancelled("cancelled")]))

    def evaluate(masks: Sequence[int]) -> Iterator[dict[int, Verdict]]:
        if len(world.batches) == after:
            raise interrupt
        yield from world.evaluate(masks)

    if after == 0:
        with pytest.raises(type(interrupt)):
            world.search(choice, evaluate=evaluate)
        return
    seen = world.search(choice, evaluate=evaluate)
    assert seen.cancelled == (not seen.complete)
    assert set(seen.verdicts) == set(world.asked)
    safe, unsafe = world.found(seen)
    if seen.complete:
        assert (safe, unsafe) == world.borders()
    assert all(world.holds(mask) for mask in safe)
    assert not any(world.holds(mask) for mask in unsafe)


@given(world=worlds(), choice=CHOICES)
@settings(max_examples=100)
def test_columns_that_die_are_told(world: World, choice: Choice) -> None:
    """Each time fewer columns are alive; a column is dead when it misses by itself."""
    world.search(choice)
    everything = (1 << world.columns) - 1
    previous = everything
    for alive in world.narrowed:
        assert alive & previous == alive != previous
        previous = alive
    for column in range(world.columns):
        asked_and_dead = 1 << column in world.asked and world.dead(1 << column)
        assert bool(previous >> column & 1) != asked_and_dead


def test_wide_lattices_are_searched_level_by_level() -> None:
    """Where the bookkeeping of a guided search would cost more than it saves."""
    world = World(60, frozenset(), {}, max_size=3)
    assert choose(world.problem, Choice.AUTO)[0] == "apriori"
    narrow = World(20, frozenset(), {}, max_size=3)
    assert choose(narrow.problem, Choice.AUTO)[0] == "guided"
    assert choose(narrow.problem, Choice.APRIORI)[0] == "apriori"
