"""A run for people: one line per table, then what they should know."""

from __future__ import annotations

from collections.abc import Iterator

from sqldiag.outcomes import ERROR, FAILS, HOLDS, WARNS, Result, Run
from sqldiag.report import words
from sqldiag.report.blocks import Block, Line, Table
from sqldiag.report.run_words import about, broken, moved

_MARKS = {HOLDS: "✓ holds", FAILS: "✗ fails", WARNS: "! warns", ERROR: "✗ error"}
_MOST_SETS = 5


def run_blocks(run: Run) -> Iterator[Block]:
    yield Line(f"policy {run.policy}: {words.count(len(run.results), 'table')}")
    suppressed = any(result.entry.suppress is not None for result in run.results)
    rows = tuple(_row(result, suppressed=suppressed) for result in run.results)
    levels = ("value", "level") if suppressed else ("value",)
    header = ("table", "verdict", "requires", *levels, "rows", "to suppress", "seconds")
    yield Table(header, rows, frozenset(range(3, len(header))))
    for result in run.results:
        yield from _details(result)
    for problem in run.problems:
        yield Line(f"✗ {problem}", good=False)
    yield Line(_summary(run), good=run.exit_code == 0)


def _row(result: Result, *, suppressed: bool) -> tuple[str, ...]:
    """``level`` is the value under the suppression that the policy allows."""
    check, name, mark = result.check, result.entry.name, _MARKS[result.status]
    if check is None:
        empty = ("", "", "", *([""] if suppressed else []))
        return (name, mark, ", ".join(result.entry.require), *empty, f"{result.seconds:.2f} s")
    levels = [
        v.value if v.value_suppressed is None else v.value_suppressed for v in check.requirements
    ]
    return (
        name,
        mark,
        ", ".join(str(verdict.requirement) for verdict in check.requirements),
        ", ".join(words.value(verdict.value) for verdict in check.requirements),
        *([", ".join(map(words.value, levels))] if suppressed else []),
        words.count(check.source.rows),
        f"{words.count(check.rows_to_suppress)} ({words.percent(check.suppression_needed)})",
        f"{check.cost.seconds:.2f} s",
    )


def _details(result: Result) -> Iterator[Block]:
    name = result.entry.name
    if result.error is not None:
        yield Line(f"{name}: {result.error}")
    for _, sentence in broken(result):
        yield Line(f"{name}: {sentence}")
    if result.status != HOLDS and (known := about(result)):
        yield Line(f"{name}: {known}")
    for drift in result.drift:
        if not drift.too_much:
            yield Line(f"{name}: {moved(drift, result.at)}")
    if result.borders is not None:
        yield from _borders(result)


def _borders(result: Result) -> Iterator[Block]:
    found = result.borders
    if found is None:
        return
    partly = "" if found.searched.complete else " (stopped by its budget, so there may be more)"
    for side, sets in (("safe", found.safe), ("unsafe", found.unsafe)):
        shown = "; ".join(", ".join(one.quasi_identifiers) for one in sets[:_MOST_SETS])
        more = f"; and {len(sets) - _MOST_SETS} more" if len(sets) > _MOST_SETS else ""
        yield Line(f"{result.entry.name}: {side} together: {shown or 'none'}{more}{partly}")


def _summary(run: Run) -> str:
    parts = [
        f"{count} {status if count == 1 else status[:-1]}"
        for status in (HOLDS, FAILS, WARNS)
        if (count := run.count(status))
    ]
    if errors := run.count(ERROR):
        parts.append(f"{errors} could not run")
    return f"{', '.join(parts)}: exit code {run.exit_code}"
