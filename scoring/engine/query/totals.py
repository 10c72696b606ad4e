"""ИТОГИ: detail rows → a tree of records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from scoring.engine.query import dates, tree
from scoring.engine.query.codegen import Unit
from scoring.engine.query.failures import unknown_field
from scoring.engine.query.ordering import result_scope
from scoring.engine.query.scope import Scope
from scoring.engine.query.shapes import mixed_key
from scoring.engine.query.sorting import SortKey, sort_rows
from scoring.engine.query.translate import Grouping, Translator
from scoring.engine.storage.references import Reference
from scoring.engine.values.model import NULL

if TYPE_CHECKING:
    from scoring.engine.query.environment import Environment
    from scoring.engine.query.execution import Execution
    from scoring.engine.query.plans import QueryPlan

DETAIL, GROUP, HIERARCHY, OVERALL = "ДетальнаяЗапись", "ИтогПоГруппировке", "ИтогПоИерархии", "ОбщийИтог"
# Groupings by periods may be asked for over centuries of seconds; beyond this many rows the engine refuses.
MAX_PERIODS = 1_000_000

Row = tuple[Any, ...]


@dataclass(slots=True)
class Record:
    """One row of a result with totals. ``grouping``: index of the checkpoint it belongs to (details: their number)."""

    kind: str
    grouping: int
    values: Row
    level: int
    children: list[Record] = field(default_factory=list)

    def walk(self) -> Iterator[Record]:
        """The record and everything below it, totals before their details."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(slots=True)
class Checkpoint:
    """``column`` is −1 for ОБЩИЕ. ``part`` and the bounds are those of ПЕРИОДАМИ."""

    column: int
    name: str
    mode: str = "elements"
    part: str = ""
    begin: Callable[[Execution], Any] | None = None
    end: Callable[[Execution], Any] | None = None


@dataclass(slots=True)
class TotalsPlan:
    """``targets`` are the columns that the function ``index`` of ``unit`` computes over the rows of a group."""

    unit: Unit
    index: int
    targets: list[int]
    points: list[Checkpoint]

    def records(self, rows: list[Row], execution: Execution, width: int) -> list[Record]:
        builder = Builder(self, execution, width)
        return builder.build(rows, 0, {}, 0)


