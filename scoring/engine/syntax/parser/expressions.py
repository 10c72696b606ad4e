"""Expressions. Loosest first: ИЛИ, И, НЕ, comparison, sum, product, sign, operand with its chain of ``.x``, ``[i]``, calls."""

from __future__ import annotations

from scoring.engine.errors import NotSupported
from scoring.engine.syntax import nodes
from scoring.engine.syntax.keywords import CORE_TYPES
from scoring.engine.syntax.lexer import MAX_NUMBER
from scoring.engine.syntax.parser.stream import MAX_NESTING, TokenStream
from scoring.engine.syntax.tokens import Kind
from scoring.engine.values.model import NULL

_COMPARISONS = frozenset({"=", "<>", "<", ">", "<=", ">="})
_SUMS = frozenset({"+", "-"})
_PRODUCTS = frozenset({"*", "/", "%"})
_CONSTANT_WORDS = {"true": True, "false": False, "undefined": None, "null": NULL}


class ExpressionParser(TokenStream):
    """Parses expressions; ``in_async`` says whether ``Ждать`` may be used."""

    in_async = False

    def expression(self, stop: str = "") -> nodes.Expression:
        """An expression; ``stop`` is the token that may not stand in its place (``Expression expected``)."""
        if stop and self.code == stop:
            self.fail("expression_expected")
        return self._or()

    def _or(self) -> nodes.Expression:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise NotSupported(f"expressions nested deeper than {MAX_NESTING}")
        left = self._and()
        while self.code == "or":
            token = self.advance()
            left = nodes.Binary(token.line, token.column, "or", left, self._and())
        self.depth -= 1
        return left

    def _and(self) -> nodes.Expression:
        left = self._not()
        while self.code == "and":
            token = self.advance()
            left = nodes.Binary(token.line, token.column, "and", left, self._not())
        return left

    def _not(self) -> nodes.Expression:
        if self.code != "not":
            return self._comparison()
        token = self.advance()
        if self.dialect == "onec" and self.code == "not":
            return nodes.Unary(token.line, token.column, "not", self._not())
        return nodes.Unary(token.line, token.column, "not", self._comparison())

    def _comparison(self) -> nodes.Expression:
        left = self._sum()
        while self.code in _COMPARISONS:
            token = self.advance()
            left = nodes.Binary(token.line, token.column, token.code, left, self._sum())
        return left

    def _sum(self) -> nodes.Expression:
        left = self._product()
        while self.code in _SUMS:
            token = self.advance()
            left = nodes.Binary(token.line, token.column, token.code, left, self._product())
        return left

    def _product(self) -> nodes.Expression:
        left = self._signed()
        while self.code in _PRODUCTS:
            token = self.advance()
            left = nodes.Binary(token.line, token.column, token.code, left, self._signed())
        return left

    def _signed(self) -> nodes.Expression:
        if self.code not in _SUMS:
            return self._operand()
        token = self.advance()
        operand = self._signed() if self.dialect == "onec" else self._operand()
        return nodes.Unary(token.line, token.column, token.code, operand)

    # -- operands -------------------------------------------------------------------------------------------------

    def _operand(self) -> nodes.Expression:
        token = self.token
        kind = token.kind
        if kind is Kind.WORD:
            return self._word_operand()
        if kind in (Kind.NUMBER, Kind.STRING, Kind.DATE):
            return self._literal()
        if token.code == "(":
            self.advance()
            inner = self._or()
            self.expect(")")
            return self.chain(inner)
        if token.code == "?":
            return self._ternary()
        self.fail("expression_syntax")

    def _literal(self) -> nodes.Literal:
        token = self.advance()
        if token.kind is Kind.NUMBER and abs(token.value) > MAX_NUMBER:
            self._report("number_overflow", 0, 0)
        return nodes.Literal(token.line, token.column, token.value)

    def _word_operand(self) -> nodes.Expression:
        token = self.token
        if not token.code:
            return self.chain(self.global_access())
        if token.code in _CONSTANT_WORDS:
            self.advance()
            return nodes.Literal(token.line, token.column, _CONSTANT_WORDS[token.code])
        if token.code == "new":
            return self.chain(self._new())
        if token.code == "await":
            return self._await()
        self.fail("expression_syntax")

    def _await(self) -> nodes.Expression:
        token = self.advance()
        operand = self._operand()
        if not self.in_async:
            self.fail("await_outside")
        return nodes.Await(token.line, token.column, operand)

    def global_access(self) -> nodes.Expression:
        """A name, or a call of a global or own routine."""
        token = self.advance()
        if self.code == "(":
            return nodes.Call(token.line, token.column, token.text, self.arguments())
        return nodes.Name(token.line, token.column, token.text)

    def chain(self, target: nodes.Expression) -> nodes.Expression:
        """Everything that hangs on an operand: ``.property``, ``.method()``, ``[index]``."""
        while True:
            if self.code == ".":
                target = self._after_dot(target)
            elif self.code == "[":
                token = self.advance()
                index = self.expression("]")
                self._separator("]", "expression_syntax")
                target = nodes.Index(token.line, token.column, target, index)
            else:
                return target

    def _after_dot(self, target: nodes.Expression) -> nodes.Expression:
        self.advance()
        if self.token.kind is not Kind.WORD:
            self.fail("identifier_expected")
        name = self.advance()
        if self.code == "(":
            return nodes.MethodCall(name.line, name.column, target, name.text, self.arguments())
        return nodes.Member(name.line, name.column, target, name.text)

    def arguments(self) -> list[nodes.Expression | None]:
        """``( [argument] {, [argument]} )``; a skipped one is None."""
        self.expect("(")
        result: list[nodes.Expression | None] = []
        if self.accept(")"):
            return result
        while True:
            if self.code == ",":
                result.append(None)
                self.advance()
                if self.code == ")":
                    result.append(None)
                    break
                continue
            result.append(self._or())
            if self.code == ",":
                self.advance()
                if self.code == ")":
                    result.append(None)
                    break
            elif self.code == ")":
                break
            elif self.dialect == "onec":
                self.fail("expression_syntax")
            # OneScript does not miss the comma
        self.advance()
        return result

    def _ternary(self) -> nodes.Expression:
        token = self.advance()
        self.expect("(")
        condition = self.expression(",")
        self._separator(",", "expression_expected")
        then = self.expression(",")
        self._separator(",", "expression_expected")
        otherwise = self.expression(")")
        self.expect(")")
        node = nodes.Ternary(token.line, token.column, condition, then, otherwise)
        return self.chain(node) if self.dialect == "onescript" else node

    def _separator(self, code: str, error: str) -> None:
        """``code`` should stand here; OneScript takes whatever does."""
        if self.dialect == "onec" and self.code != code:
            self.fail(error)
        self.advance()

    def _new(self) -> nodes.Expression:
        token = self.advance()
        if self.code == "(":
            return self._new_dynamic(token.line, token.column)
        if not self.is_name and self.token.text.lower() not in CORE_TYPES:
            self.fail("identifier_expected")
        name = self.advance()
        if self.code == "(":
            return nodes.New(token.line, token.column, name.text, self.arguments(), True)
        return nodes.New(token.line, token.column, name.text, [])

    def _new_dynamic(self, line: int, column: int) -> nodes.Expression:
        self.advance()
        kind = self.expression(")")
        arguments = None
        if self.accept(","):
            arguments = self.expression(")")
        self.expect(")")
        return nodes.NewDynamic(line, column, kind, arguments)
