"""The SQL of jobs as `job install --print` has it, rendered into sql/ by `make sql`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqldiag.api import Table
from sqldiag.jobs.compiled import Job
from sqldiag.jobs.script import install_script
from sqldiag.policy import TablePolicy
from sqldiag.running.asked import check_options, question_of


@dataclass(frozen=True)
class Example:
    """A file's name, a sentence, and the policy's table behind it."""

    name: str
    says: str
    entry: TablePolicy


def _entry(**keys: object) -> TablePolicy:
    known = {"name": "hospital", "connection": "prod", "table": "hospital"}
    return TablePolicy(**known | {"quasi_identifiers": ("age", "sex", "zip")} | keys)  # type: ignore[arg-type]


EXAMPLES = (
    Example("k", "A job that checks k-anonymity.", _entry(require=("k >= 5",))),
    Example(
        "conjunction",
        "Several requirements of a part of the table, crowds of patients, some rows suppressed.",
        _entry(
            require=("k >= 5", "distinct_l(diagnosis) >= 3", "t_closeness(diagnosis) <= 0.4"),
            entity="patient_id",
            where="ward <> 'Obstetrics'",
            suppress="1%",
            severity="warn",
        ),
    ),
)


def job(example: Example, table: Table, *, engine: str) -> Job:
    options = check_options(example.entry, {})
    prepared = table.prepare_check(**options)
    return Job(
        entry=example.entry,
        ask=prepared.ask,
        plan=prepared.plan,
        sql=prepared.profile.sql,
        question=question_of(example.entry, options),
        policy="clinic",
        policy_hash="0123456789abcdef",
        engine=engine,
        version="0",
        schema="sqldiag",
        schedule="0 3 * * *",
        path=("public",),
    )


def render_job(example: Example, table: Table, *, engine: str) -> str:
    head = f"-- {example.says}\n-- Written by `make sql`; nothing reads it at run time.\n\n"
    return head + install_script([job(example, table, engine=engine)], "sqldiag")


def job_files(
    folder: Path, tables: dict[Example, Table], engine: str
) -> Iterator[tuple[Path, str]]:
    for example, table in tables.items():
        yield folder / f"{example.name}.sql", render_job(example, table, engine=engine)
