"""Anti-patterns of the module itself: a query run in a loop, the deprecated ``ТекущаяДата``. Gathers query texts, too."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from scoring.engine.antipatterns.findings import AntiPattern
from scoring.engine.antipatterns.walk import walk
from scoring.engine.syntax import nodes

QUERY_TYPES = frozenset({"запрос", "query", "построительзапроса", "querybuilder", "построительотчета", "reportbuilder"})
EXECUTE = frozenset({"выполнить", "execute"})
CURRENT_DATE = frozenset({"текущаядата", "currentdate"})
QUERY_TEXT = re.compile(r"(?:^|;)\s*(?:(?:выбрать|select)\s|(?:уничтожить|drop)\s)", re.IGNORECASE | re.MULTILINE)

# Shorter literals hold no query; the language server does not look at them.
SHORTEST_QUERY = 12


class ModuleWalker:
    """Walks a module in execution order; knows the types that variables got, as far as constructors and copies tell."""

    def __init__(self) -> None:
        self.found: list[AntiPattern] = []
        self.texts: list[nodes.Literal] = []
        self.types: dict[str, set[str]] = {}
        self.in_loop = False

    def module(self, module: nodes.Module) -> None:
        for routine in module.routines:
            self._scope(routine.body)
        self._scope(module.body)

    def _scope(self, body: list[nodes.Statement]) -> None:
        self.types, self.in_loop = {}, False
        self._statements(body)

    def _statements(self, body: list[nodes.Statement]) -> None:
        for statement in body:
            handler: Callable[[Any], None] = getattr(self, f"_on_{type(statement).__name__.lower()}", self._plain)
            handler(statement)

    # -- statements -----------------------------------------------------------------------------------------------

    def _on_assign(self, statement: nodes.Assign) -> None:
        name = spelled(statement.target)
        new = self._types_of(_first_operand(statement.value))
        if self.in_loop:
            self.types.setdefault(name, set()).update(new)
        else:
            self.types[name] = set(new)
        self._expression(statement.target)
        self._expression(statement.value)

    def _on_foreach(self, statement: nodes.ForEach) -> None:
        self._header(statement.collection)
        self._loop(statement.body)

    def _on_for(self, statement: nodes.For) -> None:
        self._header(statement.start, statement.stop)
        self._loop(statement.body)

    def _header(self, *expressions: nodes.Expression) -> None:
        """A for loop's header runs once: in a loop only where another loop is around it."""
        for expression in expressions:
            self._expression(expression)

    def _on_while(self, statement: nodes.While) -> None:
        outer, self.in_loop = self.in_loop, True
        self._expression(statement.condition)
        self._statements(statement.body)
        self.in_loop = outer

    def _loop(self, body: list[nodes.Statement]) -> None:
        outer, self.in_loop = self.in_loop, True
        self._statements(body)
        self.in_loop = outer

    def _on_if(self, statement: nodes.If) -> None:
        for branch in statement.branches:
            self._expression(branch.condition)
            self._statements(branch.body)
        self._statements(statement.otherwise or [])

    def _on_try(self, statement: nodes.Try) -> None:
        self._statements(statement.body)
        self._statements(statement.handler)

    def _plain(self, statement: nodes.Statement) -> None:
        self._expression(statement)

    # -- expressions ----------------------------------------------------------------------------------------------

    def _expression(self, node: nodes.Node) -> None:
        for inner in walk(node):
            if isinstance(inner, nodes.MethodCall):
                self._method_call(inner)
            elif isinstance(inner, nodes.Call) and inner.name.lower() in CURRENT_DATE:
                self._add("DeprecatedCurrentDate", inner)
            elif isinstance(inner, nodes.Literal) and is_query_text(inner.value):
                self.texts.append(inner)

    def _method_call(self, call: nodes.MethodCall) -> None:
        if not self.in_loop or call.name.lower() not in EXECUTE:
            return
        if self.types.get(spelled(call.target), set()) & QUERY_TYPES:
            self._add("CreateQueryInCycle", call)

    def _add(self, code: str, node: nodes.Node) -> None:
        self.found.append(AntiPattern(code, node.line, node.column))

    def _types_of(self, operand: nodes.Expression) -> set[str]:
        if isinstance(operand, nodes.New):
            return {operand.type_name.lower()}
        return self.types.get(spelled(operand), set())


def is_query_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) >= SHORTEST_QUERY and bool(QUERY_TEXT.search(value))


def spelled(node: nodes.Expression) -> str:
    """``А.Б`` as written, for looking a variable up; other expressions are no variables (empty)."""
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Member):
        inner = spelled(node.target)
        return f"{inner}.{node.name}" if inner else ""
    return ""


def _first_operand(expression: nodes.Expression) -> nodes.Expression:
    while isinstance(expression, nodes.Binary):
        expression = expression.left
    return expression
