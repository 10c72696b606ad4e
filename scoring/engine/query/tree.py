"""The syntax tree of queries. ``at`` is always an offset in the query's text: the place that error messages mark."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Node:
    at: int


# -- expressions -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Literal(Node):
    value: Any  # str, int, Decimal, bool, NULL or None (НЕОПРЕДЕЛЕНО)


@dataclass(slots=True)
class Parameter(Node):
    name: str


@dataclass(slots=True)
class Path(Node):
    """``a.b.c``; ``offsets`` are those of the segments."""

    parts: tuple[str, ...]
    offsets: tuple[int, ...]

    @property
    def text(self) -> str:
        return ".".join(self.parts)


@dataclass(slots=True)
class Star(Node):
    """``*`` or ``alias.*``."""

    prefix: tuple[str, ...] = ()


@dataclass(slots=True)
class NestedTable(Node):
    """``alias.Section.(field, …)`` in a select list."""

    path: Path
    fields: list[SelectField]


@dataclass(slots=True)
class Call(Node):
    """A function or an aggregate. ``name`` is canonical where known, else as written (an unknown function is found late)."""

    name: str
    arguments: list[Node]
    known: bool = True
    distinct: bool = False
    star: bool = False


@dataclass(slots=True)
class Unary(Node):
    operator: str
    operand: Node


@dataclass(slots=True)
class Arithmetic(Node):
    operator: str
    left: Node
    right: Node


@dataclass(slots=True)
class Compare(Node):
    operator: str
    left: Node
    right: Node


@dataclass(slots=True)
class Logic(Node):
    """``operator`` is И or ИЛИ; chains are flat. ``at`` is the offset of the last operator."""

    operator: str
    items: list[Node]
    operators_at: tuple[int, ...] = ()


@dataclass(slots=True)
class Not(Node):
    operand: Node


@dataclass(slots=True)
class Tuple(Node):
    """``(a, b)`` to the left of В."""

    items: list[Node]


@dataclass(slots=True)
class In(Node):
    """``expression [НЕ] В [ИЕРАРХИИ] (…)``; either ``items`` or ``query`` is set."""

    operand: Node
    items: list[Node]
    query: Query | None
    hierarchy: bool
    negated: bool


@dataclass(slots=True)
class Between(Node):
    operand: Node
    low: Node
    high: Node
    negated: bool


@dataclass(slots=True)
class Like(Node):
    operand: Node
    pattern: Node
    escape: Node | None
    negated: bool


@dataclass(slots=True)
class IsNull(Node):
    operand: Node
    negated: bool


@dataclass(slots=True)
class RefTest(Node):
    """``expression ССЫЛКА Справочник.X``."""

    operand: Node
    table: Path


@dataclass(slots=True)
class Case(Node):
    operand: Node | None
    branches: list[tuple[Node, Node]]
    otherwise: Node | None


@dataclass(slots=True)
class TypeName(Node):
    """The type of ВЫРАЗИТЬ: a primitive with qualifiers, or a table's path."""

    name: str
    path: Path | None
    numbers: tuple[int, ...] = ()


@dataclass(slots=True)
class Cast(Node):
    operand: Node
    target: TypeName


@dataclass(slots=True)
class Dereference(Node):
    """``ВЫРАЗИТЬ(…).Field.Field``."""

    operand: Node
    parts: tuple[str, ...]
    offsets: tuple[int, ...]


@dataclass(slots=True)
class ValueOf(Node):
    """``ЗНАЧЕНИЕ(Справочник.X.Y)``."""

    path: Path


@dataclass(slots=True)
class TypeOf(Node):
    """``ТИП(Справочник.X)``."""

    path: Path


# -- statements --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class SelectField(Node):
    expression: Node
    alias: str = ""
    alias_at: int = 0


@dataclass(slots=True)
class TableSource(Node):
    """A stored, virtual or temporary table. ``parameters`` is None without parentheses; an absent one is None."""

    path: Path
    alias: str
    parameters: list[Node | None] | None = None


@dataclass(slots=True)
class QuerySource(Node):
    query: Query
    alias: str


@dataclass(slots=True)
class ParameterSource(Node):
    """``&Table КАК alias``."""

    name: str
    alias: str


@dataclass(slots=True)
class Join(Node):
    kind: str  # inner, left, right, full
    left: Node
    right: Node
    condition: Node


@dataclass(slots=True)
class Select(Node):
    """One branch of a union."""

    fields: list[SelectField] = field(default_factory=list)
    distinct: bool = False
    top: int | None = None
    top_at: int = 0
    sources: list[Node] = field(default_factory=list)  # comma-separated
    where: Node | None = None
    group: list[Node] | None = None
    grouping_sets: list[list[Node]] | None = None
    having: Node | None = None
    group_at: int = 0
    for_update: bool = False
    text_end: int = 0


@dataclass(slots=True)
class OrderItem(Node):
    expression: Node
    descending: bool = False
    hierarchy: bool = False


@dataclass(slots=True)
class TotalsPoint(Node):
    """A checkpoint of ИТОГИ ПО. ``mode``: elements, hierarchy, only_hierarchy. ``period`` = (part, begin, end)."""

    expression: Node | None  # None = ОБЩИЕ
    mode: str = "elements"
    period: tuple[str, Node | None, Node | None] | None = None
    alias: str = ""


@dataclass(slots=True)
class Totals(Node):
    fields: list[SelectField]
    points: list[TotalsPoint]


@dataclass(slots=True)
class Query(Node):
    """A query of a batch or a nested one: a union of branches with what applies to the whole."""

    branches: list[Select]
    union_all: list[bool]  # for branches 1…
    order: list[OrderItem] = field(default_factory=list)
    auto_order: bool = False
    totals: Totals | None = None
    into: str = ""
    into_at: int = 0
    append: bool = False
    index: list[Node] = field(default_factory=list)
    allowed: bool = False


@dataclass(slots=True)
class Drop(Node):
    name: str


@dataclass(slots=True)
class Batch:
    text: str
    statements: list[Query | Drop]
    parameters: tuple[str, ...]  # names in order of appearance, as first written


def fingerprint(node: Any) -> Any:
    """What a node says, wherever it stands: equal for two writings of one expression."""
    if isinstance(node, Node):
        parts = [
            fingerprint(getattr(node, name))
            for name in node.__dataclass_fields__
            if name not in ("at", "offsets", "operators_at", "top_at", "alias_at", "group_at", "into_at", "text_end")
        ]
        return (type(node).__name__, *parts)
    if isinstance(node, (list, tuple)):
        return tuple(fingerprint(item) for item in node)
    if isinstance(node, str):
        return node.lower()
    return (type(node).__name__, node)
