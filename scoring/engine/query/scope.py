"""Names of a SELECT: its sources with their fields, and how a dotted path finds its way through them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scoring.engine.metadata.types import TypeDescription
from scoring.engine.query import tree
from scoring.engine.query.codegen import Code, Unit
from scoring.engine.query.failures import ambiguous_field, unknown_field
from scoring.engine.query.shapes import ANY, shape_of
from scoring.engine.storage.relations import FieldInfo
from scoring.engine.values.model import NULL
from scoring.engine.values.types import UNDEFINED

if TYPE_CHECKING:
    from scoring.engine.query.environment import Environment

REF_NAMES = frozenset({"ссылка", "ref"})


def index_fields(fields: Sequence[FieldInfo]) -> dict[str, int]:
    """Both names of every field in lower case → its place; the first of equal names wins."""
    index: dict[str, int] = {}
    for place, info in enumerate(fields):
        index.setdefault(info.name.lower(), place)
        index.setdefault(info.english.lower(), place)
    return index


@dataclass(slots=True)
class Source:
    """A table of FROM. ``names`` are the dotted prefixes (lower case) that address it; ``mentioned`` collects the fields
    that the query names, which decides what a virtual table collapses."""

    names: tuple[tuple[str, ...], ...]
    fields: Sequence[FieldInfo]
    slot: int
    origin: Any
    index: dict[str, int]
    nullable: bool = False
    mentioned: set[str] = field(default_factory=set)

    def addressed_by(self, parts: tuple[str, ...]) -> int:
        """How many leading ``parts`` (lower case) name this source: 0 if they do not."""
        for name in self.names:
            if parts[: len(name)] == name:
                return len(name)
        return 0


@dataclass(slots=True)
class NestedField:
    """A path that ends in a tabular section: ``rows`` gives its rows for the row ``r``."""

    code: Code
    table: str
    rest: tuple[str, ...]
    offsets: tuple[int, ...]


Match = tuple[Source, str, "Code | NestedField"]  # the source, its own field at the path's start, the code


class PathFailed(Exception):
    """A path stops at ``offset``: its first unknown segment."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        super().__init__(offset)


