"""Regular expressions of both dialects: the object of OneScript, the functions of 1C."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import (
    enum_value,
    external,
    integer,
    is_onec,
    optional_boolean,
    optional_integer,
)
from scoring.engine.runtime.builtins.enums import SEARCH_DIRECTION
from scoring.engine.runtime.builtins.regex.machine import Budget, Match, Regex, compile_regex
from scoring.engine.runtime.builtins.regex.syntax import RegexError
from scoring.engine.values.members import ONEC, ONESCRIPT, builtin, constructor, member, prop
from scoring.engine.values.model import MISSING, BslObject

_REPLACEMENT = re.compile(r"\$(?:([$&`'_+])|([0-9]+)|\{([^}]+)\})")


def compiled(rt: Any, pattern: str, ignore_case: bool, multiline: bool) -> Regex:
    """The pattern ready for use; a wrong one is the program's error."""
    try:
        return compile_regex(pattern, ignore_case, multiline, not is_onec(rt))
    except (RegexError, RecursionError) as error:
        if is_onec(rt):
            raise BslRuntimeError("regex", f"Ошибка в регулярном выражении: {error}") from None
        offset = getattr(error, "offset", 0)
        raise external(
            "System.ArgumentException", f"Invalid pattern '{pattern}' at offset {offset}. {error}."
        ) from None


def replace_all(rt: Any, regex: Regex, text: str, replacement: str) -> str:
    """Every match replaced; ``$1``, ``${name}``, ``$&`` and their like stand for parts of it and of the text."""
    out: list[str] = []
    last = 0
    size = 0
    for match in regex.find_all(text, 0, Budget(rt)):
        filled = _filled(regex, match, replacement)
        size += len(filled)
        rt.reserve(2 * size)
        out += (text[last : match.start], filled)
        last = match.end
    out.append(text[last:])
    return "".join(out)


def _filled(regex: Regex, match: Match, replacement: str) -> str:
    def part(found: re.Match[str]) -> str:
        if found[1]:
            return _part(match, found[1])
        number = int(found[2]) if found[2] else regex.names.get(found[3], _as_number(found[3]))
        return match.group(number) if 0 <= number <= regex.groups else found[0]

    return _REPLACEMENT.sub(part, replacement)


def _part(match: Match, mark: str) -> str:
    """What a mark stands for: the match, the text before and after it, all of it, the last group, the sign itself."""
    if mark == "&":
        return match.group(0)
    if mark == "`":
        return match.text[: match.start]
    if mark == "'":
        return match.text[match.end :]
    if mark == "+":
        return match.group(len(match.spans) - 1)
    return match.text if mark == "_" else "$"


def _as_number(name: str) -> int:
    return int(name) if name.isdigit() else -1


def split_all(rt: Any, regex: Regex, text: str, *, with_groups: bool, most: int = 0, start: int = 0) -> list[str]:
    """Text between matches at or after ``start``, at most so many pieces; .NET adds the captured groups."""
    parts: list[str] = []
    last = 0
    for count, match in enumerate(regex.find_all(text, start, Budget(rt)), 1):
        if count == most:
            break
        parts.append(text[last : match.start])
        if with_groups:
            parts += [match.group(n) for n in range(1, regex.groups + 1) if match.spans[n][0] >= 0]
        last = match.end
    parts.append(text[last:])
    return parts


# ── OneScript ──────────────────────────────────────────────────────────────────────────────────────────────────────


class _Spanned(BslObject):
    """A match or a group: value, index from 0, length."""

    __slots__ = ("value", "start")

    def __init__(self, value: str, start: int) -> None:
        self.value = value
        self.start = max(start, 0)

    @prop("Значение", "Value")
    def get_value(self, rt: Any) -> str:
        return self.value

    @prop("Индекс", "Index")
    def get_index_of(self, rt: Any) -> int:
        return self.start

    @prop("Длина", "Length")
    def get_length(self, rt: Any) -> int:
        return len(self.value)


class RegexGroup(_Spanned):
    __slots__ = ("name",)
    type_name = ("ГруппаРегулярногоВыражения", "RegExpGroup")

    def __init__(self, value: str, start: int, name: str) -> None:
        super().__init__(value, start)
        self.name = name

    @prop("Имя", "Name")
    def get_name(self, rt: Any) -> str:
        return self.name


