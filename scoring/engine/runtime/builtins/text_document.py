"""``ТекстовыйДокумент``, in memory only."""

from __future__ import annotations

from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import integer
from scoring.engine.values.members import constructor, member
from scoring.engine.values.model import MISSING, BslObject


class TextDocument(BslObject):
    """A text by lines, numbered from 1."""

    __slots__ = ("lines",)
    type_name = ("ТекстовыйДокумент", "TextDocument")

    def __init__(self) -> None:
        self.lines: list[str] = []

    def is_filled(self, rt: Any) -> bool:
        return True

    @member("УстановитьТекст", "SetText", procedure=True)
    def set_text(self, rt: Any, text: Any) -> None:
        source = rt.text(text)
        self.lines = source.split("\n") if source else []

    @member("ПолучитьТекст", "GetText")
    def get_text(self, rt: Any) -> str:
        rt.reserve(2 * sum(map(len, self.lines)))
        return "\n".join(self.lines) + "\n" if self.lines else ""

    @member("КоличествоСтрок", "LineCount")
    def line_count(self, rt: Any) -> int:
        return len(self.lines)

    @member("ПолучитьСтроку", "GetLine")
    def get_line(self, rt: Any, number: Any) -> str:
        position = integer(rt, number)
        return self.lines[position - 1] if 1 <= position <= len(self.lines) else ""

    @member("ДобавитьСтроку", "AddLine", procedure=True)
    def add_line(self, rt: Any, text: Any) -> None:
        self.lines.append(rt.text(text))

    @member("ВставитьСтроку", "InsertLine", procedure=True)
    def insert_line(self, rt: Any, number: Any, text: Any) -> None:
        self.lines.insert(max(0, integer(rt, number) - 1), rt.text(text))

    @member("ЗаменитьСтроку", "ReplaceLine", procedure=True)
    def replace_line(self, rt: Any, number: Any, text: Any) -> None:
        position = integer(rt, number)
        if 1 <= position <= len(self.lines):
            self.lines[position - 1] = rt.text(text)

    @member("УдалитьСтроку", "DeleteLine", procedure=True)
    def delete_line(self, rt: Any, number: Any) -> None:
        position = integer(rt, number)
        if 1 <= position <= len(self.lines):
            del self.lines[position - 1]

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Any) -> None:
        self.lines.clear()

    @member("Прочитать", "Read", procedure=True)
    def read(self, rt: Any, path: Any, encoding: Any = MISSING, separator: Any = MISSING) -> None:
        raise BslRuntimeError("forbidden", what="ТекстовыйДокумент.Прочитать")

    @member("Записать", "Write", procedure=True)
    def write(self, rt: Any, path: Any, encoding: Any = MISSING, separator: Any = MISSING) -> None:
        raise BslRuntimeError("forbidden", what="ТекстовыйДокумент.Записать")


@constructor("ТекстовыйДокумент", "TextDocument")
def new_text_document(rt: Any) -> TextDocument:
    return TextDocument()
