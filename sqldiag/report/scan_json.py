"""A scan as a JSON object; that of a schema holds one for each of its tables."""

from __future__ import annotations

import math
from dataclasses import asdict

from sqldiag.scanned import Coarsening, ColumnScan, KMap, Population, Scan, SchemaScan, SetScan

Json = dict[str, object]


def scan_object(answer: Scan) -> Json:
    return {
        "schema": 1,
        "command": "scan",
        "source": {k: v for k, v in asdict(answer.source).items() if k != "warnings"},
        "warnings": list(answer.source.warnings),
        "population": _population(answer.population),
        "columns": [_column(column) for column in answer.columns],
        "sets": [_set(found) for found in answer.sets],
        "coarsening": None if answer.coarsening is None else _coarsening(answer.coarsening),
        "notes": list(answer.notes),
        "next": list(answer.next_commands),
        "cost": {**asdict(answer.cost), "seconds": round(answer.cost.seconds, 6)},
    }


def schema_object(answer: SchemaScan) -> Json:
    return {
        "schema": 1,
        "command": "scan",
        "source": {"engine": answer.engine, "schema": answer.schema},
        "tables": [
            {"table": one.source.relation, "exposed": one.exposed, **_inner(one)}
            for one in answer.tables
        ],
        "empty": list(answer.empty),
        "skipped": [{"table": name, "reason": why} for name, why in answer.skipped],
        "next": list(answer.next_commands),
        "cost": {**asdict(answer.cost), "seconds": round(answer.cost.seconds, 6)},
    }


def _inner(answer: Scan) -> Json:
    return {k: v for k, v in scan_object(answer).items() if k not in ("schema", "command")}


def _population(population: Population) -> Json:
    return {**asdict(population), "people": _number(population.people)}


def _column(column: ColumnScan) -> Json:
    facts = column.facts
    return {
        "name": facts.name,
        "type": facts.type,
        "nulls": facts.nulls,
        "distinct": facts.distinct,
        "distinct_is_exact": facts.distinct_is_exact,
        "most_frequent_share": facts.top_share,
        "singletons": facts.singletons,
        "entropy": facts.entropy,
        "suggested_role": column.suggestion.role.value,
        "reason": column.suggestion.reason,
        "declared_role": column.declared_role,
        "role": column.role,
        "names_people": column.suggestion.personal,
        "repeats_per_person": column.suggestion.entity,
        "domain": _number(column.domain),
        "domain_is_given": column.domain_is_given,
    }


def _set(found: SetScan) -> Json:
    body: Json = {
        "quasi_identifiers": list(found.quasi_identifiers),
        "classes": found.classes,
        "singletons": found.singletons,
        "uniqueness": found.uniqueness,
        "null_rows": found.null_rows,
        "domain": _number(found.domain),
        "population_uniqueness": found.population_uniqueness,
        "population_k": _number(found.population_k),
        "can_identify": found.can_identify,
    }
    return body if found.k_map is None else {**body, "k_map": _k_map(found.k_map)}


def _k_map(found: KMap) -> Json:
    return asdict(found)


def _coarsening(found: Coarsening) -> Json:
    return {
        "k": _number(found.k),
        "beta": found.beta,
        "domain": _number(found.domain),
        "columns": [
            {
                "name": kept.name,
                "weight": kept.weight,
                "domain": _number(kept.domain),
                "keep": kept.values,
                "how": kept.how,
                "cut_points": None if kept.cut_points is None else list(kept.cut_points),
            }
            for kept in found.columns
        ],
    }


def _number(value: float) -> object:
    """Whole numbers as such, and JSON has no infinity."""
    if math.isinf(value):
        return "inf"
    return int(value) if value == int(value) else value
