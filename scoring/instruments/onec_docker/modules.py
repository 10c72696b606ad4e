"""The code around a candidate: what runs the tests inside 1C, and the handler that starts it.

The module ``Тесты`` calls the candidate in safe mode (no files, no processes, no network by the platform's own rule) inside a
transaction that is rolled back, so that every test begins from the same data. A candidate may end that transaction and write behind it:
the data are compared after every test, and no later test runs on changed ones. What is expected is evaluated before the call. Records go to a file of the host's, one per test,
each behind a secret word of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.bundles.model import DatabaseLoad, DataTests, ScriptTests, TaskBundle, TestCase
from scoring.extract import Module, routines
from scoring.instruments.onec_docker.fixtures import DESCRIPTION_FINDER
from scoring.instruments.onescript import script
from scoring.instruments.onescript.script import Builder, Channel

CANDIDATE, TESTS, FIXTURES, AUTHOR = "КодКандидата", "Тесты", "Фикстуры", "ТестыАвтора"
# An empty candidate, for the database of a task that no answer is in yet.
STUB = "Функция Пусто() Экспорт\n    Возврат Неопределено;\nКонецФункции\n"
START = """Процедура ПриНачалеРаботыСистемы()
    Тесты.НачатьСеанс(ПараметрЗапуска);
    ЗавершитьРаботуСистемы(Ложь);
КонецПроцедуры
"""
_REFERENCES = """    ИмяСсылки = ИмяСсылки__(Вид);
    Если ИмяСсылки <> "" Тогда
        Возврат "[""r""," + Строка__(ИмяСсылки) + "," + Строка__(XMLСтрока(Значение)) + "," + Строка__(Строка(Значение)) + "]";
    КонецЕсли;"""
_NAMES = """
Функция ИмяСсылки__(Вид)
    Если Справочники.ТипВсеСсылки().СодержитТип(Вид) Тогда
        Начало = "СправочникСсылка.";
    ИначеЕсли Документы.ТипВсеСсылки().СодержитТип(Вид) Тогда
        Начало = "ДокументСсылка.";
    ИначеЕсли Перечисления.ТипВсеСсылки().СодержитТип(Вид) Тогда
        Начало = "ПеречислениеСсылка.";
    ИначеЕсли ПланыСчетов.ТипВсеСсылки().СодержитТип(Вид) Тогда
        Начало = "ПланСчетовСсылка.";
    ИначеЕсли ПланыВидовХарактеристик.ТипВсеСсылки().СодержитТип(Вид) Тогда
        Начало = "ПланВидовХарактеристикСсылка.";
    Иначе
        Возврат "";
    КонецЕсли;
    Возврат Начало + Метаданные.НайтиПоТипу(Вид).Имя;
КонецФункции
"""
WRITER = script.WRITER.replace("    // @REFERENCES@", _REFERENCES) + _NAMES
# Every row of the data as text, in an order of its own: a query without an order promises none.
_DATA = """
Процедура СтрокиТаблицы__(Строки__, Имя__)
    Запрос__ = Новый Запрос("ВЫБРАТЬ * ИЗ " + Имя__);
    Таблица__ = Запрос__.Выполнить().Выгрузить();
    Для Каждого Строка__Данных Из Таблица__ Цикл
        Текст__ = Имя__;
        Для Каждого Колонка__ Из Таблица__.Колонки Цикл
            Ячейка__ = Строка__Данных[Колонка__.Имя];
            Вид__ = ТипЗнч(Ячейка__);
            Если Вид__ <> Тип("РезультатЗапроса") И Вид__ <> Тип("ТаблицаЗначений") Тогда
                Текст__ = Текст__ + "," + Значение__(Ячейка__);
            КонецЕсли;
        КонецЦикла;
        Строки__.Добавить(Текст__);
    КонецЦикла;
