"""Tabular sections in a select list: columns whose values are results of their own."""

from __future__ import annotations

from typing import Any

from scoring.engine.metadata.types import TypeDescription
from scoring.engine.query import tree
from scoring.engine.query.codegen import Code, Unit
from scoring.engine.query.failures import unknown_field
from scoring.engine.query.names import ColumnNames
from scoring.engine.query.scope import NestedField, Scope, Source, index_fields
from scoring.engine.query.temporary import StoredResult
from scoring.engine.query.translate import Translator
from scoring.engine.storage.relations import FieldInfo

RESULT_TYPE = TypeDescription((("РезультатЗапроса", "QueryResult"),))


class NestedPlanner:
    """Plans ``Alias.Section.(a, b)``, ``Alias.Section.a`` and ``Alias.Section``."""

    def __init__(self, translator: Translator) -> None:
        self.outer = translator

    def plan(self, found: NestedField, fields: list[tree.SelectField], path: tree.Path) -> Code:
        """The code of the column: a :class:`StoredResult` per row."""
        environment = self.outer.environment
        relation = environment.relation(found.table)
        unit = Unit()
        scope = Scope(environment, unit)
        alias = path.parts[len(path.parts) - len(found.rest) - 1].lower()
        scope.sources.append(Source(((alias,),), relation.fields, 0, _Rows(), index_fields(relation.fields)))
        translator = Translator(environment, scope)
        if not fields:
            fields = self._implied(found, relation.fields, path)
        names = ColumnNames(scope)
        codes = [translator.value(item.expression) for item in fields]
        columns = []
        for item, code in zip(fields, codes, strict=True):
            name = names.name(item)
            columns.append(FieldInfo(name, name, code.types))
        index = unit.function("rows", f"return [({', '.join(code.text for code in codes)},) for r in rows]")
        unit.finish()
        reader = self.outer.unit.variable(
            ("nested", path.at), lambda execution: _reader(execution.functions(unit)[index], columns)
        )
        return Code(f"{reader}({found.code.text})", RESULT_TYPE, False, depth=found.code.depth + 1, origin="nested")

    @staticmethod
    def _implied(found: NestedField, infos: Any, path: tree.Path) -> list[tree.SelectField]:
        if found.rest:
            rest = tree.Path(found.offsets[0], found.rest, found.offsets)
            if rest.parts[0].lower() not in index_fields(infos):
                raise unknown_field(path.text, found.offsets[0])
            return [tree.SelectField(path.at, rest)]
        return [
            tree.SelectField(path.at, tree.Path(path.at, (info.name,), (path.at,)))
            for info in infos
            if info.compute is None and info.nested is None
        ]


class _Rows:
    nullable_fields = True


def _reader(project: Any, columns: list[FieldInfo]) -> Any:
    def read(rows: Any) -> StoredResult:
        return StoredResult(columns, project(rows) if isinstance(rows, (list, tuple)) else [])

    return read
