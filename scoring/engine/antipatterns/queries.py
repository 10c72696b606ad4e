"""Anti-patterns of a query's text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from scoring.engine.antipatterns.findings import AntiPattern
from scoring.engine.antipatterns.walk import walk
from scoring.engine.errors import EngineError
from scoring.engine.query import tree
from scoring.engine.query.failures import QueryError
from scoring.engine.query.parser import parse

VIRTUAL_TABLES = frozenset(
    """
    остатки balance обороты turnovers остаткииобороты balanceandturnovers срезпоследних slicelast срезпервых slicefirst
    оборотыдткт drcrturnovers движенияссубконто recordswithextdimensions субконто extdimensions границы boundaries
    задачипоисполнителю tasksbyperformer данныеграфика scheduledata фактическийпериоддействия actualactionperiod
    базаданные base
    """.split()
)
_REFERENCE = re.compile(r"ссылка|reference|ref", re.IGNORECASE)


def query_patterns(text: str, line: int, column: int) -> list[AntiPattern]:
    """Findings of the query ``text``; ``line``/``column`` are the literal's place in the module."""
    try:
        batch = parse(text)
    except (QueryError, EngineError, RecursionError):
        return []
    if any(isinstance(node, tree.Call) and not node.known for node in walk(batch.statements)):
        return []  # a query with an unknown function does not parse for the language server either
    checker = _Checker(text, line, column)
    for statement in batch.statements:
        if isinstance(statement, tree.Query):
            checker.query(statement, {})
    return checker.found


class _Checker:
    def __init__(self, text: str, line: int, column: int) -> None:
        self.text = text
        self.line = line
        self.column = column
        self.found: list[AntiPattern] = []

    def _add(self, code: str, at: int) -> None:
        line = self.line + self.text.count("\n", 0, at)
        start = self.text.rfind("\n", 0, at) + 1
        column = at - start + 1 + (self.column if start == 0 else 0)
        pattern = AntiPattern(code, line, column)
        if pattern not in self.found:
            self.found.append(pattern)

    # -- queries ----------------------------------------------------------------------------------------------------

    def query(self, query: tree.Query, outer: dict[str, bool]) -> None:
        """Check a query; ``outer`` holds the sources of the queries around it."""
        self._top(query)
        for branch in query.branches:
            self._select(branch, query, outer)

    def _top(self, query: tree.Query) -> None:
        """``ПЕРВЫЕ n`` without an order; a lone ``ПЕРВЫЕ 1`` is let through, in a union only with a condition."""
        union = len(query.branches) > 1
        if not union and query.order:
            return
        for branch in query.branches:
            if branch.top is None:
                continue
            single = branch.top in (0, 1)
            if not single or (union and branch.where is None):
                self._add("SelectTopWithoutOrderBy", branch.at)

    def _select(self, select: tree.Select, query: tree.Query, outer: dict[str, bool]) -> None:
        sources = {**outer, **dict(_aliases(select.sources))}
        for source in select.sources:
            self._source(source, joined=False, outer=sources)
        rest: list[Any] = [select.fields, select.group, select.grouping_sets, select.having]
        if select is query.branches[0]:
            rest += [[item.expression for item in query.order]]
        for part in rest:
            self._expression(part, sources)
        if select.where is not None:
            self._where(select.where)
            self._expression(select.where, sources)

    def _source(self, source: tree.Node, *, joined: bool, outer: dict[str, bool]) -> None:
        if isinstance(source, tree.Join):
            self._source(source.left, joined=True, outer=outer)
            self._source(source.right, joined=True, outer=outer)
            self._expression(source.condition, outer)
        elif isinstance(source, tree.QuerySource):
            if joined:
                self._add("JoinWithSubQuery", source.at)
            self.query(source.query, outer)
        elif isinstance(source, tree.TableSource):
            self._table(source, joined, outer)

    def _table(self, source: tree.TableSource, joined: bool, outer: dict[str, bool]) -> None:
        if source.path.parts[-1].lower() not in VIRTUAL_TABLES or len(source.path.parts) < 3:
            return
        if joined:
            self._add("JoinWithVirtualTable", source.at)
        parameters = list(source.parameters or [])
        if all(parameter is None for parameter in (parameters[1:] if len(parameters) > 1 else parameters)):
            self._add("VirtualTableCallWithoutParameters", source.at)
        for parameter in parameters:
            self._expression(parameter, outer, in_virtual_table=True)

    # -- expressions --------------------------------------------------------------------------------------------------

    def _where(self, condition: tree.Node) -> None:
        for node in walk(condition):
            if isinstance(node, tree.Logic) and node.operator == "ИЛИ":
                self._add("LogicalOrInTheWhereSectionOfQuery", node.at)

    def _expression(self, part: Any, sources: dict[str, bool], *, in_virtual_table: bool = False) -> None:
        for node in _own_nodes(part):
            if isinstance(node, tree.Path):
                self._path(node, sources, in_virtual_table)
            elif isinstance(node, tree.Dereference) and len(node.parts) > 1:
                self._add("QueryNestedFieldsByDot", node.at)
            elif isinstance(node, tree.Query):
                self.query(node, {} if in_virtual_table else sources)

    def _path(self, path: tree.Path, sources: dict[str, bool], in_virtual_table: bool) -> None:
        if len(path.parts) > (1 if in_virtual_table else 2):
            self._add("QueryNestedFieldsByDot", path.at)
        if not in_virtual_table and len(path.parts) > 1 and _overuses_reference(path.parts, sources):
            self._add("RefOveruse", path.at)


def _overuses_reference(parts: tuple[str, ...], sources: dict[str, bool]) -> bool:
    places = [index for index, part in enumerate(parts) if _REFERENCE.fullmatch(part)]
    if not places:
        return False
    last = places[-1]
    if last == len(parts) - 1:
        return parts[last - 1] not in sources
    if last == 1:
        return not sources.get(parts[0], False)
    return last > 1


def _aliases(sources: list[tree.Node]) -> Iterator[tuple[str, bool]]:
    """(alias, is it a virtual, temporary or tabular section's table) of every source of a FROM."""
    for source in sources:
        if isinstance(source, tree.Join):
            yield from _aliases([source.left, source.right])
        elif isinstance(source, tree.TableSource):
            yield source.alias or source.path.parts[-1], len(source.path.parts) != 2
        elif isinstance(source, tree.QuerySource):
            yield source.alias, False


def _own_nodes(part: Any) -> Iterator[tree.Node]:
    """The nodes of an expression; a nested query is given, but not entered. Names of tables and types are no fields."""
    if isinstance(part, tree.Query):
        yield part
    elif isinstance(part, (tree.ValueOf, tree.TypeOf, tree.TypeName)):
        return
    elif isinstance(part, tree.RefTest):
        yield from _own_nodes(part.operand)
    elif isinstance(part, tree.Node):
        yield part
        for name in part.__dataclass_fields__:
            yield from _own_nodes(getattr(part, name))
    elif isinstance(part, (list, tuple)):
        for item in part:
            yield from _own_nodes(item)
