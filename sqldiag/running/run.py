"""All tables of a policy, several at once if asked, each kept as soon as it is known."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqldiag.engines import file_of, open_store
from sqldiag.errors import BadInput, Cancelled, SqldiagError
from sqldiag.history import History, record_of
from sqldiag.outcomes import Drift, Result, Run
from sqldiag.policy.model import Policy, TablePolicy
from sqldiag.running.drift import drift_of, levels_of
from sqldiag.running.table import Open, run_table, verdict

if TYPE_CHECKING:
    from sqldiag.engines.base import Listener

# So many records of a question are looked at: for what moved, and for a picture of it.
_RECENT, _TREND = 20, 120

Report = Callable[[Result], None]


def run_policy(
    policy: Policy,
    tables: tuple[TablePolicy, ...],
    *,
    version: str,
    parallel: int = 1,
    report: Report = lambda _: None,
    listener: Listener | None = None,
    pages: bool = False,
) -> Run:
    """``pages``: with a diagnosis of each table, for its page."""
    started = time.perf_counter()
    run = Run(
        id=uuid.uuid4().hex,
        policy=policy.name,
        digest=policy.digest,
        at=datetime.now(UTC),
        results=(),
        seconds=0.0,
        warnings=policy.warnings,
    )
    keeper = _Keeper(policy, run, version, depth=_TREND if pages else _RECENT)
    found: dict[str, Result] = {}
    for result in _results(policy, tables, parallel, listener, pages=pages):
        found[result.entry.name] = keeper.keep(result)
        report(found[result.entry.name])
    return replace(
        run,
        results=tuple(found[entry.name] for entry in tables),
        seconds=time.perf_counter() - started,
        problems=tuple(dict.fromkeys(keeper.problems)),
    )


def _results(
    policy: Policy,
    tables: tuple[TablePolicy, ...],
    parallel: int,
    listener: Listener | None,
    *,
    pages: bool,
) -> Iterator[Result]:
    """As they come. Alone, in this thread, where Ctrl-C arrives."""
    opened = Open()

    def ask(entry: TablePolicy) -> Result:
        return run_table(policy, entry, opened, listener, pages=pages)

    if parallel == 1:
        yield from map(ask, tables)
        return
    with ThreadPoolExecutor(parallel, thread_name_prefix="sqldiag-run") as workers:
        asked = [workers.submit(ask, entry) for entry in tables]
        try:
            for done in as_completed(asked):
                yield done.result()
        except KeyboardInterrupt:
            for waiting in asked:
                waiting.cancel()
            opened.interrupt()
            raise Cancelled("cancelled") from None


class _Keeper:
    """Compares results with the history and adds them to it; a history that fails is a problem of
    the run, and no reason to stop."""

    def __init__(self, policy: Policy, run: Run, version: str, *, depth: int) -> None:
        self.problems: list[str] = []
        self._run, self._version, self._depth = run, version, depth
        self._history: History | None = None
        if policy.history is None:
            return
        try:
            self._history = history_of(policy)
            self._history.prepare()
        except SqldiagError as error:
            self._give_up(error)

    def keep(self, result: Result) -> Result:
        if self._history is None:
            return result
        try:
            if (check := result.check) is not None:
                earlier = self._history.records(question=result.question, limit=self._depth)
                result = replace(result, levels=levels_of(result, earlier, self._run.id))
                result = _compared(result, drift_of(check, earlier, result.entry.max_drop))
            self._history.append(record_of(result, self._run, version=self._version))
        except Cancelled:
            raise
        except SqldiagError as error:
            self._give_up(error)
        return result

    def _give_up(self, error: SqldiagError) -> None:
        self._history = None
        self.problems.append(f"the history is not kept: {error.sentence}")


def history_of(policy: Policy) -> History:
    """Where the policy keeps its history; a file that is diagnosed cannot be written meanwhile."""
    if policy.history is None:
        raise BadInput(f"{policy.path.name} keeps no history; add [history] with url = …")
    url = policy.resolve(policy.history, what="history.url")
    file = file_of(url)
    for name, source in policy.connections.items():
        if file is not None and not source.startswith("env:") and file == file_of(policy.url(name)):
            raise BadInput(f"connection {name} is the history's file; give it one of its own")
    return History(open_store(url), policy.schema)


def _compared(result: Result, drift: tuple[Drift, ...]) -> Result:
    """A drop that the policy forbids breaks it, even where the requirement still holds."""
    if not any(moved.too_much for moved in drift):
        return replace(result, drift=drift)
    status, code = verdict(result.entry, holds=False)
    return replace(result, drift=drift, status=status, exit_code=code)
