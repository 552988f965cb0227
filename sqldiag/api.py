"""The Python API: ``connect(url).table("patients").check(qi=["age"], require=["k >= 5"])``."""

from __future__ import annotations

from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Self, Unpack, cast

from sqldiag.engines import Opened, open_source
from sqldiag.engines.base import Listener
from sqldiag.errors import BadInput
from sqldiag.hidden import refuse_side_effects, warnings
from sqldiag.limits import LimitOptions, Limits
from sqldiag.planner.source import describe_sql, parse_condition
from sqldiag.relation import Relation
from sqldiag.session import Session
from sqldiag.table import Table as Table

if TYPE_CHECKING:
    from sqlalchemy.engine import URL, Engine

    from sqldiag.scanned import SchemaScan


def connect(
    source: str | URL | Engine,
    *,
    listener: Listener | None = None,
    **limits: Unpack[LimitOptions],
) -> Database:
    """Open a URL, a DuckDB file or a data file; a SQLAlchemy engine or URL will do as well.

    Everything asked of one ``Database`` sees one snapshot, until it is closed.
    """
    return Database(open_source(_text(source), limits=Limits(**limits), listener=listener))


def _text(source: str | URL | Engine) -> str:
    if isinstance(source, str):
        return source
    url = cast("URL", getattr(source, "url", source))
    return url.render_as_string(hide_password=False)


class Database:
    """An open source: one connection, one snapshot."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self.session = Session(opened.connection)

    def table(self, name: str | None = None, *, where: str | None = None) -> Table:
        """A table or view, by its name or ``schema.table``; a data file needs no name."""
        name = name or self._opened.table
        if name is None:
            tables = ", ".join(self.session.connection.table_names()[:12]) or "none"
            raise BadInput(f"name the table to diagnose; there are: {tables}")
        found = self.session.connection.find(name)
        relation = Relation(
            name=name,
            columns=found.columns,
            path=found.path,
            where=where,
            is_table=found.plain,
        )
        return self._asked(relation, alone=found.alone)

    def table_names(self) -> list[str]:
        """The tables and views there are; none where the source is a file."""
        return [] if self._opened.table else self.session.connection.table_names()

    def query(self, sql: str, *, where: str | None = None) -> Table:
        """Whatever a SELECT gives."""
        refuse_side_effects(self.session, Relation(name="query", columns=(), query=sql))
        columns = self.session.connection.describe(describe_sql(sql, self.session.dialect))
        names = [column.name for column in columns]
        if len(set(names)) < len(names):
            raise BadInput("--query has two columns of one name; give each a name of its own")
        relation = Relation(name="query", columns=columns, query=sql, where=where)
        return self._asked(relation, alone=False)

    def _asked(self, relation: Relation, *, alone: bool) -> Table:
        if relation.where is not None:
            parse_condition(relation.where, self.session.dialect)
            refuse_side_effects(self.session, relation)
        hidden = warnings(self.session, relation, alone=alone)
        return Table(self.session, replace(relation, warnings=hidden))

    @property
    def needs_table(self) -> bool:
        """Whether the source holds tables to choose from, rather than being one."""
        return self._opened.table is None

    def scan(
        self,
        schema: str | None = None,
        *,
        population: str | float | None = None,
        origin: tuple[str, ...] = ("SRC",),
    ) -> SchemaScan:
        """What the tables of a schema probably hold, riskiest first."""
        from sqldiag.scanning.ask import ScanAsk, number
        from sqldiag.scanning.schema import scan_schema

        people = None if population is None else number(population, option="--population")
        return scan_schema(self.session, schema, ScanAsk(people=people), origin)

    def close(self) -> None:
        self.session.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
