"""Building blocks of generated code: Python ``ast`` nodes that carry the line of the BSL statement they come from.

CPython wants a line and a column on every node. Subclasses with a constant column save half of that work.
"""

from __future__ import annotations

import ast
from typing import Any, TypeVar

from scoring.engine import abi
from scoring.engine.errors import EngineFault

LOAD = ast.Load()
STORE = ast.Store()


Node = TypeVar("Node", bound=ast.AST)


def _placed(base: type[Node]) -> type[Node]:
    """The node's class with all that is the same for every node of ours."""
    same: dict[str, Any] = {"col_offset": 0, "end_lineno": None, "end_col_offset": None}
    same |= {"kind": None, "type_comment": None, "type_params": []}
    return type(base.__name__, (base,), same)


Name = _placed(ast.Name)
Constant = _placed(ast.Constant)
Call = _placed(ast.Call)
Attribute = _placed(ast.Attribute)
Compare = _placed(ast.Compare)
BinOp = _placed(ast.BinOp)
BoolOp = _placed(ast.BoolOp)
UnaryOp = _placed(ast.UnaryOp)
IfExp = _placed(ast.IfExp)
NamedExpr = _placed(ast.NamedExpr)
Subscript = _placed(ast.Subscript)
Slice = _placed(ast.Slice)
List = _placed(ast.List)
Tuple = _placed(ast.Tuple)
Dict = _placed(ast.Dict)
Assign = _placed(ast.Assign)
AugAssign = _placed(ast.AugAssign)
Expr = _placed(ast.Expr)
If = _placed(ast.If)
While = _placed(ast.While)
For = _placed(ast.For)
Try = _placed(ast.Try)
ExceptHandler = _placed(ast.ExceptHandler)
Return = _placed(ast.Return)
Raise = _placed(ast.Raise)
Break = _placed(ast.Break)
Continue = _placed(ast.Continue)
Pass = _placed(ast.Pass)
Nonlocal = _placed(ast.Nonlocal)
FunctionDef = _placed(ast.FunctionDef)


