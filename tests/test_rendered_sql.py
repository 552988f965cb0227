"""sql/ holds what we send: current, complete, and true of a real database."""

from __future__ import annotations

import shlex

import pytest

import sqldiag
from fixtures import hospital
from sqldiag.cli.main import run
from tests.databases import Database
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
