"""Privacy diagnosis inside the database: is the data anonymous, is it diverse, what must go?"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqldiag.api import Database, Table, connect
    from sqldiag.errors import BadInput, CannotRun, SqldiagError

__version__ = "0.1.0"
__all__ = ["BadInput", "CannotRun", "Database", "SqldiagError", "Table", "__version__", "connect"]

_HOMES = {
    "connect": "sqldiag.api",
    "Database": "sqldiag.api",
    "Table": "sqldiag.api",
    "SqldiagError": "sqldiag.errors",
    "BadInput": "sqldiag.errors",
    "CannotRun": "sqldiag.errors",
}


def __getattr__(name: str) -> object:
    # Loaded on first use: `sqldiag --version` should not wait for drivers.
    if name not in _HOMES:
        raise AttributeError(f"module 'sqldiag' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
