"""Calls of own routines, global functions and methods, and how arguments travel."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from scoring.engine.abi import require_method
from scoring.engine.compiler import kinds
from scoring.engine.compiler.arithmetic import is_simple
from scoring.engine.compiler.expressions import DYNAMIC_CALLS, ExpressionGenerator, Generated, is_beyond_32_bits
from scoring.engine.program import ParameterInfo, RoutineInfo, Variable
from scoring.engine.syntax import nodes
from scoring.engine.values import members

# Functions that ask for the error being handled: they get it from the handler's frame.
ERROR_FUNCTIONS = frozenset({"информацияобошибке", "errorinfo", "описаниеошибки", "errordescription"})


# Methods that are read in place where the target is an array: what to take from its length.
SIZES = {"количество": 0, "count": 0, "вграница": 1, "ubound": 1}
GETTERS = frozenset({"получить", "get"})


def special_name(info: RoutineInfo) -> str:
    """The function of a routine's version for arguments that are known to fit it."""
    return "i" + info.python[1:]


class CallGenerator(ExpressionGenerator):
    """Generates calls."""

    # ── own routines and global functions ──────────────────────────────────────────────────────────────────────────

    def routine_call(self, node: nodes.Call) -> Generated:
        key = nodes.key(node.name)
        info = self.module.routine_info(key)
        if info is not None:
            return self._own_call(node, info), self.scope.result_of(node)
        if key in DYNAMIC_CALLS:
            return self.use("evaluate", self.value_of(self._only(node)), *self.dynamic_scope()), kinds.ANY
        inline = INLINE.get(key)
        given = [argument for argument in node.arguments if argument is not None]
        if inline is not None and len(given) == len(node.arguments):
            done = inline(self, given)
            if done is not None:
                return done
        return self._global_call(node, key)

    def _only(self, node: nodes.Call) -> nodes.Expression:
        argument = node.arguments[0]
        return argument if argument is not None else nodes.Literal(node.line, node.column, "")

    def _global_call(self, node: nodes.Call, key: str) -> Generated:
        entry: Any = members.lookup(members.GLOBAL_FUNCTIONS, key, self.dialect)
        arguments = self.plain_arguments(node.arguments)
        kind = self.scope.result_of(node)
        function = self.object(entry.function)
        if key in ERROR_FUNCTIONS:
            return self.use("with_error", self._current_error(), function, *arguments), kind
        if entry.cost is not None and self.counted:
            return self.use("charged", self.object(entry.cost), function, *arguments), kind
        return self.called(function, node.arguments, self.helper("rt"), *arguments), kind

    def _current_error(self) -> ast.expr:
        return self.name("error_") if self.scope.has_try else self.constant(None)

    def _own_call(self, node: nodes.Call, info: RoutineInfo) -> ast.expr:
        arguments = []
        for index, parameter in enumerate(info.parameters):
            given = node.arguments[index] if index < len(node.arguments) else None
            arguments.append(self._argument(parameter, given))
        self.routines_used.add(info.key)
        version = None if self.profile else self.scope.version_for(node)
        if version is None:
            self.generally_used.add(info.key)
            return self.called(self.name(info.python), node.arguments, *arguments)
        version.used = True
        return self.called(self.name(special_name(info)), node.arguments, *arguments)

    def _argument(self, parameter: ParameterInfo, given: nodes.Expression | None) -> ast.expr:
        if given is None:
            default = self.value(parameter.default)
            return self.list_of(default) if parameter.out else default
        if parameter.out:
            return self.box_of(given)
        return self.value_of(given)

    def box_of(self, node: nodes.Expression) -> ast.expr:
        """What a by-reference parameter gets: the variable's own box, or one that writes through to an element."""
        if isinstance(node, nodes.Name):
            variable = self.module.find(self.scope, nodes.key(node.name))
            if variable is not None and variable.boxed:
                return self.name(variable.python)
        if isinstance(node, nodes.Member):
            return self.use("member_box", self.value_of(node.target), self.constant(node.name))
        if isinstance(node, nodes.Index):
            return self.use("element_box", self.value_of(node.target), self.value_of(node.index))
        return self.list_of(self.value_of(node))

    def dynamic_scope(self) -> list[ast.expr]:
        """What dynamic code may see: this module, and every variable's box by its name."""
        boxes: dict[str, Variable] = {v.key: v for v in self.module.variables.values()}
        boxes.update(self.scope.locals)
        items = [(variable.name, self.name(variable.python)) for variable in boxes.values()]
        return [self.helper("this_object"), self.dictionary(items)]

    # ── methods ────────────────────────────────────────────────────────────────────────────────────────────────────

    def method_call(self, node: nodes.MethodCall, statement: bool = False) -> Generated:
        if isinstance(node.target, nodes.Literal) and self.dialect == members.ONESCRIPT:
            return self.use("no_target"), kinds.ANY  # its compiler puts no code for the literal
        outputs = members.BYREF_METHODS.get(nodes.key(node.name), frozenset())
        if any(index in outputs and argument is not None for index, argument in enumerate(node.arguments)):
            return self._call_with_outputs(node, outputs, statement), kinds.ANY
        target, target_kind = self.expression(node.target)
        known = self._read_in_place(target, target_kind, node)
        if known is not None:
            return known
        arguments = self.plain_arguments(node.arguments)
        return self.dispatch(target, node, arguments, statement), kinds.ANY

    def _read_in_place(self, target: ast.expr, target_kind: int, node: nodes.MethodCall) -> Generated | None:
        """Количество and ВГраница of an array, Получить of an array or a map."""
        key, given = nodes.key(node.name), node.arguments
        if isinstance(target, ast.Constant):
            return None
        if key in SIZES and not given:
            first, again = self.twice(target)
            size = self.use("len", self.attribute(again, "items"))
            if SIZES[key]:
                size = self.binary("-", size, self.constant(SIZES[key]))
            if self.is_certain(target, target_kind, kinds.ARRAY):
                return size, kinds.INT | (kinds.NEG if SIZES[key] else 0)
            slow = self.dispatch(again, node, [], statement=False)
            return self.conditional(self.type_is(first, "Array"), size, slow), kinds.ANY
        if key in GETTERS and len(given) == 1 and given[0] is not None:
            index, kind = self.expression(given[0])
            if is_beyond_32_bits(index):
                return None
            return (
                self.indexed(target, target_kind, index, kind, lambda t, i: self.dispatch(t, node, [i], statement=False)),
                kinds.ANY,
            )
        return None

    def dispatch(
        self, target: ast.expr, node: nodes.MethodCall, arguments: list[ast.expr], statement: bool
    ) -> ast.expr:
        attribute = require_method(self.dialect, node.name, len(arguments), statement, self.counted)
        function = self.attribute(target, attribute)
        return self.called(function, node.arguments, self.helper("rt"), *arguments)

    def _call_with_outputs(self, node: nodes.MethodCall, outputs: frozenset[int], statement: bool) -> ast.expr:
        """A method with output parameters gets a ``Ref`` in their places; variables are read back after the call."""
        target_name = self.temporary()
        parts: list[ast.expr] = [self.walrus(target_name, self.value_of(node.target))]
        arguments: list[ast.expr] = []
        read_back: list[ast.expr] = []
        for index, argument in enumerate(node.arguments):
            if argument is None:
                arguments.append(self.helper("MISSING"))
            elif index in outputs:
                arguments.append(self._output(argument, parts, read_back))
            else:
                arguments.append(self.value_of(argument))
        result = self.temporary()
        call = self.dispatch(self.name(target_name), node, arguments, statement)
        parts += [self.walrus(result, call), *read_back, self.name(result)]
        return self.element(self.tuple_of(*parts), self.constant(-1))

    def _output(
        self, argument: nodes.Expression, parts: list[ast.expr], read_back: list[ast.expr]
    ) -> ast.expr:
        if isinstance(argument, nodes.Name):
            variable = self.module.find(self.scope, nodes.key(argument.name))
            if variable is not None and not variable.boxed:
                name = self.temporary()
                current = self.load(variable)
                parts.append(self.walrus(name, self.use("Output", current)))
                if variable.is_module:
                    self.written.add(variable.python)
                read_back.append(self.walrus(variable.python, self.attribute(self.name(name), "value")))
                return self.name(name)
        return self.use("BoxOutput", self.box_of(argument))

    routines_used: set[str]
    generally_used: set[str]  # own routines that are called with arguments of any kinds
    written: set[str]


