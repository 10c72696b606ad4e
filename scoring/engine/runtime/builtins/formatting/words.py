"""``ЧислоПрописью`` and ``ПредставлениеПериода`` of 1C (OneScript has neither)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import optional_text
from scoring.engine.runtime.builtins.formatting.cultures import RUSSIAN_MONTHS
from scoring.engine.runtime.builtins.formatting.format_string import parse_pairs
from scoring.engine.values import dates, numbers
from scoring.engine.values.members import ONEC, builtin
from scoring.engine.values.model import MISSING

_UNITS = ("", "один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять")
_TEENS = (
    "десять", "одиннадцать", "двенадцать", "тринадцать", "четырнадцать", "пятнадцать", "шестнадцать", "семнадцать",
    "восемнадцать", "девятнадцать",
)  # fmt: skip
_TENS = (
    "", "", "двадцать", "тридцать", "сорок", "пятьдесят", "шестьдесят", "семьдесят", "восемьдесят", "девяносто",
)  # fmt: skip
_HUNDREDS = (
    "", "сто", "двести", "триста", "четыреста", "пятьсот", "шестьсот", "семьсот", "восемьсот", "девятьсот",
)  # fmt: skip
_POWERS = (
    ("тысяча", "тысячи", "тысяч", "ж"),
    ("миллион", "миллиона", "миллионов", "м"),
    ("миллиард", "миллиарда", "миллиардов", "м"),
    ("триллион", "триллиона", "триллионов", "м"),
    ("квадриллион", "квадриллиона", "квадриллионов", "м"),
)
_FEMININE = {1: "одна", 2: "две"}
_NEUTER = {1: "одно"}


def _triple(number: int, gender: str) -> list[str]:
    """Words of a number below 1000; ``gender`` м, ж or с."""
    words = [_HUNDREDS[number // 100]]
    tens, units = divmod(number % 100, 10)
    if tens == 1:
        words.append(_TEENS[units])
    else:
        special = {"ж": _FEMININE, "с": _NEUTER}.get(gender, {})
        words += [_TENS[tens], special.get(units, _UNITS[units])]
    return [word for word in words if word]


def plural(number: int, forms: tuple[str, str, str]) -> str:
    """The form that a Russian noun takes after ``number``: рубль, рубля, рублей."""
    if number % 100 // 10 == 1:
        return forms[2]
    units = number % 10
    return forms[0] if units == 1 else forms[1] if 2 <= units <= 4 else forms[2]


def number_words(number: int, gender: str) -> str:
    """A whole number ≥ 0 in words."""
    if number == 0:
        return "ноль"
    groups: list[str] = []
    rest, power = number, -1
    while rest:
        rest, triple = divmod(rest, 1000)
        if triple and power < 0:
            groups.insert(0, " ".join(_triple(triple, gender)))
        elif triple:
            one, few, many, kind = _POWERS[power]
            groups.insert(0, " ".join([*_triple(triple, kind), plural(triple, (one, few, many))]))
        power += 1
    return " ".join(groups)


@builtin("ЧислоПрописью", "NumberInWords", dialects=(ONEC,))
def number_in_words(rt: Any, value: Any, options: Any = MISSING, subject: Any = MISSING) -> str:
    """Russian words for a number; ``subject`` = «рубль, рубля, рублей, м, копейка, копейки, копеек, ж, 2»."""
    number = rt.number(value)
    params = parse_pairs(optional_text(rt, options), False)
    parts = [part.strip() for part in optional_text(rt, subject).split(",")]
    parts += [""] * (9 - len(parts))
    places = int(parts[8]) if parts[8].isdigit() else 2
    mantissa, scale = numbers.parts(numbers.round_half_away(abs(number), min(places, 6)))
    whole, cents = divmod(mantissa * 10 ** (places - min(scale, places)), 10**places)
    if whole >= 10**18:
        raise BslRuntimeError("argument_value", number=1, method="ЧислоПрописью")
    text = " ".join(filter(None, [_whole_words(whole, parts), _cent_words(cents, parts, places, params)]))
    if number < 0:
        text = "минус " + text
    return text[:1].upper() + text[1:]


def _whole_words(whole: int, parts: list[str]) -> str:
    words = number_words(whole, parts[3] or "м")
    noun = plural(whole, (parts[0], parts[1], parts[2])) if parts[0] else ""
    return f"{words} {noun}".strip()


def _cent_words(cents: int, parts: list[str], places: int, params: dict[str, str]) -> str:
    if places == 0 or not parts[4] or params.get("нд", params.get("nd", "")).lower() in ("ложь", "false"):
        return ""
    spelled = params.get("дп", params.get("fn", "")).lower() in ("истина", "true")
    words = number_words(cents, parts[7] or "ж") if spelled else str(cents).rjust(places, "0")
    return f"{words} {plural(cents, (parts[4], parts[5], parts[6]))}"


@builtin("ПредставлениеПериода", "PeriodPresentation", dialects=(ONEC,))
def period_presentation(rt: Any, start: Any, stop: Any, options: Any = MISSING) -> str:
    begin, end = rt.date(start), rt.date(stop)
    return _known_period(begin, end) or f"{begin:%d.%m.%Y} - {end:%d.%m.%Y}"


def _known_period(begin: datetime, end: datetime) -> str | None:
    year = f"{begin.year} г."
    if begin != dates.begin_of_day(begin):
        return None
    if end == dates.end_of_day(begin):
        return f"{begin:%d.%m.%Y}"
    if begin.day == 1 and end == dates.end_of_month(begin):
        return f"{RUSSIAN_MONTHS[begin.month - 1].capitalize()} {year}"
    if begin == dates.begin_of_quarter(begin) and end == dates.end_of_quarter(begin):
        return f"{(begin.month + 2) // 3} квартал {year}"
    if begin == datetime(begin.year, 1, 1) and end == datetime(begin.year, 12, 31, 23, 59, 59):
        return year
    return None
