"""Functions over strings."""

from __future__ import annotations

from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import (
    FREE_TEXT,
    INT_MAX,
    SHORT_TEXT,
    TEXT_PER_OPERATION,
    enum_value,
    external,
    integer,
    is_onec,
    optional_boolean,
    optional_integer,
    optional_text,
    worked,
)
from scoring.engine.runtime.builtins.enums import SEARCH_DIRECTION
from scoring.engine.values import collation
from scoring.engine.values import text as texts
from scoring.engine.values.members import builtin
from scoring.engine.values.model import MISSING, BslObject

# Texts up to this length are converted through a cache: programs go through the same letters and words again and again.
SHORT = 24
# Bytes that one part of a split text takes.
_PART_SIZE = 64


# Steps of work a character (see Runtime.work).
_TRIM_STEPS = 8
_CASE_STEPS = 8
_SPLIT_STEPS = 16
_TITLE_STEPS = 32
_COMPARE_STEPS = 32


def _copied(rt: Any, part: str) -> str:
    if len(part) > FREE_TEXT:
        rt.work(len(part) >> 3)
    return part


@builtin("СтрДлина", "StrLen")
def str_len(rt: Any, text: Any) -> int:
    return len(text if type(text) is str else rt.text(text))


def _to_trim(rt: Any, text: Any) -> str:
    source = text if type(text) is str else rt.text(text)
    if len(source) > SHORT_TEXT:
        rt.work(len(source) * _TRIM_STEPS)
    return source


@builtin("СокрЛ", "TrimL")
def trim_left(rt: Any, text: Any) -> str:
    return _to_trim(rt, text).lstrip(texts.WHITE)


@builtin("СокрП", "TrimR")
def trim_right(rt: Any, text: Any) -> str:
    return _to_trim(rt, text).rstrip(texts.WHITE)


@builtin("СокрЛП", "TrimAll")
def trim_all(rt: Any, text: Any) -> str:
    return _to_trim(rt, text).strip(texts.WHITE)


@builtin("Лев", "Left")
def left(rt: Any, text: Any, count: Any) -> str:
    length = count if type(count) is int and count < INT_MAX else integer(rt, count)
    return _copied(rt, (text if type(text) is str else rt.text(text))[:length]) if length > 0 else ""


@builtin("Прав", "Right")
def right(rt: Any, text: Any, count: Any) -> str:
    length = count if type(count) is int and count < INT_MAX else integer(rt, count)
    return _copied(rt, (text if type(text) is str else rt.text(text))[-length:]) if length > 0 else ""


@builtin("Сред", "Mid")
def mid(rt: Any, text: Any, start: Any, count: Any = -1) -> str:
    if type(text) is str and type(start) is int and type(count) is int and start < INT_MAX > count:
        first = start - 1 if start > 1 else 0
        return _copied(rt, text[first:] if count < 0 else text[first : first + count])
    length = -1 if count is MISSING and is_onec(rt) else integer(rt, count)
    first = max(integer(rt, start), 1) - 1
    source = rt.text(text)
    return _copied(rt, source[first:] if length < 0 else source[first : first + length])


@builtin("Найти", "Find")
def find(rt: Any, text: Any, wanted: Any) -> int:
    needle, source = rt.text(wanted), rt.text(text)
    worked(rt, len(source))
    return source.find(needle) + 1


@builtin("СтрНайти", "StrFind")
def str_find(
    rt: Any, text: Any, wanted: Any, direction: Any = MISSING, start: Any = MISSING, occurrence: Any = MISSING
) -> int:
    haystack, needle = rt.text(text), rt.text(wanted)
    worked(rt, len(haystack))
    backwards = enum_value(direction, SEARCH_DIRECTION, 3) is SEARCH_DIRECTION["FromEnd"]
    position = optional_integer(rt, start, 0)
    number = optional_integer(rt, occurrence, 1) or 1
    if not haystack or not needle:
        return 0
    if position == 0:
        position = len(haystack) if backwards else 1
    if not 1 <= position <= len(haystack):
        raise BslRuntimeError("argument_invalid", number=4, method="СтрНайти")
    if backwards:
        return _find_backwards(haystack, needle, position - 1, number)
    return _find_forwards(haystack, needle, position - 1, number)


