"""The last part of a statement: from rated classes to the few lines that leave the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from sqldiag.measure import Call, Direction
from sqldiag.planner.ask import Ask
from sqldiag.planner.steps import any_of, real, union_all


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of line in the result: its number stands in the first column of its lines."""

    kind: str
    labels: tuple[str, ...]
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class Rated:
    """A step with a row per class: its n, people, has_null, and a value per measure.

    ``values`` and ``details`` name the columns of each measure, ``misses`` and ``weak`` those of
    the requirements that look at these classes, by their number.
    """

    step: str
    keys: tuple[str, ...]
    values: Mapping[Call, str]
    details: Mapping[Call, tuple[str, ...]]
    misses: Mapping[int, str]
    weak: Mapping[int, str]


class Outcome:
    """Collects the parts of a statement; all have the columns part, (g,) x1, x2, …"""

    def __init__(self, ask: Ask, by: Sequence[str]) -> None:
        self.ask, self.by = ask, tuple(by)
        self.parts: list[Part] = []
        self._selects: list[tuple[exp.Select, list[str]]] = []

    def add(self, part: Part, select: exp.Select, columns: Sequence[str]) -> None:
        """``select`` has its FROM and what follows; ``columns`` give the labels of the part."""
        self.parts.append(part)
        self._selects.append((select, list(columns)))

    def query(self) -> exp.Query:
        width = max(len(columns) for _, columns in self._selects)
        return union_all(
            [
                select.select(*self._row(number, columns, width), append=False)
                for number, (select, columns) in enumerate(self._selects)
            ]
        )

    def _row(self, number: int, columns: list[str], width: int) -> list[str]:
        padded = [*(real(column) for column in columns), *["CAST(NULL AS DOUBLE)"] * width]
        numbered = [f"{column} AS x{i}" for i, column in enumerate(padded[:width], 1)]
        return [f"{number} AS part", *self.by, *numbered]

    def summary(self, rated: Rated, *, sizes: bool) -> None:
        """One line per set: sizes, the worst value of each measure, the rows that miss."""
        columns: dict[str, str] = {}
        if sizes:
            columns = {
                "classes": "COUNT(*)",
                "singletons": "COUNT(*) FILTER (WHERE n = 1)",
                "null_rows": "COALESCE(SUM(n) FILTER (WHERE has_null), 0)",
            }
        if sizes and not self.by:
            # Of many sets, these are the same or of little interest, and cost time.
            columns |= {"rows": "SUM(n)", "pairs": f"SUM({real('n')} * (n - 1))"}
        for call, value in rated.values.items():
            more = call.measure.direction is Direction.MORE
            columns[f"worst {call}"] = f"{'MIN' if more else 'MAX'}({value})"
        for number, miss in rated.misses.items():
            columns[f"need {number}"] = f"COALESCE(SUM(n) FILTER (WHERE {miss}), 0)"
        select = exp.Select().from_(rated.step)
        select = select.group_by(*self.by) if self.by else select
        self.add(Part("summary", tuple(columns)), select, list(columns.values()))

    def joint(self, label: str, step: str, misses: Sequence[str | exp.Expr]) -> None:
        """Rows of classes that miss any requirement."""
        missed = f"COALESCE(SUM(n) FILTER (WHERE {any_of(misses).sql()}), 0)"
        select = exp.Select().from_(step)
        select = select.group_by(*self.by) if self.by else select
        self.add(Part("summary", (label,)), select, [missed])

    def reading(self, rated: Rated, call: Call) -> None:
        """What a summary cannot hold: the level under suppression, the curve, a worst class."""
        if self.ask.curve:
            self._profile(rated, call)
        elif self.ask.share is not None:
            self._level(rated, call, self.ask.share)
        if self.ask.worst:
            self._worst(rated, call)

    def _profile(self, rated: Rated, call: Call) -> None:
        value = rated.values[call]
        select = exp.Select().from_(rated.step).group_by(*self.by, value)
        columns = [value, "COUNT(*)", "SUM(n)"]
        self.add(Part("profile", ("value", "classes", "rows"), call), select, columns)

    def _level(self, rated: Rated, call: Call, share: Fraction) -> None:
        """The worst value that stays. Whole numbers decide, so that ⌊δN⌋ is exact."""
        value = rated.values[call]
        more = call.measure.direction is Direction.MORE
        first, last = ("MIN", "MAX") if more else ("MAX", "MIN")
        order = f"{value}{'' if more else ' DESC'}"
        within = f"PARTITION BY {', '.join(self.by)} " if self.by else ""
        reached = (
            exp.select(
                *self.by,
                value,
                f"SUM(SUM(n)) OVER ({within}ORDER BY {order}) AS gone",
                f"SUM(SUM(n)) OVER ({within.strip()}) AS all_rows",
            )
            .from_(rated.step)
            .group_by(*self.by, value)
        )
        stays = " > ".join(
            f"CAST({rows} AS DECIMAL(38, 0)) * {factor}"
            for rows, factor in (("gone", share.denominator), ("all_rows", share.numerator))
        )
        level = f"COALESCE({first}(CASE WHEN {stays} THEN {value} END), {last}({value}))"
        select = exp.Select().from_(reached.subquery("reached"))
        select = select.group_by(*self.by) if self.by else select
        self.add(Part("level", ("value",), call), select, [level])

    def _worst(self, rated: Rated, call: Call) -> None:
        value, details = rated.values[call], rated.details[call]
        more = call.measure.direction is Direction.MORE
        worst = (
            exp.select(*details)
            .from_(rated.step)
            .order_by(f"{value}{'' if more else ' DESC'}", *(f"{name} DESC" for name in details))
            .limit(1)
        )
        select = exp.Select().from_(worst.subquery("worst"))
        self.add(Part("worst", details, call), select, details)

    def entities(self, step: str, entity: str) -> None:
        if self.by:
            return
        self.add(Part("summary", ("entities",)), exp.Select().from_(step), [f"COUNT({entity})"])


def handed_down(
    rated: Sequence[Rated], facts: str, columns: Sequence[str], misses: Mapping[int, str]
) -> tuple[exp.Query, list[str]]:
    """Rows, each told whether any class it stands in misses, where requirements group differently.

    Every class hands its miss down to the facts it holds: they stand in one partition of a window.
    """
    flags = list(misses.values())
    none = [f"0 AS {flag}" for flag in flags]
    branches = [exp.select(*columns, "n", *none).from_(facts)]
    told = []
    for one in rated:
        mine = [miss for number, miss in misses.items() if one.misses.get(number) == miss]
        if not mine:
            continue
        raised = [
            f"CASE WHEN {flag} THEN 1 ELSE 0 END AS {flag}" if flag in mine else f"0 AS {flag}"
            for flag in flags
        ]
        present = [name if name in one.keys else f"NULL AS {name}" for name in columns]
        branches.append(exp.select(*present, "0 AS n", *raised).from_(one.step))
        over = ", ".join(one.keys)
        told += [f"MAX({flag}) OVER (PARTITION BY {over}) AS {flag}" for flag in mine]
    merged = union_all(branches).subquery("handed")
    return exp.select("n", *told).from_(merged), [f"{flag} > 0" for flag in flags]
