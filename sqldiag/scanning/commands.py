"""The commands to run next, filled in, for a shell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from sqldiag.names import join_list
from sqldiag.scan.roles import Role
from sqldiag.scanned import ENTITY, ColumnScan

_REQUIRED = "k >= 5"
# Of more columns, all sets are too many to begin with.
_ALL_SETS = 10
_AT_ONCE = 3
# What a shell looks at within double quotes.
_LIVE = re.compile(r'["$`\\!\n]')


def next_commands(
    columns: Sequence[ColumnScan], members: Sequence[str], origin: Sequence[str]
) -> tuple[str, ...]:
    """Does everybody have company? What would it cost? Which columns go together?"""
    if not members:
        return (written("scan", *origin, "--qi", "COLUMN,COLUMN"),)
    entity = _entity(columns, members)
    person = ("--entity", entity) if entity is not None else ()
    taken = {*members, entity}
    sensitive = [c.name for c in columns if c.role == Role.SENSITIVE and c.name not in taken]
    known = ("--qi", join_list(members), *person)
    found = [written("check", *origin, *known, "--require", _REQUIRED, "--suppress", "1%")]
    if sensitive:
        found.append(written("measure", *origin, *known, "--sensitive", join_list(sensitive)))
    few = ("--max-size", str(_AT_ONCE)) if len(members) > _ALL_SETS else ()
    if len(members) > 1:
        among = ("--among", join_list(members), *person, *few)
        found.append(written("borders", *origin, *among, "--require", _REQUIRED))
    return tuple(found)


def written(*words: str) -> str:
    """A command that a shell takes apart into these words again."""
    return " ".join(["sqldiag", *map(_word, words)])


def _word(word: str) -> str:
    """In double quotes where they do, which read better around SQL."""
    quoted = shlex.quote(word)
    return quoted if quoted == word or _LIVE.search(word) else f'"{word}"'


def _entity(columns: Sequence[ColumnScan], members: Sequence[str]) -> str | None:
    """The column that says which person a row is about."""
    declared = [column.name for column in columns if column.declared_role == ENTITY]
    guessed = [
        column.name
        for column in columns
        if column.suggestion.entity and column.role == Role.IDENTIFIER
    ]
    found = [name for name in [*declared, *guessed] if name not in members]
    return found[0] if found else None
