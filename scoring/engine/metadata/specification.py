"""Reading ``config_spec.yaml`` (already parsed) into a :class:`Configuration`. Strict: every finding at once, with paths."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scoring.engine.metadata import standard
from scoring.engine.metadata.configuration import Configuration, SpecificationError
from scoring.engine.metadata.kinds import KIND_BY_SPEC, Names
from scoring.engine.metadata.objects import (
    ATTRIBUTE,
    DIMENSION,
    RESOURCE,
    Field,
    MetadataObject,
    Predefined,
    Section,
)
from scoring.engine.metadata.types import DATE_PARTS, TypeDescription
from scoring.engine.values.types import DATE, NUMBER, STRING

IDENTIFIER = re.compile(r"[A-Za-zА-Яа-яЁё_][A-Za-zА-Яа-яЁё_0-9]*\Z")
DEFAULT_DIGITS = 10
DEFAULT_STRING = 0

PERIODICITIES: dict[str, str] = {
    "nonperiodical": "",
    "непериодический": "",
    "second": "Second",
    "секунда": "Second",
    "day": "Day",
    "день": "Day",
    "month": "Month",
    "месяц": "Month",
    "quarter": "Quarter",
    "квартал": "Quarter",
    "year": "Year",
    "год": "Year",
    "recorderposition": "RecorderPosition",
    "позициярегистратора": "RecorderPosition",
    "попозициирегистратора": "RecorderPosition",
}
WRITE_MODES = {
    "independent": False,
    "независимый": False,
    "recordersubordinate": True,
    "подчинениерегистратору": True,
}
REGISTER_TYPES = {"balance": True, "balances": True, "остатки": True, "turnovers": False, "обороты": False}

REFERENCE_KEYS = frozenset({"attributes", "tabular_sections", "synonym"})
CODE_KEYS = frozenset({"code_length", "code_type", "description_length", "predefined"})
KEYS: dict[str, frozenset[str]] = {
    "catalogs": REFERENCE_KEYS | CODE_KEYS | {"hierarchical", "hierarchy_type", "owners"},
    "documents": REFERENCE_KEYS | {"registers", "accounting_registers", "information_registers"},
    "chart_of_characteristic_types": REFERENCE_KEYS | CODE_KEYS | {"value_types", "hierarchical"},
    "charts_of_accounts": REFERENCE_KEYS | CODE_KEYS | {"ext_dimension_types", "max_ext_dimension_count"},
    "accumulation_registers": frozenset({"register_type", "dimensions", "resources", "attributes", "synonym"}),
    "information_registers": frozenset({"periodicity", "write_mode", "dimensions", "resources", "attributes", "synonym"}),
    "accounting_registers": frozenset(
        {"chart_of_accounts", "correspondence", "dimensions", "resources", "attributes", "synonym"}
    ),
}
FIELD_KEYS = frozenset({"type", "length", "precision", "nonnegative", "fixed_length", "date_parts", "synonym"})
DEFAULT_RESOURCES = {"Сумма": {"type": "Число", "length": 15, "precision": 2}}


class Reader:
    """One reading: collects problems; two passes, since types may name objects declared further down."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self.spec = spec
        self.configuration = Configuration()
        self.problems: list[str] = []

    def problem(self, path: str, what: str) -> None:
        self.problems.append(f"{path}: {what}")

    # -- small readers ------------------------------------------------------------------------------------------------

    def mapping(self, value: Any, path: str) -> Mapping[str, Any]:
        if value is None:
            return {}
        if isinstance(value, Mapping):
            return value
        self.problem(path, "must be a mapping")
        return {}

    def names(self, value: Any, path: str) -> list[str]:
        if value is None:
            return []
        if isinstance(value, str):
            return [value]
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return list(value)
        self.problem(path, "must be a list of names")
        return []

    def choice(self, value: Any, choices: Mapping[str, Any], path: str, default: Any) -> Any:
        if value is None:
            return default
        found = choices.get(str(value).lower(), self)
        if found is self:
            self.problem(path, f"unknown value {value!r}; one of {', '.join(sorted(choices))}")
            return default
        return found

    def whole(self, value: Any, path: str, default: int) -> int:
        if value is None:
            return default
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        self.problem(path, "must be a whole number, 0 or more")
        return default

    def flag(self, value: Any, path: str) -> bool:
        if value is None or isinstance(value, bool):
            return bool(value)
        self.problem(path, "must be true or false")
        return False

    def identifier(self, name: Any, path: str) -> bool:
        if isinstance(name, str) and IDENTIFIER.match(name):
            return True
        self.problem(path, f"{name!r} is not a name")
        return False

    def known_keys(self, data: Mapping[str, Any], keys: frozenset[str], path: str) -> None:
        for key in data:
            if key not in keys:
                self.problem(f"{path}.{key}", "unknown key")

    # -- first pass: which objects there are ----------------------------------------------------------------------------

    def declare(self) -> None:
        for key in self.spec:
            if key not in KIND_BY_SPEC and key != "defined_types":
                self.problem(str(key), "unknown section")
        for key, kind in KIND_BY_SPEC.items():
            for name in self.mapping(self.spec.get(key), key):
                if self.identifier(name, f"{key}.{name}"):
                    self.configuration.add(MetadataObject(kind, name))

    # -- fields -----------------------------------------------------------------------------------------------------------

    def type_description(self, value: Any, path: str) -> TypeDescription:
        written = self.names(value, path)
        if not written:
            self.problem(path, "type is missing")
        result = TypeDescription()
        for text in written:
            found = self.configuration.expand_type(text)
            if found is None:
                self.problem(path, f"unknown type {text!r}")
                continue
            result = result.united(found) if result.names else found
        return result

    def field_type(self, data: Mapping[str, Any], path: str) -> TypeDescription:
        self.known_keys(data, FIELD_KEYS, path)
        result = self.type_description(data.get("type"), f"{path}.type")
        length, precision = data.get("length"), data.get("precision")
        if NUMBER in result.names and not result.digits:
            result = replace(
                result,
                digits=self.whole(length, f"{path}.length", DEFAULT_DIGITS),
                fraction=self.whole(precision, f"{path}.precision", 0),
                nonnegative=self.flag(data.get("nonnegative"), f"{path}.nonnegative"),
            )
            if result.fraction > result.digits:
                self.problem(f"{path}.precision", "is greater than the length")
        if STRING in result.names and not result.length:
            result = replace(
                result,
                length=self.whole(length, f"{path}.length", DEFAULT_STRING),
                fixed_length=self.flag(data.get("fixed_length"), f"{path}.fixed_length"),
            )
        if DATE in result.names and "date_parts" in data:
            parts = self.choice(data["date_parts"], DATE_PARTS, f"{path}.date_parts", "DateTime")
            result = replace(result, date_parts=parts)
        return result

    def fields(self, value: Any, path: str, role: str, taken: set[str]) -> tuple[Field, ...]:
        result = []
        for name, data in self.mapping(value, path).items():
            where = f"{path}.{name}"
            if not self.identifier(name, where):
                continue
            if name.lower() in taken:
                self.problem(where, "the name is taken")
            taken.add(name.lower())
            options = dict(self.mapping(data, where))
            balance = True
            if role in (DIMENSION, RESOURCE) and "balance" in options:
                balance = self.flag(options.pop("balance"), f"{where}.balance")
            if role == DIMENSION:
                for ours in ("master", "use_in_totals"):
                    options.pop(ours, None)
            result.append(Field(name, name, self.field_type(options, where), role, balance))
        return tuple(result)

    def sections(self, obj: MetadataObject, value: Any, path: str, taken: set[str]) -> tuple[Section, ...]:
        result = []
        for name, data in self.mapping(value, path).items():
            where = f"{path}.{name}"
            if not self.identifier(name, where):
                continue
            if name.lower() in taken:
                self.problem(where, "the name is taken")
            taken.add(name.lower())
            declared = self.mapping(data, where)
            if set(declared) == {"attributes"} and "type" not in (declared["attributes"] or {}):
                declared = self.mapping(declared["attributes"], f"{where}.attributes")
            inner = {"ссылка", "ref", "номерстроки", "linenumber"}
            attributes = self.fields(declared, where, ATTRIBUTE, inner)
            fields = (*standard.section_fields(obj.ref_names), *attributes)
            result.append(Section(name, name, attributes, fields))
        return tuple(result)

    # -- second pass ------------------------------------------------------------------------------------------------------

    def complete(self) -> None:
        self.read_defined_types()
        for key in KINDS_IN_ORDER:
            section = self.mapping(self.spec.get(key), key)
            for name, data in section.items():
                if not isinstance(name, str):
                    continue
                obj = self.configuration.find(KIND_BY_SPEC[key].key, name)
                if obj is not None:
                    COMPLETERS[key](self, obj, data, f"{key}.{name}")
        self.check_recorders()

    def read_defined_types(self) -> None:
        for name, data in self.mapping(self.spec.get("defined_types"), "defined_types").items():
            path = f"defined_types.{name}"
            self.configuration.defined_types[str(name).lower()] = self.field_type(self.mapping(data, path), path)

    def check_recorders(self) -> None:
        for kind, key in (
            ("accumulation", "accumulation_registers"),
            ("accounting", "accounting_registers"),
            ("information", "information_registers"),
        ):
            for obj in self.configuration.of_kind(kind):
                if not obj.recorders and (kind != "information" or obj.subordinate):
                    self.problem(f"{key}.{obj.name}", "no document writes this register")

    def common(self, obj: MetadataObject, data: Any, path: str) -> Mapping[str, Any]:
        options = self.mapping(data, path)
        self.known_keys(options, KEYS[obj.kind.spec_key], path)
        synonym = options.get("synonym")
        obj.synonym = synonym if isinstance(synonym, str) else ""
        return options

    def codes(self, obj: MetadataObject, options: Mapping[str, Any], path: str) -> None:
        obj.code_length = self.whole(options.get("code_length"), f"{path}.code_length", obj.code_length)
        obj.description_length = self.whole(
            options.get("description_length"), f"{path}.description_length", obj.description_length
        )
        obj.code_is_number = self.choice(options.get("code_type"), CODE_TYPES, f"{path}.code_type", obj.code_is_number)

    def own_parts(self, obj: MetadataObject, options: Mapping[str, Any], path: str, fields: list[Field]) -> None:
        """Attributes and tabular sections of an object with references, after its standard ``fields``."""
        taken = {spelled.lower() for item in fields for spelled in (item.name, item.english)}
        obj.attributes = self.fields(options.get("attributes"), f"{path}.attributes", ATTRIBUTE, taken)
        obj.fields = (*fields, *obj.attributes)
        obj.sections = self.sections(obj, options.get("tabular_sections"), f"{path}.tabular_sections", taken)
        obj.index_fields()

    def register_parts(self, obj: MetadataObject, options: Mapping[str, Any], path: str, fields: list[Field]) -> None:
        taken = {spelled.lower() for item in fields for spelled in (item.name, item.english)}
        obj.dimensions = self.fields(options.get("dimensions"), f"{path}.dimensions", DIMENSION, taken)
        obj.resources = self.fields(options.get("resources"), f"{path}.resources", RESOURCE, taken)
        obj.attributes = self.fields(options.get("attributes"), f"{path}.attributes", ATTRIBUTE, taken)
        obj.fields = (*fields, *obj.dimensions, *obj.resources, *obj.attributes)
        obj.index_fields()

    def predefined(self, obj: MetadataObject, value: Any, path: str) -> tuple[Predefined, ...]:
        """``[Имя, …]`` or ``{Имя: {Наименование, Код, Родитель, ЭтоГруппа, <attribute>: value}}``."""
        if isinstance(value, list | tuple):
            value = dict.fromkeys(self.names(value, path))
        result = []
        for name, data in self.mapping(value, path).items():
            where = f"{path}.{name}"
            if not self.identifier(name, where):
                continue
            options = dict(self.mapping(data, where))
            result.append(
                Predefined(
                    name,
                    str(options.pop("Наименование", name)),
                    options.pop("Код", None),
                    options.pop("Родитель", None),
                    bool(options.pop("ЭтоГруппа", False)),
                    tuple(options.items()),
                )
            )
            for attribute in options:
                if obj.field(attribute) is None:
                    self.problem(f"{where}.{attribute}", "no such attribute")
        return tuple(result)


