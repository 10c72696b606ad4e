"""Names of the .NET classes behind OneScript's types: they show in its messages about failed conversions."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from scoring.engine.values.model import MISSING, NULL
from scoring.engine.values.types import TypeValue

_COLLECTIONS = "OneScript.StandardLibrary.Collections."

_CLASSES = {
    "Массив": _COLLECTIONS + "ArrayImpl",
    "ФиксированныйМассив": _COLLECTIONS + "FixedArrayImpl",
    "Структура": _COLLECTIONS + "StructureImpl",
    "ФиксированнаяСтруктура": _COLLECTIONS + "FixedStructureImpl",
    "Соответствие": _COLLECTIONS + "MapImpl",
    "ФиксированноеСоответствие": _COLLECTIONS + "FixedMapImpl",
    "КлючИЗначение": _COLLECTIONS + "KeyAndValueImpl",
    "СписокЗначений": _COLLECTIONS + "ValueList.ValueListImpl",
    "ЭлементСпискаЗначений": _COLLECTIONS + "ValueList.ValueListItem",
    "ТаблицаЗначений": _COLLECTIONS + "ValueTable.ValueTable",
    "СтрокаТаблицыЗначений": _COLLECTIONS + "ValueTable.ValueTableRow",
    "КолонкаТаблицыЗначений": _COLLECTIONS + "ValueTable.ValueTableColumn",
    "КоллекцияКолонокТаблицыЗначений": _COLLECTIONS + "ValueTable.ValueTableColumnCollection",
    "ИндексыКоллекции": _COLLECTIONS + "Indexes.CollectionIndexes",
    "ИндексКоллекции": _COLLECTIONS + "Indexes.CollectionIndex",
    "ДеревоЗначений": _COLLECTIONS + "ValueTree.ValueTree",
    "СтрокаДереваЗначений": _COLLECTIONS + "ValueTree.ValueTreeRow",
    "КоллекцияСтрокДереваЗначений": _COLLECTIONS + "ValueTree.ValueTreeRowCollection",
    "КолонкаДереваЗначений": _COLLECTIONS + "ValueTree.ValueTreeColumn",
    "КоллекцияКолонокДереваЗначений": _COLLECTIONS + "ValueTree.ValueTreeColumnCollection",
    "УникальныйИдентификатор": "OneScript.StandardLibrary.GuidWrapper",
    "ОписаниеТипов": "OneScript.StandardLibrary.TypeDescriptions.TypeDescription",
    "КвалификаторыЧисла": "OneScript.StandardLibrary.TypeDescriptions.NumberQualifiers",
    "КвалификаторыСтроки": "OneScript.StandardLibrary.TypeDescriptions.StringQualifiers",
    "КвалификаторыДаты": "OneScript.StandardLibrary.TypeDescriptions.DateQualifiers",
    "КвалификаторыДвоичныхДанных": "OneScript.StandardLibrary.TypeDescriptions.BinaryDataQualifiers",
    "Символы": "OneScript.StandardLibrary.SymbolsContext",
    "ГенераторСлучайныхЧисел": "OneScript.StandardLibrary.RandomNumberGenerator",
    "ДвоичныеДанные": "OneScript.StandardLibrary.Binary.BinaryDataContext",
    "БуферДвоичныхДанных": "OneScript.StandardLibrary.Binary.BinaryDataBuffer",
    "ИнформацияОбОшибке": "ScriptEngine.Machine.ExceptionInfoContext",
    "РегулярноеВыражение": "OneScript.StandardLibrary.Regex.RegExpImpl",
    "ЧтениеJSON": "OneScript.StandardLibrary.Json.JSONReader",
    "ЗаписьJSON": "OneScript.StandardLibrary.Json.JSONWriter",
    "ЧтениеXML": "OneScript.StandardLibrary.Xml.XmlReaderImpl",
    "ЗаписьXML": "OneScript.StandardLibrary.Xml.XmlWriterImpl",
    "ТекстовыйДокумент": "OneScript.StandardLibrary.Text.TextDocumentContext",
}

_PRIMITIVES = {
    bool: "BslBooleanValue",
    int: "BslNumericValue",
    Decimal: "BslNumericValue",
    str: "BslStringValue",
    datetime: "BslDateValue",
    TypeValue: "BslTypeValue",
}


def class_name(value: Any) -> str:
    """The full name of the .NET class that holds ``value``."""
    if value is None:
        return "OneScript.Values.BslUndefinedValue"
    if value is NULL:
        return "OneScript.Values.BslNullValue"
    if value is MISSING:
        return "OneScript.Values.BslSkippedParameterValue"
    primitive = _PRIMITIVES.get(type(value))
    if primitive is not None:
        return "OneScript.Values." + primitive
    return getattr(value, "clr_class", None) or _CLASSES.get(value.type_name[0], "ScriptEngine.Machine.Contexts.ContextValue")
