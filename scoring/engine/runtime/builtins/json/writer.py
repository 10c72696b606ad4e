"""A writer of JSON that checks what it is told to write."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_ESCAPED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
# Newtonsoft's writer, which OneScript writes with, indents by so much unless told otherwise.
NET_INDENT = "    "
_ALWAYS = re.compile(r'["\\\x00-\x1f]')
_NOT_ASCII = re.compile(r'["\\\x00-\x1f]|[^\x00-\x7f]')
_NOT_BMP = re.compile(r'["\\\x00-\x1f]|[\ud800-\udfff]')


class JsonWriteError(Exception):
    """The calls do not make a document."""


@dataclass
class JsonLayout:
    """``newline`` empty = everything on one line."""

    newline: str = "\n"
    indent: str = ""
    escape: str = "None"  # JSONCharactersEscapeMode
    extra: frozenset[str] = frozenset()  # further characters to escape


@dataclass
class JsonWriter:
    """``pieces`` is the text so far. ``check`` refuses values in wrong places."""

    layout: JsonLayout
    check: bool = True
    pieces: list[str] = field(default_factory=list)
    stack: list[str] = field(default_factory=list)
    filled: list[bool] = field(default_factory=list)
    after_name: bool = False
    done: bool = False

    def text(self) -> str:
        return "".join(self.pieces)

    def start(self, opening: str) -> None:
        self._before_value()
        self.pieces.append(opening)
        self.stack.append("}" if opening == "{" else "]")
        self.filled.append(False)

    def finish(self, closing: str) -> None:
        if not self.stack or self.stack[-1] != closing or self.after_name:
            raise JsonWriteError("nothing to close here")
        self.stack.pop()
        if self.filled.pop():
            self._new_line()
        self.pieces.append(closing)
        self.done = not self.stack

    def name(self, name: str) -> None:
        if self.check and (not self.stack or self.stack[-1] != "}" or self.after_name):
            raise JsonWriteError("a property name has no place here")
        self._separate()
        self.pieces += (self.quoted(name), ": " if self.layout.newline else ":")
        self.after_name = True

    def value(self, text: str) -> None:
        """Write a value that is JSON already."""
        self._before_value()
        self.pieces.append(text)
        self.done = not self.stack

    def quoted(self, text: str) -> str:
        pattern = {"NotASCIISymbols": _NOT_ASCII, "SymbolsNotInBMP": _NOT_BMP}.get(self.layout.escape, _ALWAYS)
        escaped = pattern.sub(lambda found: _escape(found[0]), text)
        for letter in self.layout.extra:
            escaped = escaped.replace(letter, "\\/" if letter == "/" else _code(letter))
        return f'"{escaped}"'

    def _before_value(self) -> None:
        if self.after_name:
            self.after_name = False
            return
        if self.check and (self.done or (self.stack and self.stack[-1] == "}")):
            raise JsonWriteError("a value has no place here")
        if self.stack:
            self._separate()

    def _separate(self) -> None:
        if self.filled and self.filled[-1]:
            self.pieces.append(",")
        if self.filled:
            self.filled[-1] = True
        self._new_line()

    def _new_line(self) -> None:
        if self.layout.newline:
            self.pieces.append(self.layout.newline + self.layout.indent * len(self.stack))


def _escape(letter: str) -> str:
    return _ESCAPED.get(letter) or _code(letter)


def _code(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[i : i + 2], 'big'):04x}" for i in range(0, len(units), 2))
