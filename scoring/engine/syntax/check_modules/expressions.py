"""Expressions, as the checker reads them: nothing is built, names and calls are noted for the second pass."""

from __future__ import annotations

from scoring.engine.syntax.check_modules.compiled import COMPILED_FUNCTIONS
from scoring.engine.syntax.check_modules.lexer import CheckToken
from scoring.engine.syntax.check_modules.walker import Abandon, Use, Walker
from scoring.engine.syntax.check_modules.words import AWAIT_OUTSIDE, BAD_EXPRESSION, COMPARISONS, NO_EXPRESSION

_PRIMITIVE = frozenset(
    {"число", "number", "строка", "string", "дата", "date", "булево", "boolean", "неопределено", "undefined", "null",
     "тип", "type"}
)  # fmt: skip


class ExpressionChecker(Walker):
    """Reads an expression at the cursor; an error abandons the statement."""

    def expression(self) -> None:
        self._unary(first=True)
        self._binary_rest()

    def _binary_rest(self) -> None:
        while self.code in ("and", "or", "+", "-", "*", "/", "%") or self.code in COMPARISONS:
            self.advance()
            self._unary(first=False)

    def _unary(self, first: bool) -> None:
        while self.code in ("not", "+", "-"):
            self.advance()
            first = False
        self._operand(first)

    def _operand(self, first: bool) -> None:
        token = self.token
        if token.kind in ("number", "string", "date"):
            self.advance()
            while token.kind == "string" and self.token.kind == "string":
                self.advance()
        elif token.kind == "word":
            self._word_operand(token, first)
        elif token.code == "(":
            self.advance()
            self.expression()
            if self.code != ")":
                self.fail("Ожидается символ ')'")
            self.advance()
            self._chain("call")
        elif token.code == "?":
            self._ternary()
        else:
            self._no_operand(first)

    def _no_operand(self, first: bool) -> None:
        self.fail(NO_EXPRESSION if first else BAD_EXPRESSION, self.previous_line)

    def _word_operand(self, token: CheckToken, first: bool) -> None:
        if token.code in ("true", "false", "undefined", "null"):
            self.advance()
        elif token.code == "new":
            self.advance()
            self._new()
        elif token.code == "await":
            self._await()
            self._operand(first)
        elif token.code:
            self._no_operand(first)
        else:
            self.advance()
            if self.code == "(":
                self._call(token, as_function=True)
            else:
                self.scope.reads.append(Use(token.text, token.line))
            self._chain("call")

    def _await(self) -> None:
        word = self.advance()
        if not self.scope.is_async:
            self._report(AWAIT_OUTSIDE, word.line)

    def _call(self, name: CheckToken, as_function: bool) -> None:
        if self.is_compiled(name):
            self._compiled_call(*COMPILED_FUNCTIONS[name.text.lower()])
            return
        use = Use(name.text, name.line, 0, as_function)
        self.scope.calls.append(use)
        use.arguments = self._arguments()
        use.as_function = as_function or self.code in (".", "[")

    def is_compiled(self, name: CheckToken) -> bool:
        """Does the name stand for a function of the language itself?"""
        key = name.text.lower()
        return key in COMPILED_FUNCTIONS and all(scope.name.lower() != key for scope in self.routines)

    def _compiled_call(self, minimum: int, maximum: int) -> None:
        """A built-in that the compiler knows by itself: a wrong number of arguments breaks the statement off."""
        self.advance()
        count = 0
        while True:
            if self.code == ")" and count >= minimum:
                break
            if self.code == "," and count >= 1 and minimum <= count:
                count += 1
                self.advance()
                continue
            if maximum == 0:
                self.fail("Ожидается символ ')'", skip=False)
            if self.code in (")", ","):
                self.fail(NO_EXPRESSION, self.token.line, skip=False)
            self.expression()
            count += 1
            if self.code == "," and count < maximum:
                self.advance()
            elif count < minimum and self.code != ",":
                self.fail("Ожидается символ ','", skip=False)
            elif self.code != ")":
                self.fail("Ожидается символ ')'", skip=False)
            else:
                break
        self.advance()

    def _arguments(self) -> int:
        self.advance()
        count = 0
        if self.code == ")":
            self.advance()
            return 0
        while True:
            count += 1
            if self.code not in (",", ")"):
                self.expression()
            if self.code == ",":
                self.advance()
                continue
            if self.code != ")":
                self.fail("Ожидается символ ')'")
            self.advance()
            return count

    def _ternary(self) -> None:
        self.advance()
        if self.code != "(":
            self._report("Ожидается символ '('", self.token.line)
            if self.token.kind in ("number", "string", "date") or self.code == "?":
                raise Abandon
            return
        self.advance()
        for separator in (",", ",", ")"):
            self.expression()
            if self.code != separator:
                self.fail(f"Ожидается символ '{separator}'")
            self.advance()
        self._chain("call")

    def _new(self) -> None:
        if self.code == "(":
            self._arguments()
            self._chain("call")
            return
        if self.token.kind != "word" or self.code:
            self.fail("Ожидается идентификатор")
        name = self.advance()
        key = name.text.lower()
        if key in _PRIMITIVE:
            self._report(
                "С помощью оператора Новый (New) не могут создаваться значения примитивных типов", name.line
            )
        elif not self.type_known(name.text):
            self._report(f"Тип не определен ({name.text})", name.line)
        if self.code == "(":
            self._arguments()
        self._chain("call")

    def _chain(self, kind: str) -> str:
        while True:
            if self.code == ".":
                self.advance()
                if self.token.kind != "word":
                    self.fail("Ожидается идентификатор")
                self.advance()
                kind = "member"
                if self.code == "(":
                    self._arguments()
                    kind = "call"
            elif self.code == "[":
                self.advance()
                self.expression()
                if self.code != "]":
                    self.fail("Ожидается символ ']'")
                self.advance()
                kind = "member"
            else:
                return kind
