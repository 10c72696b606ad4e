"""Static kinds: what is known about a value before the program runs.

A kind is a set of possible types written as bits, joined by ``|``; the more bits, the less is known. Two bits refine
whole numbers: without :data:`BIG` the number is small enough for any sum or product of two such numbers to stay inside the
28-digit decimals, without :data:`NEG` it is not negative. :data:`HUGE` marks what comes from a literal near the end
of the decimals, and is not part of what is unknown. Code generation leaves out the guards that a kind makes needless,
so a kind may be too wide but never too narrow.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol

from scoring.engine.syntax import nodes

INT = 1
DEC = 2
STR = 4
BOOL = 8
NONE = 16
DATE = 32
OBJ = 64
ARRAY = 1024
MAP = 2048
STRUCTURE = 4096
BIG = 128
NEG = 256
HUGE = 512

OBJECT = OBJ | ARRAY | MAP | STRUCTURE
TYPES = INT | DEC | STR | BOOL | NONE | DATE | OBJECT
ANY = TYPES | BIG | NEG
WHOLE = INT | BIG | NEG
NUMBER = INT | DEC | BIG | NEG

# |x| below this counts as small: the product of two small numbers stays below 2**94.
SMALL_LIMIT = 2**46
HUGE_LIMIT = 2**90

# Global functions whose result is known by their name, whatever the arguments (if they return at all).
RESULT_KINDS: dict[str, int] = {}
for _names, _kind in (
    ("стрдлина strlen стрнайти strfind найти find стрчисловхождений stroccurrencecount стрчислострок strlinecount", INT),
    ("кодсимвола charcode", INT | NEG),
    ("год year месяц month день day час hour минута minute секунда second деньнедели weekday деньгода dayofyear", INT),
    ("сред mid лев left прав right врег upper нрег lower трег title сокрлп trimall сокрл triml сокрп trimr", STR),
    ("строка string стрзаменить strreplace стрсоединить strconcat символ char формат format стршаблон strtemplate", STR),
    ("стрполучитьстроку strgetline нстр nstr", STR),
    ("цел int", WHOLE),
    ("стрразделить strsplit", ARRAY),
    ("окр round число number", NUMBER),
    ("пустаястрока isblankstring стрначинаетсяс strstartswith стрзаканчиваетсяна strendswith", BOOL),
    ("значениезаполнено valueisfilled", BOOL),
):
    for _name in _names.split():
        RESULT_KINDS[_name] = _kind

# ``Новый X`` whose value is exactly of the Python class that fast paths know.
NEW_KINDS = {
    "массив": ARRAY,
    "array": ARRAY,
    "соответствие": MAP,
    "map": MAP,
    "структура": STRUCTURE,
    "structure": STRUCTURE,
}
WHOLE_PARTS = frozenset({"цел", "int"})
EXTREMES = frozenset({"мин", "min", "макс", "max"})
COMPARISONS = frozenset({"=", "<>", "<", ">", "<=", ">="})
LOGIC = frozenset({"and", "or"})


def is_int(kind: int) -> bool:
    return kind & TYPES == INT


def is_small(kind: int) -> bool:
    return kind & (TYPES | BIG) == INT


def is_natural(kind: int) -> bool:
    return kind & (TYPES | NEG) == INT


def is_string(kind: int) -> bool:
    return kind & TYPES == STR


def is_number(kind: int) -> bool:
    types = kind & TYPES
    return types != 0 and types & ~(INT | DEC) == 0


def literal_kind(value: Any) -> int:
    """The kind of a constant."""
    if value is None:
        return NONE
    kind = type(value)
    if kind is bool:
        return BOOL
    if kind is int:
        size = 0 if abs(value) < SMALL_LIMIT else BIG if abs(value) < HUGE_LIMIT else BIG | HUGE
        return INT | size | (NEG if value < 0 else 0)
    if kind is Decimal:
        return DEC | NEG
    if kind is str:
        return STR
    return DATE if kind is datetime else OBJ


def binary_kind(operator: str, left: int, right: int) -> int:
    """The kind of ``left operator right``."""
    if operator in COMPARISONS or operator in LOGIC:
        return BOOL
    if not (left & TYPES and right & TYPES):
        return 0  # nothing is known to come here, or not yet
    if operator == "+":
        return _sum_kind(left, right)
    if operator == "-":
        if is_int(left) and is_int(right):
            return WHOLE | ((left | right) & HUGE)
        return DATE | NUMBER if left & DATE else NUMBER
    if operator == "*":
        if is_int(left) and is_int(right):
            return INT | BIG | ((left | right) & NEG)
        return NUMBER
    if operator == "%":
        if is_int(left) and is_int(right):
            return INT | (right & BIG) | (left & NEG)
        return NUMBER
    return NUMBER


def _sum_kind(left: int, right: int) -> int:
    if is_int(left) and is_int(right):
        return INT | BIG | ((left | right) & (NEG | HUGE))
    types = left & TYPES
    if types == STR:
        return STR
    result = NUMBER
    if types & STR:
        result |= STR
    if types & DATE:
        result |= DATE
    return result


class Names(Protocol):
    """What is known about names: of variables, and of what own routines and global functions give back."""

    def kind_of(self, key: str) -> int: ...

    def element_of(self, key: str) -> int: ...

    def result_of(self, node: nodes.Call) -> int: ...


def infer(node: nodes.Expression | None, names: Names) -> int:
    """The kind of an expression; ``names`` knows those of variables and calls."""
    if isinstance(node, nodes.Binary):
        return _infer_binary(node, names)
    if isinstance(node, nodes.Literal):
        return literal_kind(node.value)
    if isinstance(node, nodes.Name):
        return names.kind_of(nodes.key(node.name))
    if isinstance(node, nodes.Call):
        return _call_kind(node, names)
    if isinstance(node, nodes.Unary):
        return unary_kind(node.operator, infer(node.operand, names))
    if isinstance(node, nodes.Ternary):
        return infer(node.then, names) | infer(node.otherwise, names)
    if isinstance(node, nodes.New):
        return NEW_KINDS.get(nodes.key(node.type_name), OBJECT)
    if isinstance(node, nodes.Index):
        return element_kind(node.target, infer(node.index, names), names)
    return ANY


def element_kind(target: nodes.Expression, index: int, names: Names) -> int:
    """The kind of ``target[index]``; ``index`` may not be known yet."""
    whole = not index & TYPES & ~INT
    return names.element_of(nodes.key(target.name)) if isinstance(target, nodes.Name) and whole else ANY


def _call_kind(node: nodes.Call, names: Names) -> int:
    key = nodes.key(node.name)
    kind = names.result_of(node)
    arguments = node.arguments
    if kind == WHOLE and key in WHOLE_PARTS and len(arguments) == 1 and arguments[0] is not None:
        return whole_part_kind(arguments[0], names)
    if kind == ANY and key in EXTREMES and len(arguments) == 2 and None not in arguments:
        both = infer(arguments[0], names) | infer(arguments[1], names)
        return both if is_int(both) else ANY
    return kind


def whole_part_kind(argument: nodes.Expression, names: Names) -> int:
    """The kind of ``Цел(argument)``: not negative where a quotient's two sides are not."""
    if isinstance(argument, nodes.Binary) and argument.operator == "/":
        left, right = infer(argument.left, names), infer(argument.right, names)
        if is_natural(left) and is_natural(right):
            return left
    return WHOLE


def unary_kind(operator: str, operand: int) -> int:
    if operator == "not":
        return BOOL
    if not operand & TYPES:
        return 0
    if is_int(operand):
        return operand | NEG if operator == "-" else operand
    return NUMBER


def _infer_binary(node: nodes.Binary, names: Names) -> int:
    first, rest = left_spine(node)
    kind = infer(first, names)
    for operator, right in rest:
        kind = binary_kind(operator, kind, infer(right, names))
    return kind


def left_spine(node: nodes.Expression) -> tuple[nodes.Expression, list[tuple[str, nodes.Expression]]]:
    """``((a + b) - c)`` → ``a, [("+", b), ("-", c)]``: long sums nest to the left, and are walked without recursion."""
    rest: list[tuple[str, nodes.Expression]] = []
    while isinstance(node, nodes.Binary):
        rest.append((node.operator, node.right))
        node = node.left
    rest.reverse()
    return node, rest


Spine = list[tuple[str, nodes.Expression]]
