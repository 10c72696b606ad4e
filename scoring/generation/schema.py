"""What the schema tools can tell of a task's database: objects with their fields and types, plus plausible distractors.

Choosing is part of the skill, so objects that the task does not need stand among those it does. They are drawn from the
catalogue's store (``data/distractors.yaml``) by seed and task, and never share a name with the real ones.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

KIND_NAMES = {
    "catalogs": "Справочник",
    "documents": "Документ",
    "accumulation_registers": "РегистрНакопления",
    "information_registers": "РегистрСведений",
    "accounting_registers": "РегистрБухгалтерии",
    "enums": "Перечисление",
    "constants": "Константа",
    "chart_of_characteristic_types": "ПланВидовХарактеристик",
    "charts_of_accounts": "ПланСчетов",
}
# How else networks call the kinds: the managers' names and the English ones.
_ALIASES = {
    "Справочники": "Справочник", "Catalog": "Справочник", "Catalogs": "Справочник",
    "Документы": "Документ", "Document": "Документ", "Documents": "Документ",
    "РегистрыНакопления": "РегистрНакопления", "AccumulationRegister": "РегистрНакопления", "AccumulationRegisters": "РегистрНакопления",
    "РегистрыСведений": "РегистрСведений", "InformationRegister": "РегистрСведений", "InformationRegisters": "РегистрСведений",
    "РегистрыБухгалтерии": "РегистрБухгалтерии", "AccountingRegister": "РегистрБухгалтерии", "AccountingRegisters": "РегистрБухгалтерии",
    "Перечисления": "Перечисление", "Enum": "Перечисление", "Enums": "Перечисление",
    "Константы": "Константа", "Constant": "Константа", "Constants": "Константа",
    "ПланыВидовХарактеристик": "ПланВидовХарактеристик", "ChartOfCharacteristicTypes": "ПланВидовХарактеристик",
    "ПланыСчетов": "ПланСчетов", "ChartOfAccounts": "ПланСчетов", "ChartsOfAccounts": "ПланСчетов",
}  # fmt: skip
_KINDS = {name.lower(): kind for name, kind in _ALIASES.items()} | {kind.lower(): kind for kind in KIND_NAMES.values()}
GROUPS = {"attributes": "Реквизиты", "dimensions": "Измерения", "resources": "Ресурсы"}
REGISTER_KINDS = {"Balance": "Остатки", "Turnovers": "Обороты"}


@dataclass(frozen=True, slots=True)
class SchemaObject:
    """One metadata object. ``structure`` is what ``get_object_structure`` gives: plain data in 1C's own terms."""

    kind: str
    name: str
    structure: Mapping[str, Any]

    @property
    def path(self) -> str:
        return f"{self.kind}.{self.name}"


class SchemaBook:
    """All objects of a task, in a stable order; looked up by full path, by name, or by a part of either."""

    def __init__(self, objects: Iterable[SchemaObject]) -> None:
        self.objects = tuple(sorted(objects, key=lambda item: (item.kind, item.name)))

    @classmethod
    def of(
        cls, configuration: Mapping[str, Any], store: Sequence[SchemaObject] = (), distractors: int = 0, seed: str = ""
    ) -> SchemaBook:
        own = list(objects_of(configuration))
        return cls([*own, *draw_distractors(own, store, distractors, seed)])

    def of_kind(self, kind: str) -> list[SchemaObject]:
        """All of a kind, by any of its names; all there are for an empty one."""
        wanted = _KINDS.get(kind.strip().lower(), kind.strip())
        return [item for item in self.objects if not wanted or item.kind == wanted]

    def find(self, name: str) -> SchemaObject | None:
        """By full path, with any name of the kind, or by the name alone."""
        head, dot, rest = name.strip().partition(".")
        wanted = f"{_KINDS.get(head.lower(), head)}.{rest}" if dot else head
        return next((item for item in self.objects if wanted.lower() in (item.path.lower(), item.name.lower())), None)

    def search(self, query: str) -> list[SchemaObject]:
        """Objects whose path or one of whose fields contains a word of ``query``."""
        words = [word.lower() for word in query.split() if word]
        return [item for item in self.objects if any(word in _haystack(item) for word in words)]


