"""What a path says about itself, without a driver: is it a data file, a database, or no path?"""

from __future__ import annotations

import os
from pathlib import Path

READERS = {
    ".parquet": "read_parquet",
    ".pq": "read_parquet",
    ".csv": "read_csv",
    ".tsv": "read_csv",
    ".json": "read_json",
    ".jsonl": "read_json",
    ".ndjson": "read_json",
}
_DATABASES = (".duckdb", ".ddb", ".db")


def reader_for(path: str) -> str | None:
    """The function of DuckDB that reads this file, by its ending; compressed text works too."""
    name = path.lower()
    for packed in (".gz", ".zst"):
        name = name.removesuffix(packed)
    return READERS.get(Path(name).suffix)


def is_database(path: str) -> bool:
    """Whether the file starts as a DuckDB database does."""
    try:
        with Path(path).open("rb") as file:
            return file.read(12)[8:] == b"DUCK"
    except (OSError, ValueError):  # a name that no file can have is one of no database
        return False


def is_path(text: str) -> bool:
    """Whether the text means a file rather than a table; a table `data.csv` needs its source."""
    if text == ":memory:" or text.lower().endswith(_DATABASES):
        return True
    return reader_for(text) is not None or is_database(text)


def at_home(path: str) -> str:
    """The path with ~ and ~name replaced as a shell does: one of nobody here stays as it is."""
    try:
        return os.path.expanduser(path)  # noqa: PTH111 - pathlib raises for an unknown name
    except ValueError:  # a name that cannot be one: a NUL, half a character
        return path
