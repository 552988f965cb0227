"""Renders the SQL we send into sql/<dialect>/, a file per question: `python -m tests.render_sql`.

For people to read before they run it, and for a diff to show what a change did. It needs no
database. To add a question, add it to QUESTIONS; its verb is a method `explain_<verb>` of the API.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from fixtures import hospital
from sqldiag.api import Table
from sqldiag.engines import schedules_jobs
from sqldiag.engines.base import Connection, Statement
from sqldiag.engines.duckdb import DuckDB
from sqldiag.engines.postgres import Postgres
from sqldiag.policy.schema import policy_schema
from sqldiag.relation import Column, Relation
from sqldiag.session import Session
from tests.render_jobs import EXAMPLES, job_files

FOLDER = Path(__file__).parent.parent / "sql"
# The JSON Schema of policies is rendered with them.
SCHEMA = FOLDER.parent / "docs" / "policy.schema.json"

# How each option of the API is written on the command line.
_FLAGS = {
    "qi": "--qi",
    "measures": "--measure",
    "require": "--require",
    "suppress": "--suppress",
    "sensitive": "--sensitive",
    "entity": "--entity",
    "strict_sensitive": "--strict-sensitive",
    "curve": "--curve",
    "contributions": "--contributions",
    "examples": "--examples",
    "where": "--where",
    "among": "--among",
    "max_size": "--max-size",
}
_LISTS = ("qi", "sensitive", "among")


@dataclass(frozen=True)
class Question:
    """A file's name, a sentence, and the question: a verb of the API and its options."""

    name: str
    says: str
    verb: str
    options: Mapping[str, object]
    where: str | None = None

    def command(self, source: str) -> str:
        """The question as one types it; a shell reads it back."""
        words = ["sqldiag", self.verb, source, "hospital"]
        options = {**self.options, **({"where": self.where} if self.where else {})}
        for option, value in options.items():
            words += _words(option, value)
        return " ".join(words)


QUESTIONS = (
    Question(
        "check_k",
        "Does everybody stand in a crowd of five?",
        "check",
        {"qi": ["age", "sex", "zip"], "require": ["k >= 5"]},
    ),
    Question(
        "check_k_entity",
        "The same for crowds of patients, who have several admissions each.",
        "check",
        {"qi": ["age", "sex", "zip"], "require": ["k >= 5"], "entity": "patient_id"},
    ),
    Question(
        "check_conjunction",
        "Several requirements at once: a class is missed when it misses any of them.",
        "check",
        {
            "qi": ["age", "sex", "zip"],
            "require": ["k >= 5", "distinct_l(diagnosis) >= 3", "alpha(diagnosis, 'HIV') <= 0.4"],
            "suppress": "1%",
        },
    ),
    Question(
        "measure_k_examples",
        "The level of a set, and its ten smallest classes with their values.",
        "measure",
        {"qi": ["age", "sex", "zip"], "examples": 10},
    ),
    Question(
        "measure_family",
        "Every measure of one sensitive column, from one reading of the table.",
        "measure",
        {"qi": ["age", "sex", "zip"], "sensitive": ["diagnosis"], "suppress": "1%"},
    ),
    Question(
        "measure_family_entity",
        "The same, counting patients.",
        "measure",
        {"qi": ["age", "sex"], "sensitive": ["diagnosis"], "entity": "patient_id"},
    ),
    Question(
        "measure_curve",
        "For every value that a class has, the share of rows to suppress.",
        "measure",
        {"qi": ["age", "sex"], "measures": ["k", "entropy_l(diagnosis)"], "curve": True},
    ),
    Question(
        "measure_contributions",
        "What each column adds: the set without it and it alone, all from one roll-up.",
        "measure",
        {"qi": ["age", "sex", "zip"], "require": ["k >= 5"], "contributions": True},
    ),
    Question(
        "measure_strict_sensitive",
        "Two sensitive columns, where each joins the quasi-identifiers of the other.",
        "measure",
        {
            "qi": ["age", "sex"],
            "measures": ["distinct_l(diagnosis)", "distinct_l(ward)"],
            "require": ["k >= 5", "distinct_l(diagnosis) >= 2"],
            "sensitive": ["diagnosis", "ward"],
            "strict_sensitive": True,
        },
    ),
    Question(
        "where",
        "A part of the table, by a condition of the user's.",
        "check",
        {"qi": ["sex", "zip"], "require": ["k >= 5"]},
        where="age >= 18 AND ward <> 'Obstetrics'",
    ),
    Question(
        "borders_k",
        "Which sets of columns are safe? The roll-up, its codes, and the first sets looked at.",
        "borders",
        {"among": ["age", "sex", "zip", "ward"], "require": ["k >= 5"]},
    ),
    Question(
        "subsets_k",
        "What every set of columns would take; the largest sets, in portions where that pays.",
        "subsets",
        {"among": ["age", "sex", "zip", "admission_date", "ward"], "require": ["k >= 5"]},
    ),
    Question(
        "subsets_distinct",
        "The diversity of every pair of columns, counting patients.",
        "subsets",
        {
            "among": ["age", "sex", "zip"],
            "measures": ["distinct_l(diagnosis)"],
            "entity": "patient_id",
            "max_size": 2,
        },
    ),
    Question(
        "scan",
        "What is each column, and how many rows stand alone by some of them? Nobody knows yet.",
        "scan",
        {"qi": ["age", "sex", "zip"]},
    ),
)


