"""A user's own SQL means to sqldiag what it means to the database."""

from __future__ import annotations

import datetime

import pytest

import sqldiag
from sqldiag.errors import BadInput
from tests.databases import Database, DuckDBDatabase

TYPES = {
    "age": "INTEGER",
    "sex": "TEXT",
    "zip": "TEXT",
    "d": "DATE",
    "x": "DOUBLE PRECISION",
    "ok": "BOOLEAN",
}
ROWS = [
    (
        age,
        ("F", "M", None, "f")[age % 4],
        ("1000", "10%0", "2_00", None, "a\\b", "a'b")[age % 6],
        datetime.date(2020, 1, 1) + datetime.timedelta(days=age * 17),
        age / 3 if age % 5 else None,
        age % 3 == 0,
    )
    for age in range(40)
]

# Precedence, NULLs, escapes, division, types, subqueries: what a rewriting might get wrong.
CONDITIONS = (
    *("age / 10 = 2", "age % 7 = 3", "age / 2.0 > 9.4", "-age < -5", "- - age = 5", "age ^ 2 = 25"),
    *("10 / (age + 1) = 2", "100 / 10 / (age + 1) = 2", "age - 2 - 1 = 4", "age - (2 - 1) = 4"),
    *("NOT age > 5 AND sex = 'F'", "age > 5 OR sex = 'F' AND ok", "(age > 5 OR sex = 'F') AND ok"),
    *("ok", "NOT ok", "ok IS NOT TRUE", "ok IS UNKNOWN", "(age > 5) = ok", "NOT ok = TRUE", "TRUE"),
    *("sex IS DISTINCT FROM 'F'", "sex IS NOT DISTINCT FROM NULL", "sex <> 'F'", "NOT sex = 'F'"),
    *("sex IN ('F', NULL)", "sex NOT IN ('F', 'M')", "sex NOT IN ('F', NULL)", "x = x"),
    *("zip LIKE '10%'", "zip LIKE '10!%0' ESCAPE '!'", "zip LIKE '2\\_%'", "zip = 'a\\b'"),
    *("zip = 'a''b'", "zip ILIKE 'A%'", "zip NOT LIKE '1%'", "zip SIMILAR TO '1_*'"),
    *("age BETWEEN 10 AND 5", "age NOT BETWEEN 5 AND 10", "COALESCE(sex, zip) = 'F'"),
    "CASE sex WHEN 'F' THEN 1 WHEN NULL THEN 2 ELSE 3 END = 3",
    *("d > '2021-01-01'", "d + 1 > DATE '2021-01-01'", "d - DATE '2020-01-01' > 100"),
    *("EXTRACT(DOW FROM d) = 0", "EXTRACT(ISODOW FROM d) = 7", "EXTRACT(WEEK FROM d) = 1"),
    *("date_trunc('month', d) = d", "d > DATE '2020-01-01' + INTERVAL '1' MONTH", "now() > d"),
    *("age::text || 'x' = '5x'", "x::int = 3", "CAST(x AS INTEGER) = 2", "ROUND(x) = 3"),
    *(
        "x::decimal(10, 2) = 1.67",
        "age::float8 / 2 = 2.5",
        "age = 1e1",
        "x < 1e-3",
        "log(age + 1) > 1",
    ),
    *("SUBSTRING(zip FROM 1 FOR 2) = '10'", "TRIM(LEADING '1' FROM zip) = '000'"),
    *("CONCAT(sex, NULL) = 'F'", "sex || NULL IS NULL", "GREATEST(age, NULL) = 5", "sex > 'F'"),
    "EXISTS (SELECT 1 FROM t AS u WHERE u.age = t.age + 1 AND u.ok)",
    *("age IN (SELECT age FROM t WHERE ok)", "age = (SELECT MAX(age) FROM t)", "t.age = 5"),
    *("age > ALL (SELECT age FROM t WHERE age < 10)", "(sex, age) = ('F', 4)", "age & 1 = 1"),
    *(
        "age > 5 -- all",
        "age /* ( */ > 5",
        "age > 5 AND -- and\n sex = 'F'",
        "REPLACE(zip, '0', '') = '1'",
    ),
)
OF_ENGINE = {
    "postgres": (
        *("sex ~ '^[FM]$'", "sex !~* 'F'", "E'a\\\\b' = zip", "$$a'b$$ = zip", "U&'\\0046' = sex"),
        *("age BETWEEN SYMMETRIC 10 AND 5", "ARRAY[1, 2] @> ARRAY[age]", "age <@ int4range(2, 5)"),
        *("('{\"a\":' || age || '}')::jsonb ->> 'a' = '5'", "jsonb_build_object('a', age) ? 'a'"),
        *(
            "zip LIKE ANY (ARRAY['10%', '2%'])",
            "age = ANY ('{1,2,3}')",
            "zip ^@ '10'",
            "|/ age > 3",
        ),
        *("(string_to_array(zip, '0'))[1] = '1'", "d AT TIME ZONE 'UTC' > '2021-01-01'"),
        *("row(age, sex) = row(4, 'F')", "sex::char(3) = 'F'", "to_char(d, 'Day') LIKE 'Sun%'"),
    ),
    "duckdb": (
        *(
            "age // 10 = 2",
            "sex GLOB '[FM]'",
            "sex ~ 'F'",
            "regexp_matches(zip, '^1')",
        ),
        *("list_contains([1, 2, 3], age)", "[age, 5][1] = 5", "{'a': age}.a = 5", "age IN [1, 2]"),
        *("len(list_filter([age, 5], lambda y: y > 6)) = 1", "zip[1] = '1'", "zip[1:2] = '10'"),
        *("date_diff('month', DATE '2020-01-31', d) = 1", "d + INTERVAL (age) DAY > '2021-01-01'"),
        *("TRY_CAST(zip AS INTEGER) IS NULL", "date_sub('month', DATE '2020-01-31', d) = 1"),
        *("age ** 2 = 25", "age % -7 = 3", "e'a\\\\b' = zip", "$$a'b$$ = zip", "sex == 'F'"),
        *("map {'a': age}['a'] = 5", "strftime(d, '%Y') = '2020'", "dayofweek(d) = 0"),
    ),
}
QUERIES = (
    *("SELECT age / 10 AS a FROM t", "SELECT DISTINCT sex AS a FROM t", "(SELECT age AS a FROM t)"),
    "SELECT sex AS a, COUNT(*) AS b FROM t GROUP BY 1 HAVING COUNT(*) > 9 ORDER BY 2, 1 LIMIT 3",
    "SELECT t.age AS a FROM t LEFT JOIN t AS u ON u.age = t.age + 1 WHERE u.age IS NULL",
    "WITH RECURSIVE r(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM r WHERE a < 9) SELECT a FROM r",
    *("SELECT age AS a FROM t UNION SELECT 5", "SELECT age AS a FROM t UNION ALL SELECT 5"),
    *("SELECT age AS a FROM t EXCEPT SELECT 5", "SELECT age AS a FROM t ORDER BY x DESC LIMIT 9"),
    "(SELECT age AS a FROM t ORDER BY x LIMIT 9) UNION ALL (SELECT 7)",
    "SELECT SUM(age) OVER (PARTITION BY sex ORDER BY age ROWS 2 PRECEDING) AS a FROM t",
    "SELECT COUNT(*) FILTER (WHERE ok) AS a FROM t GROUP BY ROLLUP (sex, ok)",
    "SELECT x.a FROM t CROSS JOIN LATERAL (SELECT t.age % 3 AS a) AS x",
    "SELECT a FROM (VALUES (1), (2), (2)) AS v(a)",
    "SELECT lag(age) OVER w AS a FROM t WINDOW w AS (PARTITION BY sex ORDER BY age)",
    "SELECT DISTINCT ON (sex) sex, age AS a FROM t ORDER BY sex, age DESC",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY age) AS a FROM t GROUP BY sex",
    "SELECT unnest(ARRAY[1, 2, 2]) AS a",
)


