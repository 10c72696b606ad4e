"""Parsers that remember where each node of their tree begins and ends in the text.

The outermost writing of a node counts: of ``(a + b)`` the sum's span takes in the parentheses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from scoring.engine.query import tree
from scoring.engine.query.parser import Parser as QueryParser
from scoring.engine.source import Source
from scoring.engine.syntax import nodes
from scoring.engine.syntax.parser.declarations import ModuleParser
from scoring.engine.syntax.tokens import Token

_T = TypeVar("_T")
Span = tuple[int, int]


class SpanningModuleParser(ModuleParser):
    """A module's parser with the spans of statements, branches' bodies and expressions, in offsets."""

    def __init__(self, source: Source, dialect: str) -> None:
        super().__init__(source, dialect)
        self.spans: dict[int, Span] = {}
        self.places: dict[tuple[int, int], Token] = {(token.line, token.column): token for token in self.tokens}
        self._kept: list[Any] = []

    def span(self, node: nodes.Node) -> Span:
        """The node's place. Raises KeyError for a node of another kind than those that are remembered."""
        found = self.spans.get(id(node))
        if found is None and isinstance(node, nodes.Binary):
            return self.span(node.left)[0], self.span(node.right)[1]
        if found is None:
            raise KeyError(type(node).__name__)
        return found

    def _spanning(self, parse: Callable[[], _T]) -> _T:
        start = self.token.start
        node = parse()
        self._kept.append(node)
        self.spans[id(node)] = start, self.tokens[self.at - 1].end
        return node

    def statement(self, ends: tuple[str, ...]) -> nodes.Statement:
        return self._spanning(lambda: super(SpanningModuleParser, self).statement(ends))

    def batch(self, *ends: str) -> list[nodes.Statement]:
        """A body's span reaches from behind the word before it to the word that ends it."""
        start = self.tokens[self.at - 1].end if self.at else 0
        body = super().batch(*ends)
        self._kept.append(body)
        self.spans[id(body)] = start, self.token.start
        return body

    def _or(self) -> nodes.Expression:
        return self._spanning(super()._or)

    def _and(self) -> nodes.Expression:
        return self._spanning(super()._and)

    def _not(self) -> nodes.Expression:
        return self._spanning(super()._not)

    def _comparison(self) -> nodes.Expression:
        return self._spanning(super()._comparison)

    def _sum(self) -> nodes.Expression:
        return self._spanning(super()._sum)

    def _product(self) -> nodes.Expression:
        return self._spanning(super()._product)

    def _signed(self) -> nodes.Expression:
        return self._spanning(super()._signed)

    def _operand(self) -> nodes.Expression:
        return self._spanning(super()._operand)


class SpanningQueryParser(QueryParser):
    """A query's parser with the spans of expressions, order items and sources, in offsets of the query's text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.spans: dict[int, Span] = {}
        self._kept: list[Any] = []
        # Where the words of each join stand: the node's id → span.
        self.join_words: dict[int, Span] = {}
        self._words: dict[int, Span] = {}

    def span(self, node: tree.Node) -> Span:
        found = self.spans.get(id(node))
        if found is None and isinstance(node, (tree.Arithmetic, tree.Compare)):
            return self.span(node.left)[0], self.span(node.right)[1]
        if found is None:
            raise KeyError(type(node).__name__)
        return found

    def _spanning(self, parse: Callable[[], _T]) -> _T:
        start = self.token.at
        node = parse()
        self._kept.append(node)
        self.spans[id(node)] = start, self.tokens[self.position - 1].end
        return node

    def expression(self) -> tree.Node:
        return self._spanning(super().expression)

    def _disjunction(self) -> tree.Node:
        return self._spanning(super()._disjunction)

    def _conjunction(self) -> tree.Node:
        return self._spanning(super()._conjunction)

    def _negation(self) -> tree.Node:
        return self._spanning(super()._negation)

    def _predicate(self) -> tree.Node:
        return self._spanning(super()._predicate)

    def _sum(self) -> tree.Node:
        return self._spanning(super()._sum)

    def _product(self) -> tree.Node:
        return self._spanning(super()._product)

    def _signed(self) -> tree.Node:
        return self._spanning(super()._signed)

    def _primary(self) -> tree.Node:
        return self._spanning(super()._primary)

    def _order_item(self) -> tree.OrderItem:
        return self._spanning(super()._order_item)

    def _join_kind(self) -> str | None:
        start = self.token.at
        kind = super()._join_kind()
        if kind is not None:
            # The join's node takes the place of the token behind these words.
            self._words[self.token.at] = start, self.tokens[self.position - 1].end
        return kind

    def join_span(self, join: tree.Join) -> Span | None:
        """Where the words ``ЛЕВОЕ СОЕДИНЕНИЕ`` of a join stand."""
        return self._words.get(join.at)
