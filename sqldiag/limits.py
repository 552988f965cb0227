"""What a diagnosis may take of a server: time, memory, threads. None leaves it as it is there."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields
from typing import TypedDict

from sqldiag.errors import BadInput

# A size with its unit, as both DuckDB and Postgres read it.
_SIZE = re.compile(r"([1-9]\d{0,11})\s*(kB|MB|GB|TB)", re.IGNORECASE)
_UNITS = {"kb": "kB", "mb": "MB", "gb": "GB", "tb": "TB"}
# Postgres counts milliseconds in 32 bits.
_MOST_SECONDS = 2_147_483
_MOST_THREADS = 1024


class LimitOptions(TypedDict, total=False):
    """What ``connect`` takes."""

    timeout: float | None
    lock_timeout: float | None
    work_mem: str | None
    memory_limit: str | None
    threads: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Seconds for a statement and for a lock, memory for a step or in all, threads."""

    timeout: float | None = None
    lock_timeout: float | None = None
    work_mem: str | None = None
    memory_limit: str | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        _check_seconds("timeout", self.timeout)
        _check_seconds("lock_timeout", self.lock_timeout)
        if self.threads is not None and not 1 <= self.threads <= _MOST_THREADS:
            raise BadInput(f"--threads takes a number from 1 to {_MOST_THREADS}")
        for name in ("work_mem", "memory_limit"):
            size = getattr(self, name)
            if size is not None:
                object.__setattr__(self, name, _size(name, size))

    def refuse(self, *names: str, engine: str, instead: str) -> None:
        """A limit that an engine cannot keep is an error, not a wish."""
        for field in fields(self):
            if field.name in names and getattr(self, field.name) is not None:
                raise BadInput(f"{option(field.name)} is not for {engine}; {instead}")


def option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _check_seconds(name: str, seconds: float | None) -> None:
    if seconds is None:
        return
    if not math.isfinite(seconds) or not 0.001 <= seconds <= _MOST_SECONDS:
        raise BadInput(f"{option(name)} takes seconds, from 0.001 to {_MOST_SECONDS}")


def _size(name: str, text: str) -> str:
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise BadInput(f"{option(name)} takes a size with its unit, such as 256MB or 2GB")
    return f"{found[1]}{_UNITS[found[2].lower()]}"
