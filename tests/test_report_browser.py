"""The report in a real browser: nothing is fetched, nothing complains, everything can be read."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import sqldiag
from fixtures import demo, generator, hospital
from sqldiag.names import join_list
from sqldiag.report.html.site import Entry, write_site
from sqldiag.report.html.trend import Trend
from tests import command
from tests.browser import DESK, PAPER, PHONE, BrowserMissing, Seen, look, started
from tests.databases import DuckDBDatabase

HOSTILE = "<img src=x onerror=alert(1)>"
WIDTHS = pytest.mark.parametrize("width", [DESK, PHONE])

# Marks that can be seen: of some size, in a colour that is not the paper's.
_MARKS = """charts => charts.map(chart => [...chart.querySelectorAll('.mark')].filter(mark => {
    const box = mark.getBoundingClientRect();
    return box.width + box.height > 1 && getComputedStyle(mark).display !== 'none';
}).length)"""
_CUT_OFF = """() => [...document.querySelectorAll('figure svg, figure svg text, h1, h2, p, td, dd')]
    .filter(one => one.closest('details') === null)
    .filter(one => one.closest('.scroll') === null)
    .map(one => [one.getBoundingClientRect(), one.textContent.trim()])
    .filter(([box]) => box.width > 0 && (box.left < -0.5 || box.right > innerWidth + 0.5))
    .map(([box, text]) => text)"""
_LETTERS = """() => [...document.querySelectorAll('figure text, figure p, figure td, figure th')]
    .map(one => parseFloat(getComputedStyle(one).fontSize))"""
_PAIRS = """() => {
    const light = colour => {
        const part = colour.match(/[0-9.]+/g).slice(0, 3).map(Number)
            .map(c => c / 255).map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
    };
    const behind = one => {
        for (let at = one; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if (!colour.endsWith(', 0)')) return colour;
        }
        return 'rgb(255, 255, 255)';
    };
    const found = [];
    const written = 'h1, h2, h3, h4, p, b, td, th, dt, dd, li, text, summary, .faint, .small';
    for (const one of document.querySelectorAll(written)) {
        const style = getComputedStyle(one);
        const ink = one.tagName === 'text' ? style.fill : style.color;
        const [a, b] = [light(ink), light(behind(one))].sort((x, y) => y - x);
        found.push([(a + 0.05) / (b + 0.05), one.tagName, one.textContent.trim().slice(0, 40)]);
    }
    return found;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    try:
        with started() as running:
            yield running
    except BrowserMissing as missing:
        pytest.fail(str(missing), pytrace=False)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's report, made by the demo's own command."""
    directory = tmp_path_factory.mktemp("demo")
    database, file = directory / "hospital.duckdb", directory / "report.html"
    generator.run(f"duckdb:///{database}", hospital.create_sql(demo.ROWS))
    words = shlex.split(demo.STEPS[-1].command.replace("\\\n", " "))[1:]
    real = {str(demo.DATABASE): str(database), str(demo.REPORT): str(file)}
    ran = command.sqldiag(*(real.get(word, word) for word in words))
    assert ran.code == demo.STEPS[-1].exits
    return file


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty columns, one of them with a hostile name, and hundreds of sets."""
    directory = tmp_path_factory.mktemp("wide")
    names = [*(f"column_{i:02d}_with_a_rather_long_name" for i in range(19)), HOSTILE]
    rows = [[(row * (2 * i + 3) // 7 + i) % (i % 5 + 3) for i in range(20)] for row in range(800)]
    database = DuckDBDatabase(directory / "wide.duckdb")
    database.load("<script>alert(2)</script>", names, rows)
    file = directory / "report.html"
    ran = command.sqldiag(
        *("report", database.url, "<script>alert(2)</script>", "--qi", join_list(names)),
        *("--require", "k >= 12", "--max-size", "3", "--output", file),
    )
    assert ran.code == 1, ran
    return file


def undisturbed(seen: Seen, file: Path) -> None:
    assert seen.said == []
    assert seen.requested == [file.as_uri()]


@WIDTHS
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_story(browser: Browser, story: Path, width: int, dark: bool) -> None:
    seen = look(browser, story, width=width, dark=dark)
    page = seen.page
    undisturbed(seen, story)
    marks = page.eval_on_selector_all("figure.chart", _MARKS)
    assert len(marks) == 4
    assert all(marks), marks
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(_CUT_OFF) == []
    assert min(page.evaluate(_LETTERS)) >= 11
    for contrast, tag, text in page.evaluate(_PAIRS):
        assert contrast >= 4.5, (tag, text)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(17, 22, 29)" if dark else "rgb(255, 255, 255)")
    page.close()


def test_the_verdict_is_that_of_check(browser: Browser, story: Path) -> None:
    checked = command.sqldiag(
        *("check", str(story.with_name("hospital.duckdb")), "hospital", "--qi", "age,sex,zip"),
        *("--entity", "patient_id", "--require", "k >= 5", "--suppress", "1%"),
    )
    said = re.search(r"^✗ (.+)\n(.+)$", checked.out, re.MULTILINE)
    assert said is not None
    seen = look(browser, story)
    assert seen.texts(".verdict .sentence") == [said[1]]
    assert said[2] in seen.texts(".verdict p")
    assert seen.texts(".verdict .label") == ["It does not hold"]
    assert seen.texts(".verdict .sign") == ["✗"]
    seen.page.close()


@pytest.mark.parametrize("which", ["story", "wide"])
def test_can_be_read_aloud(browser: Browser, which: str, request: pytest.FixtureRequest) -> None:
    """Headings in order; a name and a table of numbers for every chart, a head for every table."""
    seen = look(browser, request.getfixturevalue(which))
    page = seen.page
    levels = page.eval_on_selector_all("h1, h2, h3, h4", "all => all.map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for figure in page.locator("figure").all():
        assert figure.locator("figcaption h3").inner_text()
        assert figure.locator("figcaption p").inner_text()
        assert figure.locator("details table tbody tr").count()
    named = "all => all.every(s => s.ariaHidden === 'true' || s.getAttribute('aria-label'))"
    assert page.eval_on_selector_all("svg", named)
    assert page.eval_on_selector_all("table", "all => all.every(t => t.querySelector('thead th'))")
    assert page.evaluate("document.documentElement.lang") == "en"
    page.close()


@WIDTHS
def test_many_columns_and_sets(browser: Browser, wide: Path, width: int) -> None:
    assert wide.stat().st_size < 1_500_000
    seen = look(browser, wide, width=width)
    page = seen.page
    undisturbed(seen, wide)
    said = seen.texts("figure.chart-matrix figcaption p")[0]
    counts = [
        int(number.replace(",", "")) for number in re.findall(r"([\d,]+) \w+ (?:un)?safe", said)
    ]
    assert sum(counts) >= 200, said
    assert all(page.eval_on_selector_all("figure.chart", _MARKS))
    assert page.locator("table.matrix tbody tr").count() < 60
    assert any("not drawn here" in text for text in seen.texts("tr.rest"))
    assert page.locator("figure.chart-matrix th.column").count() == 20
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(_CUT_OFF) == []
    assert min(page.evaluate(_LETTERS)) >= 11
    page.close()


def test_hostile_names_are_text(browser: Browser, wide: Path) -> None:
    seen = look(browser, wide)
    assert seen.page.locator("img, script, b > b").count() == 0
    assert HOSTILE in seen.page.inner_text("h2 + .asked")
    assert HOSTILE in seen.texts("figure.chart-matrix th.column")
    assert seen.texts("h1") == ["Is <script>alert(2)</script> anonymous?"]
    assert seen.said == []
    seen.page.close()


@pytest.mark.parametrize("which", ["story", "wide"])
def test_on_paper(browser: Browser, which: str, request: pytest.FixtureRequest) -> None:
    """Printed from a dark screen, it is dark on white, and nothing sticks out of the sheet."""
    seen = look(browser, request.getfixturevalue(which), width=PAPER, dark=True, paper=True)
    page = seen.page
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    right = "all => Math.max(...all.map(one => one.getBoundingClientRect().right))"
    assert page.eval_on_selector_all("body *", right) <= PAPER + 1
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.close()


def test_a_site(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,x\n1,y\n2,y\n", encoding="utf-8")
    with sqldiag.connect(str(tmp_path / "t.csv")) as database:
        table = database.table()
        bad = table.report(qi=["a", "b"], require=["k >= 2"]).diagnosis
        good = table.report(qi=["a"], require=["k >= 1"]).diagnosis
    days = [datetime(2026, 11, day, tzinfo=UTC) for day in range(1, 9)]
    points = [(day, float(7 - number // 2)) for number, day in enumerate(days)]
    trend = Trend(measure="k", points=points, threshold=5)
    entries = [
        Entry(name="public.t", diagnosis=bad, trend=trend),
        Entry(name="public/t", diagnosis=good),
        Entry(name=HOSTILE, problem="there is no table <b>t</b>"),
    ]
    paths = write_site(tmp_path / "site", entries)
    assert [path.name for path in paths] == ["index.html", "public-t.html", "public-t-2.html"]
    seen = look(browser, paths[0])
    page = seen.page
    assert "Of 3 tables, 1 does not hold, 1 holds, 1 could not be diagnosed." in page.inner_text(
        "main"
    )
    assert HOSTILE in page.inner_text("table")
    assert "there is no table <b>t</b>" in page.inner_text("table")
    page.click("text=public.t")
    assert page.locator("figure.chart-lines h3", has_text="How did k change?").count() == 1
    assert all(page.eval_on_selector_all("figure.chart", _MARKS))
    assert page.evaluate(_CUT_OFF) == []
    page.click("text=All tables")
    page.click("text=public/t")
    assert seen.texts(".verdict .label") == ["It holds"]
    assert seen.said == []
    assert all(url.startswith("file:") for url in seen.requested)
    page.close()
    again = write_site(tmp_path / "site", entries[:1], title="Again")
    assert [path.name for path in again] == ["index.html", "public-t.html"]


def test_a_trend_of_two_moments() -> None:
    from sqldiag.report.html.trend import draw

    now = datetime(2026, 11, 18, tzinfo=UTC)
    assert draw(Trend(measure="k", points=[(now, 3.0)])) is None
    drawn = draw(Trend(measure="k", points=[(now, 3.0), (now - timedelta(days=1), 6.0)]))
    assert drawn is not None
    assert drawn.sentence == "From 6 on 2026-11-17 to 3 on 2026-11-18."


def test_in_a_notebook(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,x\n1,y\n2,y\n", encoding="utf-8")
    with sqldiag.connect(str(tmp_path / "t.csv")) as database:
        table = database.table()
        shown = [
            table.check(qi=["a"], require=["k >= 2"])._repr_html_(),
            table.measure(qi=["a", "b"], curve=True, contributions=True)._repr_html_(),
            table.borders(require=["k >= 2"])._repr_html_(),
            table.report(qi=["a", "b"], require=["k >= 2"])._repr_html_(),
        ]
    file = tmp_path / "notebook.html"
    file.write_text("".join(f"<div>{one}</div>" for one in shown), encoding="utf-8")
    seen = look(browser, file)
    assert seen.page.locator(".sqldiag.piece").count() == 4
    assert all(seen.page.eval_on_selector_all("figure.chart", _MARKS))
    assert (seen.said, seen.requested) == ([], [file.as_uri()])
    seen.page.close()
