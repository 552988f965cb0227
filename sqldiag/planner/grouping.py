"""Ways to group facts: by one set of columns, or by many sets in one statement.

Facts are rows (quasi-identifiers, sensitive columns, entity, n); a grouping gives, for each of its
sets, the groups with their rows n. Where there are many sets, the column g says which set a group
belongs to: bit i of g is set when the i-th column of the grouping is in the set.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Sequence

from sqlglot import exp

from sqldiag.planner.packing import Field
from sqldiag.planner.steps import Steps, fixed, union_all

# Groups are kept for others only where they are that much fewer than the facts: to keep them takes
# about as long as to find them.
_SMALLER = 0.8
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
    """By many sets of columns at once, with GROUPING SETS."""

    by = ("g",)

    def __init__(self, facts: str, columns: Sequence[str], sets: Sequence[Sequence[str]]) -> None:
        super().__init__(facts)
        self.columns, self.sets = tuple(columns), sets
        self.keys = ("g", *columns)

    def has_null(self) -> str:
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
        sets = [(*columns, *extra) for columns in self.sets]
        select = exp.select(f"{present} AS g", *self.columns, *extra, self.count)
        select = select.from_(self.facts)
        select.set("group", exp.Group(grouping_sets=[grouping_sets(sets)]))
        return steps.add("_".join(["groups", *extra]), select)


class PackedSets(Grouping):
    """By many sets, of facts whose codes are packed into a few words.

    Each set is grouped from the smallest superset that the statement groups anyway, else from the
    facts, of which there are about so many ``rows``; ``groups`` are estimates of how many groups
    each set has, ``together`` one for all columns, where they may serve as well. ``nullable`` are
    positions. ``grouped``: the facts are the groups of all fields together, and need not be
    grouped again.

    There may be hundreds of sets, so that what is the same on any engine, and of names of ours, is
    not parsed, and the rest is rendered once: so many trees take longer than the grouping of some.
    """

    by = ("g",)

    def __init__(
        self,
        facts: str,
        fields: Sequence[Field],
        sets: Sequence[Sequence[int]],
        *,
        word_type: str,
        rows: int,
        groups: Sequence[float],
        together: float | None,
        nullable: Sequence[int],
        grouped: bool,
        count_type: str,
        dialect: str,
    ) -> None:
        super().__init__(facts, count_type)
        self.fields, self.nullable = fields, nullable
        self.words = sorted({field.word for field in fields})
        self.keys = ("g", *(f"w{word}" for word in self.words))
        sizes = {sum(1 << i for i in one): size for one, size in zip(sets, groups, strict=True)}
        self._wanted = frozenset(sizes)
        everything = (1 << len(fields)) - 1
        if together is not None and together < _SMALLER * rows:
            # All columns together, which no set may ask for, serve the others.
            sizes.setdefault(everything, together)
        self._stored = everything if grouped else None
        self._parents = _parents(sizes, most=_SMALLER * rows)
        self._serving = Counter(self._parents.values())
        self._zero = fixed([f"CAST(0 AS {word_type})"], dialect).name
        self._rows = fixed([self.count], dialect)

    def has_null(self) -> str:
        tests = (f"({sql_bit(i)} <> 0 AND {is_null(self.fields[i])})" for i in self.nullable)
        return " OR ".join(tests) or "FALSE"

    def null_in(self, number: int) -> list[str]:
        """The tests for a NULL in the columns of one set."""
        return [is_null(self.fields[i]) for i in self.nullable if number >> i & 1]

    def each(self, steps: Steps) -> dict[int, exp.Expr]:
        """Every set by itself: something with its classes and their n, to stand behind FROM.

        Supersets come first, so that what a set is grouped from is there.
        """
        found: dict[int, exp.Expr] = {}
        for number in self._parents:
            if self._serves(number, ()):
                table: exp.Expr = _table(self._step(number, (), steps))
            else:
                # Of keys, only those are looked at that may tell of a NULL.
                looked_at = {self.fields[i].word for i in self.nullable if number >> i & 1}
                select = self._one(number, (), head=[], words=looked_at)
                table = exp.Subquery(this=select, alias=exp.TableAlias(this=exp.to_identifier("s")))
            if number in self._wanted:
                found[number] = table
        return found

    def _group(self, extra: tuple[str, ...], steps: Steps) -> str:
        selects: list[exp.Query] = []
        for number in self._parents:
            if self._serves(number, extra):
                names = [*(f"w{word}" for word in self.words), *extra, "n"]
                columns = [numbering(number), *map(exp.column, names)]
                select = _select(columns, self._step(number, extra, steps))
            else:
                select = self._one(number, extra, head=[numbering(number)])
            if number in self._wanted:
                selects.append(select)
        return steps.add("_".join(["groups", *extra]), union_all(selects))

    def _serves(self, number: int, extra: tuple[str, ...]) -> bool:
        """Whether the classes of a set have a name, under which others find them."""
        return number in self._serving or self._is_facts(number, extra)

    def _is_facts(self, number: int | None, extra: tuple[str, ...]) -> bool:
        return number is None or (number == self._stored and not extra)

    def _step(self, number: int, extra: tuple[str, ...], steps: Steps) -> str:
        """The step of a set that serves others, and perhaps is wanted itself."""
        name = self._name(number, extra)
        if self._is_facts(number, extra):
            return name
        shared = self._serving[number] + (number in self._wanted) > 1
        return steps.add(name, self._one(number, extra, head=[]), shared=shared)

    def _name(self, number: int | None, extra: tuple[str, ...]) -> str:
        return self.facts if self._is_facts(number, extra) else "_".join([f"set{number}", *extra])

    def _one(
        self,
        number: int,
        extra: tuple[str, ...],
        *,
        head: list[exp.Expr],
        words: Collection[int] | None = None,
    ) -> exp.Select:
        """The classes of one set, with these words of their keys, or all."""
        masks = dict.fromkeys(self.words, 0)
        for i, place in enumerate(self.fields):
            if number >> i & 1:
                masks[place.word] |= place.mask
        keys = [
            exp.var(f"{_masked(word, mask) if mask else self._zero} AS w{word}")
            for word, mask in masks.items()
            if words is None or word in words
        ]
        columns = [*head, *keys, *map(exp.column, extra), self._rows.copy()]
        select = _select(columns, self._name(self._parents[number], extra))
        used = [exp.var(_masked(word, mask)) for word, mask in masks.items() if mask]
        return select.group_by(*used, *map(exp.column, extra), copy=False)


def grouping_sets(sets: Sequence[Sequence[str]]) -> exp.GroupingSets:
    return exp.GroupingSets(
        expressions=[exp.Tuple(expressions=[exp.column(name) for name in one]) for one in sets]
    )


def is_null(field: Field) -> str:
    """Whether a column of packed facts is NULL; only for columns that have a NULL."""
    return f"(w{field.word} & {field.mask}) = 0"


def _masked(word: int, mask: int) -> str:
    return f"w{word} & {mask}"


def numbering(number: int) -> exp.Expr:
    """The number of a set, as the column g."""
    return exp.var(f"CAST({number} AS BIGINT) AS g")


def _select(columns: Sequence[exp.Expr], source: str) -> exp.Select:
    return exp.Select().select(*columns, copy=False).from_(_table(source), copy=False)


def _table(name: str) -> exp.Table:
    """A table by a name of ours, which may have a schema before it."""
    table, *around = reversed(name.split("."))
    schema, catalogue = (*around, None, None)[:2]
    return exp.table_(table, schema, catalogue)


def _parents(groups: dict[int, float], *, most: float) -> dict[int, int | None]:
    """For each set the smallest of its supersets here, of at most so many groups, or None;
    supersets first."""
    found: dict[int, int | None] = {}
    for number in sorted(groups, key=int.bit_count, reverse=True):
        above = [other for other in found if other & number == number and groups[other] <= most]
        found[number] = min(above, key=lambda other: groups[other], default=None)
    return found


def sql_bit(position: int) -> str:
    return f"(g & CAST({1 << position} AS BIGINT))"
