"""Reads a configuration dump back into a specification: the stand-in's own reader, written against the format, not the assembler."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

MD = "{http://v8.1c.ru/8.3/MDClasses}"
V8 = "{http://v8.1c.ru/8.1/data/core}"
XR = "{http://v8.1c.ru/8.3/xcf/readable}"
REFERENCES = {
    "CatalogRef": "СправочникСсылка", "DocumentRef": "ДокументСсылка", "EnumRef": "ПеречислениеСсылка",
    "ChartOfCharacteristicTypesRef": "ПланВидовХарактеристикСсылка", "ChartOfAccountsRef": "ПланСчетовСсылка",
    "Characteristic": "Характеристика",
}  # fmt: skip
PRIMITIVES = {"xs:decimal": "Число", "xs:string": "Строка", "xs:dateTime": "Дата", "xs:boolean": "Булево"}
FOLDERS = {
    "Catalog": ("Catalogs", "catalogs"), "Document": ("Documents", "documents"), "Enum": ("Enums", "enums"),
    "Constant": ("Constants", "constants"), "ChartOfCharacteristicTypes": ("ChartsOfCharacteristicTypes", "chart_of_characteristic_types"),
    "ChartOfAccounts": ("ChartsOfAccounts", "charts_of_accounts"), "InformationRegister": ("InformationRegisters", "information_registers"),
    "AccumulationRegister": ("AccumulationRegisters", "accumulation_registers"),
    "AccountingRegister": ("AccountingRegisters", "accounting_registers"),
}  # fmt: skip


class DumpBroken(Exception):
    pass


def root_of(path: Path) -> ET.Element:
    root = ET.parse(path).getroot()
    if root.tag != MD + "MetaDataObject" or root.get("version") != "2.20":
        raise DumpBroken(f"{path.name}: no metadata object of format 2.20")
    return root[0]


def prop(node: ET.Element, name: str) -> str:
    return (node.findtext(f"{MD}Properties/{MD}{name}") or "").strip()


def read_types(node: ET.Element) -> dict[str, Any]:
    types = node.find(f"{MD}Properties/{MD}Type")
    if types is None:
        raise DumpBroken(f"no type at {prop(node, 'Name')}")
    names = []
    for entry in (*types.findall(V8 + "Type"), *types.findall(V8 + "TypeSet")):
        text = entry.text or ""
        if text in PRIMITIVES:
            names.append(PRIMITIVES[text])
        else:
            kind, _, name = text.removeprefix("cfg:").partition(".")
            names.append(f"{REFERENCES[kind]}.{name}")
    result: dict[str, Any] = {"type": names[0] if len(names) == 1 else names}
    number, string, moment = (types.find(V8 + kind) for kind in ("NumberQualifiers", "StringQualifiers", "DateQualifiers"))
    if number is not None:
        result |= {"length": int(number.findtext(V8 + "Digits") or 0), "precision": int(number.findtext(V8 + "FractionDigits") or 0)}
        if number.findtext(V8 + "AllowedSign") == "Nonnegative":
            result["nonnegative"] = True
    # A specification has one length for both: that of the strings.
    if string is not None:
        result["length"] = int(string.findtext(V8 + "Length") or 0)
    if string is not None and string.findtext(V8 + "AllowedLength") == "Fixed":
        result["fixed_length"] = True
    if moment is not None and moment.findtext(V8 + "DateFractions") != "DateTime":
        result["date_parts"] = moment.findtext(V8 + "DateFractions")
    return result


def fields(node: ET.Element, tag: str, balance: bool = False) -> dict[str, Any]:
    found = {}
    for child in node.findall(f"{MD}ChildObjects/{MD}{tag}"):
        data = read_types(child)
        if balance and prop(child, "Balance") == "false":
            data["balance"] = False
        found[prop(child, "Name")] = data
    return found


def listed(node: ET.Element, name: str) -> list[str]:
    return [(item.text or "").strip() for item in node.findall(f"{MD}Properties/{MD}{name}/{XR}Item")]


def codes(node: ET.Element) -> dict[str, Any]:
    found: dict[str, Any] = {"code_length": int(prop(node, "CodeLength")), "description_length": int(prop(node, "DescriptionLength"))}
    if prop(node, "CodeType") == "Number":
        found["code_type"] = "Number"
    return found


def read_object(node: ET.Element) -> Any:
    kind = node.tag.removeprefix(MD)
    if kind == "Enum":
        return [prop(child, "Name") for child in node.findall(f"{MD}ChildObjects/{MD}EnumValue")]
    if kind == "Constant":
        return read_types(node)
    data: dict[str, Any] = {}
    if fields(node, "Attribute"):
        data["attributes"] = fields(node, "Attribute")
    sections = {prop(s, "Name"): fields(s, "Attribute") for s in node.findall(f"{MD}ChildObjects/{MD}TabularSection")}
    if sections:
        data["tabular_sections"] = sections
    return data | READERS[kind](node)


def catalog(node: ET.Element) -> dict[str, Any]:
    kind = "items" if prop(node, "HierarchyType") == "HierarchyOfItems" else ""
    found = {"hierarchical": prop(node, "Hierarchical") == "true", **codes(node)}
    owners = [one.rpartition(".")[2] for one in listed(node, "Owners")]
    return found | ({"owners": owners} if owners else {}) | ({"hierarchy_type": kind} if kind else {})


def document(node: ET.Element) -> dict[str, Any]:
    groups: dict[str, list[str]] = {}
    keys = {"AccumulationRegister": "registers", "AccountingRegister": "accounting_registers", "InformationRegister": "information_registers"}
    for one in listed(node, "RegisterRecords"):
        kind, _, name = one.partition(".")
        groups.setdefault(keys[kind], []).append(name)
    return groups


def register(node: ET.Element) -> dict[str, Any]:
    balance = node.tag == MD + "AccountingRegister"
    return {"dimensions": fields(node, "Dimension", balance), "resources": fields(node, "Resource", balance)}


def information(node: ET.Element) -> dict[str, Any]:
    mode = {"write_mode": "RecorderSubordinate"} if prop(node, "WriteMode") == "RecorderSubordinate" else {}
    return register(node) | {"periodicity": prop(node, "InformationRegisterPeriodicity")} | mode


READERS: dict[str, Any] = {
    "Catalog": catalog,
    "Document": document,
    "InformationRegister": information,
    "AccumulationRegister": lambda node: register(node) | {"register_type": prop(node, "RegisterType")},
    "AccountingRegister": lambda node: register(node)
    | {"chart_of_accounts": prop(node, "ChartOfAccounts").rpartition(".")[2], "correspondence": prop(node, "Correspondence") == "true"},
    "ChartOfCharacteristicTypes": lambda node: {
        **codes(node), "hierarchical": prop(node, "Hierarchical") == "true", "value_types": as_list(read_types(node)["type"]),
    },
    "ChartOfAccounts": lambda node: {
        **codes(node), "max_ext_dimension_count": int(prop(node, "MaxExtDimensionCount")),
        **({"ext_dimension_types": prop(node, "ExtDimensionTypes").rpartition(".")[2]} if prop(node, "ExtDimensionTypes") else {}),
    },
}  # fmt: skip


def as_list(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def read_dump(folder: Path) -> tuple[dict[str, Any], dict[str, str], str]:
    """(specification, modules by name, the application's module) of a dump."""
    configuration = root_of(folder / "Configuration.xml")
    spec: dict[str, Any] = {}
    modules: dict[str, str] = {}
    for child in configuration.find(MD + "ChildObjects") or ():
        kind, name = child.tag.removeprefix(MD), child.text or ""
        if kind == "CommonModule":
            node = root_of(folder / "CommonModules" / f"{name}.xml")
            if prop(node, "Server") != "true":
                raise DumpBroken(f"{name} is no server module")
            modules[name] = (folder / "CommonModules" / name / "Ext" / "Module.bsl").read_text("utf-8-sig")
        elif kind in FOLDERS:
            place, section = FOLDERS[kind]
            spec.setdefault(section, {})[name] = read_object(root_of(folder / place / f"{name}.xml"))
    return spec, modules, (folder / "Ext" / "ManagedApplicationModule.bsl").read_text("utf-8-sig")
