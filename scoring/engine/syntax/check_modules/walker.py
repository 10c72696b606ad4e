"""The checker's cursor over tokens, and what it does after an error.

* a statement that goes wrong is skipped up to its ``;``, or up to a keyword that begins a statement;
* a token that can't begin a statement ends the compilation at the next such keyword;
* findings of literals that a skip runs over are lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from scoring.engine.errors import Diagnostic
from scoring.engine.syntax.check_modules.lexer import CheckToken, check_tokens
from scoring.engine.syntax.check_modules.preprocessor import drop_inactive
from scoring.engine.syntax.check_modules.words import BLOCK_ENDS, DECLARATIONS, LOGICAL_END, NO_IDENTIFIER, STATEMENT_WORDS


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
    is_async: bool = False
    minimum: int = 0
    maximum: int = 0
    declared: set[str] = field(default_factory=set)
    reads: list[Use] = field(default_factory=list)
    calls: list[Use] = field(default_factory=list)


class Walker:
    """Where the checker stands: ``token``, ``code``; what it found: ``findings``, in the order of the compiler."""

    def __init__(self, text: str, type_known: Callable[[str], bool]) -> None:
        self.findings: list[Diagnostic] = []
        self.tokens = drop_inactive(check_tokens(text), self._report)
        self.at = 0
        self.type_known = type_known
        self.loops = self.handlers = 0  # open ones
        self.routines: list[RoutineScope] = []
        self.scope = RoutineScope("", 0)
        self.open_ends: list[frozenset[str]] = []
        self.depth = 0

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
        if self.token.foreign:
            self._report(NO_IDENTIFIER, self.token.line)
            raise Stop
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
        if self.code in BLOCK_ENDS or self.code in DECLARATIONS:
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
        """Compilation ends; inside a routine without a name (a lambda) nothing more is said (seen)."""
        if self.scope.name:
            self._report(LOGICAL_END, self.previous_line)
        raise Stop
