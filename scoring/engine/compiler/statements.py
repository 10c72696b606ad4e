"""Statements → Python ``ast``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from scoring.engine.compiler import emit, kinds
from scoring.engine.compiler.arithmetic import is_simple
from scoring.engine.compiler.counting import CountingGenerator, any_leaves, leaves_early
from scoring.engine.compiler.expressions import has_call, is_beyond_32_bits
from scoring.engine.compiler.loops import LoopGenerator
from scoring.engine.errors import NotSupported
from scoring.engine.syntax import nodes
from scoring.engine.values import members

# ``X = X + …`` is charged what the helper of the published method executed in its place: this many statements around it, and
# for a string a loop over the left part.
GROWTH_COST = 4
GROWTH_STEP = 3
GROWTH_BASE = 3

# Methods with a shape of their own in generated code: (name, number of arguments).
IN_PLACE = frozenset({("добавить", 1), ("add", 1), ("вставить", 2), ("insert", 2)})

# ИначеЕсли nest to the right in Python's tree.
LONG_IF = 1000


class StatementGenerator(LoopGenerator):
    """Generates the statements of one routine."""

    def statement(self, node: nodes.Statement) -> None:
        self.line = line = _line_of(node)
        self.release()
        if self.exact:
            self.flush()
        handler = _HANDLERS[type(node)]
        if type(node) is not nodes.Try and type(node) is not nodes.Label:
            self.add_cost(self.reach(line))
            if self.profile:
                self.out += self.hit(line)
        handler(self, node)
        # If and Попытка put what follows them into a segment of its own by themselves.
        if leaves_early(node) and not isinstance(node, nodes.If | nodes.Try):
            self.flush()

    # ── assignment ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _assign(self, node: nodes.Assign) -> None:
        target = node.target
        if isinstance(target, nodes.Name):
            self._assign_name(target, node.value)
        elif isinstance(target, nodes.Member):
            self._assign_member(target, node.value)
        elif isinstance(target, nodes.Index):
            self._assign_index(target, node.value)
        else:
            raise NotSupported("assignment to a call")

    def _assign_name(self, target: nodes.Name, value: nodes.Expression) -> None:
        variable = self.module.find(self.scope, nodes.key(target.name))
        if variable is None:
            self.out.append(self.evaluate(self.use("read_only", self.constant(target.name), self.value_of(value))))
            return
        if variable.is_module and not variable.boxed:
            self.written.add(variable.python)
        grown = self._growth(target, value)
        if grown is not None:
            rest, kind = grown
            self.add_cost(GROWTH_COST)
            if kind & kinds.STR:
                self._grow(variable, rest, kind)
                return
        self.out.append(self.assign_variable(variable, self.value_of(value)))

    def _growth(
        self, target: nodes.Name, value: nodes.Expression
    ) -> tuple[kinds.Spine, int] | None:
        """``X = X + a + b …``: the operands after X, and X's kind; None for any other statement."""
        if not (isinstance(value, nodes.Binary) and value.operator == "+"):
            return None
        first, rest = kinds.left_spine(value)
        if not (isinstance(first, nodes.Name) and nodes.key(first.name) == nodes.key(target.name)):
            return None
        if len(rest) > 12 or any(operator != "+" for operator, _ in rest):
            return None
        return rest, kinds.infer(first, self.scope)

    def _grow(self, variable: Any, rest: kinds.Spine, kind: int) -> None:
        """A string growing by what is added: charged its length, and extended in place where CPython can."""
        operands = []
        for _, operand in rest:
            value, operand_kind = self.expression(operand)
            if not is_simple(value):
                name = self.temporary()
                self.out.append(self.assign(name, value))
                value = self.name(name)
            operands.append((value, operand_kind))
        added = self._as_text(*operands[0])
        for value, operand_kind in operands[1:]:
            added = self.binary("+", added, self._as_text(value, operand_kind))
        current = self.load(variable)
        body: list[ast.stmt] = []
        if self.counted:
            length = self.binary("*", self.use("len", current), self.constant(GROWTH_STEP))
            body.append(self.charge_and_check(self.binary("+", length, self.constant(GROWTH_BASE))))
        body.append(self.assign_variable(variable, self.binary("+", current, added)))
        if kind & kinds.TYPES == kinds.STR:
            self.out += body
            return
        total, total_kind = current, kind & ~kinds.STR
        for value, operand_kind in operands:
            total, total_kind = self.arithmetic("+", total, total_kind, value, operand_kind)
        self.out.append(self.branch(self.type_is(current, "str"), body, [self.assign_variable(variable, total)]))

    def _as_text(self, value: ast.expr, kind: int) -> ast.expr:
        if kind & kinds.TYPES == kinds.STR:
            return value
        if kinds.is_int(kind) and self.dialect == "onescript":
            return self.use("str", value)
        first, again = self.twice(value)
        if kind & kinds.STR:
            return self.conditional(self.type_is(first, "str"), again, self.use("text", again))
        return self.use("text", value)

    def _assign_member(self, target: nodes.Member, value: nodes.Expression) -> None:
        owner, kind = self.expression(target.target)
        certain = self.is_certain(owner, kind, kinds.STRUCTURE)
        owner = self._settled(owner)
        new = self._settled(self.value_of(value))
        key = nodes.key(target.name)
        items = self.attribute(owner, "items")
        fast = self.assign_to(self.element(items, self.constant(key), store=True), new)
        tests = [] if certain else [self.type_is(owner, "Structure")]
        if not _reads_at_first(value, target):
            tests.append(self.compare(self.constant(key), "in", items))
        if not tests:
            self.out.append(fast)
            return
        test = self.all_of(*tests)
        slow = self.evaluate(self.ask(owner, "set_property", self.constant(target.name), new))
        self.out.append(self.branch(test, [fast], [slow]))

    def _settled(self, value: ast.expr) -> ast.expr:
        """A simple node for the value; what is costly is evaluated into a temporary first."""
        if is_simple(value):
            return value
        name = self.temporary()
        self.out.append(self.assign(name, value))
        return self.name(name)

    def _assign_index(self, target: nodes.Index, value: nodes.Expression) -> None:
        owner, owner_kind = self.expression(target.target)
        is_array = self.is_certain(owner, owner_kind, kinds.ARRAY)
        is_map = self.is_certain(owner, owner_kind, kinds.MAP)
        owner = self._settled(owner)
        position, kind = self.expression(target.index)
        position = self._settled(position)
        new = self._settled(self.value_of(value))
        items = self.attribute(owner, "items")
        store = self.assign_to(self.element(items, position, store=True), new)
        statement: ast.stmt = self.evaluate(self.ask(owner, "set_index", position, new))
        if kind & kinds.STR and owner_kind & kinds.MAP:
            tests = [] if is_map else [self.type_is(owner, "Map")]
            tests += self.string_tests(position, kind)
            tests.append(self.compare(self.attribute(owner, "order"), "is", self.constant(None)))
            statement = self.branch(self.all_of(*tests), [store, self._noticed(owner)], [statement])
        if kind & kinds.INT and owner_kind & kinds.ARRAY and not is_beyond_32_bits(position):
            tests = [] if is_array else [self.type_is(owner, "Array")]
            tests += self.position_tests(position, position, kind)
            if not tests:
                self.out += [store, self._noticed(owner)]
                return
            statement = self.branch(self.all_of(*tests), [store, self._noticed(owner)], [statement])
        self.out.append(statement)

    # ── calls, jumps ───────────────────────────────────────────────────────────────────────────────────────────────

    def _call_statement(self, node: nodes.CallStatement) -> None:
        call = node.call
        if isinstance(call, nodes.MethodCall):
            if self._in_place(call):
                return
            value = self.method_call(call, statement=True)[0]
        else:
            value = self.value_of(call)
        self.out.append(self.evaluate(value))

    def _in_place(self, call: nodes.MethodCall) -> bool:
        """``Массив.Добавить(х)`` and ``Соответствие.Вставить(ключ, х)`` without a call, where the target is one."""
        key, given = nodes.key(call.name), len(call.arguments)
        if None in call.arguments or (key, given) not in IN_PLACE or isinstance(call.target, nodes.Literal):
            return False
        owner, owner_kind = self.expression(call.target)
        wanted = kinds.ARRAY if given == 1 else kinds.MAP
        certain = self.is_certain(owner, owner_kind, wanted)
        owner = self._settled(owner)
        values: list[ast.expr] = []
        kind = kinds.ANY
        for argument in call.arguments:
            assert argument is not None
            value, kind = self.expression(argument) if not values else (self.value_of(argument), kind)
            values.append(self._settled(value))
        items = self.attribute(owner, "items")
        slow = self.evaluate(self.dispatch(owner, call, values, statement=True))
        if given == 1:
            fast = self.evaluate(self.call(self.attribute(items, "append"), values[0]))
            self.out.append(fast if certain else self.branch(self.type_is(owner, "Array"), [fast], [slow]))
            return True
        store = self.assign_to(self.element(items, values[0], store=True), values[1])
        tests = [] if certain else [self.type_is(owner, "Map")]
        if not kinds.is_int(kind):
            tests += self.string_tests(values[0], kind)
        tests.append(self.compare(self.attribute(owner, "order"), "is", self.constant(None)))
        self.out.append(self.branch(self.all_of(*tests), [store, self._noticed(owner)], [slow]))
        return True

    def _noticed(self, owner: ast.expr) -> ast.stmt:
        """A walk over the collection must notice the change."""
        version = self.at(emit.Attribute(owner, "version", emit.STORE))
        return self.at(emit.AugAssign(version, ast.Add(), self.constant(1)))  # type: ignore[no-any-return]

    def _return(self, node: nodes.Return) -> None:
        value = self.constant(None) if node.value is None else self.value_of(node.value)
        self.flush()
        self.out.append(self.at(emit.Return(value)))

    def _raise(self, node: nodes.Raise) -> None:
        if node.arguments is None:
            if not self.handled:
                error = self.use("raise_again", self.constant(None))
            else:
                error = self.use("raise_again", self.name(self.handled[-1]))
        else:
            error = self.use("raising", *self.plain_arguments(node.arguments))
        self.flush()
        self.out.append(self.at(emit.Raise(error, None)))

    def _execute(self, node: nodes.Execute) -> None:
        self.out.append(self.evaluate(self.use("execute", self.value_of(node.text), *self.dynamic_scope())))

    def _add_handler(self, node: nodes.AddHandler) -> None:
        name = "УдалитьОбработчик" if node.remove else "ДобавитьОбработчик"
        self.out.append(self.evaluate(self.use("unsupported", self.constant(name))))

    # ── Если ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _if(self, node: nodes.If) -> None:
        if len(node.branches) > LONG_IF:
            raise NotSupported(f"more than {LONG_IF} branches in one Если")
        chosen = self._branches(node, 0, 0)
        self.out += chosen
        leaves = leaves_early(node)
        if leaves:
            self.flush()
        self.line = node.end_line or self.line
        self.add_cost(self.reach(node.end_line))
        if self.profile:
            self.out += self.hit(node.end_line)

    def _branches(self, node: nodes.If, at: int, evaluated: int) -> list[ast.stmt]:
        """Branch ``at`` and all after it; ``evaluated`` ИначеЕсли have been paid for by none so far."""
        branch = node.branches[at]
        self.line = branch.line
        before = self.open_block()
        if at:
            self.out += self.hit(branch.line)
            evaluated += self.reach(branch.line)
        test = self.condition(branch.condition)
        line = self.counted_line
        body = self.block(branch.body, evaluated)
        self.counted_line = line
        if at + 1 < len(node.branches):
            rest = self._branches(node, at + 1, evaluated)
        else:
            rest = self._otherwise(node, evaluated)
        self.line = branch.line
        self.out.append(self.branch(test, body, rest))
        return self.close_block(before)

    def _otherwise(self, node: nodes.If, evaluated: int) -> list[ast.stmt]:
        if node.otherwise is None:
            return self.block([], evaluated) if evaluated else []
        self.line = node.otherwise_line
        if self.profile:
            self.counted_line = 0
        self.reach(node.otherwise_line)
        return self.block(node.otherwise, evaluated)

    def block(self, statements: list[nodes.Statement], cost: int = 0) -> list[ast.stmt]:
        saved = self.open_block(cost)
        if any(isinstance(statement, nodes.Label) for statement in statements):
            self._with_labels(statements)
        else:
            for statement in statements:
                self.statement(statement)
        return self.close_block(saved)

    # ── Попытка ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _try(self, node: nodes.Try) -> None:
        self.enter_nesting(2)
        caught = self.slot()
        exact, self.exact = self.exact, True
        self.flush()
        body = self.block(node.body)
        self.exact = exact
        self.line = node.line
        self.leave_nesting(2)
        self.out.append(self.assign(caught, self.constant(None)))
        handler = emit.ExceptHandler(self.helper("Exception"), None, [self.assign(caught, self.use("caught"))])
        self.out.append(self.at(emit.Try(body or [self.at(emit.Pass())], [self.at(handler)], [], [])))
        self.counted_line = 0
        self.out.append(self._handler(node, caught))
        self.mark = len(self.out)
        self.line = node.end_line or self.line
        self.add_cost(self.reach(node.end_line))
        if self.profile:
            self.out += self.hit(node.end_line)

    def _handler(self, node: nodes.Try, caught: str) -> ast.stmt:
        self.line = node.except_line or node.line
        enter = [self.assign("error_", self.name(caught))]
        self.handled.append(caught)
        body = self.block(node.handler)
        self.handled.pop()
        self.line = node.end_line or self.line
        outer = self.name(self.handled[-1]) if self.handled and self.dialect == members.ONEC else self.constant(None)
        leave = [self.assign("error_", outer), self.evaluate(self.use("handled", outer))]
        test = self.compare(self.name(caught), "is not", self.constant(None))
        return self.branch(test, [*enter, *body, *leave])

    # ── Перейти ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _goto(self, node: nodes.Goto) -> None:
        self.flush()
        signal = self.labels.get(nodes.key(node.label))
        if signal is None:
            raise NotSupported(f"Перейти ~{node.label}: the label is not in a block around the statement")
        self.out.append(self.at(emit.Raise(self.call(self.helper("Jump"), self.constant(signal)), None)))

    def _label(self, node: nodes.Label) -> None:
        raise NotSupported("a label outside a block")

    def _with_labels(self, statements: list[nodes.Statement]) -> None:
        """A block with labels becomes a small machine: pieces between labels, and a jump starts the loop again there.

        ``Прервать`` or ``Продолжить`` of a loop around such a block would end the machine instead: not supported.
        """
        if self.loop_nesting and any(_breaks(statement) for statement in statements):
            raise NotSupported("Прервать and Продолжить beside a label inside a loop")
        self.enter_nesting(3)
        place = self.slot()
        pieces: list[list[nodes.Statement]] = [[]]
        outer = dict(self.labels)
        base = self.next_label
        for statement in statements:
            if isinstance(statement, nodes.Label):
                self.next_label += 1
                self.labels[nodes.key(statement.name)] = self.next_label
                pieces.append([])
            else:
                pieces[-1].append(statement)
        body: list[ast.stmt] = []
        for index, piece in enumerate(pieces):
            self.counted_line = 0
            block = self.block(piece)
            test = self.compare(self.name(place), "<=", self.constant(base + index))
            body.append(self.branch(test, block))
        self.labels = outer
        self._machine(place, base, base + len(pieces) - 1, body)
        self.leave_nesting(3)

    def _machine(self, place: str, base: int, last: int, body: list[ast.stmt]) -> None:
        """``while True: try: pieces; break  except Jump: place = …``; jumps to labels of outer blocks go on."""
        self.out.append(self.assign(place, self.constant(base)))
        body.append(self.at(emit.Break()))
        arrive: list[ast.stmt] = [
            self.assign(place, self.use("jump_place", self.constant(base), self.constant(last)))
        ]
        handler = self.at(emit.ExceptHandler(self.helper("Jump"), None, arrive))
        attempt = self.at(emit.Try(body, [handler], [], []))
        loop: list[ast.stmt] = [attempt]
        self.guard(loop)
        self.out.append(self.at(emit.While(self.constant(True), loop, [])))
        self.mark = len(self.out)