# ── global functions generated in place ────────────────────────────────────────────────────────────────────────────


def _entry_call(generator: CallGenerator, key: str, *arguments: ast.expr) -> ast.expr:
    entry: Any = members.lookup(members.GLOBAL_FUNCTIONS, key, generator.dialect)
    return generator.call(generator.object(entry.function), generator.helper("rt"), *arguments)


def _length(generator: CallGenerator, arguments: list[nodes.Expression]) -> Generated | None:
    """СтрДлина of a string."""
    if len(arguments) != 1:
        return None
    value, kind = generator.expression(arguments[0])
    if kinds.is_string(kind):
        return generator.use("len", value), kinds.INT
    first, again = generator.twice(value)
    test = generator.type_is(first, "str")
    return (
        generator.conditional(test, generator.use("len", again), _entry_call(generator, "стрдлина", again)),
        kinds.INT,
    )


def _middle(generator: CallGenerator, arguments: list[nodes.Expression]) -> Generated | None:
    """Сред(строка, начало, число) with a position inside and a known length."""
    if len(arguments) != 3 or not isinstance(arguments[2], nodes.Literal) or type(arguments[2].value) is not int:
        return None
    length = arguments[2].value
    if length < 1:
        return None
    text, text_kind = generator.expression(arguments[0])
    start, kind = generator.expression(arguments[1])
    if not (isinstance(text, ast.Name) and is_simple(start)):
        return None
    tests = [] if kinds.is_string(text_kind) else [generator.type_is(text, "str")]
    if not kinds.is_int(kind):
        tests.append(generator.type_is(start, "int"))
    tests.append(generator.compare(start, ">", generator.constant(0)))
    low = generator.binary("-", start, generator.constant(1))
    high = start if length == 1 else generator.binary("+", start, generator.constant(length - 1))
    fast = generator.element(text, generator.slice(low, high))
    slow = _entry_call(generator, "сред", text, start, generator.constant(length))
    return generator.conditional(generator.all_of(*tests), fast, slow), kinds.STR


