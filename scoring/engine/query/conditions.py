"""Conditions → generated code. NULL rules: every condition has two texts, *true* and *false*; unknown is neither."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from scoring.engine.errors import NotSupported
from scoring.engine.query import tree
from scoring.engine.query.codegen import Code, Truth
from scoring.engine.query.failures import QueryError, incompatible, unknown_table
from scoring.engine.query.parameters import list_items
from scoring.engine.query.shapes import key_for, may_be_undefined, mixed_key, shape_of
from scoring.engine.values.model import NULL
from scoring.engine.values.types import NULL_TYPE, UNDEFINED

if TYPE_CHECKING:
    from scoring.engine.query.codegen import Unit
    from scoring.engine.query.environment import Environment
    from scoring.engine.query.scope import NestedField, Scope
    from scoring.engine.query.translate import Translator

_MIRRORED = {">": "<", ">=": "<="}
IN_AGGREGATE = "Не допускается использование вложенных запросов и операции В ИЕРАРХИИ внутри агрегатных функций"


class SectionUsed(NotSupported):
    """A field of a tabular section is used where no condition walks the section's rows."""

    def __init__(self, section: NestedField) -> None:
        self.section = section
        super().__init__("a tabular section's field outside a select list or a condition of a query")


class NotBoolean(QueryError):
    """An expression that must be a condition is none; ``at`` is its root."""


