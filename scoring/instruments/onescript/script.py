"""The scripts that OneScript runs: a driver of the candidate's module, and an evaluator of the author's checks.

The driver knows arguments, never expected values. It loads the candidate's module as an object of its own, so that nothing of
the driver can be redefined, deletes both files (what is read into memory needs them no more), calls the entry point once a
test and appends one line per test to a file of the host's: a secret word of that very test, a blank, JSON. Words of records to
come are nowhere but in the driver's memory, so a candidate that finds the file can copy what is there and forge nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scoring import wire
from scoring.bundles.model import AlgorithmLoad, TestCase
from scoring.wire import Wire

DRIVER_FILE = "driver.os"
CHECKS_FILE = "checks.os"
RESULTS_FILE = "results.txt"
COUNTS_FILE = "codestat.json"
# As in a run of the published method, something follows the candidate's text: a stray character at its end meets it.
AFTERWARDS = "\n;"
# Bounds of what travels, as in the built-in engine's channel.
MAX_DEPTH, MAX_VALUES = 40, 100_000

_HERE = Path(__file__).parent
# The values' way out, shared by both scripts.
WRITER = (
    (_HERE / "writer.os").read_text("utf-8")
    .replace("@DEPTH@", str(MAX_DEPTH)).replace("@VALUES@", str(MAX_VALUES)).replace("@SHOWN@", str(wire.SHOWN))
)  # fmt: skip
# The meter's routines do a call themselves and charge what it hides.
_METER = (_HERE / "meter.os").read_text("utf-8")


_ERROR = '"{""error"":" + Строка__(ОписаниеОшибки()) + "}"'
_VERDICT = '"{""check"":" + ?(Верно__, "true", "false") + "}"'


@dataclass(frozen=True, slots=True)
class Channel:
    """Where a script reports: a path as the engine sees it, and the secret behind the word that begins each record."""

    path: str
    secret: str

    def word(self, tag: str) -> str:
        """The word of the record ``tag`` (``load``, ``loaded``, ``done``, ``charged``, ``error``, ``t0`` …)."""
        return hashlib.sha256(f"{self.secret}:{tag}".encode()).hexdigest()[:24]

    def say(self, tag: str, expression: str) -> str:
        """The statement that writes the record; ``expression`` gives its JSON."""
        return f'Сказать__({quoted(self.path)}, "{self.word(tag)}", {expression});'


def quoted(text: str) -> str:
    """A string literal of one line, whatever the text holds."""
    parts = []
    for piece in text.replace("\r\n", "\n").split("\n"):
        inner = '" + Символы.ВК + "'.join(part.replace('"', '""') for part in piece.split("\r"))
        parts.append(f'"{inner}"')
    return "(" + " + Символы.ПС + ".join(parts) + ")" if len(parts) > 1 or "\r" in text else parts[0]


class Builder:
    """Statements that build wire values; each compound value gets a variable of its own."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._next = 0

    def build(self, value: Wire) -> str:
        """An expression for ``value``; the statements it needs are in ``lines``."""
        if value is None:
            return "Неопределено"
        if isinstance(value, bool):
            return "Истина" if value else "Ложь"
        if isinstance(value, str):
            return quoted(value)
        return self._marked(value)

    def _marked(self, value: list[Wire]) -> str:
        kind = value[0]
        if kind == "n":
            return f"({value[1]})" if value[1].startswith("-") else str(value[1])
        if kind == "d":
            digits = "".join(character for character in str(value[1])[:19] if character.isdigit())
            return f"'{digits}'"
        if kind == "null":
            return "Null"
        if kind == "e":
            return self._assigned(f"\n{value[1]}\n")
        return self._compound(kind, value)

    def _compound(self, kind: str, value: list[Wire]) -> str:
        if kind in ("fa", "fs", "fm"):
            plain = {"fa": "ФиксированныйМассив", "fs": "ФиксированнаяСтруктура", "fm": "ФиксированноеСоответствие"}[kind]
            return self._assigned(f"Новый {plain}({self._compound(kind[1:], value)})")
        if kind == "a":
            return self._filled("Массив", [f"Добавить({self.build(entry)})" for entry in value[1]])
        if kind in ("s", "m"):
            name = "Структура" if kind == "s" else "Соответствие"
            return self._filled(name, [f"Вставить({self.build(key)}, {self.build(entry)})" for key, entry in value[1]])
        if kind == "t":
            return self._table(value)
        if kind == "l":
            return self._filled("СписокЗначений", [self._item(*entry) for entry in value[1]])
        if kind == "dt":
            return self._tree(value)
        # A value that can't travel: a check on it meets nothing it knows.
        return "Неопределено"

    def _item(self, value: Wire, presentation: str, checked: bool) -> str:
        return f"Добавить({self.build(value)}, {quoted(presentation)}, {self.build(checked)})"

    def _assigned(self, expression: str) -> str:
        self._next += 1
        name = f"З{self._next}__"
        self.lines.append(f"{name} = {expression};")
        return name

    def _filled(self, type_name: str, calls: list[str]) -> str:
        name = self._assigned(f"Новый {type_name}")
        self.lines += [f"{name}.{call};" for call in calls]
        return name

    def _table(self, value: list[Wire]) -> str:
        name = self._filled("ТаблицаЗначений", [f"Колонки.Добавить({quoted(column)})" for column in value[1]])
        for row in value[2]:
            self._cells(self._assigned(f"{name}.Добавить()"), row)
        return name

    def _cells(self, row: str, cells: Sequence[Wire]) -> None:
        for index, cell in enumerate(cells):
            built = self.build(cell)
            self.lines.append(f"{row}[{index}] = {built};")

    def _tree(self, value: list[Wire]) -> str:
        name = self._filled("ДеревоЗначений", [f"Колонки.Добавить({quoted(column)})" for column in value[1]])
        self._branches(name, value[2])
        return name

    def _branches(self, parent: str, branches: Sequence[Wire]) -> None:
        for cells, below in branches:
            row = self._assigned(f"{parent}.Строки.Добавить()")
            self._cells(row, cells)
            self._branches(row, below)


