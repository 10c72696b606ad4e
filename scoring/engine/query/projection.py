"""The select list, grouping and ordering of one SELECT → generated functions."""

from __future__ import annotations

from scoring.engine.metadata.types import TypeDescription
from scoring.engine.query import tree
from scoring.engine.query.codegen import Code, canonical
from scoring.engine.query.conditions import NotBoolean
from scoring.engine.query.failures import QueryError, unknown_field, wrong_parameters
from scoring.engine.query.names import ColumnNames
from scoring.engine.query.nested import NestedPlanner
from scoring.engine.query.scope import NestedField
from scoring.engine.query.shapes import ANY, shape_of
from scoring.engine.query.sorting import SortKey
from scoring.engine.query.translate import Grouping, Translator
from scoring.engine.storage.relations import FieldInfo
from scoring.engine.values.types import UNDEFINED

TYPE_NOT_SELECTABLE = "Тип не может быть выбран в запросе"


class ProjectionPlanner:
    """Plans what a SELECT gives. Results: ``columns``, ``groups`` or ``project``, ``hidden``, ``order``."""

    def __init__(
        self, query: tree.Query, select: tree.Select, translator: Translator, alone: bool, external: bool
    ) -> None:
        self.query = query
        self.select = select
        self.translator = translator
        self.scope = translator.scope
        self.unit = translator.unit
        self.alone = alone
        self.external = external
        self.columns: list[FieldInfo] = []
        self.groups: list[tuple[int, int, int]] = []
        self.project = -1
        self.hidden = 0
        self.order: list[SortKey] = []
        self.fields: list[tree.SelectField] = []
        self.names = ColumnNames(self.scope)

    def plan(self) -> None:
        self.fields = [item for item in self.select.fields for item in self._expanded(item)]
        self.translator.aggregates_allowed = True
        self.translator.found_aggregate = False
        codes = [self._select(item) for item in self.fields]
        self._name_columns(codes)
        order = self.query.order if self.alone else []
        if self.select.group is not None or self.translator.found_aggregate or self.select.having is not None:
            self._grouped(order)
        else:
            self._plain(codes, order)
        self.translator.aggregates_allowed = False

    # -- the list ----------------------------------------------------------------------------------------------------------

    def _expanded(self, item: tree.SelectField) -> list[tree.SelectField]:
        """``*`` → all fields of all tables or of one; tabular sections stay out."""
        star = item.expression
        if not isinstance(star, tree.Star):
            return [item]
        prefix = tuple(part.lower() for part in star.prefix)
        sources = [source for source in self.scope.sources if not prefix or source.addressed_by(prefix) == len(prefix)]
        if not sources and prefix:
            raise unknown_field(".".join(star.prefix) + ".*", item.at)
        result = []
        for source in sources:
            for info in source.fields:
                if info.compute is not None or info.nested is not None:
                    continue
                spelled = tuple(star.prefix) or (source.names[0] if source.names else ())
                parts = (*spelled, info.name)
                path = tree.Path(item.at, parts, (item.at,) * len(parts))
                result.append(tree.SelectField(item.at, path))
        return result

    def _select(self, item: tree.SelectField) -> Code:
        node = item.expression
        if isinstance(node, (tree.NestedTable, tree.Path)):
            nested = self._nested(node)
            if nested is not None:
                return nested
        code = self._value(node)
        if self.external and not code.types.names:
            raise QueryError(TYPE_NOT_SELECTABLE, item.at)
        return code

    def _value(self, node: tree.Node) -> Code:
        try:
            return self.translator.value(node)
        except NotBoolean as refused:
            raise wrong_parameters("", refused.at or node.at) from None

    def _nested(self, node: tree.NestedTable | tree.Path) -> Code | None:
        """A tabular section in the list: a column that holds a result of its own."""
        path = node.path if isinstance(node, tree.NestedTable) else node
        if self.translator.grouping is not None:
            return None
        found = self.scope.resolve(path)
        if not isinstance(found, NestedField):
            if isinstance(node, tree.NestedTable):
                raise unknown_field(path.text, path.at)
            return None
        fields = node.fields if isinstance(node, tree.NestedTable) else []
        return NestedPlanner(self.translator).plan(found, fields, path)

    def _name_columns(self, codes: list[Code]) -> None:
        for item, code in zip(self.fields, codes, strict=True):
            name = self.names.name(item)
            nested = "nested" if code.origin == "nested" else None
            self.columns.append(FieldInfo(name, name, _column_type(code), nested))

    # -- plain rows --------------------------------------------------------------------------------------------------------

    def _plain(self, codes: list[Code], order: list[tree.OrderItem]) -> None:
        texts = [_outgoing(code) for code in codes]
        self.translator.aggregates_allowed = False
        texts += self._order_texts(order, codes)
        self.project = self.unit.function("rows", f"return [({', '.join(texts)},) for r in rows]")

    def _order_texts(self, order: list[tree.OrderItem], codes: list[Code]) -> list[str]:
        """Texts of the hidden columns that ordering needs; sets ``order``."""
        texts: list[str] = []
        for item in order:
            index = self._column_of(item.expression)
            if index is None:
                code = self._order_code(item.expression)
                found = [place for place, known in enumerate(codes) if canonical(known.text) == canonical(code.text)]
                if found:
                    index = found[0]
                else:
                    index = len(self.fields) + len(texts)
                    texts.append(code.text)
            else:
                code = codes[index]
            self.order.append(sort_key(index, code, item, self.query.auto_order))
        if self.query.auto_order and not order and self.alone:
            self.order = [
                SortKey(index, natural=True) for index, code in enumerate(codes) if shape_of(code.types) in "rm"
            ]
        self.hidden = len(texts)
        return texts

    def _column_of(self, node: tree.Node) -> int | None:
        """The column that an ordering expression names by its alias."""
        if not isinstance(node, tree.Path) or len(node.parts) != 1:
            return None
        wanted = node.parts[0].lower()
        for index, column in enumerate(self.columns):
            if column.name.lower() == wanted:
                return index
        return None

    def _order_code(self, node: tree.Node) -> Code:
        """An expression over the sources, or through a column: ``Алиас.Поле``."""
        if isinstance(node, tree.Path) and len(node.parts) > 1 and not self.scope.knows(node):
            index = self._column_of(tree.Path(node.at, node.parts[:1], node.offsets[:1]))
            if index is not None:
                inner = self.fields[index].expression
                return self.translator.value(tree.Dereference(node.at, inner, node.parts[1:], node.offsets[1:]))
        return self._value(node)

    # -- groups ------------------------------------------------------------------------------------------------------------

    def _grouped(self, order: list[tree.OrderItem]) -> None:
        select = self.select
        sets = select.grouping_sets if select.grouping_sets is not None else [select.group or []]
        every = [self._group_code(node) for nodes in sets for node in nodes]
        texts = {canonical(code.text) for code in every}
        expressions = any(not isinstance(node, tree.Path) for nodes in sets for node in nodes)
        whole = select.group is None
        for number, nodes in enumerate(sets):
            codes = [self._group_code(node) for node in nodes]
            own = {canonical(code.text) for code in codes}
            group = -1 if whole or not nodes else self._group_function(codes)
            self.translator.grouping = Grouping(texts, texts - own, expressions)
            self.order = self.order if number == 0 else []
            self.groups.append((group, self._having(), self._group_projection(order)))
            self.translator.grouping = None

    def _group_code(self, node: tree.Node) -> Code:
        allowed, self.translator.aggregates_allowed = self.translator.aggregates_allowed, False
        self.unit.hoisting = False
        try:
            code = self._value(node)
        finally:
            self.translator.aggregates_allowed = allowed
            self.unit.hoisting = True
        if code.types.unlimited_string and code.origin == "field":
            raise QueryError("Нельзя группировать по полям неограниченной длины.", node.at)
        return code

    def _group_function(self, codes: list[Code]) -> int:
        keys = []
        for code in codes:
            shape = shape_of(code.types)
            keys.append(self.translator.key_text(code, shape if shape in "sndbrt" else "m"))
        key = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
        lines = [
            "groups = {}",
            "for r in rows:",
            f"    key = {key}",
            "    group = groups.get(key)",
            "    if group is None:",
            "        groups[key] = [r]",
            "    else:",
            "        group.append(r)",
            "return list(groups.values())",
        ]
        return self.unit.function("rows", "\n".join(lines))

    def _having(self) -> int:
        node = self.select.having
        if node is None:
            return -1
        try:
            truth = self.translator.truth(node)
        except NotBoolean as refused:
            raise wrong_parameters("ИМЕЮЩИЕ", refused.at or node.at) from None
        return self.unit.function("groups", f"return [rs for rs in groups for r in rs[:1] or (None,) if {truth.true}]")

    def _group_projection(self, order: list[tree.OrderItem]) -> int:
        codes = [self._value(item.expression) for item in self.fields]
        texts = [_outgoing(code) for code in codes]
        self.order = []
        texts += self._order_texts(order, codes)
        return self.unit.function(
            "groups", f"return [({', '.join(texts)},) for rs in groups for r in rs[:1] or (None,)]"
        )


def _outgoing(code: Code) -> str:
    return f"normal({code.text})" if code.numeric_result else code.text


def _column_type(code: Code) -> TypeDescription:
    return code.types if code.types.names else ANY


def sort_key(index: int, code: Code, item: tree.OrderItem, auto: bool) -> SortKey:
    """How the values of a column are ordered."""
    shape = shape_of(code.types)
    plain = shape in "nd" and not code.nullable and UNDEFINED not in code.types.names
    return SortKey(index, item.descending, item.hierarchy, auto and shape in "rm", plain)
