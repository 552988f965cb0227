"""A relation that can be asked: every question has a method here.

A small check should not wait for what only other questions need, so each loads its own.
"""

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
)
from sqldiag.engines.base import Statement
from sqldiag.errors import BadInput
from sqldiag.planner.ask import Ask
from sqldiag.planner.source import any_row_sql
from sqldiag.questions import Prepared
from sqldiag.relation import Relation
from sqldiag.session import Session

if TYPE_CHECKING:
    from sqldiag.diagnosing import ReportAsk
    from sqldiag.report.page import Page
    from sqldiag.scanned import Scan
    from sqldiag.scanning.ask import ScanAsk, ScanOptions
    from sqldiag.search.base import Progress, Report


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
        from sqldiag.explaining import explain_contributions

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
        from sqldiag.searches import find_borders
        from sqldiag.searching import search_ask

        asked = search_ask(self.relation, _for_borders(options))
        return find_borders(self._session, self.relation, asked, progress or _silent)

    def subsets(
        self, *, progress: Report | None = None, **options: Unpack[SubsetsOptions]
    ) -> Subsets:
        """Which level has every set of columns?"""
        from sqldiag.searches import find_subsets
        from sqldiag.searching import search_ask

        asked = search_ask(self.relation, options, default_measures=True)
        return find_subsets(self._session, self.relation, asked, progress or _silent)

    def report(self, *, progress: Report | None = None, **options: Unpack[ReportOptions]) -> Page:
        """Everything about the set on a page that someone else can read and sign."""
        from sqldiag.diagnosing import diagnose
        from sqldiag.report.page import Page

        return Page(diagnose(self._session, self._prepare_report(options), progress or _silent))

    def explain_report(self, **options: Unpack[ReportOptions]) -> tuple[Statement, ...]:
        """The statements that ``report`` would run, as if every column had a hundred values."""
        from sqldiag.explaining import explain_report

        return explain_report(self._session, self._prepare_report(options))

    def _prepare_report(self, options: ReportOptions) -> ReportAsk:
        from sqldiag.diagnosing import ReportAsk
        from sqldiag.searching import search_ask

        ask, search = to_report(self.relation, options)
        return ReportAsk(
            prepared=self._prepare(ask, options),
            search=None if search is None else search_ask(self.relation, search),
            identifiers=tuple(options.get("identifiers", ())),
            version=__version__,
        )

    def explain_borders(
        self, **options: Unpack[SearchOptions]
    ) -> tuple[str, tuple[Statement, ...]]:
        """The strategy that ``borders`` would take, and the statements of its first steps."""
        return self._explain_search(_for_borders(options), default_measures=False)

    def explain_subsets(
        self, **options: Unpack[SubsetsOptions]
    ) -> tuple[str, tuple[Statement, ...]]:
        """The same for ``subsets``."""
        return self._explain_search(options, default_measures=True)

    def _explain_search(
        self, options: SubsetsOptions, *, default_measures: bool
    ) -> tuple[str, tuple[Statement, ...]]:
        from sqldiag.explaining import explain_search
        from sqldiag.searching import search_ask

        asked = search_ask(self.relation, options, default_measures=default_measures)
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


def _must_require(options: SetOptions | SearchOptions) -> None:
    if not options.get("require"):
        raise BadInput('say what must hold with --require, for example --require "k >= 5"')


def _for_borders(options: SearchOptions) -> SubsetsOptions:
    _must_require(options)
    return {**options, "measures": (), "curve": False, "all": False}


def _draw(answer: Shown) -> str:
    from sqldiag.report.html import fragment

    return fragment(answer)


Shown.draw = staticmethod(_draw)


def _silent(_: Progress) -> None:
    pass
