"""Pruning only where it is proved: tables on which plain apriori gives a wrong border."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import pytest

import sqldiag
from sqldiag.answers import Borders
from tests import oracle
from tests.command import shared_database
from tests.conftest import ENGINES
from tests.databases import Database
from tests.oracle import ColumnSet, How, M, R
from tests.tables import requirement

STRATEGIES = ("apriori", "auto")


@pytest.fixture(scope="module", params=ENGINES)
def db(request: pytest.FixtureRequest) -> Iterator[Database]:
    """One database for all: every test loads its table anew."""
    yield from shared_database(request, "pruning")


@dataclass(frozen=True)
class Case:
    """A small table with its question; s is sensitive, p says which person a row is about."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    share: Fraction = Fraction(0)
    entity: str | None = None

    @property
    def dicts(self) -> list[dict[str, object]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    @property
    def searched(self) -> tuple[str, ...]:
        return tuple(name for name in self.columns if name not in ("s", "p"))

    @property
    def how(self) -> How:
        return {"entity": self.entity}


# One class {a, a, b} of x: frequency 1.5, all three rows must go. y cuts off one a: that row must
# go, and the rest {a, b} is well mixed. One row may go.
AAB = Case(
    ("x", "y", "s"),
    ((1, 1, "a"), (1, 2, "a"), (1, 2, "b")),
    share=Fraction(1, 2),
)
# The same among others, with a column z that no set can bear.
AAB_WIDE = Case(
    ("x", "y", "z", "s"),
    (
        (1, 1, 1, "a"),
        (1, 2, 2, "a"),
        (1, 2, 3, "b"),
        *((2, 1, 4 + i, value) for i, value in enumerate("abab")),
    ),
    share=Fraction(2, 7),
)
MIXED = [
    R(M("frequency_l", "s"), 2),
    R(M("entropy_l", "s"), 2),
    R(M("alpha", "s"), 0.5),
    R(M("recursive_l", "s", c=1.5), 2),
]
# In x = 1 one b stands among nine a, five times rarer than in the whole; y keeps it with one a.
RARE = Case(
    ("x", "y", "s"),
    (
        *[(1, 1, "a")] * 8,
        *[(1, 2, "a"), (1, 2, "b")],
        *[(2, 1, "b")] * 8,
        *[(2, 2, "a"), (2, 2, "b")],
    ),
)
# Both people have a and b in x, so that everybody there has a; in each part by y one has a.
PEOPLE = Case(
    ("x", "y", "p", "s"),
    ((1, 1, 1, "a"), (1, 1, 2, "b"), (1, 2, 1, "b"), (1, 2, 2, "a")),
    entity="p",
)
# Person 1 has a in both parts by y, but counts once in the whole: a, b, b.
PAIRS = Case(
    ("x", "y", "p", "s"),
    ((1, 1, 1, "a"), (1, 1, 2, "b"), (1, 2, 1, "a"), (1, 2, 3, "b")),
    entity="p",
)


def naive(case: Case, required: Sequence[R]) -> tuple[set[ColumnSet], set[ColumnSet]]:
    """The borders as apriori would find them if a set that misses spoilt all its supersets."""
    good: set[ColumnSet] = set()
    bad: set[ColumnSet] = set()
    for qi in oracle.sets_of(case.searched):
        if any(set(missed) < set(qi) for missed in bad):
            continue
        verdict = oracle.holds(case.dicts, qi, required, case.share, **case.how)
        (good if verdict else bad).add(qi)
    return {s for s in good if not any(set(s) < set(other) for other in good)}, bad


def ask(db: Database, case: Case, required: Sequence[R], strategy: str) -> Borders:
    with sqldiag.connect(db.url) as database:
        return database.table("t").borders(
            among=case.searched,
            require=[requirement(r) for r in required],
            suppress=case.share,
            entity=case.entity,
            strategy=strategy,
        )


def check(
    db: Database, case: Case, required: Sequence[R], strategies: Sequence[str] = STRATEGIES
) -> list[int]:
    """sqldiag's borders are the true ones; how many sets each strategy looked at."""
    db.load("t", case.columns, case.rows)
    expected = oracle.borders(case.dicts, case.searched, required, case.share, **case.how)
    evaluated = []
    for strategy in strategies:
        answer = ask(db, case, required, strategy)
        safe = {found.quasi_identifiers for found in answer.safe}
        unsafe = {found.quasi_identifiers for found in answer.unsafe}
        assert (safe, unsafe) == expected, strategy
        assert answer.searched.complete
        evaluated.append(answer.searched.cost.sets_evaluated)
    return evaluated


@pytest.mark.parametrize("case", [AAB, AAB_WIDE])
@pytest.mark.parametrize("required", MIXED, ids=requirement)
def test_a_part_may_be_better_mixed(db: Database, case: Case, required: R) -> None:
    """{a, a, b} misses, its part {a, b} does not: under suppression a superset may hold."""
    assert not oracle.holds(case.dicts, ("x",), [required], case.share)
    assert oracle.holds(case.dicts, ("x", "y"), [required], case.share)
    safe, _ = naive(case, [required])
    assert ("x", "y") not in safe
    assert naive(case, [required]) != oracle.borders(
        case.dicts, case.searched, [required], case.share
    )
    check(db, case, [required])


@pytest.mark.parametrize("required", MIXED, ids=requirement)
def test_with_nothing_suppressed_the_worst_class_decides(db: Database, required: R) -> None:
    """Then apriori is right, and the measure itself prunes."""
    case = Case(AAB_WIDE.columns, AAB_WIDE.rows)
    assert naive(case, [required]) == oracle.borders(case.dicts, case.searched, [required])
    for evaluated in check(db, case, [required]):
        assert evaluated < 7


def test_a_rare_value_may_be_hidden_by_a_part(db: Database) -> None:
    """delta_disclosure is not monotone, not even with nothing suppressed."""
    required = R(M("delta_disclosure", "s"), 1)
    assert not oracle.holds(RARE.dicts, ("x",), [required])
    assert oracle.holds(RARE.dicts, ("x", "y"), [required])
    assert naive(RARE, [required]) != oracle.borders(RARE.dicts, RARE.searched, [required])
    assert check(db, RARE, [required]) == [3, 3]


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 7)])
@pytest.mark.parametrize("bound", [0.3, 100])
def test_delta_disclosure_is_never_pruned(db: Database, bound: float, share: Fraction) -> None:
    case = Case(AAB_WIDE.columns, AAB_WIDE.rows, share)
    assert check(db, case, [R(M("delta_disclosure", "s"), bound)]) == [7, 7]


