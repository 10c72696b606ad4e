"""Parameters that the cases may name."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from world import World

from scoring.engine.collections import new_array
from scoring.engine.collections.table import ValueTable
from scoring.engine.metadata.types import number_type, string_type
from scoring.engine.platform.typevalues import description_value
from scoring.engine.storage.moments import PointInTime

PARAMETERS: dict[str, Any] = {
    "Миг": datetime(2026, 5, 17, 14, 35, 50),
    "Январь1": datetime(2026, 1, 1),
    "Январь10": datetime(2026, 1, 10),
    "Январь15": datetime(2026, 1, 15),
    "Январь20": datetime(2026, 1, 20),
    "Январь31": datetime(2026, 1, 31, 23, 59, 59),
    "Февраль1": datetime(2026, 2, 1),
    "Февраль28": datetime(2026, 2, 28),
    "Далеко": datetime(4500, 1, 1),
    "Число": Decimal("2.5"),
    "Строка": "4",
    "Шаблон": "%стол%",
    "Да": True,
    "Ничего": None,
}


def parameters(world: World) -> dict[str, Any]:
    """All parameters: the ones above, every reference by its name, lists, a table and a point in time."""
    lists = {"ПустойСписок": new_array([]), "СписокГрупп": new_array([world.refs["Столы"], world.refs["Ёлка"]])}
    point = PointInTime(datetime(2026, 1, 31), None)
    return {**PARAMETERS, **world.refs, **lists, "Таблица": table(world), "Момент": point}


def table(world: World) -> ValueTable:
    """Two typed columns and an untyped one."""
    result = ValueTable()
    result.columns.append(world.runtime, "Имя", description_value(string_type(10)))
    result.columns.append(world.runtime, "Число", description_value(number_type(5)))
    result.columns.append(world.runtime, "Свободно")
    for name, number in (("б", 2), ("а", 1)):
        row = result.new_row()
        row.cells[:] = [name, number, None]
    return result
