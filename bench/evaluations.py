"""How many sets of columns each strategy looks at: `python -m bench.evaluations DATA`.

DATA holds adult_30162.csv. For every share δ that may be suppressed and every k, the least that any
search must look at is the border: each of its sets must be seen. Prints that, and how many sets and
statements apriori and auto take. Exits with 1 where auto misses its targets.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import sqldiag
from sqldiag.answers import Cost

SHARES = ("0", "0.01", "0.05", "0.1", "0.2", "0.5")
SIZES = (2, 5, 10, 50)
COLUMNS = (
    *("age", "workclass", "education", "marital-status"),
    *("occupation", "race", "sex", "native-country"),
)
FILE = "adult_30162.csv"

# What is known of this file, and what auto must reach: in all, and in every cell.
BORDER_SETS = 838
APRIORI_SETS = 3_078
MOST_OF_BORDER = 1.8
MOST_OF_APRIORI = 1.25


@dataclass(frozen=True)
class Cell:
    """One question, and what each strategy took to answer it."""

    share: str
    k: int
    border: int
    apriori: Cost
    auto: Cost

    @property
    def too_much(self) -> bool:
        return self.auto.sets_evaluated > MOST_OF_APRIORI * self.apriori.sets_evaluated + 1

    def line(self) -> str:
        sets = self.auto.sets_evaluated
        return _line(
            self.share,
            self.k,
            self.border,
            self.apriori.sets_evaluated,
            self.apriori.statements,
            sets,
            self.auto.statements,
            f"{sets / self.border:.2f}",
            "TOO MUCH" if self.too_much else "",
        )


def grid(table: sqldiag.Table) -> Iterable[Cell]:
    """Every cell; the first question reads the file, all others its roll-up."""
    for share in SHARES:
        for k in SIZES:
            answers = {
                strategy: table.borders(
                    among=COLUMNS, require=[f"k >= {k}"], suppress=share, strategy=strategy
                )
                for strategy in ("apriori", "auto")
            }
            apriori, auto = answers["apriori"], answers["auto"]
            if (apriori.safe, apriori.unsafe) != (auto.safe, auto.unsafe):
                raise SystemExit(f"the borders for k >= {k}, δ = {share} differ")
            yield Cell(
                share,
                k,
                len(auto.safe) + len(auto.unsafe),
                apriori.searched.cost,
                auto.searched.cost,
            )


def totals(cells: Sequence[Cell]) -> tuple[int, int, int]:
    """Border sets, and sets that apriori and auto looked at."""
    return (
        sum(cell.border for cell in cells),
        sum(cell.apriori.sets_evaluated for cell in cells),
        sum(cell.auto.sets_evaluated for cell in cells),
    )


def failures(cells: Sequence[Cell]) -> list[str]:
    """What is not as it must be, a sentence each."""
    border, apriori, auto = totals(cells)
    wrong = [
        f"δ = {cell.share}, k = {cell.k}: auto looks at more than {MOST_OF_APRIORI} × apriori + 1"
        for cell in cells
        if cell.too_much
    ]
    if border != BORDER_SETS:
        wrong.append(f"the borders have {border:,} sets, not {BORDER_SETS:,}")
    if apriori != APRIORI_SETS:
        wrong.append(f"apriori looks at {apriori:,} sets, not {APRIORI_SETS:,}")
    if auto > MOST_OF_BORDER * BORDER_SETS:
        wrong.append(f"auto looks at {auto:,} sets, more than {MOST_OF_BORDER} × {BORDER_SETS:,}")
    return wrong


def _line(*cells: object) -> str:
    return "".join(f"{cell!s:>11}" for cell in cells).rstrip()


def main() -> int:
    options = argparse.ArgumentParser(description="Count the sets that each strategy looks at.")
    options.add_argument("data", type=Path, help=f"the folder of {FILE}")
    file: Path = options.parse_args().data / FILE
    if not file.is_file():
        print(f"there is no file {file}", file=sys.stderr)
        return 2
    started = time.perf_counter()
    print(_line("", "", "", "apriori", "", "auto"))
    print(_line("δ", "k", "|border|", "sets", "statements", "sets", "statements", "× border"))
    cells = []
    with sqldiag.connect(str(file)) as database:
        for cell in grid(database.table()):
            cells.append(cell)
            print(cell.line(), flush=True)
    border, apriori, auto = totals(cells)
    sent = [sum(cell.apriori.statements for cell in cells)]
    sent.append(sum(cell.auto.statements for cell in cells))
    print(_line("all", "", border, apriori, sent[0], auto, sent[1], f"{auto / border:.2f}"))
    print(f"{len(cells)} cells in {time.perf_counter() - started:.1f} s")
    wrong = failures(cells)
    for sentence in wrong:
        print(f"WRONG: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
