"""The 1C compiler's walk over a server common module: every error with its line, in the order it finds them.

A parser with recovery (``walker``). What it does after an error was read off recorded runs (``docs/fidelity.md``); an error in a
loop's ``Для Каждого`` header or in an ``Если`` header is followed by the body, parsed as usual.
"""

from __future__ import annotations

from scoring.engine.syntax.check_modules.expressions import ExpressionChecker
from scoring.engine.syntax.check_modules.lexer import CheckToken
from scoring.engine.syntax.check_modules.walker import Abandon, RoutineScope, Stop, Use
from scoring.engine.syntax.check_modules.words import (
    BAD_EXPRESSION,
    BLOCK_ENDS,
    DECLARATIONS,
    ENDS,
    LOGICAL_END,
    ONLY_IN_EXPRESSION,
    RAISE_OUTSIDE,
    STATEMENT_WORDS,
    UNKNOWN_OPERATOR,
)

# Deeper blocks than this are no honest module; the walk ends there.
MOST_NESTED_BLOCKS = 150


class ModuleChecker(ExpressionChecker):
    """Walks a module once; ``findings`` fill up in the order of the compiler."""

    def run(self) -> None:
        try:
            self._module()
        except Stop:
            pass

    # -- module ---------------------------------------------------------------------------------------------------

    def _module(self) -> None:
        while self.code != "end":
            if self.code == "directive":
                self._directive()
            elif self.code in ("procedure", "function", "async"):
                self._routine()
            else:  # a common module has neither variables nor a body
                self._report(LOGICAL_END, self.previous_line)
                return

    def _directive(self) -> None:
        self.advance()
        if self.code == "(":
            while self.code not in (")", "end"):
                self.advance()
            if self.code == "end":
                self._report("Ожидается символ ')'", self.previous_line)
                raise Stop
            self.advance()

    def _variables(self) -> None:
        self.advance()
        while True:
            if self.token.kind != "word" or self.code:
                self.fail("Ожидается имя переменной")
            self._declare(self.advance())
            if self.code == "export":
                self.advance()
            if self.code != ",":
                break
            self.advance()
        if self.code == ";":
            self.advance()
        else:
            self._report("Ожидается символ ';'", self.previous_line)

    def _routine(self) -> None:
        is_async = self.code == "async"
        if is_async:
            self.advance()
        word = self.advance()
        is_function = word.code == "function"
        end = "endfunction" if is_function else "endprocedure"
        name = self._routine_name(is_function)
        self.scope = RoutineScope(name, word.line, is_function, is_async)
        self._parameters()
        if self.code == "export":
            self.advance()
        self._register(self.scope)
        self.loops = self.handlers = 0
        while self.code == "var":
            try:
                self._variables()
            except Abandon:
                self.skip_statement()
        self.batch(frozenset({end}), end)
        if self.code == end:
            self.advance()

    def _routine_name(self, is_function: bool) -> str:
        if self.token.kind == "word" and not self.code:
            return self.advance().text
        self._report("Ожидается имя функции" if is_function else "Ожидается имя процедуры", self.token.line)
        return ""

    def _register(self, scope: RoutineScope) -> None:
        if any(other.name.lower() == scope.name.lower() for other in self.routines):
            self._report(
                f"Процедура или функция с указанным именем уже определена ({scope.name})", scope.line
            )
        self.routines.append(scope)

    def _parameters(self) -> None:
        if self.code != "(":
            self._report("Ожидается символ '('", self.token.line)
            raise Stop
        self.advance()
        if self.code != ")":
            self._parameter()
        while self.code == ",":
            self.advance()
            self._parameter()
        if self.code != ")":
            self._report("Ожидается символ ')'", self.token.line)
            raise Stop
        self.advance()

    def _parameter(self) -> None:
        while self.code == "directive":
            self._directive()
        if self.code == "val":
            self.advance()
        if self.token.kind != "word" or self.code:
            self._report("Ожидается идентификатор", self.token.line)
            raise Stop
        self._declare(self.advance())
        self.scope.maximum += 1
        if self.code == "=":
            self.advance()
            self._default()
        else:
            self.scope.minimum = self.scope.maximum

    def _declare(self, name: CheckToken) -> None:
        key = name.text.lower()
        if key in self.scope.declared:
            self._report(f"Переменная с указанным именем уже определена ({name.text})", name.line)
        self.scope.declared.add(key)

    def _default(self) -> None:
        if self.code in ("+", "-"):
            self.advance()
        if self.token.kind in ("number", "string", "date") or self.code in ("true", "false", "undefined", "null"):
            self.advance()
            return
        self._report("Ожидается константа", self.token.line)
        raise Stop

    # -- batches --------------------------------------------------------------------------------------------------

    def batch(self, ends: frozenset[str], end: str) -> None:
        """Statements up to one of ``ends``; ``end`` is the one that its error message asks for."""
        self.open_ends.append(ends)
        self.depth += 1
        if self.depth > MOST_NESTED_BLOCKS:
            raise Stop
        while self.code not in ends:
            if self.code == ";":
                self.advance()
            elif self.code == "label":
                self.advance()
            elif self._begins_statement():
                self._guarded_statement()
            elif self._foreign(end):
                break
        self.depth -= 1
        self.open_ends.pop()

    def _begins_statement(self) -> bool:
        token = self.token
        return (token.kind == "word" and (not token.code or token.code in STATEMENT_WORDS)) or token.code == "?"

    def _foreign(self, end: str) -> bool:
        """A token that neither begins a statement nor ends this batch. Does the batch end here all the same?"""
        code = self.code
        if code in DECLARATIONS or code == "end" or code in BLOCK_ENDS:
            self._report(ENDS[end], self.token.line)
            if code in BLOCK_ENDS and not any(code in ends for ends in self.open_ends):
                if end == "endif":  # an If that is not closed is passed over like a statement (seen)
                    self._silent_skip()
                elif len(self.open_ends) == 1:
                    self._pass_over()
                    self.skip_to_keyword()
                    self.logical_end()
            return True
        if self.token.kind == "bad":
            self._report(ENDS[end], self.token.line)
        else:
            self._report(UNKNOWN_OPERATOR, self.token.line)
        self.skip_to_keyword()
        if not any(self.code in ends for ends in self.open_ends):
            self.logical_end()
        return False

    def _silent_skip(self) -> None:
        while self.code not in (";", "end"):
            self._pass_over()

    def _guarded_statement(self) -> None:
        try:
            self._statement()
        except Abandon as abandoned:
            if abandoned.skip:
                self.skip_statement()
            return
        self._after_statement()

    def _after_statement(self) -> None:
        if self.code == ";":
            self.advance()
        elif (self.token.kind == "word" and not self.code) or self.code in ("?", "label"):
            self._report("Ожидается символ ';'", self.previous_line)
        elif self.token.kind in ("number", "string", "date"):
            self._report("Ожидается символ ';'", self.previous_line)

    # -- statements -----------------------------------------------------------------------------------------------

    def _statement(self) -> None:
        if self.code == "?":
            self._report(ONLY_IN_EXPRESSION.format(name="?"), self.token.line)
            self.advance()
            return
        if not self.code:
            self._simple()
            return
        getattr(self, f"_on_{self.code}")()

    def _simple(self) -> None:
        start = self.token
        kind = self._left_side()
        if self.code == "=" and kind != "call":
            if kind == "name":
                self.scope.declared.add(start.text.lower())
            self.advance()
            self.expression()
        elif kind == "call":
            return
        elif self.token.kind == "bad" and kind != "name":
            self.fail(BAD_EXPRESSION, self.previous_line)
        else:
            self.fail(UNKNOWN_OPERATOR)

    def _left_side(self) -> str:
        """Read a name with its chain; gives ``name``, ``member`` or ``call``."""
        name = self.advance()
        kind = "name"
        if self.code == "(":
            if self.is_compiled(name):
                self._report(ONLY_IN_EXPRESSION.format(name=name.text), name.line)
            self._call(name, as_function=False)
            kind = "call"
        elif self.code != "=":
            self.scope.reads.append(Use(name.text, name.line))
        return self._chain(kind)

    def _on_if(self) -> None:
        self._condition_and_body()
        while self.code == "elseif":
            self._condition_and_body()
        if self.code == "else":
            self.advance()
            self.batch(frozenset({"endif"}), "endif")
        if self.code == "endif":
            self.advance()

    def _condition_and_body(self) -> None:
        self.advance()
        try:
            self.expression()
            if self.code != "then":
                self.fail(ENDS["then"])
        except Abandon as abandoned:
            if not abandoned.skip or not self._skip_to("then"):
                raise
        self.advance()
        self.batch(frozenset({"elseif", "else", "endif"}), "endif")

    def _skip_to(self, code: str) -> bool:
        """Pass over tokens up to ``code``; False (standing there) at a ``;`` or a keyword that begins a statement."""
        while self.code != code:
            if self.code in (";", "end") or self.code in STATEMENT_WORDS or self.code in BLOCK_ENDS:
                return False
            self._pass_over()
        return True

    def _loop_body(self) -> None:
        if self.code != "do":
            self.fail(ENDS["do"])
        self.advance()
        self.loops += 1
        self.batch(frozenset({"enddo"}), "enddo")
        self.loops -= 1
        if self.code == "enddo":
            self.advance()

    def _on_while(self) -> None:
        self.advance()
        self.expression()
        self._loop_body()

    def _on_for(self) -> None:
        self.advance()
        try:
            self._for_header()
        except Abandon:
            if not self._skip_to("do"):
                if self.code in STATEMENT_WORDS:
                    self._report("Ожидается символ ';'", self.previous_line)
                raise Abandon(skip=False) from None
        self._loop_body()

    def _for_header(self) -> None:
        each = self.code == "each"
        if each:
            self.advance()
        if self.token.kind != "word" or self.code:
            self.fail("Ожидается идентификатор")
        self.scope.declared.add(self.advance().text.lower())
        if each and self.code == "in":
            self.advance()
            self.expression()
            return
        if self.code != "=" or each:
            self.fail("Ожидается символ '='")
        self.advance()
        self.expression()
        if self.code != "to":
            self.fail(ENDS["to"])
        self.advance()
        self.expression()

    def _on_try(self) -> None:
        self.advance()
        self.batch(frozenset({"except"}), "except")
        if self.code == "except":
            self.advance()
        self.handlers += 1
        self.batch(frozenset({"endtry"}), "endtry")
        self.handlers -= 1
        if self.code == "endtry":
            self.advance()

    def _on_return(self) -> None:
        self.advance()
        if self.scope.is_function:
            self.expression()
        elif self.code != ";" and self.code not in BLOCK_ENDS:
            self.fail("Процедура не может возвращать значение", self.previous_line)

    def _on_break(self) -> None:
        self._loop_word("Оператор Прервать (Break) может употребляться только внутри цикла")

    def _on_continue(self) -> None:
        self._loop_word("Оператор Продолжить (Continue) может употребляться только внутри цикла")

    def _loop_word(self, message: str) -> None:
        token = self.advance()
        if not self.loops:
            self._report(message, token.line)

    def _on_raise(self) -> None:
        word = self.advance()
        if self.code == ";" or self.code in BLOCK_ENDS:
            if not self.handlers:
                self._report(RAISE_OUTSIDE, word.line)
        else:
            if self.code == "(":
                self._arguments()
                self._chain("call")
                self._binary_rest()
            else:
                self.expression()

    def _on_execute(self) -> None:
        self.advance()
        self.expression()

    def _on_goto(self) -> None:
        self.advance()
        if self.code != "label":
            self.fail("Ожидается метка")
        self.advance()

    def _on_await(self) -> None:
        self._await()
        self.expression()

    def _on_addhandler(self) -> None:
        self.advance()
        self.expression()
        if self.code != ",":
            self.fail("Ожидается символ ','")
        self.advance()
        self.expression()

    _on_removehandler = _on_addhandler
