"""The seam between the platform's storage and the query executor.

The executor knows nothing of catalogues or registers: it resolves a table name to a :class:`Relation` (real tables) or a
:class:`VirtualTable` (``Остатки``, ``СрезПоследних`` …) through ``Database.relation(path)``, and reads rows as tuples
that stand in the order of ``fields``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """A field of a table: both names, and ``types``, the :class:`metadata` type description that values conform to.

    ``nested`` is the path of a tabular section's table where the field is one (``Справочник.X.Строки``).
    ``is_dimension`` marks the fields over which a virtual table collapses when they are not used.
    """

    name: str
    english: str
    types: Any
    nested: str | None = None
    is_dimension: bool = False


class Relation(Protocol):
    """A stored table."""

    path: str  # canonical Russian path, «РегистрНакопления.ТоварыНаСкладах»
    fields: Sequence[FieldInfo]

    def rows(self) -> Iterable[Sequence[Any]]:
        """All rows; counted as one access to data by the caller (see ``Database.count_access``)."""
        ...


@dataclass(frozen=True, slots=True)
class VirtualParameter:
    """A parameter of a virtual table. ``kind``: ``period``, ``periodicity``, ``supplement``, ``condition``,
    ``account_condition``, ``ext_dimensions``, ``top``, ``order`` …"""

    name: str
    kind: str


class VirtualTable(Protocol):
    """A computed table. Conditions arrive compiled: ``condition_fields(kind)`` says which fields they may name, and
    ``compute`` gets them as functions of a row of those fields."""

    path: str
    parameters: Sequence[VirtualParameter]
    fields: Sequence[FieldInfo]

    def condition_fields(self, parameter: int) -> Sequence[FieldInfo]: ...

    def compute(
        self, arguments: Sequence[Any], used: frozenset[str]
    ) -> Iterable[Sequence[Any]]:
        """Rows over ``fields``. ``arguments[i]`` is a value, a callable (conditions) or None (left out); ``used`` holds
        the lower-case Russian names of the dimensions that the query mentions outside the parentheses: the others are
        collapsed (engine-facts § 5.1)."""
        ...


RowPredicate = Callable[[Sequence[Any]], bool]
