"""The pre-check of axis S: do the paired keywords of a module balance once strings and comments are gone?

Text is stripped line by line, as the published method does: a line that starts with ``|`` is string from there on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

RUSSIAN_PAIRS: Final = (
    ("Функция", "КонецФункции"),
    ("Процедура", "КонецПроцедуры"),
    ("Если", "КонецЕсли"),
    ("Цикл", "КонецЦикла"),
    ("Попытка", "КонецПопытки"),
)
ENGLISH_PAIRS: Final = (
    ("Function", "EndFunction"),
    ("Procedure", "EndProcedure"),
    ("If", "EndIf"),
    ("Do", "EndDo"),
    ("Try", "EndTry"),
)

_WORD = re.compile(r"\w+")
_PIECE = re.compile(r'"(?:[^"]|"")*"?|//.*')
_CONTINUED = re.compile(r'[ \t]*\|(?:[^"]|"")*"?')


@dataclass(frozen=True, slots=True)
class Imbalance:
    """``opener`` and ``closer`` are the keywords, the numbers how often each occurs."""

    opener: str
    closer: str
    opened: int
    closed: int


def stripped(text: str) -> Iterator[str]:
    """The lines of ``text`` without strings and comments."""
    for line in text.splitlines():
        continued = _CONTINUED.match(line)
        rest = line[continued.end() :] if continued else line
        yield _PIECE.sub(" ", rest)


def imbalances(text: str) -> tuple[Imbalance, ...]:
    """Every pair whose two keywords differ in number; English pairs only in a module without any Russian keyword."""
    counts: dict[str, int] = {}
    for line in stripped(text):
        for word in _WORD.findall(line.lower()):
            counts[word] = counts.get(word, 0) + 1
    russian = any(counts.get(word.lower()) for pair in RUSSIAN_PAIRS for word in pair)
    found = []
    for opener, closer in RUSSIAN_PAIRS if russian else ENGLISH_PAIRS:
        opened, closed = counts.get(opener.lower(), 0), counts.get(closer.lower(), 0)
        if opened != closed:
            found.append(Imbalance(opener, closer, opened, closed))
    return tuple(found)
