"""The relation as a sqlglot tree, and the user's own SQL, parsed before it is let in."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp, parse
from sqlglot.errors import ErrorLevel, ParseError, SqlglotError

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

_CONDITION = "SELECT 1 WHERE "


def parse_query(text: str, dialect: str) -> exp.Query:
    """``--query``: one SELECT, nothing that writes."""
    tree = _parse_one(text, dialect, option="--query")
    if not isinstance(tree, exp.Query):
        raise BadInput("--query must be a single SELECT")
    return tree


def parse_condition(text: str, dialect: str) -> exp.Expr:
    """``--where``: one expression, parsed by itself so that it cannot reach out of its place."""
    if not text.strip():
        raise BadInput("--where is empty; write a condition, such as age >= 18")
    select = _parse_one(f"{_CONDITION}{text}", dialect, option="--where")
    extra = [
        key for key, value in select.args.items() if value and key not in ("expressions", "where")
    ]
    where = select.args.get("where")
    if not isinstance(select, exp.Select) or extra or where is None:
        raise BadInput("--where must be a single condition, such as age >= 18")
    condition: exp.Expr = where.this
    return condition


def _parse_one(text: str, dialect: str, *, option: str) -> exp.Expr:
    trees = _read(text, dialect, option=option)
    if len(trees) != 1:
        raise BadInput(f"{option} must be a single piece of SQL, without ;")
    if any(trees[0].find_all(*_WRITES)):
        raise BadInput(f"{option} may only read; it must not write, lock or define anything")
    if isinstance(trees[0], exp.Query):
        # What cannot be read again in its place would ask another question.
        _read(f"SELECT * FROM ({trees[0].sql(dialect)}) AS relation", dialect, option=option)
    return trees[0]


def _read(text: str, dialect: str, *, option: str) -> list[exp.Expr]:
    try:
        trees = [tree for tree in parse(text, dialect=dialect) if tree is not None]
        for tree in trees:
            # What cannot be written as it was read would ask another question.
            tree.sql(dialect, unsupported_level=ErrorLevel.RAISE)
    except ParseError as error:
        raise BadInput(f"{option} cannot be read as SQL{_place(error)}") from None
    except SqlglotError as error:
        raise BadInput(f"{option} cannot be read as SQL: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise BadInput(f"{option} is nested too deeply") from None
    return trees


def _place(error: ParseError) -> str:
    """What stands around the mistake; the parser's own words speak of its classes."""
    found = error.errors[0] if error.errors else {}
    before, at = str(found.get("start_context") or ""), str(found.get("highlight") or "")
    before = before.removeprefix(_CONDITION)
    return f"; look at …{before[-40:]}▸{at}" if before or at else ""


def table_of(relation: Relation, dialect: str) -> exp.Expr:
    """What stands behind FROM."""
    if relation.query is not None:
        return parse_query(relation.query, dialect).subquery("relation")
    names = [exp.to_identifier(name, quoted=True) for name in relation.path]
    return exp.Table(**dict(zip(("this", "db", "catalog"), reversed(names), strict=False)))


def project(relation: Relation, columns: Mapping[str, str], dialect: str) -> exp.Select:
    """The relation's rows under names of ours (``q1`` → ``age``), so that no name of a user's
    can be mistaken for one of ours."""
    source = table_of(relation, dialect)
    if relation.where is not None:
        # By itself: DuckDB takes a name in a condition for an alias where no column bears it.
        own = exp.select(*(exp.column(name, quoted=True) for name in columns.values()))
        condition = parse_condition(relation.where, dialect)
        source = own.from_(source).where(condition, copy=False).subquery("matching")
    return exp.select(
        *(exp.column(name, quoted=True).as_(ours) for ours, name in columns.items())
    ).from_(source)


def probe_sql(relation: Relation, column: str, dialect: str) -> str:
    """A statement that fails, without reading a row, when a column cannot be grouped or ordered."""
    rows = project(relation, {"q1": column}, dialect).subquery("rows_")
    return exp.select("q1").from_(rows).group_by("q1").order_by("q1").limit(0).sql(dialect)


def any_row_sql(relation: Relation, dialect: str) -> str:
    """A statement that gives a row of ours where the relation has any."""
    return exp.select("1").from_(table_of(relation, dialect)).limit(1).sql(dialect)


def describe_sql(relation_query: str, dialect: str) -> str:
    """A statement that has the columns of a query and reads none of its rows."""
    query = parse_query(relation_query, dialect).subquery("relation")
    return exp.select("*").from_(query).limit(0).sql(dialect)


def columns_sql(relation: Relation, dialect: str) -> str:
    """A statement that has the columns of a relation, whatever its condition, and no rows."""
    names = (exp.column(column.name, quoted=True) for column in relation.columns)
    return exp.select(*names).from_(table_of(relation, dialect)).limit(0).sql(dialect)
