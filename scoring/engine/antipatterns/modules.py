"""Anti-patterns of the module itself: a query run in a loop, the deprecated ``ТекущаяДата``. Gathers query texts, too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from scoring.engine.antipatterns.findings import AntiPattern
from scoring.engine.antipatterns.walk import walk
from scoring.engine.syntax import nodes

QUERY_TYPES = frozenset({"запрос", "query", "построительзапроса", "querybuilder", "построительотчета", "reportbuilder"})
EXECUTE = frozenset({"выполнить", "execute"})
CURRENT_DATE = frozenset({"текущаядата", "currentdate"})
# What the language server takes for a query: the word ВЫБРАТЬ alone makes none.
_SPACE = r"[ \t\n\x0b\f\r]"
_SPACE_BAR = r"[ \t\n\x0b\f\r|]"
QUERY_TEXT = re.compile(
    rf"""(?:^|["|;]{_SPACE_BAR}*){_SPACE}*(?:(?:select|выбрать){_SPACE_BAR}+[\w\W]+{_SPACE_BAR}+
    (?:как|as|из|from|где|where|соединение|join|объединить|union|сгруппировать|group|упорядочить|order|итоги|totals)(?:{_SPACE}|$)
    |(?:уничтожить|drop){_SPACE_BAR}*.+)""",
    re.IGNORECASE | re.VERBOSE,
)
_NO_BEGINNING = re.compile(r"[ \t\x0b\f\r]*(?:\||\"\"|//)")

# Shorter literals hold no query; the language server does not look at them.
SHORTEST_QUERY = 12


class ModuleWalker:
    """Walks a module in execution order; knows the types that variables got, as far as constructors and copies tell."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.found: list[AntiPattern] = []
        self.texts: list[nodes.Literal] = []
        # A statement whose chain begins with a call of a routine breaks the language server's rule for the whole module.
        self.broken = False
        self.types: dict[str, set[str]] = {}
        self.in_loop = False

    def module(self, module: nodes.Module) -> None:
        for routine in module.routines:
            self._scope(routine.body)
        self._scope(module.body)
        if self.broken:
            self.found = [pattern for pattern in self.found if pattern.code != "CreateQueryInCycle"]

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

    def _on_callstatement(self, statement: nodes.CallStatement) -> None:
        call, root = statement.call, root_of(statement.call)
        executed = isinstance(call, nodes.MethodCall) and call.name.lower() in EXECUTE
        if self.in_loop and isinstance(root, nodes.Call) and any(map(_executes, _chain(call))):
            self.broken = True
        elif self.in_loop and executed and isinstance(root, nodes.Name):
            # Of a statement's chain the rule sees the first name alone.
            self._executed(root.name, root)
        self._expression(statement, skipped=call if executed else None)

    def _plain(self, statement: nodes.Statement) -> None:
        self._expression(statement)

    # -- expressions ----------------------------------------------------------------------------------------------

    def _expression(self, node: nodes.Node, skipped: nodes.Node | None = None) -> None:
        for inner in walk(node):
            if isinstance(inner, nodes.MethodCall) and inner is not skipped:
                self._method_call(inner)
            elif isinstance(inner, nodes.Call) and inner.name.lower() in CURRENT_DATE:
                self._add("DeprecatedCurrentDate", inner)
            elif isinstance(inner, nodes.Literal) and is_query_text(inner.value):
                self.texts.append(inner)

    def _method_call(self, call: nodes.MethodCall) -> None:
        root = root_of(call)
        if self.in_loop and _executes(call) and isinstance(root, nodes.Name) and not self._in_parentheses(root):
            self._executed(spelled(call.target), root)

    def _executed(self, name: str, at: nodes.Node) -> None:
        if self.types.get(name, set()) & QUERY_TYPES:
            self._add("CreateQueryInCycle", at)

    def _add(self, code: str, node: nodes.Node) -> None:
        self.found.append(AntiPattern(code, node.line, node.column))

    def _types_of(self, operand: nodes.Expression) -> set[str]:
        """Types of a value by its first operand: of a chain after ``Новый`` those of the new object, whatever follows."""
        root = root_of(operand)
        if self._before(root) == "(":
            return set()
        if isinstance(root, nodes.New):
            return {root.type_name.lower()}
        if isinstance(root, nodes.NewDynamic):
            kind = root.type
            return {kind.value.lower()} if isinstance(kind, nodes.Literal) and isinstance(kind.value, str) else set()
        return set(self.types.get(spelled(operand), set())) if isinstance(root, nodes.Name) else set()

    # -- the text, where the tree does not tell ---------------------------------------------------------------------

    def _before(self, node: nodes.Node) -> str:
        """The sign before a node."""
        line, text = node.line - 1, self.lines[node.line - 1][: node.column - 1]
        while not text.strip() and line:
            line -= 1
            text = self.lines[line].partition("//")[0]
        return text.strip()[-1:]

    def _in_parentheses(self, name: nodes.Name) -> bool:
        return self.lines[name.line - 1][name.column - 1 + len(name.name) :].lstrip()[:1] == ")"


def _chain(node: nodes.Expression) -> Iterator[nodes.Expression]:
    """A chain of members, calls and indexes from its end to its beginning."""
    while True:
        yield node
        if not isinstance(node, (nodes.Member, nodes.MethodCall, nodes.Index)):
            return
        node = node.target


def root_of(node: nodes.Expression) -> nodes.Expression:
    for last in _chain(node):
        found = last
    return found


def _executes(node: nodes.Expression) -> bool:
    return isinstance(node, nodes.MethodCall) and node.name.lower() in EXECUTE


def is_query_text(value: Any) -> bool:
    """Lines of comments do not count."""
    if not isinstance(value, str) or len(value) + 2 < SHORTEST_QUERY:
        return False
    return bool(QUERY_TEXT.search("\n".join(line for line in value.split("\n") if not _NO_BEGINNING.match(line))))


def spelled(node: nodes.Node | None) -> str:
    """A chain from a name on, the same for the same chain; "" for what begins with no name."""
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, (nodes.Member, nodes.MethodCall, nodes.Index)):
        inner = spelled(node.target)
        return inner and inner + _link(node)
    return ""


