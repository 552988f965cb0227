"""The base table is read at most twice, and for a second question not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import sqldiag
from fixtures import hospital
from sqldiag.answers import Borders, Subsets
from sqldiag.asking import SearchOptions, SubsetsOptions
from sqldiag.engines.base import Kind, Statement
from tests import oracle
from tests.command import shared_database
from tests.conftest import ENGINES
from tests.databases import Database
from tests.oracle import M, R
from tests.statements import BASE, Sent, recording

COLUMNS = ("age", "sex", "zip", "ward", "flag_01", "code_03")
ROWS = 600
K = ["k >= 2"]


@pytest.fixture(scope="module", params=ENGINES)
def db(request: pytest.FixtureRequest) -> Iterator[Database]:
    """600 admissions, some columns of which hold NULLs, and a view of them."""
    for database in shared_database(request, "rollups"):
        database.execute(hospital.create_sql(ROWS, table=BASE, flags=3))
        database.execute(f"UPDATE {BASE} SET ward = NULL WHERE age % 7 = 0")
        database.execute(f"CREATE VIEW seen AS SELECT * FROM {BASE}")
        yield database


def table_rows(db: Database) -> list[dict[str, object]]:
    names = (*COLUMNS, "patient_id", "diagnosis")
    return [
        dict(zip(names, row, strict=True))
        for row in db.query(f"SELECT {', '.join(names)} FROM {BASE}")
    ]


def checked(answer: Borders | Subsets, sent: Sent, most: int) -> None:
    cost = answer.searched.cost
    assert answer.searched.complete
    assert sent.reads == cost.base_scans <= most
    assert cost.sets_evaluated > 2
    assert cost.statements == len(sent.executed) - len(sent.of(Kind.SETUP))
    assert cost.rollups == sum(done.statement.stores is not None for done in sent.executed)


BORDERS: list[SearchOptions] = [
    {"require": K},
    {"require": K, "strategy": "apriori"},
    {"require": ["k >= 3"], "suppress": "10%"},
    {"require": ["k >= 2"], "suppress": "50%", "strategy": "apriori"},
    {"require": K, "max_size": 2},
    {"require": K, "entity": "patient_id"},
    {"require": [*K, "distinct_l(diagnosis) >= 2"], "suppress": "5%"},
    {"require": ["frequency_l(diagnosis) >= 2"], "suppress": "50%"},
]


@pytest.mark.parametrize("options", BORDERS, ids=str)
def test_borders_read_the_table_at_most_twice(db: Database, options: SearchOptions) -> None:
    with recording(db) as (database, sent):
        asked: SearchOptions = {"among": COLUMNS, **options}
        answer = database.table(BASE).borders(**asked)
        checked(answer, sent, 2)


SUBSETS: list[SubsetsOptions] = [
    {},
    {"all": True},
    {"require": K, "suppress": "1%"},
    {"curve": True, "max_size": 3},
    {"entity": "patient_id"},
    {"measures": ["k", "entropy_l(diagnosis)"], "max_size": 2},
]


@pytest.mark.parametrize("options", SUBSETS, ids=str)
def test_subsets_read_the_table_at_most_twice(db: Database, options: SubsetsOptions) -> None:
    with recording(db) as (database, sent):
        asked: SubsetsOptions = {"among": COLUMNS, **options}
        answer = database.table(BASE).subsets(**asked)
        checked(answer, sent, 2)


def test_all_columns(db: Database) -> None:
    """Those that tell everybody apart by themselves included."""
    with recording(db) as (database, sent):
        table = database.table(BASE)
        checked(table.borders(require=K), sent, 2)
        sent.clear()
        checked(table.subsets(), sent, 0)


@pytest.mark.parametrize(
    "relation",
    [
        lambda database: database.table("seen"),
        lambda database: database.query(f"SELECT * FROM {BASE}"),
        lambda database: database.table(BASE, where="age > 30"),
    ],
    ids=["view", "query", "where"],
)
def test_other_relations_are_read_as_seldom(
    db: Database, relation: Callable[[sqldiag.Database], sqldiag.Table]
) -> None:
    with recording(db) as (database, sent):
        table = relation(database)
        first = table.borders(require=K, among=COLUMNS)
        assert first.searched.cost.base_scans <= 2
        marked = [done for done in sent.executed if done.statement.reads_base]
        assert len(marked) == first.searched.cost.base_scans
        # Through the view the table's own name is not seen.
        named = "seen" if table.relation.name == "seen" else BASE
        for done in sent.executed:
            if done.statement.kind is not Kind.CATALOGUE:
                names = any(named in sql for sql in done.script)
                assert names == done.statement.reads_base
        sent.clear()
        table.subsets(among=COLUMNS)
        assert not any(done.statement.reads_base for done in sent.executed)


SECOND: list[tuple[str, SearchOptions]] = [
    ("the same", {"require": K, "among": COLUMNS}),
    ("another k", {"require": ["k >= 5"], "among": COLUMNS}),
    ("under suppression", {"require": K, "suppress": "10%", "among": COLUMNS}),
    ("fewer columns", {"require": K, "among": ("ward", "sex", "age")}),
    ("one column", {"require": K, "among": ("zip",)}),
    ("fewer at once", {"require": K, "among": COLUMNS, "max_size": 2}),
    ("apriori", {"require": K, "among": COLUMNS, "strategy": "apriori"}),
]


def test_a_second_question_reads_nothing(db: Database) -> None:
    rows = table_rows(db)
    with recording(db) as (database, sent):
        table = database.table(BASE)
        table.borders(require=K, among=COLUMNS)
        assert sent.reads in (1, 2)
        for title, options in SECOND:
            sent.clear()
            second = table.borders(**options)
            assert sent.reads == second.searched.cost.base_scans == 0, title
            among = options["among"]
            [text] = options["require"]
            safe, unsafe = oracle.borders(
                rows,
                [name for name in COLUMNS if name in among],
                [R(M("k"), int(text.split()[-1]))],
                0.1 if "suppress" in options else 0,
                max_size=options.get("max_size"),
            )
            assert {found.quasi_identifiers for found in second.safe} == safe, title
            assert {found.quasi_identifiers for found in second.unsafe} == unsafe, title
            sent.clear()
            listed: SubsetsOptions = {"among": among, "max_size": 2}
            assert table.subsets(**listed).searched.cost.base_scans == sent.reads == 0, title


def test_a_second_question_counts_its_own_nulls(db: Database) -> None:
    """Rows with a NULL are those with one in the columns of this question."""
    rows = table_rows(db)
    with sqldiag.connect(db.url) as database:
        table = database.table(BASE)
        for among in (COLUMNS, ("age", "sex"), ("sex", "ward"), ("ward",), COLUMNS):
            answer = table.borders(require=K, among=among)
            assert answer.searched.source.null_rows == oracle.null_rows(rows, among), among
            assert answer.searched.source.rows == ROWS


def test_another_table_is_another_matter(db: Database) -> None:
    """A roll-up serves the relation it was made of, and no other."""
    with recording(db) as (database, sent):
        whole = database.table(BASE).borders(require=K, among=COLUMNS)
        sent.clear()
        some = database.table(BASE, where="age > 60").borders(require=K, among=COLUMNS)
        assert sent.reads == some.searched.cost.base_scans > 0
        assert some.searched.source.rows < whole.searched.source.rows
        sent.clear()
        people = database.table(BASE).borders(require=K, among=COLUMNS, entity="patient_id")
        assert sent.reads == people.searched.cost.base_scans > 0
        assert people.searched.source.entities is not None


@pytest.mark.parametrize("strategy", ["apriori", "auto"])
def test_rollups_follow_the_columns_that_are_alive(db: Database, strategy: str) -> None:
    """What misses by itself is in no set that is still open: the rest is rolled up without it."""
    with recording(db) as (database, sent):
        answer = database.table(BASE).borders(
            require=["k >= 10"],
            among=("age", "flag_01", "zip", "flag_02", "code_03"),
            strategy=strategy,
        )
        dead = [f.quasi_identifiers[0] for f in answer.unsafe if len(f.quasi_identifiers) == 1]
        assert set(dead) == {"age", "zip"}
        sizes = stored_sizes(database, sent)
        first = next(i for i, d in enumerate(sent.executed) if d.statement.kind is Kind.DIAGNOSIS)
        narrowed = [
            done.statement.stores
            for done in sent.executed[first:]
            if done.statement.stores is not None
        ]
        assert narrowed
        last = [done for done in sent.executed if done.statement.kind is not Kind.SETUP][-1]
        assert last.statement.kind is Kind.DIAGNOSIS
        used = [name for name in narrowed if name in last.script[0]]
        assert used, "the last sets come from a roll-up of the columns that are left"
        assert sizes[used[0]] <= 2 * 2 * 5 < max(sizes.values())


def stored_sizes(database: sqldiag.Database, sent: Sent) -> dict[str, int]:
    """The rows of every roll-up that is still there."""
    dropped = {sql.split(".")[-1] for d in sent.executed for sql in d.script if "DROP" in sql}
    names = [d.statement.stores for d in sent.executed if d.statement.stores is not None]
    connection = database.session.connection
    placed = connection.capabilities.temporary_schema
    sizes = {}
    for name in names:
        if name not in dropped:
            counted = Statement(sql=f"SELECT COUNT(*) FROM {placed}.{name}", purpose="")
            sizes[name] = int(str(connection.run(counted)[0][0]))
    # What was asked here is not what the search sent.
    del sent.executed[-len(sizes) :]
    return sizes
