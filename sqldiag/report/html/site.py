"""Many diagnoses in a directory: an index, and a page for each of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqldiag.answers import Check, Diagnosis
from sqldiag.errors import CannotRun
from sqldiag.report import words
from sqldiag.report.html import page
from sqldiag.report.html.render import environment
from sqldiag.report.html.trend import Trend
from sqldiag.report.page import put

INDEX = "index.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A table of the site; ``problem`` says why there is no diagnosis, where there is none. What is
    known all the same is its ``check``. ``dropped`` says what got worse than it may."""

    name: str
    diagnosis: Diagnosis | None = None
    check: Check | None = None
    problem: str = ""
    dropped: str = ""
    trend: Trend | None = None

    @property
    def verdict(self) -> Check | None:
        return self.check if self.diagnosis is None else self.diagnosis.check


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the index."""

    name: str
    link: str
    holds: bool | None
    label: str
    sentence: str
    rows: str
    unique: str
    need: str


def write_site(directory: Path, entries: Sequence[Entry], *, title: str = "") -> list[Path]:
    """Write the pages, then the index that leads to them; the index is the first of the paths."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotRun(f"cannot make {directory}: {error.strerror}") from None
    files = _files([entry.name for entry in entries])
    written = []
    for entry, file in zip(entries, files, strict=True):
        if entry.diagnosis is not None:
            text = page(entry.diagnosis, trend=entry.trend, home=INDEX)
            written.append(put(directory / file, text))
    index = _index(entries, files, title or "Privacy diagnoses")
    return [put(directory / INDEX, index), *written]


def _index(entries: Sequence[Entry], files: Sequence[str], title: str) -> str:
    rows = [_row(entry, file) for entry, file in zip(entries, files, strict=True)]
    template = environment().get_template("index.html")
    known = [entry.diagnosis for entry in entries if entry.diagnosis is not None]
    return template.render(
        title=title,
        rows=rows,
        summary=_summary(rows),
        good=_good(rows),
        version=known[0].version if known else "",
        made=max((diagnosis.made for diagnosis in known), default=None),
    )


def _row(entry: Entry, file: str) -> Row:
    check, link = entry.verdict, "" if entry.diagnosis is None else file
    if check is not None:
        return _checked(entry, check, link)
    if entry.diagnosis is not None:
        answer = entry.diagnosis.measurement
        first = answer.measures[0]
        return Row(
            name=entry.name,
            link=link,
            holds=None,
            label="nothing required",
            sentence=f"{first.measure} is {words.value(first.value)}",
            rows=words.count(answer.source.rows),
            unique=words.percent(answer.risk.uniqueness),
            need="",
        )
    return Row(
        name=entry.name,
        link="",
        holds=None,
        label="could not be done",
        sentence=entry.problem,
        rows="",
        unique="",
        need="",
    )


def _checked(entry: Entry, check: Check, link: str) -> Row:
    holds = check.holds and not entry.dropped
    missing = "" if link else f"there is no page: {entry.problem}"
    told = (words.verdict(check), entry.dropped, missing)
    return Row(
        name=entry.name,
        link=link,
        holds=holds,
        label="holds" if holds else "does not hold" if not check.holds else "dropped too far",
        sentence="; ".join(part for part in told if part),
        rows=words.count(check.source.rows),
        unique=words.percent(check.risk.uniqueness),
        need=words.percent(check.suppression_needed),
    )


def _good(rows: Sequence[Row]) -> bool | None:
    if any(row.holds is False for row in rows):
        return False
    return True if rows and all(row.holds for row in rows) else None


def _summary(rows: Sequence[Row]) -> str:
    counts = [
        (sum(row.holds is False for row in rows), "does not hold", "do not hold"),
        (sum(row.holds is True for row in rows), "holds", "hold"),
        (
            sum(row.holds is None and bool(row.link) for row in rows),
            "was measured",
            "were measured",
        ),
        (
            sum(row.holds is None and not row.link for row in rows),
            "could not be diagnosed",
            "could not be diagnosed",
        ),
    ]
    told = [f"{number:,} {one if number == 1 else many}" for number, one, many in counts if number]
    return f"Of {words.count(len(rows), 'table')}, {', '.join(told)}." if told else "No table."


def _files(names: Sequence[str]) -> list[str]:
    """A file for every name, whatever it holds, and no file for two."""
    files: list[str] = []
    taken = {INDEX}
    for name in names:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "table"
        file, number = f"{plain}.html", 2
        while file in taken:
            file, number = f"{plain}-{number}.html", number + 1
        taken.add(file)
        files.append(file)
    return files
