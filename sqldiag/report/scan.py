"""A scan for people: columns, sets, how coarse, and what to run next."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from sqldiag.report import words
from sqldiag.report.blocks import Block, Line, Table
from sqldiag.scan.roles import Role
from sqldiag.scanned import Coarsening, ColumnScan, Population, Scan, SchemaScan, SetScan

# A terminal shows so many sets; csv and json have them all.
_MOST_SETS = 25


def scanned_blocks(answer: Scan | SchemaScan) -> Iterator[Block]:
    return scan_blocks(answer) if isinstance(answer, Scan) else schema_blocks(answer)


def scan_blocks(answer: Scan) -> Iterator[Block]:
    yield Line(words.diagnosed(answer.source))
    for warning in answer.source.warnings:
        yield Line(f"warning: {warning}", good=False)
    yield Line(_drawn(answer.population))
    yield _roles(answer)
    yield _counts(answer)
    if answer.sets:
        yield from _sets(answer)
    if answer.coarsening is not None:
        yield from _coarsening(answer.coarsening)
    for note in answer.notes:
        yield Line(f"note: {note}")
    yield Line("Roles are suggestions. To go on:")
    for command in answer.next_commands:
        yield Line(f"  {command}", verbatim=True)
    yield Line(words.cost(answer.cost))


def _drawn(population: Population) -> str:
    people = words.large(population.people)
    if population.table is not None:
        return f"population: the {people} rows of {population.table}"
    if population.given:
        return f"population: {people} people"
    return (
        f"population: these {people} rows, as if there were nobody else; --population says how "
        "many people they were drawn from"
    )


def _roles(answer: Scan) -> Table:
    rows = tuple(
        (
            column.name,
            column.role + (" (declared)" if column.declared_role is not None else ""),
            _reason(column),
        )
        for column in answer.columns
    )
    return Table(("column", "role", "because"), rows, frozenset())


def _counts(answer: Scan) -> Table:
    rows = []
    for column in answer.columns:
        facts = column.facts
        rows.append(
            (
                column.name,
                facts.type.lower() if len(facts.type) <= 24 else facts.type[:23].lower() + "…",
                words.percent(facts.nulls / facts.rows),
                ("" if facts.distinct_is_exact else "~") + words.count(facts.distinct),
                words.percent(facts.top_share),
                "?" if facts.singletons is None else words.count(facts.singletons),
                "?" if facts.entropy is None else f"{facts.entropy:.2f}",
            )
        )
    header = ("column", "type", "NULL", "distinct", "top", "alone", "entropy")
    return Table(header, tuple(rows), frozenset(range(2, 7)))


def _reason(column: ColumnScan) -> str:
    suggested = column.suggestion
    if column.declared_role is None:
        return suggested.reason
    same = column.declared_role == suggested.role.value
    return suggested.reason if same else f"suggested: {suggested.role.value}, {suggested.reason}"


def _sets(answer: Scan) -> Iterator[Block]:
    mapped = answer.population.table is not None
    matched = ("k-map", "match one", "match nobody") if mapped else ()
    header = ("columns", "S alone", "F1 = S/N", "D", "F2 at most", "k = n/D", *matched)
    shown = _worst_first(answer.sets)[:_MOST_SETS]
    rows = [_set(found, answer.source.rows) for found in shown]
    title = "Sets of quasi-identifiers: in the table (S, F1), in the population (D, F2, k)"
    yield Table(header, tuple(rows), frozenset(range(1, len(header))), title=title)
    left = len(answer.sets) - len(shown)
    if left > 0:
        yield Line(f"… and {words.count(left, 'more set')}; --format csv has them all")
    yield _verdict(answer)


def _worst_first(sets: Sequence[SetScan]) -> list[SetScan]:
    return sorted(sets, key=lambda found: (-found.singletons, -found.domain))


def _set(found: SetScan, rows: int) -> tuple[str, ...]:
    cells = [
        ", ".join(found.quasi_identifiers),
        words.count(found.singletons),
        words.percent(found.uniqueness),
        words.large(found.domain),
        words.share(found.population_uniqueness),
        words.large(found.population_k),
    ]
    if found.k_map is not None:
        k = found.k_map
        cells += [
            "none" if k.k is None else words.count(k.k),
            words.percent(k.one_match_rows / rows),
            words.percent(k.unmatched_rows / rows),
        ]
    return tuple(cells)


def _verdict(answer: Scan) -> Line:
    """Of the sets that could single out a share α, the smallest."""
    alpha = words.percent(answer.population.alpha)
    able = [found for found in answer.sets if found.can_identify]
    if not able:
        return Line(f"No set here could single out {alpha} of the population.", good=True)
    first = min(able, key=lambda found: (len(found.quasi_identifiers), -found.domain))
    names = ", ".join(first.quasi_identifiers)
    return Line(f"{names} could single out {alpha} or more of the population.", good=False)


def _coarsening(found: Coarsening) -> Iterator[Block]:
    sure = words.percent(1 - found.beta)
    k = words.value(int(found.k) if found.k == int(found.k) else found.k)
    if math.isinf(found.domain):
        yield Line("Any number of combinations is fine for k = 1.", good=True)
        return
    title = f"For {k} people to share their values with {sure} probability: "
    title += f"at most {words.large(found.domain)} combinations"
    rows = [
        (
            kept.name,
            words.large(kept.domain),
            words.large(math.floor(kept.values + 0.5)),
            kept.how + _cut(kept.cut_points),
        )
        for kept in found.columns
    ]
    yield Table(("column", "values", "keep", "how"), tuple(rows), frozenset({1, 2}), title=title)


def _cut(points: Sequence[float] | None) -> str:
    if not points:
        return ""
    return ", cut after " + "; ".join(words.value(float(point)) for point in points)


def schema_blocks(answer: SchemaScan) -> Iterator[Block]:
    read = words.count(len(answer.tables), "table")
    yield Line(f"schema {answer.schema}: {read} in {words.engine(answer.engine)}, riskiest first")
    header = ("table", "rows", "names people", "quasi-identifiers", "sensitive", "alone")
    rows = []
    for found in answer.tables:
        together = found.together
        rows.append(
            (
                found.source.relation,
                words.count(found.source.rows),
                ", ".join(found.personal),
                ", ".join(found.having(Role.QUASI_IDENTIFIER.value)),
                ", ".join(found.having(Role.SENSITIVE.value)),
                words.percent(together.uniqueness) if together else "",
            )
        )
    if rows:
        yield Table(header, tuple(rows), frozenset({1, 5}))
    if answer.empty:
        yield Line(f"without rows: {', '.join(answer.empty)}")
    for name, why in answer.skipped:
        yield Line(f"note: {name} was left out: {why}")
    if answer.next_commands:
        yield Line("Roles are suggestions. To go on:")
    for command in answer.next_commands:
        yield Line(f"  {command}", verbatim=True)
    yield Line(words.cost(answer.cost))
