"""How column names are written: quoted only where SQL needs it, and comma-separated lists."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

from sqldiag.errors import BadInput

_BARE = re.compile(r"[^\W\d]\w*")

# Words that no SQL dialect of ours takes as a bare column name.
_WORDS = """
all analyse analyze and any array as asc asymmetric authorization binary both case cast check
collate collation column concurrently constraint create cross current_catalog current_date
current_role current_schema current_time current_timestamp current_user default deferrable desc
distinct do else end except false fetch for foreign freeze from full grant group having ilike in
initially inner intersect into is isnull join lateral leading left like limit localtime
localtimestamp natural not notnull null offset on only or order outer overlaps placing primary
qualify references returning right select session_user similar some symmetric table tablesample then
to trailing true union unique user using variadic verbose when where window with
"""
_RESERVED = frozenset(_WORDS.split())


def quoted(name: str) -> str:
    """The name as it stands in a measure: ``age``, ``"marital-status"``, ``"select"``."""
    if _BARE.fullmatch(name) and name.casefold() not in _RESERVED:
        return name
    return '"' + name.replace('"', '""') + '"'


def split_list(texts: Iterable[str], *, option: str) -> tuple[str, ...]:
    """Names from ``a,b`` given once or several times; a name with a comma is quoted as in CSV."""
    names: list[str] = []
    for text in texts:
        try:
            # The space after a comma is not of the name; one in front of all is.
            spaced = "," in text or not text.strip()
            cells = next(csv.reader([text], strict=True, skipinitialspace=spaced), [])
        except csv.Error:
            # A lone quote is part of the name: names are taken literally.
            cells = text.split(",")
        names.extend(cells)
    if any(not name for name in names):
        raise BadInput(f"{option} holds an empty column name")
    return tuple(dict.fromkeys(names))


def join_list(names: Iterable[str]) -> str:
    """The names as one text that ``split_list`` takes apart again."""
    return ",".join(map(_cell, names))


def _cell(name: str) -> str:
    """Quoted as in CSV where it must be, also where a space in front would be lost."""
    if name.startswith(" "):
        return '"' + name.replace('"', '""') + '"'
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow([name])
    return text.getvalue()
