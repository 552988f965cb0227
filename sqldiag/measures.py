"""What is measured: one declaration per measure, and nothing else knows a measure by name.

A class of rows is seen as its *cells*: one per sensitive value v that somebody in it has.

    c        people (rows, without an entity column) of the class that have v; at least 1
    v        the value itself
    p, q     share of v among the class's (person, value) pairs, and among the relation's
    t        people of the relation that have v
    largest  the largest c of the class
    tail     the sum of this c and of all that are not larger (ties in a fixed order)
    work     this value's part of the ordered distance between p and q

An aggregate condenses the cells of a class into one number; a measure's value follows from such
numbers, from ``people`` (the size of the class, |e|) and from ``total`` and ``domain`` (the pairs
and the distinct values of the whole relation). The formulas are written in plain SQL and rendered
for each engine by the planner. Denominators are kept from zero: where nobody stands in a class
(all its entities are NULL), diversity is 0 and every distance is 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from sqldiag.measure import Aggregate, Call, Direction, Measure, Pruning, Takes


def _count(sql: str, *uses: str) -> Aggregate:
    return Aggregate(sql, frozenset(uses))


def _real(sql: str, *uses: str) -> Aggregate:
    return Aggregate(sql, frozenset(uses), "DOUBLE")


AGGREGATES: Mapping[str, Aggregate] = {
    "pairs": _count("CAST(SUM(c) AS BIGINT)"),
    "distinct_values": _count("COUNT(*)"),
    "top": _count("MAX(c)"),
    "top_named": _count("MAX(CASE WHEN {named} THEN c ELSE 0 END)"),
    "c_log_c": _real("SUM(c * LN(CAST(c AS DOUBLE)))"),
    "depth": _count(
        "COUNT(CASE WHEN largest * {denominator} < tail * {numerator} THEN 1 END)", "tail"
    ),
    "distance": _real("SUM(ABS(p - q))", "p", "q"),
    "seen": _count("CAST(SUM(t) AS BIGINT)", "q"),
    "work": _real("SUM(work)", "work"),
    "gain": _real("MAX(CASE WHEN p > q THEN (p - q) / q ELSE 0 END)", "p", "q"),
    "excess": _count("MAX(CASE WHEN p > q AND (p - q) / q > -LN(q) THEN 1 ELSE 0 END)", "p", "q"),
    "skew": _real("MAX(ABS(LN(p / q)))", "p", "q"),
}


_MONOTONE = Pruning(strict=True, suppressed=True, entity=True)
_WORST_ONLY = Pruning(strict=True, suppressed=False, entity=False)
_THROUGH_DISTINCT = Pruning(strict=True, suppressed=False, entity=False, through_distinct=True)
_NEVER = Pruning(strict=False, suppressed=False, entity=False)

_L_DIVERSITY = "Machanavajjhala et al., l-Diversity: Privacy Beyond k-Anonymity, ICDE 2006"
_T_CLOSENESS = "Li, Li and Venkatasubramanian, t-Closeness, ICDE 2007"
_BETA = "Cao and Karras, Publishing Microdata with a Robust Privacy Guarantee, VLDB 2012"

MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(
            name="k",
            title="k-anonymity",
            takes=Takes.NOTHING,
            direction=Direction.MORE,
            floor=1,
            over="people",
            aggregates=(),
            pruning=_MONOTONE,
            definition="how many rows, or people, agree on all quasi-identifiers: the size "
            "of a group",
            paper="Samarati and Sweeney, Protecting Privacy when Disclosing Information, 1998",
            sentence="the smallest group holds {one_crowd}",
            at_worst="someone stands alone: the smallest group holds {one_crowd}",
        ),
        Measure(
            name="distinct_l",
            title="distinct l-diversity",
            takes=Takes.COLUMN,
            direction=Direction.MORE,
            floor=1,
            over="distinct_values",
            aggregates=("distinct_values",),
            pruning=_MONOTONE,
            definition="the number of different values of the sensitive column in a group",
            paper=_L_DIVERSITY,
            sentence="in the worst group, {one_crowd} have {value} values of {column}",
            at_worst="in the worst group, all {one_crowd} have the same {column}",
        ),
        Measure(
            name="frequency_l",
            title="frequency l-diversity",
            takes=Takes.COLUMN,
            direction=Direction.MORE,
            floor=1,
            over="people",
            under="GREATEST(top, 1)",
            aggregates=("top",),
            pruning=_THROUGH_DISTINCT,
            definition="the size of a group by the count of its commonest value",
            paper=_L_DIVERSITY,
            sentence="in the worst group, {top} of {one_crowd} share one {column}",
            at_worst="in the worst group, all {one_crowd} share one {column}",
        ),
        Measure(
            name="entropy_l",
            title="entropy l-diversity",
            takes=Takes.COLUMN,
            direction=Direction.MORE,
            floor=1,
            formula="CASE WHEN pairs > 0 "
            "THEN EXP(LN(CAST(pairs AS DOUBLE)) - c_log_c / pairs) ELSE 0 END",
            aggregates=("pairs", "c_log_c"),
            pruning=_THROUGH_DISTINCT,
            definition="how many equally likely values would be as uncertain as those of the group",
            paper=_L_DIVERSITY,
            sentence="the worst group is as uncertain as {value} equally likely values of {column}",
            at_worst="in the worst group, {column} is certain",
        ),
        Measure(
            name="recursive_l",
            title="recursive (c,l)-diversity",
            takes=Takes.COLUMN_AND_NUMBER,
            direction=Direction.MORE,
            floor=0,
            over="depth",
            aggregates=("depth",),
            pruning=_THROUGH_DISTINCT,
            definition="the largest l for which the commonest value is rarer than c times "
            "all values from rank l on",
            paper=_L_DIVERSITY,
            sentence="in every group, the commonest {column} has fewer {crowd} than {number} × all "
            "values from rank {value} on",
            at_worst="in the worst group, the commonest {column} has at least {number} × the "
            "{crowd} of all",
        ),
        Measure(
            name="alpha",
            title="(α,k)-anonymity",
            takes=Takes.COLUMN_AND_VALUES,
            direction=Direction.LESS,
            floor=1,
            over="top_named",
            under="GREATEST(people, 1)",
            aggregates=("top_named",),
            pruning=_WORST_ONLY,
            definition="the largest share that one value, or one of the named values, has "
            "in a group",
            paper="Wong et al., (α,k)-Anonymity, KDD 2006",
            sentence="in the worst group, {top_named} of {one_crowd} have {named}",
            at_worst="in the worst group, all {one_crowd} have {named}",
        ),
        Measure(
            name="t_closeness",
            title="t-closeness, equal distance",
            takes=Takes.COLUMN,
            direction=Direction.LESS,
            formula="CASE WHEN pairs > 0 "
            "THEN (distance + (total - seen) / CAST(total AS DOUBLE)) / 2 ELSE 0 END",
            aggregates=("pairs", "distance", "seen"),
            pruning=_WORST_ONLY,
            definition="how far a group is from the whole table: half the sum of the "
            "differences of shares",
            paper=_T_CLOSENESS,
            sentence="in the worst group, {percent} of the {crowd} would need another {column} "
            "to match the whole table",
        ),
        Measure(
            name="t_closeness_ordered",
            title="t-closeness, ordered distance",
            takes=Takes.COLUMN,
            direction=Direction.LESS,
            formula="CASE WHEN pairs > 0 AND domain > 1 THEN work / (domain - 1) ELSE 0 END",
            aggregates=("pairs", "work"),
            pruning=_WORST_ONLY,
            definition="how far a group is from the whole table along the order of its "
            "values: the way its shares would have to be moved, from 0 to 1",
            paper=_T_CLOSENESS,
            sentence="in the worst group, {column} lies {percent} of its range away "
            "from the whole table",
        ),
        Measure(
            name="basic_beta",
            title="basic β-likeness",
            takes=Takes.COLUMN,
            direction=Direction.LESS,
            formula="gain",
            aggregates=("gain",),
            pruning=_WORST_ONLY,
            definition="by how much a value is commoner in a group than in the whole "
            "table, as a part of its share there",
            paper=_BETA,
            sentence="in the worst group, one {column} is {times} times as common "
            "as in the whole table",
        ),
        Measure(
            name="enhanced_beta",
            title="enhanced β-likeness",
            takes=Takes.COLUMN,
            direction=Direction.LESS,
            formula="CASE WHEN excess > 0 THEN CAST('Infinity' AS DOUBLE) ELSE gain END",
            aggregates=("gain", "excess"),
            pruning=_WORST_ONLY,
            definition="by how much a value is commoner in a group than in the whole "
            "table; infinite where it gains more than minus the logarithm of "
            "its share there",
            paper=_BETA,
            sentence="in the worst group, one {column} gains {value} over its share "
            "of the whole table",
            at_worst="in the worst group, one {column} gains more than its rarity allows",
        ),
        Measure(
            name="delta_disclosure",
            title="δ-disclosure",
            takes=Takes.COLUMN,
            direction=Direction.LESS,
            formula="skew",
            aggregates=("skew",),
            pruning=_NEVER,
            definition="the largest distance, in logarithms, between the share of a value "
            "in a group and in the table",
            paper="Brickell and Shmatikov, The Cost of Privacy, KDD 2008",
            sentence="in the worst group, the share of one {column} is off by a factor of {factor} "
            "from the whole table",
        ),
    )
}


# What is measured where nothing is named: the size of the smallest crowd.
SIZE = Call(MEASURES["k"], text="k")


def distinct_of(call: Call, quoted: str) -> Call:
    """Distinct diversity of the same column: the bound that prunes in a measure's place."""
    measure = MEASURES["distinct_l"]
    return Call(measure, call.column, text=f"{measure.name}({quoted})")


def family(column: str, quoted: str) -> tuple[Call, ...]:
    """Every measure of one sensitive column; recursive diversity takes c = 3, as its paper does."""
    calls = []
    for measure in MEASURES.values():
        if measure.takes is Takes.NOTHING:
            continue
        if measure.takes is Takes.COLUMN_AND_NUMBER:
            text, number = f"{measure.name}({quoted}, 3)", Fraction(3)
            calls.append(Call(measure, column, number=number, text=text))
        else:
            calls.append(Call(measure, column, text=f"{measure.name}({quoted})"))
    return tuple(calls)
