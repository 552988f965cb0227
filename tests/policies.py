"""Policies and databases for tests of what runs again and again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqldiag.engines import open_store
from sqldiag.history import History, Record
from tests.command import sqldiag
from tests.databases import Database

COLUMNS = ("age", "sex", "zip", "diagnosis", "patient_id")
REQUIRED = ["k >= 5", "distinct_l(diagnosis) >= 2"]


def patients(group: int = 8) -> list[tuple[object, ...]]:
    """Three groups: two of `group` people, one of twelve; two diagnoses in each."""
    sizes = {20: group, 30: group, 40: 12}
    rows: list[tuple[object, ...]] = []
    for age, size in sizes.items():
        for i in range(size):
            rows.append((age, "f", "1000", "flu" if i % 2 else "cold", len(rows)))
    return rows


def text(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)} = {text(v)}" for k, v in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def write(
    path: Path, connections: dict[str, str], *tables: Mapping[str, object], **top: object
) -> Path:
    """A policy file; `top` are keys beside connections and tables."""
    lines = [f"{_key(name)} = {text(value)}" for name, value in top.items()]
    lines.append("[connections]")
    lines += [f"{_key(name)} = {text(url)}" for name, url in connections.items()]
    for table in tables:
        lines.append("[[tables]]")
        lines += [f"{_key(name)} = {text(value)}" for name, value in table.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def entry(table: str = "patients", **more: object) -> dict[str, object]:
    return {
        "table": table,
        "quasi_identifiers": ["age", "sex", "zip"],
        "require": REQUIRED,
        **more,
    }


def run_json(*arguments: str | Path) -> tuple[int, dict[str, Any]]:
    ran = sqldiag("run", *arguments, "--format", "json")
    assert ran.out, ran
    return ran.code, json.loads(ran.out)


def records(url: str) -> list[Record]:
    """All that a history holds, oldest first."""
    return History(open_store(url), "sqldiag").records()


def job_policy(db: Database, folder: Path, *tables: dict[str, object], **top: object) -> Path:
    """A policy whose history is where its jobs are."""
    top = {"history": {"url": db.url}, **top}
    return write(folder / "p.toml", {"prod": db.url}, *(tables or (entry(),)), **top)
