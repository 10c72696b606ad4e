"""System enumerations of the global context (those of type qualifiers are in values.qualifiers).

``NAMES`` tables hold one enumeration a line: ``Имя English: Значение Value, …``.
"""

from __future__ import annotations

from scoring.engine.values.enums import EnumType, define_enum
from scoring.engine.values.members import BOTH, ONEC

_COLLECTIONS = "OneScript.StandardLibrary.Collections."

SEARCH_DIRECTION = define_enum(
    "НаправлениеПоиска",
    "SearchDirection",
    [("СНачала", "FromBegin"), ("СКонца", "FromEnd")],
    clr_enum="OneScript.StandardLibrary.SearchDirectionEnum",
)
SORT_DIRECTION = define_enum(
    "НаправлениеСортировки",
    "SortDirection",
    [("Возр", "Asc"), ("Убыв", "Desc")],
    clr_enum=_COLLECTIONS + "SortDirectionEnum",
)
ROUND_MODE = define_enum(
    "РежимОкругления", "RoundMode", [("Окр15как10", "Round15as10"), ("Окр15как20", "Round15as20")], dialects=(ONEC,)
)
URL_ENCODING = define_enum(
    "СпособКодированияСтроки",
    "StringEncodingMethod",
    [("КодировкаURL", "URLEncoding"), ("URLВКодировкеURL", "URLInURLEncoding")],
)

_SHARED = """
КодировкаТекста TextEncoding: ANSI ANSI, OEM OEM, UTF16 UTF16, UTF8 UTF8, UTF8NoBOM UTF8NoBOM, Системная System
СтатусСообщения MessageStatus: БезСтатуса WithoutStatus, Важное Important, Внимание Attention, Информация Information, Обычное Ordinary, ОченьВажное VeryImportant
ТипЗначенияJSON JSONValueType: Null Null, Булево Boolean, ИмяСвойства PropertyName, Комментарий Comment, КонецМассива ArrayEnd, КонецОбъекта ObjectEnd, НачалоМассива ArrayStart, НачалоОбъекта ObjectStart, Ничего None, Строка String, Число Number
ПереносСтрокJSON JSONLineBreak: Нет None, Unix Unix, Windows Windows, Авто Auto
ЭкранированиеСимволовJSON JSONCharactersEscapeMode: Нет None, СимволыВнеASCII NotASCIISymbols, СимволыВнеBMP SymbolsNotInBMP
ФорматДатыJSON JSONDateFormat: ISO ISO, JavaScript JavaScript, Microsoft Microsoft
ВариантЗаписиДатыJSON JSONDateWritingVariant: ЛокальнаяДата LocalDate, ЛокальнаяДатаСоСмещением LocalDateWithOffset, УниверсальнаяДата UniversalDate
ХешФункция HashFunction: MD5 MD5, SHA1 SHA1, SHA256 SHA256, SHA384 SHA384, SHA512 SHA512, CRC32 CRC32
ТипУзлаXML XMLNodeType: Атрибут Attribute, ИнструкцияОбработки ProcessingInstruction, Комментарий Comment, КонецСущности EndEntity, КонецЭлемента EndElement, НачалоЭлемента StartElement, Ничего None, Нотация Notation, ОбъявлениеXML XMLDeclaration, ОпределениеТипаДокумента DocumentTypeDefinition, ПробельныеСимволы Whitespace, СекцияCDATA CDATASection, СсылкаНаСущность EntityReference, Сущность Entity, Текст Text
ПорядокБайтов ByteOrder: BigEndian BigEndian, LittleEndian LittleEndian
ПозицияВПотоке StreamPosition: Конец End, Начало Begin, Текущая Current
"""
_ONEC_ONLY = """
КодВозвратаДиалога DialogReturnCode: Да Yes, Нет No, ОК OK, Отмена Cancel, Повторить Retry, Прервать Abort, Пропустить Ignore, Таймаут Timeout
РежимДиалогаВопрос QuestionDialogMode: ДаНет YesNo, ДаНетОтмена YesNoCancel, ОК OK, ОКОтмена OKCancel, ПовторитьОтмена RetryCancel, ПрерватьПовторитьПропустить AbortRetryIgnore
ВидСравнения ComparisonType: Больше Greater, БольшеИлиРавно GreaterOrEqual, ВИерархии InHierarchy, ВСписке InList, ВСпискеПоИерархии InListByHierarchy, Интервал Interval, ИнтервалВключаяГраницы IntervalIncludingBounds, ИнтервалВключаяНачало IntervalIncludingLowerBound, ИнтервалВключаяОкончание IntervalIncludingUpperBound, Меньше Less, МеньшеИлиРавно LessOrEqual, НеВИерархии NotInHierarchy, НеВСписке NotInList, НеВСпискеПоИерархии NotInListByHierarchy, НеРавно NotEqual, НеСодержит NotContains, Равно Equal, Содержит Contains
РежимАвтоВремя AutoTimeMode: НеИспользовать DontUse, Первым First, Последним Last, ТекущееИлиПервым CurrentOrFirst, ТекущееИлиПоследним CurrentOrLast
СпособВыбораСертификатаWindows WindowsCertificateSelectMode: Авто Auto, Выбирать Choose
УровеньЖурналаРегистрации EventLogLevel: Информация Information, Ошибка Error, Предупреждение Warning, Примечание Note
КатегорияОшибки ErrorCategory: ВсеОшибки AllErrors, ИсключениеВызванноеИзВстроенногоЯзыка ExceptionRaisedFromScript, НарушениеПравДоступа AccessViolation, ОшибкаВстроенногоЯзыка ScriptError, ОшибкаВоВремяВыполненияВстроенногоЯзыка ScriptRuntimeError, ОшибкаИсполненияЗапроса QueryRuntimeError, ОшибкаКомпиляцииВстроенногоЯзыка ScriptCompileError, ОшибкаКонфигурации ConfigurationError, ОшибкаХранимыхДанных StoredDataError, ПрочаяОшибка OtherError, СетеваяОшибка NetworkError
ПериодичностьАгрегатаРегистраНакопления AccumulationRegisterAggregatePeriodicity: Авто Auto, День Day, Квартал Quarter, Месяц Month, Непериодический Nonperiodical, Полугодие HalfYear, Год Year
"""


def _define_table(table: str, dialects: frozenset[str] | tuple[str, ...]) -> None:
    for line in filter(None, table.splitlines()):
        head, _, tail = line.partition(": ")
        name, english = head.split()
        values = [tuple(pair.split()) for pair in tail.split(", ")]
        define_enum(name, english, [(pair[0], pair[1]) for pair in values], dialects=dialects)


_define_table(_SHARED, BOTH)
_define_table(_ONEC_ONLY, (ONEC,))


def system_enum(name: str) -> EnumType:
    """An enumeration by either of its names; raises ``KeyError``."""
    return EnumType.all[name.lower()]
