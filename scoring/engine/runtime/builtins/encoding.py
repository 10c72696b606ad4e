"""Encodings of text: URL, Base64, hexadecimal."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any
from urllib.parse import quote, unquote

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import enum_value, external, is_onec
from scoring.engine.runtime.builtins.binary_data import BinaryData, binary_argument
from scoring.engine.runtime.builtins.enums import URL_ENCODING
from scoring.engine.values.members import builtin
from scoring.engine.values.model import MISSING, BslObject
from scoring.engine.values.text import joined, units

# Characters of a URL that stay when the whole URL is encoded.
_URL_KEPT = ":/?#[]@!$&'()*+,;=%~"
_LINE = 76
_NO_BASE64 = (
    "The input is not a valid Base-64 string as it contains a non-base 64 character, more than two padding characters, "
    "or an illegal character among the padding characters."
)
# Steps of work a character of a text that is written as a part of an address.
_URL_STEPS = 50


@builtin("КодироватьСтроку", "EncodeString")
def encode_string(rt: Any, text: Any, method: Any, encoding: Any = MISSING) -> str:
    chosen = enum_value(method, URL_ENCODING, 2)
    source = rt.text(text)
    rt.work(len(source) * _URL_STEPS)
    data = joined(source).encode(_codec(rt, encoding), "surrogatepass")
    if chosen is URL_ENCODING["URLInURLEncoding"]:
        return quote(data, safe=_URL_KEPT)
    if chosen is URL_ENCODING["URLEncoding"]:
        return quote(data, safe="~" if not is_onec(rt) else "")
    raise BslRuntimeError("argument_invalid", method="КодироватьСтроку")


@builtin("РаскодироватьСтроку", "DecodeString")
def decode_string(rt: Any, text: Any, method: Any, encoding: Any = MISSING) -> str:
    enum_value(method, URL_ENCODING, 2)
    source = rt.text(text)
    rt.work(len(source) * _URL_STEPS)
    return units(unquote(source, encoding=_codec(rt, encoding), errors="replace"))


_CODECS = {"utf-8": "utf-8", "utf8": "utf-8", "utf-16": "utf-16-le", "utf16": "utf-16-le", "windows-1251": "cp1251",
           "cp1251": "cp1251", "ansi": "cp1251", "oem": "cp866", "cp866": "cp866", "ascii": "ascii", "koi8-r": "koi8-r",
           "utf8nobom": "utf-8", "системная": "utf-8", "system": "utf-8", "iso-8859-1": "latin-1"}  # fmt: skip


def _codec(rt: Any, encoding: Any) -> str:
    """Python's name of an encoding given by name or by КодировкаТекста; left out = UTF-8."""
    if encoding is MISSING or encoding is None:
        return "utf-8"
    name = rt.text(encoding).strip().lower()
    if name not in _CODECS:
        raise BslRuntimeError("argument_invalid", method="Кодировка")
    return _CODECS[name]


@builtin("Base64Строка", "Base64String")
def base64_string(rt: Any, data: Any) -> str:
    raw = binary_argument(data, 1, "Base64Строка")
    return encode_base64(rt, raw)


def encode_base64(rt: Any, raw: bytes) -> str:
    rt.work(len(raw))
    text = base64.b64encode(raw).decode("ascii")
    if not is_onec(rt):
        return text
    return "\r\n".join(text[i : i + _LINE] for i in range(0, len(text), _LINE))


@builtin("Base64Значение", "Base64Value")
def base64_value(rt: Any, text: Any) -> BinaryData:
    return BinaryData(decode_base64(rt, rt.text(text)))


def decode_base64(rt: Any, text: str) -> bytes:
    rt.work(len(text) * 4)
    compact = re.sub(r"\s", "", text)
    try:
        return base64.b64decode(compact, validate=True)
    except (binascii.Error, ValueError):
        if is_onec(rt):
            raise BslRuntimeError("argument_invalid", method="Base64Значение") from None
        raise external("System.FormatException", _NO_BASE64) from None


@builtin("ПолучитьДвоичныеДанныеИзСтроки", "GetBinaryDataFromString")
def data_from_string(rt: Any, text: Any, encoding: Any = MISSING, bom: Any = MISSING) -> BinaryData:
    return BinaryData(bytes_of(rt, text, encoding, bom))


def bytes_of(rt: Any, text: Any, encoding: Any, bom: Any) -> bytes:
    """A text as bytes, with a mark in front where asked for."""
    prefix = b"\xef\xbb\xbf" if bom is not MISSING and rt.boolean(bom) else b""
    source = rt.text(text)
    rt.work(len(source))
    return prefix + joined(source).encode(_codec(rt, encoding), "replace")


@builtin("ПолучитьСтрокуИзДвоичныхДанных", "GetStringFromBinaryData")
def string_from_data(rt: Any, data: Any, encoding: Any = MISSING) -> str:
    return text_of(rt, binary_argument(data, 1, "ПолучитьСтрокуИзДвоичныхДанных"), encoding)


def text_of(rt: Any, raw: bytes, encoding: Any) -> str:
    """Bytes as text, without a mark in front."""
    rt.work(len(raw))
    return units(raw.decode(_codec(rt, encoding), "replace")).removeprefix("\ufeff")


@builtin("ПолучитьHexСтрокуИзДвоичныхДанных", "GetHexStringFromBinaryData")
def hex_from_data(rt: Any, data: Any) -> str:
    return binary_argument(data, 1, "ПолучитьHexСтрокуИзДвоичныхДанных").hex().upper()


@builtin("ПолучитьДвоичныеДанныеИзHexСтроки", "GetBinaryDataFromHexString")
def data_from_hex(rt: Any, text: Any) -> BinaryData:
    return BinaryData(decode_hex(rt, text))


def decode_hex(rt: Any, text: Any) -> bytes:
    """The bytes of hexadecimal digits."""
    try:
        return bytes.fromhex(rt.text(text))
    except ValueError:
        raise BslRuntimeError("argument_invalid", method="ПолучитьДвоичныеДанныеИзHexСтроки") from None


@builtin("ПолучитьBase64СтрокуИзДвоичныхДанных", "GetBase64StringFromBinaryData")
def base64_from_data(rt: Any, data: Any) -> str:
    return encode_base64(rt, binary_argument(data, 1, "ПолучитьBase64СтрокуИзДвоичныхДанных"))


@builtin("ПолучитьДвоичныеДанныеИзBase64Строки", "GetBinaryDataFromBase64String")
def data_from_base64(rt: Any, text: Any) -> BinaryData:
    return BinaryData(decode_base64(rt, rt.text(text)))


@builtin("СоединитьДвоичныеДанные", "ConcatBinaryData")
def concat_data(rt: Any, parts: Any) -> BinaryData:
    if not isinstance(parts, BslObject):
        raise BslRuntimeError("argument_type", number=1, method="СоединитьДвоичныеДанные")
    pieces = [binary_argument(part, 1, "СоединитьДвоичныеДанные") for part in parts.iterate(rt)]
    rt.reserve(sum(map(len, pieces)))
    return BinaryData(b"".join(pieces))
