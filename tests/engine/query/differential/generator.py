"""Random queries of the subset that 1C's language and SQLite share, each written in both.

The subset: numbers and lower-case Latin strings with NULLs, all joins, conditions with subqueries, grouping, unions. Left out
is what differs by design: division, averages, booleans as values, dates.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

TABLES = {
    "ТабА": ("ta", {"Ид": ("id", "n"), "Чис": ("n", "n"), "Стр": ("s", "s"), "Связь": ("k", "n")}),
    "ТабБ": ("tb", {"Ид": ("id", "n"), "Чис": ("n", "n"), "Стр": ("s", "s"), "Связь": ("k", "n")}),
    "ТабВ": ("tc", {"Ид": ("id", "n"), "Стр": ("s", "s"), "Связь": ("k", "n")}),
}
WORDS = ("a", "ab", "b", "ba", "abc", "")
JOINS = (("ВНУТРЕННЕЕ", "INNER"), ("ЛЕВОЕ", "LEFT"), ("ПРАВОЕ", "RIGHT"), ("ПОЛНОЕ", "FULL"))


@dataclass
class Text:
    """One expression in both languages."""

    ours: str
    sql: str


@dataclass
class Scope:
    """Columns that may be named: (ours, SQL, type)."""

    columns: list[tuple[str, str, str]] = field(default_factory=list)

    def kinds(self, among: str) -> list[str]:
        """The types that columns have."""
        return [kind for _, _, kind in self.columns if kind in among]


def rows_of(rng: random.Random, table: str, count: int) -> list[tuple[object, ...]]:
    kinds = [kind for _, kind in TABLES[table][1].values()]
    names = [name for name, _ in TABLES[table][1].values()]
    rows = []
    for number in range(count):
        row: list[object] = []
        for name, kind in zip(names, kinds, strict=True):
            if name == "id":
                row.append(number)
            elif rng.random() < 0.2:
                row.append(None)
            elif kind == "n":
                row.append(rng.randrange(-2, 5))
            else:
                row.append(rng.choice(WORDS))
        rows.append(tuple(row))
    return rows


class Generator:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.aliases = 0
        self.inside_aggregate = False  # where 1C allows no subqueries
        self.columns_only = False  # SQLite 3.40 mistakes constant conditions of inner joins before outer ones

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def alias(self) -> str:
        self.aliases += 1
        return f"t{self.aliases}"

    # -- values ------------------------------------------------------------------------------------------------------------

    def value(self, scope: Scope, kind: str, depth: int) -> Text:
        columns = [(ours, sql) for ours, sql, type_ in scope.columns if type_ == kind]
        roll = self.rng.random()
        if depth <= 0 or roll < 0.55:
            if columns and (self.columns_only or self.chance(0.8)):
                return Text(*self.rng.choice(columns))
            return self.literal(kind)
        if roll < 0.7:
            return self.case(scope, kind, depth)
        if roll < 0.8:
            first, second = self.value(scope, kind, depth - 1), self.value(scope, kind, depth - 1)
            return Text(f"ЕСТЬNULL({first.ours}, {second.ours})", f"COALESCE({first.sql}, {second.sql})")
        first, second = self.value(scope, kind, depth - 1), self.value(scope, kind, depth - 1)
        if kind == "s":
            return Text(f"({first.ours} + {second.ours})", f"({first.sql} || {second.sql})")
        sign = self.rng.choice("+-*")
        return Text(f"({first.ours} {sign} {second.ours})", f"({first.sql} {sign} {second.sql})")

    def literal(self, kind: str) -> Text:
        if kind == "n":
            number = str(self.rng.randrange(0, 5))
            return Text(number, number)
        word = self.rng.choice(WORDS)
        return Text(f'"{word}"', f"'{word}'")

    def case(self, scope: Scope, kind: str, depth: int) -> Text:
        ours, sql = "ВЫБОР", "CASE"
        for _ in range(self.rng.randrange(1, 3)):
            test, result = self.condition(scope, depth - 1), self.value(scope, kind, depth - 1)
            ours += f" КОГДА {test.ours} ТОГДА {result.ours}"
            sql += f" WHEN {test.sql} THEN {result.sql}"
        if self.chance(0.6):
            result = self.value(scope, kind, depth - 1)
            ours, sql = f"{ours} ИНАЧЕ {result.ours}", f"{sql} ELSE {result.sql}"
        return Text(f"({ours} КОНЕЦ)", f"({sql} END)")

    # -- conditions --------------------------------------------------------------------------------------------------------

    def condition(self, scope: Scope, depth: int) -> Text:
        roll = self.rng.random()
        if depth > 0 and roll < 0.3:
            first, second = self.condition(scope, depth - 1), self.condition(scope, depth - 1)
            ours, sql = self.rng.choice((("И", "AND"), ("ИЛИ", "OR")))
            return Text(f"({first.ours} {ours} {second.ours})", f"({first.sql} {sql} {second.sql})")
        if depth > 0 and roll < 0.4:
            inner = self.condition(scope, depth - 1)
            return Text(f"НЕ ({inner.ours})", f"NOT ({inner.sql})")
        kind = self.rng.choice("ns")
        return self.predicate(scope, kind, depth, roll)

    def predicate(self, scope: Scope, kind: str, depth: int, roll: float) -> Text:
        if self.columns_only and not scope.kinds(kind):
            kind = scope.kinds("ns")[0]
        left = self.value(scope, kind, depth - 1)
        if roll < 0.7:
            sign = self.rng.choice(("=", "=", "<>", "<", ">", "<=", ">="))
            right = self.value(scope, kind, depth - 1)
            return Text(f"{left.ours} {sign} {right.ours}", f"{left.sql} {sign} {right.sql}")
        if roll < 0.76:
            no = self.chance(0.5)
            return Text(f"{left.ours} ЕСТЬ {'НЕ ' * no}NULL", f"{left.sql} IS {'NOT ' * no}NULL")
        no = self.chance(0.3)
        if roll < 0.82:
            low, high = self.value(scope, kind, 0), self.value(scope, kind, 0)
            text = f"{left.ours} {'НЕ ' * no}МЕЖДУ {low.ours} И {high.ours}"
            return Text(text, f"{left.sql} {'NOT ' * no}BETWEEN {low.sql} AND {high.sql}")
        if roll < 0.88:
            items = [self.value(scope, kind, 0) if self.chance(0.3) else self.literal(kind) for _ in range(self.rng.randrange(1, 4))]
            ours, sql = ", ".join(item.ours for item in items), ", ".join(item.sql for item in items)
            return Text(f"{left.ours} {'НЕ ' * no}В ({ours})", f"{left.sql} {'NOT ' * no}IN ({sql})")
        if roll < 0.92:
            if self.columns_only and not scope.kinds("s"):
                return Text(f"{left.ours} ЕСТЬ NULL", f"{left.sql} IS NULL")
            left = self.value(scope, "s", 0) if kind == "n" else left
            pattern = self.rng.choice(("a%", "%b%", "_", "a_", "%"))
            return Text(f'{left.ours} {"НЕ " * no}ПОДОБНО "{pattern}"', f"{left.sql} {'NOT ' * no}LIKE '{pattern}'")
        if self.inside_aggregate:
            return Text(f"{left.ours} ЕСТЬ NULL", f"{left.sql} IS NULL")
        return self.in_query(left, scope, kind, no)

    def in_query(self, left: Text, outer: Scope, kind: str, no: bool) -> Text:
        source, inner = self.table()
        both = Scope(inner.columns + (outer.columns if self.chance(0.4) else []))
        value = self.value(inner, kind, 0)
        ours, sql = f"ВЫБРАТЬ {value.ours} ИЗ {source.ours}", f"SELECT {value.sql} FROM {source.sql}"
        if self.chance(0.7):
            where = self.condition(both, 1)
            ours, sql = f"{ours} ГДЕ {where.ours}", f"{sql} WHERE {where.sql}"
        return Text(f"{left.ours} {'НЕ ' * no}В ({ours})", f"{left.sql} {'NOT ' * no}IN ({sql})")

    # -- sources -----------------------------------------------------------------------------------------------------------

    def table(self, depth: int = 0) -> tuple[Text, Scope]:
        alias = self.alias()
        if depth > 0 and self.chance(0.25):
            query, kinds = self.select(depth - 1)
            columns = [(f"{alias}.П{number}", f"{alias}.c{number}", kind) for number, kind in enumerate(kinds)]
            return Text(f"({query.ours}) КАК {alias}", f"({query.sql}) AS {alias}"), Scope(columns)
        name = self.rng.choice(list(TABLES))
        sql_name, fields = TABLES[name]
        columns = [(f"{alias}.{ours}", f"{alias}.{sql}", kind) for ours, (sql, kind) in fields.items()]
        return Text(f"{name} КАК {alias}", f"{sql_name} AS {alias}"), Scope(columns)

    def sources(self, depth: int) -> tuple[Text, Scope]:
        text, scope = self.table(depth)
        for _ in range(self.rng.choice((0, 0, 1, 1, 2))):
            right, other = self.table(depth)
            joined = Scope(scope.columns + other.columns)
            ours, sql = self.rng.choice(JOINS)
            condition = self.join_condition(scope, other, joined)
            text = Text(
                f"{text.ours} {ours} СОЕДИНЕНИЕ {right.ours} ПО {condition.ours}",
                f"{text.sql} {sql} JOIN {right.sql} ON {condition.sql}",
            )
            scope = joined
        if self.chance(0.15):
            right, other = self.table(depth)
            text = Text(f"{text.ours}, {right.ours}", f"{text.sql} CROSS JOIN {right.sql}")
            scope = Scope(scope.columns + other.columns)
        return text, scope

    def join_condition(self, left: Scope, right: Scope, both: Scope) -> Text:
        self.columns_only = True
        text = self.join_condition_of(left, right, both)
        self.columns_only = False
        return text

    def join_condition_of(self, left: Scope, right: Scope, both: Scope) -> Text:
        common = [kind for kind in "ns" if left.kinds(kind) and right.kinds(kind)]
        if not common:
            return Text("1 = 1", "1 = 1")
        kind = self.rng.choice(common)
        one, other = self.value(left, kind, 0), self.value(right, kind, 0)
        text = Text(f"{one.ours} = {other.ours}", f"{one.sql} = {other.sql}")
        if self.chance(0.4):
            more = self.condition(both, 1)
            text = Text(f"{text.ours} И {more.ours}", f"{text.sql} AND {more.sql}")
        return self.condition(both, 1) if self.chance(0.15) else text

    # -- queries -----------------------------------------------------------------------------------------------------------

    def select(self, depth: int, kinds: list[str] | None = None) -> tuple[Text, list[str]]:
        source, scope = self.sources(depth)
        wanted = kinds or [self.rng.choice("ns") for _ in range(self.rng.randrange(1, 4))]
        where = self.condition(scope, 2) if self.chance(0.6) else None
        if self.chance(0.35):
            return self.grouped(source, scope, wanted, where)
        distinct = self.chance(0.2)
        columns = [self.value(scope, kind, 2) for kind in wanted]
        return self.assembled(source, columns, where, distinct=distinct), wanted

    def assembled(self, source: Text, columns: list[Text], where: Text | None, tail: Text | None = None, distinct: bool = False) -> Text:
        ours = ", ".join(f"{column.ours} КАК П{number}" for number, column in enumerate(columns))
        sql = ", ".join(f"{column.sql} AS c{number}" for number, column in enumerate(columns))
        ours = f"ВЫБРАТЬ {'РАЗЛИЧНЫЕ ' * distinct}{ours} ИЗ {source.ours}"
        sql = f"SELECT {'DISTINCT ' * distinct}{sql} FROM {source.sql}"
        if where:
            ours, sql = f"{ours} ГДЕ {where.ours}", f"{sql} WHERE {where.sql}"
        return Text(ours + (tail.ours if tail else ""), sql + (tail.sql if tail else ""))

    def grouped(self, source: Text, scope: Scope, wanted: list[str], where: Text | None) -> tuple[Text, list[str]]:
        typed = [(self.value(scope, kind, self.rng.choice((0, 0, 1))), kind) for kind in wanted if self.chance(0.5)]
        typed = [pair for pair in typed if any(name in pair[0].ours for name, _, _ in scope.columns)]
        keys, columns, kinds = [key for key, _ in typed], [key for key, _ in typed], [kind for _, kind in typed]
        for kind in wanted:
            columns.append(self.aggregate(scope, kind))
            kinds.append(kind)
        tail = Text("", "")
        if keys:
            tail = Text(
                " СГРУППИРОВАТЬ ПО " + ", ".join(key.ours for key in keys), " GROUP BY " + ", ".join(key.sql for key in keys)
            )
            if self.chance(0.3):
                one, number = self.aggregate(scope, "n"), self.literal("n")
                tail = Text(f"{tail.ours} ИМЕЮЩИЕ {one.ours} > {number.ours}", f"{tail.sql} HAVING {one.sql} > {number.sql}")
        return self.assembled(source, columns, where, tail), kinds

    def aggregate(self, scope: Scope, kind: str) -> Text:
        self.inside_aggregate = True
        text = self.aggregate_of(scope, kind)
        self.inside_aggregate = False
        return text

    def aggregate_of(self, scope: Scope, kind: str) -> Text:
        if kind == "s":
            inner = self.value(scope, "s", 1)
            ours, sql = self.rng.choice((("МИНИМУМ", "MIN"), ("МАКСИМУМ", "MAX")))
            return Text(f"{ours}({inner.ours})", f"{sql}({inner.sql})")
        if self.chance(0.2):
            return Text("КОЛИЧЕСТВО(*)", "COUNT(*)")
        if self.chance(0.2):
            inner = self.value(scope, self.rng.choice("ns"), 1)
            return Text(f"КОЛИЧЕСТВО(РАЗЛИЧНЫЕ {inner.ours})", f"COUNT(DISTINCT {inner.sql})")
        inner = self.value(scope, "n", 1)
        ours, sql = self.rng.choice((("СУММА", "SUM"), ("МИНИМУМ", "MIN"), ("МАКСИМУМ", "MAX"), ("КОЛИЧЕСТВО", "COUNT")))
        return Text(f"{ours}({inner.ours})", f"{sql}({inner.sql})")

    def query(self) -> Text:
        """A query with all columns ordered, so that both sides give rows in one order."""
        text, kinds = self.select(2)
        if self.chance(0.2):
            for _ in range(self.rng.randrange(1, 3)):
                other, _ = self.select_of(kinds)
                every = self.chance(0.5)
                text = Text(f"{text.ours} ОБЪЕДИНИТЬ {'ВСЕ ' * every}{other.ours}", f"{text.sql} UNION {'ALL ' * every}{other.sql}")
        ours = ", ".join(f"П{number}" for number in range(len(kinds)))
        sql = ", ".join(str(number + 1) for number in range(len(kinds)))
        return Text(f"{text.ours} УПОРЯДОЧИТЬ ПО {ours}", f"{text.sql} ORDER BY {sql}")

    def select_of(self, kinds: list[str]) -> tuple[Text, list[str]]:
        source, scope = self.sources(0)
        columns = [self.value(scope, kind, 1) for kind in kinds]
        return self.assembled(source, columns, self.condition(scope, 1) if self.chance(0.5) else None), kinds
