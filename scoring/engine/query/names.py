"""Names of result columns."""

from __future__ import annotations

from scoring.engine.query import tree
from scoring.engine.query.failures import QueryError
from scoring.engine.query.scope import Scope


class ColumnNames:
    """Gives each column its name: the alias, the dotted path without the table's alias, or ``Поле1``, ``Поле2`` …"""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.taken: set[str] = set()
        self.unnamed = 0

    def name(self, item: tree.SelectField) -> str:
        """Raises for an alias given twice; names made up here are numbered apart instead."""
        if item.alias:
            if item.alias.lower() in self.taken:
                raise QueryError(f'Повторяющийся псевдоним "{item.alias}"', item.alias_at)
            self.taken.add(item.alias.lower())
            return item.alias
        base = self._made_up(item.expression)
        name, number = base, 0
        while name.lower() in self.taken:
            number += 1
            name = f"{base}{number}"
        self.taken.add(name.lower())
        return name

    def _made_up(self, node: tree.Node) -> str:
        if isinstance(node, tree.NestedTable):
            node = node.path
        if isinstance(node, tree.Path):
            return "".join(self._own_parts(node))
        self.unnamed += 1
        return f"Поле{self.unnamed}"

    def _own_parts(self, path: tree.Path) -> tuple[str, ...]:
        """The segments behind what addresses the table."""
        lowered = tuple(part.lower() for part in path.parts)
        for source in self.scope.sources:
            prefix = source.addressed_by(lowered)
            if 0 < prefix < len(lowered):
                return path.parts[prefix:]
        return path.parts