class Scope:
    """Sources in the order of FROM.

    Generated code reads ``r``: with ``leaf`` the row of the one source at hand, else a tuple of rows that begins with the
    source of slot ``base``. ``touched`` collects the slots that code reads.
    """

    def __init__(self, environment: Environment, unit: Unit) -> None:
        self.environment = environment
        self.unit = unit
        self.sources: list[Source] = []
        self.leaf = True
        self.base = 0
        self.row = "r"  # the name of the row in generated code
        self.touched: set[int] = set()
        self.visible: tuple[int, int] | None = None  # slots that a join's condition may name
        self.outer: Callable[[tree.Path, Unit], Code | None] | None = None  # the enclosing query's translation of a path

    # -- finding ---------------------------------------------------------------------------------------------------------

    def resolve(self, path: tree.Path) -> Code | NestedField:
        """The code that reads ``path``; raises the platform's error where nothing or too much answers to it."""
        parts = tuple(part.lower() for part in path.parts)
        found, failed = self._matches(path, parts)
        if len(found) > 1:
            raise ambiguous_field(path.text, path.at)
        if not found and self.outer is not None:
            captured = self.outer(path, self.unit)
            if captured is not None:
                return captured
        if not found:
            raise unknown_field(path.text, failed)
        source, field_name, result = found[0]
        source.mentioned.add(field_name)
        return result

    def _matches(self, path: tree.Path, parts: tuple[str, ...]) -> tuple[list[Match], int]:
        """Every way to read the path, and the offset where the first one that fails stops."""
        found: list[Match] = []
        failed, stopped = path.at, False
        for source in self.sources:
            if self.visible is not None and not self.visible[0] <= source.slot <= self.visible[1]:
                continue
            prefix = source.addressed_by(parts)
            starts = ([prefix] if 0 < prefix < len(parts) else []) + ([0] if parts[0] in source.index else [])
            for start in starts:
                try:
                    found.append((source, *self.walk(source, path, start)))
                except PathFailed as stop:
                    if not stopped:
                        failed, stopped = stop.offset, True
        return found, failed

    def knows(self, path: tree.Path) -> bool:
        """Whether the path resolves here, without raising."""
        return bool(self._matches(path, tuple(part.lower() for part in path.parts))[0])

    # -- walking -----------------------------------------------------------------------------------------------------------

    def walk(self, source: Source, path: tree.Path, start: int) -> tuple[str, Code | NestedField]:
        """Follow the segments from ``start``: the source's own field (lower case) and the code; raises :class:`PathFailed`."""
        place = source.index.get(path.parts[start].lower())
        if place is None:
            raise PathFailed(path.offsets[start])
        info = source.fields[place]
        code: Code | NestedField = self.read(source, place)
        if isinstance(code, Code) and info.nested is not None:
            code = NestedField(code, info.nested, path.parts[start + 1 :], path.offsets[start + 1 :])
        elif isinstance(code, Code):
            code = self.follow(code, path.parts[start + 1 :], path.offsets[start + 1 :])
        return info.name.lower(), code

    def row_text(self, source: Source) -> str:
        self.touched.add(source.slot)
        return self.row if self.leaf else f"{self.row}[{source.slot - self.base}]"

    def read(self, source: Source, place: int) -> Code:
        """The code of a source's own field."""
        info = source.fields[place]
        row = self.row_text(source)
        nullable = source.nullable or getattr(source.origin, "nullable_fields", True)
        types = info.types if info.types is not None else ANY
        if info.compute is None:
            return Code(f"{row}[{place}]", types, nullable, simple=True, origin="field")
        compute = self.unit.constant(info.compute)
        text = f"(NULL if {row}[0] is NULL else {compute}({row}))" if source.nullable else f"{compute}({row})"
        return Code(text, types, nullable, depth=1, origin="field")

    def follow(self, code: Code, parts: tuple[str, ...], offsets: tuple[int, ...]) -> Code | NestedField:
        """Dereference ``code`` by ``parts``."""
        for number, part in enumerate(parts):
            step = self.dereference(code, part.lower())
            if step is None:
                raise PathFailed(offsets[number])
            if isinstance(step, NestedField):
                step.rest, step.offsets = parts[number + 1 :], offsets[number + 1 :]
                return step
            code = step
        return code

    def dereference(self, code: Code, name: str) -> Code | NestedField | None:
        """One step through a reference; None if none of its types has such a field."""
        places: dict[tuple[str, str], tuple[int, FieldInfo]] = {}
        for names in code.types.names:
            fields = self.environment.fields_of_type(names)
            if fields is not None and (place := fields[1].get(name)) is not None:
                places[names] = (place, fields[0][place])
        if not places:
            return None
        if name in REF_NAMES and len(places) == len(code.types.names):
            return code
        infos = [info for _, info in places.values()]
        if infos[0].nested is not None:
            return NestedField(code, infos[0].nested, (), ())
        types = infos[0].types
        for info in infos[1:]:
            types = types.united(info.types)
        if len(places) == 1 and len(code.types.names) == 1 and infos[0].compute is None:
            return self._plain_step(code, *places.popitem(), types)
        reader = self.unit.constant(_reader({key: (place, info.compute) for key, (place, info) in places.items()}))
        return Code(f"{reader}({code.text})", types, True, depth=code.depth + 1, origin="field")

    def _plain_step(self, code: Code, names: tuple[str, str], place: tuple[int, FieldInfo], types: TypeDescription) -> Code:
        fields = self.environment.fields_of_type(names)
        assert fields is not None
        missing = self.unit.variable(("nulls", len(fields[0])), _constantly((NULL,) * len(fields[0])))
        if not code.nullable and shape_of(code.types) == "r" and UNDEFINED not in code.types.names:
            text = f"({code.text}.row or {missing})[{place[0]}]"
        else:
            text = f"row_of({code.text}, {missing})[{place[0]}]"
        return Code(text, types, True, simple=code.simple and code.depth < 2, depth=code.depth + 1, origin="field")


def _constantly(value: Any) -> Callable[[Any], Any]:
    return lambda _: value


def _reader(places: dict[tuple[str, str], tuple[int, Callable[..., Any] | None]]) -> Callable[[Any], Any]:
    """A field of a reference of several types: by the type of the value at hand."""

    def read(value: Any) -> Any:
        row = getattr(value, "row", None)
        entry = places.get(value.type_name) if row else None
        if entry is None or row is None:
            return NULL
        place, compute = entry
        return row[place] if compute is None else compute(row)

    return read
