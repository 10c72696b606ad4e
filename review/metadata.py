"""A task's metadata as a tree for the grader, straight from `config_spec.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.findings import FaultyData
from scoring.models import Task
from scoring.services import bank


@dataclass(frozen=True, slots=True)
class Node:
    name: str
    detail: str = ""
    children: tuple[Node, ...] = ()


def titles() -> dict[str, str]:
    """Keys of the specification → what 1C calls them."""
    return {
        "catalogs": _("Справочники"), "documents": _("Документы"), "accumulation_registers": _("Регистры накопления"),
        "information_registers": _("Регистры сведений"), "accounting_registers": _("Регистры бухгалтерии"),
        "charts_of_accounts": _("Планы счетов"), "chart_of_characteristic_types": _("Планы видов характеристик"),
        "enums": _("Перечисления"), "constants": _("Константы"), "attributes": _("Реквизиты"), "dimensions": _("Измерения"),
        "resources": _("Ресурсы"), "tabular_sections": _("Табличные части"),
    }  # fmt: skip


def properties() -> dict[str, str]:
    """Properties of an object → their names."""
    return {
        "hierarchical": _("иерархический"), "owners": _("владельцы"), "registers": _("движения"), "register_type": _("вид"),
        "periodicity": _("периодичность"), "write_mode": _("режим записи"), "value_types": _("типы значений"),
        "ext_dimension_types": _("виды субконто"), "max_ext_dimension_count": _("субконто не больше"),
        "chart_of_accounts": _("план счетов"), "correspondence": _("корреспонденция"),
    }  # fmt: skip


def values() -> dict[str, str]:
    """Their values that a bundle writes in English → what the configurator calls them."""
    return {
        "Balance": _("остатки"), "Turnovers": _("обороты"), "Nonperiodical": _("непериодический"), "Second": _("секунда"),
        "Day": _("день"), "Month": _("месяц"), "Quarter": _("квартал"), "Year": _("год"),
        "RecorderPosition": _("позиция регистратора"), "Independent": _("независимый"),
        "RecorderSubordinate": _("подчинение регистратору"),
    }  # fmt: skip


def tree_of(task: Task) -> tuple[Node, ...]:
    """The task's configuration; empty where it has none or its bundle can't be read."""
    if task.bundle is None or "config_spec.yaml" not in task.bundle.files:
        return ()
    try:
        return _nodes(bank.read_bundle(task.bundle).configuration)
    except FaultyData:
        return ()


def _nodes(value: Any) -> tuple[Node, ...]:
    if isinstance(value, Mapping):
        return tuple(_node(str(key), entry) for key, entry in value.items() if entry not in (None, False, [], {}))
    if isinstance(value, list | tuple):
        return tuple(Node(str(entry)) for entry in value)
    return ()


def _node(key: str, value: Any) -> Node:
    name = titles().get(key) or properties().get(key, key)
    if isinstance(value, Mapping) and "type" in value:
        return Node(name, type_text(value))
    if isinstance(value, Mapping):
        return Node(name, "", _nodes(value))
    if isinstance(value, list | tuple):
        return Node(name, "", _nodes(value)) if key in titles() or len(value) > 4 else Node(name, ", ".join(map(str, value)))
    return Node(name, "✓" if value is True else values().get(str(value), str(value)))


def type_text(spec: Mapping[str, Any]) -> str:
    """`Число(15, 2)`, `Строка(50)`, several types with bars between."""
    kinds = spec["type"]
    names = " | ".join(map(str, kinds)) if isinstance(kinds, list | tuple) else str(kinds)
    sizes = [str(spec[key]) for key in ("length", "precision") if spec.get(key)]
    return f"{names}({', '.join(sizes)})" if sizes else names
