"""Texts of references, as ``Строка(Ссылка)`` and ``ПРЕДСТАВЛЕНИЕ`` show them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from scoring.engine.storage.references import Reference


def date_text(value: datetime) -> str:
    return f"{value:%d.%m.%Y} {value.hour}:{value:%M:%S}"


def _description(ref: Reference) -> str:
    return str(ref.value(ref.table.meta.positions["наименование"]))


def _document(ref: Reference) -> str:
    meta = ref.table.meta
    number = str(ref.value(meta.positions["номер"]))
    date = date_text(ref.value(meta.positions["дата"]))
    return f"{meta.synonym or meta.name} {number} от {date}"


def _account(ref: Reference) -> str:
    return str(ref.value(ref.table.meta.positions["код"])).strip()


def _enum(ref: Reference) -> str:
    return ref.table.meta.values[ref.id - 1]


PRESENTERS: dict[str, Callable[[Reference], str]] = {
    "catalog": _description,
    "characteristics": _description,
    "document": _document,
    "accounts": _account,
    "enum": _enum,
}


def presentation_of(ref: Reference) -> str:
    """The text of a reference; of a broken one, the platform's notice with its identifier."""
    if ref.is_empty():
        return ""
    if ref.row is None:
        return f"<Объект не найден> ({ref.table.number}:{ref.uuid.hex})"
    return PRESENTERS[ref.table.meta.kind.key](ref)
