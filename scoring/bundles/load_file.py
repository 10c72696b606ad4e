"""``perf.yaml``: the load profile of axis O."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from scoring.bundles.model import AlgorithmLoad, DatabaseLoad
from scoring.findings import Finding
from scoring.strict_yaml import Document, Fields

GROW_KEYS = {
    "catalog": ("name", "parent", "owner", "attrs"),
    "accumulation": ("register", "registrar", "record"),
    "information": ("register", "record", "registrar"),
    "accounting": ("register", "registrar", "record"),
}


def read_load(document: Document, findings: list[Finding], category: str) -> AlgorithmLoad | DatabaseLoad:
    """The profile of ``category``; faults become findings."""
    fields = Fields(document, findings)
    optimum = fields.number("p_opt", required=True)
    sizes = _sizes(fields)
    if category == "A":
        fields.only(("p_opt", "sizes", "gen", "call"))
        return AlgorithmLoad(optimum, sizes, fields.text("gen", required=True), _call(fields, "{entry}"))
    return _database_load(fields, optimum, sizes)


def _sizes(fields: Fields) -> tuple[int, ...]:
    sizes = fields.items("sizes", required=True)
    whole = [size for size in sizes if isinstance(size, int) and not isinstance(size, bool) and size > 0]
    if sizes and (len(whole) != len(sizes) or len(sizes) < 2 or sorted(set(whole)) != whole):
        fields.fault(("sizes",), "at least two sizes are needed: whole positive numbers, rising")
    return tuple(whole)


def _call(fields: Fields, mark: str) -> str:
    call = fields.text("call", required=True)
    if call and mark not in call:
        fields.fault(("call",), f"the call does not name the candidate's routine ({mark})")
    return call


def _database_load(fields: Fields, optimum: Decimal, sizes: tuple[int, ...]) -> DatabaseLoad:
    fields.only(("p_opt", "sizes", "count", "call", "grow"))
    count = fields.text("count", default="sdbl")
    if count not in ("sdbl", "register"):
        fields.fault(("count",), f"unknown counter {count!r}", "sdbl or register")
    grow = fields.sub("grow", required=True)
    grow.only(("name_prefix", *GROW_KEYS))
    for kind, keys in GROW_KEYS.items():
        if kind in grow.data:
            grow.sub(kind).only(keys)
    return DatabaseLoad(optimum, sizes, _call(fields, "{{ENTRY}}"), "register" if count == "register" else "sdbl", _plain(grow.data))


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    return dict(data)