@pytest.mark.parametrize(
    ("case", "required"),
    [
        (PEOPLE, R(M("frequency_l", "s"), 2)),
        (PEOPLE, R(M("alpha", "s"), 0.5)),
        (PAIRS, R(M("entropy_l", "s"), 2)),
    ],
)
def test_people_are_not_rows(db: Database, case: Case, required: R) -> None:
    """Counts of people do not add up: with an entity these miss the law even for δ = 0."""
    assert not oracle.holds(case.dicts, ("x",), [required], **case.how)
    assert oracle.holds(case.dicts, ("x", "y"), [required], **case.how)
    assert naive(case, [required]) != oracle.borders(
        case.dicts, case.searched, [required], **case.how
    )
    check(db, case, [required])


def looked_at(case: Case, bounds: Sequence[R]) -> int:
    """How many sets have no part that misses the bounds by too much."""
    alive = {
        qi
        for qi in oracle.sets_of(case.searched)
        if oracle.holds(case.dicts, qi, bounds, case.share, **case.how)
    }
    return sum(
        all(part in alive for size in range(1, len(qi)) for part in combinations(qi, size))
        for qi in oracle.sets_of(case.searched)
    )


K = R(M("k"), 2)
DISTINCT = R(M("distinct_l", "s"), 2)
FREQUENCY = R(M("frequency_l", "s"), 1.5)


@pytest.mark.parametrize("entity", [None, "p"])
@pytest.mark.parametrize("share", [Fraction(0), Fraction(2, 7)])
@pytest.mark.parametrize(
    ("required", "bounds"),
    [
        ([K], [K]),
        ([DISTINCT], [DISTINCT]),
        # The weaker bounds: fewer than ⌈l⌉ values, and whatever else in a conjunction allows it.
        ([FREQUENCY], [DISTINCT]),
        ([K, FREQUENCY], [K, DISTINCT]),
        ([R(M("entropy_l", "s"), 1.8)], [DISTINCT]),
        ([K, R(M("delta_disclosure", "s"), 0.3)], [K]),
        ([R(M("t_closeness", "s"), 0.2)], []),
    ],
)
def test_what_may_be_pruned_is(
    db: Database, entity: str | None, share: Fraction, required: list[R], bounds: list[R]
) -> None:
    """Apriori looks at every set without a part that the allowed bound rules out, and no more."""
    rows = tuple((*row[:-1], i // 2, row[-1]) for i, row in enumerate(AAB_WIDE.rows))
    case = Case(("x", "y", "z", "p", "s"), rows, share, entity)
    # With nothing suppressed and no people, the worst class of all but delta_disclosure decides.
    strict = share == 0 and entity is None
    if strict:
        bounds = [r for r in required if r.measure.name != "delta_disclosure"]
    expected = looked_at(case, bounds)
    assert check(db, case, required, ["apriori"]) == [expected]
