"""How the compilers word what the scope pass finds, per dialect."""

from __future__ import annotations

from typing import Any

from scoring.engine.errors import Diagnostic
from scoring.engine.syntax import nodes

_ONESCRIPT = {
    "symbol_not_found": "Symbol not found {name}",
    "routine_not_found": "Symbol not found {name}",
    "too_many_arguments": "Too many actual parameters",
    "too_few_arguments": "Too many actual parameters",
    "procedure_as_function": "Procedure called as function",
    "duplicate_variable": "Variable {name} already defined",
    "duplicate_routine": "Method {name} already defined",
    "identifier_expected": "Identifier expecting",
    "mandatory_argument": "Missed mandatory parameter",
    "function_as_procedure": "Using build-in function as procedure",
    "raise_outside_handler": "Raise operator may be used without arguments only when handling exception",
    "goto_unsupported": "Specified method is not supported.",
    "async_unsupported": (
        "Index was out of range. Must be non-negative and less than the size of the collection. (Parameter 'index')"
    ),
}

_ONEC = {
    "symbol_not_found": "Переменная не определена ({name})",
    "routine_not_found": "Процедура или функция с указанным именем не определена ({name})",
    "too_many_arguments": "Слишком много фактических параметров",
    "too_few_arguments": "Недостаточно фактических параметров",
    "procedure_as_function": "Обращение к процедуре как к функции",
    "duplicate_variable": "Переменная уже определена ({name})",
    "duplicate_routine": "Процедура или функция с указанным именем уже определена ({name})",
    "raise_outside_handler": (
        "Оператор ВызватьИсключение (Raise) без аргументов может употребляться только при обработке исключения"
    ),
    "type_not_defined": "Тип не определен ({name})",
}

_CATALOGUES = {"onescript": _ONESCRIPT, "onec": _ONEC}
# The OneScript compiler breaks off without a place in these cases: it names no line.
_PLACELESS = frozenset({"duplicate_variable", "goto_unsupported", "async_unsupported"})


def diagnostic(dialect: str, kind: str, node: nodes.Node | None, shift: int = 0, **params: Any) -> Diagnostic:
    """A finding at ``node``, ``shift`` columns to the right of where it begins."""
    message = _CATALOGUES[dialect][kind].format(**params)
    if node is None or (dialect == "onescript" and kind in _PLACELESS):
        return Diagnostic(kind, message, 0, 0, str(params.get("name", "")))
    return Diagnostic(kind, message, node.line, node.column + shift, str(params.get("name", "")))