def driver(cases: Sequence[TestCase], helpers: str, entry: str, candidate: str, channel: Channel, own_path: str) -> str:
    """The script that calls ``entry`` of the module at ``candidate`` once per case; paths as the engine sees them."""
    parts = [WRITER, helpers, *(_arguments(case) for case in cases), *(_call(case, entry, channel) for case in cases)]
    parts += [_loading(candidate, own_path, channel), channel.say("loaded", '"{}"')]
    parts += [f"Тест{case.index}__(Код__);" for case in cases]
    return "\n".join([*parts, channel.say("done", '"{}"'), ""])


def _loading(candidate: str, own_path: str, channel: Channel, names: str = "") -> str:
    """Load the module, then forget the files: neither arguments nor the word can be read from them any more."""
    given = f", {names}" if names else ""
    return f"""УдалитьФайлы({quoted(own_path)});
Попытка
    Код__ = ЗагрузитьСценарий({quoted(candidate)}{given});
Исключение
    {channel.say("load", _ERROR)}
    ЗавершитьРаботу(3);
КонецПопытки;
УдалитьФайлы({quoted(candidate)});"""


def _arguments(case: TestCase) -> str:
    builder = Builder()
    names = [builder.build(value) for value in case.args]
    lines = [f"Функция Аргументы{case.index}__()", case.arrange, *builder.lines, "Список__ = Новый Массив;"]
    lines += [f"Список__.Добавить({name});" for name in names]
    return "\n".join([*lines, "Возврат Список__;", "КонецФункции"])


