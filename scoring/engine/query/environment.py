"""What planning a query needs to know of its surroundings: tables, types, parameters, temporary tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scoring.engine.metadata.types import PRIMITIVES
from scoring.engine.query import tree
from scoring.engine.query.codegen import Code, Unit
from scoring.engine.query.conditions import row_keys
from scoring.engine.query.failures import QueryError
from scoring.engine.query.parameters import ParameterShape
from scoring.engine.query.scope import index_fields
from scoring.engine.query.shapes import mixed_key
from scoring.engine.storage.relations import FieldInfo
from scoring.engine.values.model import NULL

if TYPE_CHECKING:
    from scoring.engine.query.plans import QueryPlan
    from scoring.engine.query.translate import Translator

FieldTable = tuple[Sequence[FieldInfo], dict[str, int]]


@dataclass
class Environment:
    """Static surroundings of one batch. ``temporary``: columns of temporary tables by lower-case name, as they stand when
    the statement at hand runs. ``plan`` plans nested queries: ``(query, environment, capture) → QueryPlan``. Plans made
    here may outlive ``database``: they keep paths, never rows or references."""

    database: Any
    signature: Mapping[str, ParameterShape]
    plan: Callable[..., QueryPlan]
    temporary: dict[str, list[FieldInfo]] = field(default_factory=dict)
    used_parameters: set[str] = field(default_factory=set)
    _fields: dict[tuple[str, str], FieldTable | None] = field(default_factory=dict)

    # -- tables and types --------------------------------------------------------------------------------------------------

    def relation(self, path: str) -> Any:
        """The stored or virtual table, or None."""
        return self.database.relation(path)

    def fields_of_type(self, names: tuple[str, str]) -> FieldTable | None:
        """Fields of the table that references of this type point into; None for other types."""
        if names not in self._fields:
            meta = self.database.configuration.of_reference_type(names)
            fields = self.relation(meta.path).fields if meta is not None else None
            self._fields[names] = None if fields is None else (fields, index_fields(fields))
        return self._fields[names]

    def type_of_table(self, path: tree.Path) -> tuple[str, str] | None:
        """The type named by ``Справочник.X`` or ``Строка``; None if there is none."""
        if len(path.parts) == 1:
            return PRIMITIVES.get(path.parts[0].lower())
        meta = self.database.configuration.find_path(path.text)
        if meta is None or not meta.kind.has_references:
            return None
        return meta.ref_names  # type: ignore[no-any-return]

    def predefined(self, text: str) -> Any:
        """The value of ЗНАЧЕНИЕ(text), or None."""
        try:
            return self.database.predefined_value(text)
        except KeyError:
            return None

    # -- parameters ----------------------------------------------------------------------------------------------------------

    def parameter(self, node: tree.Parameter) -> ParameterShape:
        """The shape of a parameter's value; raises where none is set."""
        key = node.name.lower()
        shape = self.signature.get(key)
        if shape is None:
            raise QueryError(f'Не задано значение параметра "{node.name}"', node.at)
        self.used_parameters.add(key)
        return shape

    # -- subqueries ----------------------------------------------------------------------------------------------------------

    @staticmethod
    def lone_unit() -> Unit:
        return Unit()

    def plan_subquery(self, node: tree.In, outer: Translator, width: int) -> Subquery:
        """Plan ``В (ВЫБРАТЬ …)``; paths that the inner query does not know are captured from the row outside."""
        assert node.query is not None
        captures: list[Code] = []
        places: dict[str, int] = {}
        cell = object()

        def capture(path: tree.Path, unit: Unit) -> Code | None:
            try:
                code = outer.value(path)
            except QueryError:  # the message for what resolves nowhere is the inner query's
                return None
            place = places.get(code.text)
            if place is None:
                place = places[code.text] = len(captures)
                captures.append(code)
            name = unit.variable(("cell", cell), lambda execution: execution.cell(cell))
            return Code(f"{name}[{place}]", code.types, code.nullable, simple=True, origin="field")

        plan = self.plan(node.query, self, capture)
        if len(plan.columns) != width:
            raise QueryError("Неверное количество полей во вложенном запросе", node.at)
        return Subquery(plan, captures, cell)


@dataclass(slots=True)
class Subquery:
    """A planned query in a condition."""

    plan: QueryPlan
    captures: list[Code]
    cell: object

    def rows(self, execution: Any) -> list[tuple[Any, ...]]:
        return self.plan.rows(execution)

    def tester(self, execution: Any) -> Callable[..., bool | None]:
        """A function of the operands and captured values: whether the operands are among the rows. Results are kept per
        combination of captured values."""
        width = len(self.plan.columns)
        known: dict[tuple[Any, ...], Any] = {}

        def test(*arguments: Any) -> bool | None:
            operands, captured = arguments[:width], arguments[width:]
            found = known.get(captured)
            if found is None:
                execution.cell(self.cell)[:] = captured
                found = known[captured] = row_keys(self.plan.rows(execution))
            keys, nulls = found
            if not keys and not nulls:
                return False
            if any(operand is NULL for operand in operands):
                return None
            if tuple([mixed_key(operand) for operand in operands]) in keys:
                return True
            return None if nulls else False

        return test
