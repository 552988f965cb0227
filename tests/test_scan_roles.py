"""Suggested roles: the hospital, and small tables with the names that real ones have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

import sqldiag
from fixtures import hospital
from sqldiag.kinds import Kind, kind_of
from sqldiag.scan.facts import Facts
from sqldiag.scan.roles import Role, suggest
from tests.databases import Database

ID, Q, S, N = (role.value for role in Role)
ROWS = 60


@dataclass(frozen=True)
class Example:
    """A table: for each column its role, its type and what it holds in row i."""

    name: str
    columns: dict[str, tuple[str, str, Sequence[object]]]


def _each(template: str) -> list[object]:
    return [template.format(i) for i in range(ROWS)]


def _round(*values: object) -> list[object]:
    return [values[i % len(values)] for i in range(ROWS)]


FIRST = ("Ann", "Bob", "Cem", "Dora", "Egon", "Fay", "Gus", "Hana", "Ivo", "Jo", "Kai", "Lea")
NAMES = [
    f"{FIRST[i % 12]} {'Smithson'[: 3 + i % 5].title()}{chr(97 + i % 26)}" for i in range(ROWS)
]

EXAMPLES = (
    Example(
        "crm contacts",
        {
            "ContactID": (ID, "INTEGER", list(range(ROWS))),
            "FullName": (ID, "TEXT", NAMES),
            "E-Mail": (ID, "TEXT", _each("p{}@example.org")),
            "Phone#": (ID, "TEXT", _each("+44 20 7946 {:04}")),
            "DateOfBirth": (Q, "DATE", _round("1980-01-01", "1975-05-05", "1990-09-09")),
            "PostCode": (Q, "TEXT", _round("SW1A 1AA", "EC1V 9HX", "M1 1AE")),
            "Annual Income": (S, "INTEGER", _round(20_000, 30_000, 45_000)),
        },
    ),
    Example(
        "x1",
        {
            "col_1": (ID, "TEXT", _each("user{}@mail.example.com")),
            "col_2": (ID, "TEXT", _each("078-05-1{:03}")),
            "col_3": (ID, "TEXT", _each("10.0.0.{}")),
            "col_4": (Q, "TEXT", _round("2001-02-03", "1999-12-31")),
            "col_5": (N, "INTEGER", _round(0, 1)),
        },
    ),
    Example(
        "Patienten",
        {
            "Versicherungs-Nr": (ID, "TEXT", _each("A{:09}")),
            "Nachname": (ID, "TEXT", _each("Muster{}")),
            "Geschlecht": (Q, "TEXT", _round("m", "w", "d")),
            "Geburtsdatum": (Q, "DATE", _round("1980-01-01", "1975-05-05")),
            "PLZ": (Q, "TEXT", _round("10115", "80331", "20095")),
            "Diagnose": (S, "TEXT", _round("J45", "E11", "I10")),
        },
    ),
    Example(
        "web_log",
        {
            "session uuid": (ID, "TEXT", _each("0b7f8c1e-5a52-4c5e-9a6e-2f9f8d3c1{:03}")),
            "client_ip": (ID, "TEXT", _round("192.0.2.1", "192.0.2.7", "198.51.100.4")),
            "created_at": (N, "TIMESTAMP", _round("2024-01-01 10:00:00", "2024-01-01 10:00:05")),
            "country_name": (Q, "TEXT", _round("France", "Spain", "Chad")),
            "status": (N, "INTEGER", _round(200, 404)),
        },
    ),
    Example(
        "hr.staff",
        {
            "emp no.": (ID, "INTEGER", [1000 + i for i in range(ROWS)]),
            "job-title": (Q, "TEXT", _round("Engineer", "Clerk", "Manager")),
            "Dept": (Q, "TEXT", _round("Sales", "IT")),
            "base pay": (S, "DOUBLE PRECISION", _round(1.5, 2.5, 9.0)),
            "Union Member": (S, "BOOLEAN", _round(True, False)),
            "is_active": (N, "BOOLEAN", _round(True, False, True)),
        },
    ),
    Example(
        "lab results",
        {
            "subject_id": (ID, "INTEGER", _round(*range(25))),
            "visit date": (Q, "DATE", _round("2024-01-01", "2024-02-01", "2024-03-01")),
            "HbA1c": (Q, "DOUBLE PRECISION", [4 + i / 37 for i in range(ROWS)]),
            "test_result": (S, "TEXT", _round("neg", "pos")),
            "batch": (N, "TEXT", _round("A", "B")),
        },
    ),
    Example(
        "tickets",
        {
            "id": (ID, "INTEGER", list(range(ROWS))),
            "customer_id": (ID, "INTEGER", _round(*range(40))),
            "notes": (ID, "TEXT", _each("called about the invoice of last month, number {}")),
            "priority": (N, "TEXT", _round("low", "high")),
            "payload": (N, "JSON", _each('{{"n": {}}}')),
            "unused": (N, "TEXT", [None] * ROWS),
            "version": (N, "INTEGER", [1] * ROWS),
        },
    ),
    Example(
        "SELECT * FROM",
        {
            "select": (N, "INTEGER", _round(1, 2, 3)),
            'quo"ted sex': (Q, "TEXT", _round("f", "m")),
            "zip,code": (Q, "TEXT", _each("{:05}")),
            "age (years)": (Q, "INTEGER", _round(*range(18, 70))),
            "naïve:größe": (N, "INTEGER", _round(1, 2)),
        },
    ),
    Example(
        "trips",
        {
            "hashed_card": (ID, "TEXT", _each("d41d8cd98f00b204e9800998ecf8{:04}")),
            "pickupLat": (Q, "DOUBLE PRECISION", [40 + i / 1000 for i in range(ROWS)]),
            "pickupLon": (Q, "DOUBLE PRECISION", [-73 - i / 1000 for i in range(ROWS)]),
            "pickup_time": (Q, "TIMESTAMP", _each("2024-01-01 10:00:{:02}")),
            "licensePlate": (ID, "TEXT", _each("AB {:03} C")),
            "vendor": (N, "INTEGER", _round(1, 2)),
        },
    ),
    Example(
        "survey_2024",
        {
            "respondent": (ID, "TEXT", _each("R-{}")),
            "Q1_gender": (Q, "TEXT", _round("f", "m", "x")),
            "Q2_maritalStatus": (Q, "TEXT", _round("single", "married")),
            "Q3_religion": (S, "TEXT", _round("a", "b", "c")),
            "Q4_N_Children": (Q, "INTEGER", _round(0, 1, 2, 3)),
            "Q5": (N, "INTEGER", _round(1, 2, 3, 4, 5)),
            "iban": (ID, "TEXT", _each("DE8937040044053201{:04}")),
        },
    ),
)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_awkward_tables(db: Database, example: Example) -> None:
    types = {name: kind for name, (_, kind, _) in example.columns.items()}
    rows = list(zip(*(values for _, _, values in example.columns.values()), strict=True))
    db.load(example.name, types, rows)
    with sqldiag.connect(db.url) as database:
        scan = database.table(example.name).scan(population=ROWS)
    found = {c.name: c.suggestion.role.value for c in scan.columns}
    assert found == {name: role for name, (role, _, _) in example.columns.items()}
    assert all(column.suggestion.reason for column in scan.columns)


def test_hospital(db: Database) -> None:
    db.execute(hospital.create_sql(2000))
    with sqldiag.connect(db.url) as database:
        scan = database.table("hospital").scan()
    assert {c.name: c.suggestion.role.value for c in scan.columns} == {
        "patient_id": ID,
        "age": Q,
        "sex": Q,
        "zip": Q,
        "admission_date": Q,
        "ward": Q,
        "diagnosis": S,
    }
    assert scan.column("patient_id").suggestion.entity
    assert "--entity patient_id" in scan.next_commands[0]


def test_what_was_declared_wins_and_the_suggestion_stays_visible(db: Database) -> None:
    db.execute(hospital.create_sql(500))
    with sqldiag.connect(db.url) as database:
        scan = database.table("hospital").scan(
            sensitive=["ward"], exclude=["age"], identifiers=["zip"], entity="patient_id"
        )
    roles = {c.name: (c.role, c.declared_role, c.suggestion.role.value) for c in scan.columns}
    assert roles["ward"] == (S, S, Q)
    assert roles["age"] == (N, N, Q)
    assert roles["zip"] == (ID, ID, Q)
    assert roles["patient_id"] == ("entity", "entity", ID)
    assert scan.having(Q) == ("sex", "admission_date")


def test_roles_that_the_database_declares(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    db.execute(hospital.create_sql(500))
    with sqldiag.connect(db.url) as database:
        connection = database.session.connection
        declared = {"ward": "sensitive", "sex": "none"}
        monkeypatch.setattr(connection, "declared_roles", lambda _: declared)
        scan = database.table("hospital").scan(qi=["sex", "age"])
    assert scan.column("ward").role == S
    # The command line knows better than the database.
    assert scan.column("sex").role == Q


def _facts(**known: object) -> Facts:
    defaults: dict[str, object] = {
        "name": "c", "type": "text", "kind": Kind.TEXT, "rows": 1000, "nulls": 0, "distinct": 10,
        "distinct_is_exact": True, "top_share": 0.2, "singletons": 0, "entropy": 1.0,
    }  # fmt: skip
    return Facts(**(defaults | known))  # type: ignore[arg-type]


def test_the_rest_goes_by_the_count_against_the_population() -> None:
    many = _facts(distinct=900, singletons=20)
    assert suggest(many, 500).role is Role.QUASI_IDENTIFIER
    assert suggest(many, 3e8).role is Role.NONE
    assert suggest(_facts(distinct=500, singletons=80), 3e8).role is Role.QUASI_IDENTIFIER


@pytest.mark.parametrize(
    ("type_name", "kind"),
    [
        ("character varying(20)", Kind.TEXT),
        ("VARCHAR", Kind.TEXT),
        ("ENUM('a', 'b')", Kind.TEXT),
        ("timestamp(3) with time zone", Kind.TIME),
        ("TIMESTAMP_NS", Kind.TIME),
        ("date", Kind.DATE),
        ("interval", Kind.OTHER),
        ("integer", Kind.WHOLE),
        ("UTINYINT", Kind.WHOLE),
        ("HUGEINT", Kind.WHOLE),
        ("int8", Kind.WHOLE),
        ("numeric(10,2)", Kind.REAL),
        ("DECIMAL(18,3)", Kind.REAL),
        ("double precision", Kind.REAL),
        ("boolean", Kind.TRUTH),
        ("uuid", Kind.UUID),
        ("inet", Kind.ADDRESS),
        ("INTEGER[]", Kind.NESTED),
        ("STRUCT(a INTEGER)", Kind.NESTED),
        ("jsonb", Kind.NESTED),
        ("point", Kind.NESTED),
        ("mood", Kind.OTHER),
    ],
)
def test_kinds(type_name: str, kind: Kind) -> None:
    assert kind_of(type_name) is kind