def _find_forwards(haystack: str, needle: str, start: int, number: int) -> int:
    index, found = -1, 0
    while found < number and start < len(haystack):
        index = haystack.find(needle, start)
        if index < 0:
            break
        found, start = found + 1, index + 1
    return index + 1 if found == number else 0


def _find_backwards(haystack: str, needle: str, start: int, number: int) -> int:
    index, found = -1, 0
    if len(needle) > SHORT_TEXT:
        return _find_long_backwards(haystack, needle, start, number)
    while found < number and start >= 0:
        index = haystack.rfind(needle, 0, start + 1)
        if index < 0:
            break
        found, start = found + 1, index - 1
    return index + 1 if found == number else 0


def _find_long_backwards(haystack: str, needle: str, start: int, number: int) -> int:
    """The same by a search forwards through the text turned round: ``rfind`` takes quadratic time over long needles."""
    turned = haystack[start::-1]
    wanted, place, found = needle[::-1], 0, 0
    while found < number:
        place = turned.find(wanted, place)
        if place < 0:
            return 0
        found, place = found + 1, place + len(needle)
    return start + 2 - place


@builtin("СтрЗаменить", "StrReplace")
def str_replace(rt: Any, text: Any, old: Any, new: Any) -> str:
    source, sought, replacement = rt.text(text), rt.text(old), rt.text(new)
    worked(rt, len(source), _CASE_STEPS)
    if not sought:
        if is_onec(rt):
            return source
        raise external("System.ArgumentException", "String cannot be of zero length. (Parameter 'oldValue')")
    if len(replacement) > len(sought):
        rt.reserve(2 * (len(source) + source.count(sought) * (len(replacement) - len(sought))))
    return source.replace(sought, replacement)


@builtin("ВРег", "Upper")
def upper(rt: Any, text: Any) -> str:
    source = text if type(text) is str else rt.text(text)
    if len(source) <= SHORT:
        return texts.upper_short(source)
    worked(rt, len(source), _CASE_STEPS)
    return texts.upper(source)


@builtin("НРег", "Lower")
def lower(rt: Any, text: Any) -> str:
    source = text if type(text) is str else rt.text(text)
    if len(source) <= SHORT:
        return texts.lower_short(source)
    worked(rt, len(source), _CASE_STEPS)
    return texts.lower(source)


@builtin("ТРег", "Title")
def title(rt: Any, text: Any) -> str:
    source = rt.text(text)
    worked(rt, len(source), _TITLE_STEPS)
    return texts.title(source)


@builtin("ПустаяСтрока", "IsBlankString")
def is_blank(rt: Any, text: Any) -> bool:
    return texts.is_blank(rt.text(text))


@builtin("Символ", "Char")
def char(rt: Any, code: Any) -> str:
    number = integer(rt, code)
    return chr(number) if 0 <= number <= 0xFFFF else ""


@builtin("КодСимвола", "CharCode")
def char_code(rt: Any, text: Any, position: Any = 1) -> int:
    index = 1 if position is MISSING and is_onec(rt) else integer(rt, position)
    source = rt.text(text)
    return ord(source[index - 1]) if 1 <= index <= len(source) else -1


@builtin("СтрЧислоСтрок", "StrLineCount")
def line_count(rt: Any, text: Any) -> int:
    source = rt.text(text)
    worked(rt, len(source))
    return source.count("\n") + 1


@builtin("СтрПолучитьСтроку", "StrGetLine")
def get_line(rt: Any, text: Any, number: Any) -> str:
    wanted = integer(rt, number)
    source = rt.text(text)
    worked(rt, len(source), _SPLIT_STEPS)
    lines = source.split("\n")
    if wanted < 1:
        return ""
    if wanted <= len(lines):
        return lines[wanted - 1]
    if is_onec(rt):
        return ""
    raise external("System.IndexOutOfRangeException", "Index was outside the bounds of the array.")