CODE_TYPES = {"string": False, "строка": False, "number": True, "число": True}
HIERARCHY_TYPES = {"folders": True, "группыиэлементы": True, "items": False, "элементы": False}


def complete_catalog(reader: Reader, obj: MetadataObject, data: Any, path: str) -> None:
    options = reader.common(obj, data, path)
    obj.hierarchical = reader.flag(options.get("hierarchical"), f"{path}.hierarchical")
    obj.folders = obj.hierarchical and reader.choice(
        options.get("hierarchy_type"), HIERARCHY_TYPES, f"{path}.hierarchy_type", True
    )
    owners: list[Names] = []
    for owner in reader.names(options.get("owners"), f"{path}.owners"):
        found = reader.configuration.find("catalog", owner.rpartition(".")[2])
        if found is None:
            reader.problem(f"{path}.owners", f"unknown catalog {owner!r}")
        else:
            owners.append(found.ref_names)
    obj.owners = tuple(owners)
    reader.codes(obj, options, path)
    reader.own_parts(obj, options, path, standard.catalog_fields(obj))
    obj.predefined = reader.predefined(obj, options.get("predefined"), f"{path}.predefined")


def complete_characteristics(reader: Reader, obj: MetadataObject, data: Any, path: str) -> None:
    options = reader.common(obj, data, path)
    obj.hierarchical = obj.folders = reader.flag(options.get("hierarchical"), f"{path}.hierarchical")
    obj.value_type = reader.type_description(options.get("value_types"), f"{path}.value_types")
    if STRING in obj.value_type.names and not obj.value_type.length:
        obj.value_type = replace(obj.value_type, length=100)
    reader.codes(obj, options, path)
    reader.own_parts(obj, options, path, standard.characteristics_fields(obj))
    obj.predefined = reader.predefined(obj, options.get("predefined"), f"{path}.predefined")


