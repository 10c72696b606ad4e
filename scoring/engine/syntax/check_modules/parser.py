"""The 1C compiler's walk over a server common module: every error with its line, in the order it finds them.

A parser with recovery. What it does after an error was read off recorded runs (``docs/fidelity.md``):

* a statement that goes wrong is skipped up to its ``;``, or up to a keyword that begins a statement;
* a token that can't begin a statement ends the compilation at the next such keyword;
* an error in a loop's ``Для Каждого`` header or in an ``Если`` header is followed by the body, parsed as usual.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from scoring.engine.errors import Diagnostic
from scoring.engine.syntax.check_modules.lexer import CheckToken, check_tokens
from scoring.engine.syntax.check_modules.preprocessor import drop_inactive

LOGICAL_END = "Обнаружено логическое завершение исходного текста модуля"
UNKNOWN_OPERATOR = "Неопознанный оператор"
NO_EXPRESSION = "Ожидается выражение"
BAD_EXPRESSION = "Ошибка в выражении"

ENDS = {
    "endif": "Ожидается ключевое слово 'КонецЕсли' ('EndIf')",
    "enddo": "Ожидается ключевое слово 'КонецЦикла' ('EndDo')",
    "endfunction": "Ожидается ключевое слово 'КонецФункции' ('EndFunction')",
    "endprocedure": "Ожидается ключевое слово 'КонецПроцедуры' ('EndProcedure')",
    "endtry": "Ожидается ключевое слово 'КонецПопытки' ('EndTry')",
    "except": "Ожидается ключевое слово 'Исключение' ('Except')",
    "do": "Ожидается ключевое слово 'Цикл' ('Do')",
    "then": "Ожидается ключевое слово 'Тогда' ('Then')",
    "to": "Ожидается ключевое слово 'По' ('To')",
    "in": "Ожидается ключевое слово 'Из' ('In')",
}

STATEMENT_WORDS = frozenset(
    {"if", "for", "while", "try", "return", "break", "continue", "raise", "execute", "goto", "addhandler",
     "removehandler", "await"}
)  # fmt: skip
BLOCK_ENDS = frozenset({"endif", "elseif", "else", "enddo", "endprocedure", "endfunction", "endtry", "except"})
DECLARATIONS = frozenset({"procedure", "function", "var", "async"})
_COMPARISONS = frozenset({"=", "<>", "<", ">", "<=", ">="})

# Built-in functions whose number of arguments the compiler itself checks: name → (minimum, maximum).
COMPILED_FUNCTIONS: dict[str, tuple[int, int]] = {
    name: arity
    for names, arity in (
        (("стрдлина", "strlen"), (1, 1)), (("тип", "type"), (1, 1)), (("типзнч", "typeof"), (1, 1)),
        (("дата", "date"), (1, 6)), (("строка", "string"), (1, 1)), (("число", "number"), (1, 1)),
        (("булево", "boolean"), (1, 1)), (("лев", "left"), (2, 2)), (("прав", "right"), (2, 2)),
        (("сред", "mid"), (2, 3)), (("найти", "find"), (2, 2)), (("врег", "upper"), (1, 1)),
        (("нрег", "lower"), (1, 1)), (("трег", "title"), (1, 1)), (("символ", "char"), (1, 1)),
        (("кодсимвола", "charcode"), (1, 2)), (("пустаястрока", "isblankstring"), (1, 1)),
        (("стрзаменить", "strreplace"), (3, 3)), (("стрчислострок", "strlinecount"), (1, 1)),
        (("стрполучитьстроку", "strgetline"), (2, 2)), (("стрчисловхождений", "stroccurrencecount"), (2, 2)),
        (("сокрл", "triml"), (1, 1)), (("сокрп", "trimr"), (1, 1)), (("сокрлп", "trimall"), (1, 1)),
        (("год", "year"), (1, 1)), (("месяц", "month"), (1, 1)), (("день", "day"), (1, 1)),
        (("час", "hour"), (1, 1)), (("минута", "minute"), (1, 1)), (("секунда", "second"), (1, 1)),
        (("началогода", "begofyear"), (1, 1)), (("началоквартала", "begofquarter"), (1, 1)),
        (("началомесяца", "begofmonth"), (1, 1)), (("началонедели", "begofweek"), (1, 1)),
        (("началодня", "begofday"), (1, 1)), (("началочаса", "begofhour"), (1, 1)),
        (("началоминуты", "begofminute"), (1, 1)), (("конецгода", "endofyear"), (1, 1)),
        (("конецквартала", "endofquarter"), (1, 1)), (("конецмесяца", "endofmonth"), (1, 1)),
        (("конецнедели", "endofweek"), (1, 1)), (("конецдня", "endofday"), (1, 1)),
        (("конецчаса", "endofhour"), (1, 1)), (("конецминуты", "endofminute"), (1, 1)),
        (("деньгода", "dayofyear"), (1, 1)), (("деньнедели", "weekday"), (1, 1)),
        (("неделягода", "weekofyear"), (1, 1)), (("добавитьмесяц", "addmonth"), (2, 2)),
        (("текущаядата", "currentdate"), (0, 0)), (("цел", "int"), (1, 1)), (("окр", "round"), (1, 3)),
        (("log",), (1, 1)), (("log10",), (1, 1)), (("sin",), (1, 1)), (("cos",), (1, 1)), (("tan",), (1, 1)),
        (("asin",), (1, 1)), (("acos",), (1, 1)), (("atan",), (1, 1)), (("exp",), (1, 1)), (("pow",), (2, 2)),
        (("sqrt",), (1, 1)), (("вычислить", "eval"), (1, 1)),
    )
    for name in names
}  # fmt: skip


class Stop(Exception):
    """Compilation ends here."""


class Abandon(Exception):
    """The statement can't be saved. ``skip``: pass over the rest of it; without it the batch looks at the token anew."""

    def __init__(self, skip: bool = True) -> None:
        self.skip = skip
        super().__init__()