def _call(case: TestCase, entry: str, channel: Channel) -> str:
    tag = f"t{case.index}"
    count = len(case.args)
    names = [f"П{number}__" for number in range(count)]
    taken = "\n".join(f"    {name} = Список__[{number}];" for number, name in enumerate(names))
    after = ""
    if case.check:
        listed = ' + "," + '.join(f"Значение__({name})" for name in names) or '""'
        after = f' + ",""a"":[" + {listed} + "]"'
    told = f'"{{""r"":" + Значение__(Итог__){after} + "}}"'
    return f"""Процедура Тест{case.index}__(Код__)
    Попытка
        Список__ = Аргументы{case.index}__();
    Исключение
        {channel.say(tag, _ERROR.replace("error", "fault"))}
        Возврат;
    КонецПопытки;
{taken}
    Попытка
        Итог__ = Код__.{entry}({", ".join(names)});
    Исключение
        {channel.say(tag, _ERROR)}
        Возврат;
    КонецПопытки;
    {channel.say(tag, told)}
КонецПроцедуры"""


@dataclass(frozen=True, slots=True)
class Question:
    """What the author's code is asked about one test after the run: its check, or the value of its expected expression."""

    case: TestCase
    result: Wire = None
    arguments: tuple[Wire, ...] = ()


def needs_question(case: TestCase) -> bool:
    return bool(case.check) or wire.expressions(case.expected)


def checks(questions: Sequence[Question], helpers: str, channel: Channel) -> str:
    """The script that evaluates the author's checks and expressions on values that came back. No candidate is near it."""
    parts = [WRITER, helpers]
    for question in questions:
        parts.append(_check(question, channel) if question.case.check else _expectation(question, channel))
    parts += [f"Вопрос{question.case.index}__();" for question in questions]
    return "\n".join([*parts, channel.say("done", '"{}"'), ""])


def _check(question: Question, channel: Channel) -> str:
    index = question.case.index
    parameters = ["Результат", *(f"Аргумент{number}" for number in range(1, len(question.arguments) + 1))]
    builder = Builder()
    given = [builder.build(value) for value in (question.result, *question.arguments)]
    built = "\n".join(builder.lines)
    return f"""Функция Проверка{index}__({", ".join(parameters)})
Возврат
{question.case.check}
;
КонецФункции
Процедура Вопрос{index}__()
{built}
    Попытка
        Верно__ = Булево(Проверка{index}__({", ".join(given)}));
    Исключение
        {channel.say(f"t{index}", _ERROR)}
        Возврат;
    КонецПопытки;
    {channel.say(f"t{index}", _VERDICT)}
КонецПроцедуры"""


def _expectation(question: Question, channel: Channel) -> str:
    builder = Builder()
    value = builder.build(question.case.expected)
    built = "\n".join(builder.lines)
    told = f'"{{""expected"":" + Значение__({value}) + "}}"'
    return f"""Процедура Вопрос{question.case.index}__()
{built}
    {channel.say(f"t{question.case.index}", told)}
КонецПроцедуры"""


def load(profile: AlgorithmLoad, size: int, entry: str, candidate: str, channel: Channel, own_path: str, meter: str) -> str:
    """The script that builds the input of ``size`` and makes the load call; ``meter`` names the meter in the candidate's module."""
    body = (profile.generate + "\n" + profile.call).replace("{n}", str(size)).replace("{entry}", f"Код__.{entry}")
    names = f'Новый Структура("{meter}", ЭтотОбъект)'
    return "\n".join((
        "Перем Счет__ Экспорт;", WRITER, _METER,
        f"Процедура Нагрузка__(Код__)\n{body}\n;\nКонецПроцедуры",
        "Счет__ = 0;", _loading(candidate, own_path, channel, names),
        f"Попытка\n    Нагрузка__(Код__);\nИсключение\n    {channel.say('error', _ERROR)}\n    ЗавершитьРаботу(4);\nКонецПопытки;",
        channel.say("charged", '"{""charged"":" + XMLСтрока(Счет__) + "}"'), "",
    ))  # fmt: skip
