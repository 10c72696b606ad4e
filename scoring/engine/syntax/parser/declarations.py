"""Modules: variables, routines with their parameters, annotations, the body."""

from __future__ import annotations

from typing import Any

from scoring.engine.syntax import nodes
from scoring.engine.syntax.parser.statements import StatementParser
from scoring.engine.syntax.tokens import Kind


class ModuleParser(StatementParser):
    """Parses a whole module, or a lone expression or batch for ``Вычислить`` and ``Выполнить``."""

    def module(self) -> nodes.Module:
        first = self.token
        variables = self._variables(local=False)
        routines = self._routines()
        body = self.body()
        return nodes.Module(first.line, first.column, variables, routines, body)

    def body(self) -> list[nodes.Statement]:
        """The statements of the module itself, or of a text for ``Выполнить``.

        OneScript first looks whether any text follows the token that it has read; where none does, the body counts as
        empty, whatever that one token is.
        """
        if self.dialect == "onescript" and self.code != "end":
            if not self._text[self.token.end :].strip():
                return []
            self.moved_on_from = self.at
        return self.batch("end")

    # -- variables ------------------------------------------------------------------------------------------------

    def _variables(self, local: bool) -> list[nodes.VariableDeclaration]:
        result: list[nodes.VariableDeclaration] = []
        while self.code == "var" or (not local and self._annotated_variable()):
            annotations = self._annotations()
            self.advance()
            self._variable_list(result, local, annotations)
        return result

    def _annotated_variable(self) -> bool:
        """Does an annotation stand here that belongs to a variable?"""
        at = self.at
        while self.tokens[at].kind is Kind.ANNOTATION:
            at += 1
            if self.tokens[at].code == "(":
                depth = 1
                while depth:
                    at += 1
                    if self.tokens[at].kind is Kind.END:
                        return False
                    depth += {"(": 1, ")": -1}.get(self.tokens[at].code, 0)
                at += 1
        return at > self.at and self.tokens[at].code == "var"

    def _variable_list(self, result: list[nodes.VariableDeclaration], local: bool, annotations: list[nodes.Annotation]) -> None:
        while True:
            if not self.is_name:
                self.fail("identifier_expected")
            name = self.advance()
            export = False
            if self.code == "export":
                if local:
                    self.fail("export_local", name=name.text)
                self.advance()
                export = True
            result.append(nodes.VariableDeclaration(name.line, name.column, name.text, export, annotations))
            if not self.accept(","):
                break
        if self.code != ";":
            self.fail("semicolon_expected")
        self.advance()

    # -- routines -------------------------------------------------------------------------------------------------

    def _routines(self) -> list[nodes.Routine]:
        result = []
        while self.token.kind is Kind.ANNOTATION or self.code in ("procedure", "function", "async"):
            annotations = self._annotations()
            if self.code not in ("procedure", "function", "async"):
                self._annotation_in_body()
            result.append(self._routine(annotations))
        return result

    def _routine(self, annotations: list[nodes.Annotation]) -> nodes.Routine:
        is_async = False
        if self.code == "async":
            self.advance()
            is_async = True
            if self.dialect == "onec" and self.code not in ("procedure", "function"):
                self.fail_expected(["procedure"])
        start = self.token
        is_function = start.code == "function"
        self.advance()
        if not self.is_name:
            self.fail("identifier_expected")
        name = self.advance()
        parameters = self._parameters()
        export = self.accept("export")
        end_code = "endfunction" if is_function else "endprocedure"
        self.routine = start.code
        self.in_async = is_async
        variables = self._variables(local=True)
        body = self.batch(end_code)
        self.routine = ""
        self.in_async = False
        end_line = self.expect(end_code).line
        return nodes.Routine(
            start.line, start.column, name.text, is_function, parameters, variables, body, export, is_async,
            annotations, end_line,
        )  # fmt: skip

    def _parameters(self) -> list[nodes.Parameter]:
        self.expect("(")
        result: list[nodes.Parameter] = []
        while self.code != ")":
            result.append(self._parameter())
            if self.accept(","):
                if self.code == ")":
                    self.fail("identifier_expected")
            elif self.code != ")" and self.dialect == "onec":
                self.fail_expected([")"])
        self.advance()
        return result

    def _parameter(self) -> nodes.Parameter:
        annotations = self._annotations()
        by_value = self.accept("val")
        if not self.is_name:
            self.fail("identifier_expected")
        name = self.advance()
        default = None
        has_default = self.accept("=")
        if has_default:
            default = self._default()
        return nodes.Parameter(name.line, name.column, name.text, by_value, default, has_default, annotations)

    def _default(self) -> nodes.Literal:
        sign = self.advance() if self.code in ("+", "-") else None
        is_number = self.token.kind is Kind.NUMBER
        is_constant = self.token.kind in (Kind.STRING, Kind.DATE) or self.code in ("true", "false", "undefined", "null")
        if not (is_number or is_constant):
            self.fail("constant_expected")
        if sign is not None and not is_number:
            self.fail("number_expected")
        operand = self._operand()
        assert isinstance(operand, nodes.Literal)
        if sign is not None and sign.code == "-":
            operand.value = -operand.value
        return operand

    # -- annotations ----------------------------------------------------------------------------------------------

    def _annotations(self) -> list[nodes.Annotation]:
        result = []
        while self.token.kind is Kind.ANNOTATION:
            token = self.advance()
            parameters = self._annotation_parameters() if self.code == "(" else []
            result.append(nodes.Annotation(token.line, token.column, token.text, parameters))
        return result

    def _annotation_parameters(self) -> list[tuple[str, Any]]:
        self.expect("(")
        result: list[tuple[str, Any]] = []
        while self.code != ")":
            name = ""
            if self.is_name:
                name = self.advance().text
                if not self.accept("="):
                    result.append((name, None))
                    self.accept(",")
                    continue
            result.append((name, self._default().value))
            if not self.accept(",") and self.code != ")":
                self.fail_expected([")"])
        self.advance()
        return result
