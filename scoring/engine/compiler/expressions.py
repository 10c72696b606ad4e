"""Expressions → Python ``ast``. Every method gives the node and the static kind of its value."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from scoring.engine.compiler import kinds
from scoring.engine.compiler.arithmetic import ArithmeticGenerator, is_simple
from scoring.engine.compiler.pairs import PAIR_SLOTS
from scoring.engine.compiler.resolve import DYNAMIC_CALLS, THIS_OBJECT
from scoring.engine.compiler.scopes import ModuleScope, RoutineScope
from scoring.engine.errors import NotSupported
from scoring.engine.program import Variable
from scoring.engine.syntax import nodes
from scoring.engine.values import members

# Chains of operators longer than this are folded at run time: CPython's compiler recurses along them.
LONG_CHAIN = 60
# Calls, properties and indexes hanging on one operand, and operators inside one another.
DEEP = 400
Generated = tuple[ast.expr, int]


class ExpressionGenerator(ArithmeticGenerator):
    """Generates expressions of one routine (``scope``) of ``module``."""

    module: ModuleScope
    scope: RoutineScope
    counted: bool
    profile: bool
    depth = 0
    bare: frozenset[str] = frozenset()  # variables that hold pairs of walks as mere tuples
    spellings: dict[tuple[int, str], str]  # (line, key) → a field's name as written there

    def value_of(self, node: nodes.Expression) -> ast.expr:
        return self.expression(node)[0]

    def expression(self, node: nodes.Expression) -> Generated:
        self.depth += 1
        if self.depth > DEEP:
            raise NotSupported(f"expressions nested deeper than {DEEP}")
        result = _HANDLERS[type(node)](self, node)
        self.depth -= 1
        return result

    def _literal(self, node: nodes.Literal) -> Generated:
        return self.value(node.value), kinds.literal_kind(node.value)

    # ── names ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _name(self, node: nodes.Name) -> Generated:
        key = nodes.key(node.name)
        variable = self.module.find(self.scope, key)
        if variable is not None:
            return self.load(variable), variable.kind
        if key in self.module.extra:
            return self.name("g_" + key), kinds.ANY
        if key in THIS_OBJECT:
            return self.helper("this_object"), kinds.OBJ
        entry: Any = members.lookup(members.GLOBAL_PROPERTIES, key, self.dialect)
        return self.call(self.object(entry.getter), self.helper("rt")), kinds.ANY

    def load(self, variable: Variable) -> ast.expr:
        node = self.name(variable.python)
        return self.element(node, self.constant(0)) if variable.boxed else node

    def assign_variable(self, variable: Variable, value: ast.expr) -> ast.stmt:
        if variable.boxed:
            return self.assign_to(self.element(self.name(variable.python), self.constant(0), store=True), value)
        return self.assign(variable.python, value)

    # ── operators ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _binary(self, node: nodes.Binary) -> Generated:
        first, rest = kinds.left_spine(node)
        if len(rest) > LONG_CHAIN:
            return self._long_chain(first, rest)
        return self.chain_from(self.expression(first), rest)

    def chain_from(self, so_far: Generated, rest: list[tuple[str, nodes.Expression]]) -> Generated:
        """``so_far op operand op operand …`` from the left."""
        left, lk = so_far
        at = 0
        while at < len(rest):
            operator, right = rest[at]
            if operator in kinds.LOGIC:
                at, left = self._same_logic(at, rest, self._truth(left, lk))
                lk = kinds.BOOL
                continue
            left, lk = self._operation(operator, left, lk, right)
            at += 1
        return left, lk

    def _operation(self, operator: str, left: ast.expr, lk: int, right_node: nodes.Expression) -> Generated:
        right, rk = self.expression(right_node)
        early: ast.expr | None = None
        if _is_shared(left) and has_call(right_node):
            # The engines look at a variable when they need its value: after a call on the right has changed it.
            name = self.temporary()
            early, right = self.walrus(name, right), self.name(name)
        if operator in kinds.COMPARISONS:
            result, kind = self.comparison(operator, left, lk, right, rk), kinds.BOOL
        else:
            result, kind = self.arithmetic(operator, left, lk, right, rk)
        if early is not None:
            result = self.element(self.tuple_of(early, result), self.constant(1))
        return result, kind

    def _same_logic(
        self, at: int, rest: list[tuple[str, nodes.Expression]], first: ast.expr
    ) -> tuple[int, ast.expr]:
        """A run of the same И or ИЛИ as one Python operator, and where it ends."""
        operator = rest[at][0]
        tests = [first]
        while at < len(rest) and rest[at][0] == operator:
            tests.append(self.condition(rest[at][1]))
            at += 1
        return at, (self.all_of if operator == "and" else self.any_of)(*tests)

    def _long_chain(self, first: nodes.Expression, rest: list[tuple[str, nodes.Expression]]) -> Generated:
        operators = tuple(operator for operator, _ in rest)
        if kinds.LOGIC & set(operators):
            return self._long_logic(first, rest)
        operands = [self.value_of(first), *(self.value_of(operand) for _, operand in rest)]
        return self.use("fold", self.object(operators), self.tuple_of(*operands)), kinds.ANY

    def _long_logic(self, first: nodes.Expression, rest: list[tuple[str, nodes.Expression]]) -> Generated:
        if len({operator for operator, _ in rest}) > 1:
            raise NotSupported(f"more than {LONG_CHAIN} mixed logical operators in one expression")
        tests = [self.condition(first), *(self.condition(operand) for _, operand in rest)]
        return (self.all_of if rest[0][0] == "and" else self.any_of)(*tests), kinds.BOOL

    def condition(self, node: nodes.Expression) -> ast.expr:
        """A Python expression that is exactly True or False."""
        return self._truth(*self.expression(node))

    def _truth(self, value: ast.expr, kind: int) -> ast.expr:
        if kind & kinds.TYPES == kinds.BOOL:
            return value
        if not kind & kinds.BOOL:
            return self.use("truth", value)
        first, again = self.twice(value)
        return self.conditional(self.type_is(first, "bool"), again, self.use("truth", again))

    def _unary(self, node: nodes.Unary) -> Generated:
        if node.operator == "not":
            return self.negation(self.condition(node.operand)), kinds.BOOL
        value, kind = self.expression(node.operand)
        result = kinds.unary_kind(node.operator, kind)
        if node.operator == "+":
            return (value if kinds.is_int(kind) else self.use("plus", value)), result
        if isinstance(value, ast.Constant) and type(value.value) is int:
            return self.constant(-value.value), kinds.literal_kind(-value.value)
        if kinds.is_int(kind):
            return self.minus(value), result
        first, again = self.twice(value)
        return self.conditional(self.type_is(first, "int"), self.minus(again), self.use("negate", again)), result

    def _ternary(self, node: nodes.Ternary) -> Generated:
        test = self.condition(node.condition)
        then, then_kind = self.expression(node.then)
        otherwise, otherwise_kind = self.expression(node.otherwise)
        return self.conditional(test, then, otherwise), then_kind | otherwise_kind

    # ── objects ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _member(self, node: nodes.Member) -> Generated:
        """A structure's field in place. A missing one raises KeyError, which ``frames`` words by its spelling."""
        target, kind = self.expression(node.target)
        first, again = self.twice(target)
        key = nodes.key(node.name)
        self.spellings[self.line, key] = node.name
        fast = self.element(self.attribute(again, "items"), self.constant(key))
        if self.is_certain(target, kind, kinds.STRUCTURE):
            return fast, kinds.ANY
        slow = self.ask(again, "get_property", self.constant(node.name))
        slot = PAIR_SLOTS.get(key)
        if slot is None:
            return self.conditional(self.type_is(first, "Structure"), fast, slow), kinds.ANY
        other = self.conditional(self.type_is(again, "Structure"), fast, slow)
        pair = self.element(again, self.constant(slot))
        held = "tuple" if isinstance(node.target, nodes.Name) and nodes.key(node.target.name) in self.bare else "KeyAndValue"
        return self.conditional(self.type_is(first, held), pair, other), kinds.ANY

    def is_certain(self, target: ast.expr, kind: int, wanted: int) -> bool:
        """Is the value sure to be of the class, and the node free to be used without a test?"""
        return kind & kinds.TYPES == wanted and is_simple(target)

    def ask(self, target: ast.expr, method: str, *arguments: ast.expr) -> ast.expr:
        """A call of the protocol that all objects share; ``frames`` words the failure on other values."""
        return self.call(self.attribute(target, method), self.helper("rt"), *arguments)

    def _index(self, node: nodes.Index) -> Generated:
        target, target_kind = self.expression(node.target)
        index, kind = self.expression(node.index)
        return self.indexed(target, target_kind, index, kind), kinds.element_kind(node.target, kind, self.scope)

    def indexed(
        self,
        target: ast.expr,
        target_kind: int,
        index: ast.expr,
        kind: int,
        slow: Callable[[ast.expr, ast.expr], ast.expr] | None = None,
    ) -> ast.expr:
        """Elements of arrays by whole numbers and of maps by strings in place, the rest by the value itself.

        Only where one of the two can be evaluated at any moment. Whichever cannot is evaluated by the very first test.
        """
        if (kinds.is_int(kind) or kinds.is_string(kind)) and self.is_certain(target, target_kind, kinds.MAP):
            return self.call(self.attribute(self.attribute(target, "items"), "get"), index)
        whole = bool(kind & kinds.INT and target_kind & kinds.ARRAY and not is_beyond_32_bits(index))
        text = bool(kind & kinds.STR and target_kind & kinds.MAP)
        movable = is_simple(target) or is_simple(index)
        if not (whole or text) or not movable or isinstance(target, ast.Constant):
            return slow(target, index) if slow else self.use("get_index", target, index)
        if whole and kinds.is_natural(kind) and self.is_certain(target, target_kind, kinds.ARRAY):
            return self.element(self.attribute(target, "items"), index)
        t_first, again = self.twice(target)
        i_first, index = self.twice(index)
        items = self.attribute(again, "items")
        result = slow(again, index) if slow else self.ask(again, "get_index", index)
        if text:
            t_now, i_now = (again, index) if whole else (t_first, i_first)
            holds = None if self.is_certain(target, target_kind, kinds.MAP) else self.type_is(t_now, "Map")
            test = self._fits(holds, i_now, self.string_tests(i_now, kind))
            fetched = self.call(self.attribute(items, "get"), index)
            result = fetched if test is None else self.conditional(test, fetched, result)
        if whole:
            holds = None if self.is_certain(target, target_kind, kinds.ARRAY) else self.type_is(t_first, "Array")
            test = self._fits(holds, i_first, self.position_tests(i_first, index, kind))
            fetched = self.element(items, index)
            result = fetched if test is None else self.conditional(test, fetched, result)
        return result

    def string_tests(self, index: ast.expr, kind: int) -> list[ast.expr]:
        return [] if kind & kinds.TYPES == kinds.STR else [self.type_is(index, "str")]

    def position_tests(self, first: ast.expr, index: ast.expr, kind: int) -> list[ast.expr]:
        tests = []
        if not kinds.is_int(kind):
            tests.append(self.type_is(first, "int"))
            first = index
        if not kinds.is_natural(kind):
            tests.append(self.compare(first, ">=", self.constant(0)))
        return tests

    def _fits(self, holds: ast.expr | None, first: ast.expr, tests: list[ast.expr]) -> ast.expr | None:
        """``tests`` of the index and the container's test, the one that evaluates something in front; None = nothing to
        test."""
        if is_simple(first):
            every = [holds, *tests] if holds is not None else tests
        else:
            every = tests or [self.compare(first, "is not", self.constant(None))]
            every = [*every, holds] if holds is not None else every
        return self.all_of(*every) if every else None

    def _new(self, node: nodes.New) -> Generated:
        entry = members.lookup(members.CONSTRUCTORS, node.type_name, self.dialect)
        arguments = self.plain_arguments(node.arguments)
        if entry is None:
            return self.use("unknown_type", self.constant(node.type_name), *arguments), kinds.OBJECT
        given = len(arguments)
        if given < entry.minimum or (entry.maximum is not None and given > entry.maximum):
            return self.use("no_constructor", self.constant(node.type_name), *arguments), kinds.OBJECT
        kind = kinds.infer(node, self.scope)
        return self.called(self.object(entry.function), node.arguments, self.helper("rt"), *arguments), kind

    def _new_dynamic(self, node: nodes.NewDynamic) -> Generated:
        arguments = self.constant(None) if node.arguments is None else self.value_of(node.arguments)
        return self.use("new_dynamic", self.value_of(node.type), arguments), kinds.ANY

    def _await(self, node: nodes.Await) -> Generated:
        raise NotSupported("Ждать")

    def plain_arguments(self, arguments: list[nodes.Expression | None]) -> list[ast.expr]:
        """Arguments by value; a skipped one is MISSING."""
        return [self.helper("MISSING") if a is None else self.value_of(a) for a in arguments]

    def reads_late(self, arguments: list[nodes.Expression | None]) -> bool:
        """Does a variable that calls may change stand before an argument that calls something?"""
        called = False
        for argument in reversed(arguments):
            if called and isinstance(argument, nodes.Name):
                variable = self.module.find(self.scope, nodes.key(argument.name))
                if variable is not None and (variable.boxed or variable.is_module):
                    return True
            called = called or has_call(argument)
        return False

    def settled_first(self, arguments: list[ast.expr]) -> tuple[list[ast.expr], list[ast.expr]]:
        """Costly arguments as assignments to temporaries, and all arguments for the call itself: variables are read last,
        as the engines do, which hand over the variable and not its value."""
        early: list[ast.expr] = []
        late: list[ast.expr] = []
        for argument in arguments:
            if is_simple(argument) or _is_shared(argument) or isinstance(argument, ast.List):
                late.append(argument)
            else:
                name = self.temporary()
                early.append(self.walrus(name, argument))
                late.append(self.name(name))
        return early, late

    def called(self, function: ast.expr, given: list[nodes.Expression | None], *arguments: ast.expr) -> ast.expr:
        """A call with ``arguments``, made from ``given`` in their order."""
        if not self.reads_late(given):
            return self.call(function, *arguments)
        early, late = self.settled_first(list(arguments))
        return self.element(self.tuple_of(*early, self.call(function, *late)), self.constant(-1))

    # ── calls, see CallGenerator ───────────────────────────────────────────────────────────────────────────────────

    def routine_call(self, node: nodes.Call) -> Generated:
        raise NotImplementedError

    def method_call(self, node: nodes.MethodCall, statement: bool = False) -> Generated:
        raise NotImplementedError

    def _call(self, node: nodes.Call) -> Generated:
        return self.routine_call(node)

    def _method(self, node: nodes.MethodCall) -> Generated:
        return self.method_call(node)