@dataclass
class Use:
    """A name as a routine uses it."""

    name: str
    line: int
    arguments: int = -1  # of a call
    as_function: bool = True


@dataclass
class RoutineScope:
    name: str
    line: int
    is_function: bool = False
    minimum: int = 0
    maximum: int = 0
    declared: set[str] = field(default_factory=set)
    reads: list[Use] = field(default_factory=list)
    calls: list[Use] = field(default_factory=list)


class ModuleChecker:
    """Walks a module once; ``findings`` fill up in the order of the compiler."""

    def __init__(self, text: str, type_known: Callable[[str], bool]) -> None:
        self.findings: list[Diagnostic] = []
        self.tokens = drop_inactive(check_tokens(text), self._report)
        self.at = 0
        self.type_known = type_known
        self.loops = 0
        self.module_variables: set[str] = set()
        self.routines: list[RoutineScope] = []
        self.scope = RoutineScope("", 0)
        self.open_ends: list[frozenset[str]] = []
        self.depth = 0

    def run(self) -> None:
        try:
            self._module()
        except Stop:
            pass

    # -- cursor ---------------------------------------------------------------------------------------------------

    @property
    def token(self) -> CheckToken:
        return self.tokens[self.at]

    @property
    def code(self) -> str:
        return self.tokens[self.at].code

    @property
    def previous_line(self) -> int:
        return self.tokens[self.at - 1].line if self.at else self.token.line

    def advance(self) -> CheckToken:
        token = self.tokens[self.at]
        if token.finding:
            self._report(token.finding, token.finding_line)
            token.finding = ""
        if self.at + 1 < len(self.tokens):
            self.at += 1
        return token

    def _report(self, message: str, line: int) -> None:
        self.findings.append(Diagnostic("compile", message, line))

    def fail(self, message: str, line: int | None = None, *, skip: bool = True) -> None:
        self._report(message, self.token.line if line is None else line)
        raise Abandon(skip)

    # -- recovery -------------------------------------------------------------------------------------------------

    def _pass_over(self) -> None:
        """Go one token on in a skip: literals' findings are lost, a quote glued to a word is taken for part of it."""
        token = self.token
        self.at += 1
        following = self.token
        if token.glued_quote and following.kind == "string" and following.finding:
            self._reopen(following)

    def _reopen(self, broken: CheckToken) -> None:
        """What stood behind the glued quote on its line is code again."""
        rest = check_tokens(broken.text[1:])[:-1]
        for token in rest:
            token.line += broken.line - 1
            token.finding_line = broken.line
        self.tokens[self.at : self.at + 1] = rest

    def skip_statement(self) -> None:
        """To behind the next ``;``, or to a keyword that begins a statement (then its ``;`` is missed)."""
        if self.code in STATEMENT_WORDS or self.code in BLOCK_ENDS or self.code in DECLARATIONS:
            return
        while self.code != "end":
            if self.code == ";":
                return
            if self.code in STATEMENT_WORDS:
                self._report("Ожидается символ ';'", self.previous_line)
                return
            if any(self.code in ends for ends in self.open_ends):
                return
            self._pass_over()

    def skip_to_keyword(self) -> None:
        """To the next keyword that begins a statement; such a word counts even behind a dot."""
        while self.code != "end" and self.code not in STATEMENT_WORDS and self.code not in BLOCK_ENDS:
            if self.code in DECLARATIONS:
                return
            self._pass_over()

    def logical_end(self) -> None:
        self._report(LOGICAL_END, self.previous_line)
        raise Stop

    # -- module ---------------------------------------------------------------------------------------------------

    def _module(self) -> None:
        while self.code != "end":
            if self.code == "directive":
                self._directive()
            elif self.code in ("procedure", "function", "async"):
                self._routine()
            elif self.code == "var":
                self._module_variables()
            else:
                self._report(LOGICAL_END, self.previous_line)
                return

    def _directive(self) -> None:
        self.advance()
        if self.code == "(":
            while self.code not in (")", "end"):
                self.advance()
            self.advance()

    def _module_variables(self) -> None:
        try:
            self._variables(self.module_variables)
        except Abandon:
            raise Stop from None

    def _variables(self, into: set[str]) -> None:
        self.advance()
        while True:
            if self.token.kind != "word" or self.code:
                self.fail("Ожидается имя переменной")
            into.add(self.advance().text.lower())
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
        if self.code == "async":
            self.advance()
        word = self.advance()
        is_function = word.code == "function"
        end = "endfunction" if is_function else "endprocedure"
        name = self._routine_name(is_function)
        self.scope = RoutineScope(name, word.line, is_function)
        self._parameters()
        if self.code == "export":
            self.advance()
        self._register(self.scope)
        self.loops = 0
        while self.code == "var":
            try:
                self._variables(self.scope.declared)
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
        while self.code != ")":
            self._parameter()
            if self.code == ",":
                self.advance()
                continue
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
        token = self.advance()
        key = token.text.lower()
        if key in self.scope.declared:
            self._report(f"Переменная с указанным именем уже определена ({token.text})", token.line)
        self.scope.declared.add(key)
        self.scope.maximum += 1
        if self.code == "=":
            self.advance()
            self._default()
        else:
            self.scope.minimum = self.scope.maximum

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
        if self.depth > 150:
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
                if code == "except":
                    self._silent_skip()
                elif len(self.open_ends) == 1:
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
        elif (self.token.kind == "word" and not self.code) or self.code == "?":
            self._report("Ожидается символ ';'", self.previous_line)
        elif self.token.kind in ("number", "string", "date"):
            self._report("Ожидается символ ';'", self.previous_line)

    # -- statements -----------------------------------------------------------------------------------------------

    def _statement(self) -> None:
        if self.code == "?":
            self._report(
                "Встроенная функция может быть использована только в выражении. (?)", self.token.line
            )
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
            self._call(name, as_function=False)
            kind = "call"
        elif self.code != "=":
            self.scope.reads.append(Use(name.text, name.line))
        return self._chain(kind)

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
        self.batch(frozenset({"endtry"}), "endtry")
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
        self.advance()
        if self.code != ";" and self.code not in BLOCK_ENDS:
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
        self.advance()
        self.expression()

    def _on_addhandler(self) -> None:
        self.advance()
        self.expression()
        if self.code != ",":
            self.fail("Ожидается символ ','")
        self.advance()
        self.expression()

    _on_removehandler = _on_addhandler

    # -- expressions ----------------------------------------------------------------------------------------------

    def expression(self) -> None:
        self._unary(first=True)
        self._binary_rest()

    def _binary_rest(self) -> None:
        while self.code in ("and", "or", "+", "-", "*", "/", "%") or self.code in _COMPARISONS:
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
            self.advance()
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

    def _call(self, name: CheckToken, as_function: bool) -> None:
        arity = COMPILED_FUNCTIONS.get(name.text.lower())
        own = any(scope.name.lower() == name.text.lower() for scope in self.routines)
        if arity and not own:
            self._compiled_call(*arity)
            return
        use = Use(name.text, name.line, 0, as_function)
        self.scope.calls.append(use)
        use.arguments = self._arguments()

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


_PRIMITIVE = frozenset(
    {"число", "number", "строка", "string", "дата", "date", "булево", "boolean", "неопределено", "undefined", "null",
     "тип", "type"}
)  # fmt: skip
