"""A search without a database: what is true of every set of columns, made up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from sqldiag.search.base import Evaluate, Problem, Progress, Verdict
from sqldiag.search.choice import Choice
from sqldiag.search.loop import TOGETHER, Budget, Seen, borders, search

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

    def evaluate(self, masks: Sequence[int]) -> Iterator[dict[int, Verdict]]:
        assert len(masks) == len(set(masks))
        assert 0 < len(masks) <= TOGETHER * self.batch
        for mask in masks:
            assert 0 < mask < 1 << self.columns
            assert mask not in self.asked
            if self.monotone:
                assert not self.implied(mask), f"{mask:b} was known already"
        self.asked += masks
        for first in range(0, len(masks), self.batch):
            lot = list(masks[first : first + self.batch])
            self.batches.append(lot)
            yield {mask: self.verdict(mask) for mask in lot}

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
