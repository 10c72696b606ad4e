"""``Движения`` of a document: its record sets by register."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scoring.engine.platform.faults import no_field, read_only
from scoring.engine.platform.recordsets import RecorderSet, record_set
from scoring.engine.storage.references import Reference
from scoring.engine.values.members import member
from scoring.engine.values.model import BslObject


class Movements(BslObject):
    """The sets are made when first asked for, selected by the document."""

    type_name = ("КоллекцияДвижений", "RegisterRecordsCollection")

    def __init__(self, rt: Any, document: Any) -> None:
        self.document = document
        self.registers = document.meta.registers
        self.sets: dict[str, RecorderSet] = {}

    def set_of(self, rt: Any, register: Any) -> RecorderSet:
        key = register.path
        if key not in self.sets:
            made = record_set(rt, self.document.database, register)
            assert isinstance(made, RecorderSet)
            if self.document.ref is not None:
                made.filter.items[0].set(rt, self.document.ref)
            self.sets[key] = made
        return self.sets[key]

    def get_property(self, rt: Any, name: str) -> Any:
        for register in self.registers:
            if register.name.lower() == name.lower():
                return self.set_of(rt, register)
        raise no_field(self, name)

    def set_property(self, rt: Any, name: str, value: Any) -> None:
        self.get_property(rt, name)
        raise read_only(self, name)

    def get_index(self, rt: Any, index: Any) -> Any:
        if isinstance(index, str):
            return self.get_property(rt, index)
        if type(index) is int and 0 <= index < len(self.registers):
            return self.set_of(rt, self.registers[index])
        return super().get_index(rt, index)

    def iterate(self, rt: Any) -> Iterator[Any]:
        return iter([self.set_of(rt, register) for register in self.registers])

    @member("Количество", "Count")
    def count(self, rt: Any) -> int:
        return len(self.registers)

    @member("Найти", "Find")
    def find(self, rt: Any, name: Any) -> Any:
        wanted = rt.text(name).lower()
        return next((self.set_of(rt, item) for item in self.registers if item.name.lower() == wanted), None)

    @member("Получить", "Get")
    def get(self, rt: Any, index: Any) -> Any:
        return self.get_index(rt, index)

    @member("Записать", "Write", procedure=True)
    def write(self, rt: Any) -> None:
        for made in self.sets.values():
            if made.write_flag:
                made.write(rt)
                made.write_flag = False

    def write_pending(self, rt: Any, ref: Reference, posting: bool) -> None:
        """After the document was written: write what was asked for, and on posting everything that was changed."""
        for made in self.sets.values():
            made.filter.items[0].set(rt, ref)
            if made.write_flag or (posting and made.modified):
                made.write_for(ref)
                made.write_flag = False
