"""A first policy for a database: what it declares, what names suggest, and comments on both."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sqldiag.api import Database, Table
from sqldiag.engines import file_of
from sqldiag.errors import BadInput, SqldiagError
from sqldiag.policy.read import has_password
from sqldiag.relation import Column
from sqldiag.running.scans import Roles

_MOST_TABLES = 200
_MOST_COLUMNS = 4
_VARIABLE = "SQLDIAG_URL"

# Parts of names, and what columns of such names usually are. A guess, and said to be one.
_GUESSES = {
    "entity": "patient_id person_id customer_id user_id member_id client_id",
    "identifier": "name firstname lastname surname email mail phone mobile fax ssn passport iban "
    "address street ip url login username id uuid guid",
    "sensitive": "diagnosis disease illness condition treatment medication salary income wage "
    "religion party orientation conviction debt score",
    "quasi-identifier": "age sex gender zip zipcode postcode postal plz city town region county "
    "country state birth birthdate birthday dob nationality race ethnicity marital status "
    "education degree occupation job profession ward department employer height weight admission",
}
_HEAD = """\
# A first policy, written by `sqldiag init`. Read it, change it, keep it with your code.
# `sqldiag run` checks every table below; docs/policy.md explains each key.

[connections]
{connection}

# Keep every run, to see drift with `sqldiag history`:
# [history]
# url = "duckdb:///sqldiag-history.duckdb"
"""


def first_policy(
    database: Database, url: str, *, folder: Path, scans: Mapping[str, Roles] | None = None
) -> str:
    """The text of the file, which will stand in ``folder``; ``scans`` are roles by table."""
    names: Sequence[str | None] = database.table_names()[:_MOST_TABLES]
    parts = [_HEAD.format(connection=_connection(url, folder))]
    scanned = _scanned(database, scans or {})
    for name in names or [None]:
        try:
            parts.append(_table(database, name, scanned))
        except SqldiagError as error:
            parts.append(f"# {name or 'The source'} is left out: {_comment(error.sentence)}\n")
    return "\n".join(parts)


def _connection(url: str, folder: Path) -> str:
    if has_password(url) or url == os.environ.get(_VARIABLE):
        secret = "# The URL is secret, so the file names the variable that holds it."
        return f'{secret}\nmain = "env:{_VARIABLE}"'
    file = file_of(url)
    if file is None:
        return f"main = {_quoted(url)}"
    # A path that was given from here is written from where the policy stands.
    absolute = url.removeprefix("duckdb:///").startswith(("/", "~"))
    near = file.is_relative_to(folder.resolve()) or not absolute
    path = os.path.relpath(file, folder.resolve()) if near else str(file)
    return f"main = {_quoted(f'duckdb:///{path}' if url.startswith('duckdb:') else path)}"


def _scanned(database: Database, scans: Mapping[str, Roles]) -> dict[tuple[str, ...], Roles]:
    """The same by where a table is: whoever scanned it may have written its name in another way."""
    found = {}
    for name, roles in scans.items():
        with contextlib.suppress(SqldiagError):
            found[_place(database.table(name))] = roles
    if scans and not found:
        told = ", ".join(list(scans)[:3])
        raise BadInput(f"the scan is of {told}, and there is no such table in this source")
    return found


def _place(table: Table) -> tuple[str, ...]:
    return table.relation.path or (table.relation.name,)


def _table(database: Database, name: str | None, scanned: Mapping[tuple[str, ...], Roles]) -> str:
    table = database.table(name)
    if not table.has_rows():
        return f"# {_comment(table.relation.name)} is left out: it has no rows.\n"
    declared = table.declared_roles()
    scan = scanned.get(_place(table))
    columns = [column for column in table.relation.columns if table.groups(column.name)]
    roles = _roles(columns, declared, scan)
    known = roles["quasi-identifier"]
    if not known:
        why = "is a quasi-identifier" if columns else "can be grouped"
        return f"# {_comment(table.relation.name)} is left out: no column of it {why}.\n"
    lines = ["[[tables]]"]
    if name is not None:
        lines.append(f"table = {_quoted(name)}")
    lines += [f"# Roles, {_origin(declared, scan)}.", f"quasi_identifiers = {_list(known)}"]
    if roles["sensitive"]:
        lines.append(f"sensitive = {_list(roles['sensitive'])}")
    if roles["entity"]:
        lines.append(f"entity = {_quoted(roles['entity'][0])}")
    if roles["identifier"]:
        lines.append(f"identifiers = {_list(roles['identifier'])}")
    lines += [
        "# What must hold: groups of at least five, with up to 1% of the rows suppressed.",
        'require = ["k >= 5"]',
        'suppress = "1%"',
        '# Reported only; "fail" makes `sqldiag run` end with exit code 1.',
        'severity = "warn"',
    ]
    return "\n".join(lines) + "\n"


def _origin(declared: Roles, scan: Roles | None) -> str:
    """Where the roles of a table come from."""
    if scan is not None and set(scan) - set(declared):
        first = "as the database declares, and else " if declared else ""
        return f"{first}as the scan suggests: check them"
    return "as the database declares" if declared else "guessed from their names: check them"


def _roles(columns: Sequence[Column], declared: Roles, scan: Roles | None) -> dict[str, list[str]]:
    """Role → columns, of those that a database can group; someone must be known by something."""
    roles: dict[str, list[str]] = {
        role: [] for role in ("quasi-identifier", "sensitive", "entity", "identifier", "none")
    }
    free = []
    for column in columns:
        role = declared.get(column.name)
        if role is None and scan is not None:
            role = scan.get(column.name)
        elif not declared:
            role = _guess(column)
        if role == "entity" and roles["entity"]:
            role = "identifier"
        if role is None:
            free.append(column.name)
        else:
            roles[role].append(column.name)
    if not roles["quasi-identifier"]:
        roles["quasi-identifier"] = free[:_MOST_COLUMNS]
    return roles


def _guess(column: Column) -> str | None:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", column.name).lower()
    words = set(re.split(r"[^a-z]+", spaced))
    for role, listed in _GUESSES.items():
        names = listed.split()
        if spaced in names or words & set(names):
            return role
    return None


def _list(names: Iterable[str]) -> str:
    return f"[{', '.join(map(_quoted, names))}]"


def _quoted(text: str) -> str:
    """A TOML string: JSON's escapes are among TOML's, but for what lies beyond 16 bits."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