def complete_accounts(reader: Reader, obj: MetadataObject, data: Any, path: str) -> None:
    options = reader.common(obj, data, path)
    reader.codes(obj, options, path)
    obj.hierarchical = True
    kinds = options.get("ext_dimension_types")
    if kinds is not None:
        chart = reader.configuration.find("characteristics", str(kinds).rpartition(".")[2])
        if chart is None:
            reader.problem(f"{path}.ext_dimension_types", f"unknown chart of characteristic types {kinds!r}")
        else:
            obj.ext_dimension_types = chart.name
    obj.max_ext_dimensions = reader.whole(
        options.get("max_ext_dimension_count"), f"{path}.max_ext_dimension_count", 3 if kinds else 0
    )
    reader.own_parts(obj, options, path, standard.accounts_fields(obj))
    if obj.ext_dimension_types:
        chart = reader.configuration.find("characteristics", obj.ext_dimension_types)
        if chart is not None:
            inner = tuple(standard.ext_dimension_fields(chart.ref_names))
            fields = (*standard.section_fields(obj.ref_names), *inner)
            obj.sections = (Section("ВидыСубконто", "ExtDimensionTypes", inner, fields), *obj.sections)
    obj.predefined = reader.predefined(obj, options.get("predefined"), f"{path}.predefined")


