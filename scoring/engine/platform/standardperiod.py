"""``СтандартныйПериод``: two dates, given or by a variant relative to today."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from scoring.engine.platform.faults import wrong_argument
from scoring.engine.registers.periods import TRUNCATE
from scoring.engine.values.enums import EnumValue, define_enum
from scoring.engine.values.members import ONEC, constructor, prop
from scoring.engine.values.model import EMPTY_DATE, MISSING, BslObject

SECOND = timedelta(seconds=1)
VARIANT = define_enum(
    "ВариантСтандартногоПериода",
    "StandardPeriodVariant",
    [
        ("ПроизвольныйПериод", "Custom"),
        ("Сегодня", "Today"),
        ("Вчера", "Yesterday"),
        ("Завтра", "Tomorrow"),
        ("ЭтаНеделя", "ThisWeek"),
        ("ПрошлаяНеделя", "LastWeek"),
        ("СледующаяНеделя", "NextWeek"),
        ("ЭтаДекада", "ThisTenDays"),
        ("ПрошлаяДекада", "LastTenDays"),
        ("СледующаяДекада", "NextTenDays"),
        ("ЭтотМесяц", "ThisMonth"),
        ("ПрошлыйМесяц", "LastMonth"),
        ("СледующийМесяц", "NextMonth"),
        ("ЭтотКвартал", "ThisQuarter"),
        ("ПрошлыйКвартал", "LastQuarter"),
        ("СледующийКвартал", "NextQuarter"),
        ("ЭтоПолугодие", "ThisHalfYear"),
        ("ПрошлоеПолугодие", "LastHalfYear"),
        ("СледующееПолугодие", "NextHalfYear"),
        ("ЭтотГод", "ThisYear"),
        ("ПрошлыйГод", "LastYear"),
        ("СледующийГод", "NextYear"),
    ],
    dialects=(ONEC,),
)
# English names of the variants end in the name of a periodicity; days have words of their own.
DAY_SHIFTS = {"Today": 0, "Yesterday": -1, "Tomorrow": 1}
SHIFTS = {"This": 0, "Last": -1, "Next": 1}


def period_of(variant: EnumValue, today: datetime) -> tuple[datetime, datetime]:
    """First and last second of the period that a variant means today."""
    if variant.english in DAY_SHIFTS:
        start = TRUNCATE["Day"](today) + timedelta(days=DAY_SHIFTS[variant.english])
        return start, start + timedelta(days=1) - SECOND
    shift, cut = SHIFTS[variant.english[:4]], TRUNCATE[variant.english[4:]]
    start = cut(today)
    if shift < 0:
        start = cut(start - SECOND)
    elif shift > 0:
        start = following(start, cut)
    return start, following(start, cut) - SECOND


def following(start: datetime, cut: Callable[[datetime], datetime]) -> datetime:
    """The beginning of the period after the one that begins at ``start``: stepping over half a year at most twice."""
    later = start
    while cut(later) == start:
        later += timedelta(days=7)
    return cut(later) if cut(later) != start else later


class StandardPeriod(BslObject):
    type_name = ("СтандартныйПериод", "StandardPeriod")

    def __init__(self, start: datetime = EMPTY_DATE, end: datetime = EMPTY_DATE) -> None:
        self.start = start
        self.end = end
        self.variant = VARIANT["Custom"]

    def apply(self, rt: Any, variant: Any) -> None:
        if not isinstance(variant, EnumValue) or variant.owner is not VARIANT:
            raise wrong_argument(1)
        self.variant = variant
        if variant is not VARIANT["Custom"]:
            self.start, self.end = period_of(variant, rt.clock.current())

    def _set_start(self, rt: Any, value: Any) -> None:
        self.start, self.variant = rt.date(value), VARIANT["Custom"]

    def _set_end(self, rt: Any, value: Any) -> None:
        self.end, self.variant = rt.date(value), VARIANT["Custom"]

    @prop("ДатаНачала", "StartDate", writable=_set_start)
    def get_start(self, rt: Any) -> datetime:
        return self.start

    @prop("ДатаОкончания", "EndDate", writable=_set_end)
    def get_end(self, rt: Any) -> datetime:
        return self.end

    @prop("Вариант", "Variant", writable=apply)
    def get_variant(self, rt: Any) -> EnumValue:
        return self.variant

    def is_filled(self, rt: Any) -> bool:
        return self.start != EMPTY_DATE or self.end != EMPTY_DATE

    def presentation(self, rt: Any) -> str:
        return f"{rt.text(self.start)} - {rt.text(self.end)}"


@constructor("СтандартныйПериод", "StandardPeriod", dialects=(ONEC,))
def new_standard_period(rt: Any, first: Any = MISSING, last: Any = MISSING) -> StandardPeriod:
    period = StandardPeriod()
    if isinstance(first, EnumValue):
        period.apply(rt, first)
        return period
    for number, value in ((1, first), (2, last)):
        if value is not MISSING and type(value) is not datetime:
            raise wrong_argument(number)
    return StandardPeriod(
        EMPTY_DATE if first is MISSING else first,
        EMPTY_DATE if last is MISSING else last,
    )
