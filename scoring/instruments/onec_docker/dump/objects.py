"""Metadata objects of every kind of the bundle format, each as a file of the dump."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.instruments.onec_docker.dump.predefined import predefined_items
from scoring.instruments.onec_docker.dump.xml import (
    STRING,
    WIDEST_NUMBER,
    element,
    generated,
    head,
    identity,
    reference_type,
    type_element,
)

Spec = Mapping[str, Any]
_PERIODICITIES = {
    "": "Nonperiodical", "nonperiodical": "Nonperiodical", "непериодический": "Nonperiodical", "second": "Second", "секунда": "Second",
    "day": "Day", "день": "Day", "month": "Month", "месяц": "Month", "quarter": "Quarter", "квартал": "Quarter",
    "year": "Year", "год": "Year", "recorderposition": "RecorderPosition", "позициярегистратора": "RecorderPosition",
    "попозициирегистратора": "RecorderPosition",
}  # fmt: skip
_BALANCE = frozenset({"balance", "balances", "остатки"})
_SUBORDINATE = frozenset({"recordersubordinate", "подчинениерегистратору"})
_HIERARCHY_OF_ITEMS = frozenset({"items", "hierarchyofitems", "иерархияэлементов"})
DEFAULT_RESOURCES = {"Сумма": {"type": "Число", "length": 15, "precision": 2}}
REFERENCE_CATEGORIES = ("Object", "Ref", "Selection", "List", "Manager")
RECORD_CATEGORIES = ("Record", "Manager", "Selection", "List", "RecordSet", "RecordKey")


@dataclass(frozen=True, slots=True)
class Made:
    """One object of the dump: its tag (``Catalog``), folder (``Catalogs``), name and element; the file of its predefined items."""

    tag: str
    folder: str
    name: str
    xml: str
    predefined: str = ""


def _object(
    tag: str, folder: str, name: str, info: Sequence[str], properties: Sequence[str], children: Sequence[str] = (), predefined: Any = None
) -> Made:
    parts = [element("InternalInfo", list(info)), element("Properties", list(properties))] if info else [element("Properties", list(properties))]
    if tag not in ("Constant", "CommonModule", "Language"):
        parts.append(element("ChildObjects", list(children)))
    items = predefined_items(tag, (folder, name), predefined) if predefined else ""
    return Made(tag, folder, name, element(tag, parts, uuid=identity(folder, name)), items)


def _field(tag: str, owner: Sequence[str], name: str, data: Any, extra: Iterable[str] = ()) -> str:
    options = data if isinstance(data, Mapping) else {"type": data}
    properties = [*head(name, str(options.get("synonym") or "")), type_element(options), *extra]
    return element(tag, [element("Properties", properties)], uuid=identity(*owner, tag, name))


def _fields(tag: str, owner: Sequence[str], group: Any, extra: Callable[[Mapping[str, Any]], Iterable[str]] = lambda data: ()) -> list[str]:
    return [
        _field(tag, owner, name, data, extra(data if isinstance(data, Mapping) else {})) for name, data in (group or {}).items()
    ]


def _sections(kind: str, name: str, owner: Sequence[str], sections: Any) -> list[str]:
    found = []
    for section, data in (sections or {}).items():
        declared = data or {}
        if set(declared) == {"attributes"} and "type" not in (declared["attributes"] or {}):
            declared = declared["attributes"] or {}
        path = (*owner, "TabularSection", section)
        info = generated(f"{kind}", f"{name}.{section}", ("TabularSection", "TabularSectionRow"), path)
        children = element("ChildObjects", _fields("Attribute", path, declared))
        properties = element("Properties", head(section))
        parts = [element("InternalInfo", info), properties, children]
        found.append(element("TabularSection", parts, uuid=identity(*path)))
    return found


def _numeric_code(data: Spec) -> bool:
    return str(data.get("code_type") or "").lower() in ("число", "number")


def _code_lengths(name: str, data: Spec) -> tuple[str, str]:
    """Lengths of code and description of a chart; its codes are strings."""
    if _numeric_code(data):
        raise ValueError(f"{name}: codes of charts are strings, not numbers")
    return element("CodeLength", str(data.get("code_length", 9))), element("DescriptionLength", str(data.get("description_length", 100)))


def _listed(tag: str, names: Iterable[str]) -> str:
    items = [element("xr:Item", name, xsi__type="xr:MDObjectRef") for name in names]
    return element(tag, items)


def catalog(name: str, data: Spec, spec: Spec) -> Made:
    path = ("Catalogs", name)
    by_items = str(data.get("hierarchy_type") or "").lower() in _HIERARCHY_OF_ITEMS
    properties = [
        *head(name, str(data.get("synonym") or "")),
        element("Hierarchical", bool(data.get("hierarchical"))),
        element("HierarchyType", "HierarchyOfItems" if by_items else "HierarchyFoldersAndItems"),
        element("LimitLevelCount", False),
        _listed("Owners", [f"Catalog.{owner.rpartition('.')[2]}" for owner in _names(data.get("owners"))]),
        element("SubordinationUse", "ToItems"),
        element("CodeLength", str(data.get("code_length", 9))),
        element("DescriptionLength", str(data.get("description_length", 150))),
        element("CodeType", "Number" if _numeric_code(data) else "String"),
        element("CodeAllowedLength", "Variable"),
        element("CheckUnique", False),
        element("Autonumbering", True),
        element("DefaultPresentation", "AsDescription"),
        element("DataLockControlMode", "Managed"),
    ]
    children = [*_fields("Attribute", path, data.get("attributes")), *_sections("Catalog", name, path, data.get("tabular_sections"))]
    return _object("Catalog", "Catalogs", name, generated("Catalog", name, REFERENCE_CATEGORIES, path), properties, children, data.get("predefined"))


def document(name: str, data: Spec, spec: Spec) -> Made:
    path = ("Documents", name)
    written = [f"AccumulationRegister.{one}" for one in _names(data.get("registers")) if one in (spec.get("accumulation_registers") or {})]
    written += [f"AccountingRegister.{one}" for one in (*_names(data.get("accounting_registers")), *_names(data.get("registers"))) if one in (spec.get("accounting_registers") or {})]
    informed = (*_names(data.get("information_registers")), *_names(data.get("registers")))
    written += [f"InformationRegister.{one}" for one in informed if one in (spec.get("information_registers") or {})]
    properties = [
        *head(name, str(data.get("synonym") or "")),
        element("NumberType", "String"), element("NumberLength", "9"), element("NumberAllowedLength", "Variable"),
        element("NumberPeriodicity", "Nonperiodical"), element("CheckUnique", False), element("Autonumbering", True),
        element("Posting", "Allow"), element("RealTimePosting", "Deny"), element("RegisterRecordsDeletion", "AutoDelete"),
        _listed("RegisterRecords", dict.fromkeys(written)), element("DataLockControlMode", "Managed"),
    ]  # fmt: skip
    children = [*_fields("Attribute", path, data.get("attributes")), *_sections("Document", name, path, data.get("tabular_sections"))]
    return _object("Document", "Documents", name, generated("Document", name, REFERENCE_CATEGORIES, path), properties, children)


def enum(name: str, data: Any, spec: Spec) -> Made:
    path = ("Enums", name)
    children = [element("EnumValue", [element("Properties", head(value))], uuid=identity(*path, value)) for value in data or ()]
    properties = [*head(name), element("UseStandardCommands", False)]
    return _object("Enum", "Enums", name, generated("Enum", name, ("Ref", "Manager", "List"), path), properties, children)


def constant(name: str, data: Any, spec: Spec) -> Made:
    options = data if isinstance(data, Mapping) else {"type": data}
    properties = [*head(name, str(options.get("synonym") or "")), type_element(options), element("DataLockControlMode", "Managed")]
    info = generated("Constant", name, ("Manager", "ValueManager", "ValueKey"), ("Constants", name))
    return _object("Constant", "Constants", name, info, properties)


def _register_children(folder: str, name: str, data: Spec, resources: Any = None, accounting: bool = False) -> list[str]:
    path = (folder, name)
    balance = (lambda options: [element("Balance", bool(options.get("balance", True)))]) if accounting else (lambda options: [])
    totals = [element("UseInTotals", True)] if folder == "AccumulationRegisters" else []

    def dimension(options: Mapping[str, Any]) -> list[str]:
        return [*balance(options), element("DenyIncompleteValues", False), *totals]

    return [
        *_fields("Resource", path, resources or data.get("resources"), balance),
        *_fields("Attribute", path, data.get("attributes")),
        *_fields("Dimension", path, _bounded(name, data.get("dimensions")), dimension),
    ]


def _bounded(register: str, dimensions: Any) -> Any:
    """The dimensions as they are. Raises ``ValueError`` where one holds strings of unbounded length."""
    for name, data in (dimensions or {}).items():
        options = data if isinstance(data, Mapping) else {"type": data}
        if set(STRING) & {one.lower() for one in _names(options["type"])} and not options.get("length"):
            raise ValueError(f"{register}.{name}: a dimension holds no string of unbounded length: give it a length")
    return dimensions


def accumulation_register(name: str, data: Spec, spec: Spec) -> Made:
    balance = str(data.get("register_type") or "Balance").lower() in _BALANCE
    properties = [
        *head(name, str(data.get("synonym") or "")),
        element("RegisterType", "Balance" if balance else "Turnovers"),
        element("DataLockControlMode", "Managed"),
        element("EnableTotalsSplitting", True),
    ]
    folder = "AccumulationRegisters"
    info = generated("AccumulationRegister", name, RECORD_CATEGORIES, (folder, name))
    return _object("AccumulationRegister", folder, name, info, properties, _register_children(folder, name, data))


def information_register(name: str, data: Spec, spec: Spec) -> Made:
    subordinate = str(data.get("write_mode") or "").lower() in _SUBORDINATE
    properties = [
        *head(name, str(data.get("synonym") or "")),
        element("InformationRegisterPeriodicity", _PERIODICITIES[str(data.get("periodicity") or "").lower()]),
        element("WriteMode", "RecorderSubordinate" if subordinate else "Independent"),
        element("DataLockControlMode", "Managed"),
    ]
    folder = "InformationRegisters"
    info = generated("InformationRegister", name, (*RECORD_CATEGORIES, "RecordManager"), (folder, name))
    return _object("InformationRegister", folder, name, info, properties, _register_children(folder, name, data))


def characteristics(name: str, data: Spec, spec: Spec) -> Made:
    folder = "ChartsOfCharacteristicTypes"
    path = (folder, name)
    kinds = {"type": _names(data.get("value_types")) or ["Строка"], "length": 100, **WIDEST_NUMBER}
    length, description = _code_lengths(name, data)
    properties = [
        *head(name, str(data.get("synonym") or "")),
        type_element(kinds),
        element("Hierarchical", bool(data.get("hierarchical"))),
        length,
        element("CodeAllowedLength", "Variable"),
        description,
        element("CheckUnique", False),
        element("Autonumbering", True),
        element("DefaultPresentation", "AsDescription"),
        element("DataLockControlMode", "Managed"),
    ]
    info = generated("ChartOfCharacteristicTypes", name, REFERENCE_CATEGORIES, path)
    info += generated("", name, ("Characteristic",), path)
    children = [*_fields("Attribute", path, data.get("attributes")), *_sections("ChartOfCharacteristicTypes", name, path, data.get("tabular_sections"))]
    return _object("ChartOfCharacteristicTypes", folder, name, info, properties, children, data.get("predefined"))


def accounts(name: str, data: Spec, spec: Spec) -> Made:
    folder = "ChartsOfAccounts"
    path = (folder, name)
    kinds = data.get("ext_dimension_types")
    properties = [
        *head(name, str(data.get("synonym") or "")),
        element("ExtDimensionTypes", f"ChartOfCharacteristicTypes.{str(kinds).rpartition('.')[2]}" if kinds else None),
        element("MaxExtDimensionCount", str(data.get("max_ext_dimension_count", 3 if kinds else 0))),
        *_code_lengths(name, data),
        element("CheckUnique", False),
        element("DefaultPresentation", "AsCode"),
        element("AutoOrderByCode", True),
        element("OrderLength", "9"),
        element("DataLockControlMode", "Managed"),
    ]
    info = generated("ChartOfAccounts", name, (*REFERENCE_CATEGORIES, "ExtDimensionTypes", "ExtDimensionTypesRow"), path)
    children = [*_fields("Attribute", path, data.get("attributes")), *_sections("ChartOfAccounts", name, path, data.get("tabular_sections"))]
    return _object("ChartOfAccounts", folder, name, info, properties, children, data.get("predefined"))


def accounting_register(name: str, data: Spec, spec: Spec) -> Made:
    folder = "AccountingRegisters"
    properties = [
        *head(name, str(data.get("synonym") or "")),
        element("ChartOfAccounts", f"ChartOfAccounts.{str(data.get('chart_of_accounts') or '').rpartition('.')[2]}"),
        element("Correspondence", bool(data.get("correspondence"))),
        element("PeriodAdjustmentLength", "0"),
        element("DataLockControlMode", "Managed"),
        element("EnableTotalsSplitting", True),
    ]
    info = generated("AccountingRegister", name, (*RECORD_CATEGORIES, "ExtDimensions"), (folder, name))
    resources = data.get("resources") or DEFAULT_RESOURCES
    return _object("AccountingRegister", folder, name, info, properties, _register_children(folder, name, data, resources, True))


def common_module(name: str, *, server_call: bool) -> Made:
    properties = [
        *head(name),
        element("Global", False), element("ClientManagedApplication", False), element("Server", True),
        element("ExternalConnection", False), element("ClientOrdinaryApplication", False), element("ServerCall", server_call),
        element("Privileged", False), element("ReturnValuesReuse", "DontUse"),
    ]  # fmt: skip
    return _object("CommonModule", "CommonModules", name, (), properties)


def language() -> Made:
    return _object("Language", "Languages", "Русский", (), [*head("Русский"), element("LanguageCode", "ru")])


def _names(value: Any) -> list[str]:
    return [] if not value else [value] if isinstance(value, str) else list(value)


# Section of the specification → its maker, in the order in which a configuration lists its objects.
MAKERS: dict[str, Callable[[str, Any, Spec], Made]] = {
    "constants": constant,
    "catalogs": catalog,
    "documents": document,
    "enums": enum,
    "information_registers": information_register,
    "accumulation_registers": accumulation_register,
    "chart_of_characteristic_types": characteristics,
    "charts_of_accounts": accounts,
    "accounting_registers": accounting_register,
}

__all__ = ["MAKERS", "Made", "common_module", "language", "reference_type"]
