"""Names, URLs and conditions made up at random: read rightly or refused, nothing in between."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlglot import exp, parse

import sqldiag
from sqldiag.cli.start import hide_passwords
from sqldiag.engines import looks_like_source, open_source
from sqldiag.errors import BadInput, SqldiagError
from sqldiag.limits import Limits
from sqldiag.planner.source import parse_condition, parse_query
from tests.databases import Database

# Letters of all kinds, and those that mean something to SQL, a shell, a URL or a terminal.
HOSTILE = st.text(
    st.one_of(
        st.sampled_from("\"'`;-/*\\$%(){}[]<>|&?#@:,. \t\n\r\x1b\x7f=+~^!_"),
        st.characters(exclude_categories=["Cs"], exclude_characters="\x00"),
    ),
    min_size=1,
    max_size=20,
)


def fits(name: str) -> bool:
    """Postgres cuts a name after 63 bytes."""
    return 0 < len(name.encode()) <= 63


@settings(max_examples=20)
@given(st.lists(HOSTILE.filter(fits), min_size=4, max_size=4, unique_by=str.casefold))
@example(['"; DROP TABLE t; --', "q1", "n", "sqldiag_1"])
@example(["${HOME}", "%s", "{name}", "a\\"])
def test_any_identifier(db: Database, names: list[str]) -> None:
    """Names of the table and of its columns, in every role: the answer is that of plain names."""
    table, a, b, s = names
    rows = [(i % 3, i % 2, i % 4) for i in range(24)]
    try:
        db.load(table, [a, b, s], rows)
    except Exception as error:
        # What the database itself cannot be told is not for us to read either.
        if type(error).__name__ in ("CatalogException", "ParserException"):
            return
        raise
    with sqldiag.connect(db.url) as database:
        relation = database.table(table)
        measured = relation.measure(qi=[a, b], measures=["k"], sensitive=[s])
        assert measured.value("k") == 4
        assert measured.risk.classes == 6
        found = relation.borders(among=[a, b], require=["k >= 5"])
        assert {one.quasi_identifiers for one in found.unsafe} == {(a, b)}
    quoted = '"' + table.replace('"', '""') + '"'
    db.execute(f"DROP TABLE {quoted}")


URLS = st.one_of(
    HOSTILE,
    HOSTILE.map("postgresql://".__add__),
    HOSTILE.map("postgres+psycopg://u:serinus@".__add__),
    HOSTILE.map(lambda text: f"postgresql://u:serinus{text}@h/d"),
    HOSTILE.map(lambda text: f"postgresql://u:serinus@h/d?{text}"),
    HOSTILE.map("duckdb:///".__add__),
    HOSTILE.map("duckdb://".__add__),
    HOSTILE.map(lambda text: f"duckdb:///:memory:?{text}"),
    HOSTILE.map(lambda text: f"{text}://u:serinus@h"),
)


@settings(max_examples=300)
@given(text=URLS)
@example(text="postgresql://[::1")
@example(text="duckdb:///%00")
@example(text="duckdb://[")
@example(text="~nobody-of-this-name")
@example(text="~\x00")
@example(text="~\ud800")
@example(text="postgresql://u:serinus@h:x/d")
def test_any_url(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source is opened or refused with a sentence, which never holds the password."""

    def refuse(*_: object, **__: object) -> None:
        raise psycopg.OperationalError("nobody is there")

    # Nothing goes out into the network: what counts is what is made of the text.
    monkeypatch.setattr(psycopg, "connect", refuse)
    monkeypatch.chdir(tmp_path)
    looks_like_source(text)
    said = ""
    try:
        open_source(text).connection.close()
    except SqldiagError as error:
        said = error.sentence
    assert "u:serinus" not in text or "serinus" not in said
    assert len(said) < 600
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - a file that was made would be ours


@given(HOSTILE)
def test_any_password_is_hidden(password: str) -> None:
    hide_passwords([f"postgresql://u:{password}@h/d", f"postgresql://h/d?password={password}"])