def _link(node: nodes.Member | nodes.MethodCall | nodes.Index) -> str:
    if isinstance(node, nodes.Index):
        return f"[{_written(node.index)}]"
    if isinstance(node, nodes.MethodCall):
        return f".{node.name}({','.join(map(_written, node.arguments))})"
    return f".{node.name}"


def _written(node: nodes.Node | None) -> str:
    """Any expression as a text that equals another one's where both say the same."""
    if node is None:
        return ""
    if isinstance(node, nodes.Literal):
        return repr(node.value)
    return spelled(node) or " ".join(_words(node))


def _words(node: nodes.Node) -> Iterator[str]:
    for inner in walk(node):
        yield type(inner).__name__
        yield from (str(getattr(inner, name)) for name in ("name", "value", "operator", "type_name") if isinstance(getattr(inner, name, None), (str, int, float)))


def _first_operand(expression: nodes.Expression) -> nodes.Expression:
    while isinstance(expression, (nodes.Binary, nodes.Unary)):
        expression = expression.left if isinstance(expression, nodes.Binary) else expression.operand
    return expression


def value_places(lines: list[str], literal: nodes.Literal) -> list[tuple[int, int]]:
    """(line, column) where each line of a literal's text begins; lines of comments between them are no part of it."""
    places, line = [(literal.line, literal.column + 1)], literal.line
    for _ in range(str(literal.value).count("\n")):
        while line < len(lines) and not lines[line].lstrip().startswith("|"):
            line += 1
        line += 1
        places.append((line, lines[line - 1].find("|") + 2 if line <= len(lines) else 1))
    return places
