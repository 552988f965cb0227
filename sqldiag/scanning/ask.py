"""What is given for a scan, checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from sqldiag.errors import BadInput
from sqldiag.population import ALPHA, BETA, alpha_domain, largest_domain
from sqldiag.relation import Relation, Roles
from sqldiag.scan.roles import Role

Number = str | float


class ScanOptions(TypedDict, total=False):
    """What ``scan`` takes; numbers may be written as texts, such as 3e8."""

    qi: Sequence[str]
    sensitive: Sequence[str]
    entity: str | None
    identifiers: Sequence[str]
    exclude: Sequence[str]
    population: Number | None
    population_table: str | None
    domains: Mapping[str, Number]
    alpha: float
    k: Number | None
    beta: float
    weights: Mapping[str, Number]
    max_size: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanAsk:
    """``origin`` is what stands before the options of a command about this relation."""

    quasi_identifiers: tuple[str, ...] = ()
    declared: Mapping[str, str] = field(default_factory=dict)
    people: float | None = None
    population: Relation | None = None
    domains: Mapping[str, float] = field(default_factory=dict)
    alpha: float = ALPHA
    k: float | None = None
    beta: float = BETA
    weights: Mapping[str, float] = field(default_factory=dict)
    max_size: int | None = None
    origin: tuple[str, ...] = ()


def to_scan(
    relation: Relation, options: ScanOptions, drawn_from: Relation | None, origin: tuple[str, ...]
) -> ScanAsk:
    """Everything named exists, each column has one role, every number makes sense."""
    roles = Roles(
        quasi_identifiers=tuple(options.get("qi", ())),
        sensitive=tuple(options.get("sensitive", ())),
        entity=options.get("entity"),
        identifiers=tuple(options.get("identifiers", ())),
        excluded=tuple(options.get("exclude", ())),
    )
    roles.check(relation)
    if drawn_from is not None and options.get("population") is not None:
        raise BadInput("name the population by --population or --population-table, not by both")
    people, k = options.get("population"), options.get("k")
    max_size = options.get("max_size")
    if max_size is not None and max_size < 1:
        raise BadInput("--max-size must be above 0")
    asked = ScanAsk(
        quasi_identifiers=roles.quasi_identifiers,
        declared=_declared(roles),
        people=None if people is None else number(people, option="--population"),
        population=drawn_from,
        domains=_numbers(relation, options.get("domains", {}), option="--domain"),
        alpha=options.get("alpha", ALPHA),
        k=None if k is None else number(k, option="--k"),
        beta=options.get("beta", BETA),
        weights=_numbers(relation, options.get("weights", {}), option="--weight", least=1e-9),
        max_size=max_size,
        origin=origin,
    )
    # Refused before the work, not after it.
    alpha_domain(1, asked.alpha)
    largest_domain(1, asked.k or 2, asked.beta)
    return asked


def _declared(roles: Roles) -> dict[str, str]:
    declared = dict.fromkeys(roles.quasi_identifiers, Role.QUASI_IDENTIFIER.value)
    declared |= dict.fromkeys(roles.sensitive, Role.SENSITIVE.value)
    declared |= dict.fromkeys(roles.identifiers, Role.IDENTIFIER.value)
    declared |= dict.fromkeys(roles.excluded, Role.NONE.value)
    return declared | ({roles.entity: "entity"} if roles.entity is not None else {})


def _numbers(
    relation: Relation, given: Mapping[str, Number], *, option: str, least: float = 1.0
) -> dict[str, float]:
    relation.require(given)
    return {name: number(value, option=option, least=least) for name, value in given.items()}


def number(given: Number, *, option: str, least: float = 1.0) -> float:
    """A number as people write large ones: 300000000, 300_000_000 or 3e8."""
    try:
        found = float(given)
    except ValueError:
        raise BadInput(f"{option} takes a number, such as 300000000 or 3e8, not {given}") from None
    if not least <= found < math.inf:
        raise BadInput(f"{option} must be {least:g} or more, and finite")
    return found
