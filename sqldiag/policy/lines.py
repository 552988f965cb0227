"""On which line of a TOML file a key stands, for the library that reads it does not say."""

from __future__ import annotations

import re
from collections import Counter

Path = tuple[str | int, ...]

_PIECE = re.compile(
    r"""(?P<string>\"\"\".*?\"{3,5}|'''.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')
      | (?P<comment>\#[^\n]*) | (?P<open>[\[{]) | (?P<close>[\]}]) | (?P<newline>\n)
      | (?P<blank>[ \t\r]+) | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_PART = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*(\.|$)""")


def find_lines(text: str) -> dict[Path, int]:
    """Every header and key of a file that is known to be good TOML: ``("tables", 0, "require")``.

    What stands within an inline table is not listed; its key is.
    """
    found: dict[Path, int] = {}
    arrays: Counter[str] = Counter()
    here: Path = ()
    for line, statement in _statements(text):
        if statement.startswith("[["):
            here = _reach(_parts(statement.strip("[] \t\r")), arrays, opens=True)
        elif statement.startswith("["):
            here = _reach(_parts(statement.strip("[] \t\r")), arrays, opens=False)
        else:
            key = _parts(_key(statement))
            for end in range(1, len(key) + 1):
                found.setdefault((*here, *key[:end]), line)
            continue
        found.setdefault(here, line)
    return found


def _reach(names: Path, arrays: Counter[str], *, opens: bool) -> Path:
    """A header's path, with the number of the latest element behind each array's name."""
    path: list[str | int] = []
    for i, name in enumerate(names):
        path.append(name)
        array = "\0".join(map(str, path))
        if opens and i == len(names) - 1:
            arrays[array] += 1
        if arrays[array]:
            path.append(arrays[array] - 1)
    return tuple(path)


def _statements(text: str) -> list[tuple[int, str]]:
    """Header lines and key/value pairs, however many lines these take, with their first line."""
    statements: list[tuple[int, str]] = []
    line, depth, start = 1, 0, 1
    parts: list[str] = []
    for piece in _PIECE.finditer(text + "\n"):
        kind, value = piece.lastgroup, piece[0]
        if kind == "newline" and depth == 0:
            if joined := "".join(parts).strip():
                statements.append((start, joined))
            parts = []
        elif kind not in ("comment", "newline"):
            if not parts:
                start = line
            parts += [value] if parts or kind != "blank" else []
            depth += (kind == "open") - (kind == "close")
        line += value.count("\n")
    return statements


def _key(statement: str) -> str:
    """What stands before the first = that is not within quotes."""
    match = re.match(r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^=])*""", statement)
    return match[0].strip() if match else ""


def _parts(key: str) -> Path:
    return tuple(part[1].strip("\"'") for part in _PART.finditer(key))