КонецПроцедуры
"""
# Sections of the configuration whose tables hold data, and how a query calls them.
_TABLES = {
    "catalogs": "Справочник", "documents": "Документ", "chart_of_characteristic_types": "ПланВидовХарактеристик",
    "charts_of_accounts": "ПланСчетов", "information_registers": "РегистрСведений", "accumulation_registers": "РегистрНакопления",
    "accounting_registers": "РегистрБухгалтерии",
}  # fmt: skip
BROKEN = "broken"
_FIXTURES_MAKER = "\nПроцедура СоздатьФикстуры() Экспорт\nКонецПроцедуры\n"


def tests_module(bundle: TaskBundle, module: Module, channel: Channel) -> str:
    """The module ``Тесты`` of one answer: modes ``fixtures``, ``tests`` and ``load``."""
    tests = bundle.tests
    cases = tests.cases if isinstance(tests, DataTests) else ()
    helpers = tests.helpers if isinstance(tests, DataTests) else ""
    parts = [WRITER, DESCRIPTION_FINDER, helpers]
    parts += [_arguments(case) for case in cases] + [_case(case, module, channel) for case in cases]
    parts += [_expectation(case) for case in cases if script.needs_question(case)]
    parts += [_DATA, _data(bundle.configuration), _load(bundle, module)]
    parts.append(_modes(bundle, channel))
    return "\n".join(parts)


def author_module(bundle: TaskBundle, module: Module) -> str:
    """``tests.bsl`` with what the fixtures provide, calling the candidate's routine by its name."""
    source = bundle.tests.source if isinstance(bundle.tests, ScriptTests) else ""
    text = source.replace("{{ENTRY}}", _entry(module))
    declared = {routine.name.lower() for routine in routines(text)}
    provided = {"спр": DESCRIPTION_FINDER, "создатьфикстуры": _FIXTURES_MAKER}
    return text + "".join(added for name, added in provided.items() if name not in declared)


def _data(configuration: Mapping[str, Any]) -> str:
    names = []
    for section, kind in _TABLES.items():
        for name, declared in (configuration.get(section) or {}).items():
            names.append(f"{kind}.{name}" + (".ДвиженияССубконто()" if section == "accounting_registers" else ""))
            names += [f"{kind}.{name}.{inner}" for inner in (declared or {}).get("tabular_sections") or {}]
    names += [f"Константа.{name}" for name in configuration.get("constants") or {}]
    lines = "\n".join(f'    СтрокиТаблицы__(Строки__, "{name}");' for name in names)
    return f"""Функция Данные__()
    Строки__ = Новый СписокЗначений;
{lines}
    Строки__.СортироватьПоЗначению();
    Возврат СтрСоединить(Строки__.ВыгрузитьЗначения(), Символы.ПС);
КонецФункции
"""


def _entry(module: Module) -> str:
    return module.entry.name if module.entry else "Пусто"


def _arguments(case: TestCase) -> str:
    builder = Builder()
    names = [builder.build(value) for value in case.args]
    lines = [f"Функция Аргументы{case.index}__()", case.arrange, *builder.lines, "Список__ = Новый Массив;"]
    lines += [f"Список__.Добавить({name});" for name in names]
    return "\n".join([*lines, "Возврат Список__;", "КонецФункции"])


def _expectation(case: TestCase) -> str:
    if case.check:
        parameters = ["Результат", *(f"Аргумент{number}" for number in range(1, len(case.args) + 1))]
        return f"Функция Проверка{case.index}__({', '.join(parameters)})\nВозврат\n{case.check}\n;\nКонецФункции"
    builder = Builder()
    value = builder.build(case.expected)
    return "\n".join([f"Функция Ожидаемое{case.index}__()", *builder.lines, f"Возврат {value};", "КонецФункции"])


def _case(case: TestCase, module: Module, channel: Channel) -> str:
    names = [f"П{number}__" for number in range(len(case.args))]
    taken = "\n".join(f"        {name} = Список__[{number}];" for number, name in enumerate(names))
    call = f"{CANDIDATE}.{_entry(module)}({', '.join(names)})"
    called = f"Итог__ = {call};" if module.entry is None or module.entry.is_function else f"{call};"
    told = '"{""r"":" + Значение__(Итог__)' + _questions(case, names) + ' + "}"'
    tag = f"t{case.index}"
    return f"""Процедура Тест{case.index}__()
    НачатьТранзакцию();
    Итог__ = Неопределено;
    Ожидаемое__ = "";
    Ошибка__ = "";
    Сорвано__ = Ложь;
    Попытка
        Список__ = Аргументы{case.index}__();
{taken}{_expected(case)}
    Исключение
        {channel.say(tag, _error("fault"))}
        ОтменитьТранзакцию();
        Возврат;
    КонецПопытки;
    УстановитьБезопасныйРежим(Истина);
    Попытка
        {called}
    Исключение
        Ошибка__ = ОписаниеОшибки();
        Сорвано__ = Истина;
    КонецПопытки;
    УстановитьБезопасныйРежим(Ложь);
    Если Сорвано__ Тогда
        {channel.say(tag, '"{""error"":" + Строка__(Ошибка__) + "}"')}
    Иначе
        {channel.say(tag, told)}
    КонецЕсли;
    Пока ТранзакцияАктивна() Цикл
        ОтменитьТранзакцию();
    КонецЦикла;
КонецПроцедуры
{_checking(case, names)}"""


