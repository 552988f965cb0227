"""Where we keep things of our own: the one place that writes, apart from temporary tables.

Nothing of a diagnosis goes through here; a history does, and jobs that were asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager

from sqldiag.engines.base import Row

# So long one waits for whoever else is writing.
WAIT_SECONDS = 30.0


class Writer(ABC):
    """A transaction: all of it happens, or nothing."""

    @abstractmethod
    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """The rows of a statement, with a ``?`` for each value; without values, ? is just that."""

    @abstractmethod
    def make_schema(self, name: str) -> None:
        """Where it is not there yet; it takes no right to find it there."""

    def lock(self, name: str) -> None:  # noqa: B027
        """Let nobody else into a part of this name until the transaction ends; where one writes at
        a time, nobody is."""


class Store(ABC):
    """A database that may be written; it is open only within a transaction."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Writer]: ...

    @abstractmethod
    def reading(self) -> AbstractContextManager[Writer]:
        """A transaction that changes nothing."""

    @abstractmethod
    def exists(self) -> bool:
        """Whether there is anything to read."""
