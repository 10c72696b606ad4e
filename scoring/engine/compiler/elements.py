"""What arrays hold: kinds of the elements of local arrays that nothing else can get hold of while the routine runs.

Such a variable only ever gets arrays made in place, and is only indexed, walked, asked for its methods or given back. Whatever
is stored in it is then seen in the routine's text.
"""

from __future__ import annotations

from scoring.engine.compiler import kinds
from scoring.engine.compiler.scopes import RoutineScope
from scoring.engine.syntax import nodes

# Methods of an array → which argument they store; None = none of them. Others may store anything.
STORING: dict[str, int | None] = {"добавить": 0, "add": 0, "вставить": 1, "insert": 1, "установить": 1, "set": 1}
STORING |= dict.fromkeys(
    "количество count вграница ubound получить get найти find удалить delete очистить clear".split(), None
)
# Methods that may fill places in between with nothing.
FILLING = frozenset({"вставить", "insert"})


class Element(nodes.Expression):
    """What a walk over the variable ``key`` gives."""

    def __init__(self, node: nodes.Name) -> None:
        super().__init__(node.line, node.column)
        self.key = nodes.key(node.name)


def track_elements(scope: RoutineScope) -> None:
    """Find the arrays whose elements are known; :func:`first_elements` gives what they begin with."""
    sources: dict[str, list[object]] = {}
    for key, source in scope.sources:
        sources.setdefault(key, []).append(source)
    scope.elements = {}
    for key, given in sources.items():
        variable = scope.locals[key]
        if key in scope.escapes or variable.boxed or variable in scope.parameters or scope.has_goto:
            continue
        if all(isinstance(source, nodes.New) and _is_array(source) for source in given):
            scope.elements[key] = 0


def first_elements(scope: RoutineScope) -> None:
    """Begin anew: with nothing known of the elements but what ``Новый Массив(…)`` puts there."""
    for key in scope.elements:
        scope.elements[key] = 0
    for key, source in scope.sources:
        if key in scope.elements and isinstance(source, nodes.New) and source.arguments:
            scope.elements[key] |= kinds.NONE | (kinds.ANY if len(source.arguments) > 1 else 0)


def note_method(scope: RoutineScope, key: str, node: nodes.MethodCall) -> None:
    """A method of the variable ``key`` is called."""
    name = nodes.key(node.name)
    if name not in STORING:
        scope.escapes.add(key)
        return
    place = STORING[name]
    if place is not None:
        value = node.arguments[place] if place < len(node.arguments) else None
        scope.stores.append((key, kinds.NONE if value is None else value))
    if name in FILLING:
        scope.stores.append((key, kinds.NONE))


def _is_array(node: nodes.New) -> bool:
    """``Новый Массив(ФиксированныйМассив)`` is filled with what nobody knows."""
    if kinds.NEW_KINDS.get(nodes.key(node.type_name)) != kinds.ARRAY:
        return False
    return len(node.arguments) != 1 or isinstance(node.arguments[0], nodes.Literal)
