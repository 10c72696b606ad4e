"""One bench for all: its engines start once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from scoring.bundles import load_files
from scoring.bundles.standards import load_standards
from scoring.protocol import load_protocol
from scoring.validation.bench import Bench
from scoring.validation.report import Report
from scoring.validation.whole import validate

TASK = """\
id: MAX3
name: Наибольшее из трёх
category: A
difficulty: easy
entry_point: НаибольшееИзТрёх
signature: "Функция НаибольшееИзТрёх(А, Б, В) Экспорт"
prompt: |
  Вернуть наибольшее из трёх чисел.
"""
TESTS = """\
tests:
  - {args: [1, 2, 3], expected: 3}
  - {args: [7, 2, 3], expected: 7}
  - {args: [1, 9, 3], expected: 9}
  - {args: [-4, -1, -3], expected: -1}
  - {args: [5, 6, 8], expected: 8}
"""
REFERENCE = """\
Функция НаибольшееИзТрёх(А, Б, В) Экспорт
	Лучшее = А;
	Если Б > Лучшее Тогда
		Лучшее = Б;
	КонецЕсли;
	Если В > Лучшее Тогда
		Лучшее = В;
	КонецЕсли;
	Возврат Лучшее;
КонецФункции
"""
PERF = "p_opt: 0.0\nsizes: [10, 20, 40]\ngen: 'Х = {n};'\ncall: '{entry}(1, Х, 2);'\n"
SLOW = """\
Функция НаибольшееИзТрёх(А, Б, В) Экспорт
	Лучшее = Макс(А, Макс(Б, В));
	Для Сч = 1 По Б Цикл
		Лучшее = Лучшее + 0;
	КонецЦикла;
	Возврат Лучшее;
КонецФункции
"""
FIRST = "Функция НаибольшееИзТрёх(А, Б, В) Экспорт\n\tВозврат А;\nКонецФункции\n"
LEAST = "Функция НаибольшееИзТрёх(А, Б, В) Экспорт\n\tВозврат Мин(А, Б, В);\nКонецФункции\n"
FILES = {
    "task.yaml": TASK,
    "tests.yaml": TESTS,
    "canonical.bsl": REFERENCE,
    "perf.yaml": PERF,
    "perf_baseline.bsl": SLOW,
    "submissions/wrong_answer/first.bsl": FIRST,
    "submissions/wrong_answer/least.bsl": LEAST,
}


@pytest.fixture(scope="session")
def bench() -> Iterator[Bench]:
    with Bench(load_protocol(), 2) as made:
        yield made


@pytest.fixture
def report_on(bench: Bench) -> Callable[..., Report]:
    """Validates the sound bundle with some files replaced (None leaves one out)."""

    def report(changes: dict[str, str | None] | None = None) -> Report:
        files = {**FILES, **(changes or {})}
        loaded = load_files({name: text.encode() for name, text in files.items() if text is not None})
        return validate(loaded, bench, load_standards())

    return report
