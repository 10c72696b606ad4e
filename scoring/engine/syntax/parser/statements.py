"""Statements. A batch of them ends at one of the tokens that its block allows."""

from __future__ import annotations

from scoring.engine.errors import NotSupported
from scoring.engine.syntax import nodes
from scoring.engine.syntax.keywords import BLOCK_ENDS, LITERAL_WORDS, OPERATOR_WORDS
from scoring.engine.syntax.parser.expressions import ExpressionParser
from scoring.engine.syntax.parser.stream import MAX_NESTING
from scoring.engine.syntax.tokens import Kind, Token


class StatementParser(ExpressionParser):
    """Parses batches of statements; knows whether it is inside a loop and inside which kind of routine."""

    loop_depth = 0
    routine: str = ""  # "", "procedure" or "function"
    block_depth = 0

    def batch(self, *ends: str) -> list[nodes.Statement]:
        """Statements up to (not including) one of ``ends``."""
        self.block_depth += 1
        if self.block_depth > MAX_NESTING:
            raise NotSupported(f"blocks nested deeper than {MAX_NESTING}")
        result: list[nodes.Statement] = []
        while self.code not in ends:
            if self.code == ";":
                self.advance()
                continue
            if self.token.kind is Kind.LABEL:
                result.append(self._label())
                continue
            result.append(self.statement(ends))
            if self.code == ";":
                self.advance()
            elif self.code in ends or self.code in BLOCK_ENDS:
                break
            elif not self._may_follow_without_semicolon():
                self.fail("semicolon_expected")
        if self.code not in ends:
            self.fail_expected(ends)
        self.block_depth -= 1
        return result

    def _may_follow_without_semicolon(self) -> bool:
        # 1C accepts any keyword behind a complete statement; OneScript wants its semicolon.
        return self.dialect == "onec" and self.token.kind is Kind.WORD and bool(self.code)

    def statement(self, ends: tuple[str, ...]) -> nodes.Statement:
        token = self.token
        if token.kind is not Kind.WORD and token.kind is not Kind.END:
            if token.kind is Kind.ANNOTATION:
                self._annotation_in_body()
            self.fail("unknown_operation")
        if token.code in OPERATOR_WORDS or token.code in LITERAL_WORDS:
            self.fail("unknown_operation")
        if not token.code:
            if self.is_core_call:
                self.fail("function_as_procedure")
            return self._simple()
        handler = _HANDLERS.get(token.code)
        if handler is None:
            self.fail_expected(ends)
        return handler(self)  # type: ignore[no-any-return]

    def _annotation_in_body(self) -> None:
        while self.token.kind is not Kind.END:
            self.advance()
        self.fail("unexpected_end")

    # -- calls and assignments ------------------------------------------------------------------------------------

    def _simple(self) -> nodes.Statement:
        start = self.token
        target = self.chain(self.global_access())
        if self.code == "=":
            if isinstance(target, nodes.Call | nodes.MethodCall):
                self.fail("expression_syntax")
            self.advance()
            return nodes.Assign(start.line, start.column, target, self.expression(";"))
        if isinstance(target, nodes.Call | nodes.MethodCall):
            return nodes.CallStatement(start.line, start.column, target)
        self.fail("expression_syntax")

    def _await_statement(self) -> nodes.Statement:
        start = self.token
        following = self.peek()
        is_operand = following.kind in (Kind.NUMBER, Kind.STRING, Kind.DATE, Kind.ERROR) or (
            following.kind is Kind.WORD and (not following.code or following.code == "new" or following.code in LITERAL_WORDS)
        )
        if not is_operand:
            self.advance()
            self.fail("semicolon_expected")
        call = self._await()
        return nodes.CallStatement(start.line, start.column, call)

    # -- blocks ---------------------------------------------------------------------------------------------------

    def _if(self) -> nodes.Statement:
        start = self.token
        branches = [self._branch()]
        while self.code == "elseif":
            branches.append(self._branch())
        otherwise = None
        otherwise_line = 0
        if self.code == "else":
            otherwise_line = self.advance().line
            otherwise = self.batch("endif")
        end = self.expect("endif")
        return nodes.If(start.line, start.column, branches, otherwise, otherwise_line, end.line)

    def _branch(self) -> nodes.Branch:
        start = self.advance()
        condition = self.expression("then")
        if self.code != "then":
            self._fail_header("then")
        self.advance()
        return nodes.Branch(start.line, start.column, condition, self.batch("else", "elseif", "endif"))

    def _fail_header(self, wanted: str) -> None:
        """The keyword behind a header's expression is missing: OneScript reads on to the end before it says so."""
        if self.dialect == "onec":
            self.fail_expected([wanted])
        self.skip_to(wanted)
        self.fail("expression_syntax")

    def _loop_body(self) -> tuple[list[nodes.Statement], int]:
        if self.code != "do":
            self._fail_header("do")
        self.advance()
        self.loop_depth += 1
        body = self.batch("enddo")
        self.loop_depth -= 1
        return body, self.expect("enddo").line

    def _while(self) -> nodes.Statement:
        start = self.advance()
        condition = self.expression("do")
        body, end = self._loop_body()
        return nodes.While(start.line, start.column, condition, body, end)

    def _for(self) -> nodes.Statement:
        start = self.advance()
        if self.code == "each":
            return self._for_each(start)
        variable = self._loop_variable()
        self.expect("=")
        first = self.expression("to")
        if self.code != "to":
            self._fail_header("to")
        self.advance()
        last = self.expression("do")
        body, end = self._loop_body()
        return nodes.For(start.line, start.column, variable, first, last, body, end)

    def _for_each(self, start: Token) -> nodes.Statement:
        self.advance()
        variable = self._loop_variable()
        self.expect("in")
        collection = self.expression("do")
        body, end = self._loop_body()
        return nodes.ForEach(start.line, start.column, variable, collection, body, end)

    def _loop_variable(self) -> nodes.Name:
        if not self.is_name:
            self.fail("identifier_expected")
        token = self.advance()
        return nodes.Name(token.line, token.column, token.text)

    def _try(self) -> nodes.Statement:
        start = self.advance()
        body = self.batch("except")
        except_line = self.expect("except").line
        handler = self.batch("endtry")
        end = self.expect("endtry")
        return nodes.Try(start.line, start.column, body, handler, except_line, end.line)

    # -- single statements ----------------------------------------------------------------------------------------

    def _raise(self) -> nodes.Statement:
        start = self.advance()
        if self.code == ";" or self.code in BLOCK_ENDS or self.code == "end":
            return nodes.Raise(start.line, start.column, None)
        if self.code == "(" and self.dialect == "onec":
            return self._raise_call(start)
        return nodes.Raise(start.line, start.column, [self.expression()])

    def _raise_call(self, start: Token) -> nodes.Statement:
        saved = self.at, self.depth
        arguments = self.arguments()
        if self.code == ";" or self.code in BLOCK_ENDS:
            return nodes.Raise(start.line, start.column, arguments, call_form=len(arguments) > 1)
        self.at, self.depth = saved
        self._load()
        return nodes.Raise(start.line, start.column, [self.expression()])

    def _return(self) -> nodes.Statement:
        if not self.routine:
            self.fail("return_outside")
        start = self.advance()
        empty = self.code == ";" or self.code in BLOCK_ENDS or self.code == "end"
        if self.routine == "function":
            if empty:
                self.fail("function_returns_nothing")
            return nodes.Return(start.line, start.column, self.expression())
        if not empty:
            self.fail("procedure_returns_value")
        return nodes.Return(start.line, start.column, None)

    def _break(self) -> nodes.Statement:
        if not self.loop_depth:
            self.fail("break_outside_loop")
        start = self.advance()
        return nodes.Break(start.line, start.column)

    def _continue(self) -> nodes.Statement:
        if not self.loop_depth:
            self.fail("continue_outside_loop")
        start = self.advance()
        return nodes.Continue(start.line, start.column)

    def _execute(self) -> nodes.Statement:
        start = self.advance()
        if self.dialect == "onescript":
            text = self.expression(";")
        else:
            text = self.expression()
        return nodes.Execute(start.line, start.column, text)

    def _label(self) -> nodes.Statement:
        token = self.token
        end = self._text.find("\n", token.end)
        if self.dialect == "onescript" and self._text[token.end : end].strip() not in {"", ":"}:
            self._report("bad_label", *self._place(end))
        self.advance()
        return nodes.Label(token.line, token.column, token.text)

    def _goto(self) -> nodes.Statement:
        start = self.advance()
        if self.token.kind is not Kind.LABEL:
            self.fail("label_expected")
        label = self.advance()
        return nodes.Goto(start.line, start.column, label.text)

    def _add_handler(self) -> nodes.Statement:
        return self._handler(remove=False)

    def _remove_handler(self) -> nodes.Statement:
        return self._handler(remove=True)

    def _handler(self, remove: bool) -> nodes.Statement:
        start = self.advance()
        event = self.expression()
        self.expect(",")
        handler = self.expression()
        return nodes.AddHandler(start.line, start.column, event, handler, remove)


_HANDLERS = {
    "if": StatementParser._if,
    "for": StatementParser._for,
    "while": StatementParser._while,
    "try": StatementParser._try,
    "raise": StatementParser._raise,
    "return": StatementParser._return,
    "break": StatementParser._break,
    "continue": StatementParser._continue,
    "execute": StatementParser._execute,
    "goto": StatementParser._goto,
    "addhandler": StatementParser._add_handler,
    "removehandler": StatementParser._remove_handler,
    "await": StatementParser._await_statement,
}
