"""Predefined items of an object, as its ``Ext/Predefined.xml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from scoring.instruments.onec_docker.dump.xml import FORMAT, WIDEST_NUMBER, element, identity, type_element

_NAMESPACES = {
    "xmlns": "http://v8.1c.ru/8.3/xcf/predef",
    "xmlns:cfg": "http://v8.1c.ru/8.1/data/enterprise/current-config",
    "xmlns:v8": "http://v8.1c.ru/8.1/data/core",
    "xmlns:xr": "http://v8.1c.ru/8.3/xcf/readable",
    "xmlns:xs": "http://www.w3.org/2001/XMLSchema",
    "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
}
# Kind of object → the type of its list of items.
_LISTS = {
    "Catalog": "CatalogPredefinedItems",
    "ChartOfCharacteristicTypes": "PlanOfCharacteristicKindPredefinedItems",
    "ChartOfAccounts": "ChartOfAccountsPredefinedItems",
}
_OWN = {"Catalog": (), "ChartOfCharacteristicTypes": ("ТипЗначения",), "ChartOfAccounts": ("Вид", "Забалансовый", "Порядок")}
_COMMON = ("Наименование", "Код", "Родитель", "ЭтоГруппа")
_ACCOUNTS = {
    "": "ActivePassive", "активныйпассивный": "ActivePassive", "активнопассивный": "ActivePassive", "activepassive": "ActivePassive",
    "активный": "Active", "active": "Active", "пассивный": "Passive", "passive": "Passive",
}  # fmt: skip


def predefined_items(kind: str, path: Sequence[str], declared: Any) -> str:
    """The file's text; "" where there are no items. Raises ``ValueError`` for what such a file can't hold."""
    items = _items(declared)
    if not items:
        return ""
    for name, data in items.items():
        odd = [key for key in data if key not in (*_COMMON, *_OWN[kind])]
        if odd:
            raise ValueError(f"the predefined item {name} has {odd[0]}: a dump holds no attributes of predefined items")
        parent = data.get("Родитель")
        if parent is not None and parent not in items:
            raise ValueError(f"the predefined item {name} has an unknown parent {parent!r}")
    names = " ".join(f"{key}={quoteattr(value)}" for key, value in _NAMESPACES.items())
    inner = "\n".join("\t" + line for part in _level(kind, path, items, None) for line in part.split("\n"))
    opened = f'<PredefinedData {names} xsi:type="{_LISTS[kind]}" version="{FORMAT}">'
    return f'\ufeff<?xml version="1.0" encoding="UTF-8"?>\n{opened}\n{inner}\n</PredefinedData>\n'


def _items(declared: Any) -> dict[str, Mapping[str, Any]]:
    if isinstance(declared, Mapping):
        return {str(name): data or {} for name, data in declared.items()}
    return {str(name): {} for name in ([declared] if isinstance(declared, str) else declared or ())}


def _level(kind: str, path: Sequence[str], items: Mapping[str, Mapping[str, Any]], parent: str | None) -> list[str]:
    return [_item(kind, path, items, name) for name, data in items.items() if data.get("Родитель") == parent]


def _item(kind: str, path: Sequence[str], items: Mapping[str, Mapping[str, Any]], name: str) -> str:
    data = items[name]
    code = data.get("Код")
    parts = [
        element("Name", name),
        element("Code", "" if code is None else str(code)),
        element("Description", str(data.get("Наименование", name))),
        *_own_parts(kind, data, code),
    ]
    below = _level(kind, path, items, name)
    return element("Item", [*parts, element("ChildItems", below)] if below else parts, id=identity(*path, "Predefined", name))


def _own_parts(kind: str, data: Mapping[str, Any], code: Any) -> list[str]:
    folder = element("IsFolder", bool(data.get("ЭтоГруппа", False)))
    if kind == "ChartOfCharacteristicTypes":
        types = data.get("ТипЗначения")
        return [type_element({"type": types, "length": 100, **WIDEST_NUMBER}) if types else element("Type"), folder]
    if kind == "ChartOfAccounts":
        written = str(data.get("Вид") or "").rpartition(".")[2].lower()
        return [
            element("AccountType", _ACCOUNTS[written]),
            element("OffBalance", bool(data.get("Забалансовый", False))),
            element("Order", str(data.get("Порядок", "" if code is None else code))),
        ]
    return [folder]
