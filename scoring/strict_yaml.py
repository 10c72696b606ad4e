"""YAML from strangers, read strictly: no tags, no alias bombs, no duplicate keys, and every value keeps its line.

Numbers with a fraction become :class:`~decimal.Decimal` (exactly as written), dates ``date`` or ``datetime``; the rest is
what YAML 1.1 says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, cast

import yaml

from scoring.findings import FaultyData, Finding, near_miss

# A bundle's file is written by hand: far above any real one, far below what hurts.
MAX_CHARACTERS = 2_000_000
MAX_NODES = 200_000
MAX_DEPTH = 60

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_constructor = yaml.constructor.SafeConstructor()
_PREFIX = "tag:yaml.org,2002:"

Path = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file: plain values in ``root``, the line of every key path in ``lines``."""

    file: str
    root: Any
    lines: Mapping[Path, int] = field(repr=False)

    def line(self, path: Path) -> int:
        """The line of ``path`` or of the nearest parent that has one."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 0)

    def finding(self, path: Path, message: str, cure: str = "") -> Finding:
        return Finding(self.file, message, self.line(path), dotted(path), cure)


def dotted(path: Path) -> str:
    """``tests[2].args`` for ``("tests", 2, "args")``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def parse(text: str, file: str) -> Document:
    """Parse one document. Raises :class:`FaultyData` with every fault found."""
    if len(text) > MAX_CHARACTERS:
        raise FaultyData([Finding(file, f"the file is larger than {MAX_CHARACTERS} characters", cure="split it")])
    try:
        _refuse_dangers(text, file)
        node = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise FaultyData([_syntax_fault(error, file)]) from None
    builder = _Builder(file)
    root = builder.build(node, ()) if node is not None else None
    if builder.findings:
        raise FaultyData(builder.findings)
    return Document(file, root, builder.lines)


def _syntax_fault(error: yaml.YAMLError, file: str) -> Finding:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    return Finding(file, f"this is no valid YAML: {problem}", mark.line + 1 if mark else 0, cure="check indentation and quotes")


def _refuse_dangers(text: str, file: str) -> None:
    """Look at the events before anything is built: depth, explicit tags, number of nodes."""
    depth = nodes = 0
    for event in yaml.parse(text, Loader=_Loader):
        mark = event.start_mark
        line = mark.line + 1 if mark else 0
        if isinstance(event, yaml.events.NodeEvent):
            nodes += 1
        if isinstance(event, (yaml.events.MappingStartEvent, yaml.events.SequenceStartEvent)):
            depth += 1
        elif isinstance(event, (yaml.events.MappingEndEvent, yaml.events.SequenceEndEvent)):
            depth -= 1
        tag = getattr(event, "tag", None)
        if tag is not None:
            raise FaultyData([Finding(file, f"a YAML tag ({tag}) is not allowed", line, cure="write plain values")])
        if isinstance(event, yaml.events.AliasEvent):
            raise FaultyData([Finding(file, f"an alias (*{event.anchor}) is not allowed", line, cure="repeat the value")])
        if depth > MAX_DEPTH or nodes > MAX_NODES:
            raise FaultyData([Finding(file, "the file is nested too deeply or has too many values", line)])


