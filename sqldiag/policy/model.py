"""A policy as it was read: frozen, complete, and with nothing looked up yet."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from sqldiag.engines import located
from sqldiag.errors import BadInput, nearest


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A ``borders`` search beside the check: what is required of sets, and its budget."""

    require: tuple[str, ...] = ()
    among: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    suppress: str | None = None
    max_size: int | None = None
    max_sets: int | None = None
    max_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePolicy:
    """What must hold for one table. A role is None where the policy is silent about it, so that
    the database may declare it."""

    name: str
    connection: str
    table: str | None
    query: str | None = None
    where: str | None = None
    require: tuple[str, ...] = ()
    quasi_identifiers: tuple[str, ...] | None = None
    sensitive: tuple[str, ...] | None = None
    entity: str | None = None
    identifiers: tuple[str, ...] | None = None
    strict_sensitive: bool = False
    suppress: str | None = None
    severity: str = "fail"
    owner: str | None = None
    description: str | None = None
    max_drop: str | None = None
    schedule: str | None = None
    borders: Search | None = None

    @property
    def shown(self) -> str:
        """The table; of a data file, which has none, its connection."""
        return self.table or ("query" if self.query is not None else self.connection)

    @property
    def named(self) -> tuple[str, ...]:
        """Every column that the policy gives a role."""
        entity = (self.entity,) if self.entity else ()
        lists = (self.quasi_identifiers, self.sensitive, self.identifiers)
        return (*(name for names in lists for name in names or ()), *entity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A whole file; ``digest`` changes with what is required, and with nothing else."""

    path: Path
    name: str
    # Name → URL or env:NAME, as written: a URL may hold a password.
    connections: dict[str, str] = field(repr=False)
    tables: tuple[TablePolicy, ...]
    history: str | None = field(default=None, repr=False)
    schema: str = "sqldiag"
    schedule: str | None = None
    on_failure: str | None = None
    digest: str = ""
    warnings: tuple[str, ...] = ()

    def url(self, name: str) -> str:
        return self.resolve(self.connections[name], what=f"connection {name}")

    def resolve(self, source: str, *, what: str) -> str:
        """The URL behind ``env:NAME``; paths of files are taken from where the policy stands."""
        if source.startswith("env:"):
            variable = source.removeprefix("env:")
            source = os.environ.get(variable, "")
            if not source:
                raise BadInput(f"{what}: the environment variable {variable} is not set")
        return located(source, self.path.parent)

    def only(self, names: tuple[str, ...]) -> tuple[TablePolicy, ...]:
        """The tables of these names; all of them without any."""
        if not names:
            return self.tables
        known = [known for table in self.tables for known in (table.name, table.shown)]
        for name in names:
            if name not in known:
                raise BadInput(f"{self.path.name} says nothing of {name}{nearest(name, known)}")
        return tuple(t for t in self.tables if t.name in names or t.shown in names)
