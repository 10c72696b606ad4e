"""Counting accesses to data, the way the platform's technological journal shows them.

Only the growth of the counts decides, so the figures are those seen on small bases; they are data, not rules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

# Operation → logical accesses (``sdbl``). A query counts «query» once, and in addition each of the others that it uses.
OPERATION_COST: dict[str, int] = {
    "query": 2,  # a simple query, whatever it joins
    "balances": 1,  # Остатки: 3 in all
    "turnovers": 2,  # Обороты: 4
    "balances_and_turnovers": 1,  # ОстаткиИОбороты: 3
    "slice": 2,  # СрезПоследних, СрезПервых: 4
    "records_with_ext_dimensions": 1,
    "hierarchy_first": 5,  # В ИЕРАРХИИ, ИТОГИ … ИЕРАРХИЯ: 7–8 in all at first
    "hierarchy": 4,  # 6–7 later
    "method_slice": 3,  # РегистрыСведений.X.СрезПоследних(…)
    "method_balances": 3,
    "method_turnovers": 4,
    "get_last": 1,  # ПолучитьПоследнее, Получить
    "object": 1,  # reading an object by its reference
    "find": 1,  # НайтиПоКоду and its like
    "record_set": 1,  # Прочитать of a record set or a record manager
    "constant": 1,
    "write": 1,
    "portion": 1,  # one portion of Выбрать()
}
# Выбрать() reads in portions of this many elements: 23 elements 1 access, 83 elements 4.
SELECTION_PORTION = 25
REGISTER_PREFIXES = ("РегистрНакопления.", "РегистрСведений.", "РегистрБухгалтерии.")


@dataclass(slots=True)
class AccessCounters:
    """``sdbl``: every logical access to data; ``register``: reads of register tables only."""

    sdbl: int = 0
    register: int = 0
    hierarchy_warm: bool = False

    def count(self, operation: str, table: str = "") -> None:
        """Count ``operation`` on ``table`` (canonical Russian path; "" where several tables take part).

        ``hierarchy`` costs more the first time. Raises :class:`KeyError` for an unknown operation.
        """
        if operation == "hierarchy" and not self.hierarchy_warm:
            self.hierarchy_warm = True
            operation = "hierarchy_first"
        self.sdbl += OPERATION_COST[operation]
        if operation != "write" and table.startswith(REGISTER_PREFIXES):
            self.register += 1

    def reset(self) -> None:
        self.sdbl = self.register = 0


def portions(rows: int) -> int:
    """Accesses that walking ``rows`` elements of a selection costs."""
    return max(1, math.ceil(rows / SELECTION_PORTION))
