"""Roles that a scan found, from the JSON that `sqldiag scan` printed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqldiag.errors import BadInput

_ROLES = ("identifier", "quasi-identifier", "sensitive", "entity", "none")
_VERSION = 1

# Column → role.
Roles = Mapping[str, str]


def read_scan(path: Path) -> dict[str, Roles]:
    """Table → the roles of its columns, of one table or of a schema."""
    body = _object(path)
    if body.get("command") != "scan":
        raise BadInput(f"--scan {path}: {_HOW}")
    if body.get("schema") != _VERSION:
        raise BadInput(f"--scan {path} was written by another version of sqldiag; scan again")
    try:
        tables = body.get("tables", [body])
        found = {_text(one["source"]["relation"]): _roles(one["columns"]) for one in tables}
    except (KeyError, TypeError, ValueError):
        raise BadInput(f"--scan {path} is not as sqldiag wrote it; scan again") from None
    if not found:
        raise BadInput(f"--scan {path} tells of no table")
    return found


_HOW = "this is not what `sqldiag scan --format json` prints"


def _object(path: Path) -> dict[str, Any]:
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"--scan {path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise BadInput(f"--scan {path}: {_HOW}") from None
    if not isinstance(body, dict):
        raise BadInput(f"--scan {path}: {_HOW}")
    return body


def _roles(columns: list[dict[str, Any]]) -> Roles:
    return {_text(column["name"]): _role(column) for column in columns}


def _role(column: dict[str, Any]) -> str:
    """A key of people who have several rows says whom a row is about."""
    role = _text(column["role"])
    if role not in _ROLES:
        raise ValueError(role)
    return "entity" if role == "identifier" and column["repeats_per_person"] is True else role


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
