"""The generated tables: the same rows on every engine, as skewed and correlated as they claim."""

from __future__ import annotations

import datetime
import hashlib
from collections import Counter

import duckdb
import pytest

from fixtures import adult_like, generator, hospital
from tests.databases import Database

Rows = list[tuple[object, ...]]


def reference(sql: str, table: str) -> Rows:
    """What DuckDB in memory makes of it."""
    with duckdb.connect() as connection:
        connection.execute(sql)
        return connection.execute(f"SELECT * FROM {table}").fetchall()


@pytest.fixture(scope="module")
def people() -> list[dict[str, object]]:
    """20,000 admissions, as dictionaries."""
    rows = reference(hospital.create_sql(20_000), "hospital")
    return [dict(zip(hospital.COLUMNS, row, strict=True)) for row in rows]


def column_names(db: Database, table: str) -> list[object]:
    catalog = f"""SELECT column_name FROM information_schema.columns
                  WHERE table_name = '{table}' ORDER BY ordinal_position"""
    return [name for (name,) in db.query(catalog)]


@pytest.mark.parametrize("flags", [0, 7, 60])
def test_hospital_is_the_same_everywhere(db: Database, flags: int) -> None:
    sql = hospital.create_sql(2_000, flags=flags)
    db.execute(sql)
    assert Counter(db.query("SELECT * FROM hospital")) == Counter(reference(sql, "hospital"))
    assert column_names(db, "hospital") == [*hospital.COLUMNS, *hospital.flag_columns(flags)]


def test_adult_like_is_the_same_everywhere(db: Database) -> None:
    sql = adult_like.create_sql(2_000)
    db.execute(sql)
    assert Counter(db.query("SELECT * FROM adult_like")) == Counter(reference(sql, "adult_like"))
    assert column_names(db, "adult_like") == list(adult_like.COLUMNS)


def test_the_rows_never_change(people: list[dict[str, object]]) -> None:
    """Figures in the documentation rest on them: a change here must be meant."""
    lines = sorted("|".join(map(str, row.values())) for row in people)
    assert lines[0] == "100000|70|F|02603|2022-02-03|Intensive care|Parkinson's disease"
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16] == "f4a0a56f13d9d59b"


def test_any_name_and_any_size(db: Database) -> None:
    generator.run(db.url, hospital.create_sql(1, table='one "row"'))
    assert db.query('SELECT COUNT(*) FROM "one ""row"""') == [(1,)]


@pytest.mark.parametrize(("rows", "flags"), [(0, 0), (-5, 0), (10, 61), (10, -1)])
def test_impossible_sizes(rows: int, flags: int) -> None:
    with pytest.raises(ValueError, match=r"at least one row|0 to 60"):
        hospital.create_sql(rows, flags=flags)


def test_patients_come_several_times(people: list[dict[str, object]]) -> None:
    visits = Counter(row["patient_id"] for row in people)
    assert 1.5 < len(people) / len(visits) < 1.7
    assert 0.5 < sum(count == 1 for count in visits.values()) / len(visits) < 0.75
    assert max(visits.values()) >= 8


def test_a_patient_stays_the_same_person(people: list[dict[str, object]]) -> None:
    assert len({(row["patient_id"], row["sex"], row["zip"]) for row in people}) == len(
        {row["patient_id"] for row in people}
    )
    ages: dict[object, list[int]] = {}
    for row in people:
        if isinstance(row["age"], int):
            ages.setdefault(row["patient_id"], []).append(row["age"])
    assert max(max(seen) - min(seen) for seen in ages.values()) <= 3


def test_some_values_are_missing(people: list[dict[str, object]]) -> None:
    missing = {name: sum(row[name] is None for row in people) for name in hospital.COLUMNS}
    assert 60 < missing["zip"] < 160
    assert 30 < missing["diagnosis"] < 100
    assert 0 < missing["age"] < 30
    complete = {name for name, count in missing.items() if count == 0}
    assert complete == {"patient_id", "sex", "admission_date", "ward"}


def test_values_are_skewed(people: list[dict[str, object]]) -> None:
    zips = Counter(str(row["zip"]) for row in people if row["zip"] is not None)
    assert 350 < len(zips) <= 400
    assert all(len(code) == 5 and code.isdigit() for code in zips)
    common = sum(count for _, count in zips.most_common(len(zips) // 10))
    assert common > 0.35 * len(people)
    diagnoses = Counter(row["diagnosis"] for row in people)
    assert 40 <= len(diagnoses) <= 44
    assert 20 < diagnoses["HIV"] < 120


def test_dates_cover_three_years_with_few_weekends(people: list[dict[str, object]]) -> None:
    dates = [row["admission_date"] for row in people]
    days = [date for date in dates if isinstance(date, datetime.date)]
    assert min(days) >= datetime.date(2022, 1, 3)
    assert max(days) <= datetime.date(2024, 12, 29)
    weekend = sum(day.weekday() >= 5 for day in days)
    assert weekend < 0.2 * len(days)
    months = Counter(day.month for day in days)
    assert months[1] > 1.2 * months[6]


def test_diagnosis_goes_with_age_and_sex(people: list[dict[str, object]]) -> None:
    births = [row for row in people if row["diagnosis"] == "Normal delivery"]
    assert {row["sex"] for row in births} == {"F"}
    assert {row["sex"] for row in people if row["diagnosis"] == "Prostate cancer"} <= {"M", "X"}
    hips = [row["age"] for row in people if row["diagnosis"] == "Hip fracture"]
    old = sum(isinstance(age, int) and age >= 65 for age in hips)
    assert old > 0.7 * len(hips)


def test_adult_like_has_the_domains_of_adult() -> None:
    with duckdb.connect() as connection:
        connection.execute(adult_like.create_sql(200_000))
        counts = ", ".join(f"COUNT(DISTINCT {name})" for name in adult_like.COLUMNS)
        found = connection.execute(f"SELECT {counts} FROM adult_like").fetchone()
    assert found == (74, 7, 16, 7, 14, 5, 2, 41, 2)
