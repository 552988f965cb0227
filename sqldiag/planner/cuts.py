"""Where to cut numbers into bands of about as many rows each, found in the database.

A cut point is rounded to two digits before it leaves the database, so that it is no row's value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from sqldiag.engines.base import Row, Statement
from sqldiag.planner.source import project
from sqldiag.relation import Relation


def plan_cuts(relation: Relation, bands: Mapping[str, int], dialect: str) -> Statement:
    """One reading for all columns: (number of the column, cut point)."""
    names = {f"q{i}": name for i, name in enumerate(bands, 1)}
    number = " + ".join(f"(1 - GROUPING({q})) * {i}" for i, q in enumerate(names, 1))
    # In each group all columns but its own are NULL.
    value = ", ".join(f"CAST({q} AS DOUBLE)" for q in names)
    value = f"COALESCE({value})" if len(names) > 1 else value
    groups = exp.select(f"{number} AS g", f"{value} AS v", "COUNT(*) AS n")
    groups = groups.from_(project(relation, names, dialect).subquery("rows_"))
    sets = [exp.Tuple(expressions=[exp.column(q)]) for q in names]
    groups.set("group", exp.Group(grouping_sets=[exp.GroupingSets(expressions=sets)]))
    within = "PARTITION BY g ORDER BY v"
    reached = (
        exp.select(
            "g", "v", f"SUM(n) OVER ({within}) AS reach", "SUM(n) OVER (PARTITION BY g) AS m"
        )
        .from_(groups.subquery("groups"))
        .where("NOT v IS NULL")
    )
    wanted = " ".join(f"WHEN {i} THEN {count}" for i, count in enumerate(bands.values(), 1))
    banded = exp.select(
        "g",
        "v",
        f"CASE g {wanted} END AS bands",
        f"FLOOR(CAST(reach AS DOUBLE) * CASE g {wanted} END / m) AS band",
    ).from_(reached.subquery("reached"))
    # The first value that fills a band ends it; the last band has no end.
    ends = (
        exp.select("g", "band", "MIN(v) AS v")
        .from_(banded.subquery("banded"))
        .where("band > 0 AND band < bands")
        .group_by("g", "band")
    )
    scale = "POWER(CAST(10 AS DOUBLE), FLOOR(LN(ABS(v)) / LN(10)) - 1)"
    rounded = f"CASE WHEN v = 0 THEN 0 ELSE ROUND(v / {scale}) * {scale} END"
    tree = (
        exp.select("g", f"CAST({rounded} AS DOUBLE) AS cut")
        .distinct()
        .from_(ends.subquery("ends"))
        .order_by("g", "cut")
    )
    return Statement(
        sql=tree.sql(dialect, pretty=True),
        purpose=f"cut points of {', '.join(bands)}",
        reads_base=True,
    )


def read_cuts(bands: Mapping[str, int], rows: Sequence[Row]) -> dict[str, tuple[float, ...]]:
    names = list(bands)
    found: dict[str, list[float]] = {name: [] for name in names}
    for number, cut in rows:
        found[names[int(str(number)) - 1]].append(float(str(cut)))
    return {name: tuple(cuts) for name, cuts in found.items()}
