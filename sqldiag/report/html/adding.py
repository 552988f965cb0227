"""Which columns carry the risk: what is unique, and what misses, without each and by each alone."""

from __future__ import annotations

from collections.abc import Sequence

from sqldiag.answers import Contribution, Measured, Measurement
from sqldiag.report import words
from sqldiag.report.blocks import Table
from sqldiag.report.html.charts import Pair, Panel, Panels, width


def contributions(answer: Measurement) -> Panels | None:
    """What is unique, and what misses, without each column and by each alone."""
    added = answer.contributions
    if not added:
        return None
    missing = None if answer.check is None else answer.check.suppression_needed
    panels = [Panel(title="Of the column alone", pairs=tuple(_pair(a, alone=True) for a in added))]
    if len(added) > 1:
        whole = Pair(
            label="all of them",
            text=_told(answer.measures[0], answer.risk.uniqueness, missing),
            unique=width(answer.risk.uniqueness),
            missing=None if missing is None else width(missing),
        )
        pairs = (whole, *(_pair(a, alone=False) for a in added))
        panels.insert(0, Panel(title="Without the column", pairs=pairs))
    return Panels(
        title="Which columns carry the risk?",
        sentence=_carried(answer, added),
        numbers=_parts(added, required=missing is not None),
        panels=tuple(panels),
        missing="" if missing is None else "rows to suppress for what is required",
    )


def _told(level: Measured, unique: float, missing: float | None) -> str:
    parts = [f"{level.measure} = {words.value(level.value)}", f"{words.percent(unique)} unique"]
    if missing is not None:
        parts.append(f"{words.percent(missing)} to suppress")
    return " · ".join(parts)


def _pair(added: Contribution, *, alone: bool) -> Pair:
    found = added.alone if alone else added.without
    assert found is not None
    assert found.risk is not None
    name = added.column
    missing = found.suppression_needed
    return Pair(
        label=name if alone else f"without {name}",
        text=_told(found.levels[0], found.risk.uniqueness, missing),
        unique=width(found.risk.uniqueness),
        missing=None if missing is None else width(missing),
    )


def _carried(answer: Measurement, added: Sequence[Contribution]) -> str:
    if len(added) == 1:
        return "There is one column only."
    if answer.check is not None and not answer.check.rows_to_suppress:
        return "What is required holds, with and without each of them."

    def left(one: Contribution) -> float:
        found = one.without
        assert found is not None
        if answer.check is not None:
            return found.suppression_needed or 0.0
        return 0.0 if found.risk is None else found.risk.uniqueness

    best = min(added, key=left)
    share, what = left(best), "need suppression" if answer.check is not None else "are unique"
    whole = answer.risk.uniqueness if answer.check is None else answer.check.suppression_needed
    helps = f"Leaving out {best.column} helps most: then it is {words.percent(share)}."
    if share >= whole:
        helps = "Leaving out one of them changes nothing."
    return f"With all columns {words.percent(whole)} of the rows {what}. {helps}"


def _parts(added: Sequence[Contribution], *, required: bool) -> Table:
    names = [added[0].alone.levels[0].measure, "unique", *(["to suppress"] if required else [])]
    header = ("column", *(f"{name} {part}" for part in ("without it", "alone") for name in names))
    rows = []
    for one in added:
        cells = [one.column]
        for found in (one.without, one.alone):
            if found is None or found.risk is None:
                cells += ["–"] * len(names)
                continue
            cells += [words.value(found.levels[0].value), words.percent(found.risk.uniqueness)]
            if required:
                cells.append(words.percent(found.suppression_needed or 0))
        rows.append(tuple(cells))
    return Table(header, tuple(rows), frozenset(range(1, len(header))))
