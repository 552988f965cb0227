"""Cells: for each class and sensitive value, how many people have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqldiag.planner.grouping import Grouping
from sqldiag.planner.steps import Steps, union_all, whole


@dataclass(frozen=True, slots=True)
class Counting:
    """How classes are counted: the grouping of the facts, in rows or in people.

    ``joins_nulls``: a join that takes NULL as equal to NULL is as fast as any other.
    """

    grouping: Grouping
    entity: str | None
    steps: Steps
    joins_nulls: bool


def people(counting: Counting, extra: Sequence[str], name: str) -> str:
    """Per class and value of the extra columns: its rows n, its people c (NULL is nobody)."""
    keys, steps = counting.grouping.keys, counting.steps
    if counting.entity is None:
        source = counting.grouping.grouped(extra, steps)
        return steps.add(name, exp.select(*keys, *extra, "n", "n AS c").from_(source))
    source = counting.grouping.grouped([*extra, counting.entity], steps)
    return steps.add(name, _counted([*keys, *extra], counting.entity, source))


def _counted(columns: Sequence[str], entity: str, source: str) -> exp.Select:
    counts = [f"{whole('SUM(n)')} AS n", f"COUNT({entity}) AS c"]
    return exp.select(*columns, *counts).from_(source).group_by(*columns)


def histogram(counting: Counting, column: str) -> str:
    """The relation's own distribution of a sensitive column, in the order of its type, NULL last.

    code is the rank of the value, reach the people up to it, area the sum of reach up to it.
    """
    steps, whole_relation = counting.steps, counting.grouping.whole
    if counting.entity is None:
        values = exp.select(column, "n AS c").from_(whole_relation([column], steps))
    else:
        pairs = whole_relation([column, counting.entity], steps)
        values = _counted([column], counting.entity, pairs)
    ranked = steps.add(
        f"ranked_{column}",
        exp.select(
            f"{column} AS v",
            "c AS t",
            f"ROW_NUMBER() OVER (ORDER BY {column} NULLS LAST) AS code",
            f"{whole('SUM(c) OVER ()')} AS total",
            "COUNT(*) OVER () AS domain",
            f"{whole(f'SUM(c) OVER (ORDER BY {column} NULLS LAST)')} AS reach",
        )
        .from_(values.subquery("counted"))
        .where("c > 0"),
    )
    select = exp.select("*", f"{whole('SUM(reach) OVER (ORDER BY code)')} AS area").from_(ranked)
    return steps.add(f"histogram_{column}", select)


def cells(
    counting: Counting,
    others: Sequence[str],
    column: str,
    uses: frozenset[str],
    *,
    name: str,
    histogram_name: str | None,
) -> str:
    """One row per class and value that somebody has, with the columns that the measures use.

    Strictly, ``others`` are sensitive columns that tell classes apart too.
    """
    steps, keys = counting.steps, [*counting.grouping.keys, *others]
    counted = people(counting, [*others, column], f"counted_{name}")
    select = exp.select(*keys, f"{column} AS v", "n", "c").from_(counted)
    if counting.entity is not None:
        select = select.where("c > 0")
    current = steps.add(f"cells_{name}", select)
    if "tail" in uses:
        current = _tails(keys, current, steps, name)
    if histogram_name is not None and uses & {"p", "q", "work"}:
        current = _shares(keys, current, counting, name, histogram_name)
    if histogram_name is not None and "work" in uses:
        tails = ["largest", "tail"] if "tail" in uses else []
        columns = [*keys, "v", "n", "c", *tails, "t", "p", "q", "code"]
        current = _work(keys, columns, current, steps, name, histogram_name)
    return current


def _window(keys: Sequence[str], order: str = "") -> str:
    return f"PARTITION BY {', '.join(keys)}{' ORDER BY ' + order if order else ''}"


def _tails(keys: Sequence[str], source: str, steps: Steps, name: str) -> str:
    running = f"SUM(c) OVER ({_window(keys, 'c')} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
    select = exp.select(
        "*", f"MAX(c) OVER ({_window(keys)}) AS largest", f"{whole(running)} AS tail"
    ).from_(source)
    return steps.add(f"tails_{name}", select)


def _shares(
    keys: Sequence[str], source: str, counting: Counting, name: str, histogram_name: str
) -> str:
    """p and q, and the value's code. An equality join is fast on every engine but loses NULL: what
    finds no partner is NULL, and takes the histogram's NULL line."""
    steps = counting.steps
    of_null = f"(SELECT {{}} FROM {histogram_name} WHERE v IS NOT DISTINCT FROM NULL)"
    same = "IS NOT DISTINCT FROM" if counting.joins_nulls else "="
    size = f"SUM(cell.c) OVER ({_window([f'cell.{key}' for key in keys])})"
    joined = steps.add(
        f"joined_{name}",
        exp.select(
            "cell.*",
            f"COALESCE(known.t, {of_null.format('t')}) AS t",
            f"COALESCE(known.code, {of_null.format('code')}) AS code",
            f"{whole(size)} AS size",
        )
        .from_(f"{source} AS cell")
        .join(f"{histogram_name} AS known", on=f"cell.v {same} known.v", join_type="left"),
    )
    total = f"(SELECT MAX(total) FROM {histogram_name})"
    select = exp.select(
        "*", "CAST(c AS DOUBLE) / size AS p", f"CAST(t AS DOUBLE) / {total} AS q"
    ).from_(joined)
    return steps.add(f"shares_{name}", select)


