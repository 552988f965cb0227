"""What a progress bar is told, and the walk through every set that `subsets` takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqldiag.errors import Cancelled
from sqldiag.search.base import Verdict
from sqldiag.search.choice import Choice
from sqldiag.search.loop import Budget, Seen
from sqldiag.search.subsets import everything
from tests.worlds import CHOICES, World, worlds


@given(world=worlds(), choice=CHOICES)
@settings(max_examples=40)
def test_progress(world: World, choice: Choice) -> None:
    """At every step: what was seen, what follows from it, and what is still open."""
    world.search(choice)
    batches, told = world.batches, world.progress
    assert len(batches) == len(told)
    every = world.every()
    for number, progress in enumerate(told, start=1):
        world.asked = [mask for batch in batches[:number] for mask in batch]
        left = [mask for mask in every if mask not in world.asked and not world.implied(mask)]
        assert progress.level == max(mask.bit_count() for mask in batches[number - 1])
        assert progress.evaluated == len(world.asked)
        assert progress.remaining == len(left)
        assert progress.inferred == max(len(every) - len(world.asked) - len(left), 0)
    assert told[-1].remaining == 0


@pytest.mark.parametrize("choice", list(Choice))
@pytest.mark.parametrize("size", [0, 3])
def test_progress_of_a_wide_search(choice: Choice, size: int) -> None:
    """Estimated there, but what is known only grows, and at the end nothing remains."""
    cores = frozenset({0b11, 0b1 << 9, 0b111 << 4, 0b110001})
    world = World(11, cores, {}, max_size=size, batch=32)
    seen = world.search(choice)
    assert world.found(seen) == world.borders()
    total = len(world.every())
    for before, after in pairwise(world.progress):
        assert after.evaluated > before.evaluated
        assert after.remaining <= before.remaining
    for progress in world.progress:
        assert progress.evaluated + progress.inferred + progress.remaining == total
        assert min(progress.inferred, progress.remaining) >= 0
    assert len({progress.remaining for progress in world.progress}) > 3
    assert world.progress[-1].remaining == 0


def walk(
    world: World, *, budget: Budget | None = None, listed: bool = False, stop: int | None = None
) -> tuple[Seen, list[int]]:
    """Every set of the world; where it has holes, nothing follows, else what is dead is worst."""

    def evaluate(masks: Sequence[int]) -> Iterator[dict[int, Verdict]]:
        if len(world.batches) == stop:
            raise Cancelled("cancelled")
        if world.monotone:
            for mask in masks:
                assert not any(world.dead(seen) and mask & seen == seen for seen in world.asked)
        world.asked += masks
        world.batches.append(list(masks))
        yield {mask: world.verdict(mask) for mask in masks}

    return everything(
        world.problem,
        evaluate,
        infers=world.monotone,
        at_floor=world.dead,
        budget=budget or Budget(),
        report=world.progress.append,
        list_inferred=listed,
    )


def below_a_floor(world: World) -> set[int]:
    """Sets with a smaller part that is dead, where that says all."""
    if not world.monotone:
        return set()
    return {
        mask
        for mask in world.every()
        if any(world.dead(mask & other) for other in range(1, mask) if 0 < mask & other < mask)
    }


@given(monotone=st.booleans(), listed=st.booleans(), data=st.data())
@settings(max_examples=150)
def test_every_set_is_looked_at_or_follows(
    monotone: bool, listed: bool, data: st.DataObject
) -> None:
    world = data.draw(worlds(monotone=monotone))
    seen, inferred = walk(world, listed=listed)
    follows = below_a_floor(world)
    assert seen.complete
    assert set(seen.verdicts) == set(world.every()) - follows
    assert len(inferred) == len(set(inferred))
    assert set(inferred) == (follows if listed else set())


@given(monotone=st.booleans(), listed=st.booleans(), most=st.integers(1, 60), data=st.data())
@settings(max_examples=100)
def test_every_set_within_a_budget(
    monotone: bool, listed: bool, most: int, data: st.DataObject
) -> None:
    world = data.draw(worlds(monotone=monotone))
    seen, inferred = walk(world, budget=Budget(sets=most), listed=listed)
    follows = below_a_floor(world)
    to_see = len(world.every()) - len(follows)
    assert len(seen.verdicts) == min(most, to_see)
    assert seen.complete == (most >= to_see)
    assert set(inferred) <= follows
    assert not set(inferred) & set(seen.verdicts)


@given(world=worlds(), stop=st.integers(0, 5))
@settings(max_examples=50)
def test_every_set_until_an_interrupt(world: World, stop: int) -> None:
    if stop == 0:
        with pytest.raises(Cancelled):
            walk(world, stop=0)
        return
    seen, _ = walk(world, stop=stop)
    assert seen.cancelled == (not seen.complete)
    assert set(seen.verdicts) == set(world.asked)


@given(monotone=st.booleans(), data=st.data())
@settings(max_examples=100)
def test_progress_through_every_set(monotone: bool, data: st.DataObject) -> None:
    world = data.draw(worlds(monotone=monotone))
    walk(world)
    total = len(world.every())
    for progress in world.progress:
        assert progress.evaluated + progress.inferred + progress.remaining == total
        assert min(progress.inferred, progress.remaining) >= 0
    for before, after in pairwise(world.progress):
        assert after.evaluated > before.evaluated
        assert after.remaining < before.remaining


def test_sets_that_follow_are_not_counted_one_by_one() -> None:
    """Sixty columns, of which two do not tell everybody apart: nobody waits for 2^60 sets."""
    seen, inferred = walk(World(60, frozenset(1 << i for i in range(58)), {}, batch=255))
    assert seen.complete
    assert len(seen.verdicts) == 60 + 1
    assert inferred == []


def test_listing_what_follows_takes_no_longer_than_allowed() -> None:
    world = World(40, frozenset(1 << i for i in range(40)), {}, batch=255)
    seen, inferred = walk(world, budget=Budget(seconds=0.2), listed=True)
    assert not seen.complete
    assert len(seen.verdicts) == 40
    assert inferred
