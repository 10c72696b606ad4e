"""Objects whose properties can be read and written by name in brackets: ``Объект["Наименование"]``."""

from __future__ import annotations

from typing import Any

from scoring.engine.values.model import BslObject


class NamedFields(BslObject):
    """A string index names a property; any other index is refused."""

    __slots__ = ()

    def get_index(self, rt: Any, index: Any) -> Any:
        if type(index) is str:
            return self.get_property(rt, index)
        return super().get_index(rt, index)

    def set_index(self, rt: Any, index: Any, value: Any) -> None:
        if type(index) is str:
            self.set_property(rt, index, value)
        else:
            super().set_index(rt, index, value)
