"""From a TOML file to a ``Policy``; every complaint names the line and the key."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from sqldiag.errors import BadInput, nearest
from sqldiag.policy import keys as k
from sqldiag.policy.keys import Key
from sqldiag.policy.lines import find_lines
from sqldiag.policy.model import Policy, Search, TablePolicy

DEFAULT_FILE = Path("sqldiag.toml")
_PASSWORD = re.compile(r"[?&]password=[^&]", re.IGNORECASE)
Value = Mapping[str, object]


class _File:
    """The text, and where its keys stand."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.lines = path, find_lines(text)

    def at(self, path: tuple[str | int, ...]) -> int | None:
        """The line of a key, or of what it would stand in."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)

    def fail(self, path: tuple[str | int, ...], complaint: str) -> BadInput:
        line = self.at(path)
        place = f"{self.path.name}, line {line}" if line else self.path.name
        shown = _shown(path)
        return BadInput(f"{place}: {shown}{': ' if shown else ''}{complaint}")


def read_policy(path: Path) -> Policy:
    try:
        text = path.read_text(encoding="utf-8")
        body = tomllib.loads(text)
    except FileNotFoundError:
        raise BadInput(
            f"there is no policy {path}; `sqldiag init URL` writes a first one"
        ) from None
    except OSError as error:
        raise BadInput(f"the policy {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path.name} is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path.name} is not TOML: {error}") from None
    file = _File(path, text)
    _check_table(file, (), body, k.KEYS)
    return _policy(file, body)


def _check_table(
    file: _File, path: tuple[str | int, ...], body: Value, declared: Sequence[Key]
) -> None:
    known = {key.name: key for key in declared}
    for name, value in body.items():
        if name not in known:
            raise file.fail((*path, name), f"there is no such key{nearest(name, known)}")
        _check(file, (*path, name), value, known[name])
    for key in declared:
        if key.required and key.name not in body:
            raise file.fail(path, f"{key.name} is missing ({key.kind}: {key.says})")


def _check(file: _File, path: tuple[str | int, ...], value: object, key: Key) -> None:
    if not _fits(value, key.kind):
        raise file.fail(path, f"must be {key.kind}")
    if key.required and not value:
        raise file.fail(path, "is empty")
    if key.kind == k.TABLES:
        for number, table in enumerate(cast("list[Value]", value)):
            _check_table(file, (*path, number), table, key.keys)
    elif key.kind == k.TABLE:
        _check_table(file, path, cast("Value", value), key.keys)
    if key.choices and value not in key.choices:
        raise file.fail(path, f"must be {' or '.join(key.choices)}")
    if key.check is not None:
        for one in value if isinstance(value, list) else [value]:
            try:
                key.check(str(one))
            except BadInput as error:
                raise file.fail(path, error.sentence) from None


def _fits(value: object, kind: str) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind == k.WHOLE:
        return number and isinstance(value, int) and value > 0
    if kind == k.NUMBER:
        return number and isinstance(value, int | float) and value > 0
    if kind in (k.LIST, k.TABLES):
        wanted = str if kind == k.LIST else dict
        return isinstance(value, list) and all(isinstance(one, wanted) for one in value)
    if kind == k.NAMES:
        return isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
    if kind == k.SHARE:
        return number or isinstance(value, str)
    return isinstance(value, {k.TEXT: str, k.FLAG: bool, k.TABLE: dict}[kind])


def _policy(file: _File, body: Value) -> Policy:
    connections = cast("dict[str, str]", body["connections"])
    entries = cast("list[Value]", body["tables"])
    history = cast("dict[str, str]", body.get("history", {}))
    jobs = cast("dict[str, str]", body.get("jobs", {}))
    for number, entry in enumerate(entries):
        _check_entry(file, number, entry, connections, kept=bool(history))
    names = _entry_names([{"connection": next(iter(connections)), **entry} for entry in entries])
    for name, count in Counter(names).items():
        if count > 1:
            number = len(names) - 1 - names[::-1].index(name)
            raise file.fail(("tables", number, "name"), f"two tables are called {name}")
    schemas = {place["schema"] for place in (history, jobs) if "schema" in place}
    if len(schemas) > 1:
        raise file.fail(
            ("jobs", "schema"), "history and jobs share one schema; name it once, or the same twice"
        )
    return Policy(
        path=file.path.absolute(),
        name=str(body.get("name", file.path.stem)),
        connections=connections,
        tables=tuple(
            _table(entry, name, connections) for entry, name in zip(entries, names, strict=True)
        ),
        history=history.get("url"),
        schema=next(iter(schemas), "sqldiag"),
        schedule=jobs.get("schedule"),
        on_failure=cast("str | None", body.get("on_failure")),
        digest=digest(entries),
        warnings=tuple(_passwords(file, connections, history)),
    )


def digest(value: object) -> str:
    """A short fingerprint of plain values."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _check_entry(
    file: _File, number: int, entry: Value, connections: Mapping[str, str], *, kept: bool
) -> None:
    path = ("tables", number)
    name = entry.get("connection")
    if name is None and len(connections) != 1:
        raise file.fail(path, f"connection is missing; there are: {', '.join(connections)}")
    if name is not None and name not in connections:
        message = f"there is no connection {name}{nearest(str(name), connections)}"
        raise file.fail((*path, "connection"), message)
    if "table" in entry and "query" in entry:
        raise file.fail((*path, "query"), "name a table or a query, not both")
    if "max_drop" in entry and not kept:
        raise file.fail((*path, "max_drop"), "a drop is seen in a history; add [history] with url")
    roles: dict[str, str] = {}
    for role in ("quasi_identifiers", "sensitive", "identifiers", "entity"):
        value = entry.get(role, [])
        for column in [value] if isinstance(value, str) else cast("list[str]", value):
            if roles.setdefault(column, role) != role:
                message = f"column {column} is named in {roles[column]} too; a column has one role"
                raise file.fail((*path, role), message)