class _Builder:
    """Turns YAML nodes into plain values, gathering lines and faults."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: dict[Path, int] = {}
        self.findings: list[Finding] = []

    def build(self, node: yaml.Node, path: Path) -> Any:
        self.lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(child, (*path, index)) for index, child in enumerate(node.value)]
        return self._scalar(node, path)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node, path)
            if key in result:
                self._fault(key_node, path, f"the key {key!r} stands twice", "keep one of them")
                continue
            self.lines[(*path, key)] = key_node.start_mark.line + 1
            result[key] = self.build(value_node, (*path, key))
        return result

    def _key(self, node: yaml.Node, path: Path) -> Any:
        if not isinstance(node, yaml.ScalarNode):
            self._fault(node, path, "a key must be a plain name", "")
            return ""
        key = self._scalar(node, path)
        return key if isinstance(key, str) else node.value

    def _scalar(self, node: yaml.Node, path: Path) -> Any:
        kind = node.tag.removeprefix(_PREFIX)
        build = _SCALARS.get(kind)
        if build is None:
            self._fault(node, path, f"a value of kind {kind!r} is not allowed", "put it in quotes")
            return None
        try:
            return build(cast(yaml.ScalarNode, node))
        except (ValueError, InvalidOperation, OverflowError):
            self._fault(node, path, f"{node.value!r} is no valid {kind}", "put it in quotes if it is text")
            return None

    def _fault(self, node: yaml.Node, path: Path, message: str, cure: str) -> None:
        self.findings.append(Finding(self.file, message, node.start_mark.line + 1, dotted(path), cure))


def _decimal(node: yaml.ScalarNode) -> Decimal:
    number = Decimal(node.value.replace("_", "").lower())
    if not number.is_finite():
        raise ValueError(node.value)
    return number


def _integer(node: yaml.ScalarNode) -> int:
    if len(node.value) > 200:
        raise ValueError("too long")
    return int(_constructor.construct_yaml_int(node))


def _timestamp(node: yaml.ScalarNode) -> date | datetime:
    moment = _constructor.construct_yaml_timestamp(node)
    return moment.replace(tzinfo=None) if isinstance(moment, datetime) else moment


_SCALARS: dict[str, Callable[[yaml.ScalarNode], Any]] = {
    "null": lambda node: None,
    "bool": _constructor.construct_yaml_bool,
    "int": _integer,
    "float": _decimal,
    "timestamp": _timestamp,
    "str": lambda node: node.value,
}


class Fields:
    """A mapping of a document, read key by key; unknown keys and wrong kinds become findings, never exceptions."""

    def __init__(self, document: Document, findings: list[Finding], path: Path = (), value: Any = ...) -> None:
        self.document = document
        self.findings = findings
        self.path = path
        self.data: dict[str, Any] = {}
        raw = document.root if value is ... else value
        if isinstance(raw, dict):
            self.data = raw
        elif raw is not None:
            self.fault((), "a mapping (key: value) is expected here")

    def fault(self, path: Path, message: str, cure: str = "") -> None:
        self.findings.append(self.document.finding((*self.path, *path), message, cure))

    def only(self, known: Iterable[str], also: str = "") -> None:
        """Every key outside ``known`` is a finding with a near-miss hint."""
        names = frozenset(known)
        for key in self.data:
            if key not in names:
                self.fault((key,), f"unknown key {key!r}{also}", near_miss(str(key), names))

    def take(self, key: str, kinds: type | tuple[type, ...], what: str, *, required: bool = False, default: Any = None) -> Any:
        """The value under ``key`` if it is of ``kinds``, else ``default`` (and a finding where it is wrong or missing)."""
        value = self.data.get(key)
        if value is None:
            if required:
                self.fault((key,) if key in self.data else (), f"{key!r} is missing", f"add {key}: {what}")
            return default
        if isinstance(value, bool) and bool not in (kinds if isinstance(kinds, tuple) else (kinds,)):
            value = ...
        if not isinstance(value, kinds):
            self.fault((key,), f"{key!r} must be {what}")
            return default
        return value

    def text(self, key: str, *, required: bool = False, default: str = "") -> str:
        return str(self.take(key, str, "text", required=required, default=default))

    def whole(self, key: str, *, required: bool = False, default: int = 0) -> int:
        return int(self.take(key, int, "a whole number", required=required, default=default))

    def number(self, key: str, *, required: bool = False, default: Decimal = Decimal(0)) -> Decimal:
        return Decimal(self.take(key, (int, Decimal), "a number", required=required, default=default))

    def flag(self, key: str, *, default: bool = False) -> bool:
        return bool(self.take(key, bool, "true or false", default=default))

    def items(self, key: str, *, required: bool = False) -> list[Any]:
        return list(self.take(key, list, "a list", required=required, default=[]))

    def texts(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        """A list of texts; entries of another kind are findings."""
        found = []
        for index, entry in enumerate(self.items(key, required=required)):
            if isinstance(entry, str) and entry.strip():
                found.append(entry)
            else:
                self.fault((key, index), "text is expected here")
        return tuple(found)

    def sub(self, key: str, *, required: bool = False) -> Fields:
        value = self.take(key, dict, "a mapping", required=required, default=None)
        return Fields(self.document, self.findings, (*self.path, key), value if value is not None else {})

    def subs(self, key: str) -> Iterator[tuple[str, Fields]]:
        """The entries of a mapping of mappings: ``(name, fields)``; an empty entry is an empty mapping."""
        inner = self.sub(key)
        for name, value in inner.data.items():
            yield str(name), Fields(self.document, self.findings, (*inner.path, name), {} if value is None else value)
