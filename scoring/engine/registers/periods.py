"""Periodicities of virtual tables: keywords, truncation of dates, and the fields that each brings along."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from scoring.engine.metadata.types import DATE_TYPE, TypeDescription, number_type
from scoring.engine.storage.moments import Bound
from scoring.engine.storage.references import Row
from scoring.engine.storage.relations import ArgumentError, FieldInfo


def _midnight(date: datetime) -> datetime:
    return datetime(date.year, date.month, date.day)


def _ten_days(date: datetime) -> datetime:
    return datetime(date.year, date.month, 1 if date.day <= 10 else 11 if date.day <= 20 else 21)


# periodicity → the beginning of the period that a date falls into; finest first
TRUNCATE: dict[str, Callable[[datetime], datetime]] = {
    "Second": lambda date: date,
    "Minute": lambda date: date.replace(second=0),
    "Hour": lambda date: date.replace(minute=0, second=0),
    "Day": _midnight,
    "Week": lambda date: _midnight(date) - timedelta(days=date.weekday()),
    "TenDays": _ten_days,
    "Month": lambda date: datetime(date.year, date.month, 1),
    "Quarter": lambda date: datetime(date.year, (date.month - 1) // 3 * 3 + 1, 1),
    "HalfYear": lambda date: datetime(date.year, 1 if date.month <= 6 else 7, 1),
    "Year": lambda date: datetime(date.year, 1, 1),
}
RUSSIAN: dict[str, str] = {
    "Second": "Секунда",
    "Minute": "Минута",
    "Hour": "Час",
    "Day": "День",
    "Week": "Неделя",
    "TenDays": "Декада",
    "Month": "Месяц",
    "Quarter": "Квартал",
    "HalfYear": "Полугодие",
    "Year": "Год",
    "Recorder": "Регистратор",
    "Record": "Запись",
    "Auto": "Авто",
    "Period": "Период",
}
PERIODICITY: dict[str, str] = {spelled.lower(): key for key, russian in RUSSIAN.items() for spelled in (key, russian)}
SUPPLEMENT: dict[str, bool] = {
    "движения": False,
    "movements": False,
    "движенияиграницыпериода": True,
    "movementsandperiodboundaries": True,
}
LINE_TYPE = number_type(9)


def period_fields(periodicity: str, recorder: TypeDescription) -> list[FieldInfo]:
    """The fields that a periodicity (``""`` = none) puts in front of a table's own."""
    period = FieldInfo("Период", "Period", DATE_TYPE)
    by = FieldInfo("Регистратор", "Recorder", recorder)
    line = FieldInfo("НомерСтроки", "LineNumber", LINE_TYPE)
    if periodicity in ("", "Period"):
        return []
    if periodicity == "Auto":
        periods = [FieldInfo(f"Период{RUSSIAN[key]}", f"{key}Period", DATE_TYPE) for key in TRUNCATE]
        return [*periods, by, line]
    if periodicity == "Recorder":
        return [period, by]
    return [period, by, line] if periodicity == "Record" else [period]


@dataclass(frozen=True, slots=True)
class Grain:
    """How records are cut in time for one use of a table.

    ``key(row)`` identifies the cell, sortable in time by ``order``; ``cells(key)`` gives the values of the period fields;
    ``boundary(date)`` is the cell of an end of the period.
    """

    key: Callable[[Row], Any]
    order: Callable[[Any], Any]
    cells: Callable[[Any], tuple[Any, ...]]
    boundary: Callable[[datetime], Any]
    cuts: bool = True  # False where all time falls into one cell


NO_GRAIN = Grain(lambda row: None, lambda key: 0, lambda key: (), lambda date: None, cuts=False)


@dataclass(frozen=True, slots=True)
class Places:
    """Where a register's rows hold their period, recorder and line."""

    period: int
    recorder: int
    line: int


def grain_of(periodicity: str, used: frozenset[str], places: Places) -> Grain:
    """The grain for a periodicity, given the names of the fields that the query uses (they matter for Авто)."""
    if periodicity in ("", "Period"):
        return NO_GRAIN
    if periodicity == "Auto":
        return _automatic(used, places)
    if periodicity == "Record":
        return _by_record(places, lambda date, ref, line: (date, ref, line))
    if periodicity == "Recorder":
        return _by_recorder(places, lambda date, ref: (date, ref))
    return _by_period(places.period, TRUNCATE[periodicity], lambda date: (date,))


def _by_period(place: int, truncate: Callable[[datetime], datetime], cells: Callable[[datetime], tuple[Any, ...]]) -> Grain:
    return Grain(
        lambda row: truncate(row[place]),
        lambda key: key,
        cells,
        truncate,
    )


def _recorder_order(ref: Any) -> tuple[int, int]:
    return ref.order_key if ref is not None else (-1, -1)


def _by_recorder(places: Places, cells: Callable[[datetime, Any], tuple[Any, ...]]) -> Grain:
    period, recorder = places.period, places.recorder
    return Grain(
        lambda row: (row[period], row[recorder]),
        lambda key: (key[0], _recorder_order(key[1])),
        lambda key: cells(*key),
        lambda date: (date, None),
    )


def _by_record(places: Places, cells: Callable[[datetime, Any, Any], tuple[Any, ...]]) -> Grain:
    period, recorder, line = places.period, places.recorder, places.line
    return Grain(
        lambda row: (row[period], row[recorder], row[line]),
        lambda key: (key[0], _recorder_order(key[1]), key[2] or 0),
        lambda key: cells(*key),
        lambda date: (date, None, None),
    )


def _automatic(used: frozenset[str], places: Places) -> Grain:
    """Авто: the finest of the period fields in use decides; coarser ones are cut from it, finer ones stay empty."""

    def cells(date: datetime, ref: Any = None, line: Any = None, finest: int = 0) -> tuple[Any, ...]:
        periods = [cut(date) if place >= finest else None for place, cut in enumerate(TRUNCATE.values())]
        return (*periods, ref, line)

    if "номерстроки" in used:
        return _by_record(places, lambda date, ref, line: cells(date, ref, line))
    if "регистратор" in used:
        return _by_recorder(places, lambda date, ref: cells(date, ref))
    for place, (key, truncate) in enumerate(TRUNCATE.items()):
        if f"период{RUSSIAN[key].lower()}" in used:
            return _by_period(
                places.period,
                truncate,
                lambda date, place=place: cells(date, finest=place),  # type: ignore[misc]
            )
    width = len(TRUNCATE) + 2
    return Grain(lambda row: None, lambda key: 0, lambda key: (None,) * width, lambda date: None, cuts=False)


def keyword(arguments: Sequence[Any], number: int, words: dict[str, Any], default: Any) -> Any:
    """The meaning of the keyword written at parameter ``number``; raises :class:`ArgumentError` for another word."""
    written = arguments[number] if number < len(arguments) else None
    if written is None:
        return default
    found = words.get(written.lower()) if isinstance(written, str) else None
    if found is None:
        raise ArgumentError(number)
    return found


def opposite(bound: Bound) -> Bound:
    """The bound that ends right where ``bound``, as a lower one, begins."""
    return Bound(bound.date, bound.ref, not bound.inclusive)
