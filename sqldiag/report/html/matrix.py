"""Which columns go together: the borders as a matrix of sets by columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqldiag.answers import Borders, SetFinding
from sqldiag.report import words
from sqldiag.report.blocks import Table
from sqldiag.report.html.charts import Matrix, SetRow, Side, width

# So many sets of each border can be taken in at a glance; the table beside it lists more.
_DRAWN = 24
_LISTED = 200


def matrix(borders: Borders) -> Matrix:
    columns = borders.searched.columns
    most = max((f.suppression_needed or 0 for f in (*borders.safe, *borders.unsafe)), default=0)
    only_sizes = all(required.call.column is None for required in borders.requirements)
    return Matrix(
        title="Which columns go together?",
        sentence=_sentence(borders),
        numbers=_numbers(borders),
        columns=columns,
        sides=(
            _side("Safe to release together", borders.safe, columns, most, safe=True),
            _side(
                "Singles people out" if only_sizes else "Exposes people",
                borders.unsafe,
                columns,
                most,
                safe=False,
            ),
        ),
    )


def _side(
    title: str, sets: Sequence[SetFinding], columns: Sequence[str], most: float, *, safe: bool
) -> Side:
    drawn = tuple(_row(found, columns, most) for found in sets[:_DRAWN])
    return Side(title=title, safe=safe, sets=drawn, rest=_rest(sets[_DRAWN:], safe=safe))


def _row(found: SetFinding, columns: Sequence[str], most: float) -> SetRow:
    share = found.suppression_needed or 0.0
    return SetRow(
        columns=", ".join(found.quasi_identifiers),
        cells=tuple(column in found.quasi_identifiers for column in columns),
        rows=words.count(found.rows_to_suppress or 0),
        share=words.percent(share),
        width=width(share, most),
    )


def _rest(sets: Sequence[SetFinding], *, safe: bool) -> str:
    """What is not drawn, in words."""
    if not sets:
        return ""
    needs = [found.suppression_needed or 0.0 for found in sets]
    sizes = [len(found.quasi_identifiers) for found in sets]
    common = Counter(name for found in sets for name in found.quasi_identifiers).most_common(3)
    named = ", ".join(f"{name} ({count})" for name, count in common)
    between = _range(words.percent(min(needs)), words.percent(max(needs)))
    size = _range(f"{min(sizes)}", f"{max(sizes)}")
    kind = "safe" if safe else "unsafe"
    return (
        f"{words.count(len(sets), f'more {kind} set')} of {size} columns not drawn here: "
        f"{'it exposes' if len(sets) == 1 else 'they expose'} {between} of the rows. "
        f"Most often in them: {named}."
    )


def _range(least: str, most: str) -> str:
    return least if least == most else f"{least} to {most}"


def _sentence(borders: Borders) -> str:
    searched = borders.searched
    asked = " and ".join(map(str, borders.requirements))
    found = (
        f"{words.count(len(borders.safe), 'largest safe set', 'largest safe sets')} and "
        f"{words.count(len(borders.unsafe), 'smallest unsafe set', 'smallest unsafe sets')} of "
        f"{words.count(len(searched.columns), 'column')}, for {asked}"
        f"{words.allowance(searched.suppress)}."
    )
    if not searched.complete:
        found += " The search was not finished; what is listed is right."
    return found


def _numbers(borders: Borders) -> Table:
    rows = [
        (kind, ", ".join(f.quasi_identifiers), words.count(f.rows_to_suppress or 0), _share(f))
        for kind, sets in (("safe", borders.safe), ("unsafe", borders.unsafe))
        for f in sets[:_LISTED]
    ]
    return Table(("border", "columns", "rows exposed", "share"), tuple(rows), frozenset({2, 3}))


def _share(found: SetFinding) -> str:
    return words.percent(found.suppression_needed or 0)
