"""What is diagnosed: a table, a view, a data file or a query, its columns and their roles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqldiag.errors import BadInput, nearest


@dataclass(frozen=True, slots=True)
class Column:
    """A column as the database names and types it."""

    name: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A relation with a ``path`` (schema, table) or a ``query``, narrowed by ``where``."""

    name: str
    columns: tuple[Column, ...]
    path: tuple[str, ...] = ()
    query: str | None = None
    where: str | None = None
    is_table: bool = False
    # What the reader of an answer should know about rows that were not seen.
    warnings: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether reading it runs nobody's code: a table without a condition."""
        return self.is_table and self.where is None

    def require(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names, each of which must be a column, exactly as the database spells it."""
        known = [column.name for column in self.columns]
        wanted = tuple(names)
        for name in wanted:
            if name not in known:
                raise BadInput(f"{self.name} has no column {name}{nearest(name, known)}")
        return wanted

    def in_order(self, names: Iterable[str]) -> tuple[str, ...]:
        wanted = set(names)
        return tuple(column.name for column in self.columns if column.name in wanted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """Who a column speaks about, and how; a column has one role."""

    quasi_identifiers: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    entity: str | None = None
    identifiers: tuple[str, ...] = ()
    excluded: tuple[str, ...] = field(default=())

    def check(self, relation: Relation) -> None:
        """Every named column exists and is named in one role only."""
        seen: dict[str, str] = {}
        for role, names in self._named():
            for name in relation.require(names):
                if seen.setdefault(name, role) != role:
                    raise BadInput(
                        f"column {name} is named both as {seen[name]} and as {role}; "
                        "a column has one role"
                    )

    def _named(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return (
            ("quasi-identifier", self.quasi_identifiers),
            ("sensitive", self.sensitive),
            ("entity", (self.entity,) if self.entity is not None else ()),
            ("identifier", self.identifiers),
            ("excluded", self.excluded),
        )