@dataclass(frozen=True)
class Dialect:
    """An engine, and the hospital table as its catalogue would describe it."""

    engine: type[Connection]
    source: str
    schema: str
    types: Mapping[str, str]

    @property
    def name(self) -> str:
        return self.engine.capabilities.dialect

    def relation(self, where: str | None = None) -> Relation:
        columns = tuple(Column(name, self.types[name]) for name in hospital.COLUMNS)
        return Relation(
            name="hospital",
            columns=columns,
            path=(self.schema, "hospital"),
            where=where,
            is_table=True,
        )

    def table(self, where: str | None = None) -> Table:
        """The table behind a connection that was never opened: sending anything would fail."""
        return Table(Session(self.connection()), self.relation(where))

    def connection(self) -> Connection:
        connection = object.__new__(self.engine)
        Connection.__init__(connection)
        # What it would ask the server.
        connection.stores_rollups = lambda: True  # type: ignore[method-assign]
        connection.estimate = lambda sql: len(sql)  # type: ignore[method-assign]
        return connection


def _types(whole: str, number: str, text: str, date: str) -> dict[str, str]:
    return dict.fromkeys(hospital.COLUMNS, text) | {
        "patient_id": whole,
        "age": number,
        "admission_date": date,
    }


DIALECTS = (
    Dialect(DuckDB, "hospital.duckdb", "main", _types("BIGINT", "INTEGER", "VARCHAR", "DATE")),
    Dialect(
        Postgres,
        "postgresql://localhost/clinic",
        "public",
        _types("bigint", "integer", "text", "date"),
    ),
)


def _words(option: str, value: object) -> list[str]:
    flag = _FLAGS[option]
    if value is True:
        return [flag]
    if isinstance(value, list):
        values = [",".join(value)] if option in _LISTS else value
        return [word for text in values for word in (flag, _shell(text))]
    return [flag, _shell(str(value))]


def _shell(word: str) -> str:
    """In double quotes where a shell needs them; no question holds a quote or a dollar."""
    return word if re.fullmatch(r"[\w,.%]+", word) else f'"{word}"'


def statements(question: Question, dialect: Dialect) -> tuple[Statement, ...]:
    table = dialect.table(question.where)
    planned = getattr(table, f"explain_{question.verb}")(**question.options)
    # A search names its strategy before its statements.
    found: tuple[Statement, ...] = planned if isinstance(planned[0], Statement) else planned[1]
    return found


def sent(question: Question, dialect: Dialect) -> list[tuple[str, tuple[str, ...]]]:
    """The purpose of each statement, and all that is sent for it."""
    connection = dialect.connection()
    return [(s.purpose, connection.script(s)) for s in statements(question, dialect)]


def render(question: Question, dialect: Dialect) -> str:
    """The file: what is asked, as a sentence and as a command, and each statement's purpose."""
    lines = [
        f"-- {question.says}",
        f"-- $ {question.command(dialect.source)}",
        "-- Written by `make sql`; nothing reads it at run time.",
    ]
    parts = [
        "\n".join([f"-- {purpose}", *(f"{sql};" for sql in script)])
        for purpose, script in sent(question, dialect)
    ]
    return "\n\n".join(["\n".join(lines), *parts]) + "\n"


def files() -> Iterator[tuple[Path, str]]:
    """Every file with its content."""
    for dialect in DIALECTS:
        for question in QUESTIONS:
            yield FOLDER / dialect.name / f"{question.name}.sql", render(question, dialect)
        if schedules_jobs(dialect.source):
            tables = {example: dialect.table(example.entry.where) for example in EXAMPLES}
            yield from job_files(FOLDER / dialect.name / "jobs", tables, dialect.engine.engine)


def main() -> None:
    written = dict(files())
    for path in FOLDER.rglob("*.sql"):
        if path not in written:
            path.unlink()
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    SCHEMA.write_text(json.dumps(policy_schema(), indent=2) + "\n", encoding="utf-8")
    print(f"{len(written)} files in {FOLDER}, and {SCHEMA.name}")


if __name__ == "__main__":
    main()
