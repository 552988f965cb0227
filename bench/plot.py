"""One small picture: ratios to the limit, and time as rows and columns grow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.contenders import BORDERS, CHECK, LIMIT, SUBSETS
from bench.contest import Contest
from bench.report import Results

LINES = {LIMIT: "black", CHECK: "tab:green", BORDERS: "tab:blue", SUBSETS: "tab:red"}
STYLES = {"duckdb": "-", "postgres": "--"}


def draw(results: Results, file: Path) -> None:
    """Write the picture as SVG, the same bytes for the same numbers."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "bench", "font.size": 8})
    from matplotlib import pyplot

    scaled = [
        (results.rows_scaling, "rows", lambda c: c.rows),
        (results.columns_scaling, "columns", lambda c: c.columns),
    ]
    shown = [(contests, what, size) for contests, what, size in scaled if contests]
    bars = len(results.contests)
    across = max(bars, len(shown), 1)
    figure, axes = pyplot.subplots(
        2 if shown else 1, across, figsize=(4.2 * across, 7 if shown else 3.6), squeeze=False
    )
    for ax in axes.flat:
        ax.set_visible(False)
    for ax, contest in zip(axes[0], results.contests, strict=False):
        _bars(ax, contest)
    for ax, (contests, what, size) in zip(axes[-1], shown, strict=False):
        _lines(ax, contests, what, size)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)


def _bars(ax: Any, contest: Contest) -> None:
    ax.set_visible(True)
    timings = [t for t in reversed(contest.timings) if t.contender != LIMIT]
    ratios = [contest.ratio(t.contender) or 0 for t in timings]
    colours = ["tab:blue" if t.contender.startswith("sqldiag") else "tab:gray" for t in timings]
    drawn = ax.barh([t.contender for t in timings], ratios, color=colours)
    ax.bar_label(drawn, [f"{ratio:.1f} ×" for ratio in ratios], padding=2)
    ax.set_xscale("log")
    ax.set_xlim(0.5, max([*ratios, 1]) * 6)
    ax.axvline(1, color="black", linewidth=0.8)
    ax.set_title(f"{contest.engine}, {contest.table}, {contest.rows:,} rows")
    ax.set_xlabel("time, in multiples of one GROUP BY")


def _lines(ax: Any, contests: Sequence[Contest], what: str, size: Callable[[Contest], int]) -> None:
    ax.set_visible(True)
    for engine, style in STYLES.items():
        ran = sorted((c for c in contests if c.engine == engine), key=size)
        for name, colour in LINES.items():
            points = [(size(c), found.best) for c in ran if (found := c.find(name))]
            if points:
                label = f"{engine}: {name.removesuffix(' (the limit)')}"
                ax.plot(*zip(*points, strict=True), style, color=colour, marker=".", label=label)
    ax.set_yscale("log")
    if what == "rows":
        ax.set_xscale("log")
    ax.set_xlabel(what)
    ax.set_ylabel("seconds")
    ax.legend(fontsize=6)
    ax.grid(alpha=0.3)
