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
    ``is_dimension`` marks the fields over which a virtual table collapses when they are not used. A field with ``compute``
    does not stand in the rows: its value is ``compute(row)`` (``МоментВремени``, ``Представление``, a tabular section as a
    list of rows of the table ``nested``). Computed fields come after all stored ones.
    """

    name: str
    english: str
    types: Any
    nested: str | None = None
    is_dimension: bool = False
    compute: Callable[[Sequence[Any]], Any] | None = None


class Relation(Protocol):
    """A stored table. Rows may be longer than ``fields`` (columns of the storage's own at the end)."""

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

    def bind(self, arguments: Sequence[Any]) -> VirtualTable:
        """The table as it stands for literal arguments that change its fields. ``arguments[i]`` is the keyword written at
        parameter ``i`` (periodicity, supplement: «День», «Авто» …) or, for ``ext_dimensions``, its value if known; None
        where nothing is written. Raises :class:`ArgumentError` for a keyword the parameter does not take."""
        ...

    def condition_fields(self, parameter: int) -> Sequence[FieldInfo]: ...

    def compute(self, arguments: Sequence[Any], used: frozenset[str]) -> Iterable[Sequence[Any]]:
        """Rows over ``fields``. ``arguments[i]`` is a value, a callable (conditions: row over ``condition_fields`` →
        bool) or None (left out); ``used`` holds the lower-case Russian names of *all* fields that the query mentions
        outside the parentheses: dimensions that are not among them are collapsed (engine-facts § 5.1) and come out as
        None; periods and recorders of an automatic periodicity likewise. Raises :class:`ArgumentError` for a value that
        the parameter can't take."""
        ...


class ArgumentError(Exception):
    """A parameter of a virtual table has a wrong kind of value; ``parameter`` counts from 0."""

    def __init__(self, parameter: int) -> None:
        self.parameter = parameter
        super().__init__(parameter)


RowPredicate = Callable[[Sequence[Any]], bool]