def _error(key: str) -> str:
    return '"{""' + key + '"":" + Строка__(ОписаниеОшибки()) + "}"'


def _questions(case: TestCase, names: list[str]) -> str:
    if case.check:
        return f" + Проверено{case.index}__({', '.join(['Итог__', *names])})"
    return " + Ожидаемое__"


def _expected(case: TestCase) -> str:
    """Before the call: what the candidate does to data must not move what is expected."""
    if case.check or not script.needs_question(case):
        return ""
    return f"""
        Ожидаемое__ = ",""expected"":" + Значение__(Ожидаемое{case.index}__());"""


def _checking(case: TestCase, names: list[str]) -> str:
    """The author's check; one that fails on what the candidate returned is not met."""
    if not case.check:
        return ""
    given = ", ".join(["Итог__", *names])
    return f"""Функция Проверено{case.index}__({given})
    Попытка
        Возврат ",""check"":" + ?(Булево(Проверка{case.index}__({given})), "true", "false");
    Исключение
        Возврат ",""check"":false,""note"":" + Строка__(ОписаниеОшибки());
    КонецПопытки;
КонецФункции"""


def _load(bundle: TaskBundle, module: Module) -> str:
    call = bundle.load.call.replace("{{ENTRY}}", _entry(module)) if isinstance(bundle.load, DatabaseLoad) else ""
    return f"Процедура Нагрузка__()\n{call}\n;\nКонецПроцедуры"


def _modes(bundle: TaskBundle, channel: Channel) -> str:
    if isinstance(bundle.tests, ScriptTests):
        run = channel.say("report", f'"{{""report"":" + Строка__({AUTHOR}.ПрогнатьТест()) + "}}"')
    else:
        cases = bundle.tests.cases if bundle.tests else ()
        run = "\n        ".join(["Начальные__ = Данные__();", *(_guarded(case, channel) for case in cases)])
    return f"""
Процедура НачатьСеанс(Знач Режим) Экспорт
    Попытка
        Исполнить__(Режим);
    Исключение
        {channel.say("fault", _error("fault"))}
    КонецПопытки;
КонецПроцедуры

Процедура Исполнить__(Режим)
    Если Режим = "fixtures" Тогда
        {FIXTURES}.СоздатьФикстуры();
        {channel.say("ready", '"{}"')}
    ИначеЕсли Режим = "tests" Тогда
        {run}
        {channel.say("done", '"{}"')}
    Иначе
        УстановитьБезопасныйРежим(Истина);
        Попытка
            Нагрузка__();
            Ошибка__ = "{{}}";
        Исключение
            Ошибка__ = {_error("error")};
        КонецПопытки;
        УстановитьБезопасныйРежим(Ложь);
        Сказать__({script.quoted(channel.path)}, {_load_word(bundle, channel)}, Ошибка__);
    КонецЕсли;
КонецПроцедуры
"""


def _guarded(case: TestCase, channel: Channel) -> str:
    """One test, and the end of the run where it left other data than it found."""
    return f"""Тест{case.index}__();
        Если Данные__() <> Начальные__ Тогда
            {channel.say(BROKEN, f'"{{""after"":{case.index}}}"')}
            {channel.say("done", '"{}"')}
            Возврат;
        КонецЕсли;"""


def _load_word(bundle: TaskBundle, channel: Channel) -> str:
    """The word of the load run of the size that the mode names (``load80``)."""
    sizes = bundle.load.sizes if bundle.load else ()
    expression = '""'
    for size in sizes:
        expression = f'?(Режим = "load{size}", "{channel.word(f"load{size}")}", {expression})'
    return expression
