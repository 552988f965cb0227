"""What kind of value a column holds, by the name of its type on any engine."""

from __future__ import annotations

import re
from enum import Enum


class Kind(Enum):
    WHOLE = "whole number"
    REAL = "number"
    TEXT = "text"
    DATE = "date"
    TIME = "time"
    TRUTH = "yes or no"
    UUID = "uuid"
    ADDRESS = "network address"
    # Values within values: only by looking inside can anybody tell what they are.
    NESTED = "nested value"
    OTHER = "value of its own type"


# Ordered: the first that matches the start of the type's name decides.
_STARTS: tuple[tuple[str, Kind], ...] = (
    (r".*\[\d*\]$|struct|map|union|list|json|xml|hstore|variant", Kind.NESTED),
    (r"bytea|blob|bit|varbit|binary|geometry|geography", Kind.NESTED),
    (r"point|line|lseg|box|path|polygon|circle|tsvector", Kind.NESTED),
    (r"interval", Kind.OTHER),
    (r"bool", Kind.TRUTH),
    (r"date$|date32", Kind.DATE),
    (r"time", Kind.TIME),
    (r"u?(big|small|tiny|huge|medium)?int|int[248]|serial|bigserial|oid", Kind.WHOLE),
    (r"numeric|decimal|real|double|float|money|bignum", Kind.REAL),
    (r"uuid|guid", Kind.UUID),
    (r"inet|cidr|macaddr", Kind.ADDRESS),
    (r"text|string|citext|enum|name$", Kind.TEXT),
    (r"(national )?(var)?char|character|bpchar|\"char\"", Kind.TEXT),
)
_PATTERNS = tuple((re.compile(pattern), kind) for pattern, kind in _STARTS)

NUMBERS = (Kind.WHOLE, Kind.REAL)
# Grouped and compared as the database writes them: types of their own need not be comparable.
AS_TEXT = (Kind.NESTED, Kind.OTHER)


def kind_of(type_name: str) -> Kind:
    """`character varying(20)` is text, `TIMESTAMP WITH TIME ZONE` a time."""
    name = type_name.strip().lower()
    for pattern, kind in _PATTERNS:
        if pattern.match(name):
            return kind
    return Kind.OTHER
