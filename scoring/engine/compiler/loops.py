"""Loops → Python ``ast``.

A ``Для`` whose variable nobody else touches becomes a Python ``for`` over a range; any other one is spelled out. Each iteration
is charged its own body, ``КонецЦикла`` and the header that follows.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from scoring.engine.compiler import emit, kinds
from scoring.engine.compiler.counting import LEFT, CountingGenerator, any_leaves
from scoring.engine.compiler.resolve import DYNAMIC_CALLS, inner_blocks
from scoring.engine.compiler.versions import walk
from scoring.engine.errors import NotSupported
from scoring.engine.program import Variable
from scoring.engine.syntax import nodes

# CPython allows 20 nested blocks in a function; Попытка takes two of them.
MAX_BLOCKS = 18
# Loops nested deeper than this are charged iteration by iteration: prepaying takes a block of its own.
PREPAID_NESTING = 5


@dataclass(slots=True)
class LoopPlace:
    """The loop being generated: line of its header."""

    line: int


class LoopGenerator(CountingGenerator):
    """Generates loops, ``Прервать`` and ``Продолжить``."""

    def __init__(self) -> None:
        super().__init__()
        self.nesting = 0  # Python blocks around the current statement
        self.loop_nesting: list[LoopPlace] = []
        self.handled: list[str] = []  # slots of the errors that the handlers around here handle
        self.labels: dict[str, int] = {}
        self.next_label = 0

    def enter_nesting(self, blocks: int = 1) -> None:
        self.nesting += blocks
        if self.nesting > MAX_BLOCKS:
            raise NotSupported(f"loops and Попытка nested deeper than {MAX_BLOCKS} levels")

    def leave_nesting(self, blocks: int = 1) -> None:
        self.nesting -= blocks

    def block(self, statements: list[nodes.Statement], cost: int = 0) -> list[ast.stmt]:
        raise NotImplementedError

    # ── bodies ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def loop_body(self, node: nodes.While | nodes.For | nodes.ForEach, head: list[ast.stmt] | None = None) -> list[ast.stmt]:
        """The body with the cost of finishing an iteration: its end and the next header."""
        self.loop_nesting.append(LoopPlace(node.line))
        saved = self.open_block()
        self.out += head or []
        labels = any(isinstance(statement, nodes.Label) for statement in node.body)
        if labels:
            self.out += self.block(node.body)
            self.mark = len(self.out)
        else:
            for statement in node.body:
                self.statement(statement)
        self.line = node.end_line or node.line
        self._finish_iteration(node)
        self.loop_nesting.pop()
        self.line = node.line
        self.counted_line = node.line
        return self.close_block(saved)

    def statement(self, node: nodes.Statement) -> None:
        raise NotImplementedError

    def _finish_iteration(self, node: nodes.While | nodes.For | nodes.ForEach) -> None:
        self.add_cost(self.reach(node.end_line))
        self.add_cost(self.reach(node.line))
        if self.profile:
            self.out += self.hit(node.end_line, isinstance(node, nodes.For)) if not isinstance(node, nodes.While) else []
            if not isinstance(node, nodes.While):
                self.out += self.hit(node.line)

    def _break(self, node: nodes.Break) -> None:
        self.flush()
        self.out.append(self.at(emit.Break()))

    def _continue(self, node: nodes.Continue) -> None:
        place = self.loop_nesting[-1]
        line = self.counted_line
        self.add_cost(self.reach(place.line))
        self.counted_line = line
        self.flush()
        if self.profile and place.line:
            self.out += self.hit(place.line)
        self.out.append(self.at(emit.Continue()))

    def _close_loop(self, loop: ast.stmt, body: list[ast.stmt], node: nodes.Statement) -> None:
        """Put the loop into ``out``. A loop that stands on one line costs nothing to go round: what the guard charges for
        it is given back behind it."""
        self.line = node.line
        if not body:
            body.append(self.at(emit.Pass()))
        if self.counted and not _charges(body):
            rounds = self.slot()
            body[0:0] = [self.charge_and_check(self.constant(1)), self.add_to(rounds, self.constant(1))]
            self.out += [self.assign(rounds, self.constant(0)), loop, self.lower(self.name(rounds), "+")]
            return
        self.guard(body)
        self.out.append(loop)

    # ── Пока ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _while(self, node: nodes.While) -> None:
        self.enter_nesting()
        test = self.condition(node.condition)
        if self.profile:
            test = self._profiled_test(node.line, test)
        body = self.loop_body(node)
        loop = self.at(emit.While(test, body, []))
        self._close_loop(loop, body, node)
        self.leave_nesting()

    def _profiled_test(self, line: int, test: ast.expr) -> ast.expr:
        noted = self.walrus(
            "line_", self.use("hit", self.name("line_"), self.constant(line), self.constant(self.scope.info.name))
        )
        return self.all_of(self.compare(noted, ">=", self.constant(0)), test)

    # ── Для ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _for(self, node: nodes.For) -> None:
        assert isinstance(node.variable, nodes.Name)
        key = nodes.key(node.variable.name)
        variable = self.module.find(self.scope, key)
        start, start_kind = self.expression(node.start)
        stop, _ = self.expression(node.stop)
        if variable is None:
            self.out.append(self.evaluate(self.use("read_only", self.constant(node.variable.name), start)))
            return
        if variable.is_module:
            self.written.add(variable.python)
        self.enter_nesting()
        if variable.boxed or variable.is_module or self.scope.has_goto or _assigns(node.body, key):
            self._spelled_out(node, variable, start, start_kind, stop)
        else:
            self._over_range(node, variable, start, stop)
        self.leave_nesting()

    def _over_range(self, node: nodes.For, variable: Variable, start: ast.expr, stop: ast.expr) -> None:
        values = self.slot()
        self.out.append(self.assign(values, self.use("for_range", start, stop)))
        prepaid = self.counted and not self.exact and not any_leaves(node.body)
        prepaid = prepaid and len(self.loop_nesting) < PREPAID_NESTING
        if prepaid:
            self.enter_nesting()
        body = self.loop_body(node)
        self.line = node.line
        after = [self.assign(variable.python, self.use("for_end", self.name(values)))]
        loop = self.at(emit.For(self.store(variable.python), self.name(values), body, after))
        if prepaid:
            self.leave_nesting()
        price = _price(body)
        if prepaid and price is not None:
            self._prepay(loop, body, values, variable, price)
        else:
            self._close_loop(loop, body, node)

    def _prepay(self, loop: ast.stmt, body: list[ast.stmt], values: str, variable: Variable, price: ast.expr) -> None:
        """Charge all iterations before the first; what an error cuts off is given back."""
        del body[0]
        if not body:
            body.append(self.at(emit.Pass()))
        total = self.binary("*", self.use("loop_count", self.name(values)), price)
        lowered = self.walrus(LEFT, self.binary("-", self.name(LEFT), total))
        affordable = self.binary("//", self.name(LEFT), price)
        too_long = [
            self.lower(total, "+"),
            self.assign(values, self.use("Cut", self.name(values), affordable, self.helper("spent"))),
            self.lower(total),
        ]
        self.out.append(self.branch(self.compare(lowered, "<", self.constant(0)), too_long))
        rest = self.binary("*", self.use("loop_rest", self.name(values), self.name(variable.python)), price)
        handler = self.at(emit.ExceptHandler(None, None, [self.lower(rest, "+"), self.at(emit.Raise(None, None))]))
        self.out.append(self.at(emit.Try([loop], [handler], [], [])))

    def _spelled_out(
        self, node: nodes.For, variable: Variable, start: ast.expr, start_kind: int, stop: ast.expr
    ) -> None:
        """The variable is counted on and compared by hand, since the body may change it."""
        limit, first = self.slot(), self.slot()
        kind = kinds.ANY if variable.boxed or variable.is_module else variable.kind
        self.out += [
            self.assign_variable(variable, start),
            self.assign(limit, stop),
            self.assign(first, self.constant(True)),
        ]
        step = self.assign_variable(variable, self.use("next_number", self.load(variable)))
        go_on = self.comparison("<=", self.load(variable), kind, self.name(limit), kinds.ANY)
        head = [
            self.branch(self.name(first), [self.assign(first, self.constant(False))], [step]),
            self.branch(self.negation(go_on), [self.at(emit.Break())]),
        ]
        body = self.loop_body(node)
        loop = self.at(emit.While(self.constant(True), body, []))
        self._close_loop(loop, body, node)
        body[0:0] = head

    # ── Для Каждого ────────────────────────────────────────────────────────────────────────────────────────────────

    def _for_each(self, node: nodes.ForEach) -> None:
        assert isinstance(node.variable, nodes.Name)
        variable = self.module.find(self.scope, nodes.key(node.variable.name))
        elements = self._elements(node)
        self.enter_nesting()
        name = self.slot() if variable is None or variable.boxed or variable.is_module else variable.python
        head: list[ast.stmt] = []
        if variable is None:
            head = [self.evaluate(self.use("read_only", self.constant(node.variable.name), self.name(name)))]
        elif name != variable.python:
            head = [self.assign_variable(variable, self.name(name))]
            if variable.is_module:
                self.written.add(variable.python)
        body = self.loop_body(node, head)
        loop = self.at(emit.For(self.store(name), elements, body, []))
        self._close_loop(loop, body, node)
        self.leave_nesting()

    def _elements(self, node: nodes.ForEach) -> ast.expr:
        """What the loop walks: an array's or a table's list or a map's dict itself, where nothing in the body can change it
        behind the walk's back."""
        collection, known = self.expression(node.collection)
        if isinstance(collection, ast.Constant) or not self.is_quiet(node.body):
            return self.ask(collection, "iterate")
        if self.is_certain(collection, known, kinds.ARRAY):
            return self.attribute(collection, "items")
        first, again = self.twice(collection)
        items = self.attribute(again, "items")
        kind = self.use("type", again)
        if isinstance(node.variable, nodes.Name) and nodes.key(node.variable.name) in self.bare:
            pairs, held = self.use("bare_pairs", again), self.compare(kind, "in", self.helper("PAIRED"))
        else:
            pairs, held = self.use("quiet_pairs", again), self.compare(kind, "is", self.helper("Map"))
        other = self.conditional(held, pairs, self.ask(again, "iterate"))
        listed = self.compare(self.use("type", first), "in", self.helper("LISTED"))
        return self.conditional(listed, items, other)

    def is_quiet(self, body: list[nodes.Statement]) -> bool:
        """No calls but those of global functions, and no assignment to anything but variables."""
        for node in walk(body):
            if isinstance(node, nodes.MethodCall | nodes.Execute):
                return False
            if isinstance(node, nodes.Assign) and not isinstance(node.target, nodes.Name):
                return False
            if isinstance(node, nodes.Call):
                key = nodes.key(node.name)
                if key in DYNAMIC_CALLS or self.module.routine_info(key) is not None:
                    return False
        return True

    written: set[str]


def _charges(body: list[ast.stmt]) -> bool:
    """Is anything charged on each way through the body?"""
    return any(isinstance(s, ast.AugAssign) and isinstance(s.target, ast.Name) and s.target.id == "left" for s in body)


def _price(body: list[ast.stmt]) -> ast.expr | None:
    """The fixed charge of an iteration, where it stands at the beginning of the body."""
    first = body[0] if body else None
    if isinstance(first, ast.AugAssign) and isinstance(first.target, ast.Name) and first.target.id == "left":
        return first.value
    return None


def _assigns(statements: list[nodes.Statement], key: str) -> bool:
    """May the statements change the local variable ``key``, other than through a box?"""
    for statement in statements:
        if isinstance(statement, nodes.Assign) and _is_name(statement.target, key):
            return True
        if isinstance(statement, nodes.For | nodes.ForEach) and _is_name(statement.variable, key):
            return True
        if any(_assigns(block, key) for block in inner_blocks(statement)):
            return True
    return False


def _is_name(node: nodes.Expression, key: str) -> bool:
    return isinstance(node, nodes.Name) and nodes.key(node.name) == key


__all__ = ["LoopGenerator"]
