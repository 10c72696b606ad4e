"""Points on the time axis of documents: ``МоментВремени``, ``Граница``, and the bounds of register reads made of them.

Documents of one second stand in the order of their references. A plain date stands before all documents of its second.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.metadata.system_enums import EXCLUDING, INCLUDING
from scoring.engine.values.enums import EnumValue
from scoring.engine.values.members import ONEC, constructor, member, prop
from scoring.engine.values.model import EMPTY_DATE, MISSING, BslObject


class PointInTime(BslObject):
    """``МоментВремени``: a date and the document (or None) that stands there. Compared by content."""

    __slots__ = ("date", "ref")
    type_name = ("МоментВремени", "PointInTime")

    def __init__(self, date: datetime, ref: Any = None) -> None:
        self.date = date
        self.ref = ref

    @prop("Дата", "Date")
    def date_value(self, rt: Any) -> datetime:
        return self.date

    @prop("Ссылка", "Ref")
    def ref_value(self, rt: Any) -> Any:
        return self.ref

    @member("Сравнить", "Compare")
    def compare(self, rt: Any, other: Any) -> int:
        if not isinstance(other, PointInTime):
            raise BslRuntimeError("argument_type", number=1)
        mine, theirs = self.order_key, other.order_key
        return (mine > theirs) - (mine < theirs)

    @property
    def order_key(self) -> tuple[Any, ...]:
        return (self.date, *(self.ref.order_key if self.ref is not None else (-1, -1)))

    def same_value(self, other: Any) -> bool:
        return isinstance(other, PointInTime) and other.date == self.date and other.ref is self.ref

    def __eq__(self, other: object) -> bool:
        return self.same_value(other)

    def __hash__(self) -> int:
        return hash((self.date, id(self.ref)))

    def map_key(self) -> Any:
        return PointInTime, self.date, self.ref

    def __lt__(self, other: PointInTime) -> bool:
        return self.order_key < other.order_key

    def presentation(self, rt: Any) -> str:
        text = rt.text(self.date)
        return text if self.ref is None else f"{text}; {rt.text(self.ref)}"


class Boundary(BslObject):
    """``Граница``: a date or a point in time, taken in or left out."""

    __slots__ = ("kind", "value")
    type_name = ("Граница", "Boundary")

    def __init__(self, value: Any, kind: EnumValue = INCLUDING) -> None:
        self.value = value
        self.kind = kind

    @prop("Значение", "Value")
    def value_property(self, rt: Any) -> Any:
        return self.value

    @prop("ВидГраницы", "BoundaryType")
    def kind_property(self, rt: Any) -> EnumValue:
        return self.kind


@constructor("МоментВремени", "PointInTime", dialects=(ONEC,))
def new_point_in_time(rt: Any, date: Any, ref: Any = MISSING) -> PointInTime:
    if type(date) is not datetime:
        raise BslRuntimeError("argument_type", number=1, constructor="МоментВремени")
    return PointInTime(date, None if ref is MISSING else ref)


@constructor("Граница", "Boundary", dialects=(ONEC,))
def new_boundary(rt: Any, value: Any = MISSING, kind: Any = MISSING) -> Boundary:
    if value is MISSING:
        value = None
    elif type(value) is not datetime and not isinstance(value, PointInTime) and value is not None:
        raise BslRuntimeError("argument_type", number=1, constructor="Граница")
    if kind is MISSING:
        kind = INCLUDING
    elif kind is not INCLUDING and kind is not EXCLUDING:
        raise BslRuntimeError("argument_type", number=2, constructor="Граница")
    return Boundary(value, kind)


@dataclass(frozen=True, slots=True)
class Bound:
    """An end of a period of records: its date, the document in it, if any, and whether the place itself is in."""

    date: datetime
    ref: Any
    inclusive: bool


def bound_of(value: Any, inclusive: bool, empty_is_open: bool = True) -> Bound | None:
    """The bound that a period argument stands for; None = open. ``inclusive`` says how a plain date or point counts.

    Raises :class:`TypeError` for anything but a date, a point, a boundary, Неопределено or NULL.
    """
    if isinstance(value, Boundary):
        return bound_of(value.value, value.kind is INCLUDING, empty_is_open)
    if isinstance(value, PointInTime):
        if value.ref is None and empty_is_open and value.date == EMPTY_DATE:
            return None
        return Bound(value.date, value.ref, inclusive)
    if type(value) is datetime:
        if value == EMPTY_DATE and empty_is_open:
            return None
        return Bound(value, None, inclusive)
    if value is None:
        return None
    raise TypeError(value)