class _Sequence(BslObject):
    """A read-only collection with Количество and an index."""

    __slots__ = ("items",)

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    @member("Количество", "Count")
    def count(self, rt: Any) -> int:
        return len(self.items)

    def get_index(self, rt: Any, index: Any) -> Any:
        position = integer(rt, index)
        if not 0 <= position < len(self.items):
            raise external(
                "System.ArgumentOutOfRangeException",
                "Specified argument was out of the range of valid values. (Parameter 'i')",
            )
        return self.items[position]

    def iterate(self, rt: Any) -> Iterator[Any]:
        return iter(self.items)


class RegexGroups(_Sequence):
    __slots__ = ()
    type_name = ("КоллекцияГруппРегулярногоВыражения", "RegExpGroupCollection")

    def get_index(self, rt: Any, index: Any) -> Any:
        if type(index) is str:
            for group in self.items:
                if group.name == index:
                    return group
            return RegexGroup("", 0, index)
        return super().get_index(rt, index)


class RegexMatches(_Sequence):
    __slots__ = ()
    type_name = ("КоллекцияСовпаденийРегулярногоВыражения", "RegExpMatchCollection")


class RegexMatch(_Spanned):
    __slots__ = ("match", "regex")
    type_name = ("СовпадениеРегулярногоВыражения", "RegExpMatch")

    def __init__(self, match: Match, regex: Regex) -> None:
        super().__init__(match.group(0), match.start)
        self.match = match
        self.regex = regex

    @prop("Группы", "Groups")
    def get_groups(self, rt: Any) -> RegexGroups:
        names = {number: name for name, number in self.regex.names.items()}
        spans = self.match.spans
        return RegexGroups(
            [RegexGroup(self.match.group(n), spans[n][0], names.get(n, str(n))) for n in range(len(spans))]
        )


def _start(rt: Any, text: str, start: Any) -> int:
    """Where a search begins, counted from 0."""
    position = optional_integer(rt, start, 0)
    if not 0 <= position <= len(text):
        raise external(
            "System.ArgumentOutOfRangeException",
            "Start index cannot be less than 0 or greater than input length. (Parameter 'startat')",
        )
    return position


class RegularExpression(BslObject):
    """``РегулярноеВыражение``: case is ignored and lines count unless told otherwise."""

    __slots__ = ("pattern", "ignore_case", "multiline")
    type_name = ("РегулярноеВыражение", "RegExp")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.ignore_case = True
        self.multiline = True

    def compiled(self, rt: Any) -> Regex:
        return compiled(rt, self.pattern, self.ignore_case, self.multiline)

    def _set_ignore_case(self, rt: Any, value: Any) -> None:
        self.ignore_case = rt.boolean(value)

    @prop("ИгнорироватьРегистр", "IgnoreCase", writable=_set_ignore_case)
    def get_ignore_case(self, rt: Any) -> bool:
        return self.ignore_case

    def _set_multiline(self, rt: Any, value: Any) -> None:
        self.multiline = rt.boolean(value)

    @prop("Многострочный", "Multiline", writable=_set_multiline)
    def get_multiline(self, rt: Any) -> bool:
        return self.multiline

    @member("Совпадает", "IsMatch")
    def is_match(self, rt: Any, text: Any, start: Any = MISSING) -> bool:
        source = rt.text(text)
        return self.compiled(rt).search(source, _start(rt, source, start), Budget(rt)) is not None

    @member("НайтиСовпадения", "Matches")
    def matches(self, rt: Any, text: Any, start: Any = MISSING) -> RegexMatches:
        regex, source = self.compiled(rt), rt.text(text)
        found = regex.find_all(source, _start(rt, source, start), Budget(rt))
        return RegexMatches([RegexMatch(match, regex) for match in found])

    @member("Разделить", "Split")
    def split(self, rt: Any, text: Any, most: Any = MISSING, start: Any = MISSING) -> Any:
        from scoring.engine.collections import new_array

        source = rt.text(text)
        pieces, first = optional_integer(rt, most, 0), _start(rt, source, start)
        if pieces < 0:
            raise external(
                "System.ArgumentOutOfRangeException", "Count cannot be less than -1. (Parameter 'count')"
            )
        return new_array(split_all(rt, self.compiled(rt), source, with_groups=True, most=pieces, start=first))

    @member("Заменить", "Replace")
    def replace(self, rt: Any, text: Any, replacement: Any) -> str:
        return replace_all(rt, self.compiled(rt), rt.text(text), rt.text(replacement))


