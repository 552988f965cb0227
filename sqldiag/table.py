"""A relation that can be asked: every question has a method here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from sqldiag import __version__, questions
from sqldiag.answers import Borders, Check, Measurement, Shown, Subsets
from sqldiag.asking import (
    MeasureOptions,
    ReportOptions,
    SearchOptions,
    SetOptions,
    SubsetsOptions,
    to_ask,
    to_report,
    to_search,
)
from sqldiag.diagnosing import ReportAsk, diagnose
from sqldiag.engines.base import Statement
from sqldiag.errors import BadInput, nearest
from sqldiag.explaining import explain_contributions, explain_report, explain_search
from sqldiag.planner.ask import Ask
from sqldiag.planner.source import any_row_sql
from sqldiag.questions import Prepared
from sqldiag.relation import Relation
from sqldiag.report.page import Page
from sqldiag.search.base import Progress, Report
from sqldiag.search.loop import Budget, Choice
from sqldiag.searches import SearchAsk, find_borders, find_subsets
from sqldiag.session import Session

if TYPE_CHECKING:
    # Loaded when somebody scans: a small check should not wait for it.
    from sqldiag.scanned import Scan
    from sqldiag.scanning.ask import ScanAsk, ScanOptions


class Table:
    """A relation, ready to be asked."""

    def __init__(self, session: Session, relation: Relation) -> None:
        self._session = session
        self.relation = relation

    def declared_roles(self) -> dict[str, str]:
        """Column → the role that the database itself declares, in a comment or a label."""
        path = self.relation.path
        return self._session.connection.declared_roles(path) if path else {}

    def has_rows(self) -> bool:
        """Whether there is anything to diagnose, without reading more than a row."""
        sql = any_row_sql(self.relation, self._session.dialect)
        return bool(self._session.run(Statement(sql=sql, purpose="is there a row?")))

    def groups(self, column: str) -> bool:
        """Whether the database can group by a column, as its type decides."""
        try:
            self._session.blame(self.relation, [column])
        except BadInput:
            return False
        return True

    def check(self, **options: Unpack[SetOptions]) -> Check:
        """Do all requirements hold at once?"""
        return questions.check(self._session, self._prepare_check(options))

    def measure(self, **options: Unpack[MeasureOptions]) -> Measurement:
        """Which levels has the set, and what would a requirement cost?"""
        return questions.measure(self._session, self._prepare_measure(options))

    def explain_check(self, **options: Unpack[SetOptions]) -> tuple[Statement, ...]:
        """The statements that ``check`` would run."""
        return self._prepare_check(options).statements

    def explain_measure(self, **options: Unpack[MeasureOptions]) -> tuple[Statement, ...]:
        """The statements that ``measure`` would run; with contributions, as if every column had a
        hundred values."""
        prepared = self._prepare_measure(options)
        if not prepared.contributions:
            return prepared.statements
        planned = explain_contributions(self._session, self.relation, prepared.ask)
        return planned if prepared.examples is None else (*planned, prepared.examples)

    def prepare_check(self, **options: Unpack[SetOptions]) -> Prepared:
        """The planned question behind ``check``, for whoever runs it elsewhere."""
        return self._prepare_check(options)

    def _prepare_check(self, options: SetOptions) -> Prepared:
        _must_require(options)
        full: MeasureOptions = {
            **options,
            "measures": (),
            "curve": False,
            "contributions": False,
        }
        return self._prepare(to_ask(self.relation, full, default_measures=False), options)

    def _prepare_measure(self, options: MeasureOptions) -> Prepared:
        ask = to_ask(self.relation, options, default_measures=True)
        prepared = self._prepare(ask, options)
        return replace(prepared, contributions=options.get("contributions", False))

    def _prepare(self, ask: Ask, options: SetOptions) -> Prepared:
        return questions.prepare(
            self.relation,
            ask,
            capabilities=self._session.connection.capabilities,
            examples=options.get("examples"),
        )

    def borders(
        self, *, progress: Report | None = None, **options: Unpack[SearchOptions]
    ) -> Borders:
        """For which sets of columns do all requirements hold?"""
        _must_require(options)
        asked = self._search(
            {**options, "measures": (), "curve": False, "all": False}, default_measures=False
        )
        return find_borders(self._session, self.relation, asked, progress or _silent)

    def subsets(
        self, *, progress: Report | None = None, **options: Unpack[SubsetsOptions]
    ) -> Subsets:
        """Which level has every set of columns?"""
        asked = self._search(options, default_measures=True)
        return find_subsets(self._session, self.relation, asked, progress or _silent)

    def report(self, *, progress: Report | None = None, **options: Unpack[ReportOptions]) -> Page:
        """Everything about the set on a page that someone else can read and sign."""
        return Page(diagnose(self._session, self._prepare_report(options), progress or _silent))

    def explain_report(self, **options: Unpack[ReportOptions]) -> tuple[Statement, ...]:
        """The statements that ``report`` would run, as if every column had a hundred values."""
        asked = self._prepare_report(options)
        return explain_report(self._session, asked)

    def _prepare_report(self, options: ReportOptions) -> ReportAsk:
        ask, search = to_report(self.relation, options)
        return ReportAsk(
            prepared=self._prepare(ask, options),
            search=None if search is None else self._search(search, default_measures=False),
            identifiers=tuple(options.get("identifiers", ())),
            version=__version__,
        )

    def explain_borders(
        self, **options: Unpack[SearchOptions]
    ) -> tuple[str, tuple[Statement, ...]]:
        """The strategy that ``borders`` would take, and the statements of its first steps."""
        _must_require(options)
        full: SubsetsOptions = {**options, "measures": (), "curve": False, "all": False}
        return explain_search(
            self._session, self.relation, self._search(full, default_measures=False)
        )

    def explain_subsets(
        self, **options: Unpack[SubsetsOptions]
    ) -> tuple[str, tuple[Statement, ...]]:
        """The same for ``subsets``."""
        asked = self._search(options, default_measures=True)
        return explain_search(self._session, self.relation, asked)

    def scan(
        self, *, origin: tuple[str, ...] | None = None, **options: Unpack[ScanOptions]
    ) -> Scan:
        """What is each column, how identifying are they together, and what to ask next?

        ``origin`` stands in the commands to run next for the source and the table.
        """
        from sqldiag.scanning.scanner import scan

        return scan(self._session, self.relation, self._scanned(options, origin))

    def explain_scan(
        self, *, origin: tuple[str, ...] | None = None, **options: Unpack[ScanOptions]
    ) -> tuple[Statement, ...]:
        """The statements that ``scan`` would run, as far as they are known before."""
        from sqldiag.scanning.scanner import explain_scan

        return explain_scan(self._session, self.relation, self._scanned(options, origin))

    def _scanned(self, options: ScanOptions, origin: tuple[str, ...] | None) -> ScanAsk:
        from sqldiag.scanning.ask import to_scan

        name = options.get("population_table")
        drawn_from = None
        if name is not None:
            found = self._session.connection.find(name)
            drawn_from = Relation(
                name=name, columns=found.columns, path=found.path, is_table=found.plain
            )
        return to_scan(self.relation, options, drawn_from, origin or ("SRC", self.relation.name))

    def _search(self, options: SubsetsOptions, *, default_measures: bool) -> SearchAsk:
        ask = to_search(self.relation, options, default_measures=default_measures)
        columns = len(ask.quasi_identifiers)
        for name in ("max_size", "max_sets", "max_seconds"):
            limit = options.get(name)
            if isinstance(limit, int | float) and not limit > 0:
                raise BadInput(f"--{name.replace('_', '-')} must be above 0")
        return SearchAsk(
            ask=ask,
            max_size=min(options.get("max_size") or columns, columns),
            choice=_choice(options.get("strategy", "auto")),
            budget=Budget(sets=options.get("max_sets"), seconds=options.get("max_seconds")),
            identifiers=tuple(options.get("identifiers", ())),
            inferred=options.get("all", False),
        )


def _must_require(options: SetOptions | SearchOptions) -> None:
    if not options.get("require"):
        raise BadInput('say what must hold with --require, for example --require "k >= 5"')


def _choice(strategy: str) -> Choice:
    if strategy not in {choice.value for choice in Choice}:
        raise BadInput(f"there is no strategy {strategy}{nearest(strategy, Choice)}")
    return Choice(strategy)


def _draw(answer: Shown) -> str:
    from sqldiag.report.html import fragment

    return fragment(answer)


Shown.draw = staticmethod(_draw)


def _silent(_: Progress) -> None:
    pass
