"""``XMLСтрока``, ``XMLЗначение``, ``XMLТип``."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import external, is_onec
from scoring.engine.runtime.builtins.binary_data import BinaryData
from scoring.engine.values import numbers
from scoring.engine.values.members import ONEC, builtin
from scoring.engine.values.model import NULL, BslObject
from scoring.engine.values.text import parse_net_number
from scoring.engine.values.types import BOOLEAN, DATE, NULL_TYPE, NUMBER, STRING, UNDEFINED, TypeValue
from scoring.engine.values.uuid import Uuid, parse_uuid

_DATE = re.compile(
    r"(-?\d{4,})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?", re.ASCII
)


@builtin("XMLСтрока", "XMLString")
def xml_string(rt: Any, value: Any) -> str:
    kind = type(value)
    if kind is str:
        return value
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is Decimal:
        return numbers.plain_text(numbers.onec_normal(value) if is_onec(rt) else value)
    if kind is datetime:
        return value.strftime("%Y").rjust(4, "0") + value.strftime("-%m-%dT%H:%M:%S")
    if value is None or value is NULL:
        return ""
    return _object_text(rt, value)


def _object_text(rt: Any, value: Any) -> str:
    if isinstance(value, Uuid):
        return value.text
    if isinstance(value, BinaryData):
        import base64

        return base64.b64encode(value.data).decode("ascii")
    spelled = getattr(value, "xml_string", None)
    if spelled is not None:
        return str(spelled(rt))
    if is_onec(rt) and isinstance(value, BslObject) and hasattr(value, "owner"):
        return value.presentation(rt)
    raise BslRuntimeError("argument_invalid", method="XMLСтрока")


@builtin("XMLЗначение", "XMLValue")
def xml_value(rt: Any, wanted: Any, text: Any) -> Any:
    if not isinstance(wanted, TypeValue):
        raise BslRuntimeError("argument_type", number=1, method="XMLЗначение")
    source = rt.text(text)
    if wanted.names == STRING:
        return source
    reader = _READERS.get(wanted.names)
    if reader is not None:
        return reader(rt, source)
    resolver = getattr(rt.database, "value_from_xml", None)
    if resolver is not None:
        return resolver(wanted, source)
    raise BslRuntimeError("argument_type", number=1, method="XMLЗначение")


def _wrong(rt: Any, exception: str, message: str) -> BslRuntimeError:
    if is_onec(rt):
        return BslRuntimeError("argument_value", number=2, method="XMLЗначение")
    return external(exception, message)


def _number(rt: Any, text: str) -> Any:
    number = parse_net_number(text)
    if number is None:
        raise _wrong(rt, "System.FormatException", "Input string was not in a correct format.")
    return numbers.onec_normal(number) if is_onec(rt) else number


def _boolean(rt: Any, text: str) -> bool:
    stripped = text.strip()
    if stripped in ("true", "1"):
        return True
    if stripped in ("false", "0"):
        return False
    raise _wrong(rt, "System.FormatException", f"The string '{text}' is not a valid Boolean value.")


def _date(rt: Any, text: str) -> datetime:
    match = _DATE.fullmatch(text.strip())
    try:
        if match:
            year, month, day, hour, minute, second = map(int, match.groups(default="0"))
            return datetime(year, month, day, hour, minute, second)
    except ValueError:
        pass
    raise _wrong(rt, "System.FormatException", f"The string '{text}' is not a valid AllXsd value.")


def _uuid(rt: Any, text: str) -> Uuid:
    canonical = parse_uuid(text)
    if canonical is None:
        raise BslRuntimeError("argument_value", number=2, method="XMLЗначение")
    return Uuid(canonical)


def _nothing(value: Any) -> Any:
    def read(rt: Any, text: str) -> Any:
        if text:
            raise BslRuntimeError("argument_value", number=2, method="XMLЗначение")
        return value

    return read


_READERS: dict[tuple[str, str], Any] = {
    NUMBER: _number,
    BOOLEAN: _boolean,
    DATE: _date,
    UNDEFINED: _nothing(None),
    NULL_TYPE: _nothing(NULL),
    Uuid.type_name: _uuid,
}


class XmlDataType(BslObject):
    """``ТипДанныхXML``: a name in a namespace."""

    __slots__ = ("name", "space")
    type_name = ("ТипДанныхXML", "XMLDataType")

    def __init__(self, name: str, space: str) -> None:
        self.name = name
        self.space = space

    def get_property(self, rt: Any, name: str) -> Any:
        found = {"имятипа": self.name, "typename": self.name, "uriпространстваимен": self.space,
                 "namespaceuri": self.space}.get(name.lower())  # fmt: skip
        if found is None:
            raise BslRuntimeError("no_property", name=name)
        return found


_XSD = "http://www.w3.org/2001/XMLSchema"
# Types that a configuration brings: ``CatalogRef.X`` and its like.
_CONFIGURATION = "http://v8.1c.ru/8.1/data/enterprise/current-config"
_XSD_NAMES = {NUMBER: "decimal", STRING: "string", BOOLEAN: "boolean", DATE: "dateTime"}


@builtin("XMLТип", "XMLType", dialects=(ONEC,))
def xml_type(rt: Any, wanted: Any) -> Any:
    if not isinstance(wanted, TypeValue):
        raise BslRuntimeError("argument_type", number=1, method="XMLТип")
    name = _XSD_NAMES.get(wanted.names)
    if name:
        return XmlDataType(name, _XSD)
    english = wanted.names[1]
    return XmlDataType(english, _CONFIGURATION) if "." in english else None


@builtin("XMLТипЗнч", "XMLTypeOf", dialects=(ONEC,))
def xml_type_of(rt: Any, value: Any) -> Any:
    from scoring.engine.values.types import type_of

    return xml_type(rt, type_of(value))