def _haystack(item: SchemaObject) -> str:
    return f"{item.path} {item.structure}".lower()


def objects_of(configuration: Mapping[str, Any]) -> Iterable[SchemaObject]:
    """The metadata objects of a ``config_spec.yaml`` as plain data."""
    for key, kind in KIND_NAMES.items():
        for name, options in (configuration.get(key) or {}).items():
            if key == "enums":
                yield SchemaObject(kind, name, {"Значения": list(options)})
            elif key == "constants":
                yield SchemaObject(kind, name, {"Тип": type_text(options)})
            else:
                yield SchemaObject(kind, name, _structure(key, options or {}))


def _structure(key: str, options: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for group, title in GROUPS.items():
        if options.get(group):
            found[title] = {name: type_text(kind) for name, kind in options[group].items()}
    for name, section in (options.get("tabular_sections") or {}).items():
        fields = section.get("attributes", section) if isinstance(section, Mapping) else {}
        found.setdefault("ТабличныеЧасти", {})[name] = {field: type_text(kind) for field, kind in fields.items()}
    found.update(_facts(key, options))
    return found


def _facts(key: str, options: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    if key == "catalogs":
        yield "Иерархический", bool(options.get("hierarchical"))
        if options.get("owners"):
            yield "Владельцы", [f"Справочник.{owner}" for owner in options["owners"]]
    if key == "documents":
        movements = [*(options.get("registers") or ()), *(options.get("accounting_registers") or ())]
        if movements:
            yield "Движения", movements
    if key == "accumulation_registers":
        yield "ВидРегистра", REGISTER_KINDS.get(str(options.get("register_type")), str(options.get("register_type")))
    if key == "information_registers":
        yield "Периодичность", str(options.get("periodicity") or "Непериодический")
        yield "РежимЗаписи", "ПодчинениеРегистратору" if options.get("write_mode") else "Независимый"
    if key == "accounting_registers":
        yield "ПланСчетов", options.get("chart_of_accounts", "")
        yield "Корреспонденция", bool(options.get("correspondence"))
        if not options.get("resources"):
            yield "Ресурсы", {"Сумма": "Число"}
    if key == "charts_of_accounts" and options.get("ext_dimension_types"):
        yield "ВидыСубконто", options["ext_dimension_types"]
        yield "МаксКоличествоСубконто", options.get("max_ext_dimension_count", 0)
    if key == "chart_of_characteristic_types":
        yield "ТипЗначения", list(options.get("value_types") or ())


def type_text(kind: Any) -> str:
    """``Число(15, 2)``, ``Строка(50)``, ``СправочникСсылка.Товары``, or several joined by commas."""
    if isinstance(kind, str):
        return kind
    if isinstance(kind, list):
        return ", ".join(map(str, kind))
    names = kind.get("type", "")
    text = ", ".join(map(str, names)) if isinstance(names, list) else str(names)
    length, precision = kind.get("length"), kind.get("precision")
    if length and precision is not None:
        return f"{text}({length}, {precision})"
    return f"{text}({length})" if length else text


def draw_distractors(own: Iterable[SchemaObject], store: Sequence[SchemaObject], count: int, seed: str) -> list[SchemaObject]:
    """``count`` objects of the store, the same for the same seed; names that the task uses itself are left out, kinds that
    it uses come first, for a lone register among catalogs would choose itself."""
    own = list(own)
    taken = {item.name.lower() for item in own}
    kinds = {item.kind for item in own}
    free = [item for item in store if item.name.lower() not in taken]
    random.Random(seed).shuffle(free)
    return sorted(free, key=lambda item: item.kind not in kinds)[:count]