class Builder:
    """Builds the records of one execution."""

    def __init__(self, plan: TotalsPlan, execution: Execution, width: int) -> None:
        self.plan = plan
        self.execution = execution
        self.width = width
        self.totals = execution.functions(plan.unit)[plan.index]
        if any("hierarchy" in point.mode for point in plan.points):
            execution.database.count_access("hierarchy")

    def build(self, rows: list[Row], number: int, fixed: dict[int, Any], level: int) -> list[Record]:
        """The records of checkpoint ``number`` over ``rows``; ``fixed`` holds the values of the groupings above."""
        if number == len(self.plan.points):
            return [Record(DETAIL, number, row, level) for row in rows]
        point = self.plan.points[number]
        if point.column < 0:
            record = self._record(OVERALL, number, rows, fixed, level)
            record.children = self.build(rows, number + 1, fixed, level + 1)
            return [record]
        groups = self._groups(rows, point)
        if point.mode == "elements":
            return [self._group(number, value, members, fixed, level) for value, members in groups]
        return self._hierarchy(number, groups, fixed, level)

    def _record(self, kind: str, number: int, rows: list[Row], fixed: dict[int, Any], level: int) -> Record:
        values = [NULL] * self.width
        for column, value in zip(self.plan.targets, self.totals(rows), strict=True):
            values[column] = value
        for column, value in fixed.items():
            values[column] = value
        return Record(kind, number, tuple(values), level)

    def _group(self, number: int, value: Any, rows: list[Row], fixed: dict[int, Any], level: int) -> Record:
        fixed = {**fixed, self.plan.points[number].column: value}
        record = self._record(GROUP, number, rows, fixed, level)
        record.children = self.build(rows, number + 1, fixed, level + 1)
        return record

    # -- grouping ----------------------------------------------------------------------------------------------------------

    def _groups(self, rows: list[Row], point: Checkpoint) -> list[tuple[Any, list[Row]]]:
        groups: dict[Any, tuple[Any, list[Row]]] = {}
        for row in rows:
            value = row[point.column]
            key = mixed_key(value)
            found = groups.get(key)
            if found is None:
                groups[key] = (value, [row])
            else:
                found[1].append(row)
        if point.part:
            return self._with_periods(groups, point)
        return list(groups.values())

    def _with_periods(
        self, groups: dict[Any, tuple[Any, list[Row]]], point: Checkpoint
    ) -> list[tuple[Any, list[Row]]]:
        """Every period between the bounds (or between the first and the last that occurs) gets a row."""
        known = [value for value, _ in groups.values() if isinstance(value, datetime)]
        first = point.begin(self.execution) if point.begin else min(known, default=None)
        last = point.end(self.execution) if point.end else max(known, default=None)
        if isinstance(first, datetime) and isinstance(last, datetime):
            covered = {dates.BEGIN[point.part](value) for value in known}
            for moment in dates.series(point.part, first, last):
                if moment not in covered:
                    groups[moment] = (moment, [])
        ordered = [(value, rows) for value, rows in groups.values()]
        return sort_rows(ordered, [SortKey(0)])

    # -- hierarchy ---------------------------------------------------------------------------------------------------------

    def _hierarchy(
        self, number: int, groups: list[tuple[Any, list[Row]]], fixed: dict[int, Any], level: int
    ) -> list[Record]:
        """Folders above their elements. A value that has others below it shows as a folder and, with rows of its own, as
        an element in itself."""
        members = {value: rows for value, rows in groups if isinstance(value, Reference)}
        loose = [(value, rows) for value, rows in groups if not isinstance(value, Reference)]
        children: dict[Any, list[Any]] = {}
        for value in members:
            self._place(value, children)
        roots = children.pop(None, [])
        records = [self._branch(number, root, members, children, fixed, level) for root in roots]
        flat = [record for found in records for record in found]
        return flat + [self._group(number, value, rows, fixed, level) for value, rows in loose]

    @staticmethod
    def _place(value: Reference, children: dict[Any, list[Any]]) -> None:
        """Hang ``value`` and its ancestors under their parents (None: the roots)."""
        while True:
            parent = value.table.parent(value)
            key = None if parent.id == 0 else parent
            siblings = children.setdefault(key, [])
            if value in siblings:
                return
            siblings.append(value)
            if key is None:
                return
            value = parent

    def _branch(
        self, number: int, value: Any, members: dict[Any, list[Row]], children: dict[Any, list[Any]],
        fixed: dict[int, Any], level: int,
    ) -> list[Record]:  # fmt: skip
        point = self.plan.points[number]
        below = children.get(value)
        if not below and (point.mode == "hierarchy" or not _is_folder(value)):
            if point.mode == "only_hierarchy":
                inner = {**fixed, point.column: value}
                return self.build(members[value], number + 1, inner, level)
            return [self._group(number, value, members[value], fixed, level)]
        inner = {**fixed, point.column: value}
        record = self._record(HIERARCHY, number, self._rows_below(value, members, children), inner, level)
        for child in below or []:
            record.children += self._branch(number, child, members, children, fixed, level + 1)
        if value in members:
            if point.mode == "hierarchy":
                record.children.append(self._group(number, value, members[value], fixed, level + 1))
            else:
                record.children += self.build(members[value], number + 1, inner, level + 1)
        return [record]

    def _rows_below(self, value: Any, members: dict[Any, list[Row]], children: dict[Any, list[Any]]) -> list[Row]:
        rows = list(members.get(value, ()))
        for child in children.get(value, ()):
            rows += self._rows_below(child, members, children)
        return rows


def _is_folder(value: Any) -> bool:
    place = value.table.meta.positions.get("этогруппа")
    return place is not None and value.row is not None and value.row[place] is True


# -- planning ----------------------------------------------------------------------------------------------------------------


def plan_totals(query: tree.Query, plan: QueryPlan, environment: Environment) -> TotalsPlan:
    """Plan ИТОГИ over the columns of ``plan``."""
    assert query.totals is not None
    unit = Unit()
    translator = Translator(environment, result_scope(plan, environment, unit))
    columns = ResultColumns(query, plan)
    points = [_checkpoint(point, columns, translator) for point in query.totals.points]
    translator.aggregates_allowed = True
    translator.grouping = Grouping(set(), set(), False)
    texts, targets = [], []
    for item in query.totals.fields:
        node = columns.renamed(item.expression)
        code = translator.value(node)
        targets.append(columns.target(item, node))
        texts.append(f"normal({code.text})")
    index = unit.function("rs", f"r = rs[0] if rs else None\nreturn ({', '.join(texts)}{',' if texts else ''})")
    unit.finish()
    return TotalsPlan(unit, index, targets, points)


