"""From the lines of a statement to what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from sqldiag.measure import Call, Direction
from sqldiag.planner.ask import Ask, Findings, Reading, Worst
from sqldiag.planner.statement import Plan
from sqldiag.profile import Line, Profile, Risk, Value
from sqldiag.suppression import budget

Row = tuple[object, ...]


@dataclass(slots=True)
class _Lines:
    """The lines of one set, sorted to their parts."""

    summary: dict[str, float] = field(default_factory=dict)
    levels: dict[Call, float] = field(default_factory=dict)
    profiles: dict[Call, list[tuple[float, ...]]] = field(default_factory=dict)
    worst: dict[Call, Worst] = field(default_factory=dict)


def read(
    ask: Ask, plan: Plan, rows: Sequence[Row], *, total: int | None = None
) -> dict[int, Findings]:
    """The findings of each set, by its number g; 0 where the statement is about one set.

    ``total`` are the relation's rows, where the statement does not say.
    """
    by_set: dict[int, _Lines] = {}
    for row in rows:
        part = plan.parts[_whole(row[0])]
        number = _whole(row[1]) if plan.many else 0
        first = 2 if plan.many else 1
        numbers = [_number(value) for value in row[first : first + len(part.labels)]]
        if part.kind == "summary" and None in numbers:
            # An empty relation sums to NULL; it has no sets either.
            continue
        lines = by_set.setdefault(number, _Lines())
        known = tuple(0.0 if value is None else value for value in numbers)
        if part.kind == "summary":
            lines.summary.update(zip(part.labels, known, strict=True))
        elif part.call is not None and part.kind == "level":
            lines.levels[part.call] = known[0]
        elif part.call is not None and part.kind == "profile":
            lines.profiles.setdefault(part.call, []).append(known)
        elif part.call is not None:
            lines.worst[part.call] = Worst(int(known[0]), tuple(map(int, known[1:])))
    return {
        number: _findings(ask, lines, total)
        for number, lines in by_set.items()
        if lines.summary.get("classes")
    }


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float | Decimal) else None


def _whole(value: object) -> int:
    # Never by way of a float, which has too few bits for the number of a set of many columns.
    return int(value) if isinstance(value, int | float | Decimal) else 0


def _findings(ask: Ask, lines: _Lines, total: int | None) -> Findings:
    summary = lines.summary
    rows = int(summary["rows"]) if total is None else total
    needs = tuple(int(summary[f"need {i}"]) for i, _ in enumerate(ask.requirements))
    entities = summary.get("entities")
    return Findings(
        rows=rows,
        null_rows=int(summary["null_rows"]),
        risk=Risk.of(
            rows=rows,
            classes=int(summary["classes"]),
            singletons=int(summary["singletons"]),
            pairs=summary.get("pairs"),
        ),
        readings={call: _reading(ask, call, lines, rows) for call in ask.measured},
        needs=needs,
        need=int(summary.get("joint", max(needs, default=0))),
        weak_need=int(summary.get("weak", 0)),
        entities=None if entities is None else int(entities),
    )


def _reading(ask: Ask, call: Call, lines: _Lines, rows: int) -> Reading:
    worst = lines.summary[f"worst {call}"]
    level: float | None = lines.levels.get(call)
    profile = None
    if call in lines.profiles:
        falling = call.measure.direction is Direction.LESS
        points = sorted(lines.profiles[call], reverse=falling)
        profile = Profile(tuple(Line(_value(call, p[0]), int(p[1]), int(p[2])) for p in points))
        if ask.share is not None:
            level = profile.level(budget(ask.share, rows))
    return Reading(
        worst=_value(call, worst),
        level=None if level is None else _value(call, level),
        profile=profile,
        example=lines.worst.get(call),
    )


def _value(call: Call, value: float) -> Value:
    return int(value) if call.measure.is_whole else value
