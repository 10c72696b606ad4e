"""Which type names each dialect knows: ``Тип("Число")``.

Names of types that a class or a constructor brings along register themselves; those that only exist by name stand here.
Types of metadata (``СправочникСсылка.Товары``) are asked of the run's database.
"""

from __future__ import annotations

from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import BOTH, ONEC, ONESCRIPT
from scoring.engine.values.types import (
    BOOLEAN,
    DATE,
    NULL_TYPE,
    NUMBER,
    STRING,
    TYPE,
    UNDEFINED,
    TypeValue,
)

_KNOWN: dict[str, tuple[tuple[str, str], frozenset[str]]] = {}


def register_type(names: tuple[str, str], dialects: frozenset[str] | tuple[str, ...] = BOTH) -> TypeValue:
    """Make the type known to ``Тип()`` under both its names."""
    for spelled in names:
        before = _KNOWN.get(spelled.lower())
        known = frozenset(dialects) | (before[1] if before else frozenset())
        _KNOWN[spelled.lower()] = (names, known)
    return TypeValue.of(names)


def find_type(rt: Any, name: str) -> TypeValue | None:
    """The type called ``name`` in the run's dialect, or None."""
    found = _KNOWN.get(name.strip().lower())
    if found is not None and rt.dialect.name in found[1]:
        return TypeValue.of(found[0])
    resolver = getattr(rt.database, "find_type", None)
    return resolver(name) if resolver is not None else None


def require_type(rt: Any, name: str) -> TypeValue:
    """As :func:`find_type`; raises ``type_not_registered`` where there is none."""
    found = find_type(rt, name)
    if found is None:
        raise BslRuntimeError("type_not_registered", name=name)
    return found


PRIMITIVES = (NUMBER, STRING, DATE, BOOLEAN, UNDEFINED, NULL_TYPE, TYPE)
for _names in PRIMITIVES:
    register_type(_names)

_COMMON = """
Массив Array|ФиксированныйМассив FixedArray|Структура Structure|ФиксированнаяСтруктура FixedStructure|Соответствие Map
ФиксированноеСоответствие FixedMap|КлючИЗначение KeyAndValue|СписокЗначений ValueList
ЭлементСпискаЗначений ValueListItem|ТаблицаЗначений ValueTable|СтрокаТаблицыЗначений ValueTableRow
КолонкаТаблицыЗначений ValueTableColumn|КоллекцияКолонокТаблицыЗначений ValueTableColumnCollection
ДеревоЗначений ValueTree|СтрокаДереваЗначений ValueTreeRow|КоллекцияСтрокДереваЗначений ValueTreeRowCollection
КолонкаДереваЗначений ValueTreeColumn|КоллекцияКолонокДереваЗначений ValueTreeColumnCollection
УникальныйИдентификатор UUID|ОписаниеТипов TypeDescription|КвалификаторыЧисла NumberQualifiers
КвалификаторыСтроки StringQualifiers|КвалификаторыДаты DateQualifiers
КвалификаторыДвоичныхДанных BinaryDataQualifiers|ИнформацияОбОшибке ErrorInfo|ДвоичныеДанные BinaryData
ГенераторСлучайныхЧисел RandomNumberGenerator|ЧтениеТекста TextReader|ЗаписьТекста TextWriter
ТекстовыйДокумент TextDocument|ЧтениеJSON JSONReader|ЗаписьJSON JSONWriter|ПараметрыЗаписиJSON JSONWriterSettings
НастройкиСериализацииJSON JSONSerializerSettings|ЧтениеXML XMLReader|ЗаписьXML XMLWriter
ХешированиеДанных DataHashing|Файл File|ЧтениеДанных DataReader|ЗаписьДанных DataWriter|ПотокВПамяти MemoryStream
Поток Stream|ФайловыйПоток FileStream|БуферДвоичныхДанных BinaryDataBuffer|HTTPСоединение HTTPConnection
HTTPЗапрос HTTPRequest|HTTPОтвет HTTPResponse|ЧтениеZipФайла ZipFileReader|ЗаписьZipФайла ZipFileWriter
"""
_ONESCRIPT = """
ИндексыКоллекции CollectionIndexes|ИндексКоллекции CollectionIndex|Сценарий Script|Символы Chars
РегулярноеВыражение RegExp|СовпадениеРегулярногоВыражения RegExpMatch
КоллекцияСовпаденийРегулярногоВыражения RegExpMatchCollection
ГруппаРегулярногоВыражения RegExpGroup|КоллекцияГруппРегулярногоВыражения RegExpGroupCollection
Рефлектор Reflector|Процесс Process|СистемнаяИнформация SystemInfo|ФоновоеЗадание BackgroundTask|Делегат Delegate
Действие Action|БлокировкаРесурса ResourceLock|Консоль Console|ИнформацияОСценарии ScriptInformation
TCPСоединение TCPConnection|TCPСервер TCPServer|ИнтернетПрокси InternetProxy
ПостроительDOM DOMBuilder|ЗаписьDOM DOMWriter|ПреобразованиеXSL XSLTransform|ПараметрыЧтенияXML XMLReaderSettings
ПараметрыЗаписиXML XMLWriterSettings|ПространствоИменXML XMLNamespaceContext|ФабрикаXDTO XDTOFactory
СхемаXML XMLSchema|НаборСхемXML XMLSchemaSet|ПостроительСхемXML XMLSchemaBuilder
"""
_ONEC = """
ИндексыКоллекции CollectionIndexes|ИндексКоллекции CollectionIndex|СравнениеЗначений CompareValues
ХранилищеЗначения ValueStorage|Запрос Query|РезультатЗапроса QueryResult
ВыборкаИзРезультатаЗапроса QueryResultSelection|МенеджерВременныхТаблиц TempTablesManager|Граница Boundary
МоментВремени PointInTime|СтандартныйПериод StandardPeriod|СтандартнаяДатаНачала StandardBeginningDate
ПостроительЗапроса QueryBuilder|СхемаКомпоновкиДанных DataCompositionSchema|ТабличныйДокумент SpreadsheetDocument
Отбор Filter|ВидДвиженияНакопления AccumulationRecordType|НаборЗначений ValuesSet
ИдентификаторОбъектаМетаданных MetadataObjectID
"""


def _register_table(table: str, dialects: tuple[str, ...]) -> None:
    for pair in table.replace("\n", "|").split("|"):
        if pair.strip():
            russian, english = pair.split()
            register_type((russian, english), dialects)


_register_table(_COMMON, (ONESCRIPT, ONEC))
_register_table(_ONESCRIPT, (ONESCRIPT,))
_register_table(_ONEC, (ONEC,))