def is_beyond_32_bits(index: ast.expr) -> bool:
    """No position of any array: the value itself words that error."""
    return isinstance(index, ast.Constant) and type(index.value) is int and index.value >= 2**31


def _is_shared(node: ast.expr) -> bool:
    """A variable that a call may change: a module's one, or one that lives in a box."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Constant)
    return isinstance(node, ast.Name) and node.id.startswith("m_")


def has_call(node: nodes.Expression | None) -> bool:
    """Does evaluating the expression call anything?"""
    if isinstance(node, nodes.Call | nodes.MethodCall):
        return True
    if isinstance(node, nodes.Binary):
        first, rest = kinds.left_spine(node)
        return has_call(first) or any(has_call(operand) for _, operand in rest)
    if isinstance(node, nodes.Unary):
        return has_call(node.operand)
    if isinstance(node, nodes.Ternary):
        return has_call(node.condition) or has_call(node.then) or has_call(node.otherwise)
    if isinstance(node, nodes.Index):
        return has_call(node.target) or has_call(node.index)
    if isinstance(node, nodes.Member):
        return has_call(node.target)
    return isinstance(node, nodes.New | nodes.NewDynamic)


_HANDLERS: dict[type, Callable[[ExpressionGenerator, Any], Generated]] = {
    nodes.Literal: ExpressionGenerator._literal,
    nodes.Name: ExpressionGenerator._name,
    nodes.Binary: ExpressionGenerator._binary,
    nodes.Unary: ExpressionGenerator._unary,
    nodes.Ternary: ExpressionGenerator._ternary,
    nodes.Call: ExpressionGenerator._call,
    nodes.Member: ExpressionGenerator._member,
    nodes.MethodCall: ExpressionGenerator._method,
    nodes.Index: ExpressionGenerator._index,
    nodes.New: ExpressionGenerator._new,
    nodes.NewDynamic: ExpressionGenerator._new_dynamic,
    nodes.Await: ExpressionGenerator._await,
}

__all__ = ["DYNAMIC_CALLS", "ExpressionGenerator", "Generated", "is_simple"]
