"""The growing base of axis O in B: fixtures with ``grow`` of a load profile added n times, as plain fixtures again."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

# The reference of the i-th added element; no author's name can look like it.
_UNIT = "\x01unit{}"


def grown_fixtures(fixtures: Mapping[str, Any], grow: Mapping[str, Any], size: int) -> dict[str, Any]:
    """``fixtures`` and ``size`` further units. The input is not changed.

    A catalogue's element stands before the records that name it as ``$unit``.
    """
    result = {key: copy.deepcopy(value) for key, value in fixtures.items()}
    prefix = str(grow.get("name_prefix") or "Рост")
    for number in range(1, size + 1):
        _add_unit(result, grow, prefix, number)
    return result


def _add_unit(fixtures: dict[str, Any], grow: Mapping[str, Any], prefix: str, number: int) -> None:
    unit = _UNIT.format(number)
    if grow.get("catalog"):
        fixtures.setdefault("catalogs", {}).setdefault(grow["catalog"]["name"], []).append(
            _element(grow["catalog"], unit, f"{prefix}{number:05d}")
        )
    for key, section in (("accumulation", "register_records"), ("accounting", "accounting_records")):
        if grow.get(key):
            _add_record(fixtures, section, grow[key], unit)
    information = grow.get("information")
    if information and information.get("registrar"):
        _add_record(fixtures, "info_register_records", information, unit)
    elif information:
        records = fixtures.setdefault("info_records", {}).setdefault(information["register"], [])
        records.append(_filled(information["record"], unit))


def _element(catalog: Mapping[str, Any], unit: str, name: str) -> dict[str, Any]:
    element: dict[str, Any] = {"ref": unit, "Наименование": name}
    element |= {key: catalog[key] for key in ("parent", "owner") if key in catalog}
    return element | _filled(catalog.get("attrs") or {}, unit)


def _add_record(fixtures: dict[str, Any], section: str, part: Mapping[str, Any], unit: str) -> None:
    entry = fixtures.setdefault(section, {}).setdefault(part["register"], {"registrar": part.get("registrar"), "records": []})
    entry["records"].append(_filled(part["record"], unit))


def _filled(record: Any, unit: str) -> Any:
    """``record`` with ``$unit`` replaced, inside nested mappings too."""
    if isinstance(record, Mapping):
        return {key: _filled(value, unit) for key, value in record.items()}
    return unit if record == "$unit" else record
