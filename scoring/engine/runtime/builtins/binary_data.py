"""``ДвоичныеДанные`` and ``ХешированиеДанных``, in memory only."""

from __future__ import annotations

import hashlib
import zlib
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import is_onec
from scoring.engine.runtime.builtins.enums import system_enum
from scoring.engine.values.enums import EnumValue
from scoring.engine.values.members import constructor, member, prop
from scoring.engine.values.model import BslObject
from scoring.engine.values.text import joined


class BinaryData(BslObject):
    """Bytes, compared by content."""

    __slots__ = ("data",)
    type_name = ("ДвоичныеДанные", "BinaryData")

    def __init__(self, data: bytes) -> None:
        self.data = data

    def same_value(self, other: Any) -> bool:
        return isinstance(other, BinaryData) and other.data == self.data

    def map_key(self) -> Any:
        return BinaryData, self.data

    def presentation(self, rt: Any) -> str:
        if not is_onec(rt) and not self.data:
            return ""
        return self.data.hex(" ").upper()

    @member("Размер", "Size")
    def size(self, rt: Any) -> int:
        return len(self.data)

    @member("Записать", "Write", procedure=True)
    def write(self, rt: Any, target: Any) -> None:
        raise BslRuntimeError("forbidden", what="ДвоичныеДанные.Записать")


def binary_argument(value: Any, number: int, method: str) -> bytes:
    """The bytes of an argument that must be ДвоичныеДанные."""
    if not isinstance(value, BinaryData):
        raise BslRuntimeError("argument_type", number=number, method=method)
    return value.data


@constructor("ДвоичныеДанные", "BinaryData")
def new_binary_data(rt: Any, source: Any) -> BinaryData:
    raise BslRuntimeError("forbidden", what="ДвоичныеДанные(ИмяФайла)")


_ALGORITHMS = {"MD5": "md5", "SHA1": "sha1", "SHA256": "sha256", "SHA384": "sha384", "SHA512": "sha512"}


class DataHashing(BslObject):
    """``ХешированиеДанных``: what is added is hashed as UTF-8."""

    __slots__ = ("function", "data")
    type_name = ("ХешированиеДанных", "DataHashing")

    def __init__(self, function: EnumValue) -> None:
        self.function = function
        self.data = bytearray()

    @prop("ХешФункция", "HashFunction")
    def get_function(self, rt: Any) -> EnumValue:
        return self.function

    @prop("ХешСумма", "HashSum")
    def get_sum(self, rt: Any) -> Any:
        if self.function.english == "CRC32":
            return zlib.crc32(self.data)
        return BinaryData(self._digest(rt))

    @prop("ХешСуммаСтрокой", "HashSumOfString", dialects=("onescript",))
    def get_sum_text(self, rt: Any) -> str:
        if self.function.english == "CRC32":
            return f"{zlib.crc32(self.data):08X}"
        return self._digest(rt).hex().upper()

    def _digest(self, rt: Any) -> bytes:
        rt.work(len(self.data))
        return hashlib.new(_ALGORITHMS[self.function.english], bytes(self.data), usedforsecurity=False).digest()

    @member("Добавить", "Append", procedure=True)
    def append(self, rt: Any, value: Any) -> None:
        added = value.data if isinstance(value, BinaryData) else joined(rt.text(value)).encode("utf-8", "surrogatepass")
        rt.reserve(len(self.data) + len(added))
        rt.work(len(added))
        self.data += added

    @member("ДобавитьФайл", "AppendFile", procedure=True)
    def append_file(self, rt: Any, path: Any) -> None:
        raise BslRuntimeError("forbidden", what="ХешированиеДанных.ДобавитьФайл")

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Any) -> None:
        self.data.clear()


@constructor("ХешированиеДанных", "DataHashing")
def new_data_hashing(rt: Any, function: Any) -> DataHashing:
    if not isinstance(function, EnumValue) or function.owner is not system_enum("ХешФункция"):
        raise BslRuntimeError("argument_type", number=1, constructor="ХешированиеДанных")
    return DataHashing(function)
