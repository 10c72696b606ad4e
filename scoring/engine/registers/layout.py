"""How records of an accounting register are laid out, and how their sides are read.

Rows hold the metadata object's fields and after them the ext. dimensions: one column for each side (with correspondence:
debit, credit), each a tuple of (kind, value) pairs in the order of the account's kinds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring.engine.metadata.objects import MetadataObject
from scoring.engine.metadata.system_enums import CREDIT
from scoring.engine.metadata.types import TypeDescription
from scoring.engine.registers.computed import tuple_getter
from scoring.engine.storage.database import Database
from scoring.engine.storage.references import Row
from scoring.engine.storage.relations import FieldInfo
from scoring.engine.values.model import NULL

ExtDimensions = tuple[tuple[Any, Any], ...]
SIDES = (("Дт", "Dr"), ("Кт", "Cr"))


@dataclass(frozen=True, slots=True)
class Side:
    """Places of one side of an entry in a row: account, ext. dimensions, dimensions, resources."""

    account: int
    ext: int
    dimensions: tuple[int, ...]
    resources: tuple[int, ...]


class Layout:
    """The layout of one accounting register. ``sides`` = (debit, credit); without correspondence both are the same and
    ``kind`` is the place of ``ВидДвижения`` (else -1)."""

    def __init__(self, meta: MetadataObject) -> None:
        self.meta = meta
        self.kind = -1 if meta.correspondence else meta.positions["виддвижения"]
        self.sides = (self._side(0), self._side(1))
        self.width = len(meta.fields) + (2 if meta.correspondence else 1)
        self.signed = [item for item in meta.resources if not item.balance and meta.correspondence]

    def _side(self, number: int) -> Side:
        meta = self.meta
        count = len(meta.fields)
        if not meta.correspondence:
            account, ext = meta.positions["счет"], count
        else:
            account, ext = meta.positions["счетдт" if number == 0 else "счеткт"], count + number
        return Side(
            account,
            ext,
            tuple(self._place(item, number) for item in meta.dimensions),
            tuple(self._place(item, number) for item in meta.resources),
        )

    def _place(self, item: Any, number: int) -> int:
        places = self.meta.positions
        name = item.name.lower()
        return places[name] if name in places else places[name + SIDES[number][0].lower()]

    def entry_getter(self, number: int, with_other: bool) -> Any:
        """Picks (account, ext, *dimensions[, other account, other ext, *other dimensions]) out of a row."""
        side, other = self.sides[number], self.sides[1 - number]
        places = [side.account, side.ext, *side.dimensions]
        if with_other:
            places += [other.account, other.ext, *other.dimensions]
        return tuple_getter(places)

    def side_of(self, row: Row) -> int:
        """Without correspondence: 0 for a debit record, 1 for a credit one."""
        return 1 if row[self.kind] is CREDIT else 0


def ext_types(database: Database, meta: MetadataObject) -> TypeDescription:
    """Types of ext. dimension values: those of the chart of characteristic types."""
    chart = database.configuration.find("accounts", meta.chart)
    kinds = chart and database.configuration.find("characteristics", chart.ext_dimension_types)
    return (kinds.value_type if kinds else None) or TypeDescription()


def kind_types(database: Database, meta: MetadataObject) -> TypeDescription:
    chart = database.configuration.find("accounts", meta.chart)
    kinds = chart and database.configuration.find("characteristics", chart.ext_dimension_types)
    return TypeDescription((kinds.ref_names,)) if kinds else TypeDescription()


def account_types(database: Database, meta: MetadataObject) -> TypeDescription:
    chart = database.configuration.find("accounts", meta.chart)
    return TypeDescription((chart.ref_names,)) if chart else TypeDescription()


def ext_infos(database: Database, meta: MetadataObject, names: tuple[str, str]) -> list[FieldInfo]:
    """``Субконто1`` … as many as the chart of accounts allows, under the given (Russian, English) stems."""
    types = ext_types(database, meta)
    return [
        FieldInfo(f"{names[0]}{number}", f"{names[1]}{number}", types, is_dimension=True)
        for number in range(1, meta.max_ext_dimensions + 1)
    ]


def by_position(ext: ExtDimensions, width: int) -> list[Any]:
    """Ext. dimensions as the account orders them; NULL where the account has fewer."""
    values = [value for _, value in ext[:width]]
    return values + [NULL] * (width - len(values))


def by_kinds(ext: ExtDimensions, kinds: Sequence[Any], width: int) -> list[Any] | None:
    """Ext. dimensions in the order of ``kinds``; None where the record lacks one of them."""
    known = dict(ext)
    values = []
    for kind in kinds[:width]:
        if kind not in known:
            return None
        values.append(known[kind])
    return values + [NULL] * (width - len(values))
