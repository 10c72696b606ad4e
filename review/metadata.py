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
    name = titles().get(key, key)
    if isinstance(value, Mapping) and "type" in value:
        return Node(name, type_text(value))
    if isinstance(value, Mapping):
        return Node(name, "", _nodes(value))
    if isinstance(value, list | tuple):
        return Node(name, "", _nodes(value)) if key in titles() or len(value) > 4 else Node(name, ", ".join(map(str, value)))
    return Node(name, "✓" if value is True else str(value))


def type_text(spec: Mapping[str, Any]) -> str:
    """`Число(15, 2)`, `Строка(50)`, several types with bars between."""
    kinds = spec["type"]
    names = " | ".join(map(str, kinds)) if isinstance(kinds, list | tuple) else str(kinds)
    sizes = [str(spec[key]) for key in ("length", "precision") if spec.get(key)]
    return f"{names}({', '.join(sizes)})" if sizes else names
