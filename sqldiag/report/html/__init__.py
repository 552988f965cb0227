"""HTML: a page that someone else can read and sign, without scripts and without a network."""

from __future__ import annotations

from sqldiag.answers import Borders, Check, Diagnosis, Measurement, Shown, Subsets
from sqldiag.report import words
from sqldiag.report.html import advice, view
from sqldiag.report.html.render import environment
from sqldiag.report.html.trend import Trend
from sqldiag.report.sheet import example_table

# A page must stay light enough to be sent around: of SQL beyond this, purposes are enough.
_MOST_SQL = 400_000


def page(diagnosis: Diagnosis, *, trend: Trend | None = None, home: str | None = None) -> str:
    """The whole page; ``home`` is where a link at its top leads."""
    check = diagnosis.check
    template = environment().get_template("page.html")
    verdict = "" if check is None else f": {words.verdict(check)}"
    return template.render(
        **_body(diagnosis, trend),
        title=f"{diagnosis.measurement.source.relation}{verdict}",
        home=home,
    )


def fragment(answer: Shown) -> str:
    """A piece of a page, for a notebook."""
    template = environment().get_template("fragment.html")
    if isinstance(answer, Diagnosis):
        return template.render(**_body(answer, None), whole=True)
    assert isinstance(answer, Check | Measurement | Borders | Subsets)
    return template.render(**view.parts(answer), whole=False)


def _body(diagnosis: Diagnosis, trend: Trend | None) -> dict[str, object]:
    answer = diagnosis.measurement
    left, shown = _MOST_SQL, []
    for ran in diagnosis.ran:
        left -= len(ran.sql)
        shown.append((ran, left >= 0))
    return {
        "relation": answer.source.relation,
        "banner": view.banner(answer.check, answer),
        "facts": view.facts(diagnosis),
        "query": diagnosis.query,
        "roles": view.roles(diagnosis),
        "findings": view.findings(answer),
        "suppress": "" if answer.suppress is None else words.percent(answer.suppress),
        "figures": view.figures(answer),
        "charts": list(view.pictures(diagnosis, trend)),
        "examples": example_table(answer),
        "steps": list(advice.steps(diagnosis)),
        "notes": view.notes(diagnosis),
        "statements": shown,
        "cost": words.cost(diagnosis.cost),
        "definitions": view.definitions(diagnosis),
        "made": diagnosis.made,
        "version": diagnosis.version,
    }
