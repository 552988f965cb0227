"""Facts a portion at a time: small hash tables stay in the processor's caches, and so are faster.

Sets that have a column in common can be grouped for some of its values first, then for others: no
class has rows in two portions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqldiag.planner.packing import Field

# Every portion takes a scan of all facts, which is worth it for so many large sets.
_WORTH = 4
_LOW, _HIGH = "low", "high"


@dataclass(frozen=True, slots=True)
class Portions:
    """Ranges of a column's code, as it lies in its word: from each bound to below the next."""

    field: Field
    bounds: tuple[int, ...]

    def facts(self, words: Sequence[str], source: str) -> exp.Select:
        """The facts of one portion."""
        code = f"(w{self.field.word} & {self.field.mask})"
        here = f"{code} >= {_LOW} AND {code} < {_HIGH}"
        return exp.select(*words, "n").from_(source).where(here)

    def each(self, select: exp.Select, name: str, query: exp.Query) -> exp.Select:
        """Select from what a query, under this name, finds among the facts of every portion."""
        ranges = exp.values(list(zip(self.bounds, self.bounds[1:], strict=False)), "portion")
        ranges.args["alias"].set("columns", [exp.to_identifier(name) for name in (_LOW, _HIGH)])
        found = exp.Lateral(
            this=query.subquery(copy=False), alias=exp.TableAlias(this=exp.to_identifier(name))
        )
        return select.from_(ranges, copy=False).join(found, join_type="cross", copy=False)


def portion_by(
    field: Field, values: int, *, rows: int, large_sets: int, portion_rows: int
) -> Portions | None:
    """As many as make portions of about ``portion_rows`` of the facts' rows, by a column of so many
    codes; None where it is not worth it for the sets that may have more groups than that."""
    number = min(values, -(-rows // portion_rows), large_sets // _WORTH)
    if number < 2:
        return None
    codes = [round(i * values / number) for i in range(number + 1)]
    return Portions(field, tuple(code * field.unit for code in codes))
