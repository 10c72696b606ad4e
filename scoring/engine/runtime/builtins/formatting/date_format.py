"""Dates by a format string: ДФ, ДЛФ, ДП."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.formatting.cultures import RUSSIAN_MONTHS, Culture
from scoring.engine.values.model import EMPTY_DATE

_NET_LETTERS = str.maketrans({"д": "d", "Д": "d", "М": "M", "г": "y", "Г": "y", "ч": "h", "Ч": "H", "м": "m", "с": "s", "в": "t", "к": "q"})
_NET_LOCAL = {
    "д": "d", "d": "d", "дд": "D", "dd": "D", "в": "T", "t": "T", "дв": "G", "dt": "G", "ддв": "F", "ddt": "F",
}  # fmt: skip
_RUNS = re.compile(r"'[^']*'?|\"[^\"]*\"?|\\.?|%|([dfFghHKmMstyz])\1*|.", re.DOTALL)


def format_date(moment: datetime, params: Mapping[str, str], culture: Culture, *, onec: bool) -> str:
    """The text of ``moment``; the empty date gives ``ДП``, by default an empty string."""
    if moment == EMPTY_DATE:
        return params.get("дп", "")
    if onec:
        return _format_onec(moment, params)
    pattern = params.get("дф")
    if pattern:
        return format_net(moment, pattern.translate(_NET_LETTERS), culture)
    local = params.get("длф", "").strip().lower()
    return format_net(moment, _NET_LOCAL.get(local, "G"), culture)


# ── .NET ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def format_net(moment: datetime, pattern: str, culture: Culture) -> str:
    """``DateTime.ToString(pattern)``: one letter is a standard format, anything longer a pattern."""
    if len(pattern) == 1 and pattern.isalpha():
        return _format_standard(moment, pattern, culture)
    with_day = re.search(r"(?<!d)d{1,2}(?!d)", pattern) is not None
    return "".join(_piece(match[0], moment, culture, with_day) for match in _RUNS.finditer(pattern))


def _format_standard(moment: datetime, letter: str, culture: Culture) -> str:
    fixed = {"s": "yyyy-MM-dd'T'HH:mm:ss", "u": "yyyy-MM-dd HH:mm:ss'Z'", "o": _ROUND_TRIP, "O": _ROUND_TRIP}
    rfc = "ddd, dd MMM yyyy HH:mm:ss 'GMT'"
    named = {**fixed, "r": rfc, "R": rfc, "M": culture.patterns["m"], "Y": culture.patterns["y"], **culture.patterns}
    if letter == "U":
        return format_net(moment, culture.patterns["F"], culture)
    if letter not in named:
        raise BslRuntimeError(
            "external", exception="System.FormatException", message="Input string was not in a correct format."
        )
    return format_net(moment, named[letter], culture)


_ROUND_TRIP = "yyyy-MM-dd'T'HH:mm:ss.fffffff"


def _piece(run: str, moment: datetime, culture: Culture, with_day: bool) -> str:
    letter, size = run[0], len(run)
    if letter in "'\"":
        return run.strip(letter)
    if letter == "\\":
        return run[1:]
    maker = _PIECES.get(letter)
    if maker is None:
        return culture.date_separator if letter == "/" else run
    return maker(moment, size, culture, with_day)


def _day(moment: datetime, size: int, culture: Culture, with_day: bool) -> str:
    if size <= 2:
        return str(moment.day).rjust(size, "0")
    names = culture.days_short if size == 3 else culture.days
    return names[moment.weekday()]


def _month(moment: datetime, size: int, culture: Culture, with_day: bool) -> str:
    if size <= 2:
        return str(moment.month).rjust(size, "0")
    if size == 3:
        names = culture.months_short_of if with_day else culture.months_short
    else:
        names = culture.months_of if with_day else culture.months
    return names[moment.month - 1]


def _year(moment: datetime, size: int, culture: Culture, with_day: bool) -> str:
    if size <= 2:
        return str(moment.year % 100).rjust(size, "0")
    return str(moment.year).rjust(size, "0")


def _hour12(moment: datetime, size: int, culture: Culture, with_day: bool) -> str:
    return str(moment.hour % 12 or 12).rjust(min(size, 2), "0")


def _half(moment: datetime, size: int, culture: Culture, with_day: bool) -> str:
    name = culture.halves[moment.hour >= 12]
    return name[:1] if size == 1 else name


def _padded(get: Callable[[datetime], int]) -> Callable[[datetime, int, Culture, bool], str]:
    return lambda moment, size, culture, with_day: str(get(moment)).rjust(min(size, 2), "0")


def _fraction(moment: datetime, size: int, culture: Culture, with_day: bool) -> str:
    return f"{moment.microsecond:06}0"[: min(size, 7)]


def _short_fraction(moment: datetime, size: int, culture: Culture, with_day: bool) -> str:
    return _fraction(moment, size, culture, with_day).rstrip("0")


def _era(moment: datetime, size: int, culture: Culture, with_day: bool) -> str:
    return "A.D."


def _offset(moment: datetime, size: int, culture: Culture, with_day: bool) -> str:
    return {1: "+0", 2: "+00"}.get(size, "+00:00")


def _nothing(moment: datetime, size: int, culture: Culture, with_day: bool) -> str:
    return ""


_PIECES: dict[str, Callable[[datetime, int, Culture, bool], str]] = {
    "d": _day,
    "M": _month,
    "y": _year,
    "h": _hour12,
    "H": _padded(lambda m: m.hour),
    "m": _padded(lambda m: m.minute),
    "s": _padded(lambda m: m.second),
    "t": _half,
    "f": _fraction,
    "F": _short_fraction,
    "g": _era,
    "z": _offset,
    "K": _nothing,
}

# ── 1C ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

_ONEC_LETTERS = {"д": "d", "М": "M", "г": "y", "ч": "h", "Ч": "H", "м": "m", "с": "s", "в": "t", "к": "q", "р": "f"}
_ONEC_RUNS = re.compile(r"'[^']*'?|\"[^\"]*\"?|([dMyhHmstqдМгчЧмсвк])\1*|.", re.DOTALL)
_LOCAL_PARTS = {
    "д": ("date",), "дд": ("long",), "в": ("time",), "дв": ("date", "time"), "ддв": ("long", "time"),
    "d": ("date",), "dd": ("long",), "t": ("time",), "dt": ("date", "time"), "ddt": ("long", "time"),
}  # fmt: skip


def _format_onec(moment: datetime, params: Mapping[str, str]) -> str:
    from scoring.engine.runtime.builtins.formatting.cultures import RUSSIAN, culture_of

    culture = culture_of(params.get("л"), RUSSIAN)
    pattern = params.get("дф")
    if pattern:
        return _onec_pattern(moment, pattern, culture)
    parts = _LOCAL_PARTS.get(params.get("длф", "дв").strip().lower(), ("date", "time"))
    return " ".join(_onec_part(moment, part, culture) for part in parts)


def _onec_part(moment: datetime, part: str, culture: Culture) -> str:
    if part == "date":
        return f"{moment.day:02}.{moment.month:02}.{moment.year:04}"
    if part == "time":
        return f"{moment.hour}:{moment.minute:02}:{moment.second:02}"
    return f"{moment.day} {culture.months_of[moment.month - 1]} {moment.year}\xa0г."


def _onec_pattern(moment: datetime, pattern: str, culture: Culture) -> str:
    with_day = re.search(r"[dд]", pattern) is not None
    return "".join(_onec_piece(match[0], moment, culture, with_day) for match in _ONEC_RUNS.finditer(pattern))


def _onec_piece(run: str, moment: datetime, culture: Culture, with_day: bool) -> str:
    if run[0] in "'\"":
        return run.strip(run[0])
    letter, size = _ONEC_LETTERS.get(run[0], run[0]), len(run)
    if letter == "q":
        return str((moment.month - 1) // 3 + 1)
    if letter == "M" and size >= 4 and not with_day and culture.months is RUSSIAN_MONTHS:
        return culture.months[moment.month - 1].capitalize()
    if letter == "M" and size == 3:
        return culture.months_of[moment.month - 1][:3]
    maker = _PIECES.get(letter)
    return run if maker is None else maker(moment, size, culture, with_day)