def _checkpoint(point: tree.TotalsPoint, columns: ResultColumns, translator: Any) -> Checkpoint:
    if point.expression is None:
        return Checkpoint(-1, point.alias or "ОБЩИЕ")
    column = columns.column(point.expression)
    result = Checkpoint(column, point.alias or columns.plan.columns[column].name, point.mode)
    if point.period is not None:
        result.part, begin, end = point.period
        result.begin, result.end = (_bound(node, translator) for node in (begin, end))
    return result


def _bound(node: tree.Node | None, translator: Any) -> Callable[[Execution], Any] | None:
    if node is None:
        return None
    unit = Unit()
    inner = Translator(translator.environment, Scope(translator.environment, unit))
    index = unit.function("r", f"return {inner.value(node).text}")
    unit.finish()
    return lambda execution: execution.functions(unit)[index](None)


class ResultColumns:
    """Finds the columns that ИТОГИ names: by alias, or by the expression that the select list gives a column."""

    def __init__(self, query: tree.Query, plan: QueryPlan) -> None:
        self.plan = plan
        self.by_name = {column.name.lower(): place for place, column in enumerate(plan.columns)}
        self.by_expression: dict[Any, int] = {}
        fields = query.branches[0].fields
        if len(fields) == len(plan.columns):
            for place, item in enumerate(fields):
                self.by_expression.setdefault(tree.fingerprint(item.expression), place)

    def find(self, node: tree.Node) -> int | None:
        if isinstance(node, tree.Path) and len(node.parts) == 1:
            found = self.by_name.get(node.parts[0].lower())
            if found is not None:
                return found
        found = self.by_expression.get(tree.fingerprint(node))
        if found is None and isinstance(node, tree.Path) and len(node.parts) > 1:
            found = self.by_name.get("".join(node.parts[1:]).lower())
        return found

    def column(self, node: tree.Node) -> int:
        """The column of a checkpoint; raises where there is none."""
        found = self.find(node)
        if found is None:
            text = node.text if isinstance(node, tree.Path) else ""
            raise unknown_field(text, node.at)
        return found

    def renamed(self, node: tree.Node) -> tree.Node:
        """``node`` with every path that names a column replaced by the column's own name."""
        if isinstance(node, tree.Path):
            place = self.find(node)
            if place is None:
                return node
            return tree.Path(node.at, (self.plan.columns[place].name,), (node.at,))
        if isinstance(node, tree.Call):
            return tree.Call(
                node.at, node.name, [self.renamed(item) for item in node.arguments], node.known, node.distinct, node.star
            )
        if isinstance(node, tree.Arithmetic):
            return tree.Arithmetic(node.at, node.operator, self.renamed(node.left), self.renamed(node.right))
        if isinstance(node, tree.Case):
            return self._renamed_case(node)
        return node

    def _renamed_case(self, node: tree.Case) -> tree.Node:
        branches = [(self.renamed_condition(test), self.renamed(value)) for test, value in node.branches]
        return tree.Case(
            node.at,
            self.renamed(node.operand) if node.operand else None,
            branches,
            self.renamed(node.otherwise) if node.otherwise else None,
        )

    def renamed_condition(self, node: tree.Node) -> tree.Node:
        if isinstance(node, tree.Compare):
            return tree.Compare(node.at, node.operator, self.renamed(node.left), self.renamed(node.right))
        return self.renamed(node)

    def target(self, item: tree.SelectField, node: tree.Node) -> int:
        """The column that a total is shown in: its alias, or the one field it is made of."""
        if item.alias:
            found = self.by_name.get(item.alias.lower())
            if found is None:
                raise unknown_field(item.alias, item.alias_at)
            return found
        if isinstance(node, tree.Call) and len(node.arguments) == 1:
            node = node.arguments[0]
        return self.column(node)
