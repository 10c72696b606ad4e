"""FROM: tables of the tree → sources with their fields, and the shape of the joins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scoring.engine.errors import NotSupported
from scoring.engine.query import tree
from scoring.engine.query.codegen import Unit
from scoring.engine.query.conditions import NotBoolean
from scoring.engine.query.environment import Environment
from scoring.engine.query.failures import QueryError, unknown_table, wrong_parameters
from scoring.engine.query.origins import (
    ParameterOrigin,
    QueryOrigin,
    StoredOrigin,
    TemporaryOrigin,
    VirtualOrigin,
)
from scoring.engine.query.scope import Scope, Source, index_fields
from scoring.engine.query.shapes import shape_of
from scoring.engine.query.translate import Translator
from scoring.engine.storage.relations import ArgumentError, FieldInfo

if TYPE_CHECKING:
    from scoring.engine.query.execution import Execution

EXTERNAL_ONLY_INTO = "Содержимое объекта данных может быть выбрано только во временную таблицу"
EXTERNAL_UNGROUPED = (
    "Предложения СГРУППИРОВАТЬ, ИМЕЮЩИЕ и ДЛЯ ИЗМЕНЕНИЯ не могут быть использованы в запросе, "
    "формирующем временную таблицу на основе внешнего источника"
)
# Registers whose stored fields and totals are never NULL: comparisons over them need no guard.
SOLID_TABLES = ("РегистрНакопления.", "РегистрСведений.")
_POINTS = frozenset({"МоментВремени", "Граница", "Неопределено"})


@dataclass(slots=True)
class JoinShape:
    """A node of FROM: a leaf (``source``) or a join. ``first``–``last`` are the slots below it."""

    first: int
    last: int
    source: Source | None = None
    kind: str = "inner"
    left: JoinShape | None = None
    right: JoinShape | None = None
    condition: tree.Node | None = None


@dataclass(slots=True)
class SourceBuilder:
    """Builds the sources of one SELECT. ``deferred`` collects what is wrong with parameters of virtual tables, unknown names
    in their conditions included: the genuine engine looks at them only after WHERE and the select list."""

    environment: Environment
    scope: Scope
    select: tree.Select
    into: bool
    deferred: list[QueryError] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    external: bool = False

    def build(self) -> list[JoinShape]:
        """One shape per comma-separated part of FROM."""
        shapes = [self._shape(node) for node in self.select.sources]
        for shape in shapes:
            self._mark_nullable(shape, False)
        return shapes

    def _shape(self, node: tree.Node) -> JoinShape:
        if isinstance(node, tree.Join):
            left, right = self._shape(node.left), self._shape(node.right)
            return JoinShape(left.first, right.last, None, node.kind, left, right, node.condition)
        source = self._source(node)
        self.scope.sources.append(source)
        return JoinShape(source.slot, source.slot, source)

    def _mark_nullable(self, shape: JoinShape, nullable: bool) -> None:
        if shape.source is not None:
            shape.source.nullable = nullable
            return
        assert shape.left is not None and shape.right is not None
        self._mark_nullable(shape.left, nullable or shape.kind in ("right", "full"))
        self._mark_nullable(shape.right, nullable or shape.kind in ("left", "full"))

    # -- leaves ----------------------------------------------------------------------------------------------------------

    def _source(self, node: tree.Node) -> Source:
        if isinstance(node, tree.QuerySource):
            return self._subquery(node)
        if isinstance(node, tree.ParameterSource):
            return self._external(node)
        assert isinstance(node, tree.TableSource)
        return self._table(node)

    def _make(self, names: Sequence[tuple[str, ...]], fields: Sequence[FieldInfo], origin: Any) -> Source:
        return Source(tuple(names), fields, len(self.scope.sources), origin, index_fields(fields))

    def _subquery(self, node: tree.QuerySource) -> Source:
        plan = self.environment.plan(node.query, self.environment)
        self.paths += plan.paths
        names = [(node.alias.lower(),)] if node.alias else []
        return self._make(names, plan.columns, QueryOrigin(plan))

    def _external(self, node: tree.ParameterSource) -> Source:
        if not self.into:
            raise QueryError(EXTERNAL_ONLY_INTO)
        if self.select.group_at:
            raise QueryError(EXTERNAL_UNGROUPED, self.select.group_at)
        shape = self.environment.parameter(tree.Parameter(node.at, node.name))
        if shape.kind != "table":
            raise QueryError(f'Неверный тип параметра "{node.name}"', node.at)
        self.external = True
        fields = [FieldInfo(name, name, types) for name, types in shape.columns]
        names = [(node.alias.lower(),)] if node.alias else [(node.name.lower(),)]
        return self._make(names, fields, ParameterOrigin(node.name.lower()))

    def _table(self, node: tree.TableSource) -> Source:
        if len(node.path.parts) == 1 and node.parameters is None:
            name = node.path.parts[0].lower()
            fields = self.environment.temporary.get(name)
            if fields is not None:
                return self._make([((node.alias or name).lower(),)], fields, TemporaryOrigin(name))
        relation = self.environment.relation(node.path.text)
        if relation is None or (node.parameters is not None and not hasattr(relation, "compute")):
            raise unknown_table(node.path.text, node.at)
        if hasattr(relation, "compute"):
            return self._virtual(node, relation)
        self.paths.append(relation.path)
        origin = StoredOrigin(relation.path, not relation.path.startswith(SOLID_TABLES))
        return self._make(_table_names(node), relation.fields, origin)

    # -- virtual tables ----------------------------------------------------------------------------------------------------

    def _virtual(self, node: tree.TableSource, relation: Any) -> Source:
        """Whatever is wrong with the parameters is reported late, their number first."""
        arguments = list(node.parameters or [])
        title = relation.path
        if len(arguments) > len(relation.parameters):
            self.deferred.append(wrong_parameters(title, node.at))
            arguments = []
        reader = ParameterReader(self.environment, relation, title, self.scope)
        arguments += [None] * (len(relation.parameters) - len(arguments))
        for index, argument in enumerate(arguments):
            reader.read(index, argument)
        bound = self._bound(relation, reader, title)
        self.deferred += sorted(reader.wrong, key=lambda wrong: wrong.at or 0)
        self.paths.append("")
        origin = VirtualOrigin(
            relation.path, title, reader.keywords, reader.arguments, reader.positions, set(),
            not relation.path.startswith(SOLID_TABLES),
        )  # fmt: skip
        source = self._make(_table_names(node), bound.fields, origin)
        origin.mentioned = source.mentioned
        return source

    def _bound(self, relation: Any, reader: ParameterReader, title: str) -> Any:
        try:
            return relation.bind(reader.keywords)
        except ArgumentError as wrong:
            reader.wrong.append(wrong_parameters(f"{title}, {wrong.parameter}", reader.positions[wrong.parameter]))
            return relation


class ParameterReader:
    """Compiles the parameters of one virtual table."""

    def __init__(self, environment: Environment, relation: Any, title: str, scope: Scope) -> None:
        self.environment = environment
        self.relation = relation
        self.title = title
        self.scope = scope
        self.keywords: list[str | None] = []
        self.arguments: list[Callable[[Execution], Any] | None] = []
        self.positions: list[int] = []
        self.wrong: list[QueryError] = []

    def read(self, index: int, node: tree.Node | None) -> None:
        keyword, argument = None, None
        if node is not None:
            try:
                if self.relation.parameters[index].kind in ("periodicity", "supplement"):
                    keyword = self._keyword(index, node)
                else:
                    argument = self._argument(index, node)
            except QueryError as wrong:
                self.wrong.append(wrong)
        self.keywords.append(keyword)
        self.arguments.append(argument)
        self.positions.append(node.at if node is not None else 0)

    def _argument(self, index: int, node: tree.Node) -> Callable[[Execution], Any] | None:
        kind = self.relation.parameters[index].kind
        if kind.endswith("condition"):
            return self._condition(index, node)
        if kind == "period":
            return self._period(index, node)
        if kind.endswith("ext_dimensions"):
            return self._values(index, node)
        return self._other(index, node)

    def _refuse(self, index: int, node: tree.Node) -> None:
        self.wrong.append(wrong_parameters(f"{self.title}, {index}", node.at))

    def _translator(self, fields: Sequence[FieldInfo]) -> Translator:
        scope = Scope(self.environment, Unit())
        if fields:
            scope.sources.append(Source((), fields, 0, _Plain(), index_fields(fields)))
        return Translator(self.environment, scope)

    def _condition(self, index: int, node: tree.Node) -> Callable[[Execution], Any] | None:
        translator = self._translator(self.relation.condition_fields(index))
        try:
            truth = translator.truth(node)
        except NotBoolean as refused:
            self.wrong.append(wrong_parameters(f"{self.title}, {index}", refused.at or 0))
            return None
        unit = translator.unit
        place = unit.function("r", f"return {truth.true}")
        unit.finish()
        return lambda execution: execution.functions(unit)[place]

    def _keyword(self, index: int, node: tree.Node) -> str | None:
        if isinstance(node, tree.Path) and len(node.parts) == 1:
            return node.parts[0]
        self._refuse(index, node)
        return None

    def _period(self, index: int, node: tree.Node) -> Callable[[Execution], Any] | None:
        if isinstance(node, (tree.Compare, tree.Logic, tree.In, tree.Path, tree.Not, tree.Between)):
            self._refuse(index, node)
            return None
        code = self._fixed(node)
        if code is None:
            self._refuse(index, node)
            return None
        types, getter = code
        if not types.names or (shape_of(types) != "d" and not {names[0] for names in types.names} <= _POINTS):
            self._refuse(index, node)
            return None
        return getter

    def _fixed(self, node: tree.Node) -> tuple[Any, Callable[[Execution], Any]] | None:
        """Type and value of an expression without fields; None where it names any."""
        translator = self._translator(())
        try:
            code = translator.value(node)
        except QueryError as failed:
            if failed.message.startswith("Поле не найдено"):
                return None
            raise
        unit = translator.unit
        place = unit.function("r", f"return {code.text}")
        unit.finish()
        return code.types, lambda execution: execution.functions(unit)[place](None)

    def _values(self, index: int, node: tree.Node) -> Callable[[Execution], Any] | None:
        nodes = node.items if isinstance(node, tree.Tuple) else [node]
        getters = []
        for item in nodes:
            found = None if isinstance(item, tree.Path) else self._fixed(item)
            if found is None:
                self._refuse(index, node)
                return None
            getters.append(found[1])
        if len(getters) == 1:
            return getters[0]
        return lambda execution: [getter(execution) for getter in getters]

    def _other(self, index: int, node: tree.Node) -> Callable[[Execution], Any] | None:
        kind = self.relation.parameters[index].kind
        if kind == "top":
            if isinstance(node, tree.Literal) and type(node.value) is int:
                value = node.value
                return lambda execution: value
            self._refuse(index, node)
            return None
        if not isinstance(node, (tree.Path, tree.Tuple)):
            self._refuse(index, node)
            return None
        raise NotSupported(f"parameter «{self.relation.parameters[index].name}» of {self.title}")


class _Plain:
    """The origin of rows that conditions of virtual tables see."""

    nullable_fields = True


def _table_names(node: tree.TableSource) -> list[tuple[str, ...]]:
    """Prefixes that address a table: its alias, or without one its full path and the path's last name."""
    if node.alias:
        return [(node.alias.lower(),)]
    parts = tuple(part.lower() for part in node.path.parts)
    return [parts, (parts[-1],), ("".join(parts[1:]),)]
