"""`sqldiag run --report`: an index and a page per table, beside the same verdicts."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from tests.command import refused, sqldiag
from tests.databases import Database, DuckDBDatabase, PostgresDatabase
from tests.policies import COLUMNS, entry, patients, run_json, write
from tests.test_canary import CANARIES, ROWS, TYPES

HOSTILE = "<img src=x onerror=alert(1)>\"/../it's"
TREND = "How did k change?"


def told(path: Path) -> str:
    """What a reader sees of a page, roughly."""
    return html.unescape(re.sub(r"<[^>]*>", " ", path.read_text(encoding="utf-8")))


def links(index: Path) -> list[str]:
    return re.findall(r'<th scope="row"><a href="([^"]+)"', index.read_text(encoding="utf-8"))


def without_times(found: dict[str, object]) -> str:
    """A run's object without what differs each time."""
    text = repr({k: v for k, v in found.items() if k not in ("run", "at", "seconds")})
    return re.sub(r"'(seconds|at|since)': ('[^']*'|[\d.e-]+)", "", text)


def test_tables_of_two_databases_with_one_missing(
    duckdb_db: DuckDBDatabase, postgres_db: PostgresDatabase, tmp_path: Path
) -> None:
    tables = [entry("gone", connection="prod")]
    for name, db in (("lake", duckdb_db), ("prod", postgres_db)):
        db.load("good", COLUMNS, patients())
        db.load("bad", COLUMNS, patients(group=3))
        tables += [entry(table, connection=name) for table in ("good", "bad")]
        tables.append(entry("good", connection=name, name=f"{HOSTILE} {name}"))
    policy = write(
        tmp_path / "p.toml",
        {"lake": duckdb_db.url, "prod": postgres_db.url},
        *tables,
        history={"url": f"duckdb:///{tmp_path}/h.duckdb"},
    )
    plain = run_json(
        write(
            tmp_path / "q.toml", {"lake": duckdb_db.url, "prod": postgres_db.url}, *tables, name="p"
        )
    )
    site = tmp_path / "deep" / "site"
    index = site / "index.html"
    for number, parallel in enumerate(("1", "3")):
        code, found = run_json(policy, "--report", site, "--parallel", parallel)
        assert code == plain[0] == 2
        assert [without_times(r["check"] or {}) for r in found["results"]] == [
            without_times(r["check"] or {}) for r in plain[1]["results"]
        ]
        shown = told(index)
        assert "Of 7 tables, 2 do not hold, 4 hold, 1 could not be diagnosed." in shown
        assert "there is no table or view gone" in shown
        assert HOSTILE in shown
        assert "<img" not in index.read_text(encoding="utf-8")
        assert len(links(index)) == len(set(links(index))) == 6
        assert {path.name for path in site.iterdir()} == {"index.html", *links(index)}
        for link in links(index):
            page = site / link
            assert "<img" not in page.read_text(encoding="utf-8")
            # Two names for one question are one point of its trend.
            assert (TREND in told(page)) == (number == 1), (link, number)
            assert ("do not hold for" in told(page)) == ("bad" in link)


def test_searches_side_by_side_in_one_file(duckdb_db: DuckDBDatabase, tmp_path: Path) -> None:
    """Connections of one process to a file share what is attached to it."""
    duckdb_db.load("t", COLUMNS, patients())
    tables = [entry("t", name=f"n{i}", borders={"max_size": 2}) for i in range(8)]
    policy = write(tmp_path / "p.toml", {"c": duckdb_db.url}, *tables)
    code, found = run_json(policy, "--parallel", "4", "--report", tmp_path / "site")
    assert code == 0
    assert len({repr(r["borders"]["safe"]) for r in found["results"]}) == 1
    assert len(links(tmp_path / "site" / "index.html")) == 8


def test_a_hostile_table(db: Database, tmp_path: Path) -> None:
    name = '<img src=x onerror=alert(1)> "t"'
    db.load(name, COLUMNS, patients())
    policy = write(tmp_path / "p.toml", {"c": db.url}, entry(name))
    ran = sqldiag("run", policy, "--report", tmp_path / "site")
    assert (ran.code, ran.err) == (0, f"written to {tmp_path}/site/index.html\n")
    (link,) = links(tmp_path / "site" / "index.html")
    assert re.fullmatch(r"[a-z0-9-]+\.html", link)
    for file in ("index.html", link):
        assert name in told(tmp_path / "site" / file)
        assert "<img" not in (tmp_path / "site" / file).read_text(encoding="utf-8")


