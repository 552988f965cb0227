"""Sizes of classes alone, of many sets: the question that most searches ask.

Each set is summed up by itself. What the general plan does, to bring all classes together and
sum them up by their set, takes longer than to find the classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from sqlglot import exp

from sqldiag.planner.ask import Ask
from sqldiag.planner.grouping import PackedSets, numbering
from sqldiag.planner.outcome import Part
from sqldiag.planner.portions import Portions
from sqldiag.planner.statement import Plan
from sqldiag.planner.steps import Steps, fixed, real, union_all
from sqldiag.requirement import Requirement

_COUNTED = "counted"
# What the label of a worst value begins with.
_WORST = "worst "


def only_sizes(ask: Ask) -> bool:
    """Whether nothing but numbers of rows is asked, and no level that takes a profile."""
    sized = all(call.measure.is_size for call in ask.measured)
    levelled = ask.share is not None and ask.calls
    return sized and ask.entity is None and not (levelled or ask.curve or ask.worst)


def plan_sizes(
    ask: Ask, grouping: PackedSets, steps: Steps, portions: Portions | None, *, dialect: str
) -> Plan:
    """``portions``: where the grouping's facts are those of a portion."""
    counts = _counts(ask)
    named = [f"{count} AS x{i}" for i, count in enumerate(counts.values(), 2)]
    told = fixed(named, dialect)
    selects: list[exp.Query] = []
    for number, source in grouping.each(steps).items():
        null_rows = exp.alias_(_null_rows(grouping.null_in(number)), "x1", copy=False)
        columns = [numbering(number), null_rows, told.copy()]
        select = exp.Select().select(*columns, copy=False)
        selects.append(select.from_(source, copy=False))
    labels = ("null_rows", *counts)
    counted = union_all(selects)
    if portions is None:
        query = exp.select("0 AS part", "g", *_told(labels))
        query = query.from_(counted.subquery(_COUNTED, copy=False), copy=False)
        tree = steps.finish(query)
    else:
        query = exp.select("0 AS part", "g", *_told(labels, portions=True)).group_by("g")
        tree = portions.each(query, _COUNTED, steps.finish(counted))
    return Plan(tree, (Part("summary", labels),), many=True)


def _told(labels: Sequence[str], *, portions: bool = False) -> Iterator[str]:
    """The counts as they are read; those of all portions together."""
    for i, label in enumerate(labels, 1):
        count = f"x{i}"
        if portions:
            count = f"{'MIN' if label.startswith(_WORST) else 'SUM'}({count})"
        # Nothing to sum is NULL, which stands for 0 rows.
        yield real(f"COALESCE({count}, 0)") + f" AS x{i}"


def _counts(ask: Ask) -> dict[str, str]:
    columns = {"classes": "COUNT(*)", "singletons": "COUNT(*) FILTER (WHERE n = 1)"}
    columns |= {f"{_WORST}{call}": "MIN(n)" for call in ask.measured}
    columns |= {f"need {i}": _missed([one]) for i, one in enumerate(ask.requirements)}
    if len(ask.requirements) > 1:
        columns["joint"] = _missed(ask.requirements)
    if ask.weak:
        columns["weak"] = _missed(ask.weak)
    return columns


def _missed(requirements: Sequence[Requirement]) -> str:
    """The rows of classes that miss any of the requirements: those below the highest."""
    # Whole numbers reach a threshold when they reach the next whole number.
    least = max(math.ceil(requirement.threshold) for requirement in requirements)
    return f"SUM(n) FILTER (WHERE n < {least})"


def _null_rows(tests: Sequence[str]) -> exp.Expr:
    if not tests:
        return exp.Literal.number(0)
    # The tests are the same on any engine, and need not be read.
    here = exp.Where(this=exp.var(" OR ".join(tests)))
    return exp.Filter(this=exp.Sum(this=exp.column("n")), expression=here)
