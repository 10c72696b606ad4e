"""``Метаданные``: the configuration as objects of the language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.metadata.kinds import EMPTY_COLLECTIONS, KIND_BY_NAME, KINDS, Names
from scoring.engine.metadata.objects import STANDARD, Field, MetadataObject, Section
from scoring.engine.metadata.types import TypeDescription
from scoring.engine.platform import known_members
from scoring.engine.platform.collections import database_of
from scoring.engine.platform.faults import no_field
from scoring.engine.platform.known_members import refuse_known
from scoring.engine.platform.named import NamedFields
from scoring.engine.platform.typevalues import description_value
from scoring.engine.storage.database import Database
from scoring.engine.values.members import ONEC, global_property, member
from scoring.engine.values.model import BslObject
from scoring.engine.values.types import TypeValue

UNIMPLEMENTED = known_members.names(known_members.METADATA)
TABLE: Names = ("ОбъектМетаданных", "MetadataObject")


class MetadataNode(NamedFields):
    """A node of the tree: named values in ``parts`` (both names in lower case → value or maker of it)."""

    type_name = TABLE

    def __init__(self, path: str, parts: dict[Names, Any], parent: Any = None) -> None:
        self.path = path
        self.parent_node = parent
        self.parts = {spelled.lower(): value for names, value in parts.items() for spelled in names}

    def get_property(self, rt: Any, name: str) -> Any:
        key = name.lower()
        if key not in self.parts:
            refuse_known(UNIMPLEMENTED, name, self.path)
            raise no_field(self, name)
        value = self.parts[key]
        return value() if callable(value) else value

    def presentation(self, rt: Any) -> str:
        return self.path

    def is_filled(self, rt: Any) -> bool:
        return True

    @member("ПолноеИмя", "FullName")
    def full_name(self, rt: Any) -> str:
        return self.path

    @member("Представление", "Presentation")
    def short_presentation(self, rt: Any) -> str:
        synonym = self.parts.get("синоним")
        return str(synonym or self.parts.get("имя", self.path))

    @member("Родитель", "Parent")
    def parent(self, rt: Any) -> Any:
        return self.parent_node


class MetadataList(BslObject):
    """A collection of nodes: by name, by index, in a walk."""

    type_name = ("КоллекцияОбъектовМетаданных", "MetadataObjectCollection")

    def __init__(self, nodes: Sequence[MetadataNode]) -> None:
        self.nodes = list(nodes)
        self.by_name = {str(node.parts["имя"]).lower(): node for node in self.nodes}

    def get_property(self, rt: Any, name: str) -> Any:
        found = self.by_name.get(name.lower())
        if found is None:
            raise no_field(self, name)
        return found

    def get_index(self, rt: Any, index: Any) -> Any:
        if isinstance(index, str):
            return self.get_property(rt, index)
        if type(index) is int:
            if not 0 <= index < len(self.nodes):
                raise BslRuntimeError("index")
            return self.nodes[index]
        return super().get_index(rt, index)

    def iterate(self, rt: Any) -> Iterator[Any]:
        return iter(self.nodes)

    @member("Количество", "Count")
    def count(self, rt: Any) -> int:
        return len(self.nodes)

    @member("Найти", "Find")
    def find(self, rt: Any, name: Any) -> Any:
        return self.by_name.get(rt.text(name).lower())

    @member("Содержит", "Contains")
    def contains(self, rt: Any, node: Any) -> bool:
        return node in self.nodes

    @member("Получить", "Get")
    def get(self, rt: Any, index: Any) -> Any:
        return self.get_index(rt, index)

    @member("Индекс", "IndexOf")
    def index_of(self, rt: Any, node: Any) -> int:
        return self.nodes.index(node) if node in self.nodes else -1


ATTRIBUTE_NAMES: dict[str, str] = {"dimension": "Измерение", "resource": "Ресурс", "attribute": "Реквизит"}


def field_node(owner: str, item: Field, parent: Any) -> MetadataNode:
    kind = ATTRIBUTE_NAMES.get(item.role, "СтандартныйРеквизит")
    return MetadataNode(
        f"{owner}.{kind}.{item.name}",
        {
            ("Имя", "Name"): item.name,
            ("Синоним", "Synonym"): item.name,
            ("Комментарий", "Comment"): "",
            ("Тип", "Type"): lambda: description_value(item.types),
            ("Балансовый", "Balance"): item.balance,
        },
        parent,
    )


def section_node(owner: str, section: Section, parent: Any) -> MetadataNode:
    path = f"{owner}.ТабличнаяЧасть.{section.name}"
    return MetadataNode(
        path,
        {
            ("Имя", "Name"): section.name,
            ("Синоним", "Synonym"): section.name,
            ("Комментарий", "Comment"): "",
            ("Реквизиты", "Attributes"): MetadataList([field_node(path, item, None) for item in section.attributes]),
        },
        parent,
    )


class ObjectNode(MetadataNode):
    """A metadata object; made once per database, compared by identity."""

    def __init__(self, database: Database, meta: MetadataObject) -> None:
        self.database = database
        self.meta = meta
        super().__init__(meta.path, common_parts(self) | KIND_PARTS[meta.kind.key](self))

    @property
    def type_name(self) -> Names:  # type: ignore[override]
        return f"ОбъектМетаданных: {self.meta.kind.names[0]}", f"MetadataObject: {self.meta.kind.names[1]}"

    def fields(self, items: Sequence[Field]) -> MetadataList:
        return MetadataList([field_node(self.meta.path, item, self) for item in items])

    def others(self, metas: Sequence[MetadataObject | None]) -> MetadataList:
        return MetadataList([metadata_of(self.database, meta) for meta in metas if meta is not None])


def common_parts(node: ObjectNode) -> dict[Names, Any]:
    meta = node.meta
    standard = [item for item in meta.fields if item.role == STANDARD]
    return {
        ("Имя", "Name"): meta.name,
        ("Синоним", "Synonym"): meta.synonym or meta.name,
        ("Комментарий", "Comment"): "",
        ("Реквизиты", "Attributes"): lambda: node.fields(meta.attributes),
        ("СтандартныеРеквизиты", "StandardAttributes"): lambda: node.fields(standard),
    }


def sections_part(node: ObjectNode) -> dict[Names, Any]:
    sections = [item for item in node.meta.sections if item.name != "ВидыСубконто"]
    return {
        ("ТабличныеЧасти", "TabularSections"): lambda: MetadataList(
            [section_node(node.meta.path, item, node) for item in sections]
        )
    }


def catalog_parts(node: ObjectNode) -> dict[Names, Any]:
    meta, configuration = node.meta, node.database.configuration
    return sections_part(node) | {
        ("Иерархический", "Hierarchical"): meta.hierarchical,
        ("ДлинаКода", "CodeLength"): meta.code_length,
        ("ДлинаНаименования", "DescriptionLength"): meta.description_length,
        ("Владельцы", "Owners"): lambda: node.others([configuration.of_reference_type(item) for item in meta.owners]),
    }


def characteristics_parts(node: ObjectNode) -> dict[Names, Any]:
    types = node.meta.value_type or TypeDescription()
    return catalog_parts(node) | {("Тип", "Type"): lambda: description_value(types)}


def accounts_parts(node: ObjectNode) -> dict[Names, Any]:
    meta, configuration = node.meta, node.database.configuration
    kinds = configuration.find("characteristics", meta.ext_dimension_types) if meta.ext_dimension_types else None
    return sections_part(node) | {
        ("ДлинаКода", "CodeLength"): meta.code_length,
        ("МаксКоличествоСубконто", "MaxExtDimensionCount"): meta.max_ext_dimensions,
        ("ВидыСубконто", "ExtDimensionTypes"): lambda: metadata_of(node.database, kinds) if kinds else None,
    }


def document_parts(node: ObjectNode) -> dict[Names, Any]:
    return sections_part(node) | {
        ("Движения", "RegisterRecords"): lambda: node.others(node.meta.registers),
        ("ДлинаНомера", "NumberLength"): 9,
    }


def enum_parts(node: ObjectNode) -> dict[Names, Any]:
    path = node.meta.path

    def values() -> MetadataList:
        return MetadataList(
            [
                MetadataNode(
                    f"{path}.ЗначениеПеречисления.{name}",
                    {("Имя", "Name"): name, ("Синоним", "Synonym"): name, ("Комментарий", "Comment"): ""},
                    node,
                )
                for name in node.meta.values
            ]
        )

    return {("ЗначенияПеречисления", "EnumValues"): values}


def register_parts(node: ObjectNode) -> dict[Names, Any]:
    meta = node.meta
    parts: dict[Names, Any] = {
        ("Измерения", "Dimensions"): lambda: node.fields(meta.dimensions),
        ("Ресурсы", "Resources"): lambda: node.fields(meta.resources),
    }
    if meta.kind.key == "accounting":
        chart = node.database.configuration.find("accounts", meta.chart)
        parts[("ПланСчетов", "ChartOfAccounts")] = lambda: metadata_of(node.database, chart) if chart else None
        parts[("Корреспонденция", "Correspondence")] = meta.correspondence
    return parts


def constant_parts(node: ObjectNode) -> dict[Names, Any]:
    types = node.meta.value_type or TypeDescription()
    return {("Тип", "Type"): lambda: description_value(types)}


KIND_PARTS: dict[str, Callable[[ObjectNode], dict[Names, Any]]] = {
    "catalog": catalog_parts,
    "characteristics": characteristics_parts,
    "accounts": accounts_parts,
    "document": document_parts,
    "enum": enum_parts,
    "accumulation": register_parts,
    "information": register_parts,
    "accounting": register_parts,
    "constant": constant_parts,
}


def metadata_of(database: Database, meta: MetadataObject) -> ObjectNode:
    """The node of a metadata object; the same one every time."""
    key = f"Метаданные.{meta.path}"
    if key not in database.managers:
        database.managers[key] = ObjectNode(database, meta)
    return database.managers[key]  # type: ignore[no-any-return]


class ConfigurationNode(MetadataNode):
    """``Метаданные`` itself."""

    type_name = ("ОбъектМетаданныхКонфигурация", "ConfigurationMetadataObject")

    def __init__(self, database: Database) -> None:
        self.database = database
        parts: dict[Names, Any] = {
            ("Имя", "Name"): database.configuration.name,
            ("Синоним", "Synonym"): "",
            ("Комментарий", "Comment"): "",
            ("Версия", "Version"): "",
        }
        for kind in KINDS:
            parts[kind.collection] = self._maker(kind.key)
        empty = (*EMPTY_COLLECTIONS, ("ОбщиеМодули", "CommonModules"), ("Роли", "Roles"), ("Подсистемы", "Subsystems"))
        parts |= {names: MetadataList([]) for names in empty}
        russian = MetadataNode("Язык.Русский", {("Имя", "Name"): "Русский", ("КодЯзыка", "LanguageCode"): "ru"}, self)
        parts[("ОсновнойЯзык", "DefaultLanguage")] = russian
        super().__init__(database.configuration.name, parts)

    def _maker(self, kind: str) -> Callable[[], MetadataList]:
        return lambda: MetadataList([metadata_of(self.database, meta) for meta in self.database.configuration.of_kind(kind)])

    @member("НайтиПоПолномуИмени", "FindByFullName")
    def find_by_full_name(self, rt: Any, name: Any) -> Any:
        parts = rt.text(name).split(".")
        meta = self.database.configuration.find_path(".".join(parts[:2])) if parts[0].lower() in KIND_BY_NAME else None
        node: Any = metadata_of(self.database, meta) if meta is not None else None
        for kind, item in zip(parts[2::2], parts[3::2], strict=False):
            node = self._inner(rt, node, kind, item)
        return node

    def _inner(self, rt: Any, node: Any, kind: str, name: str) -> Any:
        collection = INNER_COLLECTIONS.get(kind.lower())
        if node is None or collection is None or collection.lower() not in node.parts:
            return None
        return node.get_property(rt, collection).by_name.get(name.lower())

    @member("НайтиПоТипу", "FindByType")
    def find_by_type(self, rt: Any, wanted: Any) -> Any:
        if not isinstance(wanted, TypeValue):
            raise BslRuntimeError("argument_type", number=1)
        prefix, _, name = wanted.names[0].partition(".")
        for kind in KINDS:
            if name and prefix.startswith(kind.names[0]):
                meta = self.database.configuration.find(kind.key, name)
                return metadata_of(self.database, meta) if meta is not None else None
        return None


INNER_COLLECTIONS: dict[str, str] = {
    "реквизит": "Реквизиты",
    "attribute": "Attributes",
    "измерение": "Измерения",
    "dimension": "Dimensions",
    "ресурс": "Ресурсы",
    "resource": "Resources",
    "табличнаячасть": "ТабличныеЧасти",
    "tabularsection": "TabularSections",
    "значениеперечисления": "ЗначенияПеречисления",
    "enumvalue": "EnumValues",
}


@global_property("Метаданные", "Metadata", dialects=(ONEC,))
def configuration_node(rt: Any) -> ConfigurationNode:
    database = database_of(rt, "Метаданные")
    if "Метаданные" not in database.managers:
        database.managers["Метаданные"] = ConfigurationNode(database)
    return database.managers["Метаданные"]  # type: ignore[no-any-return]
