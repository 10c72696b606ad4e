"""The grammar of format strings (``Формат``) and of ``НСтр``: ``Имя=Значение; Имя='зна''чение'``."""

from __future__ import annotations

from functools import lru_cache

_QUOTES = "'\""

# Both names of each parameter → the Russian one in lower case.
_ALIASES = {
    "l": "л",
    "nd": "чц",
    "nfd": "чдц",
    "ns": "чс",
    "nds": "чрд",
    "ngs": "чрг",
    "nz": "чн",
    "nlz": "чвн",
    "ng": "чг",
    "nn": "чо",
    "nf": "чф",
    "df": "дф",
    "dlf": "длф",
    "de": "дп",
    "bf": "бл",
    "bt": "би",
}


@lru_cache(maxsize=1024)
def parse_pairs(text: str, spaces_end: bool) -> dict[str, str]:
    """Names in lower case → values; a later one wins. ``spaces_end``: a blank ends a value without quotes."""
    pairs: dict[str, str] = {}
    position = 0
    while position < len(text):
        equals = _find_equals(text, position)
        if equals < 0:
            position = _after_semicolon(text, position)
            continue
        name = text[position:equals].strip().lower()
        value, position = _read_value(text, equals + 1, spaces_end)
        pairs[name] = value
        position = _after_semicolon(text, position)
    return pairs


@lru_cache(maxsize=1024)
def parse_format(text: str, spaces_end: bool) -> dict[str, str]:
    """As :func:`parse_pairs`, English names of parameters given as the Russian ones."""
    return {_ALIASES.get(name, name): value for name, value in parse_pairs(text, spaces_end).items()}


def _find_equals(text: str, start: int) -> int:
    """The ``=`` of the pair that begins at ``start``; −1 where a ``;`` or the end comes first."""
    equals, semicolon = text.find("=", start), text.find(";", start)
    return -1 if equals < 0 or 0 <= semicolon < equals else equals


def _after_semicolon(text: str, start: int) -> int:
    found = text.find(";", start)
    return len(text) if found < 0 else found + 1


def _read_value(text: str, start: int, spaces_end: bool) -> tuple[str, int]:
    while start < len(text) and text[start].isspace():
        start += 1
    if start < len(text) and text[start] in _QUOTES:
        return _read_quoted(text, start)
    end = start
    while end < len(text) and text[end] != ";" and not (spaces_end and text[end].isspace()):
        end += 1
    return text[start:end].rstrip(), end


def _read_quoted(text: str, start: int) -> tuple[str, int]:
    """A value in quotes; doubled quotes inside stand for one; the end of the text closes it, too."""
    quote = text[start]
    out: list[str] = []
    position = start + 1
    while position < len(text):
        letter = text[position]
        if letter == quote:
            if text[position + 1 : position + 2] != quote:
                return "".join(out), position + 1
            position += 1
        out.append(letter)
        position += 1
    return "".join(out), position
