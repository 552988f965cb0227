"""sql/ holds what we send: current, complete, and true of a real database."""

from __future__ import annotations

import shlex

import pytest

import sqldiag
from fixtures import hospital
from sqldiag.cli.main import run
from sqldiag.running.asked import check_options
from tests.databases import Database, PostgresDatabase
from tests.render_jobs import EXAMPLES, Example
from tests.render_sql import DIALECTS, FOLDER, QUESTIONS, Dialect, Question, files, sent


def dialect_of(db: Database) -> Dialect:
    return next(dialect for dialect in DIALECTS if dialect.engine.engine == db.engine)


def test_committed_files_are_current() -> None:
    rendered = dict(files())
    committed = {path: path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.sql")}
    stale = sorted(
        str(path.relative_to(FOLDER))
        for path in rendered.keys() | committed.keys()
        if rendered.get(path) != committed.get(path)
    )
    assert not stale, "run `make sql` and look at what changed"


def test_no_two_questions_share_a_file() -> None:
    assert len({question.name for question in QUESTIONS}) == len(QUESTIONS)


def test_the_table_is_described_as_the_catalogue_does(db: Database) -> None:
    db.execute(hospital.create_sql(10))
    with sqldiag.connect(db.url) as database:
        assert database.table("hospital").relation == dialect_of(db).relation()


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_the_command_sends_what_the_file_says(
    db: Database, question: Question, capsys: pytest.CaptureFixture[str]
) -> None:
    db.execute(hospital.create_sql(10))
    command = shlex.split(question.command(db.url))[1:]
    assert run([*command, "--explain"]) == 0
    printed = capsys.readouterr().out
    planned = sent(question, dialect_of(db))
    texts = ["\n".join(f"{sql};" for sql in script) + "\n" for _, script in planned]
    for text in texts:
        assert text in printed
    # Then only what the session asks for itself.
    after = printed.partition(texts[-1])[2].strip()
    assert not after or after.startswith("-- session: ")
    asked = printed.count("-- diagnosis: ") + printed.count("-- roll-up: ")
    assert asked == len(planned)
    # Whatever the answer, it is one: the database takes the statements.
    assert run([*command, "--quiet"]) in (0, 1)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_job_does_what_its_file_says(postgres_db: PostgresDatabase, example: Example) -> None:
    """Applied to a database as it stands there, twice, it runs and records a verdict."""
    postgres_db.execute(hospital.create_sql(200))
    script = (FOLDER / "postgres" / "jobs" / f"{example.name}.sql").read_text(encoding="utf-8")
    verdict = "fails" if example.entry.severity == "fail" else "warns"
    for _ in range(2):
        postgres_db.execute(script)
        assert postgres_db.query("SELECT sqldiag.run_hospital()") == [(verdict,)]
    with sqldiag.connect(postgres_db.url) as database:
        table = database.table("hospital", where=example.entry.where)
        check = table.check(**check_options(example.entry, {}))
    kept = "SELECT status, row_count, rows_to_suppress FROM sqldiag.results"
    assert postgres_db.query(kept) == [(verdict, check.source.rows, check.rows_to_suppress)] * 2