_IS = ast.Is()
_BINARY = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "%": ast.Mod(), "//": ast.FloorDiv()}
_COMPARE = {
    "=": ast.Eq(),
    "<>": ast.NotEq(),
    "<": ast.Lt(),
    "<=": ast.LtE(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
    "is": _IS,
    "is not": ast.IsNot(),
    "in": ast.In(),
}
_NOT = ast.Not()
_MINUS = ast.USub()
_AND = ast.And()
_OR = ast.Or()


class Emitter:
    """Makes nodes at the current ``line``; remembers which bound names and constants the code needs."""

    def __init__(self) -> None:
        self.line = 1
        self.bound: set[str] = set()  # names of the abi that are tied to a run
        self.constants: list[Any] = []  # objects handed to the factory as k0, k1 …
        self._constant_at: dict[int, str] = {}
        self._temporaries = 0
        self._slots = 0

    # ── names and constants ────────────────────────────────────────────────────────────────────────────────────────

    def name(self, identifier: str) -> ast.expr:
        node = Name(identifier, LOAD)
        node.lineno = self.line
        return node

    def store(self, identifier: str) -> ast.Name:
        node = Name(identifier, STORE)
        node.lineno = self.line
        return node

    def helper(self, name: str) -> ast.expr:
        """A name of the abi, and nothing else."""
        if name in abi.BOUND:
            self.bound.add(name)
        elif name not in abi.STATIC:
            raise EngineFault(f"generated code may not use {name!r}")
        return self.name(name)

    def constant(self, value: Any) -> ast.expr:
        node = Constant(value)
        node.lineno = self.line
        return node

    def object(self, value: Any) -> ast.expr:
        """An object that no Python literal can express: it reaches the code as a parameter of the factory."""
        name = self._constant_at.get(id(value))
        if name is None:
            name = self._constant_at[id(value)] = f"k{len(self.constants)}"
            self.constants.append(value)
        return self.name(name)

    def value(self, value: Any) -> ast.expr:
        """A BSL constant."""
        if value is None or type(value) in (int, str, bool):
            return self.constant(value)
        return self.object(value)

    def temporary(self) -> str:
        """A fresh local of the generated function, free again with the next statement."""
        self._temporaries += 1
        return f"t{self._temporaries}"

    def slot(self) -> str:
        """A local that stays taken for the rest of the routine."""
        self._slots += 1
        return f"s{self._slots}"

    def release(self) -> None:
        self._temporaries = 0

    # ── expressions ────────────────────────────────────────────────────────────────────────────────────────────────

    def call(self, function: ast.expr, *arguments: ast.expr) -> ast.expr:
        node = Call(function, list(arguments), [])
        node.lineno = self.line
        return node

    def use(self, helper: str, *arguments: ast.expr) -> ast.expr:
        """A call of a helper of the abi."""
        return self.call(self.helper(helper), *arguments)

    def attribute(self, target: ast.expr, name: str) -> ast.expr:
        node = Attribute(target, name, LOAD)
        node.lineno = self.line
        return node

    def binary(self, operator: str, left: ast.expr, right: ast.expr) -> ast.expr:
        node = BinOp(left, _BINARY[operator], right)
        node.lineno = self.line
        return node

    def compare(self, left: ast.expr, *chain: Any) -> ast.expr:
        """``compare(a, "<=", b, "<", c)``."""
        node = Compare(left, [_COMPARE[operator] for operator in chain[::2]], list(chain[1::2]))
        node.lineno = self.line
        return node

    def conditional(self, test: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.expr:
        node = IfExp(test, then, otherwise)
        node.lineno = self.line
        return node

    def negation(self, operand: ast.expr) -> ast.expr:
        node = UnaryOp(_NOT, operand)
        node.lineno = self.line
        return node

    def minus(self, operand: ast.expr) -> ast.expr:
        node = UnaryOp(_MINUS, operand)
        node.lineno = self.line
        return node

    def all_of(self, *operands: ast.expr) -> ast.expr:
        return self._logic(_AND, operands)

    def any_of(self, *operands: ast.expr) -> ast.expr:
        return self._logic(_OR, operands)

    def _logic(self, operator: ast.boolop, operands: tuple[ast.expr, ...]) -> ast.expr:
        if len(operands) == 1:
            return operands[0]
        node = BoolOp(operator, list(operands))
        node.lineno = self.line
        return node

    def walrus(self, identifier: str, value: ast.expr) -> ast.expr:
        node = NamedExpr(self.store(identifier), value)
        node.lineno = self.line
        return node

    def element(self, target: ast.expr, index: ast.expr, store: bool = False) -> ast.expr:
        node = Subscript(target, index, STORE if store else LOAD)
        node.lineno = self.line
        return node

    def slice(self, start: ast.expr | None, stop: ast.expr | None) -> ast.expr:
        node = Slice(start, stop)
        node.lineno = self.line
        return node

    def list_of(self, *items: ast.expr) -> ast.expr:
        node = List(list(items), LOAD)
        node.lineno = self.line
        return node

    def tuple_of(self, *items: ast.expr) -> ast.expr:
        node = Tuple(list(items), LOAD)
        node.lineno = self.line
        return node

    def dictionary(self, items: list[tuple[str, ast.expr]]) -> ast.expr:
        node = Dict([self.constant(key) for key, _ in items], [value for _, value in items])
        node.lineno = self.line
        return node

    def type_is(self, value: ast.expr, *types: str) -> ast.expr:
        """``type(value) is T``."""
        return self.compare(self.use("type", value), "is", self.helper(types[0]))

    # ── statements ─────────────────────────────────────────────────────────────────────────────────────────────────

    def at(self, node: Any) -> Any:
        node.lineno = self.line
        return node

    def assign(self, identifier: str, value: ast.expr) -> ast.stmt:
        node = Assign([self.store(identifier)], value)
        node.lineno = self.line
        return node

    def assign_to(self, target: ast.expr, value: ast.expr) -> ast.stmt:
        node = Assign([target], value)
        node.lineno = self.line
        return node

    def add_to(self, identifier: str, value: ast.expr, operator: str = "+") -> ast.stmt:
        node = AugAssign(self.store(identifier), _BINARY[operator], value)
        node.lineno = self.line
        return node

    def evaluate(self, value: ast.expr) -> ast.stmt:
        node = Expr(value)
        node.lineno = self.line
        return node

    def branch(self, test: ast.expr, body: list[ast.stmt], otherwise: list[ast.stmt] | None = None) -> ast.stmt:
        node = If(test, body or [self.at(Pass())], otherwise or [])
        node.lineno = self.line
        return node

    def function(self, name: str, parameters: list[str], body: list[ast.stmt]) -> ast.stmt:
        arguments = ast.arguments([], [self.formal(p) for p in parameters], None, [], [], None, [])
        node = FunctionDef(name, arguments, body, [], None)
        node.lineno = self.line
        return node

    def formal(self, name: str) -> ast.arg:
        node = ast.arg(name)
        node.lineno = self.line
        node.col_offset = 0
        return node
