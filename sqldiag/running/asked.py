"""From a policy's table to the question that is asked of the database."""

from __future__ import annotations

from collections.abc import Mapping

from sqldiag.asking import ReportOptions, SearchOptions, SetOptions
from sqldiag.errors import BadInput
from sqldiag.policy.model import Search, TablePolicy
from sqldiag.policy.read import digest
from sqldiag.requirement import parse_requirement


def check_options(entry: TablePolicy, declared: Mapping[str, str]) -> SetOptions:
    """What ``check`` is asked. The policy wins: a role that it names is as it says, and a column
    that it names has the role it says; what is left, the database may declare."""
    measured = [parse_requirement(text).call.column for text in entry.require]
    named = {*entry.named, *measured}

    def role(given: tuple[str, ...] | None, name: str) -> tuple[str, ...]:
        if given is not None:
            return given
        return tuple(c for c, r in declared.items() if r == name and c not in named)

    quasi_identifiers = role(entry.quasi_identifiers, "quasi-identifier")
    if not quasi_identifiers:
        raise BadInput(
            f"{entry.name} has no quasi-identifiers; name them in the policy, or declare them in "
            "the database with the comment 'sqldiag: quasi-identifier' on a column"
        )
    entities = role((entry.entity,) if entry.entity else None, "entity")
    if len(entities) > 1:
        raise BadInput(f"{entry.name} declares several entities: {', '.join(entities)}")
    return SetOptions(
        qi=quasi_identifiers,
        require=entry.require,
        suppress=entry.suppress,
        sensitive=role(entry.sensitive, "sensitive"),
        entity=entities[0] if entities else None,
        identifiers=role(entry.identifiers, "identifier"),
        strict_sensitive=entry.strict_sensitive,
    )


def search_options(search: Search, asked: SetOptions, declared: Mapping[str, str]) -> SearchOptions:
    """The search beside a check, with the same roles; what plays no role is left out."""
    named = {*search.among, *search.exclude}
    silent = [column for column, role in declared.items() if role == "none" and column not in named]
    return SearchOptions(
        require=search.require or asked.get("require", ()),
        among=search.among,
        exclude=() if search.among else (*search.exclude, *silent),
        suppress=asked.get("suppress") if search.suppress is None else search.suppress,
        sensitive=asked.get("sensitive", ()),
        entity=asked.get("entity"),
        identifiers=asked.get("identifiers", ()),
        strict_sensitive=asked.get("strict_sensitive", False),
        max_size=search.max_size,
        max_sets=search.max_sets,
        max_seconds=search.max_seconds,
    )


def report_options(entry: TablePolicy, asked: SetOptions) -> ReportOptions:
    """The page of a check, with its question; the policy's search lends columns and budget."""
    search = entry.borders or Search()
    return ReportOptions(
        **asked,
        among=search.among,
        max_size=search.max_size,
        max_sets=search.max_sets,
        max_seconds=search.max_seconds,
    )


def question_of(entry: TablePolicy, asked: SetOptions) -> str:
    """The same for the same question, so that its levels may be compared over time."""
    strict = asked.get("strict_sensitive", False)
    return digest(
        [
            entry.connection,
            entry.table,
            entry.query,
            entry.where,
            list(asked["qi"]),
            asked.get("entity"),
            sorted(asked.get("sensitive", ())) if strict else [],
            asked.get("suppress"),
        ]
    )