def complete_enum(reader: Reader, obj: MetadataObject, data: Any, path: str) -> None:
    values = data.get("values") if isinstance(data, Mapping) else data
    names = reader.names(values, path)
    obj.values = tuple(name for name in names if reader.identifier(name, f"{path}.{name}"))
    if len({name.lower() for name in names}) != len(names):
        reader.problem(path, "a value is named twice")
    obj.fields = tuple(standard.enum_fields(obj))
    obj.index_fields()


def complete_constant(reader: Reader, obj: MetadataObject, data: Any, path: str) -> None:
    obj.value_type = reader.field_type(reader.mapping(data, path), path)
    obj.fields = (standard.standard("Значение", "Value", obj.value_type),)
    obj.index_fields()


DOCUMENT_REGISTERS = {
    "registers": ("accumulation", "information", "accounting"),
    "accounting_registers": ("accounting",),
    "information_registers": ("information",),
}


def complete_document(reader: Reader, obj: MetadataObject, data: Any, path: str) -> None:
    options = reader.common(obj, data, path)
    registers: list[MetadataObject] = []
    for key, kinds in DOCUMENT_REGISTERS.items():
        for name in reader.names(options.get(key), f"{path}.{key}"):
            plain = name.rpartition(".")[2]
            found = [item for kind in kinds if (item := reader.configuration.find(kind, plain))]
            if not found:
                reader.problem(f"{path}.{key}", f"unknown register {name!r}")
            registers += [item for item in found[:1] if item not in registers]
    obj.registers = tuple(registers)
    for register in registers:
        register.recorders = (*register.recorders, obj.ref_names)
    reader.own_parts(obj, options, path, standard.document_fields(obj))


