"""Mutants of a module's code: changes at the nodes of its tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from scoring.engine.antipatterns.walk import walk
from scoring.engine.mutation.patches import Patch
from scoring.engine.mutation.spans import SpanningModuleParser
from scoring.engine.syntax import nodes

_BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "<>", "<>": "="}
_ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*"}
_LOGIC = {"and": {"и": "Или", "and": "Or"}, "or": {"или": "И", "or": "And"}}
_EXTREMES = {"мин": "Макс", "макс": "Мин", "min": "Max", "max": "Min"}
_DIRECTIONS = {"возр": "Убыв", "убыв": "Возр", "asc": "Desc", "desc": "Asc"}
_SORTING = frozenset({"сортировать", "sort"})
_DESCENDING = re.compile(r"\s+(?:Убыв|Desc)\b", re.IGNORECASE)
_NEGATION = {True: "НЕ", False: "NOT"}
_EXITS = (nodes.Return, nodes.Continue, nodes.Break, nodes.Raise)
_REMOVABLE = (
    nodes.Assign, nodes.CallStatement, nodes.Raise, nodes.Break, nodes.Continue, nodes.Return, nodes.Execute, nodes.While,
    nodes.For, nodes.ForEach,
)  # fmt: skip


class ModuleMutator:
    """Walks the routines of a module and makes patches. Messages of exceptions and texts of queries stay as they are."""

    def __init__(self, parser: SpanningModuleParser, text: str, queries: frozenset[str]) -> None:
        self.parser = parser
        self.text = text
        self.queries = queries
        self.patches: list[Patch] = []
        # Conditions of an `Если` that has nothing but them: the condition's id → its branch.
        self.branches: dict[int, nodes.Branch] = {}
        # And conditions of `?(…)`.
        self.ternaries: dict[int, nodes.Ternary] = {}

    def mutate(self, routines: list[nodes.Routine]) -> list[Patch]:
        """Every patch of the routines, in order of the text."""
        self.branches = {
            id(node.branches[0].condition): node.branches[0]
            for node in walk([routine.body for routine in routines])
            if isinstance(node, nodes.If) and len(node.branches) == 1 and node.otherwise is None
        }
        inside = walk([routine.body for routine in routines])
        self.ternaries = {id(node.condition): node for node in inside if isinstance(node, nodes.Ternary)}
        for routine in routines:
            self._routine(routine)
        return self.patches

    def _routine(self, routine: nodes.Routine) -> None:
        self._body(routine.body)
        conditions = {id(node) for node in walk(routine.body) for node in _conditions(node)}
        for node in walk(routine.body, lambda node: not isinstance(node, nodes.Raise)):
            self._statement(node)
            self._expression(node, id(node) in conditions)

    def _add(self, operator: str, span: tuple[int, int], replacement: str, proof: str = "") -> None:
        self.patches.append(Patch(operator, *span, replacement, proof))

    # -- statements ------------------------------------------------------------------------------------------------------

    def _body(self, body: list[nodes.Statement]) -> None:
        for statement in body:
            if isinstance(statement, nodes.If):
                guard = not statement.otherwise and len(statement.branches) == 1 and _leaves(statement.branches[0].body)
                self._drop(statement, "removed_guard" if guard else "dropped_statement")
            elif isinstance(statement, _REMOVABLE):
                self._drop(statement, "dropped_statement")
            for inner in _bodies(statement):
                self._body(inner)

    def _drop(self, statement: nodes.Statement, operator: str) -> None:
        start, end = self._whole_lines(*self.parser.span(statement))
        self._add(operator, (start, end), "")

    def _whole_lines(self, start: int, end: int) -> tuple[int, int]:
        """A statement's span with its semicolon, and with its lines where nothing else stands on them."""
        found = re.compile(r"[ \t]*;").match(self.text, end)
        end = found.end() if found else end
        first = self.text.rfind("\n", 0, start) + 1
        last = re.compile(r"[ \t]*(?://[^\n]*)?\n").match(self.text, end)
        return (first, last.end()) if last and not self.text[first:start].strip() else (start, end)

    def _statement(self, node: Any) -> None:
        if isinstance(node, nodes.If):
            self._swap_branches(node)
        if isinstance(node, (nodes.Branch, nodes.While)):
            self._negate(node.condition, node)
        if isinstance(node, nodes.For):
            self._shift(node.start, "+ 1")
            self._shift(node.stop, "- 1")

    def _swap_branches(self, node: nodes.If) -> None:
        bodies = [branch.body for branch in node.branches] + ([node.otherwise] if node.otherwise is not None else [])
        if len(bodies) < 2:
            return
        (first, first_end), (second, second_end) = self.parser.spans[id(bodies[0])], self.parser.spans[id(bodies[1])]
        text = self.text
        swapped = text[second:second_end] + text[first_end:second] + text[first:first_end]
        self._add("swapped_branch", (first, second_end), swapped)

    def _negate(self, condition: nodes.Expression, owner: Any) -> None:
        if isinstance(condition, nodes.Binary) and condition.operator in _OPPOSITE:
            self._operator(condition, "negated_condition", _OPPOSITE[condition.operator])
            return
        if isinstance(condition, nodes.Unary) and condition.operator == "not":
            start, end = self.parser.span(condition)
            inner_start, inner_end = self.parser.span(condition.operand)
            self._add("negated_condition", (start, end), self.text[inner_start:inner_end])
            return
        start, end = self.parser.span(condition)
        word = _NEGATION[bool(re.search("[а-яё]", self.text, re.IGNORECASE))]
        self._add("negated_condition", (start, end), f"{word} ({self.text[start:end]})")

    def _shift(self, expression: nodes.Expression, by: str) -> None:
        start, end = self.parser.span(expression)
        if isinstance(expression, nodes.Literal) and isinstance(expression.value, int):
            value = expression.value + (1 if by[0] == "+" else -1)
            self._add("off_by_one", (start, end), str(value))
            return
        # `x - 1` shifted by one is `x`: the change that people make.
        if isinstance(expression, nodes.Binary) and expression.operator in "+-" and _is_one(expression.right):
            left = self.parser.span(expression.left)
            self._add("off_by_one", (start, end), self.text[slice(*left)])
            return
        written = self.text[start:end]
        wrapped = f"({written})" if isinstance(expression, nodes.Ternary) else written
        self._add("off_by_one", (start, end), f"{wrapped} {by}")

    # -- expressions -----------------------------------------------------------------------------------------------------

    def _expression(self, node: Any, is_condition: bool) -> None:
        if isinstance(node, nodes.Binary):
            self._binary(node, is_condition)
        elif isinstance(node, nodes.Literal):
            self._constant(node)
        elif isinstance(node, nodes.Ternary):
            self._negate(node.condition, node)
            (first, first_end), (second, second_end) = self.parser.span(node.then), self.parser.span(node.otherwise)
            text = self.text
            swapped = text[second:second_end] + text[first_end:second] + text[first:first_end]
            self._add("swapped_branch", (first, second_end), swapped)
        elif isinstance(node, nodes.Index) and not isinstance(node.index, nodes.Literal):
            self._shift(node.index, "+ 1")
        elif isinstance(node, nodes.Call) and node.name.lower() in _EXTREMES:
            self._name(node, _EXTREMES[node.name.lower()], "comparison")
        elif isinstance(node, nodes.Member) and node.name.lower() in _DIRECTIONS:
            self._name(node, _DIRECTIONS[node.name.lower()], "ordering")
        elif isinstance(node, nodes.MethodCall) and node.name.lower() in _SORTING:
            self._sorting(node)

    def _binary(self, node: nodes.Binary, is_condition: bool) -> None:
        operator = node.operator
        if operator in _BOUNDARY:
            proof = _kept_extreme(node, self.branches.get(id(node))) or _zero_negated(self.ternaries.get(id(node)))
            self._operator(node, "boundary", _BOUNDARY[operator], proof)
        if operator in _OPPOSITE and not is_condition:
            self._operator(node, "comparison", _OPPOSITE[operator])
        elif operator in _ARITHMETIC and not (operator == "+" and _is_text(node)):
            self._operator(node, "arithmetic", _ARITHMETIC[operator])
        elif operator in _LOGIC:
            token = self.parser.places[node.line, node.column]
            self._operator(node, "logic", _LOGIC[operator].get(token.text.lower(), "Или"))

    def _operator(self, node: nodes.Binary, operator: str, replacement: str, proof: str = "") -> None:
        token = self.parser.places[node.line, node.column]
        self._add(operator, (token.start, token.end), replacement, proof)

    def _name(self, node: nodes.Call | nodes.Member, replacement: str, operator: str) -> None:
        token = self.parser.places[node.line, node.column]
        self._add(operator, (token.start, token.end), replacement)

    def _constant(self, node: nodes.Literal) -> None:
        token = self.parser.places[node.line, node.column]
        span, value = (token.start, token.end), node.value
        if isinstance(value, bool):
            russian = token.text.lower() in ("истина", "ложь")
            words = ("Ложь", "Истина") if russian else ("False", "True")
            self._add("constant", span, words[not value])
        elif isinstance(value, (int, Decimal)):
            self._add("constant", span, str(value + 1))
            if value not in (0, 1):
                self._add("constant", span, "0")
        elif isinstance(value, str) and value not in self.queries:
            self._add("constant", span, '""' if value else '"?"')

    def _sorting(self, node: nodes.MethodCall) -> None:
        rule = node.arguments[0] if node.arguments else None
        if not isinstance(rule, nodes.Literal) or not isinstance(rule.value, str):
            return
        token = self.parser.places[rule.line, rule.column]
        plain = _DESCENDING.sub("", token.text)
        turned = plain if plain != token.text else token.text[:-1] + ' Убыв"'
        self._add("ordering", (token.start, token.end), turned)


