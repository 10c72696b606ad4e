"""``ЧтениеXML`` and ``ЗаписьXML`` over strings. Documents with a type definition are refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import PARSE_STEPS, integer, optional_text, worked
from scoring.engine.runtime.builtins.enums import system_enum
from scoring.engine.values.enums import EnumValue
from scoring.engine.values.members import constructor, member, prop
from scoring.engine.values.model import MISSING, BslObject
from scoring.engine.values.text import joined, units

# Bytes that one node takes.
_NODE_SIZE = 400
_NODE_TYPES = system_enum("ТипУзлаXML")


@dataclass(slots=True)
class XmlEvent:
    """One node: ``kind`` as XMLNodeType in English; ``attributes`` in order."""

    kind: str
    name: str = ""
    value: str = ""
    attributes: list[tuple[str, str]] = field(default_factory=list)


def parse_events(text: str) -> list[XmlEvent]:
    """All nodes of a document; raises ``xml_read`` where it is not well-formed."""
    events: list[XmlEvent] = []
    parser = expat.ParserCreate()
    parser.ordered_attributes = True
    parser.buffer_text = True

    def start(name: str, attributes: list[str]) -> None:
        pairs = list(zip(attributes[::2], map(units, attributes[1::2]), strict=True))
        events.append(XmlEvent("StartElement", name, "", pairs))

    def characters(data: str) -> None:
        events.append(XmlEvent("Text" if data.strip() else "Whitespace", "#text", units(data)))

    def refuse(*_: Any) -> None:
        raise _wrong("DOCTYPE")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: events.append(XmlEvent("EndElement", name))
    parser.CharacterDataHandler = characters
    parser.CommentHandler = lambda data: events.append(XmlEvent("Comment", "#comment", units(data)))
    parser.ProcessingInstructionHandler = lambda target, data: events.append(
        XmlEvent("ProcessingInstruction", target, data)
    )
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(joined(text), True)
    except (expat.ExpatError, ValueError, UnicodeError) as error:
        raise _wrong(str(error)) from None
    return events


def _wrong(reason: str) -> BslRuntimeError:
    return BslRuntimeError("xml_read", f"Ошибка разбора XML: {reason}")


class XmlReading(BslObject):
    """``ЧтениеXML``: the current node, or one of its attributes."""

    __slots__ = ("events", "position", "attribute")
    type_name = ("ЧтениеXML", "XMLReader")

    def __init__(self) -> None:
        self.events: list[XmlEvent] = []
        self.position = -1
        self.attribute = -1

    def node(self) -> XmlEvent:
        if 0 <= self.position < len(self.events):
            return self.events[self.position]
        return XmlEvent("None")

    @member("УстановитьСтроку", "SetString", procedure=True)
    def set_string(self, rt: Any, text: Any, settings: Any = MISSING) -> None:
        source = rt.text(text)
        rt.reserve(_NODE_SIZE * source.count("<"))
        worked(rt, len(source), PARSE_STEPS)
        self.events = parse_events(source)
        self.position = self.attribute = -1

    @member("ОткрытьФайл", "OpenFile", procedure=True)
    def open_file(self, rt: Any, path: Any, settings: Any = MISSING, other: Any = MISSING) -> None:
        raise BslRuntimeError("forbidden", what="ЧтениеXML.ОткрытьФайл")

    @member("Закрыть", "Close", procedure=True)
    def close(self, rt: Any) -> None:
        self.__init__()  # type: ignore[misc]

    @member("Прочитать", "Read")
    def read(self, rt: Any) -> bool:
        self.attribute = -1
        self.position = min(self.position + 1, len(self.events))
        while self.node().kind == "Whitespace":
            self.position += 1
        return self.position < len(self.events)

    @member("Пропустить", "Skip", procedure=True)
    def skip(self, rt: Any) -> None:
        """To the end of the current element."""
        depth = 0 if self.node().kind == "StartElement" else 1
        while self.position < len(self.events):
            kind = self.node().kind
            depth += (kind == "StartElement") - (kind == "EndElement")
            if depth <= 0:
                return
            self.position += 1

    @member("ПерейтиКСодержимому", "MoveToContent")
    def move_to_content(self, rt: Any) -> EnumValue:
        while self.node().kind in ("None", "Comment", "Whitespace", "ProcessingInstruction") and self.read(rt):
            pass
        return self.node_type(rt)

    @prop("ТипУзла", "NodeType")
    def node_type(self, rt: Any) -> EnumValue:
        return _NODE_TYPES["Attribute" if self.attribute >= 0 else self.node().kind]

    @prop("Имя", "Name")
    def name(self, rt: Any) -> str:
        return self.node().attributes[self.attribute][0] if self.attribute >= 0 else self.node().name

    @prop("ЛокальноеИмя", "LocalName")
    def local_name(self, rt: Any) -> str:
        return self.name(rt).rpartition(":")[2]

    @prop("Префикс", "Prefix")
    def prefix(self, rt: Any) -> str:
        return self.name(rt).rpartition(":")[0]

    @prop("Значение", "Value")
    def value(self, rt: Any) -> str:
        return self.node().attributes[self.attribute][1] if self.attribute >= 0 else self.node().value

    @prop("ИмеетЗначение", "HasValue")
    def has_value(self, rt: Any) -> bool:
        return self.attribute >= 0 or self.node().kind in ("Text", "Comment", "ProcessingInstruction")

    @prop("ИмеетИмя", "HasName")
    def has_name(self, rt: Any) -> bool:
        return self.node().kind in ("StartElement", "EndElement", "ProcessingInstruction")

    @member("КоличествоАтрибутов", "AttributeCount")
    def attribute_count(self, rt: Any) -> int:
        return len(self.node().attributes)

    def _attribute(self, rt: Any, key: Any) -> tuple[str, str] | None:
        attributes = self.node().attributes
        if type(key) is str:
            return next((pair for pair in attributes if pair[0] == key), None)
        position = integer(rt, key)
        return attributes[position] if 0 <= position < len(attributes) else None

    @member("ЗначениеАтрибута", "AttributeValue")
    def attribute_value(self, rt: Any, key: Any) -> Any:
        found = self._attribute(rt, key)
        return found[1] if found else None

    @member("ПолучитьАтрибут", "GetAttribute")
    def get_attribute(self, rt: Any, key: Any, space: Any = MISSING) -> Any:
        return self.attribute_value(rt, key)

    @member("ИмяАтрибута", "AttributeName")
    def attribute_name(self, rt: Any, key: Any) -> str:
        found = self._attribute(rt, key)
        return found[0] if found else ""

    @member("ПрочитатьАтрибут", "ReadAttribute")
    def read_attribute(self, rt: Any) -> bool:
        if self.attribute + 1 >= len(self.node().attributes):
            self.attribute = -1
            return False
        self.attribute += 1
        return True

    @member("СледующийАтрибут", "NextAttribute")
    def next_attribute(self, rt: Any) -> bool:
        return self.read_attribute(rt)

    @member("ПервыйАтрибут", "FirstAttribute")
    def first_attribute(self, rt: Any) -> bool:
        self.attribute = -1
        return self.read_attribute(rt)

    @member("ПерейтиКЭлементу", "MoveToElement")
    def move_to_element(self, rt: Any) -> bool:
        moved, self.attribute = self.attribute >= 0, -1
        return moved


@constructor("ЧтениеXML", "XMLReader")
def new_reading(rt: Any) -> XmlReading:
    return XmlReading()


def escape_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escape_attribute(text: str) -> str:
    return escape_text(text).replace('"', "&quot;").replace("\n", "&#xA;").replace("\r", "&#xD;").replace("\t", "&#x9;")


class XmlWriting(BslObject):
    """``ЗаписьXML`` into a string, indented as asked by ``Отступ``."""

    __slots__ = ("pieces", "stack", "open", "indent", "held_text", "attribute")
    type_name = ("ЗаписьXML", "XMLWriter")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.stack: list[str] = []
        self.open = False  # the start tag is not closed yet
        self.indent = True
        self.held_text = False
        self.attribute: tuple[str, list[str]] | None = None

    def _set_indent(self, rt: Any, value: Any) -> None:
        self.indent = rt.boolean(value)

    @prop("Отступ", "Indent", writable=_set_indent)
    def get_indent(self, rt: Any) -> bool:
        return self.indent

    def _close_tag(self, end: str = ">") -> None:
        if self.open:
            self.pieces.append(end)
            self.open = False

    def _new_line(self, depth: int) -> None:
        if self.indent and self.pieces and not self.held_text:
            self.pieces.append("\n" + "\t" * depth)

    @member("УстановитьСтроку", "SetString", procedure=True)
    def set_string(self, rt: Any, settings: Any = MISSING) -> None:
        indent = self.indent
        self.__init__()  # type: ignore[misc]
        self.indent = indent

    @member("ОткрытьФайл", "OpenFile", procedure=True)
    def open_file(self, rt: Any, path: Any, encoding: Any = MISSING, bom: Any = MISSING) -> None:
        raise BslRuntimeError("forbidden", what="ЗаписьXML.ОткрытьФайл")

    @member("ЗаписатьОбъявлениеXML", "WriteXMLDeclaration", procedure=True)
    def declaration(self, rt: Any) -> None:
        self.pieces.append('<?xml version="1.0" encoding="UTF-8"?>')

    @member("ЗаписатьНачалоЭлемента", "WriteStartElement", procedure=True)
    def start_element(self, rt: Any, name: Any, space: Any = MISSING) -> None:
        spelled = rt.text(name)
        self._close_tag()
        self._new_line(len(self.stack))
        self.pieces.append("<" + spelled)
        self.stack.append(spelled)
        self.open, self.held_text = True, False
        uri = optional_text(rt, space)
        if uri:
            self.pieces.append(f' xmlns="{escape_attribute(uri)}"')

    @member("ЗаписатьКонецЭлемента", "WriteEndElement", procedure=True)
    def end_element(self, rt: Any) -> None:
        if not self.stack:
            raise BslRuntimeError("xml_write", "Ошибка записи XML: нет открытого элемента")
        name = self.stack.pop()
        if self.open:
            self._close_tag("/>")
        else:
            self._new_line(len(self.stack))
            self.pieces.append(f"</{name}>")
        self.held_text = False

    @member("ЗаписатьАтрибут", "WriteAttribute", procedure=True)
    def write_attribute(self, rt: Any, name: Any, value: Any, third: Any = MISSING) -> None:
        if not self.open:
            raise BslRuntimeError("xml_write", "Ошибка записи XML: атрибут вне начала элемента")
        content = rt.text(value if third is MISSING else third)
        self.pieces.append(f' {rt.text(name)}="{escape_attribute(content)}"')

    @member("ЗаписатьНачалоАтрибута", "WriteStartAttribute", procedure=True)
    def start_attribute(self, rt: Any, name: Any, space: Any = MISSING) -> None:
        self.attribute = rt.text(name), []

    @member("ЗаписатьКонецАтрибута", "WriteEndAttribute", procedure=True)
    def end_attribute(self, rt: Any) -> None:
        if self.attribute is not None:
            name, pieces = self.attribute
            self.attribute = None
            self.write_attribute(rt, name, "".join(pieces))

    @member("ЗаписатьСоответствиеПространстваИмен", "WriteNamespaceMapping", procedure=True)
    def namespace(self, rt: Any, prefix: Any, uri: Any) -> None:
        spelled = rt.text(prefix)
        self.write_attribute(rt, f"xmlns:{spelled}" if spelled else "xmlns", uri)

    @member("ЗаписатьТекст", "WriteText", procedure=True)
    def write_text(self, rt: Any, text: Any) -> None:
        if self.attribute is not None:
            self.attribute[1].append(rt.text(text))
            return
        self._close_tag()
        self.pieces.append(escape_text(rt.text(text)))
        self.held_text = True

    @member("ЗаписатьСекциюCDATA", "WriteCDATASection", procedure=True)
    def write_cdata(self, rt: Any, text: Any) -> None:
        self._close_tag()
        self.pieces.append(f"<![CDATA[{rt.text(text)}]]>")
        self.held_text = True

    @member("ЗаписатьКомментарий", "WriteComment", procedure=True)
    def write_comment(self, rt: Any, text: Any) -> None:
        self._close_tag()
        self._new_line(len(self.stack))
        self.pieces.append(f"<!--{rt.text(text)}-->")

    @member("ЗаписатьБезОбработки", "WriteRaw", procedure=True)
    def write_raw(self, rt: Any, text: Any) -> None:
        self._close_tag()
        self.pieces.append(rt.text(text))
        self.held_text = True

    @member("Закрыть", "Close")
    def close(self, rt: Any) -> str:
        while self.stack:
            self.end_element(rt)
        rt.reserve(2 * sum(map(len, self.pieces)))
        text = "".join(self.pieces)
        self.pieces = []
        return text


@constructor("ЗаписьXML", "XMLWriter")
def new_writing(rt: Any) -> XmlWriting:
    return XmlWriting()

