"""Pieces of the dump: elements as text, identifiers that stay the same, types with their qualifiers."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

FORMAT = "2.20"
# The platform's bounds.
LONGEST_NUMBER, LONGEST_STRING = 38, 1024
# Of a type whose numbers the specification leaves without bounds.
WIDEST_NUMBER = {"digits": LONGEST_NUMBER, "precision": 10}
_SPACE = uuid.UUID("6f3c1c0e-5a7d-4f3c-9a53-2f2d3f1f9b10")
_NAMESPACES = {
    "xmlns": "http://v8.1c.ru/8.3/MDClasses",
    "xmlns:app": "http://v8.1c.ru/8.2/managed-application/core",
    "xmlns:cfg": "http://v8.1c.ru/8.1/data/enterprise/current-config",
    "xmlns:ent": "http://v8.1c.ru/8.1/data/enterprise",
    "xmlns:v8": "http://v8.1c.ru/8.1/data/core",
    "xmlns:xr": "http://v8.1c.ru/8.3/xcf/readable",
    "xmlns:xs": "http://www.w3.org/2001/XMLSchema",
    "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
}
_REFERENCES = {
    "справочникссылка": "CatalogRef", "catalogref": "CatalogRef",
    "документссылка": "DocumentRef", "documentref": "DocumentRef",
    "перечислениессылка": "EnumRef", "enumref": "EnumRef",
    "планвидовхарактеристикссылка": "ChartOfCharacteristicTypesRef",
    "chartofcharacteristictypesref": "ChartOfCharacteristicTypesRef",
    "плансчетовссылка": "ChartOfAccountsRef", "chartofaccountsref": "ChartOfAccountsRef",
    "характеристика": "Characteristic", "characteristic": "Characteristic",
}  # fmt: skip
NUMBER, STRING, DATE, BOOLEAN = ("число", "number"), ("строка", "string"), ("дата", "date"), ("булево", "boolean")
_DATE_PARTS = {"датавремя": "DateTime", "datetime": "DateTime", "дата": "Date", "date": "Date", "время": "Time", "time": "Time"}


def identity(*path: str) -> str:
    """The identifier of whatever this path names: the same in every dump, so that loading it again changes nothing."""
    return str(uuid.uuid5(_SPACE, "/".join(path)))


def element(name: str, content: Any = None, /, **attributes: str) -> str:
    """An element; ``content``: None (empty), a text, a boolean, a number, or further elements."""
    opened = name + "".join(f" {key.replace('__', ':')}={quoteattr(value)}" for key, value in attributes.items())
    if content is None or content == "" or content == []:
        return f"<{opened}/>"
    if isinstance(content, bool):
        content = "true" if content else "false"
    if isinstance(content, (list, tuple)):
        inner = "\n".join("\t" + line for part in content for line in part.split("\n"))
        return f"<{opened}>\n{inner}\n</{name}>"
    return f"<{opened}>{escape(str(content))}</{name}>"


def document(root: str) -> str:
    """A whole file of the dump around its one object."""
    names = " ".join(f"{key}={quoteattr(value)}" for key, value in _NAMESPACES.items())
    inner = "\n".join("\t" + line for line in root.split("\n"))
    return f'\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<MetaDataObject {names} version="{FORMAT}">\n{inner}\n</MetaDataObject>\n'


def synonym(text: str) -> str:
    return element("Synonym", [element("v8:item", [element("v8:lang", "ru"), element("v8:content", text)])])


def head(name: str, title: str = "") -> list[str]:
    """What every object's properties begin with."""
    return [element("Name", name), synonym(title or name), element("Comment")]


def generated(kind: str, name: str, categories: Iterable[str], path: Sequence[str]) -> list[str]:
    """The types that the platform makes of an object: ``CatalogRef.Товары`` and its like."""
    found = []
    for category in categories:
        full = f"{kind}{category}.{name}"
        ids = [element("xr:TypeId", identity(*path, full, "type")), element("xr:ValueId", identity(*path, full, "value"))]
        found.append(element("xr:GeneratedType", ids, name=full, category=category))
    return found


def reference_type(name: str) -> str:
    """``СправочникСсылка.X`` → ``CatalogRef.X``. Raises ``ValueError`` for what is no type of the platform."""
    kind, dot, rest = name.partition(".")
    known = _REFERENCES.get(kind.lower())
    if not known or not dot:
        raise ValueError(f"unknown type {name!r}")
    return f"{known}.{rest}"


def type_element(data: Mapping[str, Any], name: str = "Type") -> str:
    """``{type, length, precision, …}`` of the specification as a description of types; ``digits``: where numbers and strings differ.

    Raises ``ValueError`` for a type that the platform has not.
    """
    kinds = data["type"] if isinstance(data["type"], (list, tuple)) else [data["type"]]
    names, qualifiers = [], []
    for kind in kinds:
        low = str(kind).lower()
        if low in NUMBER:
            names.append("xs:decimal")
            qualifiers.append(_number(data, len(kinds) > 1))
        elif low in STRING:
            names.append("xs:string")
            qualifiers.append(_string(data, len(kinds) > 1))
        elif low in DATE:
            names.append("xs:dateTime")
            parts = _DATE_PARTS[str(data.get("date_parts") or "DateTime").lower()]
            qualifiers.append(element("v8:DateQualifiers", [element("v8:DateFractions", parts)]))
        elif low in BOOLEAN:
            names.append("xs:boolean")
        else:
            names.append("cfg:" + reference_type(str(kind)))
    return element(name, [*(element(_type_tag(one), one) for one in names), *qualifiers])


def _type_tag(name: str) -> str:
    """All types of a chart's characteristics are a set of types, not one."""
    return "v8:TypeSet" if name.startswith("cfg:Characteristic.") else "v8:Type"


def _number(data: Mapping[str, Any], composite: bool) -> str:
    sign = "Nonnegative" if data.get("nonnegative") else "Any"
    digits, fraction = data.get("digits") or data.get("length") or 10, data.get("precision") or 0
    if digits > LONGEST_NUMBER:
        if not composite:
            raise ValueError(f"a number has at most {LONGEST_NUMBER} digits, not {digits}")
        # One length for all types of the field: meant for its strings.
        digits = LONGEST_NUMBER
    parts = [element("v8:Digits", str(digits)), element("v8:FractionDigits", str(fraction)), element("v8:AllowedSign", sign)]
    return element("v8:NumberQualifiers", parts)


def _string(data: Mapping[str, Any], composite: bool) -> str:
    length = data.get("length") or 0
    if length > LONGEST_STRING:
        raise ValueError(f"a string of bounded length has at most {LONGEST_STRING} characters, not {length}")
    if composite and not length:
        raise ValueError("a composite type holds no string of unbounded length: give it a length")
    allowed = "Fixed" if data.get("fixed_length") else "Variable"
    parts = [element("v8:Length", str(data.get("length") or 0)), element("v8:AllowedLength", allowed)]
    return element("v8:StringQualifiers", parts)