def _work(
    keys: Sequence[str],
    columns: Sequence[str],
    source: str,
    steps: Steps,
    name: str,
    histogram_name: str,
) -> str:
    """The ordered distance, without ever crossing classes with values.

    Between a value of the class and the next, its cumulative share P stays while the relation's Q
    climbs. So the sum of |P − Q| over that stretch needs only the place where Q passes P, found for
    all cells in one sort, and sums of Q, which the histogram holds.
    """
    placed = steps.add(
        f"placed_{name}",
        exp.select(
            "*",
            f"CAST(SUM(c) OVER ({_window(keys, 'code')}) AS DOUBLE) / size AS height",
            f"LEAD(code) OVER ({_window(keys, 'code')}) AS next_code",
            f"LAG(code) OVER ({_window(keys, 'code')}) AS last_code",
        ).from_(source),
    )
    columns = [*columns, "next_code", "last_code"]
    cell_rows = exp.select(*columns, "height", "1 AS is_cell").from_(placed)
    marks = [f"NULL AS {column}" if column != "code" else "code" for column in columns]
    mark_rows = exp.select(*marks, "CAST(reach AS DOUBLE) / total AS height", "0 AS is_cell")
    merged = steps.add(f"merged_{name}", union_all([cell_rows, mark_rows.from_(histogram_name)]))
    passed = (
        "MAX(CASE WHEN is_cell = 0 THEN code ELSE 0 END) OVER (ORDER BY height, is_cell"
        " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
    )
    ranked = steps.add(f"passed_{name}", exp.select("*", f"{passed} AS passed").from_(merged))
    domain = f"(SELECT MAX(domain) FROM {histogram_name})"
    stretch = steps.add(
        f"stretch_{name}",
        exp.select("*", f"COALESCE(next_code - 1, {domain}) AS until")
        .from_(ranked)
        .where("is_cell = 1"),
    )
    turned = steps.add(
        f"turned_{name}",
        exp.select("*", "LEAST(GREATEST(passed, code - 1), until) AS turn").from_(stretch),
    )
    return steps.add(f"work_{name}", _areas(turned, histogram_name))


def _areas(source: str, histogram_name: str) -> exp.Select:
    total = f"(SELECT MAX(total) FROM {histogram_name})"
    before, turn, until = (f"COALESCE({side}.area, 0)" for side in ("before", "turning", "ending"))
    work = (
        f"height * (turn - code + 1) - CAST({turn} - {before} AS DOUBLE) / {total}"
        f" + CAST({until} - {turn} AS DOUBLE) / {total} - height * (until - turn)"
        f" + CASE WHEN last_code IS NULL THEN CAST({before} AS DOUBLE) / {total} ELSE 0 END"
    )
    select = exp.select("cell.*", f"{work} AS work").from_(f"{source} AS cell")
    for side, code in (
        ("before", "cell.code - 1"),
        ("turning", "cell.turn"),
        ("ending", "cell.until"),
    ):
        histogram = f"(SELECT code AS at, area FROM {histogram_name}) AS {side}"
        select = select.join(histogram, on=f"{side}.at = {code}", join_type="left")
    return select