def _whole_part(generator: CallGenerator, arguments: list[nodes.Expression]) -> Generated | None:
    """Цел(x): x itself where it is whole, Цел(а / б) without the quotient where it is exact before its point."""
    if len(arguments) != 1:
        return None
    node = arguments[0]
    kind = kinds.whole_part_kind(node, generator.scope)
    if isinstance(node, nodes.Binary) and node.operator == "/":
        left, lk = generator.expression(node.left)
        right, rk = generator.expression(node.right)
        if lk & kinds.INT and rk & kinds.INT and is_simple(right):
            return _whole_quotient(generator, left, lk, right, rk), kind
        return _entry_call(generator, "цел", generator.use("divide", left, right)), kind
    first, again = generator.twice(generator.value_of(node))
    return generator.conditional(generator.type_is(first, "int"), again, _entry_call(generator, "цел", again)), kind


def _whole_quotient(generator: CallGenerator, left: ast.expr, lk: int, right: ast.expr, rk: int) -> ast.expr:
    first, again = generator.twice(left)
    tests = []
    if not kinds.is_int(lk):
        tests.append(generator.type_is(first, "int"))
        first = again
    if not kinds.is_int(rk):
        tests.append(generator.type_is(right, "int"))
    # Within these bounds the decimal quotient cannot round up to the next whole number.
    tests.append(generator.compare(generator.constant(0), "<=", first, "<", generator.constant(2**62)))
    if not (isinstance(right, ast.Constant) and type(right.value) is int and right.value > 0):
        tests.append(generator.compare(right, ">", generator.constant(0)))
    slow = _entry_call(generator, "цел", generator.use("divide", again, right))
    return generator.conditional(generator.all_of(*tests), generator.binary("//", again, right), slow)


def _find(generator: CallGenerator, arguments: list[nodes.Expression]) -> Generated | None:
    """СтрНайти(строка, образец)."""
    if len(arguments) != 2:
        return None
    (text, text_kind), (wanted, wanted_kind) = generator.expression(arguments[0]), generator.expression(arguments[1])
    t_first, text = generator.twice(text)
    w_first, wanted = generator.twice(wanted)
    tests = [wanted]
    if not (kinds.is_string(text_kind) and kinds.is_string(wanted_kind) and is_simple(t_first) and is_simple(w_first)):
        both = generator.use("type", t_first), "is", generator.use("type", w_first), "is", generator.helper("str")
        tests.insert(0, generator.compare(*both))
    position = generator.call(generator.attribute(text, "find"), wanted)
    fast = generator.binary("+", position, generator.constant(1))
    slow = _entry_call(generator, "стрнайти", text, wanted)
    return generator.conditional(generator.all_of(*tests), fast, slow), kinds.INT


def _extreme(operator: str, name: str) -> Callable[[CallGenerator, list[nodes.Expression]], Generated | None]:
    """Макс or Мин of two whole numbers."""

    def generate(generator: CallGenerator, arguments: list[nodes.Expression]) -> Generated | None:
        if len(arguments) != 2:
            return None
        left, lk = generator.expression(arguments[0])
        right, rk = generator.expression(arguments[1])
        l_first, left = generator.twice(left)
        r_first, right = generator.twice(right)
        kinds_equal = generator.use("type", l_first), "is", generator.use("type", r_first), "is", generator.helper("int")
        chosen = generator.conditional(generator.compare(left, operator, right), left, right)
        slow = _entry_call(generator, name, left, right)
        kind = (lk | rk) if kinds.is_int(lk) and kinds.is_int(rk) else kinds.ANY
        return generator.conditional(generator.compare(*kinds_equal), chosen, slow), kind

    return generate


def _text(generator: CallGenerator, arguments: list[nodes.Expression]) -> Generated | None:
    """Строка(значение)."""
    if len(arguments) != 1:
        return None
    value, kind = generator.expression(arguments[0])
    if kinds.is_int(kind) and generator.dialect == "onescript":
        return generator.use("str", value), kinds.STR
    return _entry_call(generator, "строка", value), kinds.STR


INLINE = {
    "стрдлина": _length,
    "strlen": _length,
    "сред": _middle,
    "mid": _middle,
    "цел": _whole_part,
    "int": _whole_part,
    "стрнайти": _find,
    "strfind": _find,
    "макс": _extreme(">", "макс"),
    "max": _extreme(">", "макс"),
    "мин": _extreme("<", "мин"),
    "min": _extreme("<", "мин"),
    "строка": _text,
    "string": _text,
}
