"""Errors of queries, worded and placed as the genuine platform does."""

from __future__ import annotations

from scoring.engine.errors import BslRuntimeError

MARKER = "<<?>>"


class QueryError(Exception):
    """A query that can't be parsed, resolved or run.

    ``message`` is the platform's wording without position; ``at`` is the offset of the offending place in the query's
    text, or None for messages that carry no position. ``execution`` marks errors of the run (no position block).
    """

    def __init__(self, message: str, at: int | None = None) -> None:
        self.message = message
        self.at = at
        super().__init__(message)


def describe(error: QueryError, text: str) -> str:
    """``{(line, column)}: message`` + a new line + the query's line with :data:`MARKER` before the offending place."""
    if error.at is None:
        return error.message
    at = min(error.at, len(text))
    line = text.count("\n", 0, at) + 1
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    if end < 0:
        end = len(text)
    marked = (text[start:at] + MARKER + text[at:end]).strip()
    return f"{{({line}, {at - start + 1})}}: {error.message}\n{marked}"


def as_runtime_error(error: QueryError, text: str) -> BslRuntimeError:
    """The error that the program sees, before the method that raised it wraps it."""
    return BslRuntimeError("query", describe(error, text))


# -- the platform's wordings ------------------------------------------------------------------------------------------


def syntax_error(token: str, at: int) -> QueryError:
    return QueryError(f'Синтаксическая ошибка "{token}"' if token else "Синтаксическая ошибка", at)


def unknown_field(path: str, at: int) -> QueryError:
    return QueryError(f'Поле не найдено "{path}"', at)


def ambiguous_field(path: str, at: int) -> QueryError:
    return QueryError(f'Неоднозначное поле "{path}"', at)


def unknown_table(path: str, at: int) -> QueryError:
    return QueryError(f'Таблица не найдена "{path}"', at)


def wrong_parameters(what: str, at: int) -> QueryError:
    return QueryError(f'Неверные параметры "{what}"', at)


def not_grouped(path: str, at: int) -> QueryError:
    return QueryError(f'Поле не входит в группу "{path}"', at)


def incompatible(at: int) -> QueryError:
    return QueryError("Нельзя сравнивать поля неограниченной длины и поля несовместимых типов.", at)


def execution_error(message: str) -> QueryError:
    return QueryError(f"Ошибка выполнения запроса: {message}")
