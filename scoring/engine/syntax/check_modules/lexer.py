"""Tokens as the 1C compiler sees them: lexing never stops, what is wrong becomes a token or a finding.

Kinds: ``word`` (``code`` is the reserved word's code or ``""``), ``number``, ``string``, ``date``, ``op``, ``bad`` (a character
that no token begins with, also ``&`` in the middle of code), ``label``, ``directive`` (``&Name`` at the beginning of a line),
``end``. Findings that belong to a literal hang on its token, so that they are reported where the parser meets it and are
lost where a skip runs over it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scoring.engine.syntax.keywords import KEYWORDS
from scoring.engine.syntax.lexer import parse_date_digits

_BLANK = re.compile(r"(?:[ \t\f\v\r\ufeff\xa0]+|//[^\n]*)+")
_WORD = re.compile(r"[^\W\d]\w*")
_FOREIGN = re.compile(r"[^\W\d_A-Za-z\u0400-\u052f]")  # a letter of another script
_NUMBER = re.compile(r"\d+(?:\.\d*)?")
_OPERATOR = re.compile(r"<>|<=|>=|[-+*/%=<>()\[\].,;?]")
_PART = re.compile(r'(?:[^"\n]|"")*')

UNTERMINATED = "Пропущен символ '\"' (двойная кавычка)"
BAD_DATE = "Неправильная константа типа Дата"


@dataclass(slots=True)
class CheckToken:
    kind: str
    code: str
    text: str
    line: int
    finding: str = ""
    finding_line: int = 0
    glued_quote: bool = False  # a quote stands right behind this word
    foreign: bool = False  # a word with letters that are neither Latin nor Cyrillic


class CheckLexer:
    """Cuts a module's text; preprocessor lines are handed to ``on_directive``."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.position = 0
        self.line = 1
        self.tokens: list[CheckToken] = []

    def run(self) -> list[CheckToken]:
        while self._next():
            pass
        self.tokens.append(CheckToken("end", "end", "", self.line))
        return self.tokens

    def _add(self, kind: str, code: str, text: str, end: int, finding: str = "", finding_line: int = 0) -> None:
        self.tokens.append(CheckToken(kind, code, text, self.line, finding, finding_line))
        self.position = end

    def _skip_blank(self) -> None:
        text = self.text
        while self.position < len(text):
            found = _BLANK.match(text, self.position)
            if found:
                self.position = found.end()
            if text.startswith("\n", self.position):
                self.position += 1
                self.line += 1
            elif not found:
                return

    def _next(self) -> bool:
        self._skip_blank()
        text, at = self.text, self.position
        if at >= len(text):
            return False
        char = text[at]
        if found := _WORD.match(text, at):
            self._add("word", KEYWORDS.get(found.group().lower(), ""), found.group(), found.end())
            self.tokens[-1].foreign = _FOREIGN.search(found.group()) is not None
            self._glued(found.end())
        elif found := _NUMBER.match(text, at):
            self._add("number", "", found.group(), found.end())
        elif char == '"':
            self._string()
        elif char == "'":
            self._date()
        elif found := _OPERATOR.match(text, at):
            self._add("op", found.group(), found.group(), found.end())
        elif char == "~" and (found := re.compile(r"~[ \t]*[^\W\d]\w*[ \t]*:?").match(text, at)):
            self._add("label", "label", found.group(), found.end())
        elif char in "#&" and self._first_on_line(at):
            self._line_directive(char)
        else:
            self._add("bad", "bad", char, at + 1)
        return True

    def _glued(self, end: int) -> None:
        """A quote glued to a word is taken for part of it when the text is only skipped (seen: ``&Имя";``)."""
        if self.text.startswith('"', end):
            self.tokens[-1].glued_quote = True

    def _first_on_line(self, at: int) -> bool:
        return not self.text[self.text.rfind("\n", 0, at) + 1 : at].strip()

    def _line_directive(self, char: str) -> None:
        end = self.text.find("\n", self.position)
        end = len(self.text) if end < 0 else end
        found = re.compile(r"[#&][ \t]*([^\W\d]\w*)").match(self.text, self.position)
        if not found:
            self._add("bad", "bad", char, self.position + 1)
        elif char == "#":
            self._add("preprocessor", "preprocessor", self.text[self.position : end], end)
        else:
            self._add("directive", "directive", found.group(1), found.end())

    # -- literals -------------------------------------------------------------------------------------------------

    def _string(self) -> None:
        start, line = self.position, self.line
        position = start + 1
        text = self.text
        while True:
            found = _PART.match(text, position)
            assert found
            position = found.end()
            if text.startswith('"', position):
                self._finish_string(start, line, position + 1, terminated=True)
                return
            following = self._continuation(position)
            if following is None:
                self._finish_string(start, line, position, terminated=False)
                return
            position = following

    def _continuation(self, position: int) -> int | None:
        """Behind the ``|`` of the next line, or None where the literal breaks off; comment lines may stand between."""
        text, line = self.text, self.line
        while position < len(text):
            line += 1
            found = re.compile(r"[ \t\f\v\r]*").match(text, position + 1)
            assert found
            at = found.end()
            if text.startswith("|", at):
                self.line = line
                return at + 1
            if text.startswith("//", at):
                end = text.find("\n", at)
                position = len(text) if end < 0 else end
            elif text.startswith("\n", at):
                position = at
            else:
                return None
        return None

    def _finish_string(self, start: int, line: int, end: int, *, terminated: bool) -> None:
        finding = "" if terminated else UNTERMINATED
        token = CheckToken("string", "", self.text[start:end], line, finding, self.line)
        last_line = self.line
        self.tokens.append(token)
        self.position = end
        token.line = last_line if not terminated else line
        if terminated:
            token.finding_line = last_line

    def _date(self) -> None:
        end_line = self.text.find("\n", self.position)
        end_line = len(self.text) if end_line < 0 else end_line
        close = self.text.find("'", self.position + 1, end_line)
        if close < 0:
            self._add("date", "", self.text[self.position : end_line], end_line, BAD_DATE, self.line)
            return
        body = self.text[self.position + 1 : close]
        finding = "" if parse_date_digits(body) is not None else BAD_DATE
        self._add("date", "", body, close + 1, finding, self.line)


def check_tokens(text: str) -> list[CheckToken]:
    return CheckLexer(text).run()
