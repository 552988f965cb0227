"""The results as JSON and as Markdown."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bench.command import Memory, Start
from bench.contenders import LIMIT
from bench.contest import Contest
from bench.targets import Target, targets

PACKAGES = ("sqldiag", "duckdb", "psycopg", "sqlglot", "polars", "pandas", "pycanon")


@dataclass(slots=True)
class Results:
    """Everything that one run of the benchmark measured."""

    contests: list[Contest] = field(default_factory=list)
    rows_scaling: list[Contest] = field(default_factory=list)
    columns_scaling: list[Contest] = field(default_factory=list)
    starts: list[Start] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    postgres: str | None = None

    @property
    def targets(self) -> list[Target]:
        return targets(self.contests, self.starts, self.memories)


def machine(results: Results) -> dict[str, object]:
    """What it ran on, and with what."""
    versions: dict[str, str] = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    if results.postgres:
        versions["postgres"] = results.postgres
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(memory / 1e9, 1),
        "processor": platform.machine(),
        "versions": versions,
    }


def write(results: Results, directory: Path) -> str:
    """Write results.json and README.md; returns the latter's text."""
    about = machine(results)
    kept = asdict(results)
    for name in ("contests", "rows_scaling", "columns_scaling"):
        kept[name] = [_contest(contest) for contest in getattr(results, name)]
    kept["targets"] = [{**asdict(t), "verdict": t.verdict} for t in results.targets]
    directory.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"machine": about, **kept}, indent=1, ensure_ascii=False)
    (directory / "results.json").write_text(text + "\n", encoding="utf-8")
    page = "\n".join(_page(results, about))
    (directory / "README.md").write_text(page, encoding="utf-8")
    return page


def _contest(contest: Contest) -> dict[str, object]:
    timings = [
        {
            "contender": timing.contender,
            "best": round(timing.best, 4),
            "median": round(timing.median, 4),
            "ratio": round(contest.ratio(timing.contender) or 0, 3),
            "ratio_of_medians": round(contest.typical_ratio(timing.contender) or 0, 3),
            "seconds": [round(seconds, 4) for seconds in timing.seconds],
            "sets_evaluated": timing.sets_evaluated,
        }
        for timing in contest.timings
    ]
    return {**asdict(contest), "timings": timings}


def _page(results: Results, about: dict[str, object]) -> Iterable[str]:
    yield "# Benchmarks\n"
    yield (
        "Written by `make bench`. Times are the best of the runs, contenders in turn, from "
        "connecting to the answer; × is the multiple of one GROUP BY over all columns, the limit: "
        "best against best, or median against median for what ran less often; targets show the "
        "ratio of medians beside it. All answers were "
        " compared, and agree, before a number was written: k, classes and the rows in "
        "classes below 5 of every set, and both borders. polars and pyCANON start with the data "
        "in memory. On Postgres the SQL by hand has the memory that sqldiag takes. pyCANON "
        "truncates entropy l, so ours is truncated for the comparison; its recursive (c, l) is "
        "another definition, of which only the l is compared.\n"
    )
    versions = about["versions"]
    assert isinstance(versions, dict)
    listed = ", ".join(f"{name} {number}" for name, number in versions.items())
    yield f"{about['date']}; {about['cores']} cores, {about['memory_gb']} GB; {listed}.\n"
    for note in results.notes:
        yield f"- {note}"
    yield "\n![Ratios and scaling](benchmarks.svg)\n"
    if results.targets:
        yield "## Targets\n"
        yield from _table(
            ("target", "wanted", "measured", "of medians", "met"),
            [(t.what, t.wanted, t.measured, t.typical, t.verdict) for t in results.targets],
        )
    for contest in results.contests:
        yield f"## {_title(contest)}\n"
        yield from _table(
            ("", "× the limit", "best, s", "median, s", "runs", "sets looked at"),
            [
                (
                    timing.contender,
                    f"{contest.ratio(timing.contender) or 0:.2f}",
                    f"{timing.best:.3f}",
                    f"{timing.median:.3f}",
                    len(timing.seconds),
                    timing.sets_evaluated or "",
                )
                for timing in contest.timings
            ],
        )
    if results.rows_scaling:
        yield "## As rows grow (adult_like, 8 columns)\n"
        yield from _scaling("rows", results.rows_scaling)
    if results.columns_scaling:
        yield "## As columns grow (hospital and flags)\n"
        yield "`subsets` looks at the sets of up to three columns, `borders` at what it must.\n"
        yield from _scaling("columns", results.columns_scaling)


def _title(contest: Contest) -> str:
    return (
        f"{contest.engine}: {contest.table}, {contest.rows:,} rows, {contest.columns} columns, "
        f"{contest.classes:,} classes"
    )


def _scaling(what: str, contests: Sequence[Contest]) -> Iterable[str]:
    names = [t.contender for t in contests[0].timings if t.contender != LIMIT]
    lines = []
    for contest in sorted(contests, key=lambda c: (c.engine, c.rows, c.columns)):
        limit = contest.find(LIMIT)
        size = contest.rows if what == "rows" else contest.columns
        cells = []
        for name in names:
            timing = contest.find(name)
            if timing is None:
                cells.append("")
                continue
            sets = f", {timing.sets_evaluated} sets" if timing.sets_evaluated else ""
            cells.append(f"{contest.ratio(name) or 0:.2f} × ({timing.best:.2f} s{sets})")
        base = f"{limit.best:.3f}" if limit else ""
        lines.append((contest.engine, f"{size:,}", f"{contest.classes:,}", base, *cells))
    yield from _table(("engine", what, "classes", "limit, s", *names), lines)


def _table(header: Sequence[str], lines: Iterable[Sequence[object]]) -> Iterable[str]:
    yield "| " + " | ".join(header) + " |"
    yield "|" + " --- |" * len(header)
    for line in lines:
        yield "| " + " | ".join(map(str, line)) + " |"
    yield ""
