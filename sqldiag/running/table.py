"""One table of a policy: connect, ask, and say what came of it, whatever happens."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqldiag.errors import Cancelled, SqldiagError
from sqldiag.outcomes import ERROR, FAILS, HOLDS, WARNS, Result
from sqldiag.policy.model import Policy, TablePolicy
from sqldiag.running.asked import check_options, question_of, report_options, search_options

if TYPE_CHECKING:
    from sqldiag.answers import Diagnosis
    from sqldiag.api import Database, Table
    from sqldiag.asking import SetOptions
    from sqldiag.engines.base import Listener


@dataclass(slots=True)
class Open:
    """The databases that are open, so that all of them can be interrupted."""

    databases: list[Database] = field(default_factory=list)

    def interrupt(self) -> None:
        for database in list(self.databases):
            database.session.connection.interrupt()


def run_table(
    policy: Policy,
    entry: TablePolicy,
    opened: Open,
    listener: Listener | None = None,
    *,
    pages: bool = False,
) -> Result:
    """What one table fails at, another need not know. Only Ctrl-C stops them all."""
    at, started = datetime.now(UTC), time.perf_counter()
    try:
        return _asked(policy, entry, opened, listener, at, started, pages=pages)
    except SqldiagError as error:
        if _by_hand(error):
            raise
        return Result(
            entry=entry,
            status=ERROR,
            at=at,
            seconds=time.perf_counter() - started,
            error=error.sentence,
            exit_code=error.exit_code,
        )


def _asked(
    policy: Policy,
    entry: TablePolicy,
    opened: Open,
    listener: Listener | None,
    at: datetime,
    started: float,
    *,
    pages: bool,
) -> Result:
    from sqldiag.api import connect

    with connect(policy.url(entry.connection), listener=listener) as database:
        opened.databases.append(database)
        try:
            table = find_table(database, entry)
            declared = table.declared_roles()
            options = check_options(entry, declared)
            check = table.check(**options)
            borders = None
            if entry.borders is not None:
                borders = table.borders(**search_options(entry.borders, options, declared))
            cancelled = borders is not None and borders.searched.cancelled
            diagnosis, unreported = None, None
            if pages and not cancelled:
                diagnosis, unreported = _diagnosed(table, entry, options)
        finally:
            opened.databases.remove(database)
    status, code = verdict(entry, holds=check.holds)
    if cancelled:
        raise Cancelled("cancelled") from KeyboardInterrupt()
    return Result(
        entry=entry,
        status=status,
        at=at,
        seconds=time.perf_counter() - started,
        question=question_of(entry, options),
        check=check,
        borders=borders,
        declared=declared,
        diagnosis=diagnosis,
        unreported=unreported,
        exit_code=code,
    )


def _diagnosed(
    table: Table, entry: TablePolicy, options: SetOptions
) -> tuple[Diagnosis | None, str | None]:
    """What a page tells, or why there is none. It comes last: the verdict is known, and what fails
    here, such as a search that takes too long, does not change it."""
    try:
        diagnosis = table.report(**report_options(entry, options)).diagnosis
    except SqldiagError as error:
        if _by_hand(error):
            raise
        return None, error.sentence
    if diagnosis.borders is not None and diagnosis.borders.searched.cancelled:
        raise Cancelled("cancelled") from KeyboardInterrupt()
    return diagnosis, None


def _by_hand(error: SqldiagError) -> bool:
    return isinstance(error, Cancelled) and isinstance(error.__context__, KeyboardInterrupt)


def find_table(database: Database, entry: TablePolicy) -> Table:
    if entry.query is not None:
        return database.query(entry.query, where=entry.where)
    return database.table(entry.table, where=entry.where)


def verdict(entry: TablePolicy, *, holds: bool) -> tuple[str, int]:
    """The status, and the exit code that it asks for."""
    if holds:
        return HOLDS, 0
    return (FAILS, 1) if entry.severity == "fail" else (WARNS, 0)
