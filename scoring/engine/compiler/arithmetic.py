"""Operators: whole numbers and strings are handled in place, everything else goes to the dialect.

A guard (``type(x) is int``) stands in front of the fast path only where the static kind leaves the type open. Sums and
products that may leave the 96 bits of a .NET decimal are compared with its bounds; ``big`` then decides what the dialect
does with them.
"""

from __future__ import annotations

import ast

from scoring.engine.compiler import kinds
from scoring.engine.compiler.emit import Emitter
from scoring.engine.values.numbers import NET_MAX

ONE_DIGIT = 2**30 - 1

_HELPERS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo"}
_FRACTIONS = {"+": "add_fraction", "-": "subtract_fraction", "*": "multiply_fraction"}
_ORDER = {"<": "less", "<=": "less_or_equal", ">": "greater", ">=": "greater_or_equal"}


def _slow(operator: str, lk: int, rk: int) -> str:
    """The helper for operands that are not both whole."""
    if kinds.is_number(lk) and kinds.is_number(rk):
        return _FRACTIONS.get(operator, _HELPERS[operator])
    return _HELPERS[operator]


def is_simple(node: ast.expr) -> bool:
    """May the node be written twice at no cost?"""
    return isinstance(node, ast.Name | ast.Constant)


class ArithmeticGenerator(Emitter):
    """Operators over operands that are generated already."""

    dialect: str

    def twice(self, node: ast.expr) -> tuple[ast.expr, ast.expr]:
        """The node for a first and for a second use; a temporary in between where it is costly."""
        if is_simple(node):
            return node, node
        name = self.temporary()
        return self.walrus(name, node), self.name(name)

    # ── arithmetic ─────────────────────────────────────────────────────────────────────────────────────────────────

    def arithmetic(
        self, operator: str, left: ast.expr, lk: int, right: ast.expr, rk: int
    ) -> tuple[ast.expr, int]:
        kind = kinds.binary_kind(operator, lk, rk)
        if operator == "/":
            return self.use("divide", left, right), kind
        if operator == "+" and (lk & kinds.TYPES == kinds.STR or rk & kinds.TYPES == kinds.STR):
            joined = self._join(left, lk, right, rk)
            if joined is not None:
                return joined, kind
        if lk & kinds.INT and rk & kinds.INT:
            return self._whole(operator, left, lk, right, rk), kind
        return self.use(_slow(operator, lk, rk), left, right), kind

    def _join(self, left: ast.expr, lk: int, right: ast.expr, rk: int) -> ast.expr | None:
        """Concatenation where one side is known to be a string."""
        literal = isinstance(left, ast.Constant) or isinstance(right, ast.Constant)
        l_str, r_str = lk & kinds.TYPES == kinds.STR, rk & kinds.TYPES == kinds.STR
        if not literal:
            return self.use("join", left, right) if l_str and r_str else None
        if l_str and r_str:
            return self.binary("+", left, right)
        if l_str and kinds.is_int(rk) and self.dialect == "onescript":
            return self.binary("+", left, self.use("str", right))
        if l_str:
            if not is_simple(left):
                return None
            first, again = self.twice(right)
            return self.conditional(
                self.type_is(first, "str"), self.binary("+", left, again), self.use("add", left, again)
            )
        if not lk & kinds.STR:
            return None
        first, again = self.twice(left)
        return self.conditional(
            self.type_is(first, "str"), self.binary("+", again, right), self.use("add", again, right)
        )

    def _whole(self, operator: str, left: ast.expr, lk: int, right: ast.expr, rk: int) -> ast.expr:
        if operator == "%":
            return self._remainder(left, lk, right, rk)
        if kinds.is_int(lk) and kinds.is_int(rk):
            return self._bounded(operator, self.binary(operator, left, right), lk, rk)
        test, left, right = self._int_test(left, lk, right, rk)
        fast = self._bounded(operator, self.binary(operator, left, right), lk, rk)
        return self.conditional(test, fast, self.use(_slow(operator, lk, rk), left, right))

    def _bounded(self, operator: str, result: ast.expr, lk: int, rk: int) -> ast.expr:
        """The bounds check, left out where one step can't matter.

        Adding a small number can only pass the bound from very close below it; programs do not get there by counting, and
        the next unguarded operation notices.
        """
        small_left, small_right = kinds.is_small(lk), kinds.is_small(rk)
        if (lk | rk) & kinds.HUGE:
            small_left = small_right = False
        if (small_left and small_right) or (operator != "*" and (small_left or small_right)):
            return result
        name = self.temporary()
        value = self.name(name)
        inside = self.compare(self.constant(-NET_MAX), "<=", value, "<=", self.constant(NET_MAX))
        wide = self.conditional(inside, value, self.use("big", value))
        # CPython compares numbers of one digit, below 2**30, by far the fastest.
        near = [self.compare(self.walrus(name, result), "<", self.constant(ONE_DIGIT))]
        if kinds.binary_kind(operator, lk, rk) & kinds.NEG or not (kinds.is_int(lk) and kinds.is_int(rk)):
            near.append(self.compare(value, ">", self.constant(-ONE_DIGIT)))
        return self.conditional(self.all_of(*near), value, wide)

    def _int_test(
        self, left: ast.expr, lk: int, right: ast.expr, rk: int
    ) -> tuple[ast.expr, ast.expr, ast.expr]:
        """A test that both operands are ints, and both operands for use after it. Both are evaluated, left to right."""
        if kinds.is_int(rk) and is_simple(right):
            first, again = self.twice(left)
            return self.type_is(first, "int"), again, right
        if kinds.is_int(lk) and is_simple(left):
            first, again = self.twice(right)
            return self.type_is(first, "int"), left, again
        l_first, l_again = self.twice(left)
        r_first, r_again = self.twice(right)
        test = self.compare(
            self.use("type", l_first), "is", self.use("type", r_first), "is", self.helper("int")
        )
        return test, l_again, r_again

    def _remainder(self, left: ast.expr, lk: int, right: ast.expr, rk: int) -> ast.expr:
        """Python's ``%`` agrees with the engines where neither operand is negative and the right one is not zero."""
        positive = isinstance(right, ast.Constant) and type(right.value) is int and right.value > 0
        if kinds.is_natural(lk) and positive:
            return self.binary("%", left, right)
        l_first, l_again = self.twice(left)
        r_first, r_again = self.twice(right)
        tests: list[ast.expr] = []
        if kinds.is_int(lk) and kinds.is_int(rk):
            if is_simple(left) or positive:
                tests.append(self.compare(l_first, ">=", self.constant(0)))
            else:
                return self.use("modulo", left, right)
        elif positive:
            tests += [self.type_is(l_first, "int"), self.compare(l_again, ">=", self.constant(0))]
        else:
            same = self.compare(
                self.use("type", l_first), "is", self.use("type", r_first), "is", self.helper("int")
            )
            tests += [same, self.compare(l_again, ">=", self.constant(0))]
        if not positive:
            tests.append(self.compare(self.constant(0), "<", r_first if kinds.is_int(lk) and kinds.is_int(rk) else r_again))
        rest = self.binary("%", l_again, r_again)
        slow = "remainder" if positive and kinds.is_number(lk) else "modulo"
        return self.conditional(self.all_of(*tests), rest, self.use(slow, l_again, r_again))

    # ── comparison ─────────────────────────────────────────────────────────────────────────────────────────────────

    def comparison(self, operator: str, left: ast.expr, lk: int, right: ast.expr, rk: int) -> ast.expr:
        if kinds.is_number(lk) and kinds.is_number(rk):
            return self.compare(left, operator, right)
        if operator in ("=", "<>"):
            return self._equality(operator, left, lk, right, rk)
        return self._ordering(operator, left, lk, right, rk)

    def _equality(self, operator: str, left: ast.expr, lk: int, right: ast.expr, rk: int) -> ast.expr:
        if isinstance(right, ast.Constant) and right.value is None and not isinstance(left, ast.Constant):
            return self.compare(left, "is" if operator == "=" else "is not", right)
        if lk & kinds.TYPES == rk & kinds.TYPES and lk & kinds.TYPES in (kinds.STR, kinds.BOOL):
            return self.compare(left, operator, right)
        fast, again_left, again_right = self._equality_test(left, lk, right, rk)
        slow = self.use("equal", again_left, again_right)
        if operator == "<>":
            slow = self.negation(slow)
        return self.conditional(fast, self.compare(again_left, operator, again_right), slow)

    def _equality_test(
        self, left: ast.expr, lk: int, right: ast.expr, rk: int
    ) -> tuple[ast.expr, ast.expr, ast.expr]:
        for node, kind, other in ((right, rk, left), (left, lk, right)):
            known = {kinds.STR: "str", kinds.INT: "int", kinds.BOOL: "bool"}.get(kind & kinds.TYPES)
            if known and is_simple(node):
                first, again = self.twice(other)
                return (
                    (self.type_is(first, known), again, node)
                    if node is right
                    else (self.type_is(first, known), node, again)
                )
        l_first, l_again = self.twice(left)
        r_first, r_again = self.twice(right)
        test = self.compare(self.use("type", l_first), "is", self.use("type", r_first), "in", self.helper("PLAIN"))
        return test, l_again, r_again

    def _ordering(self, operator: str, left: ast.expr, lk: int, right: ast.expr, rk: int) -> ast.expr:
        if not (lk & kinds.INT and rk & kinds.INT):
            return self.use(_ORDER[operator], left, right)
        test, left, right = self._int_test(left, lk, right, rk)
        return self.conditional(test, self.compare(left, operator, right), self.use(_ORDER[operator], left, right))
