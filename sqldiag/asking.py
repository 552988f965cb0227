"""What a caller may ask of one set of columns, checked and turned into an ``Ask``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Required, TypedDict, cast

from sqldiag.errors import BadInput
from sqldiag.measure import Call
from sqldiag.measures import SIZE, family
from sqldiag.names import quoted
from sqldiag.planner.ask import Ask
from sqldiag.relation import Relation, Roles
from sqldiag.requirement import Requirement, bound, parse_measure, parse_requirement
from sqldiag.suppression import parse_share

Share = str | float | Fraction


class SetOptions(TypedDict, total=False):
    """What ``check`` takes."""

    qi: Required[Sequence[str]]
    require: Sequence[str]
    suppress: Share | None
    sensitive: Sequence[str]
    entity: str | None
    identifiers: Sequence[str]
    exclude: Sequence[str]
    strict_sensitive: bool
    examples: int | None


class MeasureOptions(SetOptions, total=False):
    """What ``measure`` takes."""

    measures: Sequence[str]
    curve: bool
    contributions: bool


class ReportOptions(SetOptions, total=False):
    """What ``report`` takes: a set, and the columns among which its borders are searched."""

    among: Sequence[str]
    max_size: int | None
    max_sets: int | None
    max_seconds: float | None


class SearchOptions(TypedDict, total=False):
    """What ``borders`` takes."""

    require: Sequence[str]
    among: Sequence[str]
    exclude: Sequence[str]
    suppress: Share | None
    sensitive: Sequence[str]
    entity: str | None
    identifiers: Sequence[str]
    strict_sensitive: bool
    max_size: int | None
    max_sets: int | None
    max_seconds: float | None
    strategy: str


class SubsetsOptions(SearchOptions, total=False):
    """What ``subsets`` takes."""

    measures: Sequence[str]
    curve: bool
    all: bool


def to_search(relation: Relation, options: SubsetsOptions, *, default_measures: bool) -> Ask:
    """The question of a search: its quasi-identifiers are all columns in play."""
    among = _names(options.get("among", ()), what="among")
    asked: MeasureOptions = {
        "qi": among,
        "require": options.get("require", ()),
        "suppress": options.get("suppress"),
        "sensitive": options.get("sensitive", ()),
        "entity": options.get("entity"),
        "identifiers": options.get("identifiers", ()),
        "exclude": options.get("exclude", ()),
        "strict_sensitive": options.get("strict_sensitive", False),
        "measures": options.get("measures", ()),
        "curve": options.get("curve", False),
    }
    ask = to_ask(relation, asked, default_measures=default_measures)
    if default_measures and ask.requirements and not asked["measures"]:
        # Whoever requires something wants to see the levels of that.
        required = tuple(dict.fromkeys(r.call for r in ask.requirements))
        ask = replace(ask, calls=required)
    if among:
        columns = relation.in_order(among)
    else:
        taken = {*ask.sensitive, ask.entity, *asked["identifiers"], *asked["exclude"]}
        columns = tuple(c.name for c in relation.columns if c.name not in taken)
    if not columns:
        raise BadInput("there is no column to search; name some with --among")
    weak = _weak(ask)
    return replace(ask, quasi_identifiers=columns, worst=False, weak=weak)


def _weak(ask: Ask) -> tuple[Requirement, ...]:
    """The bounds to prune by; none where the requirements themselves do."""
    bounds = [
        bound(required, suppressed=bool(ask.share), entity=ask.entity is not None)
        for required in ask.requirements
    ]
    if bounds == list(ask.requirements):
        return ()
    return tuple(dict.fromkeys(found for found in bounds if found is not None))


def to_ask(relation: Relation, options: MeasureOptions, *, default_measures: bool) -> Ask:
    """Everything named exists, each column has one role, every measure and threshold parses."""
    quasi_identifiers = _names(options["qi"], what="qi")
    sensitive = _names(options.get("sensitive", ()), what="sensitive")
    requirements = tuple(
        parse_requirement(text) for text in _names(options.get("require", ()), what="require")
    )
    calls = tuple(
        parse_measure(text) for text in _names(options.get("measures", ()), what="measures")
    )
    if default_measures and not calls:
        calls = (SIZE,)
        for column in sensitive:
            calls += family(column, quoted(column))
    roles = Roles(
        quasi_identifiers=quasi_identifiers,
        sensitive=_with_measured(sensitive, calls, requirements),
        entity=options.get("entity"),
        identifiers=_names(options.get("identifiers", ()), what="identifiers"),
        excluded=_names(options.get("exclude", ()), what="exclude"),
    )
    roles.check(relation)
    share = options.get("suppress")
    return Ask(
        quasi_identifiers=quasi_identifiers,
        calls=calls,
        requirements=tuple(dict.fromkeys(requirements)),
        share=None if share is None else parse_share(share),
        curve=options.get("curve", False),
        entity=roles.entity,
        sensitive=roles.sensitive,
        strict=options.get("strict_sensitive", False),
        worst=default_measures,
    )


def to_report(relation: Relation, options: ReportOptions) -> tuple[Ask, SubsetsOptions | None]:
    """The question about the set, with all that is required among its measures; and that of the
    search, where something is required: among the set's own columns unless others are named."""
    among = options.get("among", ())
    own = {name: value for name, value in options.items() if name in SetOptions.__annotations__}
    ask = to_ask(relation, cast("MeasureOptions", own), default_measures=True)
    required = [requirement.call for requirement in ask.requirements]
    ask = replace(ask, calls=tuple(dict.fromkeys([*ask.calls, *required])))
    if not required:
        if among:
            raise BadInput("--among searches for what holds; say what must with --require")
        return ask, None
    search = {name: value for name, value in options.items() if name not in ("qi", "examples")}
    return ask, cast("SubsetsOptions", {**search, "among": among or options["qi"]})


def _with_measured(
    sensitive: tuple[str, ...], calls: Sequence[Call], requirements: Sequence[Requirement]
) -> tuple[str, ...]:
    """A column that a measure speaks of is sensitive, named so or not."""
    measured = [*calls, *(requirement.call for requirement in requirements)]
    named = [call.column for call in measured if call.column is not None]
    return tuple(dict.fromkeys([*sensitive, *named]))


def _names(names: Sequence[str], *, what: str) -> tuple[str, ...]:
    # A string is a sequence of its letters, which nobody means.
    if isinstance(names, str):
        raise BadInput(f"{what} takes a list of texts, such as [{names!r}]")
    return tuple(dict.fromkeys(names))
