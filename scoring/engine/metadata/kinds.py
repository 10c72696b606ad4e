"""The kinds of metadata objects: their names in both languages, as data.

Everything that differs from kind to kind only by a word (``Справочник`` / ``Catalog``, ``СправочникСсылка`` /
``CatalogRef`` …) is looked up here.
"""

from __future__ import annotations

from dataclasses import dataclass

Names = tuple[str, str]  # (Russian, English)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of metadata object. ``names`` is the singular (query tables, full names), ``collection`` the plural
    (managers, ``Метаданные``). ``spec_key`` is its section in ``config_spec.yaml``."""

    key: str
    names: Names
    collection: Names
    spec_key: str
    has_references: bool = False

    def path(self, name: str) -> str:
        return f"{self.names[0]}.{name}"

    def type_names(self, role: str, name: str) -> Names:
        """Names of the type that plays ``role`` for the object ``name``: ``Ref``, ``Object``, ``Manager`` …"""
        russian, english = ROLES[role]
        return f"{self.names[0]}{russian}.{name}", f"{self.names[1]}{english}.{name}"


ROLES: dict[str, Names] = {
    "Ref": ("Ссылка", "Ref"),
    "Object": ("Объект", "Object"),
    "Manager": ("Менеджер", "Manager"),
    "Selection": ("Выборка", "Selection"),
    "RecordSet": ("НаборЗаписей", "RecordSet"),
    "Record": ("Запись", "Record"),
    "RecordManager": ("МенеджерЗаписи", "RecordManager"),
    "RecordKey": ("КлючЗаписи", "RecordKey"),
    "ValueManager": ("МенеджерЗначения", "ValueManager"),
    "TabularSection": ("ТабличнаяЧасть", "TabularSection"),
    "TabularSectionRow": ("ТабличнаяЧастьСтрока", "TabularSectionRow"),
}

KINDS: tuple[Kind, ...] = (
    Kind("catalog", ("Справочник", "Catalog"), ("Справочники", "Catalogs"), "catalogs", True),
    Kind("document", ("Документ", "Document"), ("Документы", "Documents"), "documents", True),
    Kind("enum", ("Перечисление", "Enum"), ("Перечисления", "Enums"), "enums", True),
    Kind(
        "characteristics",
        ("ПланВидовХарактеристик", "ChartOfCharacteristicTypes"),
        ("ПланыВидовХарактеристик", "ChartsOfCharacteristicTypes"),
        "chart_of_characteristic_types",
        True,
    ),
    Kind(
        "accounts",
        ("ПланСчетов", "ChartOfAccounts"),
        ("ПланыСчетов", "ChartsOfAccounts"),
        "charts_of_accounts",
        True,
    ),
    Kind(
        "accumulation",
        ("РегистрНакопления", "AccumulationRegister"),
        ("РегистрыНакопления", "AccumulationRegisters"),
        "accumulation_registers",
    ),
    Kind(
        "information",
        ("РегистрСведений", "InformationRegister"),
        ("РегистрыСведений", "InformationRegisters"),
        "information_registers",
    ),
    Kind(
        "accounting",
        ("РегистрБухгалтерии", "AccountingRegister"),
        ("РегистрыБухгалтерии", "AccountingRegisters"),
        "accounting_registers",
    ),
    Kind("constant", ("Константа", "Constant"), ("Константы", "Constants"), "constants"),
)

KIND: dict[str, Kind] = {kind.key: kind for kind in KINDS}
KIND_BY_SPEC: dict[str, Kind] = {kind.spec_key: kind for kind in KINDS}
KIND_BY_NAME: dict[str, Kind] = {name.lower(): kind for kind in KINDS for name in kind.names}
KIND_BY_COLLECTION: dict[str, Kind] = {name.lower(): kind for kind in KINDS for name in kind.collection}
REFERENCE_KINDS: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind.has_references)

# Kinds of the platform that no specification can declare: collections of managers that exist and are empty.
EMPTY_COLLECTIONS: tuple[Names, ...] = (
    ("ПланыВидовРасчета", "ChartsOfCalculationTypes"),
    ("РегистрыРасчета", "CalculationRegisters"),
    ("ПланыОбмена", "ExchangePlans"),
    ("БизнесПроцессы", "BusinessProcesses"),
    ("Задачи", "Tasks"),
    ("ЖурналыДокументов", "DocumentJournals"),
    ("Отчеты", "Reports"),
    ("Обработки", "DataProcessors"),
    ("Последовательности", "Sequences"),
    ("КритерииОтбора", "FilterCriteria"),
)
