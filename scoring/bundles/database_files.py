"""``config_spec.yaml`` and ``fixtures.yaml``: the synthetic database of category B.

The shape is checked here, with places; what the metadata mean (do the types exist, do the fixtures fit) is the engine's
to say when it builds the database.
"""

from __future__ import annotations

from typing import Any

from scoring.findings import Finding
from scoring.strict_yaml import Document, Fields

_TYPED = ("type", "length", "precision", "nonnegative", "fixed_length", "date_parts", "synonym")
_OBJECT = ("attributes", "tabular_sections", "synonym")
_CODED = ("code_length", "code_type", "description_length", "predefined")
_REGISTER = ("dimensions", "resources", "attributes", "synonym")
# Kind of object → its keys. Beyond the published ones: predefined items, codes, synonyms.
CONFIGURATION: dict[str, tuple[str, ...]] = {
    "catalogs": (*_OBJECT, *_CODED, "hierarchical", "hierarchy_type", "owners"),
    "documents": (*_OBJECT, "registers", "accounting_registers", "information_registers"),
    "accumulation_registers": (*_REGISTER, "register_type"),
    "information_registers": (*_REGISTER, "periodicity", "write_mode"),
    "chart_of_characteristic_types": (*_OBJECT, *_CODED, "value_types", "hierarchical"),
    "charts_of_accounts": (*_OBJECT, *_CODED, "ext_dimension_types", "max_ext_dimension_count"),
    "accounting_registers": (*_REGISTER, "chart_of_accounts", "correspondence"),
}
FIELD_GROUPS = ("attributes", "dimensions", "resources")
FIXTURES = (
    "catalogs", "documents", "characteristics", "accounts", "register_records", "info_records", "info_register_records",
    "accounting_records", "constants", "expected",
)  # fmt: skip


def read_configuration(document: Document, findings: list[Finding]) -> dict[str, Any]:
    """The metadata as a plain mapping."""
    fields = Fields(document, findings)
    fields.only((*CONFIGURATION, "enums", "constants"))
    for kind, keys in CONFIGURATION.items():
        for _, entry in fields.subs(kind):
            _object(entry, keys)
    for name, values in fields.sub("enums").data.items():
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            fields.fault(("enums", name), "an enum is a list of names")
    _typed_fields(fields.sub("constants"))
    return dict(fields.data)


def _object(fields: Fields, keys: tuple[str, ...]) -> None:
    fields.only(keys)
    for group in FIELD_GROUPS:
        if group in keys:
            _typed_fields(fields.sub(group))
    if "tabular_sections" in keys:
        for _, section in fields.subs("tabular_sections"):
            _typed_fields(section.sub("attributes") if "attributes" in section.data else section)


def _typed_fields(fields: Fields) -> None:
    for name, entry in fields.data.items():
        inner = Fields(fields.document, fields.findings, (*fields.path, name), {"type": entry} if not isinstance(entry, dict) else entry)
        inner.only(_TYPED)
        kinds = inner.take("type", (str, list), "the name of a type or a list of names", required=True)
        if isinstance(kinds, list) and not all(isinstance(kind, str) for kind in kinds):
            inner.fault(("type",), "a composite type is a list of names")


def read_fixtures(document: Document, findings: list[Finding]) -> dict[str, Any]:
    """The data as a plain mapping, without the ``expected`` note."""
    fields = Fields(document, findings)
    fields.only(FIXTURES)
    for kind in ("catalogs", "documents", "characteristics", "accounts"):
        for name, rows in fields.sub(kind).data.items():
            _rows(fields, (kind, name), rows)
    for kind in ("register_records", "info_register_records", "accounting_records"):
        for _, entry in fields.subs(kind):
            entry.only(("registrar", "records"))
            entry.text("registrar", required=True)
            _rows(entry, ("records",), entry.items("records", required=True))
    for name, rows in fields.sub("info_records").data.items():
        _rows(fields, ("info_records", name), rows)
    return {key: value for key, value in fields.data.items() if key != "expected"}


def _rows(fields: Fields, path: tuple[Any, ...], rows: Any) -> None:
    if not isinstance(rows, list):
        fields.fault(path, "a list of records is expected")
        return
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            fields.fault((*path, index), "a record (name: value) is expected")