def complete_accumulation(reader: Reader, obj: MetadataObject, data: Any, path: str) -> None:
    options = reader.common(obj, data, path)
    obj.is_balance = reader.choice(options.get("register_type"), REGISTER_TYPES, f"{path}.register_type", True)
    obj.subordinate = True
    reader.register_parts(obj, options, path, standard.accumulation_fields(obj))
    for resource in obj.resources:
        if resource.types.single != NUMBER:
            reader.problem(f"{path}.resources.{resource.name}", "resources of this register are numbers")


def complete_information(reader: Reader, obj: MetadataObject, data: Any, path: str) -> None:
    options = reader.common(obj, data, path)
    obj.periodicity = reader.choice(options.get("periodicity"), PERIODICITIES, f"{path}.periodicity", "")
    obj.subordinate = reader.choice(options.get("write_mode"), WRITE_MODES, f"{path}.write_mode", False)
    if obj.periodicity == "RecorderPosition":
        obj.subordinate = True
    reader.register_parts(obj, options, path, standard.information_fields(obj))


def complete_accounting(reader: Reader, obj: MetadataObject, data: Any, path: str) -> None:
    options = dict(reader.common(obj, data, path))
    chart = reader.configuration.find("accounts", str(options.get("chart_of_accounts", "")).rpartition(".")[2])
    if chart is None:
        reader.problem(f"{path}.chart_of_accounts", "no such chart of accounts")
        return
    obj.chart = chart.name
    obj.max_ext_dimensions = chart.max_ext_dimensions
    obj.correspondence = reader.flag(options.get("correspondence"), f"{path}.correspondence")
    obj.subordinate = True
    if options.get("resources") is None:
        options["resources"] = DEFAULT_RESOURCES
    reader.register_parts(obj, options, path, standard.accounting_fields(obj, chart.ref_names))
    obj.fields = split_by_sides(obj)
    obj.index_fields()
    for resource in obj.resources:
        if resource.types.single != NUMBER:
            reader.problem(f"{path}.resources.{resource.name}", "resources of this register are numbers")


def split_by_sides(obj: MetadataObject) -> tuple[Field, ...]:
    """The stored fields: what the sides of an entry do not share stands twice, for debit and for credit."""
    result: list[Field] = []
    for item in obj.fields:
        if item.balance or not obj.correspondence:
            result.append(item)
        else:
            for russian, english in (("Дт", "Dr"), ("Кт", "Cr")):
                name, foreign = f"{item.name}{russian}", f"{item.english}{english}"
                result.append(Field(name, foreign, item.types, item.role, False))
    return tuple(result)


COMPLETERS: dict[str, Callable[[Reader, MetadataObject, Any, str], None]] = {
    "enums": complete_enum,
    "chart_of_characteristic_types": complete_characteristics,
    "catalogs": complete_catalog,
    "charts_of_accounts": complete_accounts,
    "constants": complete_constant,
    "documents": complete_document,
    "accumulation_registers": complete_accumulation,
    "information_registers": complete_information,
    "accounting_registers": complete_accounting,
}
# Documents before registers: a register's recorder field lists the documents that write it.
KINDS_IN_ORDER = tuple(COMPLETERS)


def read_specification(spec: Mapping[str, Any]) -> Configuration:
    if not isinstance(spec, Mapping):
        raise SpecificationError(["config_spec: must be a mapping"])
    reader = Reader(spec)
    reader.declare()
    if not reader.problems:
        reader.complete()
    if reader.problems:
        raise SpecificationError(reader.problems)
    return reader.configuration