class ConditionTranslator:
    """The half of the translator that knows truth."""

    environment: Environment
    scope: Scope
    unit: Unit
    inside_aggregate: bool
    walked: dict[tuple[str, str], str]

    if TYPE_CHECKING:

        @property
        def arguments(self) -> str: ...
        def value(self, node: tree.Node) -> Code: ...
        def twice(self, code: Code) -> tuple[str, str]: ...

    def truth(self, node: tree.Node) -> Truth:
        """The two texts of a condition; raises :class:`NotBoolean` for an expression of another type."""
        try:
            truth = self._truth(node)
        except SectionUsed as used:
            truth = self._exists(node, used.section)
        return self.unit.hoisted_truth(truth, self.arguments)

    def _exists(self, node: tree.Node, section: NestedField) -> Truth:
        """A condition on a tabular section's field holds where any of its rows fulfils it (as documented, not observed)."""
        key = section.code.text, section.table
        if key in self.walked or not section.rest:
            raise NotSupported("a tabular section as a value in a query")
        row = self.walked[key] = f"e{len(self.walked)}"
        hoisting, self.unit.hoisting = self.unit.hoisting, False
        try:
            truth = self._truth(node)
        finally:
            self.unit.hoisting = hoisting
            del self.walked[key]
        text = f"any({truth.true} for {row} in section_rows({section.code.text}))"
        return Truth(text, f"(not {text})", truth.depth + 2)

    def _truth(self, node: tree.Node) -> Truth:
        if isinstance(node, tree.Logic):
            return self._logic(node)
        if isinstance(node, tree.Not):
            inner = self.truth(node.operand)
            return Truth(inner.false, inner.true, inner.depth)
        if isinstance(node, tree.Compare):
            return self._compare(node)
        if isinstance(node, tree.In):
            return self._flip(self._membership(node), node.negated)
        if isinstance(node, tree.Between):
            return self._flip(self._between(node), node.negated)
        if isinstance(node, tree.Like):
            return self._flip(self._like(node), node.negated)
        if isinstance(node, tree.IsNull):
            return self._flip(self._is_null(node), node.negated)
        if isinstance(node, tree.RefTest):
            return self._ref_test(node)
        return self._boolean_value(node)

    @staticmethod
    def _flip(truth: Truth, negated: bool) -> Truth:
        return Truth(truth.false, truth.true, truth.depth) if negated else truth

    def _logic(self, node: tree.Logic) -> Truth:
        items = [self.truth(item) for item in node.items]
        depth = max(item.depth for item in items) + 1
        true, false = (" and ", " or ") if node.operator == "И" else (" or ", " and ")
        return Truth(
            "(" + true.join(item.true for item in items) + ")", "(" + false.join(item.false for item in items) + ")", depth
        )

    def _boolean_value(self, node: tree.Node) -> Truth:
        code = self.value(node)
        if shape_of(code.types) not in "bmu":
            raise NotBoolean("Неверный тип условия", node.at)
        first, later = self.twice(code)
        return Truth(f"({first} is True)", f"({first} is False)", code.depth + 1)

    # -- comparisons -----------------------------------------------------------------------------------------------------

    def _compare(self, node: tree.Compare) -> Truth:
        left, right = self.value(node.left), self.value(node.right)
        if node.operator in ("=", "<>"):
            return self._flip(self.equality(left, right, node.at), node.operator == "<>")
        if node.operator in _MIRRORED:
            return self.order(right, left, _MIRRORED[node.operator], node.at)
        return self.order(left, right, node.operator, node.at)

    def check_comparable(self, left: Code, right: Code, at: int) -> None:
        a, b = shape_of(left.types), shape_of(right.types)
        free = "parameter" in (left.origin, right.origin) or bool({a, b} & {"m", "u"})
        if a != b and not free:
            raise incompatible(at)
        if any(code.origin == "field" and code.types.unlimited_string for code in (left, right)):
            raise incompatible(at)

    def equality(self, left: Code, right: Code, at: int) -> Truth:
        self.check_comparable(left, right, at)
        for one, other in ((left, right), (right, left)):
            if one.types.names == (NULL_TYPE,):
                return Truth("False", "False")
            if one.types.names == (UNDEFINED,):
                return self._undefined(other)
        depth = max(left.depth, right.depth) + 2
        a, b = shape_of(left.types), shape_of(right.types)
        if a == b and a in "ndbrt":
            return self._direct_equality(left, right, depth)
        if a == b == "s":
            left_key, right_key = self.key_text(left, "s"), self.key_text(right, "s")
            if not left.nullable and not right.nullable:
                return Truth(f"({left_key} == {right_key})", f"({left_key} != {right_key})", depth)
        return Truth(f"equal({left.text}, {right.text})", f"unequal({left.text}, {right.text})", depth)

    def _undefined(self, code: Code) -> Truth:
        """``code = НЕОПРЕДЕЛЕНО``."""
        first, later = self.twice(code)
        if not may_be_undefined(code.types):
            return Truth("False", f"({first} is not NULL)" if code.nullable else "True", code.depth + 1)
        return Truth(f"({first} is None)", f"({first} is not None and {later} is not NULL)", code.depth + 1)

    def _direct_equality(self, left: Code, right: Code, depth: int) -> Truth:
        if not left.nullable and not right.nullable:
            return Truth(f"({left.text} == {right.text})", f"({left.text} != {right.text})", depth)
        if left.nullable and right.nullable:
            first, later = self.twice(left)
            second, again = self.twice(right)
            true = f"({first} is not NULL and {later} == {right.text})"
            return Truth(true, f"({first} is not NULL and {second} is not NULL and {later} != {again})", depth)
        nullable, solid = (left, right) if left.nullable else (right, left)
        first, later = self.twice(nullable)
        return Truth(
            f"({nullable.text} == {solid.text})", f"({first} is not NULL and {later} != {solid.text})", depth
        )

    def key_text(self, code: Code, shape: str) -> str:
        """The code of a value's key among values of ``shape``."""
        if shape == "s":
            if code.fixed:
                return self.fixed_key(code)
            return f"string_key({code.text})" if code.nullable else f"fold({code.text})"
        return f"mixed_key({code.text})" if shape == "m" else code.text

    def fixed_key(self, code: Code) -> str:
        """The folded text of a fixed string; folding a bound variable once would need another one, and is cheap."""
        return f"string_key({code.text})"

    def order(self, left: Code, right: Code, operator: str, at: int) -> Truth:
        """``left < right`` or ``left <= right``."""
        self.check_comparable(left, right, at)
        depth = max(left.depth, right.depth) + 2
        a, b = shape_of(left.types), shape_of(right.types)
        opposite = ">=" if operator == "<" else ">"
        if a == b and a in "nds":
            if not left.nullable and not right.nullable:
                one, two = self._order_text(left.text, a), self._order_text(right.text, a)
                return Truth(f"({one} {operator} {two})", f"({one} {opposite} {two})", depth)
            return self._guarded_order(left, right, operator, opposite, a, depth)
        name = "less" if operator == "<" else "less_or_equal"
        call = f"{name}({left.text}, {right.text})"
        return Truth(f"({call} is True)", f"({call} is False)", depth)

    @staticmethod
    def _order_text(text: str, shape: str) -> str:
        return f"sort_text({text})" if shape == "s" else text

    def _guarded_order(self, left: Code, right: Code, operator: str, opposite: str, shape: str, depth: int) -> Truth:
        guards, texts = [], []
        for code in (left, right):
            first, later = self.twice(code)
            if code.nullable or first != later:
                guards.append(f"{first} is not NULL and ")
            texts.append(self._order_text(later, shape))
        guard = "".join(guards)
        one, two = texts
        return Truth(f"({guard}{one} {operator} {two})", f"({guard}{one} {opposite} {two})", depth)

    def _between(self, node: tree.Between) -> Truth:
        value, low, high = self.value(node.operand), self.value(node.low), self.value(node.high)
        first, second = self.order(low, value, "<=", node.at), self.order(value, high, "<=", node.at)
        depth = max(first.depth, second.depth) + 1
        return Truth(f"({first.true} and {second.true})", f"({first.false} or {second.false})", depth)

    def _is_null(self, node: tree.IsNull) -> Truth:
        code = self.value(node.operand)
        if not code.nullable:
            return Truth("False", "True")
        return Truth(f"({code.text} is NULL)", f"({code.text} is not NULL)", code.depth + 1)

    def _ref_test(self, node: tree.RefTest) -> Truth:
        code = self.value(node.operand)
        names = self.environment.type_of_table(node.table)
        if names is None:
            raise unknown_table(node.table.text, node.table.at)
        test = f"getattr({code.text}, 'type_name', None) == {self.unit.constant(names)}"
        first, later = self.twice(code)
        false = f"({first} is not NULL and getattr({later}, 'type_name', None) != {self.unit.constant(names)})"
        return Truth(f"({test})", false, code.depth + 2)

    # -- patterns --------------------------------------------------------------------------------------------------------

    def _like(self, node: tree.Like) -> Truth:
        value, pattern = self.value(node.operand), self.value(node.pattern)
        escape = self.value(node.escape).text if node.escape else "None"
        for code in (value, pattern):
            if shape_of(code.types) not in "smu":
                raise incompatible(node.at)
        like = self.unit.constant(like_pattern)
        call = f"{like}({value.text}, {pattern.text}, {escape})"
        return Truth(f"({call} is True)", f"({call} is False)", max(value.depth, pattern.depth) + 2)

    # -- membership ------------------------------------------------------------------------------------------------------

    def _membership(self, node: tree.In) -> Truth:
        if self.inside_aggregate and (node.hierarchy or node.query is not None):
            raise QueryError(IN_AGGREGATE, node.at)
        if node.query is not None:
            return self._in_query(node)
        operand = self._single_operand(node)
        if node.hierarchy:
            return self._in_hierarchy(operand, node)
        items = [self.value(item) for item in node.items]
        if all(item.fixed for item in items):
            return self._in_fixed(operand, items, node)
        tests = [self.equality(operand, item, node.at) for item in items]
        depth = max(test.depth for test in tests) + 1
        return Truth(
            "(" + " or ".join(test.true for test in tests) + ")",
            "(" + " and ".join(test.false for test in tests) + ")",
            depth,
        )

    def _single_operand(self, node: tree.In) -> Code:
        if isinstance(node.operand, tree.Tuple):
            raise QueryError("Синтаксическая ошибка", node.operand.at)
        return self.value(node.operand)

    def _in_fixed(self, operand: Code, items: list[Code], node: tree.In) -> Truth:
        """Constants and parameters (lists flattened) → one set, built once per execution."""
        values = self._fixed_values(node.items)
        shape = shape_of(operand.types)
        keys = self.unit.variable(("in", shape, tree.fingerprint(node.items)), lambda execution: key_set(values(execution), shape))
        return self._tested(operand, keys, shape)

    def _fixed_values(self, nodes: list[tree.Node]) -> Callable[[Any], Iterable[Any]]:
        """A provider of the values of constant expressions, lists flattened."""
        getters = [self._fixed_value(node) for node in nodes]
        return lambda execution: [value for getter in getters for value in getter(execution)]

    def _fixed_value(self, node: tree.Node) -> Callable[[Any], Iterable[Any]]:
        if isinstance(node, tree.Parameter):
            key = node.name.lower()
            return lambda execution: list_items(execution.parameters[key])
        if isinstance(node, tree.Literal):
            return lambda _: [node.value]
        if isinstance(node, tree.ValueOf):
            text = node.path.text
            return lambda execution: [execution.database.predefined_value(text)]
        code = self.value(node)
        unit = self.environment.lone_unit()
        names, providers = list(self.unit.variables), list(self.unit.providers)
        unit.variables, unit.providers = names, providers
        index = unit.function("r", f"return {code.text}")
        unit.finish()
        return lambda execution: [unit.bind(execution)[index](None)]

    def _tested(self, operand: Code, keys: str, shape: str) -> Truth:
        """``operand`` in the set ``keys`` (an object with the keys and whether NULL is among them)."""
        key = self.key_text(operand, shape if shape in "sndbrt" else "m")
        first, later = self.twice(Code(key, operand.types, operand.nullable, simple=operand.simple and key == operand.text))
        depth = operand.depth + 2
        false = f"({first} not in {keys} and {keys}.complete)"
        if operand.nullable:
            false = f"({keys}.empty or ({first} is not NULL and {later} not in {keys} and {keys}.complete))"
        return Truth(f"({key} in {keys})", false, depth)

    def _in_query(self, node: tree.In) -> Truth:
        assert node.query is not None
        nodes = node.operand.items if isinstance(node.operand, tree.Tuple) else [node.operand]
        operands = [self.value(item) for item in nodes]
        subquery = self.environment.plan_subquery(node, cast("Translator", self), len(operands))
        depth = max(code.depth for code in operands) + 2
        if node.hierarchy:
            return self._in_hierarchy_of_query(operands[0], subquery, node)
        if subquery.captures or len(operands) > 1:
            test = self.unit.variable(("query", tree.fingerprint(node)), subquery.tester)
            arguments = ", ".join([code.text for code in operands] + [code.text for code in subquery.captures])
            call = f"{test}({arguments})"
            return Truth(f"({call} is True)", f"({call} is False)", depth)
        shape = shape_of(operands[0].types)
        keys = self.unit.variable(
            ("query", tree.fingerprint(node)), lambda execution: key_set([row[0] for row in subquery.rows(execution)], shape)
        )
        return self._tested(operands[0], keys, shape)

    def _in_hierarchy_of_query(self, operand: Code, subquery: Any, node: tree.In) -> Truth:
        if subquery.captures:
            raise NotSupported("В ИЕРАРХИИ over a query that depends on the row")
        keys = self.unit.variable(
            ("query", tree.fingerprint(node)),
            lambda execution: key_set(execution.below([row[0] for row in subquery.rows(execution)]), "r"),
        )
        return self._tested(operand, keys, "r")

    def _in_hierarchy(self, operand: Code, node: tree.In) -> Truth:
        items = [self.value(item) for item in node.items]
        if all(item.fixed for item in items):
            values = self._fixed_values(node.items)
            key = ("below", tree.fingerprint(node.items))
            keys = self.unit.variable(key, lambda execution: key_set(execution.below(values(execution)), "m"))
            return self._tested(operand, keys, "r" if shape_of(operand.types) == "r" else "m")
        above = self.unit.variable("above", lambda execution: execution.is_below)
        texts = ", ".join(item.text for item in items)
        call = f"{above}({operand.text}, {texts})"
        depth = max(item.depth for item in [operand, *items]) + 2
        return Truth(f"({call} is True)", f"({call} is False)", depth)


