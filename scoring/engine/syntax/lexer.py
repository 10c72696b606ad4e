"""Source text → tokens.

The whole text is cut at once. The first lexical error becomes an ``ERROR`` token and ends the stream: it is reported only if
the parser gets that far, which is what a compiler that reads tokens one by one does.
"""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal

from scoring.engine.source import Source
from scoring.engine.syntax.keywords import KEYWORDS
from scoring.engine.syntax.lexical import LexicalError
from scoring.engine.syntax.preprocessor import Preprocessor
from scoring.engine.syntax.tokens import Kind, Token
from scoring.engine.values.model import EMPTY_DATE
from scoring.engine.values.text import NAME, WHITE, units

_BLANK = re.compile(r"(?:[ \t\f\v\r\ufeff\xa0]+|//[^\n]*)+")
_NET_BLANK = re.compile(rf"(?:[{WHITE.replace(chr(10), '')}\ufeff]+|//[^\n]*)+")
_WORD = re.compile(NAME)
_NUMBER = re.compile(r"\d+(?:\.\d*)?")
_OPERATOR = re.compile(r"<>|<=|>=|[-+*/%=<>()\[\].,;?]")
_STRING_PART = re.compile(r'(?:[^"\n]|"")*')
_ANNOTATION = re.compile(rf"&[ \t]*({NAME})")
_LABEL = re.compile(rf"~[ \t]*({NAME})[ \t]*:?")
_DATE = re.compile(r"'([^']*)'")
_DATE_SEPARATORS = str.maketrans("", "", "-/.: \t")

# .NET's decimal and 1C's number both stop there; a literal beyond it does not compile.
MAX_NUMBER = 79228162514264337593543950335


def parse_date_digits(text: str) -> datetime | None:
    """The date that the inside of a date literal stands for, or None where it is none."""
    digits = text.translate(_DATE_SEPARATORS)
    if not digits.isascii() or not digits.isdigit() or len(digits) not in (8, 12, 14):
        return None
    if int(digits) == 0:
        return EMPTY_DATE
    digits = digits.ljust(14, "0")
    parts = [int(digits[0:4])] + [int(digits[i : i + 2]) for i in range(4, 14, 2)]
    try:
        return datetime(*parts)  # type: ignore[arg-type]
    except ValueError:
        return None


