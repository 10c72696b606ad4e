"""``ЧтениеJSON``, ``ЗаписьJSON``, ``ПрочитатьJSON``, ``ЗаписатьJSON``: JSON in memory."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import PARSE_STEPS, is_onec, optional_boolean, worked
from scoring.engine.runtime.builtins.enums import system_enum
from scoring.engine.runtime.builtins.json import net
from scoring.engine.runtime.builtins.json.reader import MOST_DEPTH, JsonError, JsonReader
from scoring.engine.runtime.builtins.json.writer import NET_INDENT, JsonLayout, JsonWriteError, JsonWriter
from scoring.engine.values import numbers
from scoring.engine.values.enums import EnumValue
from scoring.engine.values.members import builtin, constructor, member, prop
from scoring.engine.values.model import MISSING, NULL, BslObject

_VALUE_TYPES = system_enum("ТипЗначенияJSON")
_ISO_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?", re.ASCII)
_EPOCH = datetime(1970, 1, 1)
# Bytes that one value of a document takes.
_VALUE_SIZE = 100


class JsonReading(BslObject):
    """``ЧтениеJSON`` over a string."""

    __slots__ = ("reader",)
    type_name = ("ЧтениеJSON", "JSONReader")

    def __init__(self) -> None:
        self.reader: JsonReader | None = None

    def opened(self) -> JsonReader:
        if self.reader is None:
            raise BslRuntimeError("json_read", line=0, position=0, reason="Источник данных JSON не открыт")
        return self.reader

    def step(self, action: Callable[[JsonReader], bool]) -> bool:
        reader = self.opened()
        try:
            return action(reader)
        except JsonError as error:
            raise self.failure(str(error)) from None

    def failure(self, reason: str) -> BslRuntimeError:
        reader = self.opened()
        return BslRuntimeError("json_read", line=reader.line, position=reader.column, reason=reason)

    @member("УстановитьСтроку", "SetString", procedure=True)
    def set_string(self, rt: Any, text: Any) -> None:
        source = rt.text(text)
        rt.reserve(_VALUE_SIZE * source.count(","))
        worked(rt, len(source), PARSE_STEPS)
        self.reader = JsonReader(source, lenient=not is_onec(rt))

    @member("ОткрытьФайл", "OpenFile", procedure=True)
    def open_file(self, rt: Any, path: Any, encoding: Any = MISSING) -> None:
        raise BslRuntimeError("forbidden", what="ЧтениеJSON.ОткрытьФайл")

    @member("Прочитать", "Read")
    def read(self, rt: Any) -> bool:
        return self.step(JsonReader.read)

    @member("Пропустить", "Skip")
    def skip(self, rt: Any) -> bool:
        return self.step(JsonReader.skip)

    @member("Закрыть", "Close", procedure=True)
    def close(self, rt: Any) -> None:
        self.reader = None

    @prop("ТекущееЗначение", "CurrentValue")
    def current_value(self, rt: Any) -> Any:
        reader = self.opened()
        if reader.kind not in ("PropertyName", "String", "Number", "Boolean", "Null"):
            raise self.failure("Текущее значение не может быть получено")
        return _number(rt, reader.value)

    @prop("ТипТекущегоЗначения", "CurrentValueType")
    def current_type(self, rt: Any) -> EnumValue:
        return _VALUE_TYPES[self.opened().kind]


@constructor("ЧтениеJSON", "JSONReader")
def new_reading(rt: Any) -> JsonReading:
    return JsonReading()


def _number(rt: Any, value: Any) -> Any:
    """A number as the dialect holds it; other values as they are."""
    if type(value) is not Decimal and type(value) is not int:
        return value
    if not is_onec(rt):
        return net.read(value)
    return numbers.onec_normal(value) if type(value) is Decimal else value


# ── reading whole documents ────────────────────────────────────────────────────────────────────────────────────────


@builtin("ПрочитатьJSON", "ReadJSON")
def read_json(
    rt: Any,
    source: Any,
    as_map: Any = MISSING,
    date_names: Any = MISSING,
    date_format: Any = MISSING,
    function_name: Any = MISSING,
    module: Any = MISSING,
    parameters: Any = MISSING,
    function_names: Any = MISSING,
    most_depth: Any = MISSING,
) -> Any:
    """The value of the document at the reader's place; objects become structures, or maps where asked for."""
    if function_name is not MISSING and function_name not in (None, ""):
        rt.dialect.unsupported("ПрочитатьJSON: ИмяФункцииВосстановления")
    if not isinstance(source, JsonReading):
        raise BslRuntimeError("argument_type", number=1, method="ПрочитатьJSON")
    dates = _date_names(rt, date_names)
    return _Builder(rt, source, optional_boolean(rt, as_map, False), dates).build()