def _conditions(node: Any) -> Iterator[nodes.Expression]:
    if isinstance(node, (nodes.Branch, nodes.While, nodes.Ternary)):
        yield node.condition


def _bodies(statement: nodes.Statement) -> Iterator[list[nodes.Statement]]:
    if isinstance(statement, nodes.If):
        yield from (branch.body for branch in statement.branches)
        if statement.otherwise:
            yield statement.otherwise
    elif isinstance(statement, (nodes.While, nodes.For, nodes.ForEach)):
        yield statement.body
    elif isinstance(statement, nodes.Try):
        yield statement.body
        yield statement.handler


def _leaves(body: list[nodes.Statement]) -> bool:
    """Does the body end by leaving the routine or the loop's turn?"""
    return bool(body) and isinstance(body[-1], _EXITS)


def _is_one(node: nodes.Expression) -> bool:
    return isinstance(node, nodes.Literal) and node.value == 1 and not isinstance(node.value, bool)


def _is_text(node: nodes.Expression) -> bool:
    """Is this sum a joining of texts, as far as its literals tell?"""
    if isinstance(node, nodes.Binary) and node.operator == "+":
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, nodes.Literal) and isinstance(node.value, str)


def _kept_extreme(node: nodes.Binary, branch: nodes.Branch | None) -> str:
    """``Если X > Y Тогда Y = X``: with ``>=`` the equal value is written over itself, which changes nothing."""
    if branch is None or len(branch.body) != 1 or not isinstance(branch.body[0], nodes.Assign):
        return ""
    assign = branch.body[0]
    pair = {_plain_name(node.left), _plain_name(node.right)}
    written = {_plain_name(assign.target), _plain_name(assign.value)}
    return "extreme_kept" if pair == written and "" not in pair and len(pair) == 2 else ""


def _zero_negated(ternary: nodes.Ternary | None) -> str:
    """``?(X < 0, -Y, Y)`` where X is Y: zero may be negated or not."""
    if ternary is None or not isinstance(ternary.condition, nodes.Binary):
        return ""
    condition = ternary.condition
    sides = (ternary.then, ternary.otherwise) if isinstance(ternary.then, nodes.Unary) else (ternary.otherwise, ternary.then)
    negated, plain = sides
    if not isinstance(negated, nodes.Unary) or negated.operator != "-" or _number(condition.right) != 0:
        return ""
    names = {_plain_name(negated.operand), _plain_name(plain), _plain_name(condition.left)}
    return "zero_negated" if len(names) == 1 and "" not in names else ""


def _number(node: nodes.Expression) -> Any:
    return node.value if isinstance(node, nodes.Literal) and not isinstance(node.value, bool) else None


def _plain_name(node: nodes.Expression) -> str:
    return nodes.key(node.name) if isinstance(node, nodes.Name) else ""
