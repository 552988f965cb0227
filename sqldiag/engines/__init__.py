"""From a source that a user names to a connection; drivers are imported only when needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqldiag.engines.base import Connection, Listener
from sqldiag.engines.paths import at_home, is_database, is_path, reader_for
from sqldiag.engines.store import Store
from sqldiag.errors import BadInput, nearest
from sqldiag.limits import Limits

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")

_PLAIN_DUCKDB = re.compile(r"(?i:duckdb):///([^?%#]*)")

# Scheme → what a URL of it looks like.
SCHEMES: Mapping[str, str] = {
    "duckdb": "duckdb:///file.duckdb",
    "postgresql": "postgresql://user@host/database",
}
_ALIASES = {"postgres": "postgresql"}


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection, and the relation's name where the source itself is the relation."""

    connection: Connection
    table: str | None = None


def open_store(url: str) -> Store:
    """A database of ours to write: a DuckDB file, made if need be, or one of Postgres."""
    match = _SCHEME.match(url)
    scheme = _scheme(match)
    if scheme == "postgresql" and match is not None:
        from sqldiag.engines.postgres_store import PostgresStore

        return PostgresStore("postgresql://" + url[match.end() :])
    if plain := _PLAIN_DUCKDB.fullmatch(url):
        url = plain[1]
    if (match is None or plain) and url and reader_for(url) is None and url != ":memory:":
        from sqldiag.engines.duckdb_store import DuckDBStore

        return DuckDBStore(url)
    raise BadInput(
        "a history is kept in a DuckDB file (duckdb:///history.duckdb) or in Postgres "
        "(postgresql://user@host/database)"
    )


def schedules_jobs(url: str) -> bool:
    """Whether jobs can be installed in what a URL leads to."""
    return _scheme(_SCHEME.match(url)) == "postgresql"


def file_of(url: str) -> Path | None:
    """The database file that a URL names, if it does."""
    if plain := _PLAIN_DUCKDB.fullmatch(url):
        url = plain[1]
    return None if "://" in url or not url else Path(at_home(url)).resolve()


def located(source: str, folder: Path) -> str:
    """The source with the path of a file taken from a folder, unless it says where it is."""
    match = _SCHEME.match(source)
    plain = _PLAIN_DUCKDB.fullmatch(source)
    if match is not None and plain is None:
        return source
    path = plain[1] if plain else source
    if not path or path == ":memory:" or path.startswith(("/", "~")):
        return source
    return f"duckdb:///{folder / path}" if plain else str(folder / path)


def _scheme(match: re.Match[str] | None) -> str:
    scheme = match[1].lower().partition("+")[0] if match else ""
    return _ALIASES.get(scheme, scheme)


def looks_like_source(text: str) -> bool:
    """Whether a lone argument is a source rather than a table."""
    return _SCHEME.match(text) is not None or is_path(text)


def open_source(
    source: str, *, limits: Limits | None = None, listener: Listener | None = None
) -> Opened:
    """Connect to a URL, a DuckDB file or a data file."""
    if not source:
        raise BadInput("the source is empty; name a URL, a DuckDB file or a data file")
    limits = limits or Limits()
    match = _SCHEME.match(source)
    if match is None and "://" in source:
        # Not taken for a path, whose message would show it, and with it a password.
        raise BadInput(f"the URL cannot be read; write {' or '.join(SCHEMES.values())}")
    if match is None:
        return _open_path(source, limits, listener)
    scheme = _scheme(match)
    if scheme == "postgresql":
        from sqldiag.engines.postgres import Postgres

        url = "postgresql://" + source[match.end() :]
        return Opened(Postgres(url, limits=limits, listener=listener))
    if scheme == "duckdb":
        return _open_duckdb_url(source, limits, listener)
    raise BadInput(
        f"there is no engine for {match[1]}:// URLs{nearest(scheme, SCHEMES)} "
        f"(try {' or '.join(SCHEMES.values())})"
    )


def _open_duckdb_url(source: str, limits: Limits, listener: Listener | None) -> Opened:
    if plain := _PLAIN_DUCKDB.fullmatch(source):
        # Most URLs are no more than a path, and reading those takes no library.
        from sqldiag.engines.duckdb import DuckDB

        return Opened(DuckDB(plain[1], limits=limits, listener=listener))
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    from sqldiag.engines.duckdb import DuckDB

    try:
        url = make_url(source)
    except (ArgumentError, ValueError):
        raise BadInput("the URL cannot be read; write duckdb:///file.duckdb") from None
    if url.host:
        raise BadInput(
            f"a DuckDB URL has three slashes before a relative path: duckdb:///{url.host}"
        )
    config = {name: str(value) for name, value in url.query.items()}
    return Opened(DuckDB(url.database or "", config=config, limits=limits, listener=listener))


def _open_path(path: str, limits: Limits, listener: Listener | None) -> Opened:
    from sqldiag.engines.duckdb import DuckDB

    path = at_home(path)
    if is_database(path) or (reader_for(path) is None and path != ":memory:"):
        return Opened(DuckDB(path, limits=limits, listener=listener))
    connection = DuckDB("", limits=limits, listener=listener)
    if path == ":memory:":
        return Opened(connection)
    try:
        return Opened(connection, connection.mount_file(path))
    except BaseException:
        connection.close()
        raise
