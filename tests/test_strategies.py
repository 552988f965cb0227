"""The strategies alone: no database, a random predicate in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqldiag.errors import Cancelled
from sqldiag.search.base import Evaluate, Problem, Progress, Verdict
from sqldiag.search.loop import Budget, Choice, Seen, borders, choose, search

ROWS = 1000
CHOICES = st.sampled_from(list(Choice))


@dataclass
class World:
    """What is true of every set, and what has been asked.

    ``cores`` make all their supersets dead; a set of ``holes`` misses without being dead.
    """

    columns: int
    cores: frozenset[int]
    needs: dict[int, int]
    holes: frozenset[int] = frozenset()
    max_size: int = 0
    batch: int = 4
    rows: int = ROWS
    asked: list[int] = field(default_factory=list)
    batches: list[list[int]] = field(default_factory=list)
    narrowed: list[int] = field(default_factory=list)
    progress: list[Progress] = field(default_factory=list)

    @property
    def monotone(self) -> bool:
        return not self.holes

    @property
    def problem(self) -> Problem:
        return Problem(
            columns=self.columns,
            max_size=self.max_size or self.columns,
            monotone=self.monotone,
            rows=self.rows,
            budget=0,
            distinct=tuple(2 + 7 * i % 11 for i in range(self.columns)),
            batch=self.batch,
        )

    def every(self, max_size: int | None = None) -> list[int]:
        largest = max_size or self.problem.max_size
        return [mask for mask in range(1, 1 << self.columns) if mask.bit_count() <= largest]

    def dead(self, mask: int) -> bool:
        return any(mask & core == core for core in self.cores)

    def holds(self, mask: int) -> bool:
        return not self.dead(mask) and mask not in self.holes

    def verdict(self, mask: int) -> Verdict:
        need = 0 if self.holds(mask) else self.needs.get(mask, 1)
        return Verdict(holds=self.holds(mask), dead=self.dead(mask), need=need)

    def evaluate(self, masks: Sequence[int]) -> dict[int, Verdict]:
        assert len(masks) == len(set(masks))
        assert 0 < len(masks) <= self.batch
        for mask in masks:
            assert 0 < mask < 1 << self.columns
            assert mask not in self.asked
            if self.monotone:
                assert not self.implied(mask), f"{mask:b} was known already"
        self.asked += masks
        self.batches.append(list(masks))
        return {mask: self.verdict(mask) for mask in masks}

    def implied(self, mask: int) -> bool:
        """Whether what was seen decides the set, or all of it that matters here."""
        safe = any(self.holds(seen) and mask & seen == mask for seen in self.asked)
        return safe or any(self.dead(seen) and mask & seen == seen for seen in self.asked)

    def borders(self) -> tuple[set[int], set[int]]:
        """By definition, over all sets."""
        good = [mask for mask in self.every() if self.holds(mask)]
        bad = [mask for mask in self.every() if not self.holds(mask)]
        safe = {m for m in good if not any(m != o and m & o == m for o in good)}
        unsafe = {m for m in bad if not any(m != o and m & o == o for o in bad)}
        return safe, unsafe

    def search(
        self,
        choice: Choice,
        budget: Budget | None = None,
        evaluate: Evaluate | None = None,
    ) -> Seen:
        return search(
            self.problem,
            evaluate or self.evaluate,
            choice=choice,
            budget=budget or Budget(),
            report=self.progress.append,
            narrow=self.narrowed.append,
        )

    def found(self, seen: Seen) -> tuple[set[int], set[int]]:
        safe, unsafe = borders(self.problem, seen.verdicts)
        assert len(safe) == len(set(safe))
        assert len(unsafe) == len(set(unsafe))
        return set(safe), set(unsafe)


@st.composite
def worlds(draw: st.DrawFn, *, monotone: bool = True) -> World:
    columns = draw(st.integers(1, 7))
    masks = st.integers(1, (1 << columns) - 1)
    return World(
        columns=columns,
        cores=draw(st.frozensets(masks, max_size=8)),
        needs=draw(st.dictionaries(masks, st.integers(1, ROWS), max_size=20)),
        holes=frozenset() if monotone else draw(st.frozensets(masks, min_size=1, max_size=20)),
        max_size=draw(st.sampled_from([0, 0, *range(1, columns + 1)])),
        batch=draw(st.sampled_from([1, 3, 32])),
    )


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

    def evaluate(masks: Sequence[int]) -> dict[int, Verdict]:
        if len(world.batches) == after:
            raise interrupt
        return world.evaluate(masks)

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


@given(world=worlds(), choice=CHOICES)
@settings(max_examples=150)
def test_progress(world: World, choice: Choice) -> None:
    """What is seen and what follows only grow, what remains shrinks to nothing."""
    world.search(choice)
    told = world.progress
    assert [progress.evaluated for progress in told] == [
        sum(map(len, world.batches[: i + 1])) for i in range(len(told))
    ]
    assert [progress.level for progress in told] == [
        max(mask.bit_count() for mask in batch) for batch in world.batches
    ]
    for before, after in pairwise(told):
        assert after.evaluated + after.inferred >= before.evaluated + before.inferred
        assert after.remaining <= before.remaining
    for progress in told:
        assert min(progress.inferred, progress.remaining) >= 0
    assert told[-1].remaining == 0


def test_wide_lattices_are_searched_level_by_level() -> None:
    """Where the bookkeeping of a guided search would cost more than it saves."""
    world = World(60, frozenset(), {}, max_size=3)
    assert choose(world.problem, Choice.AUTO)[0] == "apriori"
    narrow = World(20, frozenset(), {}, max_size=3)
    assert choose(narrow.problem, Choice.AUTO)[0] == "guided"
    assert choose(narrow.problem, Choice.APRIORI)[0] == "apriori"
