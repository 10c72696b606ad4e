"""How many operations a statement costs (axis O), and where the generated code charges them.

The rule is that of OneScript 2.0.1's line statistics, as the recorded runs bear it out to the last operation: each statement 1,
an evaluated ``ИначеЕсли`` 1, ``Иначе`` nothing, ``КонецЕсли`` and ``КонецПопытки`` 1 when reached, a loop's header once more than
its body, ``КонецЦикла`` once a finished iteration, the end of a routine 1 a call, however it was left. Counting is by line: what
stands on the line counted last adds nothing. ``X = X + …`` costs more, see ``statements``.

The program has one countdown, ``left``, shared by all its functions as a cell. A run of statements that always execute
together is charged at once, at its beginning; the limit is looked at on entering a routine and on each iteration. Within
``Попытка`` every statement is charged by itself, so that an error in the middle leaves exact counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from scoring.engine.compiler.calls import CallGenerator
from scoring.engine.compiler.resolve import inner_blocks
from scoring.engine.syntax import nodes

LEFT = "left"
_JUMPS = (nodes.Return, nodes.Raise, nodes.Goto, nodes.Label)


def leaves_early(statement: nodes.Statement, in_loop: bool = False) -> bool:
    """May the statement end its block before the block's end, other than by an error?"""
    if isinstance(statement, _JUMPS):
        return True
    if isinstance(statement, nodes.Break | nodes.Continue):
        return not in_loop
    inside = in_loop or isinstance(statement, nodes.While | nodes.For | nodes.ForEach)
    return any(leaves_early(inner, inside) for block in inner_blocks(statement) for inner in block)


class CountingGenerator(CallGenerator):
    """Collects Python statements into ``out`` and charges segments of them."""

    def __init__(self) -> None:
        super().__init__()
        self.out: list[ast.stmt] = []
        self.cost = 0  # of the current segment so far
        self.mark = 0  # where in ``out`` the segment begins
        self.exact = False  # charge statement by statement
        self.counted_line = 0  # the line counted last on the way to here, 0 = unknown
        self.charges = False

    # ── segments ───────────────────────────────────────────────────────────────────────────────────────────────────

    def open_block(self, cost: int = 0) -> tuple[list[ast.stmt], int, int]:
        """Start collecting a nested block; gives what :meth:`close_block` needs."""
        saved = self.out, self.cost, self.mark
        self.out, self.cost, self.mark = [], cost, 0
        return saved

    def close_block(self, saved: tuple[list[ast.stmt], int, int]) -> list[ast.stmt]:
        self.flush()
        done = self.out
        self.out, self.cost, self.mark = saved
        return done

    def add_cost(self, cost: int) -> None:
        self.cost += cost

    def flush(self) -> None:
        """End the segment: charge it where it began."""
        if self.counted and self.cost:
            self.out.insert(self.mark, self.charge(self.cost))
        self.cost = 0
        self.mark = len(self.out)

    def charge(self, cost: int) -> ast.stmt:
        return self.lower(self.constant(cost))

    def lower(self, amount: ast.expr, operator: str = "-") -> ast.stmt:
        self.charges = True
        return self.add_to(LEFT, amount, operator)

    def charge_and_check(self, amount: ast.expr) -> ast.stmt:
        """``if (left := left - amount) < 0: …``"""
        self.charges = True
        lowered = self.walrus(LEFT, self.binary("-", self.name(LEFT), amount))
        return self.branch(self.compare(lowered, "<", self.constant(0)), [self.evaluate(self.use("spent"))])

    def guard(self, block: list[ast.stmt]) -> None:
        """Make the block look at the limit at its very beginning."""
        if not self.counted:
            return
        first = block[0] if block else None
        if isinstance(first, ast.AugAssign) and first.target.id == LEFT and isinstance(first.op, ast.Sub):  # type: ignore[union-attr]
            block[0] = self.charge_and_check(first.value)
        else:
            block.insert(0, self.charge_and_check(self.constant(0)))

    # ── lines ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def reach(self, line: int) -> int:
        """The cost of coming to ``line``: 0 where it was counted last."""
        if line == self.counted_line:
            return 0
        self.counted_line = line
        return 1

    def hit(self, line: int, count: bool = True) -> list[ast.stmt]:
        """Line profile: note that ``line`` is reached (``count``) or just that it could be."""
        if not self.profile:
            return []
        self.profiled.setdefault(self.scope.info.name, set()).add(line)
        if not count:
            return []
        return [
            self.assign(
                "line_", self.use("hit", self.name("line_"), self.constant(line), self.constant(self.scope.info.name))
            )
        ]

    profiled: dict[str, set[int]]


def any_leaves(statements: Iterable[nodes.Statement], in_loop: bool = False) -> bool:
    return any(leaves_early(statement, in_loop) for statement in statements)
