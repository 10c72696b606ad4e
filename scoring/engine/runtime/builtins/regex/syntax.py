"""Regular expressions: text → tree. The common ground of .NET and 1C.

A tree is made of tuples whose first item names the kind:
``("set", test)``, ``("cat", items)``, ``("alt", items)``, ``("repeat", item, least, most | None, greedy)``,
``("group", number, item)``, ``("at", place)``, ``("back", number)``, ``("look", item, ahead, negative)``,
``("atomic", item)``. ``test`` is a function from a character to bool. While it is being read, a named group and a
reference by name stand under the name; :func:`numbered` gives both their number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from scoring.engine.errors import NotSupported

Test = Callable[[str], bool]
Tree = tuple[Any, ...]

# Bounds on {n,m} and on nesting, beyond which a pattern is not run here.
MOST_REPEATS = 1000
MOST_DEPTH = 100
_LACKING = "РегулярноеВыражение"

_SIMPLE_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b", "0": "\0"}
_PLACES = {"b": "word", "B": "not_word", "A": "start", "z": "end", "Z": "end_line"}


class RegexError(Exception):
    """The pattern is wrong; the text says how, ``offset`` where the parser stood."""

    offset = 0


def is_word(letter: str) -> bool:
    return letter.isalpha() or unicodedata.category(letter) in ("Nd", "Pc", "Mn", "Mc")


def _is_space(letter: str) -> bool:
    return letter in "\t\n\v\f\r\x85\xa0" or unicodedata.category(letter)[0] == "Z"


def _is_digit(letter: str) -> bool:
    return unicodedata.category(letter) == "Nd"


def _negated(test: Test) -> Test:
    return lambda letter: not test(letter)


_CLASSES: dict[str, Test] = {
    "d": _is_digit,
    "D": _negated(_is_digit),
    "w": is_word,
    "W": _negated(is_word),
    "s": _is_space,
    "S": _negated(_is_space),
}
_BLOCKS = {
    "iscyrillic": (0x400, 0x4FF),
    "isbasiclatin": (0, 0x7F),
    "cyrillic": (0x400, 0x4FF),
    "latin": (0x41, 0x24F),
}


def _one(letter: str, ignore_case: bool) -> Test:
    if not ignore_case or letter.lower() == letter.upper():
        return letter.__eq__
    both = {letter.lower(), letter.upper(), letter}
    return both.__contains__


def _span(low: int, high: int, ignore_case: bool) -> Test:
    if not ignore_case:
        return lambda letter: low <= ord(letter) <= high
    return lambda letter: any(low <= ord(c) <= high for c in (letter, letter.lower()[:1], letter.upper()[:1]))


@dataclass
class Parser:
    """A recursive descent over ``text``; raises :class:`RegexError`. ``net``: by the rules of .NET."""

    text: str
    net: bool = False
    ignore_case: bool = False
    multiline: bool = False
    dot_all: bool = False
    extended: bool = False
    explicit: bool = False
    position: int = 0
    groups: int = 0
    depth: int = 0
    names: dict[str, int] = field(default_factory=dict)

    def parse(self) -> Tree:
        tree = self._alternatives()
        if self.position < len(self.text):
            raise RegexError("Too many )'s")
        if self.net:
            self._number_names()
        return numbered(tree, self)

    def _number_names(self) -> None:
        """In .NET the named groups are counted after those without a name."""
        unnamed = self.groups - len(self.names)
        self.names = {name: unnamed + place for place, name in enumerate(self.names, 1)}

    def _peek(self) -> str:
        return self.text[self.position : self.position + 1]

    def _take(self) -> str:
        letter = self._peek()
        if not letter:
            raise RegexError("Unexpected end of pattern")
        self.position += 1
        return letter

    def _accept(self, text: str) -> bool:
        if self.text.startswith(text, self.position):
            self.position += len(text)
            return True
        return False

    def _alternatives(self) -> Tree:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise NotSupported(_LACKING)
        saved = self._options_now()
        branches = [self._sequence()]
        while self._accept("|"):
            branches.append(self._sequence())
        self._set_options(saved)
        self.depth -= 1
        return branches[0] if len(branches) == 1 else ("alt", branches)

    def _sequence(self) -> Tree:
        items: list[Tree] = []
        while self._peek() and self._peek() not in "|)":
            item = self._item()
            if item is not None:
                items.append(self._repeated(item))
        return items[0] if len(items) == 1 else ("cat", items)

    def _item(self) -> Tree | None:
        letter = self._take()
        if self.extended and letter.isspace():
            return None
        if letter == "(":
            return self._group()
        if letter == "[":
            return "set", self._class()
        if letter == ".":
            return "set", (lambda c: True) if self.dot_all else (lambda c: c != "\n")
        if letter == "^":
            return "at", "line_start" if self.multiline else "start"
        if letter == "$":
            return "at", "line_end" if self.multiline else "end_line"
        if letter == "\\":
            return self._escape()
        if letter in "*+?" or (self.net and letter == "{" and self._counted(self.position - 1)):
            raise RegexError("Quantifier {x,y} following nothing" if self.net else f"Quantifier {letter} following nothing")
        return "set", _one(letter, self.ignore_case)

    def _escape(self) -> Tree:
        if self.net and not self._peek():
            raise RegexError("Illegal \\\\ at end of pattern")
        letter = self._take()
        if letter in _PLACES:
            return "at", _PLACES[letter]
        if letter in "123456789":
            return self._digits(letter)
        if letter == "k" and self._peek() and self._peek() in "<'{":
            name = self._name({"<": ">", "'": "'", "{": "}"}[self._take()])
            return "back", int(name) if name.isdigit() else name
        if letter == "G" and self.net:
            raise NotSupported(_LACKING + " \\G")
        return "set", self._escaped_test(letter)

    def _digits(self, first: str) -> Tree:
        """A reference; in .NET a number of several digits that no group has is a character by its octal code."""
        if not self.net:
            return "back", self._number(first)
        start = self.position
        while self._peek() and self._peek() in "0123456789":
            self.position += 1
        number = int(self.text[start - 1 : self.position])
        if number <= 9 or number <= len(_GROUP.findall(_ESCAPED.sub("", self.text))):
            return "back", number
        self.position = start
        return "set", _one(self._escaped_letter(first), self.ignore_case)

    def _number(self, first: str) -> int:
        digits = first
        while self._peek().isdigit() and int(digits + self._peek()) <= max(self.groups, 9):
            digits += self._take()
        return int(digits)

    def _escaped_test(self, letter: str) -> Test:
        if letter in _CLASSES:
            return _CLASSES[letter]
        if letter in "pP":
            test = self._category()
            return _negated(test) if letter == "P" else test
        return _one(self._escaped_letter(letter), self.ignore_case)

    def _escaped_letter(self, letter: str) -> str:
        if self.net and letter in "01234567":
            return self._octal(letter)
        if letter in _SIMPLE_ESCAPES:
            return _SIMPLE_ESCAPES[letter]
        if letter in "xu":
            size = 2 if letter == "x" else 4
            digits = self.text[self.position : self.position + size]
            self.position += size
            try:
                return chr(int(digits, 16))
            except ValueError:
                raise RegexError("Insufficient hexadecimal digits") from None
        if letter == "c":
            return chr(ord(self._take().upper()) & 31)
        if self.net and is_word(letter):
            raise RegexError(f"Unrecognized escape sequence \\{letter}")
        return letter

    def _octal(self, digits: str) -> str:
        while len(digits) < 3 and self._peek() and self._peek() in "01234567":
            digits += self._take()
        return chr(int(digits, 8) & 0xFF)

    def _category(self) -> Test:
        if not self._accept("{"):
            raise RegexError("Incomplete \\p{X} character escape")
        name = self._name("}")
        if name.lower() in _BLOCKS:
            low, high = _BLOCKS[name.lower()]
            return _span(low, high, False)
        if not 1 <= len(name) <= 2:
            raise RegexError(f"Unknown property '{name}'")
        return lambda letter: unicodedata.category(letter).startswith(name)

    def _name(self, closing: str) -> str:
        end = self.text.find(closing, self.position)
        if end < 0:
            raise RegexError("Unterminated name")
        name = self.text[self.position : end]
        self.position = end + 1
        return name

    def _class(self) -> Test:
        negative = self._accept("^")
        tests: list[Test] = []
        letters: set[str] = set()
        first = True
        without: Test | None = None
        while first or self._peek() != "]":
            if self.net and not self._peek():
                raise RegexError("Unterminated [] set")
            if self.net and not first and self._accept("-["):
                without = self._class()
                continue
            first = False
            low = self._class_item(tests)
            if low is None:
                continue
            if self._peek() == "-" and self.text[self.position + 1 : self.position + 2] not in self._no_range():
                self.position += 1
                tests.append(self._range(low, self._class_item(tests)))
            else:
                letters |= {low, low.lower(), low.upper()} if self.ignore_case else {low}
        self.position += 1
        found = frozenset(letters)

        def test(letter: str) -> bool:
            return letter in found or any(one(letter) for one in tests)

        kept = _negated(test) if negative else (test if tests else found.__contains__)
        return kept if without is None else lambda letter: kept(letter) and not without(letter)

    def _no_range(self) -> tuple[str, ...]:
        """What makes of a ``-`` before it a sign of its own."""
        return ("]", "", "[") if self.net else ("]", "")

    def _range(self, low: str, high: str | None) -> Test:
        if high is None or ord(low) > ord(high):
            raise RegexError("[x-y] range in reverse order")
        return _span(ord(low), ord(high), self.ignore_case)

    def _class_item(self, tests: list[Test]) -> str | None:
        """One letter of a class; None where a whole class went to ``tests``."""
        letter = self._take()
        if letter != "\\":
            return letter
        letter = self._take()
        if letter in _CLASSES or letter in "pP":
            tests.append(self._escaped_test(letter))
            return None
        return "\b" if letter == "b" else self._escaped_letter(letter)

    def _group(self) -> Tree:
        if not self._accept("?"):
            return self._captured("")
        if self._accept("#"):
            self._name(")")
            return "cat", []
        for mark, kind in ((":", ("cat",)), ("=", (True, False)), ("!", (True, True)), ("<=", (False, False)),
                           ("<!", (False, True)), (">", ("atomic",))):  # fmt: skip
            if self._accept(mark):
                return self._special(kind)
        if self.net and self.text.startswith("(", self.position):
            raise NotSupported(_LACKING + " (?(")
        if self._peek() in ("<", "'") or (not self.net and self._accept("P")):
            closing = ">" if self._take() == "<" else "'"
            return self._captured(self._name(closing))
        return self._options()

    def _special(self, kind: tuple[Any, ...]) -> Tree:
        inner = self._closed()
        if kind == ("cat",):
            return inner
        return ("atomic", inner) if kind == ("atomic",) else ("look", inner, *kind)

    def _closed(self) -> Tree:
        inner = self._alternatives()
        if not self._accept(")"):
            raise RegexError("Not enough )'s")
        return inner

    def _captured(self, name: str) -> Tree:
        if self.net and name:
            return self._captured_by_net(name)
        if self.explicit:
            return self._closed()
        self.groups += 1
        number = self.groups - len(self.names) if self.net else self.groups
        if name:
            self.names[name] = number
        return "group", number, self._closed()

    def _captured_by_net(self, name: str) -> Tree:
        """Groups of one name are one group; numbers as names and balancing groups are not run here."""
        if name.isdigit() or "-" in name:
            raise NotSupported(f"{_LACKING} (?<{name}>")
        if not all(map(is_word, name)):
            raise RegexError("Invalid group name: Group names must begin with a word character")
        if name not in self.names:
            self.groups += 1
            self.names[name] = self.groups
        return "group", name, self._closed()

    def _options(self) -> Tree:
        """``(?i)`` for the rest of the group, ``(?i:…)`` for its own content."""
        on = True
        saved = self._options_now()
        while self._peek() not in (":", ")", ""):
            letter = self._take()
            if letter == "-":
                on = False
            elif letter in (_NET_OPTIONS if self.net else _OPTIONS):
                setattr(self, _NET_OPTIONS[letter], on)
            else:
                raise RegexError("Unrecognized grouping construct")
        if self._accept(")"):
            return "cat", []
        self._take()
        inner = self._closed()
        self._set_options(saved)
        return inner

    def _options_now(self) -> tuple[bool, ...]:
        return self.ignore_case, self.multiline, self.dot_all, self.extended, self.explicit

    def _set_options(self, options: tuple[bool, ...]) -> None:
        self.ignore_case, self.multiline, self.dot_all, self.extended, self.explicit = options

    def _repeated(self, item: Tree) -> Tree:
        if self.net:
            return self._repeated_once(item)
        while True:
            bounds = self._bounds()
            if bounds is None:
                return item
            greedy = not self._accept("?")
            possessive = greedy and self._accept("+")
            item = ("repeat", item, *bounds, greedy)
            if possessive:
                item = ("atomic", item)

    def _repeated_once(self, item: Tree) -> Tree:
        bounds = self._bounds()
        if bounds is None:
            return item
        item = ("repeat", item, *bounds, not self._accept("?"))
        mark = self._peek()
        if mark and (mark in "*+?" or (mark == "{" and self._counted(self.position))):
            self.position += 1
            raise RegexError(f"Nested quantifier {mark}")
        return item

    def _counted(self, position: int) -> bool:
        """Does ``{n}``, ``{n,}`` or ``{n,m}`` stand at ``position``?"""
        return _COUNT.match(self.text, position) is not None

    def _bounds(self) -> tuple[int, int | None] | None:
        for mark, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._accept(mark):
                return bounds
        if self._peek() != "{":
            return None
        end = self.text.find("}", self.position)
        inside = self.text[self.position + 1 : end] if end > 0 else ""
        low, comma, high = inside.partition(",")
        if not low.isdigit() or (high and not high.isdigit()):
            return None
        self.position = end + 1
        least = int(low)
        most = least if not comma else (int(high) if high else None)
        if least > MOST_REPEATS or (most or 0) > MOST_REPEATS:
            raise NotSupported(_LACKING + " {n,m}")
        if most is not None and least > most:
            raise RegexError("Illegal {x,y} with x > y")
        return least, most


_OPTIONS = {"i": "ignore_case", "m": "multiline", "s": "dot_all", "x": "extended"}
_NET_OPTIONS = {**_OPTIONS, "n": "explicit"}
# What is no group although it may hold a bracket; the beginning of a group that captures.
_ESCAPED = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_GROUP = re.compile(r"\((?!\?)|\(\?(?:<(?![=!])|')")
_COUNT = re.compile(r"\{[0-9]+(,[0-9]*)?\}")


def numbered(tree: Tree, parser: Parser) -> Tree:
    """The tree with numbers in place of the names of groups; raises :class:`RegexError` where there is no such group."""
    if tree[0] == "group":
        return "group", parser.names.get(tree[1], tree[1]), numbered(tree[2], parser)
    if tree[0] == "back":
        return _reference(tree[1], parser)
    if tree[0] in ("cat", "alt"):
        return tree[0], [numbered(item, parser) for item in tree[1]]
    return tree if tree[0] in ("set", "at") else (tree[0], numbered(tree[1], parser), *tree[2:])


def _reference(target: int | str, parser: Parser) -> Tree:
    if isinstance(target, str):
        if target not in parser.names:
            raise RegexError(f"Reference to undefined group name {target}")
        return "back", parser.names[target]
    if parser.net and target > parser.groups:
        raise RegexError(f"Reference to undefined group number {target}")
    return "back", target
