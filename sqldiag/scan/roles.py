"""A suggested role for a column, with its reason: rules in order, the first that applies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from sqldiag import population
from sqldiag.kinds import Kind
from sqldiag.scan import words
from sqldiag.scan.facts import Facts


class Role(str, Enum):  # noqa: UP042 - a str, so that reports write its value
    IDENTIFIER = "identifier"
    QUASI_IDENTIFIER = "quasi-identifier"
    SENSITIVE = "sensitive"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """``personal``: it tells who somebody is to anyone, and not only within this table.
    ``entity``: it says which person a row is about, and people have several rows."""

    role: Role
    reason: str
    personal: bool = False
    entity: bool = False


Rule = Callable[[Facts, float], Suggestion | None]

# A column is of a shape when so many of its values are; and unique when so many occur once.
_MOST = 0.5
_NEARLY_UNIQUE = 0.95
# Where so many rows stand alone, a column nobody knows the meaning of is taken for known.
_TELLING = 0.05
# A person's key may repeat, but not so often that it is rather a group.
_PERSON_VARIETY = 0.01
_FREE_TEXT_LENGTH = 25

_CONTACTS = {
    "email": "e-mail addresses",
    "phone": "phone numbers",
    "national id": "national identity numbers",
    "ip": "IP addresses",
    "mac": "hardware addresses",
    "account": "bank accounts or cards",
}
_PSEUDONYMS = {"uuid": "UUIDs", "hash": "hashes"}


def suggest(facts: Facts, people: float) -> Suggestion:
    """``people``: of how many the table tells, or could."""
    for rule in _RULES:
        found = rule(facts, people)
        if found is not None:
            return found
    return _by_count(facts, people)


def _empty(facts: Facts, _: float) -> Suggestion | None:
    if facts.distinct == 0:
        return Suggestion(Role.NONE, "every row is NULL")
    if facts.distinct == 1 and facts.nulls == 0 and facts.rows > 1:
        return Suggestion(Role.NONE, "one value in all rows, which tells nobody apart")
    return None


def _nested(facts: Facts, _: float) -> Suggestion | None:
    if facts.kind is not Kind.NESTED:
        return None
    return Suggestion(Role.NONE, f"{facts.type}: what it holds must be looked at by itself")


def _contact_by_shape(facts: Facts, _: float) -> Suggestion | None:
    for shape, what in _CONTACTS.items():
        share = facts.looks_like(shape)
        if share >= _MOST:
            reason = f"{_share(share)} of the values look like {what}"
            return Suggestion(Role.IDENTIFIER, reason, personal=True)
    if facts.kind is Kind.ADDRESS:
        return Suggestion(Role.IDENTIFIER, "network addresses", personal=True)
    return None


def _contact_by_name(facts: Facts, _: float) -> Suggestion | None:
    if facts.kind not in (Kind.TEXT, Kind.WHOLE, Kind.OTHER) or _is_grouping(facts):
        return None
    if facts.words & words.CONTACT:
        return _named(Role.IDENTIFIER, facts, words.CONTACT, "contact or registration")
    named = facts.words & words.PERSON_NAME
    alone = "name" in facts.words and not facts.words & words.THING
    if facts.kind is not Kind.WHOLE and (named or alone):
        return Suggestion(Role.IDENTIFIER, "named like names of people", personal=True)
    if facts.kind is not Kind.WHOLE and facts.words & words.STREET:
        return _named(Role.IDENTIFIER, facts, words.STREET, "postal address")
    return None


def _person_names(facts: Facts, _: float) -> Suggestion | None:
    share = facts.looks_like("name")
    if share >= _MOST and facts.variety >= _MOST and not facts.words & words.THING:
        reason = f"{_share(share)} of the values look like names of people"
        return Suggestion(Role.IDENTIFIER, reason, personal=True)
    return None


def _key(facts: Facts, _: float) -> Suggestion | None:
    pseudonym = [what for s, what in _PSEUDONYMS.items() if facts.looks_like(s) >= _MOST]
    if facts.kind is Kind.UUID:
        pseudonym = ["UUIDs"]
    told = words.PLACE | words.PEOPLE | words.SENSITIVE
    numbered = facts.words & words.NUMBER and not facts.words & told
    keyed = bool(facts.words & words.KEY or numbered or pseudonym)
    if not keyed or facts.kind in (Kind.DATE, Kind.TIME, Kind.TRUTH, Kind.REAL):
        return None
    about = f"{pseudonym[0]}, " if pseudonym else ""
    person = facts.words & words.PERSON and facts.variety >= _PERSON_VARIETY
    if facts.variety >= _NEARLY_UNIQUE and not (person and facts.distinct < facts.filled):
        return Suggestion(Role.IDENTIFIER, f"{about}a key: {_distinct(facts)}")
    if person:
        reason = f"{about}named like the key of a person, who has several rows: {_distinct(facts)}"
        return Suggestion(Role.IDENTIFIER, reason, entity=True)
    if pseudonym:
        return Suggestion(Role.IDENTIFIER, f"{about}which stand for somebody or something")
    return None


def _date(facts: Facts, _: float) -> Suggestion | None:
    dated = facts.looks_like("date")
    if facts.kind not in (Kind.DATE, Kind.TIME) and dated < _MOST:
        return None
    what = "dates" if facts.kind is Kind.DATE else "times" if facts.kind is Kind.TIME else ""
    if facts.words & words.TECHNICAL and not facts.words & words.PEOPLE:
        return Suggestion(Role.NONE, "named like the time when the row was written; is it?")
    shown = what or f"{_share(dated)} of the values look like dates"
    return Suggestion(Role.QUASI_IDENTIFIER, f"{shown}: others may know the day")


def _sensitive(facts: Facts, _: float) -> Suggestion | None:
    if not facts.words & words.SENSITIVE or facts.words & words.KEY & {"id", "key", "pk"}:
        return None
    return _named(Role.SENSITIVE, facts, words.SENSITIVE, "health, money, belief or law")


def _postcode(facts: Facts, _: float) -> Suggestion | None:
    share = facts.looks_like("postcode")
    if share < _MOST:
        return None
    reason = f"{_share(share)} of the values look like postcodes"
    return Suggestion(Role.QUASI_IDENTIFIER, reason)


def _demographic(facts: Facts, _: float) -> Suggestion | None:
    for known, what in (
        (words.PEOPLE, "who somebody is"),
        (words.PLACE, "where somebody lives or was"),
        (words.DAY, "when something happened"),
    ):
        if facts.words & known:
            return _named(Role.QUASI_IDENTIFIER, facts, known, what)
    return None


def _free_text(facts: Facts, _: float) -> Suggestion | None:
    written = facts.looks_like("sentence") >= 0.3 and facts.mean_length >= _FREE_TEXT_LENGTH
    if not written or facts.variety < 0.2:
        return None
    reason = "free text, which may name people; no count can tell, so leave it out"
    return Suggestion(Role.IDENTIFIER, reason, personal=True)


def _unique(facts: Facts, _: float) -> Suggestion | None:
    if facts.variety < _NEARLY_UNIQUE or facts.filled < 2:
        return None
    if facts.kind is Kind.REAL:
        return Suggestion(
            Role.QUASI_IDENTIFIER, f"a number that hardly repeats: {_distinct(facts)}"
        )
    return Suggestion(Role.IDENTIFIER, f"unique or nearly: {_distinct(facts)}")


def _by_count(facts: Facts, people: float) -> Suggestion:
    """Neither name nor shape say anything: how many values are there, for so many people?"""
    if facts.uniqueness >= _TELLING:
        reason = f"{_share(facts.uniqueness)} of the rows are alone with their value"
        return Suggestion(Role.QUASI_IDENTIFIER, reason)
    values = f"{facts.distinct:,} value{'' if facts.distinct == 1 else 's'}"
    if population.is_alpha_quasi_identifier(max(facts.distinct, 1), people):
        reason = f"{values} for {people:,.0f} people could single out half of them"
        return Suggestion(Role.QUASI_IDENTIFIER, reason)
    crowd = people / max(facts.distinct, 1)
    return Suggestion(
        Role.NONE,
        f"{values}, so about {crowd:,.0f} people share one; its name says nothing",
    )


_RULES: tuple[Rule, ...] = (
    _empty,
    _nested,
    _contact_by_shape,
    _contact_by_name,
    _key,
    _date,
    _person_names,
    _sensitive,
    _postcode,
    _demographic,
    _free_text,
    _unique,
)


def _is_grouping(facts: Facts) -> bool:
    """So few values for so many rows that they are rather kinds than people."""
    return facts.rows >= 1000 and facts.variety < 0.005


def _named(role: Role, facts: Facts, known: frozenset[str], what: str) -> Suggestion:
    word = max(facts.words & known, key=lambda found: (len(found), found))
    personal = role is Role.IDENTIFIER
    return Suggestion(role, f"“{word}” in its name: {what}", personal=personal)


def _distinct(facts: Facts) -> str:
    about = "" if facts.distinct_is_exact else "about "
    return f"{about}{facts.distinct:,} values in {facts.filled:,} rows"


def _share(share: float) -> str:
    return f"{share * 100:.0f}%"
