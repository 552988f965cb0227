"""The content of a report for people, before it becomes text or Markdown: lines and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sqldiag.answers import (
    Borders,
    Check,
    Measurement,
    SetFinding,
    Source,
    Subsets,
    Verdict,
)
from sqldiag.report import words
from sqldiag.report.blocks import Block, Line, Table
from sqldiag.report.parts import contribution_tables

if TYPE_CHECKING:
    from sqldiag.report import Answer

# A terminal shows so many points of a curve; csv and json have them all.
_CURVE_POINTS = 15
# And so many sets of each kind.
_MOST_SETS = 25


def blocks(answer: Answer) -> Iterator[Block]:
    if not isinstance(answer, Check | Measurement | Borders | Subsets):
        from sqldiag.report.scan import scanned_blocks

        yield from scanned_blocks(answer)
        return
    if isinstance(answer, Borders | Subsets):
        yield from _searched(answer)
        return
    yield from _diagnosed(answer.source)
    if isinstance(answer, Check):
        yield from _check(answer)
    else:
        yield from _measurement(answer)
    shown = example_table(answer)
    if shown is not None:
        yield shown
    yield Line(words.cost(answer.cost))


def _diagnosed(source: Source) -> Iterator[Block]:
    yield Line(words.diagnosed(source))
    for warning in source.warnings:
        yield Line(f"warning: {warning}", good=False)


def _check(answer: Check) -> Iterator[Block]:
    mark = "✓" if answer.holds else "✗"
    yield Line(f"{mark} {words.verdict(answer)}", good=answer.holds)
    yield Line(words.remedy(answer))
    yield _verdicts(answer.requirements, answer.suppress)
    yield Line(_risk(answer))


def _verdicts(verdicts: Sequence[Verdict], share: float | None) -> Table:
    suppressed = share is not None
    rows = []
    for v in verdicts:
        level = [words.value(v.value_suppressed)] if suppressed else []
        need = [words.count(v.rows_to_suppress), words.percent(v.suppression_needed)]
        holds = "yes" if v.holds else "no"
        rows.append((str(v.requirement), words.value(v.value), *level, holds, *need))
    levels = ["value", *([f"under {words.percent(share)}"] if share is not None else [])]
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
    share = answer.suppress
    levels = ["value", *([f"under {words.percent(share)}"] if share is not None else [])]
    right = frozenset(range(1, 1 + len(levels)))
    yield Table(("measure", *levels, "what it means"), tuple(rows), right)
    yield Line(_risk(answer))
    if answer.check is not None:
        mark = "✓" if answer.check.holds else "✗"
        yield Line(f"{mark} {words.verdict(answer.check)}", good=answer.check.holds)
        yield Line(words.remedy(answer.check))
        yield _verdicts(answer.check.requirements, answer.suppress)
    yield from contribution_tables(answer)
    yield from _curves(answer)


def _risk(answer: Check | Measurement) -> str:
    risk = answer.risk
    parts = [
        words.count(risk.classes, "group"),
        f"{words.percent(risk.uniqueness)} of rows unique",
        f"average risk {words.percent(risk.average_risk)}",
        f"{words.percent(risk.separation or 0)} of pairs told apart",
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


def example_table(answer: Check | Measurement) -> Table | None:
    """The groups that someone asked to see."""
    if answer.examples is None:
        return None
    names = answer.quasi_identifiers
    rows = [
        (*(_shown(value) for value in e.values), words.count(e.people), words.count(e.rows))
        for e in answer.examples
    ]
    sizes = ("people", "rows") if answer.entity is not None else ("size",)
    cut = len(names) + len(sizes)
    right = frozenset(range(len(names), cut))
    return Table((*names, *sizes), tuple(r[:cut] for r in rows), right, title="smallest groups")


def _shown(value: object) -> str:
    return "NULL" if value is None else str(value)


def _searched(answer: Borders | Subsets) -> Iterator[Block]:
    searched = answer.searched
    yield from _diagnosed(searched.source)
    most = len(searched.columns)
    limit = f", at most {searched.max_size} at once" if searched.max_size < most else ""
    yield Line(f"searched: {', '.join(searched.columns)}{limit}")
    if searched.identifiers:
        yield Line(f"left out, as they identify by themselves: {', '.join(searched.identifiers)}")
    yield from _borders(answer) if isinstance(answer, Borders) else _subsets(answer)
    if not searched.complete:
        why = "was cancelled" if searched.cancelled else "ran out of its budget"
        yield Line(f"Not complete: the search {why}. What is listed is right.", good=False)
    for note in searched.notes:
        yield Line(f"note: {note}")
    sets = words.count(searched.cost.sets_evaluated, "set")
    yield Line(f"{sets} looked at, {words.cost(searched.cost)}")


def _borders(answer: Borders) -> Iterator[Block]:
    asked = " and ".join(str(requirement) for requirement in answer.requirements)
    budget = words.allowance(answer.searched.suppress)
    yield Line(f"required: {asked}{budget}")
    complete = answer.searched.complete
    if answer.safe:
        yield _sets("Safe to release together", answer.safe)
    elif complete:
        yield Line("No column is safe to release, not even alone.", good=False)
    yield from _more(answer.safe)
    if answer.unsafe:
        only_sizes = all(required.call.column is None for required in answer.requirements)
        yield _sets("Singles people out" if only_sizes else "Exposes people", answer.unsafe)
    elif complete:
        yield Line("No set of these columns misses it.", good=True)
    yield from _more(answer.unsafe)


def _sets(title: str, sets: Sequence[SetFinding]) -> Table:
    rows = [(", ".join(found.quasi_identifiers), *_exposed(found)) for found in sets[:_MOST_SETS]]
    return Table(("columns", "rows exposed", "share"), tuple(rows), frozenset({1, 2}), title=title)


def _exposed(found: SetFinding) -> tuple[str, str]:
    if found.rows_to_suppress is None or found.suppression_needed is None:
        return "", ""
    return words.count(found.rows_to_suppress), words.percent(found.suppression_needed)


def _more(sets: Sequence[SetFinding]) -> Iterator[Block]:
    left = len(sets) - _MOST_SETS
    if left > 0:
        yield Line(f"… and {words.count(left, 'more set')}; --format csv has them all")


def _subsets(answer: Subsets) -> Iterator[Block]:
    if answer.requirements:
        asked = " and ".join(str(requirement) for requirement in answer.requirements)
        yield Line(f"required: {asked}{words.allowance(answer.searched.suppress)}")
    yield subset_table(answer)
    yield from _more(answer.sets)
    if any(level.curve is not None for found in answer.sets for level in found.levels):
        yield Line("The curves are in --format csv and --format json.")


def subset_table(answer: Subsets) -> Table:
    """The most dangerous sets."""
    suppressed = answer.searched.suppress
    names = [str(call) for call in answer.measures]
    levels = [words.under(name, suppressed) for name in names if suppressed is not None]
    asked = ["suppress"] if answer.requirements else []
    header = ("columns", *names, *levels, *asked, "unique")
    rows = [
        _subset(found, suppressed is not None, bool(asked)) for found in answer.sets[:_MOST_SETS]
    ]
    return Table(header, tuple(rows), frozenset(range(1, len(header))))


def _subset(found: SetFinding, suppressed: bool, asked: bool) -> tuple[str, ...]:
    values = [words.value(level.value) for level in found.levels]
    levels = [words.value(level.value_suppressed) for level in found.levels if suppressed]
    need = [words.percent(found.suppression_needed or 0)] if asked else []
    unique = "" if found.risk is None else words.percent(found.risk.uniqueness)
    return (", ".join(found.quasi_identifiers), *values, *levels, *need, unique)
