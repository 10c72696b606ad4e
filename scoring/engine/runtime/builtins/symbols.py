"""``Символы``: the special characters by name."""

from __future__ import annotations

from typing import Any

from scoring.engine.values.members import global_property, prop
from scoring.engine.values.model import BslObject


class Symbols(BslObject):
    __slots__ = ()
    type_name = ("Символы", "Chars")

    @prop("ПС", "LF")
    def line_feed(self, rt: Any) -> str:
        return "\n"

    @prop("ВК", "CR")
    def carriage_return(self, rt: Any) -> str:
        return "\r"

    @prop("Таб", "Tab")
    def tab(self, rt: Any) -> str:
        return "\t"

    @prop("ВТаб", "VTab")
    def vertical_tab(self, rt: Any) -> str:
        return "\v"

    @prop("ПФ", "FF")
    def form_feed(self, rt: Any) -> str:
        return "\f"

    @prop("НПП", "NBSp")
    def no_break_space(self, rt: Any) -> str:
        return "\xa0"


_SYMBOLS = Symbols()


@global_property("Символы", "Chars")
def symbols(rt: Any) -> Symbols:
    return _SYMBOLS
