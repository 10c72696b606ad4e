"""Periods of dates as queries cut, shift and count them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from scoring.engine.values.dates import (
    begin_of_day,
    begin_of_quarter,
    end_of_day,
    end_of_month,
    end_of_quarter,
    onec_add_months,
)
from scoring.engine.values.model import EMPTY_DATE

DAY = timedelta(days=1)


def _begin_of_week(moment: datetime) -> datetime:
    day = begin_of_day(moment)
    try:
        return day - timedelta(days=moment.weekday())
    except OverflowError:
        return EMPTY_DATE


def _begin_of_ten_days(moment: datetime) -> datetime:
    day = 1 if moment.day <= 10 else 11 if moment.day <= 20 else 21
    return datetime(moment.year, moment.month, day)


def _end_of_ten_days(moment: datetime) -> datetime:
    if moment.day > 20:
        return end_of_month(moment)
    return datetime(moment.year, moment.month, 10 if moment.day <= 10 else 20, 23, 59, 59)


def _half(moment: datetime) -> int:
    return 1 if moment.month <= 6 else 7


BEGIN: dict[str, Callable[[datetime], datetime]] = {
    "СЕКУНДА": lambda moment: moment,
    "МИНУТА": lambda moment: moment.replace(second=0, microsecond=0),
    "ЧАС": lambda moment: moment.replace(minute=0, second=0, microsecond=0),
    "ДЕНЬ": begin_of_day,
    "НЕДЕЛЯ": _begin_of_week,
    "ДЕКАДА": _begin_of_ten_days,
    "МЕСЯЦ": lambda moment: datetime(moment.year, moment.month, 1),
    "КВАРТАЛ": begin_of_quarter,
    "ПОЛУГОДИЕ": lambda moment: datetime(moment.year, _half(moment), 1),
    "ГОД": lambda moment: datetime(moment.year, 1, 1),
}

END: dict[str, Callable[[datetime], datetime]] = {
    "СЕКУНДА": lambda moment: moment,
    "МИНУТА": lambda moment: moment.replace(second=59, microsecond=0),
    "ЧАС": lambda moment: moment.replace(minute=59, second=59, microsecond=0),
    "ДЕНЬ": end_of_day,
    "НЕДЕЛЯ": lambda moment: end_of_day(moment) + timedelta(days=6 - moment.weekday()),
    "ДЕКАДА": _end_of_ten_days,
    "МЕСЯЦ": end_of_month,
    "КВАРТАЛ": end_of_quarter,
    "ПОЛУГОДИЕ": lambda moment: end_of_month(datetime(moment.year, _half(moment) + 5, 1)),
    "ГОД": lambda moment: datetime(moment.year, 12, 31, 23, 59, 59),
}

_SECONDS = {"СЕКУНДА": 1, "МИНУТА": 60, "ЧАС": 3600, "ДЕНЬ": 86400, "НЕДЕЛЯ": 7 * 86400, "ДЕКАДА": 10 * 86400}
_MONTHS = {"МЕСЯЦ": 1, "КВАРТАЛ": 3, "ПОЛУГОДИЕ": 6, "ГОД": 12}


def add(moment: datetime, part: str, count: int) -> datetime:
    """``moment`` shifted by ``count`` periods; raises OverflowError or a runtime error out of the range of dates."""
    if part in _SECONDS:
        return moment + timedelta(seconds=_SECONDS[part] * count)
    return onec_add_months(moment, _MONTHS[part] * count)


def difference(first: datetime, second: datetime, part: str) -> int:
    """How many boundaries of ``part`` lie between: 31.12 23:00 and 01.01 01:00 differ by one day, one year."""
    if part in ("СЕКУНДА", "МИНУТА", "ЧАС", "ДЕНЬ", "НЕДЕЛЯ"):
        span = BEGIN[part](second) - BEGIN[part](first)
        return (span.days * 86400 + span.seconds) // _SECONDS[part]
    months = (second.year - first.year) * 12 + second.month - first.month
    if part == "МЕСЯЦ":
        return months
    if part == "КВАРТАЛ":
        return (second.year - first.year) * 4 + (second.month - 1) // 3 - (first.month - 1) // 3
    if part == "ПОЛУГОДИЕ":
        return (second.year - first.year) * 2 + (second.month > 6) - (first.month > 6)
    if part == "ГОД":
        return second.year - first.year
    return months * 3 + min((second.day - 1) // 10, 2) - min((first.day - 1) // 10, 2)


def series(part: str, first: datetime, last: datetime) -> list[datetime]:
    """The beginnings of all periods from the one holding ``first`` to the one holding ``last``."""
    moment = BEGIN[part](first)
    result: list[datetime] = []
    while moment <= last and len(result) < 1_000_000:
        result.append(moment)
        if part == "ДЕКАДА":
            moment = _end_of_ten_days(moment) + timedelta(seconds=1)
        else:
            moment = add(moment, part, 1)
    return result
