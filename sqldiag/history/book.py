"""The history itself: append a record, read them back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqldiag.engines.base import Row, identifier
from sqldiag.engines.store import Store, Writer
from sqldiag.history.record import RESULT_COLUMNS, VERDICT_COLUMNS, Record, Verdict
from sqldiag.history.schema import migrate, must_know, version


class History:
    """Kept in a schema of a store; every record is written by a transaction of its own."""

    def __init__(self, store: Store, schema: str) -> None:
        self._store, self._schema = store, schema

    def prepare(self) -> None:
        """Make the tables, or bring them up to date."""
        with self._store.writing() as writer:
            migrate(writer, self._schema, now=_now())

    def append(self, record: Record) -> None:
        with self._store.writing() as writer:
            values = [getattr(record, name) for name in RESULT_COLUMNS]
            self._insert(writer, "results", RESULT_COLUMNS, values)
            for verdict in record.verdicts:
                own = [getattr(verdict, name) for name in VERDICT_COLUMNS[2:]]
                values = [record.run, record.name, *own]
                self._insert(writer, "verdicts", VERDICT_COLUMNS, values)

    def _insert(
        self, writer: Writer, table: str, columns: Sequence[str], values: list[object]
    ) -> None:
        marks = ", ".join("?" for _ in columns)
        names = ", ".join(columns)
        writer.execute(
            f"INSERT INTO {identifier(self._schema)}.{table} ({names}) VALUES ({marks})", values
        )

    def records(
        self, *, name: str | None = None, question: str | None = None, limit: int | None = None
    ) -> list[Record]:
        """Oldest first; of ``limit``, the latest so many of each name."""
        if not self._store.exists():
            return []
        with self._store.reading() as reader:
            present = version(reader, self._schema)
            must_know(present, self._schema)
            if present == 0:
                return []
            return self._read(reader, name, question, limit)

    def _read(
        self, reader: Writer, name: str | None, question: str | None, limit: int | None
    ) -> list[Record]:
        schema = identifier(self._schema)
        wanted = {"name": name, "question": question}
        asked = {column: value for column, value in wanted.items() if value is not None}
        matching = "".join(f" AND {column} = ?" for column in asked)
        ranked = (
            f"SELECT {', '.join(RESULT_COLUMNS)}, ROW_NUMBER() OVER "
            f"(PARTITION BY name ORDER BY taken_at DESC, run DESC) AS latest FROM {schema}.results"
            f" WHERE TRUE{matching}"
        )
        most = f" WHERE latest <= {int(limit)}" if limit is not None else ""
        chosen = f"SELECT {', '.join(RESULT_COLUMNS)} FROM ({ranked}) AS ranked{most}"
        rows = reader.execute(f"{chosen} ORDER BY taken_at, run, name", list(asked.values()))
        verdicts: dict[tuple[object, object], list[Verdict]] = {}
        if rows:
            columns = ", ".join(f"v.{column}" for column in VERDICT_COLUMNS)
            found = reader.execute(
                f"SELECT {columns} FROM {schema}.verdicts AS v JOIN ({chosen}) AS r"
                " ON r.run = v.run AND r.name = v.name ORDER BY v.run, v.name, v.position",
                list(asked.values()),
            )
            for run, name_, *values in found:
                verdicts.setdefault((run, name_), []).append(_verdict(values))
        return [
            replace(_record(row), verdicts=tuple(verdicts.get((row[0], row[1]), ())))
            for row in rows
        ]


def _record(row: Row) -> Record:
    values: dict[str, Any] = dict(zip(RESULT_COLUMNS, row, strict=True))
    return Record(**values)


def _verdict(row: Sequence[object]) -> Verdict:
    values: dict[str, Any] = dict(zip(VERDICT_COLUMNS[2:], row, strict=True))
    return Verdict(**values)


def _now() -> str:
    at = datetime.now(UTC).replace(tzinfo=None).isoformat(sep=" ", timespec="seconds")
    return f"TIMESTAMP '{at}'"