def _date_names(rt: Any, names: Any) -> frozenset[str]:
    if names is MISSING or names is None:
        return frozenset()
    if isinstance(names, str):
        return frozenset(name.strip() for name in names.split(","))
    if not isinstance(names, BslObject):
        raise BslRuntimeError("argument_type", number=3, method="ПрочитатьJSON")
    return frozenset(rt.text(name) for name in names.iterate(rt))


class _Builder:
    """Builds a value from tokens, with its own stack."""

    def __init__(self, rt: Any, source: JsonReading, as_map: bool, date_names: frozenset[str]) -> None:
        self.rt = rt
        self.source = source
        self.as_map = as_map
        self.date_names = date_names
        self.stack: list[tuple[Any, str]] = []  # containers being filled, with the property they go to
        self.name = ""

    def build(self) -> Any:
        reader = self.source.opened()
        if reader.kind in ("None", "PropertyName") and not self.source.step(JsonReader.read):
            raise self.source.failure("Unexpected end of text")
        while True:
            done, value = self._token(reader)
            if done:
                return value
            if not self.source.step(JsonReader.read):
                raise self.source.failure("Unexpected end of text")

    def _token(self, reader: JsonReader) -> tuple[bool, Any]:
        if reader.kind == "PropertyName":
            self.name = reader.value
            return False, None
        if reader.kind in ("ObjectStart", "ArrayStart"):
            self.stack.append((self._container(reader.kind), self.name))
            return False, None
        if reader.kind in ("ObjectEnd", "ArrayEnd"):
            value, self.name = self.stack.pop()
        else:
            value = self._scalar(reader.value)
        if not self.stack:
            return True, value
        self._add(value)
        return False, None

    def _container(self, kind: str) -> Any:
        from scoring.engine.collections import new_array, new_map, new_structure

        if kind == "ArrayStart":
            return new_array([])
        return new_map(self.rt) if self.as_map else new_structure()

    def _scalar(self, value: Any) -> Any:
        if self.name in self.date_names and isinstance(value, str):
            return parse_json_date(value)
        return _number(self.rt, value)

    def _add(self, value: Any) -> None:
        container = self.stack[-1][0]
        kind = container.type_name[0]
        if kind == "Массив":
            container.items.append(value)
            return
        try:
            insert = container.find_method(self.rt, "Вставить")
            insert.function(container, self.rt, self.name, value)
        except BslRuntimeError as error:
            raise self.source.failure(self.rt.dialect.render(error)) from None