@pytest.fixture
def loaded(db: Database) -> Database:
    db.load("t", TYPES, ROWS)
    return db


def test_conditions(loaded: Database) -> None:
    conditions = [*CONDITIONS, *OF_ENGINE[loaded.engine]]
    counts = ", ".join(f"(SELECT COUNT(*) FROM t WHERE {condition}\n)" for condition in conditions)
    (expected,) = loaded.query(f"SELECT {counts}")
    with sqldiag.connect(loaded.url) as database:
        for condition, rows in zip(conditions, expected, strict=True):
            table = database.table("t", where=condition)
            if rows == 0:
                with pytest.raises(BadInput, match="no rows that match --where"):
                    table.measure(qi=["age"])
            else:
                assert table.measure(qi=["age"]).source.rows == rows, condition


def test_queries(loaded: Database) -> None:
    with sqldiag.connect(loaded.url) as database:
        found = []
        for query in QUERIES:
            answer = database.query(query).measure(qi=["a"])
            found.append((answer.source.rows, answer.risk.classes, answer.value()))
    for query, figures in zip(QUERIES, found, strict=True):
        grouped = f"SELECT COUNT(*) AS n FROM ({query}) AS q GROUP BY a"
        assert loaded.query(f"SELECT SUM(n), COUNT(*), MIN(n) FROM ({grouped}) AS g") == [figures]


def test_what_would_be_rewritten_is_refused(
    duckdb_db: DuckDBDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    """DuckDB has no such function; leaving out what it lacks would give another answer."""
    duckdb_db.load("t", TYPES, ROWS)
    with sqldiag.connect(duckdb_db.url) as database, pytest.raises(BadInput, match=r"(?i)to_?char"):
        database.table("t", where="TO_CHAR(d, 'YYYY') <> 'x'").measure(qi=["age"])
    assert caplog.records == []


@pytest.mark.parametrize("text", ["(" * 3000 + "1" + ")" * 3000, "NOT " * 5000 + "TRUE"])
def test_endless_sql(loaded: Database, text: str) -> None:
    with sqldiag.connect(loaded.url) as database:
        with pytest.raises(BadInput, match="--where"):
            database.table("t", where=text)
        with pytest.raises(BadInput, match="--query"):
            database.query(f"SELECT {text} AS a")
