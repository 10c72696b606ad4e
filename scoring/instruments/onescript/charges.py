"""Built-ins that hide work, priced: the candidate's text with calls that a meter answers in their place.

``-codestat`` counts statements, and a built-in is one statement whatever it does. The published method put loops of its own in
the place of linear ``Найти`` and ``НайтиСтроки``, of ``Вставить``/``Удалить`` of an array and of ``X = X + …``; what those loops
executed is charged here by formula, so that running costs nothing extra. The rewriting keeps every line where it is, works on
tokens (a text that does not compile is not measured anyway) and leaves alone what it does not recognise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# Methods in either language → the meter's routine and the numbers of arguments it takes.
_METERED = {
    "найти": ("Найти", (1, 2)), "find": ("Найти", (1, 2)),
    "найтистроки": ("НайтиСтроки", (1,)), "findrows": ("НайтиСтроки", (1,)),
    "найтипозначению": ("НайтиПоЗначению", (1,)), "findbyvalue": ("НайтиПоЗначению", (1,)),
    "вставить": ("Вставить", (1, 2)), "insert": ("Вставить", (1, 2)),
    "удалить": ("Удалить", (1,)), "delete": ("Удалить", (1,)),
}  # fmt: skip
_TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|\#[^\n]*)
      | (?P<string>"(?:[^"\n]|"")*(?:\n\s*(?://[^\n]*\n\s*)*\|(?:[^"\n]|"")*)*"?)
      | (?P<date>'[^'\n]*'?)
      | (?P<number>\d+(?:\.\d+)?)
      | (?P<word>[^\W\d]\w*)
      | (?P<mark><>|<=|>=|.)""",
    re.VERBOSE,
)
_NEW = frozenset({"новый", "new"})
_BEFORE_STATEMENT = frozenset(
    "тогда then иначе else цикл do попытка try исключение except экспорт export конецесли endif конеццикла enddo конецпопытки endtry".split()
)
# What can't be the last word of a receiver.
_NO_RECEIVER = frozenset(
    "если if пока while возврат return и and или or не not из in по to тогда then иначеесли elsif цикл do вызватьисключение raise = (".split()
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        return self.text.lower()


def metered(code: str, meter: str) -> str:
    """``code`` with the calls of the meter (an object under the name ``meter``); no line moves."""
    tokens = [
        _Token(match.lastgroup or "", match.group(), match.start(), match.end())
        for match in _TOKEN.finditer(code)
        if match.lastgroup != "blank"
    ]
    edits: list[tuple[int, int, str]] = []
    for index, token in enumerate(tokens):
        edits += _method_edits(tokens, index, token, meter)
        edits += _growth_edits(tokens, index, token, meter)
    return _edited(code, edits)


def _edited(code: str, edits: list[tuple[int, int, str]]) -> str:
    """Apply (start, end, text) edits; of several insertions at one place the later one found stands further out."""
    order = sorted(range(len(edits)), key=lambda number: (edits[number][0], -number))
    parts, at = [], 0
    for number in order:
        start, end, text = edits[number]
        parts += [code[at:start], text]
        at = max(at, end)
    return "".join([*parts, code[at:]])


def _method_edits(tokens: Sequence[_Token], index: int, token: _Token, meter: str) -> list[tuple[int, int, str]]:
    """``receiver.Найти(x)`` → ``meter.Найти1(receiver, x)``."""
    if token.text != "." or index + 2 >= len(tokens) or tokens[index + 2].text != "(":
        return []
    name = _METERED.get(tokens[index + 1].low)
    if name is None:
        return []
    given = _arguments(tokens, index + 2)
    first = _receiver(tokens, index - 1)
    if given not in name[1] or first is None:
        return []
    return [
        (tokens[first].start, tokens[first].start, f"{meter}.{name[0]}{given}("),
        (token.start, tokens[index + 2].end, ", "),
    ]


def _arguments(tokens: Sequence[_Token], opening: int) -> int:
    """How many arguments the call has; 0 for none, for a skipped one and for a call that never closes."""
    depth, count, filled = 0, 1, False
    for token in tokens[opening:]:
        if token.text in "([":
            depth += 1
        elif token.text in ")]":
            depth -= 1
            if depth == 0:
                return count if filled else 0
        elif token.text == "," and depth == 1:
            if not filled:
                return 0
            count, filled = count + 1, False
            continue
        elif token.text == ";":
            return 0
        filled = filled or token.text != "(" or depth > 1
    return 0


def _receiver(tokens: Sequence[_Token], last: int) -> int | None:
    """The index of the first token of the expression that ends at ``last``."""
    at = last
    while at >= 0:
        token = tokens[at]
        if token.text in (")", "]"):
            at = _opening(tokens, at)
            if at < 0:
                return None
            before = tokens[at - 1] if at else None
            if token.text == ")" and (before is None or not _ends_value(before)):
                return at
            at -= 1
            continue
        if token.kind not in ("word", "string") or token.low in _NO_RECEIVER:
            return None
        before = tokens[at - 1] if at else None
        if before is not None and before.text == ".":
            at -= 2
            continue
        return at - 1 if before is not None and before.low in _NEW else at
    return None


def _ends_value(token: _Token) -> bool:
    return (token.kind == "word" and token.low not in _NO_RECEIVER) or token.text in (")", "]")


def _opening(tokens: Sequence[_Token], closing: int) -> int:
    depth = 0
    for at in range(closing, -1, -1):
        if tokens[at].text in (")", "]"):
            depth += 1
        elif tokens[at].text in ("(", "["):
            depth -= 1
            if depth == 0:
                return at
    return -1


def _growth_edits(tokens: Sequence[_Token], index: int, token: _Token, meter: str) -> list[tuple[int, int, str]]:
    """``X = X + …`` → ``X = meter.Рост1(X) + …``."""
    if token.kind != "word" or index + 3 >= len(tokens):
        return []
    equals, again, plus = tokens[index + 1 : index + 4]
    if equals.text != "=" or again.low != token.low or again.kind != "word" or plus.text != "+":
        return []
    before = tokens[index - 1] if index else None
    if before is not None and before.text not in (";", ")") and before.low not in _BEFORE_STATEMENT:
        return []
    return [(again.start, again.end, f"{meter}.Рост1({again.text})")]
