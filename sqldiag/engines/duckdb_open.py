"""DuckDB: how a database is opened, and what its errors say in sentences of ours."""

from __future__ import annotations

from pathlib import Path

import duckdb

from sqldiag.engines.base import failed_on_data
from sqldiag.engines.paths import is_database, reader_for
from sqldiag.errors import BadInput, Cancelled, CannotRun, SqldiagError
from sqldiag.limits import Limits

# Messages of these name objects or syntax; those of others may quote a value of a row.
_NAMES_ONLY = (
    duckdb.CatalogException,
    duckdb.BinderException,
    duckdb.ParserException,
    duckdb.PermissionException,
)
_SUGGESTIONS = ("Candidate bindings", "Did you mean")


def settings_for(limits: Limits) -> dict[str, str]:
    given = {"memory_limit": limits.memory_limit, "threads": limits.threads}
    return {name: str(value) for name, value in given.items() if value is not None}


def open_database(database: str, config: dict[str, str]) -> duckdb.DuckDBPyConnection:
    in_memory = database in ("", ":memory:")
    if not in_memory and not Path(database).is_file():
        raise BadInput(f"there is no file {database}")
    if reader_for(database) is not None and not is_database(database):
        raise BadInput(f"{database} is a data file; name it by its path alone, without a URL")
    # A name in a query is a table's, never that of a variable of ours.
    ours = {"python_enable_replacements": False}
    settings: dict[str, str | bool | int | float | list[str]] = {**config, **ours}
    try:
        return duckdb.connect(database or ":memory:", read_only=not in_memory, config=settings)
    except duckdb.IOException as error:
        if "lock" in str(error).lower():
            raise CannotRun(
                f"{database} is held open for writing by another process; close that first"
            ) from None
        if "not a valid" in str(error):
            raise BadInput(f"{database} is not a DuckDB database") from None
        raise CannotRun(f"cannot open {database}: {_without(config, error)}") from None
    except duckdb.ConnectionException:
        raise CannotRun(f"{database} is open in this process already; close that first") from None
    except duckdb.Error as error:
        raise CannotRun(f"cannot open {database}: {_without(config, error)}") from None


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]


def _without(config: dict[str, str], error: Exception) -> str:
    """What is wrong with a setting, without its value, which may be a secret."""
    line = _first_line(error)
    for value in filter(None, config.values()):
        line = line.replace(value, "…")
    return line


def sentence(error: Exception, sql: str) -> SqldiagError:
    if isinstance(error, duckdb.InterruptException):
        return Cancelled("cancelled", sql=sql)
    if isinstance(error, duckdb.OutOfMemoryException):
        return CannotRun("DuckDB ran out of memory; allow more with --memory-limit", sql=sql)
    if isinstance(error, _NAMES_ONLY) or "No files found" in _first_line(error):
        return BadInput(f"DuckDB refused the statement: {_with_names(error)}", sql=sql)
    kind = type(error).__name__.removesuffix("Exception")
    converting = isinstance(error, duckdb.ConversionException)
    return failed_on_data("DuckDB", f"{kind} error", converting=converting, sql=sql)


def _with_names(error: Exception) -> str:
    """The first line, and the second where it says which names there are."""
    lines = str(error).strip().splitlines()
    suggested = lines[1:2] if lines[1:2] and lines[1].startswith(_SUGGESTIONS) else []
    return " ".join([lines[0], *suggested])
