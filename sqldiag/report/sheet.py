"""The content of a report for people, before it becomes text or Markdown: lines and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqldiag.answers import Check, Example, Measurement, Verdict
from sqldiag.report import words

# A terminal shows so many points of a curve; csv and json have them all.
_CURVE_POINTS = 15


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence; ``good`` says whether it is good news, where it is news at all."""

    text: str
    good: bool | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """``right`` are the columns that hold numbers."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int]
    title: str = ""


Block = Line | Table


def blocks(answer: Check | Measurement) -> Iterator[Block]:
    yield Line(words.diagnosed(answer.source))
    if isinstance(answer, Check):
        yield from _check(answer)
    else:
        yield from _measurement(answer)
    yield from _examples(
        answer.quasi_identifiers, answer.examples, people=answer.entity is not None
    )
    yield Line(_cost(answer))


def _check(answer: Check) -> Iterator[Block]:
    mark = "✓" if answer.holds else "✗"
    yield Line(f"{mark} {words.verdict(answer)}", good=answer.holds)
    yield Line(words.remedy(answer))
    yield _verdicts(answer.requirements)
    yield Line(_risk(answer))


def _verdicts(verdicts: Sequence[Verdict]) -> Table:
    suppressed = any(v.value_suppressed is not None for v in verdicts)
    rows = []
    for v in verdicts:
        level = [words.value(v.value_suppressed)] if suppressed else []
        need = [words.count(v.rows_to_suppress), words.percent(v.suppression_needed)]
        holds = "yes" if v.holds else "no"
        rows.append((str(v.requirement), words.value(v.value), *level, holds, *need))
    levels = ["value", "suppressed"] if suppressed else ["value"]
    header = ("requirement", *levels, "holds", "rows to suppress", "share")
    right = frozenset(i for i, name in enumerate(header) if name not in ("requirement", "holds"))
    return Table(header, tuple(rows), right)


def _measurement(answer: Measurement) -> Iterator[Block]:
    yield Line("quasi-identifiers: " + ", ".join(answer.quasi_identifiers))
    suppressed = answer.suppress is not None
    people = answer.entity is not None
    rows = []
    for m in answer.measures:
        level = [words.value(m.value_suppressed)] if suppressed else []
        rows.append((m.measure, words.value(m.value), *level, words.meaning(m, people=people)))
    levels = ["value", f"under {words.percent(answer.suppress or 0)}"] if suppressed else ["value"]
    right = frozenset(range(1, 1 + len(levels)))
    yield Table(("measure", *levels, "what it means"), tuple(rows), right)
    yield Line(_risk(answer))
    if answer.check is not None:
        mark = "✓" if answer.check.holds else "✗"
        yield Line(f"{mark} {words.verdict(answer.check)}", good=answer.check.holds)
        yield Line(words.remedy(answer.check))
        yield _verdicts(answer.check.requirements)
    yield from _curves(answer)


def _risk(answer: Check | Measurement) -> str:
    risk = answer.risk
    parts = [
        words.count(risk.classes, "group"),
        f"{words.percent(risk.uniqueness)} of rows unique",
        f"average risk {words.percent(risk.average_risk)}",
        f"{words.percent(risk.separation)} of pairs told apart",
    ]
    if answer.source.null_rows:
        parts.append(f"{words.count(answer.source.null_rows, 'row')} with a NULL")
    return " · ".join(parts)


def _curves(answer: Measurement) -> Iterator[Block]:
    for m in answer.measures:
        if m.curve is None:
            continue
        points = [(words.value(value), words.percent(need)) for value, need in m.curve]
        left = len(points) - _CURVE_POINTS
        shown = points if left <= 0 else points[:_CURVE_POINTS]
        yield Table((m.measure, "suppress"), tuple(shown), frozenset({0, 1}), title="curve")
        if left > 0:
            yield Line(f"… and {words.count(left, 'more value')}; --format csv has them all")


def _examples(
    names: Sequence[str], examples: Sequence[Example] | None, *, people: bool
) -> Iterator[Block]:
    if examples is None:
        return
    rows = [
        (*(_shown(value) for value in e.values), words.count(e.people), words.count(e.rows))
        for e in examples
    ]
    sizes = ("people", "rows") if people else ("size",)
    cut = len(names) + len(sizes)
    right = frozenset(range(len(names), cut))
    yield Table((*names, *sizes), tuple(r[:cut] for r in rows), right, title="smallest groups")


def _shown(value: object) -> str:
    return "NULL" if value is None else str(value)


def _cost(answer: Check | Measurement) -> str:
    cost = answer.cost
    scans = words.count(cost.base_scans, "scan")
    return (
        f"{words.count(cost.statements, 'statement')}, {scans} of the table, {cost.seconds:.2f} s"
    )