class KeySet(frozenset[Any]):
    """Keys of a list; ``complete`` is False where NULL was among the values: then nothing is surely outside. Outside an
    ``empty`` list is everything, NULL too."""

    complete: bool
    empty: bool


def key_set(values: Iterable[Any], shape: str) -> KeySet:
    values = list(values)
    result = KeySet(key_for(shape, value) for value in values if value is not NULL)
    result.complete = not any(value is NULL for value in values)
    result.empty = not values
    return result


def row_keys(rows: Iterable[Any]) -> tuple[set[tuple[Any, ...]], bool]:
    """Keys of whole rows, for tuples in В (query), and whether any holds NULL."""
    keys = set()
    nulls = False
    for row in rows:
        if any(value is NULL for value in row):
            nulls = True
        else:
            keys.add(tuple([mixed_key(value) for value in row]))
    return keys, nulls


@lru_cache(maxsize=1024)
def _compiled(pattern: str, escape: str | None) -> re.Pattern[str]:
    pieces, position = [], 0
    while position < len(pattern):
        letter = pattern[position]
        position += 1
        if escape and letter == escape and position < len(pattern):
            pieces.append(re.escape(pattern[position]))
            position += 1
        elif letter == "%":
            pieces.append(".*")
        elif letter == "_":
            pieces.append(".")
        elif letter == "[" and (end := pattern.find("]", position + 1)) > 0:
            pieces.append(_letter_set(pattern[position:end]))
            position = end + 1
        else:
            pieces.append(re.escape(letter))
    return re.compile("".join(pieces), re.IGNORECASE | re.DOTALL)


def _letter_set(body: str) -> str:
    negated = body.startswith("^")
    if negated:
        body = body[1:]
    inner = re.sub(r"([\\\]\[^&~|])", r"\\\1", body)
    text = f"[{'^' if negated else ''}{inner}]"
    try:
        re.compile(text)
    except re.error:
        return re.escape(body)
    return text


def like_pattern(value: Any, pattern: Any, escape: Any) -> bool | None:
    """ПОДОБНО: % any text, _ any letter, [а-я] a set, [^а-я] all but a set; case never counts."""
    if type(value) is not str or type(pattern) is not str:
        return None
    return _compiled(pattern, escape if type(escape) is str else None).fullmatch(value) is not None
