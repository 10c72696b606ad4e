"""Expressions of the tree → generated code: values. Conditions and calls are in the sibling modules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NoReturn

from scoring.engine.errors import NotSupported
from scoring.engine.metadata.types import (
    BOOLEAN_TYPE,
    DATE_TYPE,
    TypeDescription,
    fit_date,
    fit_number,
    fit_string,
    number_type,
    string_type,
)
from scoring.engine.query import tree
from scoring.engine.query.calls import CallTranslator
from scoring.engine.query.codegen import Code, canonical
from scoring.engine.query.conditions import ConditionTranslator, SectionUsed
from scoring.engine.query.failures import QueryError, not_grouped, unknown_field, unknown_table, wrong_parameters
from scoring.engine.query.scope import NestedField, PathFailed, Scope, Source, index_fields
from scoring.engine.query.shapes import ANY, shape_of, type_of_value
from scoring.engine.query.words import PERIODS
from scoring.engine.values.model import NULL
from scoring.engine.values.types import BOOLEAN, DATE, NUMBER, STRING, TYPE, TypeValue

if TYPE_CHECKING:
    from scoring.engine.query.environment import Environment

TYPE_TYPE = TypeDescription((TYPE,))
ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}


class Grouping:
    """What a grouped SELECT may name outside aggregates: ``texts`` are the codes of the grouping expressions."""

    def __init__(self, texts: set[str], left_out: set[str], expressions: bool) -> None:
        self.texts = texts
        self.left_out = left_out  # of the grouping set at hand: NULL
        self.expressions = expressions  # whether anything but plain paths is grouped by


class Translator(ConditionTranslator, CallTranslator):
    """Translates the expressions of one SELECT. ``grouping`` is set where rows have been grouped already."""

    def __init__(self, environment: Environment, scope: Scope) -> None:
        self.environment = environment
        self.scope = scope
        self.unit = scope.unit
        self.grouping: Grouping | None = None
        self.inside_aggregate = False
        self.aggregates_allowed = False
        self.found_aggregate = False
        self.temporaries = 0
        self.walked: dict[tuple[str, str], str] = {}  # (rows, table) of a tabular section → its row in generated code
        self._dispatch: dict[type, Callable[[Any], Code]] = {
            tree.Literal: self._literal,
            tree.Parameter: self._parameter,
            tree.Path: self._path,
            tree.Call: self.call,
            tree.Unary: self._unary,
            tree.Arithmetic: self._arithmetic,
            tree.Case: self._case,
            tree.Cast: self._cast,
            tree.Dereference: self._dereference,
            tree.ValueOf: self._value_of,
            tree.TypeOf: self._type_of,
        }

    # -- door ------------------------------------------------------------------------------------------------------------

    @property
    def arguments(self) -> str:
        """The variables that a hoisted function needs."""
        return "rs, r" if self.grouping is not None and not self.inside_aggregate else "r"

    def value(self, node: tree.Node) -> Code:
        """The code of an expression; raises :class:`QueryError`."""
        grouped = self._whole_group(node)
        if grouped is not None:
            return grouped
        translate = self._dispatch.get(type(node))
        code = translate(node) if translate else self._truth_value(node)
        return self.unit.hoisted(code, self.arguments)

    def _truth_value(self, node: tree.Node) -> Code:
        if isinstance(node, (tree.Star, tree.NestedTable, tree.Tuple)):
            raise QueryError("Синтаксическая ошибка", node.at)
        truth = self.truth(node)
        text = f"(True if {truth.true} else False if {truth.false} else NULL)"
        return Code(text, BOOLEAN_TYPE, True, depth=truth.depth + 1)

    def _whole_group(self, node: tree.Node) -> Code | None:
        """The code of ``node`` where it is a grouping expression as a whole (not a plain path: those are checked alone)."""
        grouping = self.grouping
        if grouping is None or self.inside_aggregate or not grouping.expressions:
            return None
        if isinstance(node, (tree.Path, tree.Literal, tree.Parameter)):
            return None
        code = self.ungrouped(node)
        return self._cleared(code) if code is not None and canonical(code.text) in grouping.texts else None

    def ungrouped(self, node: tree.Node) -> Code | None:
        """The code of ``node`` over single rows, in one piece; None where it does not translate."""
        kept = self.grouping, self.aggregates_allowed, self.found_aggregate
        self.grouping, self.aggregates_allowed, self.unit.hoisting = None, True, False
        try:
            return self.value(node)
        except QueryError:
            return None
        finally:
            self.grouping, self.aggregates_allowed, self.found_aggregate = kept
            self.unit.hoisting = True

    def _cleared(self, code: Code) -> Code:
        """NULL where the grouping set at hand leaves the expression out."""
        assert self.grouping is not None
        if canonical(code.text) in self.grouping.left_out:
            return Code("NULL", code.types, True, simple=True, fixed=True)
        return code

    def temporary(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    def twice(self, code: Code) -> tuple[str, str]:
        """Texts for the first and for later uses of ``code`` in one expression: evaluated once."""
        if code.simple:
            return code.text, code.text
        name = self.temporary()
        return f"({name} := {code.text})", name

    @contextmanager
    def rows_again(self) -> Iterator[None]:
        """Inside an aggregate ``r`` runs over the rows of the group."""
        self.inside_aggregate = True
        try:
            yield
        finally:
            self.inside_aggregate = False

    # -- leaves ----------------------------------------------------------------------------------------------------------

    def _literal(self, node: tree.Literal) -> Code:
        value = node.value
        if value is None or value is True or value is False:
            text = repr(value)
        elif value is NULL:
            text = "NULL"
        elif type(value) is int:
            text = f"({value})"
        else:
            text = self.unit.constant(value)
        types = type_of_value(value)
        if type(value) is str:
            types = string_type(max(len(value), 1))
        elif type(value) in (int, Decimal):
            digits = len(str(abs(value)).replace(".", ""))
            types = number_type(digits, len(str(value).partition(".")[2]))
        return Code(text, types, value is NULL, simple=True, fixed=True)

    def _parameter(self, node: tree.Parameter) -> Code:
        shape = self.environment.parameter(node)
        key = node.name.lower()
        name = self.unit.variable(("parameter", key), lambda execution: execution.parameters[key])
        types = shape.types if shape.kind == "value" else ANY
        return Code(name, types, types.names == (("Null", "Null"),), simple=True, fixed=True, origin="parameter")

    def _path(self, node: tree.Path) -> Code:
        found = self.scope.resolve(node)
        if isinstance(found, NestedField):
            return self._section_field(found, node)
        if self.grouping is not None and not self.inside_aggregate:
            return self._grouped_path(node, found)
        return self.unit.hoisted(found, self.arguments)

    def _section_field(self, found: NestedField, node: tree.Path) -> Code:
        """A field of the tabular section that a condition walks; raises :class:`SectionUsed` where none is walked yet."""
        row = self.walked.get((found.code.text, found.table))
        if row is None or not found.rest:
            raise SectionUsed(found)
        fields = self.environment.relation(found.table).fields
        inner = Scope(self.environment, self.unit)
        inner.row = row
        inner.sources.append(Source((), fields, 0, _SectionRows(), index_fields(fields)))
        try:
            code = inner.walk(inner.sources[0], tree.Path(node.at, found.rest, found.offsets), 0)[1]
        except PathFailed as stop:
            raise unknown_field(node.text, stop.offset) from None
        if isinstance(code, NestedField):
            raise SectionUsed(code)
        return code

    def _grouped_path(self, node: tree.Path, found: Code) -> Code:
        """A path is grouped by as it stands, or through a reference that is."""
        assert self.grouping is not None
        if canonical(found.text) in self.grouping.texts:
            return self._cleared(found)
        for length in range(len(node.parts) - 1, 0, -1):
            shorter = tree.Path(node.at, node.parts[:length], node.offsets[:length])
            if self.scope.knows(shorter):
                prefix = self.scope.resolve(shorter)
                if isinstance(prefix, Code) and prefix.text in self.grouping.texts:
                    cleared = self._cleared(prefix)
                    return found if cleared is prefix else Code("NULL", found.types, True, simple=True, fixed=True)
        if found.fixed:
            return found
        raise not_grouped(node.text, node.at)

    def _dereference(self, node: tree.Dereference) -> Code:
        code = self.value(node.operand)
        try:
            found = self.scope.follow(code, node.parts, node.offsets)
        except PathFailed as stop:
            raise unknown_field(".".join(node.parts), stop.offset) from None
        if isinstance(found, NestedField):
            raise NotSupported("a tabular section behind ВЫРАЗИТЬ")
        return found

    def _value_of(self, node: tree.ValueOf) -> Code:
        text = node.path.text
        value = self.environment.predefined(text)
        if value is None:
            raise wrong_parameters("ЗНАЧЕНИЕ", node.path.at)
        name = self.unit.variable(("value", text.lower()), lambda execution: execution.database.predefined_value(text))
        return Code(name, type_of_value(value), False, simple=True, fixed=True)

    def _type_of(self, node: tree.TypeOf) -> Code:
        names = self.environment.type_of_table(node.path)
        if names is None:
            raise unknown_table(node.path.text, node.path.at)
        return Code(self.unit.constant(TypeValue.of(names)), TYPE_TYPE, False, simple=True, fixed=True)

    # -- arithmetic ------------------------------------------------------------------------------------------------------

    def _unary(self, node: tree.Unary) -> Code:
        code = self.value(node.operand)
        if shape_of(code.types) not in "nmu":
            raise self._mismatch("-", node.at)
        plain = not code.nullable and shape_of(code.types) == "n"
        text = f"(-{code.text})" if plain else f"negate({code.text})"
        depth = code.depth + 1
        return Code(text, code.types, not plain, fixed=code.fixed, depth=depth, numeric_result=code.numeric_result)

    def _mismatch(self, operator: str, at: int) -> QueryError:
        return QueryError(f'Несовместимые типы "{operator}"', at)

    def _arithmetic(self, node: tree.Arithmetic) -> Code:
        """Chains lean to the left and may be long: the spine is walked, not recursed into."""
        spine = []
        first: tree.Node = node
        while isinstance(first, tree.Arithmetic):
            spine.append(first)
            first = first.left
        code = self.value(first)
        for step in reversed(spine):
            code = self.unit.hoisted(self._operation(step, code, self.value(step.right)), self.arguments)
        return code

    def _operation(self, node: tree.Arithmetic, left: Code, right: Code) -> Code:
        shapes = {shape_of(left.types), shape_of(right.types)}
        strings = node.operator == "+" and shapes <= {"s", "u"} and "s" in shapes
        if not strings and not shapes <= {"n", "m", "u"}:
            raise self._mismatch(node.operator, node.at)
        nullable = left.nullable or right.nullable or bool(shapes & {"m", "u"})
        plain = not nullable and node.operator != "/"
        if plain:
            text = f"({left.text} {node.operator} {right.text})"
        else:
            text = f"{ARITHMETIC[node.operator]}({left.text}, {right.text})"
        types = _concatenated(left.types, right.types) if strings else _arithmetic_type(node.operator, left.types, right.types)
        depth = max(left.depth, right.depth) + 1
        return Code(text, types, nullable, fixed=left.fixed and right.fixed, depth=depth, numeric_result=not strings)

    # -- choice ----------------------------------------------------------------------------------------------------------

    def _case(self, node: tree.Case) -> Code:
        """The genuine engine checks ИНАЧЕ first, then the branches in order."""
        otherwise = self.value(node.otherwise) if node.otherwise else None
        operand = self.value(node.operand) if node.operand else None
        branches = []
        for condition, result in node.branches:
            if operand is None:
                test = self.truth(condition).true
            else:
                test = self.equality(operand, self.value(condition), condition.at).true
            branches.append((test, self.value(result)))
        results = [code for _, code in branches] + ([otherwise] if otherwise else [])
        text = otherwise.text if otherwise else "NULL"
        types = results[0].types
        for code in results[1:]:
            types = joined_types(types, code.types)
        depth = max(code.depth for code in results)
        for test, code in reversed(branches):
            text = f"({code.text} if {test} else {text})"
        nullable = otherwise is None or any(code.nullable for code in results)
        numeric = any(code.numeric_result for code in results)
        return Code(text, types, nullable, depth=depth + len(branches) + 1, numeric_result=numeric)

    # -- casts -------------------------------------------------------------------------------------------------------------

    def _cast(self, node: tree.Cast) -> Code:
        code = self.value(node.operand)
        target = self._cast_type(node)
        if not code.types.names or shape_of(code.types) in "mu" or set(target.names) & set(code.types.names):
            fit = self.unit.variable(("cast", target), _constant(_caster(target)))
            return Code(f"{fit}({code.text})", target, True, depth=code.depth + 1, fixed=code.fixed)
        raise wrong_parameters("ВЫРАЗИТЬ", node.at)

    def _cast_type(self, node: tree.Cast) -> TypeDescription:
        target = node.target
        if target.path is not None:
            names = self.environment.type_of_table(target.path)
            if names is None:
                raise unknown_table(target.path.text, target.at)
            return TypeDescription((names,))
        numbers = (*target.numbers, 0, 0)
        if target.name == "ЧИСЛО":
            return number_type(numbers[0], numbers[1])
        if target.name == "СТРОКА":
            return string_type(numbers[0])
        if target.name == "ДАТА":
            return DATE_TYPE
        if target.name == "БУЛЕВО":
            return BOOLEAN_TYPE
        raise QueryError("Синтаксическая ошибка", target.at)

    # -- words that stand for periods ----------------------------------------------------------------------------------------

    def period_word(self, node: tree.Node) -> str:
        """The canonical period named by ``node`` or an empty string."""
        if isinstance(node, tree.Path) and len(node.parts) == 1:
            return PERIODS.get(node.parts[0].upper(), "")
        return ""

    def refuse(self, name: str, at: int) -> NoReturn:
        raise wrong_parameters(name, at)


class _SectionRows:
    nullable_fields = True


def _constant(value: Any) -> Callable[[Any], Any]:
    return lambda _: value


def joined_types(left: TypeDescription, right: TypeDescription) -> TypeDescription:
    """The type of a choice between the two; NULL and Неопределено alone do not make a number composite."""
    if left is ANY or right is ANY or not left.names or not right.names:
        return ANY
    if left.names == (("Null", "Null"),):
        return right
    if right.names == (("Null", "Null"),):
        return left
    return left.united(right)


def _concatenated(left: TypeDescription, right: TypeDescription) -> TypeDescription:
    if left.unlimited_string or right.unlimited_string:
        return string_type(0)
    return string_type(left.length + right.length)


def _arithmetic_type(operator: str, left: TypeDescription, right: TypeDescription) -> TypeDescription:
    """Digits and fraction of a result: products add up their decimals, sums keep the larger, quotients are unlimited."""
    if operator == "/" or not left.digits or not right.digits:
        return number_type(0, 0)
    if operator == "*":
        return number_type(min(left.digits + right.digits, 38), min(left.fraction + right.fraction, 18))
    fraction = max(left.fraction, right.fraction)
    whole = max(left.digits - left.fraction, right.digits - right.fraction)
    return number_type(min(whole + fraction + 1, 38), fraction)


def _caster(target: TypeDescription) -> Callable[[Any], Any]:
    """ВЫРАЗИТЬ: a value of the target's type fitted to it, NULL for any other."""
    names = target.names[0]

    def cast(value: Any) -> Any:
        kind = type(value)
        if names == NUMBER:
            return fit_number(value, target) if kind is int or kind is Decimal else NULL
        if names == STRING:
            return fit_string(value, target) if kind is str else NULL
        if names == DATE:
            return fit_date(value, target) if kind is datetime else NULL
        if names == BOOLEAN:
            return value if kind is bool else NULL
        return value if getattr(value, "type_name", None) == names else NULL

    return cast
