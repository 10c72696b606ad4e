"""What a reader of configurations must find in a dump, by the specification: its own tables, not the assembler's.

Facts are told as object → field → value. An object is named as the platform's English names spell it
(``Catalog.Товары.Attribute.Цена``); types are texts, sorted: ``CatalogRef.Товары``, ``Number(10,2)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Facts = dict[str, dict[str, Any]]

_REFERENCES = {
    "справочникссылка": "CatalogRef", "документссылка": "DocumentRef", "перечислениессылка": "EnumRef",
    "планвидовхарактеристикссылка": "ChartOfCharacteristicTypesRef", "плансчетовссылка": "ChartOfAccountsRef",
    "характеристика": "Characteristic",
}  # fmt: skip
_KINDS = {
    "constants": "Constant", "catalogs": "Catalog", "documents": "Document", "enums": "Enum",
    "chart_of_characteristic_types": "ChartOfCharacteristicTypes", "charts_of_accounts": "ChartOfAccounts",
    "information_registers": "InformationRegister", "accumulation_registers": "AccumulationRegister",
    "accounting_registers": "AccountingRegister",
}  # fmt: skip
_RECORDS = (
    ("accumulation_registers", "AccumulationRegister", ("registers",)),
    ("accounting_registers", "AccountingRegister", ("accounting_registers", "registers")),
    ("information_registers", "InformationRegister", ("information_registers", "registers")),
)
LONGEST_NUMBER = 38
# What PRISM's own part of the configuration is, whatever the task.
_CONFIGURATION = {
    "scriptVariant": "RUSSIAN", "defaultLanguage": "Language.Русский", "defaultRunMode": "MANAGED_APPLICATION",
    "compatibilityMode": "8.3.24", "configurationExtensionCompatibilityMode": "8.3.24", "dataLockControlMode": "MANAGED",
    "modalityUseMode": "DONT_USE", "synchronousPlatformExtensionAndAddInCallUseMode": "DONT_USE", "interfaceCompatibilityMode": "TAXI",
    "objectAutonumerationMode": "NotAutoFree", "usePurposes": ["PLATFORM_APPLICATION"], "modules": ["Ext/ManagedApplicationModule.bsl"],
}  # fmt: skip
_MODULE = {
    "server": True, "global": False, "privileged": False, "externalConnection": False, "clientManagedApplication": False,
    "clientOrdinaryApplication": False, "returnValuesReuse": "DONT_USE",
}  # fmt: skip


def expected_facts(specification: Mapping[str, Any], modules: Mapping[str, bool]) -> Facts:
    """Facts of the whole configuration; ``modules``: name → may the client call it."""
    facts: Facts = {"Configuration.PRISM": {"synonym": "PRISM", **_CONFIGURATION}}
    facts["Language.Русский"] = {"synonym": "Русский", "languageCode": "ru"}
    for name, call in modules.items():
        place = f"CommonModules/{name}/Ext/Module.bsl"
        facts[f"CommonModule.{name}"] = {"synonym": name, "serverCall": call, "uri": place, **_MODULE}
    for section, kind in _KINDS.items():
        for name, data in (specification.get(section) or {}).items():
            _object(facts, specification, kind, str(name), data or {})
    return facts


def _object(facts: Facts, specification: Mapping[str, Any], kind: str, name: str, data: Any) -> None:
    path = f"{kind}.{name}"
    if kind == "Enum":
        facts[path] = {"synonym": name}
        facts.update({f"{path}.EnumValue.{value}": {"synonym": value} for value in data})
        return
    options = data if isinstance(data, Mapping) else {"type": data}
    facts[path] = {"synonym": options.get("synonym") or name}
    if kind == "Constant":
        facts[path]["type"] = declared_types(options)
        return
    for group, word in (("attributes", "Attribute"), ("dimensions", "Dimension"), ("resources", "Resource")):
        _fields(facts, f"{path}.{word}", options.get(group))
    for section, declared in (options.get("tabular_sections") or {}).items():
        _section(facts, f"{path}.TabularSection.{section}", str(section), declared or {})
    _OWN.get(kind, lambda *given: None)(facts, path, options, specification)


def _section(facts: Facts, path: str, name: str, declared: Mapping[str, Any]) -> None:
    inner = declared.get("attributes")
    wrapped = len(declared) == 1 and isinstance(inner, Mapping) and "type" not in inner
    facts[path] = {"synonym": name}
    _fields(facts, f"{path}.Attribute", inner if wrapped else declared)


def _fields(facts: Facts, path: str, group: Any) -> None:
    for name, data in (group or {}).items():
        options = data if isinstance(data, Mapping) else {"type": data}
        found = {"synonym": options.get("synonym") or str(name), "type": declared_types(options)}
        if path.endswith(".Dimension"):
            found |= {"denyIncompleteValues": False, "useInTotals": True}
        facts[f"{path}.{name}"] = found


# -- what single kinds have of their own -------------------------------------------------------------------------------------


def _catalog(facts: Facts, path: str, data: Mapping[str, Any], specification: Mapping[str, Any]) -> None:
    owners = [owner.rpartition(".")[2] for owner in _names(data.get("owners"))]
    facts[path] |= {"owners": [f"Catalog.{owner}" for owner in owners], "checkUnique": False}
    _standard(facts, path, "Owner", sorted(f"CatalogRef.{owner}" for owner in owners))
    number = str(data.get("code_type") or "").lower() in ("число", "number")
    length = data.get("code_length", 9)
    _standard(facts, path, "Code", [f"Number({length},0)" if number else f"String({length})"])
    _standard(facts, path, "Description", [f"String({data.get('description_length', 150)})"])


def _document(facts: Facts, path: str, data: Mapping[str, Any], specification: Mapping[str, Any]) -> None:
    written = [
        f"{kind}.{one}"
        for section, kind, keys in _RECORDS
        for key in keys
        for one in _names(data.get(key))
        if one in (specification.get(section) or {})
    ]
    facts[path]["registerRecords"] = list(dict.fromkeys(written))
    _standard(facts, path, "Number", ["String(9)"])


def _characteristics(facts: Facts, path: str, data: Mapping[str, Any], specification: Mapping[str, Any]) -> None:
    # The specification leaves numbers of such a chart without bounds: the platform's widest.
    widest = {"число": "Number(38,10)", "number": "Number(38,10)"}
    types = [widest.get(one.lower()) or _type(one, {"length": 100}) for one in _names(data.get("value_types")) or ["Строка"]]
    facts[path] |= {"type": sorted(types), "checkUnique": False}
    _standard(facts, path, "Description", [f"String({data.get('description_length', 100)})"])


def _accounts(facts: Facts, path: str, data: Mapping[str, Any], specification: Mapping[str, Any]) -> None:
    facts[path]["checkUnique"] = False
    _standard(facts, path, "Description", [f"String({data.get('description_length', 100)})"])


def _accounting_register(facts: Facts, path: str, data: Mapping[str, Any], specification: Mapping[str, Any]) -> None:
    _standard(facts, path, "Account", ["ChartOfAccountsRef." + str(data.get("chart_of_accounts") or "").rpartition(".")[2]])
    if not data.get("resources"):
        _fields(facts, f"{path}.Resource", {"Сумма": {"type": "Число", "length": 15, "precision": 2}})


_OWN = {
    "Catalog": _catalog, "Document": _document, "ChartOfCharacteristicTypes": _characteristics, "ChartOfAccounts": _accounts,
    "AccountingRegister": _accounting_register,
}  # fmt: skip


def _standard(facts: Facts, path: str, name: str, types: list[str]) -> None:
    facts[f"{path}.StandardAttribute.{name}"] = {"type": types}


# -- types -------------------------------------------------------------------------------------------------------------------


def declared_types(options: Mapping[str, Any]) -> list[str]:
    """``{type, length, precision, …}`` as texts."""
    kinds = options["type"] if isinstance(options["type"], (list, tuple)) else [options["type"]]
    return sorted(_type(str(kind), options) for kind in kinds)


def _type(kind: str, options: Mapping[str, Any]) -> str:
    low = kind.lower()
    length = options.get("length") or 0
    if low in ("число", "number"):
        sign = ",nonnegative" if options.get("nonnegative") else ""
        return f"Number({min(length or 10, LONGEST_NUMBER)},{options.get('precision') or 0}{sign})"
    if low in ("строка", "string"):
        return f"String({length}{',fixed' if options.get('fixed_length') else ''})"
    if low in ("дата", "date"):
        parts = {"дата": "(date)", "date": "(date)", "время": "(time)", "time": "(time)"}
        return "Date" + parts.get(str(options.get("date_parts") or "").lower(), "")
    if low in ("булево", "boolean"):
        return "Boolean"
    word, _, name = kind.partition(".")
    return f"{_REFERENCES.get(word.lower(), word)}.{name}"


def _names(value: Any) -> list[str]:
    return [] if not value else [value] if isinstance(value, str) else list(value)
