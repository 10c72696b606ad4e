"""What the schema tools can tell of a task's database: objects with their fields and types, plus plausible distractors.

Choosing is part of the skill, so objects that the task does not need stand among those it does. They are drawn from a fixed
store by the run's seed and never share a name with the real ones.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
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
    def of(cls, configuration: Mapping[str, Any], *, distractors: int = 0, seed: int = 0) -> SchemaBook:
        own = list(_objects(configuration))
        return cls([*own, *draw_distractors(own, distractors, seed)])

    def of_kind(self, kind: str) -> list[SchemaObject]:
        return [item for item in self.objects if not kind or item.kind.lower() == kind.lower()]

    def find(self, name: str) -> SchemaObject | None:
        wanted = name.strip().lower()
        return next((item for item in self.objects if wanted in (item.path.lower(), item.name.lower())), None)

    def search(self, query: str) -> list[SchemaObject]:
        """Objects whose path or one of whose fields contains a word of ``query``."""
        words = [word.lower() for word in query.split() if word]
        return [item for item in self.objects if any(word in _haystack(item) for word in words)]


def _haystack(item: SchemaObject) -> str:
    return f"{item.path} {item.structure}".lower()


def _objects(configuration: Mapping[str, Any]) -> Iterable[SchemaObject]:
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


# Objects of everyday configurations that have nothing to do with any task of the bank.
_STORE: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("Справочник", "БанковскиеСчета", {"Реквизиты": {"НомерСчета": "Строка(20)", "БИК": "Строка(9)"}, "Иерархический": False}),
    ("Справочник", "ТранспортныеСредства", {"Реквизиты": {"ГосНомер": "Строка(9)", "ГодВыпуска": "Число(4, 0)"}, "Иерархический": False}),
    ("Справочник", "ДоговорыАренды", {"Реквизиты": {"Площадь": "Число(10, 2)", "Ставка": "Число(15, 2)"}, "Иерархический": False}),
    ("Справочник", "ЕдиницыИзмеренияПоКлассификатору", {"Реквизиты": {"КодОКЕИ": "Строка(3)"}, "Иерархический": False}),
    ("Справочник", "Помещения", {"Реквизиты": {"Этаж": "Число(3, 0)"}, "Иерархический": True}),
    ("Документ", "АвансовыйОтчет", {"Реквизиты": {"Подотчетник": "Строка(100)", "СуммаДокумента": "Число(15, 2)"}}),
    ("Документ", "ПутевойЛист", {"Реквизиты": {"Пробег": "Число(10, 1)", "Расход": "Число(10, 2)"}}),
    ("Документ", "ИнвентаризацияКассы", {"Реквизиты": {"СуммаПоУчету": "Число(15, 2)", "СуммаФактическая": "Число(15, 2)"}}),
    ("РегистрНакопления", "ТопливоВБаках", {"Измерения": {"Машина": "Строка(20)"}, "Ресурсы": {"Литры": "Число(10, 2)"}, "ВидРегистра": "Остатки"}),
    ("РегистрНакопления", "ПосещенияСайта", {"Измерения": {"Страница": "Строка(200)"}, "Ресурсы": {"Посещений": "Число(10, 0)"}, "ВидРегистра": "Обороты"}),
    ("РегистрСведений", "ГрафикиРаботыОборудования", {"Измерения": {"Линия": "Строка(30)"}, "Ресурсы": {"Часы": "Число(5, 2)"}, "Периодичность": "День", "РежимЗаписи": "Независимый"}),
    ("РегистрСведений", "НастройкиПечатныхФорм", {"Измерения": {"Форма": "Строка(50)"}, "Ресурсы": {"Копий": "Число(2, 0)"}, "Периодичность": "Непериодический", "РежимЗаписи": "Независимый"}),
    ("Перечисление", "ВидыТоплива", {"Значения": ["АИ92", "АИ95", "Дизель"]}),
    ("Константа", "ЗаголовокСистемы", {"Тип": "Строка(100)"}),
)  # fmt: skip


def draw_distractors(own: Iterable[SchemaObject], count: int, seed: int) -> list[SchemaObject]:
    """``count`` objects of the store, the same for the same seed; names that the task uses itself are left out."""
    taken = {item.name.lower() for item in own}
    free = [SchemaObject(*entry) for entry in _STORE if entry[1].lower() not in taken]
    return random.Random(seed).sample(free, min(count, len(free)))
