"""What a scan of the Adult data must find: figures of the literature, and the columns' roles."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sqldiag

# How many values the columns could take in a population of 300 million.
DOMAINS = {
    "age": 60,
    "workclass": 8,
    "education": 15,
    "marital-status": 7,
    "occupation": 14,
    "relationship": 6,
    "race": 5,
    "sex": 2,
    "hours-per-week": 20,
    "native-country": 40,
}
ROLES = {
    **dict.fromkeys(DOMAINS, "quasi-identifier"),
    "education-num": "quasi-identifier",
    # A weight of the survey, nearly as good as a name: half of the rows are alone with theirs.
    "fnlwgt": "quasi-identifier",
    "capital-gain": "sensitive",
    "capital-loss": "sensitive",
    "salary-class": "sensitive",
}

Ask = Callable[[sqldiag.Database], Mapping[str, object]]


def _figures(*columns: str) -> Ask:
    """To three digits; a paper prints 1.48e-6 for 1200 / (e · 3e8), and 33e9 for 3.39e10."""

    def ask(database: sqldiag.Database) -> Mapping[str, object]:
        domains = {name: DOMAINS[name] for name in columns}
        scan = database.table("adult").scan(qi=columns, population=3e8, domains=domains)
        found = scan.together
        assert found is not None
        return {
            "S": found.singletons,
            "F1": float(f"{found.uniqueness:.3g}"),
            "D": found.domain,
            "F2": float(f"{found.population_uniqueness:.3g}"),
            "k": found.population_k,
        }

    return ask


def _roles(database: sqldiag.Database) -> Mapping[str, object]:
    scan = database.table("adult").scan(population=3e8, max_size=1)
    return {column.name: column.suggestion.role.value for column in scan.columns}


FIGURES: tuple[tuple[str, Ask, Mapping[str, object]], ...] = (
    (
        "age, hours-per-week",
        _figures("age", "hours-per-week"),
        {"S": 986, "F1": 0.0303, "D": 1200, "F2": 1.47e-6, "k": 2.5e5},
    ),
    (
        "all ten columns",
        _figures(*DOMAINS),
        {"S": 24_802, "F1": 0.762, "D": 33_868_800_000, "F2": 0.991, "k": 1},
    ),
    ("suggested roles", _roles, ROLES),
)
