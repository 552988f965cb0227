"""What the user's SQL and the definitions of views say of themselves, read but not run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from sqldiag.planner.source import parse_condition, parse_query, table_of
from sqldiag.relation import Relation

_CALL = re.compile(r'"?(\w+)"?\(')


def functions_of(relation: Relation, dialect: str) -> tuple[str, ...]:
    """The functions that the query and the condition call, in lower case."""
    called = {
        name.lower()
        for tree in _given(relation, dialect)
        for function in tree.find_all(exp.Func)
        if (name := _name(function, dialect))
    }
    return tuple(sorted(called))


def _name(function: exp.Func, dialect: str) -> str:
    if isinstance(function, exp.Anonymous):
        return str(function.name)
    # What the parser knows under a name of its own is called by the one it is written with.
    found = _CALL.match(function.sql(dialect))
    return found[1] if found else ""


def relations_of(relation: Relation, dialect: str) -> tuple[str, ...]:
    """The tables and views that are named, as SQL writes them."""
    named = [] if relation.query is not None else [table_of(relation, dialect)]
    trees = [*named, *_given(relation, dialect)]
    return tuple(dict.fromkeys(name for tree in trees for name in _tables(tree, dialect)))


def read_by(definition: str, dialect: str) -> tuple[str, ...]:
    """The bare names of what a view reads."""
    tree = _definition(definition, dialect)
    return () if tree is None else tuple(table.name for table in tree.find_all(exp.Table))


def leaves_out(relation: Relation, dialect: str) -> bool:
    """Whether the query itself has a LIMIT, an OFFSET or a sample."""
    return relation.query is not None and _cuts(parse_query(relation.query, dialect))


def view_leaves_out(definition: str, dialect: str) -> bool:
    tree = _definition(definition, dialect)
    return tree is not None and _cuts(tree)


def _given(relation: Relation, dialect: str) -> Iterator[exp.Expr]:
    if relation.query is not None:
        yield parse_query(relation.query, dialect)
    if relation.where is not None:
        yield parse_condition(relation.where, dialect)


def _tables(tree: exp.Expr, dialect: str) -> Iterator[str]:
    steps = {step.alias for step in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        if isinstance(table.this, exp.Identifier) and (table.db or table.name not in steps):
            bare = exp.Table(**{part: table.args.get(part) for part in ("this", "db", "catalog")})
            yield bare.sql(dialect)


def _definition(text: str, dialect: str) -> exp.Expr | None:
    """The query of a view; None where the parser cannot follow the database."""
    try:
        tree = parse_one(text, dialect=dialect)
    except (SqlglotError, RecursionError):
        return None
    query = tree.args.get("expression") if isinstance(tree, exp.Create) else tree
    return query if isinstance(query, exp.Expr) else None


def _cuts(tree: exp.Expr) -> bool:
    """Whether rows are left out on the way to the result. A LIMIT within a condition or a value,
    such as EXISTS (… LIMIT 1), leaves out none."""
    if isinstance(tree, exp.Subquery):
        return bool(tree.args.get("limit") or tree.args.get("sample")) or _cuts(tree.this)
    if isinstance(tree, exp.Table):
        return bool(tree.args.get("sample")) or any(tree.find_all(exp.TableSample))
    if not isinstance(tree, exp.Query):
        return False
    if any(tree.args.get(part) for part in ("limit", "offset", "sample")):
        return True
    with_ = tree.args.get("with_") or tree.args.get("with")
    sources = [step.this for step in with_.expressions] if with_ is not None else []
    if isinstance(tree, exp.SetOperation):
        sources += [tree.this, tree.expression]
    from_ = tree.args.get("from_") or tree.args.get("from")
    if from_ is not None:
        sources += [from_.this, *(join.this for join in tree.args.get("joins") or ())]
    return any(_cuts(source) for source in sources)
