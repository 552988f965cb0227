"""Rows that a diagnosis cannot see, and what it says about them; functions it does not call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqldiag.engines.base import Behind
from sqldiag.errors import BadInput
from sqldiag.planner import inspect
from sqldiag.relation import Relation
from sqldiag.session import Session

_CUT = "leaves rows out (LIMIT, OFFSET or a sample): those are not diagnosed"
_QUERY = f"--query {_CUT}, and each statement may see others"


def refuse_side_effects(session: Session, relation: Relation) -> None:
    """Reading only is not enough: some functions act where no transaction guards."""
    functions = inspect.functions_of(relation, session.dialect)
    if functions and (found := session.connection.side_effects(functions)):
        option = "--where" if relation.query is None else "--query or --where"
        raise BadInput(
            f"{option} calls {', '.join(found)}, which may do more than compute; it may only read"
        )


def warnings(session: Session, relation: Relation, *, alone: bool) -> tuple[str, ...]:
    """What hides rows; of a table that stands ``alone`` nothing needs to be asked."""
    dialect = session.dialect
    told = [_QUERY] if inspect.leaves_out(relation, dialect) else []
    named = inspect.relations_of(relation, dialect)
    if named and not (alone and len(named) == 1):
        found = session.connection.behind(named)
        told += [line for one in _reached(named, found, dialect) for line in _tell(one, dialect)]
    return tuple(dict.fromkeys(told))


def _reached(named: Sequence[str], found: Sequence[Behind], dialect: str) -> Iterator[Behind]:
    """Of what an engine knows, that which is read from the named relations on."""
    if any(one.definition is None for one in found):
        # It has followed the definitions itself.
        yield from found
        return
    known = {one.name: one for one in found}
    waiting = [name.rpartition(".")[2].strip('"') for name in named]
    while waiting:
        one = known.pop(waiting.pop(), None)
        if one is not None and one.definition is not None:
            yield one
            waiting.extend(inspect.read_by(one.definition, dialect))


def _tell(one: Behind, dialect: str) -> Iterator[str]:
    if one.hidden_from is not None:
        yield (
            f"row-level security is on for {one.name}: rows that its policies hide from "
            f"{one.hidden_from} are not diagnosed"
        )
    if one.foreign:
        yield f"{one.name} is a foreign table: its rows are elsewhere, outside of the snapshot"
    if one.definition is not None and inspect.view_leaves_out(one.definition, dialect):
        yield f"view {one.name} {_CUT}"
