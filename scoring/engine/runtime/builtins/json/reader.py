"""A pull parser of JSON with lines and positions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

# Deeper documents are attacks, not data.
MOST_DEPTH = 5_000

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,4})?", re.ASCII)
_PLAIN = {'"': re.compile(r'[^"\\\x00-\x1f]*'), "'": re.compile(r"[^'\\\x00-\x1f]*")}
_BLANKS = re.compile(r"[ \t\r\n\ufeff]*")
_BLANKS_AND_COMMENTS = re.compile(r"(?:[ \t\r\n\ufeff]|/\*[^*]*(?:\*(?!/)[^*]*)*\*/|//[^\r\n]*)*")
_BARE_NAME = re.compile(r"[\w$]+")
_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS = {"true": True, "false": False, "null": None}


class JsonError(Exception):
    """Not JSON; the text says why, the reader knows where."""


@dataclass
class JsonReader:
    """``read`` moves to the next token: ``kind`` is its JSONValueType in English, ``value`` its value.

    ``lenient``: as Newtonsoft's reader, which takes comments, strings in single quotes, names without quotes and a comma before
    a closing bracket.
    """

    text: str
    lenient: bool = False
    position: int = 0
    kind: str = "None"
    value: Any = None
    stack: list[str] = field(default_factory=list)
    need_comma: bool = False
    after_name: bool = False
    finished: bool = False

    @property
    def line(self) -> int:
        return self.text.count("\n", 0, self.position) + 1

    @property
    def column(self) -> int:
        """Characters read on the current line."""
        return self.position - (self.text.rfind("\n", 0, self.position) + 1)

    def read(self) -> bool:
        """False at the end of the document. Raises :class:`JsonError`."""
        self._skip_blanks()
        if self.position >= len(self.text):
            if self.stack or self.after_name:
                raise JsonError("Unexpected end of text")
            self.kind, self.value = "None", None
            return False
        if self.finished:
            raise JsonError("Additional text after the end of the document")
        letter = self.text[self.position]
        if letter in "]}":
            self._close(letter)
            return True
        self._expect_comma(letter)
        letter = self.text[self.position]
        if self.lenient and letter in "]}":
            self._close(letter)
            return True
        if self.stack and self.stack[-1] == "}" and not self.after_name:
            self._read_name()
            return True
        self.after_name = False
        self._read_value(letter)
        return True

    def skip(self) -> bool:
        """Past the current value with all that it holds; then to the next token."""
        if self.kind == "PropertyName":
            self.read()
        if self.kind in ("ObjectStart", "ArrayStart"):
            depth = len(self.stack)
            while len(self.stack) >= depth:
                self.read()
        return self.read()

    def _skip_blanks(self) -> None:
        match = (_BLANKS_AND_COMMENTS if self.lenient else _BLANKS).match(self.text, self.position)
        assert match is not None  # the pattern matches the empty string
        self.position = match.end()

    def _expect_comma(self, letter: str) -> None:
        if not self.need_comma:
            return
        if letter != ",":
            raise JsonError(f"Unexpected character '{letter}'")
        self.position += 1
        self.need_comma = False
        self._skip_blanks()
        if self.position >= len(self.text) or (not self.lenient and self.text[self.position] in "]}"):
            raise JsonError("Value expected after a comma")

    def _close(self, letter: str) -> None:
        if not self.stack or self.stack[-1] != letter or self.after_name:
            raise JsonError(f"Unexpected character '{letter}'")
        self.stack.pop()
        self.position += 1
        self.kind, self.value = ("ObjectEnd" if letter == "}" else "ArrayEnd"), None
        self._value_done()

    def _value_done(self) -> None:
        self.need_comma = bool(self.stack)
        self.finished = not self.stack

    def _read_name(self) -> None:
        bare = _BARE_NAME.match(self.text, self.position) if self.lenient else None
        if bare is not None:
            self.value, self.position = bare[0], bare.end()
        elif self._quote():
            self.value = self._string()
        else:
            raise JsonError("Property name expected")
        self._skip_blanks()
        if self.text[self.position : self.position + 1] != ":":
            raise JsonError("Colon expected after a property name")
        self.position += 1
        self.kind = "PropertyName"
        self.after_name = True

    def _read_value(self, letter: str) -> None:
        if letter in "{[":
            if len(self.stack) >= MOST_DEPTH:
                raise JsonError("Document is nested too deeply")
            self.position += 1
            self.stack.append("}" if letter == "{" else "]")
            self.kind, self.value = ("ObjectStart" if letter == "{" else "ArrayStart"), None
            return
        if self._quote():
            self.kind, self.value = "String", self._string()
        elif letter == "-" or letter.isdigit():
            self.kind, self.value = "Number", self._number()
        else:
            self._word()
        self._value_done()

    def _word(self) -> None:
        for word, value in _WORDS.items():
            if self.text.startswith(word, self.position):
                self.position += len(word)
                self.kind, self.value = ("Null" if value is None else "Boolean"), value
                return
        raise JsonError(f"Unexpected character '{self.text[self.position]}'")

    def _number(self) -> int | Decimal:
        match = _NUMBER.match(self.text, self.position)
        if match is None:
            raise JsonError("Wrong number")
        self.position = match.end()
        if match[1] is None and match[2] is None:
            if len(match[0]) > 1000:
                raise JsonError("Number is too long")
            return int(match[0])
        number = Decimal(match[0])
        if abs(number.adjusted()) > 1000:
            raise JsonError("Number is too large")
        return number

    def _quote(self) -> bool:
        """Does a string begin here?"""
        letter = self.text[self.position]
        return letter == '"' or (self.lenient and letter == "'")

    def _string(self) -> str:
        out: list[str] = []
        quote = self.text[self.position]
        self.position += 1
        while True:
            match = _PLAIN[quote].match(self.text, self.position)
            assert match is not None  # the pattern matches the empty string
            out.append(match[0])
            self.position = match.end()
            letter = self.text[self.position : self.position + 1]
            if letter == quote:
                self.position += 1
                return "".join(out)
            out.append(self._escape(letter))

    def _escape(self, letter: str) -> str:
        if letter == "":
            raise JsonError("Unterminated string")
        if letter != "\\":
            self.position += 1
            return letter
        mark = self.text[self.position + 1 : self.position + 2]
        self.position += 2
        if mark in _ESCAPES and (self.lenient or mark != "'"):
            return _ESCAPES[mark]
        if mark != "u":
            raise JsonError("Wrong escape sequence")
        return self._unicode()

    def _unicode(self) -> str:
        digits = self.text[self.position : self.position + 4]
        if not re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            raise JsonError("Wrong escape sequence")
        self.position += 4
        return chr(int(digits, 16))
