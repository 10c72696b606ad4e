"""Mutants of a query's text: changes at the nodes of its tree, in offsets of the query."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from scoring.engine.antipatterns.walk import walk
from scoring.engine.mutation.patches import Patch
from scoring.engine.mutation.spans import SpanningQueryParser
from scoring.engine.query import tree
from scoring.engine.query.words import AGGREGATES

_BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "<>", "<>": "="}
_ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*"}
_AGGREGATES = {
    "СУММА": "МАКСИМУМ", "МАКСИМУМ": "МИНИМУМ", "МИНИМУМ": "МАКСИМУМ", "СРЕДНЕЕ": "СУММА", "КОЛИЧЕСТВО": "МАКСИМУМ",
}  # fmt: skip
_TRUE = "ИСТИНА"


def query_patches(text: str) -> list[Patch]:
    """Every patch of a query's text. Raises what the parser raises for a text that is no query."""
    parser = SpanningQueryParser(text)
    batch = parser.batch()
    mutator = _QueryMutator(parser, text)
    for node in walk(batch.statements):
        mutator.node(node)
    return mutator.patches


class _QueryMutator:
    def __init__(self, parser: SpanningQueryParser, text: str) -> None:
        self.parser = parser
        self.text = text
        self.patches: list[Patch] = []
        self.starts = {token.at: token for token in parser.tokens}
        self.order = sorted(self.starts)

    def _add(self, operator: str, span: tuple[int, int], replacement: str, proof: str = "") -> None:
        self.patches.append(Patch(operator, *span, replacement, proof))

    def _token(self, at: int, replacement: str, operator: str) -> None:
        token = self.starts[at]
        self._add(operator, (token.at, token.end), replacement)

    def node(self, node: Any) -> None:
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            handler(self, node)

    # -- expressions -----------------------------------------------------------------------------------------------------

    def _compare(self, node: tree.Compare) -> None:
        if node.operator in _BOUNDARY:
            self._token(node.at, _BOUNDARY[node.operator], "boundary")
        self._token(node.at, _OPPOSITE[node.operator], "comparison")

    def _arithmetic(self, node: tree.Arithmetic) -> None:
        self._token(node.at, _ARITHMETIC[node.operator], "arithmetic")

    def _literal(self, node: tree.Literal) -> None:
        value = node.value
        if isinstance(value, bool):
            self._token(node.at, "ЛОЖЬ" if value else _TRUE, "constant")
        elif isinstance(value, (int, Decimal)):
            self._token(node.at, str(value + 1), "constant")

    def _call(self, node: tree.Call) -> None:
        if node.name in AGGREGATES and not node.star:
            self._token(node.at, _AGGREGATES[node.name], "aggregate")
            if node.distinct:
                self._drop_distinct(node)
        elif node.name == "ЕСТЬNULL" and len(node.arguments) == 2:
            inner = self.parser.span(node.arguments[0])
            self._add("lost_isnull", self.parser.span(node), self.text[slice(*inner)])

    def _drop_distinct(self, node: tree.Call) -> None:
        word = self._find(node.at, "РАЗЛИЧНЫЕ")
        if word is not None:
            self._add("aggregate", (word.at, word.end + 1), "")

    def _find(self, at: int, keyword: str) -> Any:
        """The first token of that word from ``at`` on."""
        return next((self.starts[place] for place in self.order if place >= at and self.starts[place].keyword == keyword), None)

    def _logic(self, node: tree.Logic) -> None:
        neutral = _TRUE if node.operator == "И" else "ЛОЖЬ"
        for item in node.items:
            self._add("dropped_condition", self.parser.span(item), neutral)
        words = {"И": "ИЛИ", "ИЛИ": "И"}
        self._token(node.at, words[node.operator], "logic")

    def _case(self, node: tree.Case) -> None:
        if node.otherwise is not None:
            (first, first_end), (second, second_end) = self.parser.span(node.branches[0][1]), self.parser.span(node.otherwise)
            text = self.text
            swapped = text[second:second_end] + text[first_end:second] + text[first:first_end]
            self._add("swapped_branch", (first, second_end), swapped)
        if node.operand is None:
            for condition, _ in node.branches:
                start, end = self.parser.span(condition)
                if not isinstance(condition, tree.Compare):
                    self._add("negated_condition", (start, end), f"НЕ ({self.text[start:end]})")

    def _negated(self, node: tree.In | tree.Between | tree.Like | tree.IsNull) -> None:
        start, end = self.parser.span(node)
        self._add("negated_condition", (start, end), f"(НЕ ({self.text[start:end]}))")

    # -- statements ------------------------------------------------------------------------------------------------------

    def _select(self, node: tree.Select) -> None:
        for condition in (node.where, node.having):
            if condition is not None and not isinstance(condition, tree.Logic):
                self._add("dropped_condition", self.parser.span(condition), _TRUE)
        if node.distinct:
            word = self._find(node.at, "РАЗЛИЧНЫЕ")
            if word is not None:
                self._add("dropped_statement", (word.at, word.end + 1), "")
        if node.top is not None:
            word = self._find(node.at, "ПЕРВЫЕ")
            following = next(place for place in self.order if place > word.at)
            self._token(following, str(node.top + 1), "off_by_one")

    def _query(self, node: tree.Query) -> None:
        if node.order:
            self._order(node.order)
        if node.union_all:
            last = self.parser.spans.get(id(node))
            if last is None and all(node.union_all):
                self._union(node)

    def _union(self, node: tree.Query) -> None:
        """``ОБЪЕДИНИТЬ ВСЕ`` without ``ВСЕ``: equal rows become one."""
        for branch in node.branches[1:]:
            place = max((place for place in self.order if place < branch.at), default=None)
            if place is not None and self.starts[place].keyword == "ВСЕ":
                token = self.starts[place]
                self._add("dropped_condition", (token.at, token.end), "")

    def _order(self, items: list[tree.OrderItem]) -> None:
        for item in items:
            start, end = self.parser.span(item)
            inner = self.parser.span(item.expression)
            written = self.text[slice(*inner)]
            self._add("ordering", (start, end), written if item.descending else f"{written} УБЫВ")
        if len(items) > 1:
            first_end, last_end = self.parser.span(items[0])[1], self.parser.span(items[-1])[1]
            self._add("ordering", (first_end, last_end), "")

    def _table(self, node: tree.TableSource) -> None:
        for parameter in node.parameters or ():
            if parameter is not None:
                self._add("table_parameter", self.parser.span(parameter), "")

    def _join(self, node: tree.Join) -> None:
        span = self.parser.join_span(node)
        if span is not None:
            turned = "ЛЕВОЕ СОЕДИНЕНИЕ" if node.kind == "inner" else "ВНУТРЕННЕЕ СОЕДИНЕНИЕ"
            self._add("join", span, turned)


_HANDLERS: dict[type, Any] = {
    tree.Compare: _QueryMutator._compare,
    tree.Arithmetic: _QueryMutator._arithmetic,
    tree.Literal: _QueryMutator._literal,
    tree.Call: _QueryMutator._call,
    tree.Logic: _QueryMutator._logic,
    tree.Case: _QueryMutator._case,
    tree.In: _QueryMutator._negated,
    tree.Between: _QueryMutator._negated,
    tree.Like: _QueryMutator._negated,
    tree.IsNull: _QueryMutator._negated,
    tree.Select: _QueryMutator._select,
    tree.Query: _QueryMutator._query,
    tree.TableSource: _QueryMutator._table,
    tree.Join: _QueryMutator._join,
}
