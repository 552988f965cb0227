"""Ways to group facts: by one set of columns, or by many sets in one statement.

Facts are rows (quasi-identifiers, sensitive columns, entity, n); a grouping gives, for each of its
sets, the groups with their rows n. Where there are many sets, the column g says which set a group
belongs to: bit i of g is set when the i-th column of the grouping is in the set.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import inf

from sqlglot import exp, parse_one

from sqldiag.planner.packing import Field
from sqldiag.planner.steps import Steps, union_all

# A column of g's bits must fit a signed BIGINT.
MOST_COLUMNS = 62


class Grouping(ABC):
    """``keys`` tell classes apart, ``by`` tells sets apart (empty where there is one set)."""

    keys: tuple[str, ...]
    by: tuple[str, ...]

    def __init__(self, facts: str, count_type: str = "BIGINT") -> None:
        self.facts = facts
        # What counts are kept in: engines widen sums to types that are slow.
        self.count = f"CAST(SUM(n) AS {count_type}) AS n"
        self._made: dict[tuple[str, ...], str] = {}

    def grouped(self, extra: Sequence[str], steps: Steps) -> str:
        """A step of (keys, extra, n), grouped by all but n."""
        wanted = tuple(extra)
        if wanted not in self._made:
            self._made[wanted] = self._group(wanted, steps)
        return self._made[wanted]

    def whole(self, columns: Sequence[str], steps: Steps) -> str:
        """A step of (columns, n) over the whole relation, whatever the sets."""
        name = f"whole_{'_'.join(columns)}"
        if (name,) not in self._made:
            select = exp.select(*columns, self.count).from_(self.facts)
            self._made[name,] = steps.add(name, select.group_by(*columns))
        return self._made[name,]

    @abstractmethod
    def has_null(self) -> str:
        """Whether a class has a NULL among the columns of its set."""

    @abstractmethod
    def _group(self, extra: tuple[str, ...], steps: Steps) -> str: ...


class OneSet(Grouping):
    """By one set; ``columns`` are all that the facts are grouped by already."""

    by = ()

    def __init__(self, facts: str, keys: Sequence[str], columns: Sequence[str]) -> None:
        super().__init__(facts)
        self.keys = tuple(keys)
        self._columns = set(columns)

    def has_null(self) -> str:
        return " OR ".join(f"{key} IS NULL" for key in self.keys)

    def _group(self, extra: tuple[str, ...], steps: Steps) -> str:
        columns = [*self.keys, *extra]
        if set(columns) == self._columns:
            return self.facts
        select = exp.select(*columns, self.count).from_(self.facts)
        return steps.add("_".join(["groups", *extra]), select.group_by(*columns))


class ManySets(Grouping):
    """By many sets of columns at once, with GROUPING SETS.

    ``coded`` columns hold 0 for NULL.
    """

    by = ("g",)

    def __init__(
        self,
        facts: str,
        columns: Sequence[str],
        sets: Sequence[Sequence[str]],
        *,
        coded: bool,
        nullable: Sequence[str],
        count_type: str = "BIGINT",
    ) -> None:
        super().__init__(facts, count_type)
        self.columns, self.sets, self.coded = tuple(columns), sets, coded
        self.nullable = nullable
        self.keys = ("g", *columns)

    def has_null(self) -> str:
        if self.coded:
            # A column that is not in the set is NULL here, which equals nothing.
            return " OR ".join(f"{column} = 0" for column in self.nullable) or "FALSE"
        present = [f"{sql_bit(i)} <> 0" for i, _ in enumerate(self.columns)]
        return " OR ".join(
            f"({here} AND {column} IS NULL)"
            for here, column in zip(present, self.columns, strict=True)
        )

    def _group(self, extra: tuple[str, ...], steps: Steps) -> str:
        # The bits one by one: GROUPING of many columns differs from engine to engine.
        present = " + ".join(
            f"(1 - GROUPING({column})) * CAST({1 << i} AS BIGINT)"
            for i, column in enumerate(self.columns)
        )
        grouping = exp.GroupingSets(
            expressions=[
                exp.Tuple(expressions=[exp.column(name) for name in (*columns, *extra)])
                for columns in self.sets
            ]
        )
        select = exp.select(f"{present} AS g", *self.columns, *extra, self.count)
        select = select.from_(self.facts)
        select.set("group", exp.Group(grouping_sets=[grouping]))
        return steps.add("_".join(["groups", *extra]), select)


class PackedSets(Grouping):
    """By many sets, of facts whose codes are packed into a few BIGINT words.

    Each set is grouped from the smallest superset that the statement groups anyway, else from the
    facts; ``groups`` are estimates of how many groups each set has.
    """

    by = ("g",)

    def __init__(
        self,
        facts: str,
        fields: Sequence[Field],
        sets: Sequence[Sequence[int]],
        *,
        groups: Sequence[float],
        nullable: Sequence[int],
        narrows: bool,
        count_type: str,
    ) -> None:
        super().__init__(facts, count_type)
        self.fields, self.nullable = fields, nullable
        self.words = sorted({field.word for field in fields})
        self.keys = ("g", *(f"w{word}" for word in self.words))
        sizes = {sum(1 << i for i in one): size for one, size in zip(sets, groups, strict=True)}
        self._wanted = frozenset(sizes)
        if narrows:
            # All columns together, which no set may ask for, serve the others.
            sizes.setdefault((1 << len(fields)) - 1, inf)
        self._parents = _parents(sizes)
        self._count = parse_one(self.count)

    def has_null(self) -> str:
        tests = (
            f"({sql_bit(i)} <> 0 AND (w{self.fields[i].word} & {self.fields[i].mask}) = 0)"
            for i in self.nullable
        )
        return " OR ".join(tests) or "FALSE"

    def _group(self, extra: tuple[str, ...], steps: Steps) -> str:
        """Supersets come first, so that what a set is grouped from is there. There may be hundreds
        of sets, so that trees are built by hand: parsing so many pieces of SQL takes longer."""
        serving = set(self._parents.values())
        selects: list[exp.Query] = []
        for number, parent in self._parents.items():
            source = self.facts if parent is None else self._name(parent, extra)
            numbered = number in self._wanted and number not in serving
            select = self._one(number, extra, source, numbered=numbered)
            if number in serving:
                steps.add(self._name(number, extra), select)
                names = [*(f"w{word}" for word in self.words), *extra, "n"]
                columns = [_number(number), *map(exp.column, names)]
                select = _select(columns, self._name(number, extra))
            if number in self._wanted:
                selects.append(select)
        return steps.add("_".join(["groups", *extra]), union_all(selects))

    def _name(self, number: int, extra: tuple[str, ...]) -> str:
        return "_".join([f"set{number}", *extra])

    def _one(
        self, number: int, extra: tuple[str, ...], source: str, *, numbered: bool
    ) -> exp.Select:
        masks = dict.fromkeys(self.words, 0)
        for i, place in enumerate(self.fields):
            if number >> i & 1:
                masks[place.word] |= place.mask
        keys = [exp.alias_(_masked(word, mask), f"w{word}") for word, mask in masks.items()]
        head = [_number(number)] if numbered else []
        columns = [*head, *keys, *map(exp.column, extra), self._count.copy()]
        select = _select(columns, source)
        used = [_masked(word, mask) for word, mask in masks.items() if mask]
        return select.group_by(*used, *map(exp.column, extra), copy=False)


def _number(number: int) -> exp.Expr:
    return exp.alias_(exp.cast(exp.Literal.number(number), "BIGINT"), "g")


def _masked(word: int, mask: int) -> exp.Expr:
    if not mask:
        return exp.cast(exp.Literal.number(0), "BIGINT")
    return exp.BitwiseAnd(this=exp.column(f"w{word}"), expression=exp.Literal.number(mask))


def _select(columns: Sequence[exp.Expr], source: str) -> exp.Select:
    schema, _, name = source.rpartition(".")
    table = exp.table_(name, db=schema or None)
    return exp.Select().select(*columns, copy=False).from_(table, copy=False)


def _parents(groups: dict[int, float]) -> dict[int, int | None]:
    """For each set the smallest of its supersets here, or None; supersets first."""
    found: dict[int, int | None] = {}
    for number in sorted(groups, key=int.bit_count, reverse=True):
        above = [other for other in found if other & number == number]
        found[number] = min(above, key=lambda other: groups[other], default=None)
    return found


def sql_bit(position: int) -> str:
    return f"(g & CAST({1 << position} AS BIGINT))"
