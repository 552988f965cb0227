"""What a page says, in the order a reader needs it: words and pictures, ready to be set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqldiag.answers import Borders, Check, Diagnosis, Measured, Measurement, Subsets, Verdict
from sqldiag.measures import SIZE
from sqldiag.report import words
from sqldiag.report.html import adding, crowds, curves, trend
from sqldiag.report.html.charts import Chart
from sqldiag.report.html.matrix import matrix
from sqldiag.report.sheet import example_table, subset_table


@dataclass(frozen=True, slots=True)
class Banner:
    """The verdict. ``good`` is None where nothing was required."""

    good: bool | None
    label: str
    sentence: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One measure: what it is, what was required of it, and what that means here."""

    measure: str
    title: str
    value: str
    under: str
    required: str
    holds: bool | None
    meaning: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of the set as a whole."""

    value: str
    label: str


def banner(check: Check | None, measurement: Measurement | None) -> Banner | None:
    if check is not None:
        label = "It holds" if check.holds else "It does not hold"
        return Banner(check.holds, label, words.verdict(check), words.remedy(check))
    if measurement is None:
        return None
    first = measurement.measures[0]
    names = ", ".join(measurement.quasi_identifiers)
    meaning = words.meaning(first, people=measurement.entity is not None)
    sentence = f"{first.measure} is {words.value(first.value)} for {names}"
    return Banner(None, "Nothing was required", sentence, f"{meaning[:1].upper()}{meaning[1:]}.")


def findings(answer: Measurement) -> list[Finding]:
    verdicts: dict[str, list[Verdict]] = {}
    for verdict in answer.check.requirements if answer.check is not None else ():
        verdicts.setdefault(verdict.measure, []).append(verdict)
    found = [
        _finding(measured, verdict, people=answer.entity is not None)
        for measured in answer.measures
        for verdict in verdicts.pop(measured.measure, [None])
    ]
    # What was required comes first: it decided.
    return sorted(found, key=lambda finding: finding.holds is None)


def _finding(measured: Measured, verdict: Verdict | None, *, people: bool) -> Finding:
    return Finding(
        measure=measured.measure,
        title=measured.call.measure.title,
        value=words.value(measured.value),
        under=words.value(measured.value_suppressed),
        required="" if verdict is None else _threshold(verdict),
        holds=None if verdict is None else verdict.holds,
        meaning=words.meaning(measured, people=people),
    )


def _threshold(verdict: Verdict) -> str:
    """Without the measure, which stands beside it."""
    return str(verdict.requirement).removeprefix(verdict.measure).strip()


def required(check: Check) -> list[Finding]:
    """A check by itself has no measurement that could say more."""
    return [
        Finding(
            measure=verdict.measure,
            title=verdict.requirement.call.measure.title,
            value=words.value(verdict.value),
            under=words.value(verdict.value_suppressed),
            required=_threshold(verdict),
            holds=verdict.holds,
            meaning=f"{words.count(verdict.rows_to_suppress, 'row')} "
            f"({words.percent(verdict.suppression_needed)}) to suppress",
        )
        for verdict in check.requirements
    ]


def figures(answer: Check | Measurement) -> list[Figure]:
    risk = answer.risk
    found = [
        Figure(words.count(risk.classes), "groups"),
        Figure(words.percent(risk.uniqueness), "of rows unique"),
        Figure(words.percent(risk.average_risk), "average risk"),
    ]
    if risk.separation is not None:
        found.append(Figure(words.percent(risk.separation), "of pairs told apart"))
    return found


def facts(diagnosis: Diagnosis) -> list[tuple[str, str]]:
    """What was asked of what."""
    answer = diagnosis.measurement
    source = answer.source
    told = [("Relation", source.relation), ("Database", words.engine(source.engine))]
    if diagnosis.where is not None:
        told.append(("Only rows where", diagnosis.where))
    told.append(("Rows", words.count(source.rows)))
    if source.entities is not None:
        told.append(("People", words.count(source.entities)))
    told.append(("Rows with a NULL", words.count(source.null_rows)))
    check = answer.check
    if check is not None:
        told.append(("Required", " and ".join(str(v.requirement) for v in check.requirements)))
    allowed = "no row" if not answer.suppress else words.percent(answer.suppress)
    rows = words.count(diagnosis.allowed_rows, "row")
    told.append(("May be suppressed", allowed if not answer.suppress else f"{allowed}, {rows}"))
    told.append(("Diagnosed", f"{diagnosis.made:%Y-%m-%d %H:%M} UTC"))
    told.append(("By", f"sqldiag {diagnosis.version}"))
    return told


def roles(diagnosis: Diagnosis) -> list[tuple[str, str]]:
    answer = diagnosis.measurement
    told = [(name, "quasi-identifier") for name in answer.quasi_identifiers]
    told += [(name, "sensitive") for name in answer.sensitive]
    told += [(answer.entity, "entity")] if answer.entity is not None else []
    told += [(name, "identifier") for name in diagnosis.identifiers]
    if diagnosis.borders is not None:
        known = {name for name, _ in told}
        searched = diagnosis.borders.searched.columns
        told += [(name, "searched") for name in searched if name not in known]
    return told


def pictures(diagnosis: Diagnosis, history: trend.Trend | None) -> Iterator[Chart]:
    answer = diagnosis.measurement
    people = answer.entity is not None
    verdicts = () if answer.check is None else answer.check.requirements
    # Where much is required of one measure, the picture shows what costs most.
    dearest = sorted(verdicts, key=lambda verdict: verdict.rows_to_suppress)
    by_measure = {verdict.measure: verdict for verdict in dearest}
    drawn: list[Chart | None] = []
    for measured in diagnosis.curves:
        verdict = by_measure.get(measured.measure)
        if measured.call == SIZE:
            drawn.append(crowds.crowds(measured, verdict, people=people))
        drawn.append(curves.curve(measured, verdict, answer.suppress, people=people))
    drawn.append(adding.contributions(answer))
    drawn.append(None if diagnosis.borders is None else matrix(diagnosis.borders))
    drawn.append(None if history is None else trend.draw(history))
    return (chart for chart in drawn if chart is not None)


def notes(diagnosis: Diagnosis) -> list[str]:
    """What a reader should know about how it was done."""
    # Not every source has something to warn of.
    warned = list(diagnosis.measurement.source.warnings)
    searched = [] if diagnosis.borders is None else diagnosis.borders.searched.notes
    return [note.rstrip(".") for note in (*warned, *searched)]


def parts(answer: Check | Measurement | Borders | Subsets) -> dict[str, object]:
    """What a notebook shows of an answer: the same pieces, as far as it has them."""
    if isinstance(answer, Borders):
        return {"heading": words.diagnosed(answer.searched.source), "charts": [matrix(answer)]}
    if isinstance(answer, Subsets):
        heading = words.diagnosed(answer.searched.source)
        return {"heading": heading, "table": subset_table(answer)}
    check = answer if isinstance(answer, Check) else answer.check
    measurement = answer if isinstance(answer, Measurement) else None
    charts: list[Chart | None] = []
    if measurement is not None:
        people = measurement.entity is not None
        charts += [
            curves.curve(measured, None, answer.suppress, people=people)
            for measured in measurement.measures
            if measured.call.measure.is_whole
        ]
        charts.append(adding.contributions(measurement))
    found = required(check) if check is not None else []
    return {
        "heading": words.diagnosed(answer.source),
        "banner": banner(check, measurement),
        "findings": found if measurement is None else findings(measurement),
        "suppress": words.percent(answer.suppress) if answer.suppress is not None else "",
        "figures": figures(answer),
        "charts": [chart for chart in charts if chart is not None],
        "table": example_table(answer),
    }


def definitions(diagnosis: Diagnosis) -> list[tuple[str, str, str]]:
    """Every measure on the page once: its name, what it is, and where it comes from."""
    seen = {m.call.measure.name: m.call.measure for m in diagnosis.measurement.measures}
    return [(measure.title, measure.definition, measure.paper) for measure in seen.values()]
