"""How statements are run: one after the other or side by side, to be interrupted at any time."""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from sqldiag.engines.statement import Executed, Listener, Row, Statement
from sqldiag.errors import BadInput, Cancelled, SqldiagError

# Seconds between two requests to stop, and until the connection is cut instead.
_BETWEEN_INTERRUPTS, _PATIENCE = 0.05, 10

# NUL ends a string for a server; a lone surrogate stands for a byte that was no UTF-8.
_UNSENDABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class _Sent:
    """A statement on its way: its rows, and the seconds they took."""

    statement: Statement
    script: tuple[str, ...]
    answer: Future[tuple[list[Row], float]]


class Lanes(ABC):
    """Statements are sent by a thread of their own: the main one can be interrupted at any time,
    for it only waits, and plans what comes next meanwhile."""

    def __init__(self, *, listener: Listener | None = None) -> None:
        self.executed: list[Executed] = []
        self.listener = listener
        self._lanes = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sqldiag")

    def run(self, statement: Statement) -> list[Row]:
        """All rows of a statement; its errors become sentences of ours.

        After an error the next statement sees the same data, and what was stored before.
        """
        return self._receive(self._send(statement))

    def lanes(self) -> int:
        """How many statements run side by side."""
        return 1

    def run_all(
        self,
        statements: Iterable[Statement],
        *,
        number: int,  # noqa: ARG002 - for engines that run them side by side
    ) -> Iterator[list[Row]]:
        """The rows of each of a number of statements that do not depend on each other, in order.

        While one runs, the next is planned.
        """
        return self._run_ahead(statements, ahead=1)

    def _run_ahead(self, statements: Iterable[Statement], *, ahead: int) -> Iterator[list[Row]]:
        """``ahead``: so many statements may run or wait behind the one whose rows are due."""
        sent: deque[_Sent] = deque()
        try:
            for statement in statements:
                sent.append(self._send(statement))
                while len(sent) > ahead or (sent and sent[0].answer.done()):
                    yield self._receive(sent.popleft())
            while sent:
                yield self._receive(sent.popleft())
        finally:
            self._abandon(sent)

    def _send(self, statement: Statement) -> _Sent:
        if _UNSENDABLE.search(statement.sql):
            raise BadInput("a name or a piece of SQL is not UTF-8 text, or holds a NUL character")
        script = self.script(statement)
        return _Sent(statement, script, self._lanes.submit(self._run_script, script))

    def _run_script(self, script: tuple[str, ...]) -> tuple[list[Row], float]:
        started = time.perf_counter()
        rows: list[Row] = []
        for sql in script:
            rows = self._execute(sql) or rows
        return rows, time.perf_counter() - started

    def _receive(self, sent: _Sent) -> list[Row]:
        try:
            rows, seconds = sent.answer.result()
        except SqldiagError:
            self._recover(sent.statement)
            raise
        except KeyboardInterrupt:
            self._abandon([sent])
            raise Cancelled("cancelled", sql=sent.script[-1]) from None
        done = Executed(sent.statement, sent.script, seconds)
        self.executed.append(done)
        if self.listener is not None:
            self.listener(done)
        return rows

    def _abandon(self, sent: Iterable[_Sent]) -> None:
        """Let go of statements whose rows nobody wants any more."""
        running = [one for one in sent if not one.answer.cancel() and not one.answer.done()]
        started = time.monotonic()
        while wait([one.answer for one in running], timeout=_BETWEEN_INTERRUPTS).not_done:
            # One that has only just begun may not have heard.
            self.interrupt()
            if time.monotonic() - started > _PATIENCE:
                self._disconnect()
        for one in running:
            self._recover(one.statement)

    @abstractmethod
    def interrupt(self) -> None:
        """Stop what is running, from whatever thread; harmless where nothing is."""

    @abstractmethod
    def _execute(self, sql: str) -> list[Row]:
        """Rows; of a statement that stores, one row with the number stored. Runs in a lane."""

    def _recover(self, statement: Statement) -> None:  # noqa: B027
        """Undo what a failed statement did to the transaction, as far as the connection lives."""

    @abstractmethod
    def script(self, statement: Statement) -> tuple[str, ...]:
        """What is sent for a statement: itself, and what storing its rows takes."""

    def close(self) -> None:
        """End the snapshot; everything temporary goes with it."""
        self._lanes.shutdown()
        self._disconnect()

    @abstractmethod
    def _disconnect(self) -> None: ...