def _reads_at_first(value: nodes.Expression, target: nodes.Member) -> bool:
    """Does the value begin with the field that it is assigned to? A structure then has it, or the error has been raised."""
    first, _ = kinds.left_spine(value)
    if not (isinstance(first, nodes.Member) and isinstance(first.target, nodes.Name) and isinstance(target.target, nodes.Name)):
        return False
    same = nodes.key(first.name) == nodes.key(target.name) and nodes.key(first.target.name) == nodes.key(target.target.name)
    return same and not has_call(value)


def _line_of(node: nodes.Statement) -> int:
    """The line that the engines give a statement: a method call's is that of the method's name."""
    if isinstance(node, nodes.CallStatement) and isinstance(node.call, nodes.MethodCall):
        return node.call.line
    return node.line


def _breaks(statement: nodes.Statement) -> bool:
    return leaves_early(statement) and not isinstance(statement, nodes.Return | nodes.Raise | nodes.Label | nodes.Goto)


_HANDLERS: dict[type, Callable[[StatementGenerator, Any], None]] = {
    nodes.Assign: StatementGenerator._assign,
    nodes.CallStatement: StatementGenerator._call_statement,
    nodes.If: StatementGenerator._if,
    nodes.While: StatementGenerator._while,
    nodes.For: StatementGenerator._for,
    nodes.ForEach: StatementGenerator._for_each,
    nodes.Try: StatementGenerator._try,
    nodes.Raise: StatementGenerator._raise,
    nodes.Return: StatementGenerator._return,
    nodes.Break: StatementGenerator._break,
    nodes.Continue: StatementGenerator._continue,
    nodes.Label: StatementGenerator._label,
    nodes.Goto: StatementGenerator._goto,
    nodes.Execute: StatementGenerator._execute,
    nodes.AddHandler: StatementGenerator._add_handler,
}

__all__ = ["CountingGenerator", "StatementGenerator", "any_leaves"]
