"""All tables of a schema, riskiest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqldiag.cost import Cost
from sqldiag.engines.base import Found
from sqldiag.errors import BadInput, Cancelled, Empty, SqldiagError, nearest
from sqldiag.relation import Relation
from sqldiag.scanned import Scan, SchemaScan
from sqldiag.scanning.ask import ScanAsk
from sqldiag.scanning.commands import written
from sqldiag.scanning.scanner import scan
from sqldiag.session import Session


def scan_schema(
    session: Session, schema: str | None, asked: ScanAsk, origin: tuple[str, ...]
) -> SchemaScan:
    """Each table by itself; one that cannot be read is named, and stops nobody."""
    scans: list[Scan] = []
    empty: list[str] = []
    skipped: list[tuple[str, str]] = []
    tables = list(_tables(session, schema))
    for name, found in tables:
        relation = Relation(name=name, columns=found.columns, path=found.path, is_table=found.plain)
        mine = ScanAsk(people=asked.people, alpha=asked.alpha, origin=(*origin, name))
        try:
            scans.append(scan(session, relation, mine))
        except Empty:
            empty.append(name)
        except Cancelled:
            raise
        except SqldiagError as error:
            skipped.append((name, error.sentence))
    rest = session.finish()
    scans.sort(key=_risk, reverse=True)
    return SchemaScan(
        engine=session.connection.engine,
        schema=tables[0][1].path[-2],
        tables=tuple(scans),
        empty=tuple(empty),
        skipped=tuple(skipped),
        next_commands=_next(scans, origin),
        cost=_sum([rest, *(one.cost for one in scans)]),
    )


def _tables(session: Session, schema: str | None) -> Iterator[tuple[str, Found]]:
    """The tables and views of a schema; of the one that bare names mean, where none is named."""
    connection, schemas, any_ = session.connection, set(), False
    for name in connection.table_names():
        try:
            found = connection.find(name)
        except BadInput:
            # Two tables go by this name; each has a longer one.
            continue
        schemas.add(found.path[-2])
        if found.visible if schema is None else found.path[-2] == schema:
            any_ = True
            yield name, found
    if not any_:
        if schema is None:
            known = f"; there are tables in {', '.join(sorted(schemas))}" if schemas else ""
            raise BadInput(f"there is no table to scan{known or ' in this source'}")
        raise BadInput(f"there is no schema {schema} with tables{nearest(schema, schemas)}")


def _risk(found: Scan) -> tuple[float, ...]:
    """Names and addresses first, then whoever is singled out, and what is known of them then."""
    together = found.together
    return (
        found.exposed,
        together.uniqueness if together else 0.0,
        len(found.personal),
        len(found.having("sensitive")),
        found.source.rows,
    )


def _next(scans: Sequence[Scan], origin: tuple[str, ...]) -> tuple[str, ...]:
    if not scans:
        return ()
    first = scans[0]
    return (written("scan", *origin, first.source.relation), *first.next_commands[:2])


def _sum(costs: Sequence[Cost]) -> Cost:
    return Cost(
        statements=sum(cost.statements for cost in costs),
        base_scans=sum(cost.base_scans for cost in costs),
        sets_evaluated=sum(cost.sets_evaluated for cost in costs),
        rollups=sum(cost.rollups for cost in costs),
        seconds=sum(cost.seconds for cost in costs),
    )
