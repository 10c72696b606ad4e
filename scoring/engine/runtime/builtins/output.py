"""What programs print, and the generator of random numbers."""

from __future__ import annotations

import random
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import integer, is_onec, optional_integer
from scoring.engine.values.enums import EnumType
from scoring.engine.values.members import ONEC, ONESCRIPT, builtin, constructor, member, prop
from scoring.engine.values.model import MISSING, BslObject


@builtin("Сообщить", "Message", procedure=True)
def message(rt: Any, text: Any, status: Any = MISSING) -> None:
    known = status is MISSING or status is None or getattr(status, "owner", None) is EnumType.all["статуссообщения"]
    if is_onec(rt) and not known:
        raise BslRuntimeError("argument_type", number=2, method="Сообщить")
    rt.print(rt.text(text))


@builtin("Приостановить", "Sleep", procedure=True, dialects=(ONESCRIPT,))
def sleep(rt: Any, milliseconds: Any) -> None:
    """Moves the run's own clock on instead of waiting."""
    rt.clock.milliseconds += max(0, integer(rt, milliseconds))


@builtin("ЗаписьЖурналаРегистрации", "WriteLogEvent", procedure=True, dialects=(ONEC,))
def write_log_event(
    rt: Any, event: Any, level: Any = MISSING, item: Any = MISSING, data: Any = MISSING, comment: Any = MISSING,
    mode: Any = MISSING,
) -> None:  # fmt: skip
    """The log is kept nowhere: a program can't read it back."""
    rt.text(event)


class UserMessage(BslObject):
    """``СообщениеПользователю``."""

    __slots__ = ("fields",)
    type_name = ("СообщениеПользователю", "UserMessage")

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {"текст": "", "поле": "", "ключданных": None, "путькданным": ""}

    def _set_text(self, rt: Any, value: Any) -> None:
        self.fields["текст"] = rt.text(value)

    @prop("Текст", "Text", writable=_set_text)
    def text(self, rt: Any) -> Any:
        return self.fields["текст"]

    def _set_field(self, rt: Any, value: Any) -> None:
        self.fields["поле"] = rt.text(value)

    @prop("Поле", "Field", writable=_set_field)
    def field(self, rt: Any) -> Any:
        return self.fields["поле"]

    def _set_key(self, rt: Any, value: Any) -> None:
        self.fields["ключданных"] = value

    @prop("КлючДанных", "DataKey", writable=_set_key)
    def key(self, rt: Any) -> Any:
        return self.fields["ключданных"]

    def _set_path(self, rt: Any, value: Any) -> None:
        self.fields["путькданным"] = rt.text(value)

    @prop("ПутьКДанным", "DataPath", writable=_set_path)
    def path(self, rt: Any) -> Any:
        return self.fields["путькданным"]

    @member("Сообщить", "Message", procedure=True)
    def send(self, rt: Any) -> None:
        rt.print(self.fields["текст"])

    @member("УстановитьДанные", "SetData", procedure=True)
    def set_data(self, rt: Any, data: Any) -> None:
        self.fields["ключданных"] = data


@constructor("СообщениеПользователю", "UserMessage", dialects=(ONEC,))
def new_user_message(rt: Any) -> UserMessage:
    return UserMessage()


class RandomNumbers(BslObject):
    """``ГенераторСлучайныхЧисел``: reproducible, since without a seed it draws from the run's own source."""

    __slots__ = ("source",)
    type_name = ("ГенераторСлучайныхЧисел", "RandomNumberGenerator")

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)

    @member("СлучайноеЧисло", "RandomNumber")
    def next_number(self, rt: Any, low: Any = MISSING, high: Any = MISSING) -> int:
        first = self._bound(rt, low, 0)
        last = self._bound(rt, high, 2**32 - 1)
        if first > last:
            raise BslRuntimeError("argument_invalid", method="СлучайноеЧисло")
        return self.source.randint(first, last)

    @staticmethod
    def _bound(rt: Any, value: Any, default: int) -> int:
        if value is MISSING or value is None:
            return default
        bound = int(rt.number(value))
        if not 0 <= bound < 2**32 and not (is_onec(rt) is False and -(2**63) <= bound < 2**63):
            raise BslRuntimeError("argument_invalid", method="СлучайноеЧисло")
        return bound


@constructor("ГенераторСлучайныхЧисел", "RandomNumberGenerator")
def new_random_numbers(rt: Any, seed: Any = MISSING) -> RandomNumbers:
    return RandomNumbers(optional_integer(rt, seed, 0) if seed is not MISSING else rt.random.getrandbits(32))
