"""The relation as a sqlglot tree, and the user's own SQL, parsed before it is let in."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from sqldiag.errors import BadInput
from sqldiag.relation import Relation

# What a query or a condition may not hold, wherever it stands in it.
_WRITES = (
    exp.Insert,
    exp.Update,
    exp.Delete,
    exp.Merge,
    exp.Create,
    exp.Drop,
    exp.Alter,
    exp.Command,
    exp.Copy,
    exp.Into,
    exp.Lock,
)


def parse_query(text: str, dialect: str) -> exp.Query:
    """``--query``: one SELECT, nothing that writes."""
    tree = _parse_one(text, dialect, option="--query")
    if not isinstance(tree, exp.Query):
        raise BadInput("--query must be a single SELECT")
    return tree


def parse_condition(text: str, dialect: str) -> exp.Expr:
    """``--where``: one expression, parsed by itself so that it cannot reach out of its place."""
    select = _parse_one(f"SELECT 1 WHERE {text}", dialect, option="--where")
    extra = [
        key for key, value in select.args.items() if value and key not in ("expressions", "where")
    ]
    where = select.args.get("where")
    if not isinstance(select, exp.Select) or extra or where is None:
        raise BadInput("--where must be a single condition, such as age >= 18")
    condition: exp.Expr = where.this
    return condition


def _parse_one(text: str, dialect: str, *, option: str) -> exp.Expr:
    try:
        trees = [tree for tree in parse(text, dialect=dialect) if tree is not None]
    except SqlglotError as error:
        detail = str(error).splitlines()[0] if str(error) else "it does not parse"
        raise BadInput(f"{option} cannot be read as SQL: {_without_colours(detail)}") from None
    if len(trees) != 1:
        raise BadInput(f"{option} must be a single piece of SQL, without ;")
    if any(trees[0].find_all(*_WRITES)):
        raise BadInput(f"{option} may only read; it must not write, lock or define anything")
    return trees[0]


def _without_colours(text: str) -> str:
    return text.replace("\x1b[4m", "").replace("\x1b[0m", "")


def table_of(relation: Relation, dialect: str) -> exp.Expr:
    """What stands behind FROM."""
    if relation.query is not None:
        return parse_query(relation.query, dialect).subquery("relation")
    names = [exp.to_identifier(name, quoted=True) for name in relation.path]
    return exp.Table(**dict(zip(("this", "db", "catalog"), reversed(names), strict=False)))


def project(relation: Relation, columns: Mapping[str, str], dialect: str) -> exp.Select:
    """The relation's rows under names of ours (``q1`` → ``age``), so that no name of a user's
    can be mistaken for one of ours."""
    select = exp.select(
        *(exp.column(name, quoted=True).as_(ours) for ours, name in columns.items())
    ).from_(table_of(relation, dialect))
    if relation.where is not None:
        select = select.where(parse_condition(relation.where, dialect), copy=False)
    return select


def probe_sql(relation: Relation, column: str, dialect: str) -> str:
    """A statement that fails, without reading a row, when a column cannot be grouped or ordered."""
    rows = project(relation, {"q1": column}, dialect).subquery("rows_")
    return exp.select("q1").from_(rows).group_by("q1").order_by("q1").limit(0).sql(dialect)


def describe_sql(relation_query: str, dialect: str) -> str:
    """A statement that has the columns of a query and reads none of its rows."""
    query = parse_query(relation_query, dialect).subquery("relation")
    return exp.select("*").from_(query).limit(0).sql(dialect)
