"""ОбходРезультатаЗапроса: the ways to walk a result."""

from __future__ import annotations

from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.enums import EnumValue, define_enum
from scoring.engine.values.members import ONEC
from scoring.engine.values.model import MISSING

TRAVERSAL = define_enum(
    "ОбходРезультатаЗапроса",
    "QueryResultIteration",
    [
        ("Прямой", "Linear"),
        ("ПоГруппировкам", "ByGroups"),
        ("ПоГруппировкамСИерархией", "ByGroupsWithHierarchy"),
    ],
    dialects=(ONEC,),
)
LINEAR, BY_GROUPS, WITH_HIERARCHY = TRAVERSAL.values


def traversal_of(value: Any) -> EnumValue:
    if value is MISSING or value is None:
        return LINEAR
    if isinstance(value, EnumValue) and value.owner is TRAVERSAL:
        return value
    raise BslRuntimeError("argument_type", number=1)


def grouping_names(rt: Any, value: Any) -> list[str]:
    if value is MISSING or value is None:
        return []
    return [name.strip() for name in rt.text(value).split(",") if name.strip()]