@constructor("РегулярноеВыражение", "RegExp", dialects=(ONESCRIPT,))
def new_regex(rt: Any, pattern: Any) -> RegularExpression:
    expression = RegularExpression(rt.text(pattern))
    expression.compiled(rt)
    return expression


# ── 1C ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


class SearchResult(BslObject):
    """``РезультатПоискаПоРегулярномуВыражению``; position 0 where nothing was found."""

    __slots__ = ("value", "position", "groups")
    type_name = ("РезультатПоискаПоРегулярномуВыражению", "RegularExpressionSearchResult")

    def __init__(self, value: str, position: int, groups: list[SearchResult]) -> None:
        self.value = value
        self.position = position
        self.groups = groups

    @prop("Значение", "Value")
    def get_value(self, rt: Any) -> str:
        return self.value

    @prop("НачальнаяПозиция", "StartPosition")
    def get_position(self, rt: Any) -> int:
        return self.position

    @prop("Длина", "Length")
    def get_length(self, rt: Any) -> int:
        return len(self.value)

    @member("ПолучитьГруппы", "GetGroups")
    def get_groups(self, rt: Any) -> Any:
        from scoring.engine.collections import new_array

        return new_array(list(self.groups))


def _result(match: Match | None) -> SearchResult:
    if match is None:
        return SearchResult("", 0, [])
    groups = [SearchResult(match.group(n), match.spans[n][0] + 1, []) for n in range(1, len(match.spans))]
    return SearchResult(match.group(0), match.start + 1, groups)


def _onec_regex(rt: Any, pattern: Any, ignore_case: Any, multiline: Any) -> Regex:
    return compiled(
        rt, rt.text(pattern), optional_boolean(rt, ignore_case, False), optional_boolean(rt, multiline, False)
    )


@builtin("СтрНайтиПоРегулярномуВыражению", "StrFindByRegularExpression", dialects=(ONEC,))
def find_by_regex(
    rt: Any,
    text: Any,
    pattern: Any,
    direction: Any = MISSING,
    start: Any = MISSING,
    occurrence: Any = MISSING,
    ignore_case: Any = MISSING,
    multiline: Any = MISSING,
) -> SearchResult:
    regex, source = _onec_regex(rt, pattern, ignore_case, multiline), rt.text(text)
    backwards = enum_value(direction, SEARCH_DIRECTION, 3) is SEARCH_DIRECTION["FromEnd"]
    position = optional_integer(rt, start, 0)
    number = max(1, optional_integer(rt, occurrence, 1))
    found = list(regex.find_all(source, 0 if backwards else max(0, position - 1), Budget(rt)))
    if backwards:
        found = [m for m in reversed(found) if not position or m.end <= position]
    return _result(found[number - 1] if len(found) >= number else None)


@builtin("СтрНайтиВсеПоРегулярномуВыражению", "StrFindAllByRegularExpression", dialects=(ONEC,))
def find_all_by_regex(
    rt: Any, text: Any, pattern: Any, ignore_case: Any = MISSING, multiline: Any = MISSING
) -> Any:
    from scoring.engine.collections import new_array

    regex = _onec_regex(rt, pattern, ignore_case, multiline)
    return new_array([_result(match) for match in regex.find_all(rt.text(text), 0, Budget(rt))])


@builtin("СтрЗаменитьПоРегулярномуВыражению", "StrReplaceByRegularExpression", dialects=(ONEC,))
def replace_by_regex(
    rt: Any, text: Any, pattern: Any, replacement: Any, ignore_case: Any = MISSING, multiline: Any = MISSING
) -> str:
    return replace_all(rt, _onec_regex(rt, pattern, ignore_case, multiline), rt.text(text), rt.text(replacement))


@builtin("СтрРазделитьПоРегулярномуВыражению", "StrSplitByRegularExpression", dialects=(ONEC,))
def split_by_regex(
    rt: Any, text: Any, pattern: Any, ignore_case: Any = MISSING, multiline: Any = MISSING
) -> Any:
    from scoring.engine.collections import new_array

    return new_array(split_all(rt, _onec_regex(rt, pattern, ignore_case, multiline), rt.text(text), with_groups=False))


@builtin("СтрПодобнаПоРегулярномуВыражению", "StrMatchByRegularExpression", dialects=(ONEC,))
def matches_regex(
    rt: Any, text: Any, pattern: Any, ignore_case: Any = MISSING, multiline: Any = MISSING
) -> bool:
    return _onec_regex(rt, pattern, ignore_case, multiline).full_match(rt.text(text), Budget(rt))
