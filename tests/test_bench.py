"""The benchmark compares answers before it believes a time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bench import contenders, report
from bench.__main__ import main
from bench.contenders import Contender
from bench.contest import agree, hold
from bench.data import DuckDBFile, Table, adult
from bench.outcome import Differs, Facts, Outcome, compare, compare_levels
from bench.report import Results
from bench.runs import Bench

ROWS = 2_000
LEVELS = {"k": 4.0, "distinct_l": 3.0, "entropy_l": 2.7, "recursive_l": 2.0}
THEIRS = {"k": 4.0, "distinct_l": 3.0, "entropy_l, truncated": 2.0, "l of recursive (c, l)": 3.0}


@pytest.fixture(scope="module")
def table() -> Table:
    """Three columns are enough to go wrong."""
    return replace(adult(ROWS), columns=("race", "sex", "native_country"))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, table: Table) -> DuckDBFile:
    return DuckDBFile(tmp_path_factory.mktemp("bench"), table)


@pytest.fixture(scope="module")
def outcomes(place: DuckDBFile, table: Table) -> list[tuple[Contender, Outcome]]:
    """What every contender in SQL really finds."""
    return [(contender, contender.run()) for contender in in_sql(place, table)]


def in_sql(place: DuckDBFile, table: Table) -> list[Contender]:
    return [
        contenders.limit(place, table),
        contenders.by_hand(place, table, rounds=1),
        contenders.check(place, table),
        contenders.borders(place, table),
        contenders.subsets(place, table),
        contenders.measure(place, table, table.columns),
    ]


def test_a_contest_is_held_and_written(place: DuckDBFile, table: Table, tmp_path: Path) -> None:
    held = hold(place, table, in_sql(place, table), repeat=2)
    runs = {timing.contender: len(timing.seconds) for timing in held.timings}
    assert runs[contenders.BY_HAND] == 1
    assert runs[contenders.SUBSETS] == 2
    assert held.ratio(contenders.LIMIT) == 1
    page = report.write(Results(contests=[held]), tmp_path)
    assert f"| {contenders.SUBSETS} |" in page
    assert (tmp_path / "results.json").is_file()


def changed(outcome: Outcome) -> Outcome:
    """The same answer with one number, or one set of a border, wrong."""
    if outcome.safe is not None:
        return replace(outcome, unsafe=[*outcome.unsafe][1:])
    columns, facts = next(iter(outcome.facts.items()))
    return replace(outcome, facts={**outcome.facts, columns: replace(facts, k=facts.k + 1)})


def test_answers_agree(outcomes: list[tuple[Contender, Outcome]]) -> None:
    agree(outcomes)


@pytest.mark.parametrize("number", range(6))
def test_a_wrong_answer_differs(outcomes: list[tuple[Contender, Outcome]], number: int) -> None:
    wrong = list(outcomes)
    contender, outcome = wrong[number]
    wrong[number] = (contender, changed(outcome))
    with pytest.raises(Differs):
        agree(wrong)


def test_a_difference_ends_the_benchmark(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def differ(*_: object) -> None:
        raise Differs("someone: 1, not 2")

    monkeypatch.setattr(Bench, "against_others", differ)
    assert main(["--engine", "duckdb", "--output", str(tmp_path)]) == 1
    printed = capsys.readouterr()
    assert "someone: 1, not 2" in printed.err
    assert not printed.out
    assert not list(tmp_path.iterdir())


def test_a_set_that_is_left_out_differs() -> None:
    both = {frozenset("a"): Facts(7, 3, 0), frozenset("b"): Facts(2, 9, 4)}
    one = Outcome(facts={frozenset("a"): Facts(7, 3, 0)})
    with pytest.raises(Differs, match="1 sets, not 2"):
        compare("someone", one, Outcome(facts=both), every_set=True)
    compare("someone", one, Outcome(facts=both), every_set=False)


def test_rows_to_suppress_are_compared() -> None:
    reference = Outcome(facts={frozenset("a"): Facts(2, 9, 4)})
    with pytest.raises(Differs):
        compare(
            "someone",
            Outcome(facts={frozenset("a"): Facts(2, 9, 5)}),
            reference,
            every_set=True,
        )


def test_pycanon_is_compared_where_definitions_agree() -> None:
    compare_levels("pyCANON", LEVELS, THEIRS)
    for name in THEIRS:
        with pytest.raises(Differs):
            compare_levels("pyCANON", LEVELS, {**THEIRS, name: 1.0})