def test_numbers_are_those_of_check(db: Database, tmp_path: Path) -> None:
    """With all that a policy can ask: people, suppression, a search with its own columns."""
    db.load("t", COLUMNS, patients(group=4))
    asked = entry("t", entity="patient_id", suppress="10%", severity="warn")
    asked["borders"] = {"among": ["age", "sex"], "max_size": 1}
    policy = write(tmp_path / "p.toml", {"c": db.url}, asked)
    plain = run_json(policy)
    reported = run_json(policy, "--report", tmp_path / "site")
    assert without_times(plain[1]) == without_times(reported[1])
    assert plain[0] == reported[0] == 0
    page = told(tmp_path / "site" / "t.html")
    assert "8 rows (40%)" in page
    assert TREND not in page


def test_the_trend_tells_levels_under_suppression_and_drops(db: Database, tmp_path: Path) -> None:
    asked = entry("t", suppress="30%", max_drop="5%")
    history = {"url": f"duckdb:///{tmp_path}/h.duckdb"}
    policy = write(tmp_path / "p.toml", {"c": db.url}, asked, history=history)
    codes = []
    for group in (8, 7):
        db.execute("DROP TABLE IF EXISTS t")
        db.load("t", COLUMNS, patients(group=group))
        codes.append(sqldiag("run", policy, "--report", tmp_path / "site").code)
    assert codes == [0, 1]
    page = told(tmp_path / "site" / "t.html")
    assert "How did k after suppression change?" in page
    assert re.search(r"From 8 on [\d-]+ to 7 on", page)
    index = told(tmp_path / "site" / "index.html")
    assert "dropped too far" in index
    assert "k fell from 8 to 7" in index


def test_a_report_that_fails_fails_no_check(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.load("t", COLUMNS, patients())
    db.load("u", COLUMNS, patients(group=3))
    # A search among a column that there is not: only the page needs it.
    monkeypatch.setattr("sqldiag.running.table.report_options", _among_nothing)
    policy = write(tmp_path / "p.toml", {"c": db.url}, entry("t"), entry("u", severity="warn"))
    ran = sqldiag("run", policy, "--report", tmp_path / "site")
    assert ran.code == 0
    assert ran.err.startswith("sqldiag: t has no page: ")
    assert "1 holds, 1 warns: exit code 0" in ran.out
    index = told(tmp_path / "site" / "index.html")
    assert "Of 2 tables, 1 does not hold, 1 holds." in index
    assert "there is no page: " in index
    assert links(tmp_path / "site" / "index.html") == []


def _among_nothing(_: object, asked: dict[str, object]) -> dict[str, object]:
    return {**asked, "among": ["nothing"]}


def test_where_it_cannot_be_written(db: Database, tmp_path: Path) -> None:
    db.load("t", COLUMNS, patients())
    policy = write(tmp_path / "p.toml", {"c": db.url}, entry("t"))
    file = tmp_path / "file"
    file.touch()
    assert refused(sqldiag("run", policy, "--report", file), 2).endswith("name a directory")
    ran = sqldiag("run", policy, "--report", file / "below")
    assert ran.code == 3
    assert "1 holds" in ran.out
    assert ran.err.startswith(f"sqldiag: cannot make {file}/below: ")


def test_no_value_on_any_page(db: Database, tmp_path: Path) -> None:
    db.load("visits", TYPES, ROWS)
    tables = [
        {
            "table": "visits",
            "quasi_identifiers": ["zip", "sex", "number", "born"],
            "sensitive": ["diagnosis"],
            "entity": "patient",
            "identifiers": ["name"],
            "require": ["k >= 3", "distinct_l(diagnosis) >= 2"],
            "suppress": "10%",
            "severity": "warn",
        },
        {
            "name": "broken",
            "table": "visits",
            "where": "CAST(zip AS INTEGER) > 1",
            "quasi_identifiers": ["zip"],
            "require": ["k >= 3"],
        },
    ]
    history = {"url": f"duckdb:///{tmp_path}/h.duckdb"}
    policy = write(tmp_path / "p.toml", {"c": db.url}, *tables, history=history)
    for _ in range(2):
        assert sqldiag("run", policy, "--report", tmp_path / "site").code in (2, 3)
    pages = list((tmp_path / "site").iterdir())
    assert len(pages) == 2
    for page in pages:
        for canary in CANARIES:
            assert canary not in page.read_text(encoding="utf-8")
