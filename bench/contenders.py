"""The contenders: each answers on data that is there already, with a connection of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import duckdb

import sqldiag
from bench.data import DuckDBFile, Place, Table, all_at_once, one_set
from bench.outcome import Facts, Outcome
from sqldiag.answers import SetFinding

K = 5
REQUIRE = (f"k >= {K}",)

LIMIT = "one GROUP BY (the limit)"
BY_HAND = "SQL by hand, set by set"
POLARS = "polars, set by set"
POLARS_CODED = "polars, categoricals"
PYCANON = "pyCANON, k and l"
CHECK = "sqldiag check"
MEASURE = "sqldiag measure, k and l"
BORDERS = "sqldiag borders"
SUBSETS = "sqldiag subsets"


@dataclass(frozen=True, slots=True)
class Contender:
    """A way to an answer."""

    name: str
    run: Callable[[], Outcome]
    # Whether it looks at every set, and so can be held against all others.
    every_set: bool = False
    # The first rounds only, for who takes minutes; None for all of them.
    rounds: int | None = None


def limit(place: Place, table: Table) -> Contender:
    """(a) One GROUP BY over all columns."""

    def run() -> Outcome:
        [(k, classes)] = place.ask([all_at_once(table)])
        return Outcome(facts={frozenset(table.columns): Facts(int(k), int(classes))})

    return Contender(LIMIT, run)


def by_hand(place: Place, table: Table, *, rounds: int | None) -> Contender:
    """(b) One GROUP BY for every set."""

    def run() -> Outcome:
        rows = place.ask([one_set(table.name, columns, K) for columns in table.sets])
        found = zip(table.sets, rows, strict=True)
        return Outcome(facts={frozenset(s): Facts(*map(int, row)) for s, row in found})

    return Contender(BY_HAND, run, every_set=True, rounds=rounds)


def check(place: Place, table: Table) -> Contender:
    """(e) All columns at once."""

    def run() -> Outcome:
        with sqldiag.connect(place.url) as database:
            answer = database.table(table.name).check(qi=table.columns, require=REQUIRE)
        k = int(answer.requirements[0].value)
        facts = Facts(k, answer.risk.classes, answer.rows_to_suppress)
        return Outcome(facts={frozenset(table.columns): facts})

    return Contender(CHECK, run)


def borders(place: Place, table: Table) -> Contender:
    """(e) For which sets does it hold?"""

    def run() -> Outcome:
        with sqldiag.connect(place.url) as database:
            answer = database.table(table.name).borders(among=table.columns, require=REQUIRE)
        return Outcome(
            safe=[frozenset(found.quasi_identifiers) for found in answer.safe],
            unsafe=[frozenset(found.quasi_identifiers) for found in answer.unsafe],
            sets_evaluated=answer.searched.cost.sets_evaluated,
        )

    return Contender(BORDERS, run)


def subsets(place: Place, table: Table, *, max_size: int | None = None) -> Contender:
    """(e) What every set would take; with a requirement none can be left out."""

    def run() -> Outcome:
        with sqldiag.connect(place.url) as database:
            answer = database.table(table.name).subsets(
                among=table.columns, require=REQUIRE, max_size=max_size
            )
        return Outcome(
            facts={frozenset(found.quasi_identifiers): _facts(found) for found in answer.sets},
            sets_evaluated=answer.searched.cost.sets_evaluated,
        )

    return Contender(SUBSETS, run, every_set=True)


def _facts(found: SetFinding) -> Facts:
    if found.risk is None:
        raise ValueError(f"{found.quasi_identifiers} was inferred, not looked at")
    return Facts(int(found.levels[0].value), found.risk.classes, found.rows_to_suppress)


def measure(place: Place, table: Table, columns: Sequence[str]) -> Contender:
    """(e) k and the l family of one set, as pyCANON gives them."""
    s = table.sensitive
    names = {
        "k": "k",
        "distinct_l": f"distinct_l({s})",
        "entropy_l": f"entropy_l({s})",
        "recursive_l": f"recursive_l({s}, 2)",
    }

    def run() -> Outcome:
        with sqldiag.connect(place.url) as database:
            answer = database.table(table.name).measure(
                qi=columns, sensitive=[s], measures=list(names.values())
            )
        values = [float(measured.value) for measured in answer.measures]
        facts = Facts(int(values[0]), answer.risk.classes)
        levels = dict(zip(names, values, strict=True))
        return Outcome(facts={frozenset(columns): facts}, levels=levels)

    return Contender(MEASURE, run)


def pycanon(place: DuckDBFile, table: Table, columns: Sequence[str]) -> Contender:
    """(c) The same with pyCANON, on a pandas frame that is loaded beforehand."""
    from pycanon import anonymity

    with duckdb.connect(str(place.path), read_only=True) as connection:
        frame = connection.execute(f"SELECT * FROM {table.name}").df()

    def run() -> Outcome:
        asked = (frame, list(columns), [table.sensitive])
        _, recursive = anonymity.recursive_c_l_diversity(*asked)
        levels = {
            "k": anonymity.k_anonymity(*asked[:2]),
            "distinct_l": anonymity.l_diversity(*asked),
            "entropy_l, truncated": anonymity.entropy_l_diversity(*asked),
            "l of recursive (c, l)": recursive,
        }
        return Outcome(levels={name: float(level) for name, level in levels.items()})

    return Contender(PYCANON, run, rounds=2)


def polars(place: DuckDBFile, table: Table, *, coded: bool) -> Contender:
    """(d) One group_by for every set, on a frame that is loaded beforehand.

    ``coded``: with text made categoricals beforehand, which nobody has to do, but may.
    """
    import polars as pl

    with duckdb.connect(str(place.path), read_only=True) as connection:
        loaded = connection.sql(f"SELECT * FROM {table.name}").to_arrow_table()
    frame = pl.DataFrame(loaded)
    if coded:
        frame = frame.with_columns(pl.col(pl.String).cast(pl.Categorical))
    size = pl.col("len")
    wanted = (
        size.min().alias("k"),
        pl.len().alias("classes"),
        size.filter(size < K).sum().alias("need"),
    )

    def run() -> Outcome:
        facts = {}
        for columns in table.sets:
            row = frame.group_by(columns).len().select(wanted).row(0)
            facts[frozenset(columns)] = Facts(*map(int, row))
        return Outcome(facts=facts)

    return Contender(POLARS_CODED if coded else POLARS, run, every_set=True)


def missing() -> list[str]:
    """Packages of the bench extra that are not installed."""
    wanted = ("polars", "pycanon", "pyarrow", "matplotlib")
    return [name for name in wanted if find_spec(name) is None]