def _entry_names(entries: Sequence[Value]) -> list[str]:
    """The names given; else the table, with its connection or a number where that is not enough."""
    tables = [
        str(entry.get("table") or ("query" if "query" in entry else entry["connection"]))
        for entry in entries
    ]
    owners: dict[str, set[object]] = {}
    for table, entry in zip(tables, entries, strict=True):
        owners.setdefault(table, set()).add(entry.get("connection"))
    seen: Counter[str] = Counter()
    names = []
    for table, entry in zip(tables, entries, strict=True):
        if "name" in entry:
            names.append(str(entry["name"]))
            continue
        name = table if len(owners[table]) == 1 else f"{entry['connection']}:{table}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return names


def _table(entry: Value, name: str, connections: Mapping[str, str]) -> TablePolicy:
    values = _frozen(entry)
    if isinstance(searched := entry.get("borders"), dict):
        values["borders"] = Search(**_frozen(searched))
    defaults = {"connection": next(iter(connections)), "table": None}
    return TablePolicy(**{**defaults, **values, "name": name})


def _frozen(body: Value) -> dict[str, Any]:
    """Lists as tuples, and shares as the texts that were written."""
    return {
        key: tuple(value)
        if isinstance(value, list)
        else str(value)
        if key in ("suppress", "max_drop")
        else value
        for key, value in body.items()
    }


def _passwords(
    file: _File, connections: Mapping[str, str], history: Mapping[str, str]
) -> list[str]:
    places = {("connections", name): url for name, url in connections.items()}
    if "url" in history:
        places["history", "url"] = history["url"]
    return [
        f"{file.path.name}, line {file.at(path)}: {_shown(path)} holds a password; "
        "put the URL into an environment variable and write env:NAME"
        for path, url in places.items()
        if has_password(url)
    ]


def has_password(url: str) -> bool:
    try:
        return bool(urlsplit(url).password) or _PASSWORD.search(url) is not None
    except ValueError:
        return "@" in url


def _shown(path: tuple[str | int, ...]) -> str:
    """``connections.prod``; of the second table, ``tables[2].require``."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text
