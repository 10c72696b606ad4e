"""``БуферДвоичныхДанных``: bytes that a program reads and changes one by one, and the functions that make and take them.

By the documentation and the sources; nothing of it was seen in the recorded runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import enum_value, external, integer, is_onec
from scoring.engine.runtime.builtins.binary_data import BinaryData, binary_argument
from scoring.engine.runtime.builtins.encoding import bytes_of, decode_base64, decode_hex, encode_base64, text_of
from scoring.engine.runtime.builtins.enums import system_enum
from scoring.engine.values.enums import EnumValue
from scoring.engine.values.members import builtin, constructor, member, prop
from scoring.engine.values.model import MISSING, BslObject

_NAME = "БуферДвоичныхДанных"
# Steps of work that one byte takes where each is looked at by itself; the same for making a buffer, and the bytes of memory
# that one takes beside its own.
_BYTE_STEPS = 20
_BUFFER_STEPS = 400
_BUFFER_SIZE = 400


class BinaryBuffer(BslObject):
    """``data`` may be a window on the bytes of another buffer (ПолучитьСрез): what is written shows in both."""

    __slots__ = ("data", "order", "read_only")
    type_name = (_NAME, "BinaryDataBuffer")

    def __init__(self, data: bytes | bytearray | memoryview, order: EnumValue | None = None) -> None:
        self.data = data if isinstance(data, memoryview) else memoryview(bytearray(data))
        self.order = order or system_enum("ПорядокБайтов")["LittleEndian"]
        self.read_only = False

    # -- single bytes --------------------------------------------------------------------------------------------------

    def _place(self, rt: Any, position: Any, size: int = 1) -> int:
        """Where ``size`` bytes begin; raises where they are not all there."""
        start = integer(rt, position)
        if 0 <= start <= len(self.data) - size:
            return start
        if is_onec(rt):
            raise BslRuntimeError("index")
        raise external("System.IndexOutOfRangeException", "Index was outside the bounds of the array.")

    def _writable(self) -> None:
        if self.read_only:
            raise BslRuntimeError("index_read_only")

    def get_index(self, rt: Any, index: Any) -> int:
        return self.data[self._place(rt, index)]

    def set_index(self, rt: Any, index: Any, value: Any) -> None:
        self._writable()
        byte = integer(rt, value)
        if not 0 <= byte <= 255:
            raise BslRuntimeError("argument_invalid", method="Установить")
        self.data[self._place(rt, index)] = byte

    @member("Получить", "Get")
    def get(self, rt: Any, position: Any) -> int:
        return self.get_index(rt, position)

    @member("Установить", "Set", procedure=True)
    def set(self, rt: Any, position: Any, value: Any) -> None:
        self.set_index(rt, position, value)

    def iterate(self, rt: Any) -> Iterator[int]:
        return iter(self.data)

    # -- what it is ----------------------------------------------------------------------------------------------------

    @prop("Размер", "Size")
    def size(self, rt: Any) -> int:
        return len(self.data)

    @member("Количество", "Count")
    def count(self, rt: Any) -> int:
        return len(self.data)

    @prop("ТолькоЧтение", "ReadOnly")
    def get_read_only(self, rt: Any) -> bool:
        return self.read_only

    @member("УстановитьТолькоЧтение", "SetReadOnly", procedure=True)
    def set_read_only(self, rt: Any) -> None:
        self.read_only = True

    def _set_order(self, rt: Any, value: Any) -> None:
        self.order = _byte_order(value, 1) or self.order

    @prop("ПорядокБайтов", "ByteOrder", writable=_set_order)
    def get_order(self, rt: Any) -> EnumValue:
        return self.order

    # -- whole numbers -------------------------------------------------------------------------------------------------

    def _endian(self, order: Any, number: int) -> Literal["little", "big"]:
        chosen = _byte_order(order, number) or self.order
        return "big" if chosen.english == "BigEndian" else "little"

    def _read_number(self, rt: Any, position: Any, order: Any, size: int) -> int:
        start = self._place(rt, position, size)
        return int.from_bytes(self.data[start : start + size], self._endian(order, 2))

    def _write_number(self, rt: Any, position: Any, value: Any, order: Any, size: int) -> None:
        self._writable()
        number = int(rt.number(value))
        if not -(1 << (8 * size - 1)) <= number < 1 << (8 * size):
            raise BslRuntimeError("argument_invalid", method=f"ЗаписатьЦелое{8 * size}")
        start = self._place(rt, position, size)
        bits = number & ((1 << (8 * size)) - 1)
        self.data[start : start + size] = bits.to_bytes(size, self._endian(order, 3))

    @member("ПрочитатьЦелое16", "ReadInt16")
    def read_16(self, rt: Any, position: Any, order: Any = MISSING) -> int:
        return self._read_number(rt, position, order, 2)

    @member("ПрочитатьЦелое32", "ReadInt32")
    def read_32(self, rt: Any, position: Any, order: Any = MISSING) -> int:
        return self._read_number(rt, position, order, 4)

    @member("ПрочитатьЦелое64", "ReadInt64")
    def read_64(self, rt: Any, position: Any, order: Any = MISSING) -> int:
        return self._read_number(rt, position, order, 8)

    @member("ЗаписатьЦелое16", "WriteInt16", procedure=True)
    def write_16(self, rt: Any, position: Any, value: Any, order: Any = MISSING) -> None:
        self._write_number(rt, position, value, order, 2)

    @member("ЗаписатьЦелое32", "WriteInt32", procedure=True)
    def write_32(self, rt: Any, position: Any, value: Any, order: Any = MISSING) -> None:
        self._write_number(rt, position, value, order, 4)

    @member("ЗаписатьЦелое64", "WriteInt64", procedure=True)
    def write_64(self, rt: Any, position: Any, value: Any, order: Any = MISSING) -> None:
        self._write_number(rt, position, value, order, 8)

    # -- runs of bytes -------------------------------------------------------------------------------------------------

    def _combine(self, rt: Any, position: Any, source: Any, number: Any, combine: Callable[[int, int], int]) -> None:
        self._writable()
        other = buffer_argument(source, 2, "Записать").data
        size = integer(rt, number) if number not in (MISSING, None, 0) else len(other)
        if not 0 <= size <= len(other):
            raise BslRuntimeError("argument_invalid", method="Записать")
        start = self._place(rt, position, size)
        rt.work(size * _BYTE_STEPS)
        self.data[start : start + size] = bytes(map(combine, self.data[start : start + size], other[:size]))

    @member("Записать", "Write", procedure=True)
    def write(self, rt: Any, position: Any, source: Any, number: Any = MISSING) -> None:
        self._combine(rt, position, source, number, lambda own, other: other)

    @member("ЗаписатьПобитовоеИ", "WriteBitwiseAnd", procedure=True)
    def write_and(self, rt: Any, position: Any, source: Any, number: Any = MISSING) -> None:
        self._combine(rt, position, source, number, lambda own, other: own & other)

    @member("ЗаписатьПобитовоеИли", "WriteBitwiseOr", procedure=True)
    def write_or(self, rt: Any, position: Any, source: Any, number: Any = MISSING) -> None:
        self._combine(rt, position, source, number, lambda own, other: own | other)

    @member("ЗаписатьПобитовоеИсключительноеИли", "WriteBitwiseXor", procedure=True)
    def write_xor(self, rt: Any, position: Any, source: Any, number: Any = MISSING) -> None:
        self._combine(rt, position, source, number, lambda own, other: own ^ other)

    @member("ЗаписатьПобитовоеИНе", "WriteBitwiseAndNot", procedure=True)
    def write_and_not(self, rt: Any, position: Any, source: Any, number: Any = MISSING) -> None:
        self._combine(rt, position, source, number, lambda own, other: own & ~other & 0xFF)

    @member("Инвертировать", "Invert", procedure=True)
    def invert(self, rt: Any) -> None:
        self._writable()
        rt.work(len(self.data) * _BYTE_STEPS)
        self.data[:] = bytes(byte ^ 0xFF for byte in self.data)

    def _window(self, rt: Any, position: Any, number: Any) -> memoryview:
        start = self._place(rt, position, 0)
        size = len(self.data) - start if number is MISSING or number is None else integer(rt, number)
        if size < 0:
            raise BslRuntimeError("argument_invalid", method="ПолучитьСрез")
        self._place(rt, start, size)
        return self.data[start : start + size]

    @member("ПолучитьСрез", "GetSlice")
    def get_slice(self, rt: Any, position: Any, number: Any = MISSING) -> BinaryBuffer:
        return BinaryBuffer(self._window(rt, position, number), self.order)

    @member("Прочитать", "Read")
    def read(self, rt: Any, position: Any, number: Any) -> BinaryBuffer:
        return BinaryBuffer(bytes(self._window(rt, position, number)), self.order)

    @member("Скопировать", "Copy")
    def copy(self, rt: Any) -> BinaryBuffer:
        rt.work(len(self.data))
        return BinaryBuffer(bytes(self.data), self.order)

    @member("Соединить", "Concat")
    def concat(self, rt: Any, other: Any) -> BinaryBuffer:
        added = buffer_argument(other, 1, "Соединить").data
        rt.reserve(len(self.data) + len(added))
        rt.work(len(self.data) + len(added))
        return BinaryBuffer(bytes(self.data) + bytes(added), self.order)

    @member("Разделить", "Split")
    def split(self, rt: Any, separator: Any) -> Any:
        from scoring.engine.collections import new_array

        marks = [separator] if isinstance(separator, BinaryBuffer) or not isinstance(separator, BslObject) else [
            *separator.iterate(rt)
        ]
        bounds = [bytes(buffer_argument(mark, 1, "Разделить").data) for mark in marks]
        if not bounds or not all(bounds):
            raise BslRuntimeError("argument_invalid", method="Разделить")
        rt.work(len(self.data) * len(bounds) * _BYTE_STEPS)
        parts = list(_pieces(bytes(self.data), bounds))
        rt.work(len(parts) * _BUFFER_STEPS)
        rt.reserve(len(parts) * _BUFFER_SIZE)
        return new_array([BinaryBuffer(part, self.order) for part in parts])


def _pieces(data: bytes, bounds: list[bytes]) -> Iterator[bytes]:
    """The parts between the separators; where several stand, the longest one counts."""
    ordered = sorted(bounds, key=len, reverse=True)
    last = position = 0
    while position < len(data):
        found = next((mark for mark in ordered if data.startswith(mark, position)), None)
        if found is None:
            position += 1
            continue
        yield data[last:position]
        last = position = position + len(found)
    yield data[last:]


def _byte_order(value: Any, number: int) -> EnumValue | None:
    return enum_value(value, system_enum("ПорядокБайтов"), number)


def buffer_argument(value: Any, number: int, method: str) -> BinaryBuffer:
    """An argument that must be a buffer."""
    if not isinstance(value, BinaryBuffer):
        raise BslRuntimeError("argument_type", number=number, method=method)
    return value


@constructor(_NAME, "BinaryDataBuffer")
def new_buffer(rt: Any, size: Any, order: Any = MISSING) -> BinaryBuffer:
    length = integer(rt, size)
    if length < 0:
        raise BslRuntimeError("argument_value", number=1, constructor=_NAME)
    rt.reserve(length)
    rt.work(length // 8)
    return BinaryBuffer(bytearray(length), _byte_order(order, 2))


# ── functions ──────────────────────────────────────────────────────────────────────────────────────────────────────


@builtin("ПолучитьБуферДвоичныхДанныхИзСтроки", "GetBinaryDataBufferFromString")
def buffer_from_string(rt: Any, text: Any, encoding: Any = MISSING, bom: Any = MISSING) -> BinaryBuffer:
    return BinaryBuffer(bytes_of(rt, text, encoding, bom))


@builtin("ПолучитьСтрокуИзБуфераДвоичныхДанных", "GetStringFromBinaryDataBuffer")
def string_from_buffer(rt: Any, buffer: Any, encoding: Any = MISSING) -> str:
    return text_of(rt, _content(buffer, "ПолучитьСтрокуИзБуфераДвоичныхДанных"), encoding)


def _content(buffer: Any, method: str) -> bytes:
    return bytes(buffer_argument(buffer, 1, method).data)


@builtin("ПолучитьБуферДвоичныхДанныхИзДвоичныхДанных", "GetBinaryDataBufferFromBinaryData")
def buffer_from_data(rt: Any, data: Any) -> BinaryBuffer:
    return BinaryBuffer(binary_argument(data, 1, "ПолучитьБуферДвоичныхДанныхИзДвоичныхДанных"))


@builtin("ПолучитьДвоичныеДанныеИзБуфераДвоичныхДанных", "GetBinaryDataFromBinaryDataBuffer")
def data_from_buffer(rt: Any, buffer: Any) -> BinaryData:
    return BinaryData(_content(buffer, "ПолучитьДвоичныеДанныеИзБуфераДвоичныхДанных"))


@builtin("ПолучитьHexСтрокуИзБуфераДвоичныхДанных", "GetHexStringFromBinaryDataBuffer")
def hex_from_buffer(rt: Any, buffer: Any) -> str:
    return _content(buffer, "ПолучитьHexСтрокуИзБуфераДвоичныхДанных").hex().upper()


@builtin("ПолучитьБуферДвоичныхДанныхИзHexСтроки", "GetBinaryDataBufferFromHexString")
def buffer_from_hex(rt: Any, text: Any) -> BinaryBuffer:
    return BinaryBuffer(decode_hex(rt, text))


@builtin("ПолучитьBase64СтрокуИзБуфераДвоичныхДанных", "GetBase64StringFromBinaryDataBuffer")
def base64_from_buffer(rt: Any, buffer: Any) -> str:
    return encode_base64(rt, _content(buffer, "ПолучитьBase64СтрокуИзБуфераДвоичныхДанных"))


@builtin("ПолучитьБуферДвоичныхДанныхИзBase64Строки", "GetBinaryDataBufferFromBase64String")
def buffer_from_base64(rt: Any, text: Any) -> BinaryBuffer:
    return BinaryBuffer(decode_base64(rt, rt.text(text)))


@builtin("СоединитьБуферыДвоичныхДанных", "ConcatBinaryDataBuffers")
def concat_buffers(rt: Any, parts: Any) -> BinaryBuffer:
    method = "СоединитьБуферыДвоичныхДанных"
    if not isinstance(parts, BslObject):
        raise BslRuntimeError("argument_type", number=1, method=method)
    pieces = [_content(part, method) for part in parts.iterate(rt)]
    rt.reserve(sum(map(len, pieces)))
    return BinaryBuffer(b"".join(pieces))


@builtin("РазделитьДвоичныеДанные", "SplitBinaryData")
def split_data(rt: Any, data: Any, size: Any) -> Any:
    from scoring.engine.collections import new_array

    whole, step = binary_argument(data, 1, "РазделитьДвоичныеДанные"), integer(rt, size)
    if step <= 0:
        raise BslRuntimeError("argument_value", number=2, method="РазделитьДвоичныеДанные")
    rt.reserve(len(whole) // step * 64)
    rt.work(len(whole) // step * 8)
    return new_array([BinaryData(whole[at : at + step]) for at in range(0, len(whole), step)])
