"""Functions over dates."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import integer, is_onec
from scoring.engine.values import dates
from scoring.engine.values.members import ONEC, builtin
from scoring.engine.values.model import MISSING


def _part(function: Callable[[datetime], Any]) -> Callable[[Any, Any], Any]:
    def of_date(rt: Any, date: Any) -> Any:
        return function(rt.date(date))

    return of_date


for _name, _english, _function in (
    ("Год", "Year", lambda d: d.year),
    ("Месяц", "Month", lambda d: d.month),
    ("День", "Day", lambda d: d.day),
    ("Час", "Hour", lambda d: d.hour),
    ("Минута", "Minute", lambda d: d.minute),
    ("Секунда", "Second", lambda d: d.second),
    ("ДеньГода", "DayOfYear", lambda d: d.timetuple().tm_yday),
    ("ДеньНедели", "WeekDay", lambda d: d.weekday() + 1),
    ("НеделяГода", "WeekOfYear", dates.week_of_year),
    ("НачалоГода", "BegOfYear", lambda d: datetime(d.year, 1, 1)),
    ("НачалоКвартала", "BegOfQuarter", dates.begin_of_quarter),
    ("НачалоМесяца", "BegOfMonth", lambda d: datetime(d.year, d.month, 1)),
    ("НачалоНедели", "BegOfWeek", dates.begin_of_week),
    ("НачалоДня", "BegOfDay", dates.begin_of_day),
    ("НачалоЧаса", "BegOfHour", lambda d: datetime(d.year, d.month, d.day, d.hour)),
    ("НачалоМинуты", "BegOfMinute", lambda d: datetime(d.year, d.month, d.day, d.hour, d.minute)),
    ("КонецГода", "EndOfYear", lambda d: datetime(d.year, 12, 31, 23, 59, 59)),
    ("КонецКвартала", "EndOfQuarter", dates.end_of_quarter),
    ("КонецМесяца", "EndOfMonth", dates.end_of_month),
    ("КонецНедели", "EndOfWeek", dates.end_of_week),
    ("КонецДня", "EndOfDay", dates.end_of_day),
    ("КонецЧаса", "EndOfHour", lambda d: datetime(d.year, d.month, d.day, d.hour, 59, 59)),
    ("КонецМинуты", "EndOfMinute", lambda d: datetime(d.year, d.month, d.day, d.hour, d.minute, 59)),
):
    builtin(_name, _english)(_part(_function))


@builtin("ДобавитьМесяц", "AddMonth")
def add_month(rt: Any, date: Any, months: Any) -> datetime:
    count = integer(rt, months)
    moment = rt.date(date)
    return dates.onec_add_months(moment, count) if is_onec(rt) else dates.net_add_months(moment, count)


@builtin("Дата", "Date")
def date(
    rt: Any,
    year: Any,
    month: Any = MISSING,
    day: Any = MISSING,
    hour: Any = MISSING,
    minute: Any = MISSING,
    second: Any = MISSING,
) -> datetime:
    """A date from its digits in a string, or from three to six numbers."""
    given = _trimmed((year, month, day, hour, minute, second))
    if len(given) == 1:
        return _from_text(rt, year)
    if len(given) == 2:
        raise BslRuntimeError("argument_count", method="Дата")
    numbers = [integer(rt, part) for part in given]
    return _from_numbers(*numbers)


def _trimmed(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    while len(arguments) > 1 and arguments[-1] is MISSING:
        arguments = arguments[:-1]
    return arguments


def _from_text(rt: Any, value: Any) -> datetime:
    if is_onec(rt) and type(value) is datetime:
        return value
    moment = dates.parse_compact(rt.text(value))
    if moment is None:
        raise BslRuntimeError("to_date")
    return moment


def _from_numbers(year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> datetime:
    try:
        whole_day = datetime(year, month, day)
    except (ValueError, OverflowError):
        raise BslRuntimeError("date_parts", parts="Year, Month, and Day", number=1, method="Дата") from None
    if not (0 <= hour <= 23 and 0 <= minute <= 59 and 0 <= second <= 59):
        raise BslRuntimeError("date_parts", parts="Hour, Minute, and Second", number=4, method="Дата")
    return whole_day.replace(hour=hour, minute=minute, second=second)


@builtin("ТекущаяДата", "CurrentDate")
def current_date(rt: Any) -> datetime:
    return rt.clock.current().replace(microsecond=0)


@builtin("ТекущаяДатаСеанса", "CurrentSessionDate", dialects=(ONEC,))
def current_session_date(rt: Any) -> datetime:
    return rt.clock.current().replace(microsecond=0)


@builtin("ТекущаяУниверсальнаяДата", "CurrentUniversalDate")
def current_universal_date(rt: Any) -> datetime:
    return rt.clock.current().replace(microsecond=0)


@builtin("ТекущаяУниверсальнаяДатаВМиллисекундах", "CurrentUniversalDateInMilliseconds")
def current_milliseconds(rt: Any) -> int:
    """Milliseconds since 0001-01-01 by the run's own clock."""
    return (rt.clock.current() - datetime.min) // timedelta(milliseconds=1) + rt.clock.milliseconds


def _same_moment(rt: Any, date: Any, zone: Any = MISSING) -> datetime:
    """The run's clock lives in UTC, so that local and universal time are the same."""
    return rt.date(date)


builtin("МестноеВремя", "ToLocalTime")(_same_moment)
builtin("УниверсальноеВремя", "ToUniversalTime")(_same_moment)


@builtin("ЧасовойПояс", "TimeZone")
def time_zone(rt: Any) -> str:
    return "UTC"


@builtin("СмещениеСтандартногоВремени", "StandardTimeOffset")
def standard_offset(rt: Any, zone: Any = MISSING, date: Any = MISSING) -> int:
    return 0


@builtin("СмещениеЛетнегоВремени", "DaylightTimeOffset")
def daylight_offset(rt: Any, zone: Any = MISSING, date: Any = MISSING) -> int:
    return 0