class Lexer:
    """Cuts one source into tokens for one dialect."""

    def __init__(self, source: Source, dialect: str) -> None:
        self.text = source.text.replace("\r\n", "\n").replace("\r", "\n")
        self.dialect = dialect
        self.blank = _NET_BLANK if dialect == "onescript" else _BLANK
        self.position = 0
        self.line = 1
        self.line_start = 0
        self.tokens: list[Token] = []
        self.preprocessor = Preprocessor(dialect)

    def run(self) -> list[Token]:
        try:
            while self._next():
                pass
            self.preprocessor.finish(len(self.text))
        except LexicalError as error:
            self._error_token(error)
        self._append(Kind.END, "end", "", len(self.text))
        return self.tokens

    # -- one token ------------------------------------------------------------------------------------------------

    def _next(self) -> bool:
        self._skip_blank()
        text, at = self.text, self.position
        if at >= len(text):
            return False
        found = _WORD.match(text, at)
        if found:
            word = found.group()
            self._append(Kind.WORD, KEYWORDS.get(word.lower(), ""), word, found.end())
            return True
        char = text[at]
        if "0" <= char <= "9":
            self._number()
        elif char == '"':
            self._string()
        elif found := _OPERATOR.match(text, at):
            self._append(Kind.OPERATOR, found.group(), found.group(), found.end())
        elif char == "'":
            self._date()
        elif char == "#":
            self._directive()
        elif char == "&":
            self._named(_ANNOTATION, Kind.ANNOTATION, "annotation_expected")
        elif char == "~":
            self._named(_LABEL, Kind.LABEL, "label_expected")
        else:
            raise LexicalError("unknown_symbol", at, symbol=char)
        return True

    def _skip_blank(self) -> None:
        text = self.text
        while True:
            found = self.blank.match(text, self.position)
            if found:
                self.position = found.end()
            if self.position < len(text) and text[self.position] == "\n":
                self.position += 1
                self.line += 1
                self.line_start = self.position
            elif not found:
                return

    def _append(self, kind: Kind, code: str, text: str, end: int, value: object = None) -> None:
        start = self.position
        self.tokens.append(Token(kind, code, text, start, end, self.line, start - self.line_start + 1, value))
        self.position = end

    def _error_token(self, error: LexicalError) -> None:
        self.position = error.offset
        self.line = self.text.count("\n", 0, error.offset) + 1
        self.line_start = self.text.rfind("\n", 0, error.offset) + 1
        self._append(Kind.ERROR, "error", "", error.offset, (error.kind, error.params))

    # -- literals -------------------------------------------------------------------------------------------------

    def _number(self) -> None:
        found = _NUMBER.match(self.text, self.position)
        assert found
        end = found.end()
        following = self.text[end : end + 1]
        if following == ".":
            raise LexicalError("bad_decimal_point", end)
        if following and (following.isalpha() or following == "_"):
            raise LexicalError("bad_symbol", end)
        self._append(Kind.NUMBER, "", found.group(), end, _number_value(found.group()))

    def _string(self) -> None:
        text = self.text
        start, line, line_start = self.position, self.line, self.line_start
        parts: list[str] = []
        position = start
        while True:
            position = self._one_string(position + 1, parts)
            following = self._string_after(position)
            if following is None:
                break
            parts.append("\n")
            position = following
        end_line, end_line_start = self.line, self.line_start
        self.line, self.line_start = line, line_start
        self._append(Kind.STRING, "", text[start:position], position, units("".join(parts)))
        self.line, self.line_start = end_line, end_line_start

    def _one_string(self, position: int, parts: list[str]) -> int:
        """Read from behind an opening quote to behind the closing one, over continuation lines."""
        text = self.text
        while True:
            found = _STRING_PART.match(text, position)
            assert found
            parts.append(found.group().replace('""', '"'))
            position = found.end()
            if position < len(text) and text[position] == '"':
                return position + 1
            position = self._continuation(position)
            parts.append("\n")

    def _continuation(self, position: int) -> int:
        """From the end of a string's line to behind the ``|`` of its next one; comment and blank lines may stand between."""
        text = self.text
        while position < len(text):
            self._new_line(position)
            found = self.blank.match(text, position + 1)
            position = found.end() if found else position + 1
            if position < len(text) and text[position] == "|":
                return position + 1
            if position >= len(text) or text[position] != "\n":
                break
        raise LexicalError("unterminated_string", position if position < len(text) else len(text) + 1)

    def _new_line(self, position: int) -> None:
        self.line += 1
        self.line_start = position + 1

    def _string_after(self, position: int) -> int | None:
        """Offset of the next quote where another literal follows directly (two in a row are joined by a line break)."""
        text = self.text
        saved = self.line, self.line_start
        while position < len(text):
            found = self.blank.match(text, position)
            position = found.end() if found else position
            if position < len(text) and text[position] == "\n":
                self._new_line(position)
                position += 1
            elif not found:
                break
        if text.startswith('"', position):
            return position
        if self.dialect == "onescript" and text.startswith("/", position):
            # OneScript looks for a comment behind a string literal and stumbles over a division
            raise LexicalError("bad_symbol", position + 1)
        self.line, self.line_start = saved
        return None

    def _date(self) -> None:
        found = _DATE.match(self.text, self.position)
        if not found:
            raise LexicalError("unterminated_date", len(self.text) + 1)
        value = parse_date_digits(found.group(1))
        if value is None and self.dialect == "onec" and not found.group(1).translate(_DATE_SEPARATORS):
            raise LexicalError("bad_date", found.end())
        if value is None:
            raise LexicalError("bad_date", found.end())
        self._append(Kind.DATE, "", found.group(), found.end(), value)

    def _named(self, pattern: re.Pattern[str], kind: Kind, error: str) -> None:
        found = pattern.match(self.text, self.position)
        if not found:
            after = self.blank.match(self.text, self.position + 1)
            at = after.end() if after else self.position + 1
            raise LexicalError(error, at + (at >= len(self.text) or self.text[at] == "\n"))
        self._append(kind, "", found.group(1), found.end())

    # -- preprocessor ---------------------------------------------------------------------------------------------

    def _directive(self) -> None:
        end = self.text.find("\n", self.position)
        end = len(self.text) if end < 0 else end
        first_on_line = not self.text[self.line_start : self.position].strip()
        resume = self.preprocessor.directive(self.text, self.position, end, first_on_line)
        self.line += self.text.count("\n", self.position, resume)
        self.line_start = self.text.rfind("\n", 0, resume) + 1
        self.position = resume


def _number_value(text: str) -> int | Decimal:
    whole, _, fraction = text.partition(".")
    # Through Decimal, since int refuses texts of many thousands of digits.
    return Decimal(f"{whole}.{fraction}") if fraction else int(Decimal(whole))


def tokenize(source: Source, dialect: str) -> list[Token]:
    """All tokens of ``source``; the last one is ``END``, before it at most one ``ERROR``."""
    return Lexer(source, dialect).run()
