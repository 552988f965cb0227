"""What values look like, told by patterns that every engine reads alike."""

from __future__ import annotations

from collections.abc import Mapping

# The first that matches is the shape of a value, the whole of it. No backslash: engines differ in
# what it means within a constant.
_PATTERNS: Mapping[str, tuple[str, ...]] = {
    "digits": ("[0-9]+",),
    "email": ("[^@ ]+@[^@ ]+[.][^@ .]+",),
    "url": ("[a-z]+://[^ ]+",),
    "uuid": ("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",),
    "mac": ("(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}",),
    "ip": (
        "(?:[0-9]{1,3}[.]){3}[0-9]{1,3}(?:/[0-9]+)?",
        "[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{0,4}){3,7}",
    ),
    "date": (
        "(?:18|19|20)[0-9]{2}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:[ T].*)?",
        "[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:(?:18|19|20)[0-9]{2}|[0-9]{2})",
    ),
    # The United States, the United Kingdom, the Nordics, Spain, Italy, France.
    "national id": (
        "[0-9]{3}-[0-9]{2}-[0-9]{4}",
        "[A-Z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]",
        "[0-9]{6}(?:[0-9]{2})?[-+A][0-9]{3}[0-9A-Z]",
        "[0-9XYZ][0-9]{7}-?[A-Z]",
        "[A-Z]{6}[0-9]{2}[A-Z][0-9]{2}[A-Z][0-9]{3}[A-Z]",
        "[12] ?[0-9]{2} ?[01][0-9] ?[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}",
    ),
    "account": (
        "[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,4})?",
        "[0-9]{4}(?:[ -]?[0-9]{4}){3}",
    ),
    "phone": (
        "(?:[+]|00)[0-9][0-9 ()./-]{6,}",
        "[(]?[0-9]{2,5}[)]?[ ./-] ?[0-9]{3,4}[ ./-]?[0-9]{2,}(?:[ ./-]?[0-9]+)*",
    ),
    # The United Kingdom, Canada, the Netherlands, the United States with their four digits more.
    "postcode": (
        "[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-Z]{2}",
        "[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]",
        "[0-9]{4} ?[A-Z]{2}",
        "[0-9]{5}-[0-9]{4}",
    ),
    "hash": ("[0-9a-fA-F]{32,}",),
    "name": ("[A-Z][a-z]+(?:-[A-Z][a-z]+)?,? (?:[A-Z][.] )?[A-Z][A-Za-z''-]+",),
}
SHAPES = (*_PATTERNS, "sentence")

# What a value must hold to be worth the pattern.
_CHEAP = {"email": "%@%", "url": "%://%", "sentence": "% % % %"}


def shape_of(value: str) -> str:
    """SQL for the number of a value's shape, from 1 on; 0 where it has none."""
    tests = [f"WHEN {_test(name, value)} THEN {i}" for i, name in enumerate(SHAPES, 1)]
    return f"CASE {' '.join(tests)} ELSE 0 END"


def _test(name: str, value: str) -> str:
    cheap = f"{value} LIKE '{_CHEAP[name]}'" if name in _CHEAP else ""
    if name == "sentence":
        return cheap
    pattern = f"REGEXP_LIKE({value}, '^(?:{'|'.join(_PATTERNS[name])})$')"
    return f"{cheap} AND {pattern}" if cheap else pattern
