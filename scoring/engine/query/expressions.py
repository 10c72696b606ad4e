"""The parser's lower half: expressions."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, TypeVar

from scoring.engine.query import tree
from scoring.engine.query.failures import QueryError
from scoring.engine.query.lexer import NUMBER, OPERATOR, PARAMETER, STRING, WORD
from scoring.engine.query.stream import TokenStream
from scoring.engine.query.words import FUNCTIONS, KEYWORDS, RESERVED
from scoring.engine.values.model import NULL

if TYPE_CHECKING:
    from scoring.engine.query.tree import Node, Query

_T = TypeVar("_T")
_COMPARISONS = frozenset({"=", "<>", "<", ">", "<=", ">="})
_CONSTANTS = {"ИСТИНА": True, "ЛОЖЬ": False, "NULL": NULL, "НЕОПРЕДЕЛЕНО": None}


def _reduced(negations: list[_T]) -> list[_T]:
    """Double negations cancel; one pair stays, so that the operand's type is still checked."""
    return negations if len(negations) <= 2 else negations[: 2 - len(negations) % 2]


class ExpressionParser(TokenStream):
    """``expression`` is the entry point: logic → predicates → arithmetic → primaries."""

    def query(self) -> Query:
        raise NotImplementedError

    def expression(self) -> Node:
        self.enter()
        result = self._disjunction()
        self.leave()
        return result

    def _disjunction(self) -> Node:
        return self._chain("ИЛИ", self._conjunction)

    def _conjunction(self) -> Node:
        return self._chain("И", self._negation)

    def _chain(self, operator: str, operand: object) -> Node:
        first: Node = operand()  # type: ignore[operator]
        if not self.at_keyword(operator):
            return first
        items, places = [first], []
        while token := self.take_keyword(operator):
            places.append(token.at)
            items.append(operand())  # type: ignore[operator]
        return tree.Logic(places[-1], operator, items, tuple(places))

    def _negation(self) -> Node:
        negations = []
        while token := self.take_keyword("НЕ"):
            negations.append(token.at)
        result = self._predicate()
        for at in reversed(_reduced(negations)):
            result = tree.Not(at, result)
        return result

    # -- predicates ----------------------------------------------------------------------------------------------------

    def _predicate(self) -> Node:
        left = self._sum()
        while True:
            following = self._predicate_over(left)
            if following is None:
                return left
            left = following

    def _predicate_over(self, left: Node) -> Node | None:
        token = self.token
        if token.kind == OPERATOR and token.text in _COMPARISONS:
            self.advance()
            return tree.Compare(token.at, token.text, left, self._sum())
        negated = False
        if token.keyword == "НЕ" and self.peek().keyword in ("В", "МЕЖДУ", "ПОДОБНО"):
            self.advance()
            negated = True
        at = self.token.at
        if self.take_keyword("В"):
            return self._membership(left, at, negated)
        if self.take_keyword("МЕЖДУ"):
            low = self._sum()
            self.need_keyword("И")
            return tree.Between(at, left, low, self._sum(), negated)
        if self.take_keyword("ПОДОБНО"):
            pattern = self._sum()
            escape = self._sum() if self.take_keyword("СПЕЦСИМВОЛ") else None
            return tree.Like(at, left, pattern, escape, negated)
        if self.take_keyword("ЕСТЬ"):
            negated = self.take_keyword("НЕ") is not None
            self.need_keyword("NULL")
            return tree.IsNull(at, left, negated)
        if self.at_keyword("ССЫЛКА") and self.peek().kind == WORD:
            self.advance()
            return tree.RefTest(at, left, self.path())
        return None

    def _membership(self, left: Node, at: int, negated: bool) -> Node:
        hierarchy = self.take_keyword("ИЕРАРХИИ") is not None
        if not self.take_operator("("):
            raise QueryError('Ожидается выражение "("', self.token.at)
        if self.at_keyword("ВЫБРАТЬ"):
            self.enter()
            query = self.query()
            self.leave()
            self.need_operator(")")
            return tree.In(at, left, [], query, hierarchy, negated)
        items = self._arguments_until_parenthesis()
        return tree.In(at, left, items, None, hierarchy, negated)

    def _arguments_until_parenthesis(self) -> list[Node]:
        items = [self.expression()]
        while self.take_operator(","):
            items.append(self.expression())
        self.need_operator(")")
        return items

    # -- arithmetic ----------------------------------------------------------------------------------------------------

    def _sum(self) -> Node:
        left = self._product()
        while self.token.kind == OPERATOR and self.token.text in "+-":
            token = self.advance()
            left = tree.Arithmetic(token.at, token.text, left, self._product())
        return left

    def _product(self) -> Node:
        left = self._signed()
        while self.token.kind == OPERATOR and self.token.text in "*/":
            token = self.advance()
            left = tree.Arithmetic(token.at, token.text, left, self._signed())
        return left

    def _signed(self) -> Node:
        signs = []
        while self.token.kind == OPERATOR and self.token.text in "+-":
            signs.append(self.advance())
        result = self._primary()
        for token in reversed(_reduced([token for token in signs if token.text == "-"])):
            result = tree.Unary(token.at, "-", result)
        return result

    # -- primaries -----------------------------------------------------------------------------------------------------

    def _primary(self) -> Node:
        token = self.token
        if token.kind == WORD:
            return self._word()
        if token.kind == NUMBER:
            self.advance()
            return tree.Literal(token.at, Decimal(token.text) if "." in token.text else int(token.text))
        if token.kind == STRING:
            self.advance()
            return tree.Literal(token.at, token.text[1:-1].replace('""', '"'))
        if token.kind == PARAMETER:
            return self.parameter()
        if self.take_operator("("):
            return self._parenthesis(token.at)
        raise self.error_here()

    def parameter(self) -> tree.Parameter:
        token = self.advance()
        name = token.text[1:]
        self.parameter_names.setdefault(name.lower(), name)
        return tree.Parameter(token.at, name)

    def _parenthesis(self, at: int) -> Node:
        items = self._arguments_until_parenthesis()
        return items[0] if len(items) == 1 else tree.Tuple(at, items)

    def _word(self) -> Node:
        token = self.token
        keyword = token.keyword
        if keyword in _CONSTANTS and not self._dot_follows():
            self.advance()
            return tree.Literal(token.at, _CONSTANTS[keyword])
        if keyword == "ВЫБОР":
            return self._case()
        if self.peek().text == "(" and self.peek().kind == OPERATOR:
            return self._call()
        if token.text.upper() in RESERVED:
            raise self.error_here()
        return self.path()

    def _dot_follows(self) -> bool:
        return self.peek().text == "." and self.peek().kind == OPERATOR

    def path(self) -> tree.Path:
        """A dotted name. After a dot any word is a name."""
        token = self.advance() if self.token.kind == WORD else self.fail()
        parts, offsets = [token.text], [token.at]
        while self.at_operator(".") and self.peek().kind == WORD:
            self.advance()
            token = self.advance()
            parts.append(token.text)
            offsets.append(token.at)
        return tree.Path(offsets[0], tuple(parts), tuple(offsets))

    def _call(self) -> Node:
        token = self.token
        special = {"ВЫРАЗИТЬ": self._cast, "ЗНАЧЕНИЕ": self._value, "ТИП": self._type}.get(token.keyword)
        if special is not None:
            return special()
        name = FUNCTIONS.get(token.text.upper())
        if name is None and token.text.upper() in RESERVED:
            raise self.error_here()
        self.advance()
        self.advance()
        call = tree.Call(token.at, name or token.text, [], known=name is not None)
        if self.take_operator(")"):
            return call
        if self.at_operator("*") and self.peek().text == ")":
            self.advance()
            call.star = True
            self.need_operator(")")
            return call
        call.distinct = self.take_keyword("РАЗЛИЧНЫЕ") is not None
        call.arguments = self._arguments_until_parenthesis()
        return call

    def _case(self) -> Node:
        self.enter()
        at = self.advance().at
        operand = None if self.at_keyword("КОГДА") else self.expression()
        branches = []
        while self.take_keyword("КОГДА"):
            condition = self.expression()
            self.need_keyword("ТОГДА")
            branches.append((condition, self.expression()))
        if not branches:
            self.fail()
        otherwise = self.expression() if self.take_keyword("ИНАЧЕ") else None
        self.need_keyword("КОНЕЦ")
        self.leave()
        return tree.Case(at, operand, branches, otherwise)

    def _cast(self) -> Node:
        at = self.advance().at
        self.need_operator("(")
        operand = self.expression()
        self.need_keyword("КАК")
        target = self._type_name()
        self.need_operator(")")
        return self._dereferenced(tree.Cast(at, operand, target))

    def _dereferenced(self, node: Node) -> Node:
        parts, offsets = [], []
        while self.at_operator(".") and self.peek().kind == WORD:
            self.advance()
            token = self.advance()
            parts.append(token.text)
            offsets.append(token.at)
        return tree.Dereference(node.at, node, tuple(parts), tuple(offsets)) if parts else node

    def _type_name(self) -> tree.TypeName:
        at = self.token.at
        path = self.path()
        numbers = []
        if self.take_operator("("):
            while True:
                if self.token.kind != NUMBER or "." in self.token.text:
                    self.fail()
                numbers.append(int(self.advance().text))
                if not self.take_operator(","):
                    break
            self.need_operator(")")
        primitive = KEYWORDS.get(path.parts[0].upper(), "") if len(path.parts) == 1 else ""
        return tree.TypeName(at, primitive, None if primitive else path, tuple(numbers))

    def _value(self) -> Node:
        at = self.advance().at
        self.need_operator("(")
        path = self.path()
        self.need_operator(")")
        return self._dereferenced(tree.ValueOf(at, path))

    def _type(self) -> Node:
        at = self.advance().at
        self.need_operator("(")
        path = self.path()
        self.need_operator(")")
        return tree.TypeOf(at, path)