PIECES = st.sampled_from(
    [
        *("a", "b", "1", "'x'", "NULL", "TRUE", "=", "<", ">", "AND", "OR", "NOT", "(", ")", ","),
        *(";", "--", "/*", "*/", "'", '"', "$$", "\\", "UNION", "SELECT", "FROM t", "WHERE"),
        *("GROUP BY", "HAVING", "ORDER BY 1", "LIMIT 1", "OFFSET 1", "FOR UPDATE", "INTO x"),
        *("IN", "EXISTS", "CASE", "WHEN", "THEN", "END", "COUNT(*)", "DELETE FROM t", "DROP"),
        *("INSERT INTO t VALUES (1)", "RETURNING *", "WITH x AS (", "COPY t TO 'x'", "::int"),
        *("WINDOW w AS ()", "TABLESAMPLE", "QUALIFY", "FETCH FIRST ROW ONLY", "EXCEPT", "\n"),
    ]
)
CONDITIONS = st.one_of(HOSTILE, st.lists(PIECES, min_size=1, max_size=8).map(" ".join))
WRITES = (exp.Insert, exp.Update, exp.Delete, exp.Drop, exp.Create, exp.Copy, exp.Command, exp.Into)


@settings(max_examples=400)
@given(CONDITIONS, st.sampled_from(["duckdb", "postgres"]))
@example("TRUE) OR (TRUE", "postgres")
@example("TRUE UNION SELECT 1", "postgres")
@example("TRUE; DROP TABLE t", "duckdb")
def test_any_condition(text: str, dialect: str) -> None:
    """What is let in is one expression, stays within its place, and writes nothing."""
    try:
        condition = parse_condition(text, dialect)
    except BadInput:
        return
    rendered = exp.select("1").from_("t").where(condition).sql(dialect)
    trees = parse(rendered, dialect=dialect)
    assert len(trees) == 1, rendered
    [tree] = trees
    assert isinstance(tree, exp.Select), rendered
    given = {name for name, value in tree.args.items() if value}
    assert {name.rstrip("_") for name in given} == {"expressions", "from", "where"}, rendered
    assert not any(tree.find_all(*WRITES)), rendered


@settings(max_examples=200)
@given(CONDITIONS, st.sampled_from(["duckdb", "postgres"]))
@example("FETCH FIRST ROW ONLY", "duckdb")
def test_any_query(text: str, dialect: str) -> None:
    try:
        query = parse_query(f"SELECT {text}", dialect)
    except BadInput:
        return
    trees = parse(exp.select("*").from_(query.subquery("q")).sql(dialect), dialect=dialect)
    assert len(trees) == 1
    assert isinstance(trees[0], exp.Select)
    assert not any(trees[0].find_all(*WRITES))


@settings(max_examples=30)
@given(st.lists(PIECES, min_size=1, max_size=6).map(" ".join))
def test_any_condition_runs_or_is_refused(db: Database, text: str) -> None:
    """Whatever happens, it is an answer or a sentence, and the table is what it was."""
    db.load("t", ["a", "b"], [(1, 2), (1, 2), (3, 4)])
    with contextlib.suppress(SqldiagError), sqldiag.connect(db.url) as database:
        database.table("t", where=text).measure(qi=["a"])
    assert db.query("SELECT COUNT(*) FROM t") == [(3,)]


@given(HOSTILE)
def test_a_size_is_a_size(text: str) -> None:
    """What reaches the server as a setting is digits and a unit."""
    try:
        limits = Limits(work_mem=text)
    except BadInput:
        return
    assert limits.work_mem is not None
    assert limits.work_mem[-2:] in ("kB", "MB", "GB", "TB")
    assert limits.work_mem[:-2].isdecimal()


def test_a_quoted_password(tmp_path: Path) -> None:
    """Percent-encoded, a password may hold anything."""
    secret = quote("p@ss/w:rd?#%", safe="")
    with pytest.raises(SqldiagError) as caught:
        open_source(f"postgresql://u:{secret}@127.0.0.1:1/d?connect_timeout=2")
    assert "p@ss" not in str(caught.value)
