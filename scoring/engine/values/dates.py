"""Dates of both engines: plain ``datetime`` without a zone, 0001-01-01 being the empty date.

.NET counts ticks of 100 ns, but every operation that the language offers works in whole milliseconds, so that ``datetime``
holds all that can arise.
"""

from __future__ import annotations

import calendar
import re
from datetime import datetime, timedelta

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.model import EMPTY_DATE
from scoring.engine.values.numbers import Number, from_double, join, parts, to_double

_MAX_MILLISECONDS = 315_537_897_600_000.0
_MAX_SECONDS = 315_537_897_600
_COMPACT = re.compile(r"\d{8}(?:\d{4}|\d{6})?", re.ASCII)
# 1C dates end with the year 3999.
ONEC_MAX_YEAR = 3999


def parse_compact(text: str) -> datetime | None:
    """``yyyyMMdd``, ``yyyyMMddHHmm`` or ``yyyyMMddHHmmss``; all zeros are the empty date; None where it is no date."""
    if not _COMPACT.fullmatch(text):
        return None
    if text.strip("0") == "":
        return EMPTY_DATE
    padded = text.ljust(14, "0")
    try:
        return datetime(
            int(padded[:4]), int(padded[4:6]), int(padded[6:8]), int(padded[8:10]), int(padded[10:12]), int(padded[12:])
        )
    except ValueError:
        return None


def _unrepresentable(parameter: str) -> BslRuntimeError:
    return BslRuntimeError("date_range", parameter=parameter)


def net_add_seconds(moment: datetime, seconds: Number) -> datetime:
    """``DateTime.AddSeconds(double)`` of .NET Core 3: rounded to whole milliseconds."""
    if type(seconds) is int and -_MAX_SECONDS < seconds < _MAX_SECONDS:
        try:
            return moment + timedelta(0, seconds)
        except OverflowError:
            raise _unrepresentable("value") from None
    milliseconds = to_double(seconds) * 1000.0
    milliseconds += 0.5 if milliseconds >= 0 else -0.5
    if not -_MAX_MILLISECONDS < milliseconds < _MAX_MILLISECONDS:
        raise BslRuntimeError("date_add_range")
    try:
        return moment + timedelta(milliseconds=int(milliseconds))
    except OverflowError:
        raise _unrepresentable("value") from None


def seconds_between(later: datetime, earlier: datetime) -> Number:
    """``later - earlier`` in seconds, with the fraction of a second where there is one."""
    span = later - earlier
    whole = span.days * 86400 + span.seconds
    if not span.microseconds:
        return whole
    return from_double(whole + span.microseconds / 1e6)


def net_add_months(moment: datetime, months: int) -> datetime:
    """``DateTime.AddMonths``: the day is cut to the length of the month."""
    if not -120000 <= months <= 120000:
        raise BslRuntimeError("date_months_range")
    shifted = _shift_months(moment, months)
    if shifted is None:
        raise _unrepresentable("months")
    return shifted


def _shift_months(moment: datetime, months: int) -> datetime | None:
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        return None
    day = min(moment.day, calendar.monthrange(year, month + 1)[1])
    return moment.replace(year=year, month=month + 1, day=day)


def onec_add_months(moment: datetime, months: int) -> datetime:
    shifted = _shift_months(moment, months)
    if shifted is None or shifted.year > ONEC_MAX_YEAR:
        raise BslRuntimeError("date_range", parameter="months")
    return shifted


def onec_add_seconds(moment: datetime, seconds: Number) -> datetime:
    """1C dates hold whole seconds; a fraction is rounded."""
    mantissa, scale = parts(seconds)
    unit = 10**scale
    whole = (2 * abs(mantissa) + unit) // (2 * unit)
    try:
        return moment + timedelta(seconds=-whole if mantissa < 0 else whole)
    except OverflowError:
        raise _unrepresentable("value") from None


def begin_of_day(moment: datetime) -> datetime:
    return datetime(moment.year, moment.month, moment.day)


def end_of_day(moment: datetime) -> datetime:
    return datetime(moment.year, moment.month, moment.day, 23, 59, 59)


def begin_of_quarter(moment: datetime) -> datetime:
    return datetime(moment.year, (moment.month - 1) // 3 * 3 + 1, 1)


def end_of_quarter(moment: datetime) -> datetime:
    return end_of_month(datetime(moment.year, (moment.month - 1) // 3 * 3 + 3, 1))


def end_of_month(moment: datetime) -> datetime:
    last = calendar.monthrange(moment.year, moment.month)[1]
    return datetime(moment.year, moment.month, last, 23, 59, 59)


def begin_of_week(moment: datetime) -> datetime:
    """Monday of the week; the first day that exists where that lies before 0001-01-01."""
    try:
        return begin_of_day(moment) - timedelta(days=moment.weekday())
    except OverflowError:
        raise _unrepresentable("value") from None


def end_of_week(moment: datetime) -> datetime:
    try:
        return end_of_day(moment) + timedelta(days=6 - moment.weekday())
    except OverflowError:
        raise _unrepresentable("value") from None


def week_of_year(moment: datetime) -> int:
    """The week that holds 1 January is the first one; weeks begin on Monday."""
    first = datetime(moment.year, 1, 1).weekday()
    return (moment.timetuple().tm_yday - 1 + first) // 7 + 1


def fraction(milliseconds: int) -> Number:
    """Milliseconds as a number of seconds."""
    return join(milliseconds, 3)
