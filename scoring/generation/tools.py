"""The schema tools as a network sees them, and the desk that answers its calls within limits.

Every refusal tells what to do next: a network that misspells an argument gets a useful error, not silence.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.generation.catalogue import ToolLimits
from scoring.generation.schema import KIND_NAMES, SchemaBook, SchemaObject

_TEXT = {"type": "string"}


def _tool(name: str, description: str, properties: Mapping[str, Any], required: tuple[str, ...] = ()) -> dict[str, Any]:
    schema = {"type": "object", "properties": dict(properties), "required": list(required), "additionalProperties": False}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


DEFINITIONS: tuple[dict[str, Any], ...] = (
    _tool(
        "list_objects",
        "Список объектов метаданных базы; kind ограничивает видом: " + ", ".join(sorted(set(KIND_NAMES.values()))),
        {"kind": {**_TEXT, "description": "вид объектов, например РегистрНакопления; без него — все"}},
    ),
    _tool(
        "search_objects",
        "Найти объекты, в имени или полях которых есть слово запроса",
        {"query": {**_TEXT, "description": "слово или несколько слов"}},
        ("query",),
    ),
    _tool(
        "get_object_structure",
        "Поля объекта и их типы",
        {"name": {**_TEXT, "description": "полное имя, например Справочник.Контрагенты"}},
        ("name",),
    ),
    _tool(
        "finish_research",
        "Закончить изучение схемы и перейти к коду",
        {"summary": {**_TEXT, "description": "что понадобится для решения"}},
        ("summary",),
    ),
)
NOW_CODE = "Изучение схемы закончено. Теперь верни код."
_PARAMETERS = {
    tool["function"]["name"]: tool["function"]["parameters"] for tool in DEFINITIONS
}  # name → JSON schema of its arguments


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a network asked: ``arguments`` is the text it sent, not yet read."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Served:
    """One call with its answer, as the trace keeps it. ``ok`` is False for refused calls."""

    round: int
    name: str
    arguments: str
    result: str
    ok: bool
    object: str = ""


@dataclass(slots=True)
class ToolDesk:
    """Answers calls over one task's schema. ``finished``: on the last word, or when the rounds are used up; ``loop``: the same
    call came too often, or calls go on after the end."""

    book: SchemaBook
    limits: ToolLimits
    trace: list[Served] = field(default_factory=list)
    finished: bool = False
    loop: bool = False
    rounds: int = 0
    _late: int = 0
    _given: int = 0
    _objects: set[str] = field(default_factory=set)
    _seen: Counter[tuple[str, str]] = field(default_factory=Counter)

    def begin_round(self) -> None:
        """Count a round of calls."""
        self.rounds += 1
        if self.finished:
            self._late += 1
        self.finished = self.finished or self.rounds > self.limits.rounds
        self.loop = self.loop or self._late >= self.limits.same_call

    def serve(self, call: ToolCall) -> str:
        """The answer to one call, as JSON text."""
        if self.finished:
            return self._record(call, _refusal(NOW_CODE), ok=False)
        arguments, fault = _read_arguments(call)
        key = (call.name, json.dumps(arguments, ensure_ascii=False, sort_keys=True) if arguments is not None else call.arguments)
        self._seen[key] += 1
        if self._seen[key] >= self.limits.same_call:
            self.loop = True
            return self._record(call, _refusal("этот же вызов уже был: ответ не изменится"), ok=False)
        if arguments is None:
            return self._record(call, _refusal(fault), ok=False)
        return _HANDLERS[call.name](self, call, arguments)

    # -- the tools ------------------------------------------------------------------------------------------------

    def _on_list_objects(self, call: ToolCall, arguments: Mapping[str, str]) -> str:
        kind = arguments.get("kind", "").strip()
        found = self.book.of_kind(kind)
        if kind and not found:
            kinds = ", ".join(sorted({item.kind for item in self.book.objects}))
            return self._record(call, _refusal(f"объектов вида {kind!r} нет; виды в базе: {kinds}"), ok=False)
        return self._give(call, {"objects": [item.path for item in found]})

    def _on_search_objects(self, call: ToolCall, arguments: Mapping[str, str]) -> str:
        if not arguments["query"].strip():
            return self._record(call, _refusal("query пуст: укажите слово"), ok=False)
        return self._give(call, {"objects": [item.path for item in self.book.search(arguments["query"])]})

    def _on_get_object_structure(self, call: ToolCall, arguments: Mapping[str, str]) -> str:
        found = self.book.find(arguments["name"])
        if found is None:
            return self._record(call, _refusal(f"объекта {arguments['name']!r} нет: см. list_objects"), ok=False)
        if found.path not in self._objects and len(self._objects) >= self.limits.objects:
            return self._record(call, _refusal("прочитано слишком много объектов: закончите изучение"), ok=False)
        self._objects.add(found.path)
        return self._give(call, {"object": found.path, **found.structure}, found)

    def _on_finish_research(self, call: ToolCall, arguments: Mapping[str, str]) -> str:
        self.finished = True
        return self._give(call, {"status": "ok", "next": NOW_CODE})

    # -- bookkeeping ----------------------------------------------------------------------------------------------

    def _give(self, call: ToolCall, data: Mapping[str, Any], item: SchemaObject | None = None) -> str:
        text = json.dumps(data, ensure_ascii=False)
        if self._given + len(text) > self.limits.characters:
            return self._record(call, _refusal("выдано слишком много текста: закончите изучение"), ok=False)
        self._given += len(text)
        return self._record(call, text, ok=True, item=item.path if item else "")

    def _record(self, call: ToolCall, result: str, *, ok: bool, item: str = "") -> str:
        self.trace.append(Served(self.rounds, call.name, call.arguments, result, ok, item))
        return result


_HANDLERS: Mapping[str, Callable[[ToolDesk, ToolCall, Mapping[str, str]], str]] = {
    "list_objects": ToolDesk._on_list_objects,
    "search_objects": ToolDesk._on_search_objects,
    "get_object_structure": ToolDesk._on_get_object_structure,
    "finish_research": ToolDesk._on_finish_research,
}


def _refusal(message: str) -> str:
    return json.dumps({"error": message}, ensure_ascii=False)


def _read_arguments(call: ToolCall) -> tuple[dict[str, str] | None, str]:
    """(arguments, "") or (None, what is wrong with them and how to write them)."""
    schema = _PARAMETERS.get(call.name)
    if schema is None:
        return None, f"инструмента {call.name!r} нет; есть: {', '.join(_PARAMETERS)}"
    try:
        data = json.loads(call.arguments or "{}")
    except ValueError as error:
        return None, f"аргументы — не JSON ({error}); ожидается объект с ключами: {', '.join(schema['properties'])}"
    if not isinstance(data, dict):
        return None, f"аргументы должны быть объектом JSON с ключами: {', '.join(schema['properties'])}"
    for name in schema["required"]:
        if name not in data:
            return None, f"нет обязательного аргумента {name!r}"
    for name, value in data.items():
        if name not in schema["properties"]:
            return None, f"лишний аргумент {name!r}; известны: {', '.join(schema['properties'])}"
        if value is not None and not isinstance(value, str):
            return None, f"аргумент {name!r} должен быть строкой"
    return {name: value or "" for name, value in data.items()}, ""
