"""The metadata of a task as a tree for people, with what an answer invented beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _


@dataclass(frozen=True, slots=True)
class Node:
    """A branch of the tree; `detail` is a type or a property of the object."""

    name: str
    detail: str = ""
    children: tuple[Node, ...] = ()


def kinds() -> dict[str, str]:
    """Sections of `config_spec.yaml` → what 1C calls them."""
    return {
        "catalogs": _("Справочники"),
        "documents": _("Документы"),
        "accumulation_registers": _("Регистры накопления"),
        "information_registers": _("Регистры сведений"),
        "accounting_registers": _("Регистры бухгалтерии"),
        "charts_of_accounts": _("Планы счетов"),
        "chart_of_characteristic_types": _("Планы видов характеристик"),
        "enums": _("Перечисления"),
        "constants": _("Константы"),
    }


def groups() -> dict[str, str]:
    return {
        "attributes": _("Реквизиты"),
        "dimensions": _("Измерения"),
        "resources": _("Ресурсы"),
        "tabular_sections": _("Табличные части"),
    }


def properties() -> dict[str, str]:
    return {
        "hierarchical": _("иерархический"),
        "owners": _("владельцы"),
        "registers": _("движения"),
        "accounting_registers": _("движения по счетам"),
        "register_type": _("вид"),
        "periodicity": _("периодичность"),
        "write_mode": _("режим записи"),
        "value_types": _("типы значений"),
        "ext_dimension_types": _("виды субконто"),
        "max_ext_dimension_count": _("субконто не больше"),
        "chart_of_accounts": _("план счетов"),
        "correspondence": _("корреспонденция"),
    }


def values() -> dict[str, str]:
    """Properties' values that a bundle writes in English → what the configurator calls them."""
    return {
        "Balance": _("остатки"),
        "Turnovers": _("обороты"),
        "Nonperiodical": _("непериодический"),
        "Second": _("секунда"),
        "Day": _("день"),
        "Month": _("месяц"),
        "Quarter": _("квартал"),
        "Year": _("год"),
        "RecorderPosition": _("позиция регистратора"),
        "Independent": _("независимый"),
        "RecorderSubordinate": _("подчинение регистратору"),
    }


def tree(configuration: Mapping[str, Any]) -> tuple[Node, ...]:
    """The configuration, section by section; an empty one gives nothing."""
    return tuple(
        Node(title, str(len(configuration[section])), tuple(_objects(section, configuration[section])))
        for section, title in kinds().items()
        if configuration.get(section)
    )


def _objects(section: str, objects: Any) -> Iterator[Node]:
    for name, spec in objects.items():
        if section == "enums":
            yield Node(str(name), "", tuple(Node(str(value)) for value in spec or ()))
        elif section == "constants":
            yield Node(str(name), type_text(spec))
        else:
            yield _object(str(name), spec if isinstance(spec, Mapping) else {})


def _object(name: str, spec: Mapping[str, Any]) -> Node:
    children = [Node(title, "", tuple(_fields(key, spec[key]))) for key, title in groups().items() if spec.get(key)]
    names = properties()
    told = [(key, value) for key, value in spec.items() if key not in groups() and value not in (None, False, [], {})]
    plain = [names.get(key, key) if value is True else f"{names.get(key, key)}: {_plain(value)}" for key, value in told]
    return Node(name, " · ".join(plain), tuple(children))


def _fields(group: str, fields: Any) -> Iterator[Node]:
    for name, spec in fields.items():
        if group == "tabular_sections":
            inner = spec.get("attributes", spec) if isinstance(spec, Mapping) else {}
            yield Node(str(name), "", tuple(Node(str(key), type_text(value)) for key, value in inner.items()))
        else:
            yield Node(str(name), type_text(spec))


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return values().get(str(value), str(value))


def type_text(spec: Any) -> str:
    """`Число(15, 2)`, `Строка(50)`, `СправочникСсылка.Товары | ДокументСсылка.Заказ`."""
    kinds_ = spec.get("type") if isinstance(spec, Mapping) else spec
    names = " | ".join(map(str, kinds_)) if isinstance(kinds_, list) else str(kinds_ or "")
    if not isinstance(spec, Mapping) or spec.get("length") is None:
        return names
    precision = spec.get("precision")
    return f"{names}({spec['length']}, {precision})" if precision else f"{names}({spec['length']})"
