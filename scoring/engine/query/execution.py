"""One execution of a statement: parameters, temporary tables, hierarchy, and functions bound to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from scoring.engine.errors import LimitReached
from scoring.engine.query.codegen import Unit
from scoring.engine.storage.presentations import presentation_of
from scoring.engine.storage.references import Reference
from scoring.engine.values.model import NULL
from scoring.engine.values.uuid import Uuid

if TYPE_CHECKING:
    from scoring.engine.query.temporary import StoredResult


# Bytes that one joined row costs at least: what the memory limit is divided by.
ROW_BYTES = 100


@dataclass
class Execution:
    """``parameters`` and ``temporary`` are keyed in lower case."""

    rt: Any
    database: Any
    parameters: dict[str, Any]
    temporary: dict[str, StoredResult]
    _bound: dict[int, tuple[Callable[..., Any], ...]] = field(default_factory=dict)
    _cells: dict[object, list[Any]] = field(default_factory=dict)

    def functions(self, unit: Unit) -> tuple[Callable[..., Any], ...]:
        """The unit's functions, bound once per statement."""
        found = self._bound.get(id(unit))
        if found is None:
            found = self._bound[id(unit)] = unit.bind(self)
        return found

    # -- budgets -------------------------------------------------------------------------------------------------------------

    @property
    def most_rows(self) -> int:
        """Rows that a join may give before the memory limit of the run is reached."""
        return int(self.rt.limits.memory) // ROW_BYTES

    def charge_pairs(self, pairs: int) -> None:
        """Every pair of rows that a join without keys tries counts as one operation, paid for before: raises
        :class:`LimitReached` for more pairs than a whole run may spend operations."""
        if pairs > self.rt.limits.operations:
            raise LimitReached("operations", self.rt.limits.operations)
        self.rt.charge(pairs)

    def cell(self, key: object) -> list[Any]:
        """Where a correlated subquery reads the values captured from the row outside."""
        return self._cells.setdefault(key, [])

    # -- hierarchy -----------------------------------------------------------------------------------------------------------

    def below(self, values: Iterable[Any]) -> list[Any]:
        """The values and everything below them: В ИЕРАРХИИ takes in the group itself."""
        self.database.count_access("hierarchy")
        found: list[Any] = []
        for value in values:
            if isinstance(value, Reference):
                found.extend(value.table.subtree(value))
            elif value is not NULL:
                found.append(value)
        return found

    def is_below(self, value: Any, *roots: Any) -> bool | None:
        """Whether ``value`` is one of ``roots`` or stands below one."""
        if value is NULL:
            return None
        while True:
            if value in roots:
                return True
            if not isinstance(value, Reference) or value.id == 0:
                return False
            value = value.table.parent(value)

    # -- texts ---------------------------------------------------------------------------------------------------------------

    def presentation(self, value: Any) -> Any:
        """ПРЕДСТАВЛЕНИЕ: NULL stays NULL, references show their text without being read as objects."""
        if value is NULL or type(value) is str:
            return value
        if isinstance(value, Reference):
            return presentation_of(value)
        return self.rt.text(value)

    def uuid_of(self, value: Any) -> Any:
        if not isinstance(value, Reference):
            return NULL
        return Uuid(str(value.uuid))

    def check_dates(self, used: Iterable[str], latest: int) -> bool:
        """Whether all dates among the used parameters lie within the years that the database can hold."""
        values = (self.parameters.get(key) for key in used)
        return not any(isinstance(value, datetime) and value.year > latest for value in values)
