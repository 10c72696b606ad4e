"""What the formatting of numbers and dates takes from a culture."""

from __future__ import annotations

from dataclasses import dataclass, field

RUSSIAN_MONTHS = (
    "январь", "февраль", "март", "апрель", "май", "июнь", "июль", "август", "сентябрь", "октябрь", "ноябрь", "декабрь",
)  # fmt: skip
RUSSIAN_MONTHS_OF = (
    "января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября", "декабря",
)  # fmt: skip
_RUSSIAN_SHORT = (
    "янв.", "февр.", "март", "апр.", "май", "июнь", "июль", "авг.", "сент.", "окт.", "нояб.", "дек.",
)  # fmt: skip
_RUSSIAN_SHORT_OF = (
    "янв.", "февр.", "мар.", "апр.", "мая", "июн.", "июл.", "авг.", "сент.", "окт.", "нояб.", "дек.",
)  # fmt: skip
RUSSIAN_DAYS = ("понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье")
RUSSIAN_DAYS_SHORT = ("пн", "вт", "ср", "чт", "пт", "сб", "вс")
_ENGLISH_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_ENGLISH_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True)
class Culture:
    """``group``/``point`` of numbers; names of months and days; standard date patterns of .NET by their letter."""

    group: str = ","
    point: str = "."
    months: tuple[str, ...] = _ENGLISH_MONTHS
    months_of: tuple[str, ...] = _ENGLISH_MONTHS
    months_short: tuple[str, ...] = tuple(name[:3] for name in _ENGLISH_MONTHS)
    months_short_of: tuple[str, ...] = tuple(name[:3] for name in _ENGLISH_MONTHS)
    days: tuple[str, ...] = _ENGLISH_DAYS
    days_short: tuple[str, ...] = tuple(name[:3] for name in _ENGLISH_DAYS)
    halves: tuple[str, str] = ("AM", "PM")
    date_separator: str = "/"
    patterns: dict[str, str] = field(
        default_factory=lambda: {
            "d": "MM/dd/yyyy",
            "D": "dddd, dd MMMM yyyy",
            "t": "HH:mm",
            "T": "HH:mm:ss",
            "f": "dddd, dd MMMM yyyy HH:mm",
            "F": "dddd, dd MMMM yyyy HH:mm:ss",
            "g": "MM/dd/yyyy HH:mm",
            "G": "MM/dd/yyyy HH:mm:ss",
            "m": "MMMM dd",
            "y": "yyyy MMMM",
        }
    )


INVARIANT = Culture()
RUSSIAN = Culture(
    group="\xa0",
    point=",",
    months=RUSSIAN_MONTHS,
    months_of=RUSSIAN_MONTHS_OF,
    months_short=_RUSSIAN_SHORT,
    months_short_of=_RUSSIAN_SHORT_OF,
    days=RUSSIAN_DAYS,
    days_short=RUSSIAN_DAYS_SHORT,
    date_separator=".",
    patterns={
        "d": "dd.MM.yyyy",
        "D": "dddd, d MMMM yyyy\u202f'г'.",
        "t": "HH:mm",
        "T": "HH:mm:ss",
        "f": "dddd, d MMMM yyyy\u202f'г'. HH:mm",
        "F": "dddd, d MMMM yyyy\u202f'г'. HH:mm:ss",
        "g": "dd.MM.yyyy HH:mm",
        "G": "dd.MM.yyyy HH:mm:ss",
        "m": "d MMMM",
        "y": "MMMM yyyy 'г'.",
    },
)
ENGLISH = Culture(
    patterns={
        "d": "M/d/yyyy",
        "D": "dddd, MMMM d, yyyy",
        "t": "h:mm tt",
        "T": "h:mm:ss tt",
        "f": "dddd, MMMM d, yyyy h:mm tt",
        "F": "dddd, MMMM d, yyyy h:mm:ss tt",
        "g": "M/d/yyyy h:mm tt",
        "G": "M/d/yyyy h:mm:ss tt",
        "m": "MMMM d",
        "y": "MMMM yyyy",
    }
)
_KNOWN = {
    "ru": RUSSIAN,
    "en": ENGLISH,
    "de": Culture(group=".", point=","),
    "uk": Culture(group="\xa0", point=","),
    "be": Culture(group="\xa0", point=","),
    "kk": Culture(group="\xa0", point=","),
    "fr": Culture(group="\u202f", point=","),
    "es": Culture(group=".", point=","),
    "it": Culture(group=".", point=","),
}


def culture_of(locale: str | None, default: Culture) -> Culture:
    """The culture of a code like ``ru_RU``; ``default`` for none or an unknown one."""
    if not locale:
        return default
    language = locale.strip().lower().replace("-", "_").partition("_")[0]
    return _KNOWN.get(language, default)
