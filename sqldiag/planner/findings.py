"""From the rows of a set's statement to what they say."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from sqldiag.measures import Call, Direction
from sqldiag.planner.ask import Ask, Findings, Reading, Worst
from sqldiag.planner.statement import Part
from sqldiag.profile import Line, Profile, SizeLine, Sizes, Value
from sqldiag.suppression import budget

Row = tuple[object, ...]


def read(ask: Ask, parts: Sequence[Part], rows: Sequence[Row]) -> Findings:
    """Sort the rows to their parts, and each part to the question it answers."""
    by_part: dict[int, list[Row]] = {}
    for row in rows:
        by_part.setdefault(_count(row[-1]), []).append(row)
    found = {part: by_part.get(number, []) for number, part in enumerate(parts)}
    sizes = Sizes(tuple(sorted(map(_size_line, found[Part("sizes")]), key=lambda line: line.value)))
    readings = {call: _reading(call, found, ask, sizes.rows) for call in ask.beyond_size}
    if any(call.measure.is_size for call in ask.measured):
        readings |= {call: _size(sizes, ask) for call in ask.measured if call.measure.is_size}
    entities = found.get(Part("entities"))
    needs = tuple(_need(ask, found, sizes, number) for number in range(len(ask.requirements)))
    joint = found.get(Part("joint"))
    return Findings(
        sizes=sizes,
        entities=_count(entities[0][1]) if entities else None,
        readings=readings,
        needs=needs,
        # Requirements on sizes alone are nested: the strictest one misses what any misses.
        need=_count(joint[0][1]) if joint else max(needs, default=0),
    )


def _count(value: object) -> int:
    if isinstance(value, int | float | Decimal):
        return int(value)
    return 0


def _value(call: Call | None, value: object) -> Value:
    assert isinstance(value, int | float)
    return int(value) if call is None or call.measure.is_whole else float(value)


def _size_line(row: Row) -> SizeLine:
    classes, rows, null_rows, singletons, pairs = (_count(count) for count in row[1:6])
    return SizeLine(_value(None, row[0]), classes, rows, null_rows, singletons, pairs)


def _size(sizes: Sizes, ask: Ask) -> Reading:
    profile = sizes.profile
    return Reading(
        worst=profile.worst if profile.lines else 0,
        level=profile.level(budget(ask.share, sizes.rows)) if profile.lines else 0,
        profile=profile,
        example=Worst(int(profile.worst), ()) if profile.lines else None,
    )


def _reading(call: Call, found: dict[Part, list[Row]], ask: Ask, rows: int) -> Reading:
    example = found[Part("example", call)]
    worst = Worst(_count(example[0][1]), tuple(map(_count, example[0][2:4]))) if example else None
    if not ask.curve:
        values = [_value(call, found[Part(kind, call)][0][0] or 0) for kind in ("worst", "level")]
        return Reading(worst=values[0], level=values[1], example=worst)
    lines = [
        Line(_value(call, row[0]), _count(row[1]), _count(row[2]))
        for row in found[Part("curve", call)]
    ]
    falling = call.measure.direction is Direction.LESS
    profile = Profile(tuple(sorted(lines, key=lambda line: line.value, reverse=falling)))
    if not lines:
        return Reading(worst=0, level=0, profile=profile)
    level = profile.level(budget(ask.share, rows))
    return Reading(worst=profile.worst, level=level, profile=profile, example=worst)


def _need(ask: Ask, found: dict[Part, list[Row]], sizes: Sizes, number: int) -> int:
    part = found.get(Part("need", requirement=number))
    if part is not None:
        return _count(part[0][1])
    return sizes.profile.need(ask.requirements[number].missed_by)
