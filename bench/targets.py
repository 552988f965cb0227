"""What we hold ourselves to, beside what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.command import Memory, Start
from bench.contenders import BORDERS, BY_HAND, CHECK, LIMIT, MEASURE, POLARS, PYCANON, SUBSETS
from bench.contest import Contest

VERSION_SECONDS = 0.25
CHECK_SECONDS = 0.6
PEAK_GB = 3.0


@dataclass(frozen=True, slots=True)
class Target:
    """A number that must be reached, and the number that was."""

    what: str
    wanted: str
    measured: str
    met: bool
    # Of ratios: the same of medians, beside the one of bests.
    typical: str = ""
    # Where the target names a size and a smaller one was measured: that one.
    only_rows: int | None = None

    @property
    def verdict(self) -> str:
        answer = "yes" if self.met else "no"
        return answer if self.only_rows is None else f"{answer}, at {self.only_rows:,} rows only"


@dataclass(frozen=True, slots=True)
class Ratio:
    """`one` takes at most so many times as long as `other`; or is so many times faster."""

    engine: str
    rows: int
    one: str
    other: str
    at_most: float | None = None
    times_faster: float | None = None


RATIOS = (
    Ratio("duckdb", 10_000_000, CHECK, LIMIT, at_most=1.3),
    Ratio("duckdb", 10_000_000, BORDERS, LIMIT, at_most=2),
    Ratio("duckdb", 10_000_000, SUBSETS, LIMIT, at_most=2.2),
    Ratio("duckdb", 10_000_000, SUBSETS, BY_HAND, times_faster=25),
    Ratio("postgres", 1_000_000, CHECK, LIMIT, at_most=1.3),
    Ratio("postgres", 1_000_000, BORDERS, LIMIT, at_most=3),
    Ratio("postgres", 1_000_000, SUBSETS, LIMIT, at_most=6),
    Ratio("postgres", 1_000_000, SUBSETS, BY_HAND, times_faster=8),
    Ratio("duckdb", 1_000_000, SUBSETS, POLARS, times_faster=10),
    Ratio("duckdb", 1_000_000, MEASURE, PYCANON, times_faster=50),
)


def targets(
    contests: Sequence[Contest], starts: Sequence[Start], memories: Sequence[Memory]
) -> list[Target]:
    """Every target for which something was measured."""
    return [*_ratios(contests), *_starts(starts), *_memories(memories)]


def _ratios(contests: Sequence[Contest]) -> Iterable[Target]:
    for wanted in RATIOS:
        sized = [
            (contest.rows, ratio, typical)
            for contest in contests
            if (contest.engine, contest.table) == (wanted.engine, "adult_like")
            and contest.rows <= wanted.rows
            and (ratio := contest.ratio(wanted.one, wanted.other)) is not None
            and (typical := contest.typical_ratio(wanted.one, wanted.other)) is not None
        ]
        if not sized:
            continue
        rows, ratio, typical = max(sized)
        where = f"{wanted.engine}, {wanted.rows:,} rows: {wanted.one}"
        only = rows if rows < wanted.rows else None
        if wanted.at_most is not None:
            yield Target(
                f"{where} against {wanted.other}",
                f"≤ {wanted.at_most:g} ×",
                f"{ratio:.2f} ×",
                ratio <= wanted.at_most,
                f"{typical:.2f} ×",
                only,
            )
        elif wanted.times_faster is not None:
            yield Target(
                f"{where} faster than {wanted.other}",
                f"≥ {wanted.times_faster:g} ×",
                f"{1 / ratio:.1f} ×",
                1 / ratio >= wanted.times_faster,
                f"{1 / typical:.1f} ×",
                only,
            )


def _starts(starts: Sequence[Start]) -> Iterable[Target]:
    for start, most in zip(starts, (VERSION_SECONDS, CHECK_SECONDS), strict=False):
        yield Target(start.command, f"< {most} s", f"{start.seconds:.2f} s", start.seconds < most)


def _memories(memories: Sequence[Memory]) -> Iterable[Target]:
    for held in memories:
        only = held.rows if held.rows < 10_000_000 else None
        gigabytes = held.peak_bytes / 1e9
        what = "duckdb, 10,000,000 rows: sqldiag subsets"
        if held.limit is None:
            met = held.finished and gigabytes < PEAK_GB
            yield Target(
                f"{what}, peak memory", f"< {PEAK_GB:g} GB", f"{gigabytes:.2f} GB", met, "", only
            )
        else:
            done = f"{held.seconds:.1f} s" if held.finished else "failed"
            yield Target(f"{what} with {held.limit}", "finishes", done, held.finished, "", only)