def parse_json_date(text: str) -> datetime:
    """A date as ISO 8601, ``/Date(…)/`` or ``new Date(…)``; raises ``argument_invalid``."""
    match = _ISO_DATE.fullmatch(text.strip())
    try:
        if match:
            year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
            return datetime(year, month, day, hour, minute, second)
        numeric = re.fullmatch(r"(?:/|new )Date\((-?\d{1,16})\)/?", text.strip())
        if numeric:
            return _EPOCH + timedelta(milliseconds=int(numeric[1]) // 1000 * 1000)
    except (ValueError, OverflowError):
        pass
    raise BslRuntimeError("argument_invalid", method="ПрочитатьДатуJSON")


@builtin("ПрочитатьДатуJSON", "ReadJSONDate")
def read_json_date(rt: Any, text: Any, date_format: Any = MISSING) -> datetime:
    return parse_json_date(rt.text(text))


# ── writing ────────────────────────────────────────────────────────────────────────────────────────────────────────


class JsonWriterSettings(BslObject):
    """``ПараметрыЗаписиJSON``."""

    __slots__ = ("layout", "given")
    type_name = ("ПараметрыЗаписиJSON", "JSONWriterSettings")

    def __init__(self, layout: JsonLayout, given: list[Any]) -> None:
        self.layout = layout
        self.given = given

    @prop("ПереносСтрок", "NewLines")
    def new_lines(self, rt: Any) -> Any:
        return self.given[0]

    @prop("СимволыОтступа", "PaddingSymbols")
    def padding(self, rt: Any) -> str:
        return self.given[2]

    @prop("ЭкранированиеСимволов", "EscapeCharacters")
    def escape(self, rt: Any) -> Any:
        return self.given[1]


_NEW_LINES = {"None": "", "Unix": "\n", "Windows": "\r\n", "Auto": "\n"}
_EXTRA = (frozenset("<>"), frozenset("\u2028\u2029"), frozenset("&"), frozenset("'"), frozenset("/"))


@constructor("ПараметрыЗаписиJSON", "JSONWriterSettings")
def new_settings(
    rt: Any,
    new_lines: Any = MISSING,
    padding: Any = MISSING,
    double_quotes: Any = MISSING,
    escape: Any = MISSING,
    angle_brackets: Any = MISSING,
    line_separators: Any = MISSING,
    ampersand: Any = MISSING,
    single_quotes: Any = MISSING,
    slash: Any = MISSING,
) -> JsonWriterSettings:
    lines = new_lines if isinstance(new_lines, EnumValue) else system_enum("ПереносСтрокJSON")["Auto"]
    mode = escape if isinstance(escape, EnumValue) else system_enum("ЭкранированиеСимволовJSON")["None"]
    extra: frozenset[str] = frozenset()
    for flag, letters in zip((angle_brackets, line_separators, ampersand, single_quotes, slash), _EXTRA, strict=True):
        if optional_boolean(rt, flag, False):
            extra |= letters
    indent = "" if padding is MISSING or padding is None else rt.text(padding)
    layout = JsonLayout(_NEW_LINES.get(lines.english, "\n"), indent or default_indent(rt), mode.english, extra)
    return JsonWriterSettings(layout, [lines, mode, indent])


def default_indent(rt: Any) -> str:
    return "" if is_onec(rt) else NET_INDENT


class JsonSerializerSettings(BslObject):
    """``НастройкиСериализацииJSON``."""

    __slots__ = ("variant", "date_format", "arrays")
    type_name = ("НастройкиСериализацииJSON", "JSONSerializerSettings")

    def __init__(self) -> None:
        self.variant: Any = system_enum("ВариантЗаписиДатыJSON")["LocalDate"]
        self.date_format: Any = system_enum("ФорматДатыJSON")["ISO"]
        self.arrays = False

    def _set_variant(self, rt: Any, value: Any) -> None:
        self.variant = value

    @prop("ВариантЗаписиДаты", "DateWritingVariant", writable=_set_variant)
    def get_variant(self, rt: Any) -> Any:
        return self.variant

    def _set_format(self, rt: Any, value: Any) -> None:
        self.date_format = value

    @prop("ФорматСериализацииДаты", "DateSerializationFormat", writable=_set_format)
    def get_format(self, rt: Any) -> Any:
        return self.date_format

    def _set_arrays(self, rt: Any, value: Any) -> None:
        self.arrays = rt.boolean(value)

    @prop("СериализовыватьМассивыКакОбъекты", "SerializeArraysAsObjects", writable=_set_arrays)
    def get_arrays(self, rt: Any) -> bool:
        return self.arrays


@constructor("НастройкиСериализацииJSON", "JSONSerializerSettings")
def new_serializer_settings(rt: Any) -> JsonSerializerSettings:
    return JsonSerializerSettings()


class JsonWriting(BslObject):
    """``ЗаписьJSON`` into a string."""

    __slots__ = ("writer", "check")
    type_name = ("ЗаписьJSON", "JSONWriter")

    def __init__(self) -> None:
        self.writer: JsonWriter | None = None
        self.check = True

    def opened(self) -> JsonWriter:
        if self.writer is None:
            raise BslRuntimeError("argument_invalid", "Приемник данных JSON не открыт")
        return self.writer

    def do(self, action: Callable[[JsonWriter], None]) -> None:
        try:
            action(self.opened())
        except JsonWriteError:
            raise BslRuntimeError("argument_invalid", "Недопустимое состояние потока записи JSON") from None

    def _set_check(self, rt: Any, value: Any) -> None:
        self.check = rt.boolean(value)

    @prop("ПроверятьСтруктуру", "ValidateStructure", writable=_set_check)
    def get_check(self, rt: Any) -> bool:
        return self.check

    @member("УстановитьСтроку", "SetString", procedure=True)
    def set_string(self, rt: Any, settings: Any = MISSING) -> None:
        layout = settings.layout if isinstance(settings, JsonWriterSettings) else JsonLayout(indent=default_indent(rt))
        self.writer = JsonWriter(layout, self.check)

    @member("ОткрытьФайл", "OpenFile", procedure=True)
    def open_file(self, rt: Any, path: Any, encoding: Any = MISSING, bom: Any = MISSING, settings: Any = MISSING) -> None:
        raise BslRuntimeError("forbidden", what="ЗаписьJSON.ОткрытьФайл")

    @member("ЗаписатьНачалоОбъекта", "WriteStartObject", procedure=True)
    def start_object(self, rt: Any) -> None:
        self.do(lambda writer: writer.start("{"))

    @member("ЗаписатьКонецОбъекта", "WriteEndObject", procedure=True)
    def end_object(self, rt: Any) -> None:
        self.do(lambda writer: writer.finish("}"))

    @member("ЗаписатьНачалоМассива", "WriteStartArray", procedure=True)
    def start_array(self, rt: Any) -> None:
        self.do(lambda writer: writer.start("["))

    @member("ЗаписатьКонецМассива", "WriteEndArray", procedure=True)
    def end_array(self, rt: Any) -> None:
        self.do(lambda writer: writer.finish("]"))

    @member("ЗаписатьИмяСвойства", "WritePropertyName", procedure=True)
    def property_name(self, rt: Any, name: Any) -> None:
        spelled = rt.text(name)
        self.do(lambda writer: writer.name(spelled))

    @member("ЗаписатьЗначение", "WriteValue", procedure=True)
    def write_value(self, rt: Any, value: Any, exponent: Any = MISSING) -> None:
        text = scalar_text(rt, self.opened(), value)
        if text is None:
            raise BslRuntimeError("argument_type", number=1, method="ЗаписатьЗначение")
        self.do(lambda writer: writer.value(text))

    @member("ЗаписатьБезОбработки", "WriteRaw", procedure=True)
    def write_raw(self, rt: Any, text: Any) -> None:
        self.opened().pieces.append(rt.text(text))

    @member("Закрыть", "Close")
    def close(self, rt: Any) -> str:
        text = self.writer.text() if self.writer is not None else ""
        self.writer = None
        return text


@constructor("ЗаписьJSON", "JSONWriter")
def new_writing(rt: Any) -> JsonWriting:
    return JsonWriting()


def scalar_text(rt: Any, writer: JsonWriter, value: Any) -> str | None:
    """JSON of a value that is no container; None for other values."""
    kind = type(value)
    if kind is str:
        return writer.quoted(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is Decimal:
        return numbers.plain_text(numbers.onec_normal(value) if is_onec(rt) else net.written(value))
    if value is None or value is NULL:
        return "null"
    return None


def json_date(moment: datetime, variant: str, date_format: str) -> str:
    """The text of a date inside JSON, without quotes."""
    milliseconds = (moment - _EPOCH) // timedelta(milliseconds=1)
    if date_format == "Microsoft":
        return f"/Date({milliseconds})/"
    if date_format == "JavaScript":
        return f"new Date({milliseconds})"
    suffix = {"UniversalDate": "Z", "LocalDateWithOffset": "+00:00"}.get(variant, "")
    return f"{moment.year:04}-{moment.month:02}-{moment.day:02}T{moment.hour:02}:{moment.minute:02}:{moment.second:02}{suffix}"


@builtin("ЗаписатьДатуJSON", "WriteJSONDate")
def write_json_date(rt: Any, moment: Any, date_format: Any, variant: Any = MISSING) -> str:
    if not isinstance(date_format, EnumValue):
        raise BslRuntimeError("argument_type", number=2, method="ЗаписатьДатуJSON")
    chosen = variant.english if isinstance(variant, EnumValue) else "LocalDate"
    return json_date(rt.date(moment), chosen, date_format.english)


@builtin("ЗаписатьJSON", "WriteJSON", procedure=True)
def write_json(
    rt: Any,
    target: Any,
    value: Any,
    settings: Any = MISSING,
    function_name: Any = MISSING,
    module: Any = MISSING,
    parameters: Any = MISSING,
) -> None:
    """Write a value with all that it holds: structures, maps with string keys, arrays, scalars, dates."""
    if function_name is not MISSING and function_name not in (None, ""):
        rt.dialect.unsupported("ЗаписатьJSON: ИмяФункцииПреобразования")
    if not isinstance(target, JsonWriting):
        raise BslRuntimeError("argument_type", number=1, method="ЗаписатьJSON")
    options = settings if isinstance(settings, JsonSerializerSettings) else JsonSerializerSettings()
    _Serializer(rt, target, options).write(value, 0)


class _Serializer:
    def __init__(self, rt: Any, target: JsonWriting, options: JsonSerializerSettings) -> None:
        self.rt = rt
        self.target = target
        self.options = options

    def write(self, value: Any, depth: int) -> None:
        if depth > min(MOST_DEPTH, 400):
            raise BslRuntimeError("argument_invalid", "Превышена допустимая вложенность значений JSON")
        kind = value.type_name[0] if isinstance(value, BslObject) else ""
        if kind in ("Массив", "ФиксированныйМассив"):
            self._array(value, depth)
        elif kind in ("Структура", "ФиксированнаяСтруктура", "Соответствие", "ФиксированноеСоответствие"):
            self._object(value, depth)
        else:
            self._scalar(value)

    def _array(self, value: Any, depth: int) -> None:
        self.target.do(lambda writer: writer.start("["))
        for item in value.iterate(self.rt):
            self.write(item, depth + 1)
        self.target.do(lambda writer: writer.finish("]"))

    def _object(self, value: Any, depth: int) -> None:
        self.target.do(lambda writer: writer.start("{"))
        for pair in value.iterate(self.rt):
            if type(pair.key) is not str and is_onec(self.rt):
                raise BslRuntimeError("argument_invalid", method="ЗаписатьJSON")
            name = self.rt.text(pair.key)
            self.target.do(lambda writer, name=name: writer.name(name))  # type: ignore[misc]
            self.write(pair.value, depth + 1)
        self.target.do(lambda writer: writer.finish("}"))

    def _scalar(self, value: Any) -> None:
        writer = self.target.opened()
        text = scalar_text(self.rt, writer, value)
        if text is None and type(value) is datetime:
            text = writer.quoted(json_date(value, self.options.variant.english, self.options.date_format.english))
        if text is None:
            text = self._object_text(writer, value)
        self.target.do(lambda one: one.value(text))

    def _object_text(self, writer: JsonWriter, value: Any) -> str:
        from scoring.engine.values.uuid import Uuid

        if isinstance(value, Uuid):
            return writer.quoted(value.text)
        raise BslRuntimeError("argument_type", number=2, method="ЗаписатьJSON")
