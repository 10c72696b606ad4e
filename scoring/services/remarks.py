"""Words for what a validation found: per code a sentence and a cure, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.validation.report import Remark

Words = str | Promise

SECTIONS: Mapping[str, Words] = {
    "format": _("Формат"),
    "reference": _("Эталон"),
    "controls": _("Контрольные ответы"),
    "strength": _("Сила тестов"),
    "tests": _("Тесты между собой"),
    "condition": _("Условие и тесты"),
    "load": _("Нагрузка"),
    "junk": _("Пустышки"),
}
SEVERITIES: Mapping[str, Words] = {"error": _("ошибка"), "warning": _("предупреждение"), "note": _("заметка")}
BANDS: Mapping[str, Words] = {"strong": _("сильные"), "fair": _("средние"), "weak": _("слабые")}
STAGES: Mapping[str, Words] = {
    "": _("ждёт очереди"),
    "format": _("формат и условие"),
    "answers": _("эталон и контрольные ответы"),
    "junk": _("пустышки"),
    "steadiness": _("повторные прогоны эталона"),
    "mutants": _("мутанты эталона"),
}
OPERATORS: Mapping[str, Words] = {
    "comparison": _("сравнение"),
    "boundary": _("граница"),
    "arithmetic": _("арифметика"),
    "logic": _("И вместо ИЛИ"),
    "constant": _("константа"),
    "dropped_statement": _("пропущенный оператор"),
    "swapped_branch": _("перепутанные ветви"),
    "negated_condition": _("обратное условие"),
    "off_by_one": _("сдвиг на единицу"),
    "removed_guard": _("снятая проверка"),
    "ordering": _("порядок"),
    "aggregate": _("агрегат"),
    "dropped_condition": _("пропущенное условие запроса"),
    "join": _("вид соединения"),
    "table_parameter": _("параметр виртуальной таблицы"),
    "lost_isnull": _("пропавшее ЕСТЬNULL"),
}
JUNK: Mapping[str, Words] = {
    "empty": _("пустая функция"),
    "constant": _("константа"),
    "echo": _("возврат аргумента"),
    "exception": _("исключение"),
}
KINDS: Mapping[str, Words] = {"column": _("колонку"), "field": _("поле"), "message": _("текст исключения")}
DECLARED: Mapping[str, Words] = {
    "reference": _("эталон"),
    "baseline": _("медленный ответ"),
    "accepted": _("верный ответ"),
    "too_slow": _("медленный ответ"),
    "wrong_answer": _("неверный ответ"),
    "run_time_error": _("ошибка исполнения"),
    "platform_error": _("ошибка платформы"),
    "does_not_compile": _("не компилируется"),
}

# code → (what was found, what to do about it)
WORDS: Mapping[str, tuple[Words, Words]] = {
    "format": ("%(message)s", "%(cure)s"),
    "missing_file": (_("файла нет, а для публикации он нужен"), _("добавьте файл в задачу")),
    "not_measured": (_("не измерено: движок не справился"), _("уберите то, чего движок не поддерживает")),
    "reference_fails": (_("эталон не показывает того, что должен"), _("исправьте эталон или тест, с которым он спорит")),
    "reference_unsteady": (
        _("%(times)s прогонов эталона дали %(kinds)s разных результата"),
        _("уберите из эталона случайность и зависимость от прежних вызовов"),
    ),
    "baseline_fails": (_("медленный ответ не показывает того, что должен"), _("он решает задачу верно, но явно медленнее эталона")),
    "control_differs": (
        _("контрольный ответ не показывает объявленного («%(declared)s»)"),
        _("добавьте тест, который его ловит, или положите ответ в другую папку submissions/"),
    ),
    "few_wrong_controls": (
        _("неверных контрольных ответов %(have)s, нужно хотя бы %(want)s: задача слабая"),
        _("добавьте в submissions/ правдоподобные неверные ответы"),
    ),
    "load_over_budget": (_("эталон не укладывается в бюджет операций"), _("уменьшите размеры в perf.yaml")),
    "load_not_counted": (_("работа эталона на наименьшем размере не сосчитана"), _("начните с большего размера")),
    "load_separates_little": (
        _("показатели роста близки: эталон %(reference)s, %(file)s %(slow)s; нужно отличие не меньше %(want)s"),
        _("увеличьте размеры в perf.yaml или возьмите действительно медленный ответ"),
    ),
    "clock_matters": (_("результат зависит от текущей даты: тесты %(tests)s"), _("передавайте дату аргументом или стройте ожидание от неё же")),
    "order_matters": (_("результат зависит от порядка тестов: %(tests)s"), _("пусть каждый тест готовит свои данные сам")),
    "no_mutants": (_("мутантов из эталона сделать не удалось"), _("эталон должен разбираться")),
    "strength_unknown": (_("силу тестов определить не на чем"), _("в эталоне нечего менять")),
    "strength_strong": (_("тесты сильные: пойманы %(percent)s %% мутантов (%(killed)s, уцелело %(survived)s)"), ""),
    "strength_fair": (
        _("тесты средние: пойманы %(percent)s %% мутантов (%(killed)s, уцелело %(survived)s)"),
        _("добавьте тесты по уцелевшим мутантам ниже"),
    ),
    "strength_weak": (
        _("тесты слабые: пойманы %(percent)s %% мутантов (%(killed)s, уцелело %(survived)s)"),
        _("добавьте тесты по уцелевшим мутантам ниже"),
    ),
    "survivor": (
        _("ни один тест не заметил изменения («%(operator)s»)"),
        _("добавьте тест, который различит эти строки, или убедитесь, что разницы нет"),
    ),
    "survivor_with_input": (_("ни один тест не заметил изменения («%(operator)s»)"), _("различит вход: %(input)s")),
    "test_kills_nothing": (_("тест %(test)s не ловит ни одного мутанта"), _("усильте его или уберите")),
    "tests_that_suffice": (_("чтобы поймать всех пойманных мутантов, достаточно тестов: %(count)s из %(total)s (%(enough)s)"), ""),
    "test_duplicate": (_("тест %(test)s повторяет тест %(other)s"), _("замените один из них")),
    "test_in_condition": (_("тест %(test)s дословно повторяет пример из условия"), _("возьмите другие данные")),
    "few_tests": (
        _("тестов %(have)s: M может быть только %(reach)s; для публикации нужно не меньше %(want)s"),
        _("добавьте тесты"),
    ),
    "not_in_condition": (_("тесты ждут %(kind)s «%(text)s», в условии этого нет"), _("назовите это в условии или не проверяйте")),
    "reference_leaks": (_("строка эталона стоит в условии"), _("перескажите условие без кода решения")),
    "unknown_object": (_("объекта %(name)s нет в метаданных"), _("исправьте expected_objects или config_spec.yaml")),
    "junk_scores": (
        _("пустышка (%(kind)s %(what)s) получает M %(mark)s, должно быть меньше %(below)s"),
        _("добавьте тесты с другими ожиданиями"),
    ),
    "junk_passes_test": (_("тест %(test)s проходит и пустышка: %(kind)s %(what)s"), ""),
    "junk_pass_test": (_("тест %(test)s проходят и пустышки: %(kind)s %(what)s и ещё %(more)s"), ""),
}


@dataclass(frozen=True, slots=True)
class Told:
    """A remark in words. ``place`` is ``file:line``."""

    remark: Remark
    section: str
    severity: str
    message: str
    cure: str

    @property
    def place(self) -> str:
        return f"{self.remark.file}:{self.remark.line}" if self.remark.line else self.remark.file

    def __str__(self) -> str:
        detail = f": {self.remark.detail}" if self.remark.detail else ""
        cure = f" → {self.cure}" if self.cure else ""
        return f"{self.place}: {self.severity}: {self.message}{detail}{cure}"


def tell(remark: Remark) -> Told:
    """The remark in the language that is active. Raises KeyError for a code without words."""
    message, cure = WORDS[remark.code]
    params = _worded(remark)
    section, severity = str(SECTIONS[remark.section]), str(SEVERITIES[remark.severity])
    return Told(remark, section, severity, str(message) % params, str(cure) % params)


def _worded(remark: Remark) -> dict[str, Any]:
    """Parameters with keys of our own replaced by their words."""
    params = dict(remark.params)
    if "operator" in params:
        params["operator"] = str(OPERATORS.get(str(params["operator"]), params["operator"]))
    if "declared" in params:
        params["declared"] = str(DECLARED.get(str(params["declared"]), params["declared"]))
    if "kind" in params:
        kind = str(params["kind"])
        params["kind"] = str(JUNK.get(kind) or KINDS.get(kind, kind))
    if remark.code == "format":
        from scoring.services.format_words import in_words

        params["message"], params["cure"] = in_words(str(params["message"])), in_words(str(params["cure"]))
        if params.get("key"):
            params["message"] = f"[{params['key']}] {params['message']}"
    return params
