"""Rules of text that both engines share: units, blanks, case, numbers inside strings.

A string of the language is a row of UTF-16 units: what lies beyond U+FFFF is held as its two halves, so that lengths and
positions are those of the genuine engines. Text that enters from outside passes :func:`units`, text that leaves as bytes
:func:`joined`.

Case conversion is character by character (the simple mappings of .NET and 1C), so that ``ß`` and the ligatures stay.
"""

from __future__ import annotations

import re
from functools import lru_cache

from scoring.engine.values.numbers import Number, net_literal

# Char.IsWhiteSpace of .NET. Python's own set differs (U+001C…U+001F), so it is spelled out.
WHITE = (
    "\t\n\v\f\r\x85\xa0 \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f"
    "\u205f\u3000"
)
# Numerals that are no decimal digits (², ½, Ⅷ, ①), which Python takes for parts of a word, and what is no single unit.
_NO_LETTERS = (
    "\u00b2\u00b3\u00b9\u00bc-\u00be\u09f4-\u09f9\u0b72-\u0b77\u0bf0-\u0bf2\u0c78-\u0c7e\u0d58-\u0d5e\u0d70-\u0d78\u0f2a-\u0f33"
    "\u1369-\u137c\u16ee-\u16f0\u17f0-\u17f9\u19da\u2070\u2074-\u2079\u2080-\u2089\u2150-\u2182\u2185-\u2189\u2460-\u249b\u24ea-\u24ff"
    "\u2776-\u2793\u2cfd\u3007\u3021-\u3029\u3038-\u303a\u3192-\u3195\u3220-\u3229\u3248-\u324f\u3251-\u325f\u3280-\u3289"
    "\u32b1-\u32bf\ua6e6-\ua6ef\ua830-\ua835\U00010000-\U0010ffff"
)
# A name as Char.IsLetter and Char.IsLetterOrDigit of .NET have it.
NAME = rf"[^\W\d{_NO_LETTERS}][^\W{_NO_LETTERS}]*"
_BEYOND = re.compile("[\U00010000-\U0010ffff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SIMPLE = re.compile(r"[\x00-\x7f\u00c0-\u00d6\u0400-\u04ff«»–—№…\xa0]*")
_NET_NUMBER = re.compile(r"[\t-\r ]*([+-]?(?:\d+\.?\d*|\.\d+))[\t-\r ]*\0*", re.ASCII)
_ONEC_NUMBER = re.compile(r"\s*([+-]?)\s*((?:\d[\d\s]*)?)(?:[.,](\d*))?\s*", re.ASCII)
# Only its own culture folds these two; under the invariant one they stay.
_INVARIANT = {"ı": "ı", "İ": "İ"}


def units(text: str) -> str:
    """The text with every character of one UTF-16 unit."""
    return text if text.isascii() else _BEYOND.sub(_split, text)


def _split(found: re.Match[str]) -> str:
    high, low = divmod(ord(found[0]) - 0x10000, 0x400)
    return chr(0xD800 + high) + chr(0xDC00 + low)


def joined(text: str) -> str:
    """The text with both halves of a character in one; a lone half stays."""
    return text if text.isascii() else _PAIR.sub(_join, text)


def _join(found: re.Match[str]) -> str:
    return chr(0x10000 + (ord(found[0][0]) - 0xD800) * 0x400 + ord(found[0][1]) - 0xDC00)


def upper(text: str) -> str:
    if _SIMPLE.fullmatch(text):
        return text.upper()
    return "".join(map(_upper_letter, text))


def lower(text: str) -> str:
    if _SIMPLE.fullmatch(text):
        return text.lower()
    return "".join(map(_lower_letter, text))


def _upper_letter(letter: str) -> str:
    raised = letter.upper()
    return raised if len(raised) == 1 and letter not in _INVARIANT else letter


def _lower_letter(letter: str) -> str:
    lowered = letter.lower()
    return lowered if len(lowered) == 1 and letter not in _INVARIANT else letter


@lru_cache(maxsize=4096)
def upper_short(text: str) -> str:
    """:func:`upper` remembered; for short texts."""
    return upper(text)


@lru_cache(maxsize=4096)
def lower_short(text: str) -> str:
    """:func:`lower` remembered; for short texts."""
    return lower(text)


def title(text: str) -> str:
    """First letter of each word upper, the others lower; whatever is no letter separates words."""
    out: list[str] = []
    inside = False
    for letter in text:
        if not letter.isalpha():
            inside = False
            out.append(letter)
        else:
            out.append(_lower_letter(letter) if inside else _upper_letter(letter))
            inside = True
    return "".join(out)


def is_blank(text: str) -> bool:
    return not text.strip(WHITE)


def parse_net_number(text: str) -> Number | None:
    """A number as OneScript reads one: point, sign in front, blanks around; None where it is none.

    Raises ``overflow`` where the digits do not fit.
    """
    match = _NET_NUMBER.fullmatch(text)
    return net_literal(match[1]) if match else None


def parse_onec_number(text: str) -> tuple[str, str, str] | None:
    """(sign, whole digits, decimals) of a number as 1C reads one: comma or point, blanks between digits; else None."""
    match = _ONEC_NUMBER.fullmatch(text.replace("\xa0", " "))
    if match is None:
        return None
    whole = re.sub(r"\s", "", match[2])
    if not whole and not match[3]:
        return None
    return match[1], whole, match[3] or ""