@builtin("СтрЧислоВхождений", "StrOccurrenceCount")
def occurrence_count(rt: Any, text: Any, wanted: Any) -> int:
    needle, source = rt.text(wanted), rt.text(text)
    worked(rt, len(source))
    return source.count(needle) if needle else 0


@builtin("СтрСравнить", "StrCompare")
def str_compare(rt: Any, first: Any, second: Any) -> int:
    left, right = rt.text(first), rt.text(second)
    if len(left) > SHORT_TEXT < len(right):
        rt.work(min(len(left), len(right)) * _COMPARE_STEPS)
    return collation.compare_ignoring_case(left, right)


def _context_check(method: str, needle: str) -> None:
    if not needle:
        raise BslRuntimeError("context_value", method=method, number=2)


@builtin("СтрНачинаетсяС", "StrStartsWith")
def starts_with(rt: Any, text: Any, wanted: Any) -> bool:
    source, needle = rt.text(text), rt.text(wanted)
    if not source and not is_onec(rt):
        return False
    _context_check("СтрНачинаетсяС", needle)
    return source.startswith(needle)


@builtin("СтрЗаканчиваетсяНа", "StrEndsWith")
def ends_with(rt: Any, text: Any, wanted: Any) -> bool:
    source, needle = rt.text(text), rt.text(wanted)
    if not source and not is_onec(rt):
        return False
    _context_check("СтрЗаканчиваетсяНа", needle)
    return source.endswith(needle)


@builtin("СтрРазделить", "StrSplit")
def str_split(rt: Any, text: Any, separators: Any, keep_empty: Any = MISSING) -> Any:
    """Parts between any of the separator characters; without separators OneScript splits at blanks."""
    from scoring.engine.collections import new_array

    source, marks = rt.text(text), rt.text(separators)
    if len(source) > SHORT_TEXT:
        rt.work(len(source) * _SPLIT_STEPS)
    if len(source) > FREE_TEXT:
        rt.charge(len(source) // TEXT_PER_OPERATION)
        rt.reserve(_PART_SIZE * sum(map(source.count, set(marks or texts.WHITE))))
    keep = optional_boolean(rt, keep_empty, True)
    if not marks:
        marks = "" if is_onec(rt) else texts.WHITE
    if len(marks) == 1:
        parts = source.split(marks)
    else:
        parts = source.translate({ord(mark): "\0" for mark in marks}).split("\0") if marks else [source]
        if marks and "\0" in source and "\0" not in marks:
            parts = _split_plainly(source, set(marks))
    return new_array(parts if keep else [part for part in parts if part])


def _split_plainly(source: str, marks: set[str]) -> list[str]:
    parts = [""]
    for letter in source:
        if letter in marks:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


@builtin("СтрСоединить", "StrConcat")
def str_concat(rt: Any, parts: Any, separator: Any = MISSING) -> str:
    glue = optional_text(rt, separator)
    to_text = rt.dialect.to_text
    pieces = [item if type(item) is str else to_text(rt, item) for item in _array_items(rt, parts)]
    size = sum(map(len, pieces)) + len(glue) * len(pieces)
    rt.work(size + len(pieces) * _SPLIT_STEPS)
    worked(rt, size)
    rt.reserve(2 * size)
    return glue.join(pieces)


def _array_items(rt: Any, parts: Any) -> Any:
    if isinstance(parts, BslObject):
        if parts.type_name[0] in ("Массив", "ФиксированныйМассив"):
            return parts.items  # type: ignore[attr-defined]
        if is_onec(rt):
            raise BslRuntimeError("argument_type", number=1, method="СтрСоединить")
        raise _bad_cast(parts)
    if is_onec(rt):
        raise BslRuntimeError("argument_type", number=1, method="СтрСоединить")
    if parts is None:
        raise external("System.ArgumentNullException", "Value cannot be null. (Parameter 'source')")
    raise BslRuntimeError("not_object")


def _bad_cast(value: Any) -> BslRuntimeError:
    from scoring.engine.dialects.onescript.clr import class_name

    return external(
        "System.InvalidCastException",
        f"Unable to cast object of type '{class_name(value)}' to type "
        "'OneScript.StandardLibrary.Collections.ArrayImpl'.",
    )
