"""Functions and aggregates → generated code."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from scoring.engine.errors import NotSupported
from scoring.engine.metadata.types import DATE_TYPE, TypeDescription, number_type, string_type
from scoring.engine.query import support, tree
from scoring.engine.query.codegen import Code, canonical
from scoring.engine.query.failures import QueryError, syntax_error, wrong_parameters
from scoring.engine.query.shapes import ANY, shape_of
from scoring.engine.query.words import AGGREGATES, FUNCTIONS
from scoring.engine.values.types import TYPE

if TYPE_CHECKING:
    from scoring.engine.query.codegen import Unit
    from scoring.engine.query.environment import Environment

NUMBER_TYPE = number_type()
SMALL = number_type(4)
COUNT = number_type(10)
# Computed strings are limited, so that they can be compared and grouped by.
LONG_TEXT = 1024
TEXT = string_type(LONG_TEXT)
# Digits that a sum may gain over its terms.
SUM_GROWTH = 10


class CallTranslator:
    """The half of the translator that knows functions."""

    environment: Environment
    unit: Unit
    grouping: Any
    inside_aggregate: bool
    aggregates_allowed: bool
    found_aggregate: bool

    if TYPE_CHECKING:

        def value(self, node: tree.Node) -> Code: ...
        def twice(self, code: Code) -> tuple[str, str]: ...
        def temporary(self) -> str: ...
        def rows_again(self) -> Any: ...
        def period_word(self, node: tree.Node) -> str: ...

    def call(self, node: tree.Call) -> Code:
        if not node.known:
            raise syntax_error("", node.at)
        if node.name in AGGREGATES:
            return self._aggregate(node)
        if node.star or node.distinct:
            raise syntax_error("*" if node.star else "РАЗЛИЧНЫЕ", node.at)
        special = _SPECIAL.get(node.name)
        if special is not None:
            return special(self, node)
        return self._plain_function(node)

    def _take(self, node: tree.Call, minimum: int, maximum: int) -> list[tree.Node]:
        if not minimum <= len(node.arguments) <= maximum:
            raise wrong_parameters(node.name, node.at)
        return node.arguments

    def _typed(self, node: tree.Call, argument: tree.Node, shapes: str) -> Code:
        """An argument that must have one of ``shapes`` (mixtures and NULL always pass)."""
        code = self.value(argument)
        if shape_of(code.types) not in shapes + "mu":
            raise wrong_parameters(node.name, node.at)
        return code

    def _invoke(self, function: Callable[..., Any], codes: list[Code], types: TypeDescription) -> Code:
        name = self.unit.constant(function)
        text = f"{name}({', '.join(code.text for code in codes)})"
        depth = max((code.depth for code in codes), default=0) + 1
        return Code(text, types, True, fixed=all(code.fixed for code in codes), depth=depth)

    # -- aggregates ------------------------------------------------------------------------------------------------------

    def _aggregate(self, node: tree.Call) -> Code:
        if self.inside_aggregate:
            raise QueryError("Агрегатные функции не могут быть вложенными", node.at)
        if not self.aggregates_allowed:
            raise QueryError(f'Недопустимое использование агрегатной функции "{node.name}"', node.at)
        self.found_aggregate = True
        if node.star:
            if node.name != "КОЛИЧЕСТВО":
                raise syntax_error("*", node.at)
            return Code("len(rs)", COUNT, False, depth=1)
        (argument,) = self._take(node, 1, 1)
        with self.rows_again():
            code = self.value(argument)
        return self._aggregated(node, code)

    def _aggregated(self, node: tree.Call, code: Code) -> Code:
        shape = shape_of(code.types)
        if node.name in ("СУММА", "СРЕДНЕЕ") and shape not in "nmu":
            raise wrong_parameters(node.name, node.at)
        if code.nullable:
            name = self.temporary()
            values = f"[{name} for r in rs if ({name} := {code.text}) is not NULL]"
        else:
            values = f"[{code.text} for r in rs]"
        if node.distinct:
            values = f"unique({values})"
        depth = code.depth + 2
        if node.name == "КОЛИЧЕСТВО":
            return Code(f"len({values})", COUNT, False, depth=depth)
        if node.name == "СУММА":
            return Code(f"total({values})", _sum_type(code.types), True, depth=depth, numeric_result=True)
        if node.name == "СРЕДНЕЕ":
            return Code(f"average({values})", NUMBER_TYPE, True, depth=depth, numeric_result=True)
        name = "smallest" if node.name == "МИНИМУМ" else "largest"
        if shape in "nd":
            name = "plain_" + name
        return Code(f"{name}({values})", code.types, True, depth=depth, numeric_result=code.numeric_result)

    # -- functions with a form of their own --------------------------------------------------------------------------------

    def _replace_null(self, node: tree.Call) -> Code:
        first, second = [self.value(argument) for argument in self._take(node, 2, 2)]
        if not first.nullable:
            return first
        types = _either(first.types, second.types)
        start, later = self.twice(first)
        text = f"({second.text} if {start} is NULL else {later})"
        numeric = first.numeric_result or second.numeric_result
        return Code(text, types, second.nullable, depth=max(first.depth, second.depth) + 1, numeric_result=numeric)

    def _value_type(self, node: tree.Call) -> Code:
        (argument,) = self._take(node, 1, 1)
        return self._solid(self._invoke(support.value_type, [self.value(argument)], TypeDescription((TYPE,))))

    @staticmethod
    def _solid(code: Code) -> Code:
        code.nullable = False
        return code

    def _presentation(self, node: tree.Call) -> Code:
        (argument,) = self._take(node, 1, 1)
        code = self.value(argument)
        name = self.unit.variable("presentation", lambda execution: execution.presentation)
        return Code(f"{name}({code.text})", TEXT, True, depth=code.depth + 1, fixed=code.fixed)

    def _date(self, node: tree.Call) -> Code:
        arguments = self._take(node, 3, 6)
        codes = [self._typed(node, argument, "n") for argument in arguments]
        result = self._invoke(support.make_date, codes, DATE_TYPE)
        result.nullable = any(code.nullable or shape_of(code.types) != "n" for code in codes)
        return result

    def _cut(self, node: tree.Call, table: dict[str, Callable[..., Any]]) -> Code:
        moment, part = self._take(node, 2, 2)
        word = self.period_word(part)
        if word not in table:
            raise wrong_parameters(node.name, part.at)
        return self._dated(self._typed(node, moment, "d"), table[word])

    def _dated(self, code: Code, function: Callable[..., Any]) -> Code:
        result = self._invoke(function, [code], DATE_TYPE)
        result.nullable = code.nullable or shape_of(code.types) != "d"
        return result

    def _begin(self, node: tree.Call) -> Code:
        return self._cut(node, support.PERIOD_BEGIN)

    def _end(self, node: tree.Call) -> Code:
        return self._cut(node, support.PERIOD_END)

    def _date_add(self, node: tree.Call) -> Code:
        moment, part, count = self._take(node, 3, 3)
        word = self.period_word(part)
        if not word:
            raise wrong_parameters(node.name, part.at)
        codes = [self._typed(node, moment, "d"), self._typed(node, count, "n")]
        function = self.unit.variable(("shift", word), _constant(support.shifter(word)))
        text = f"{function}({codes[0].text}, {codes[1].text})"
        return Code(text, DATE_TYPE, True, fixed=all(code.fixed for code in codes), depth=max(c.depth for c in codes) + 1)

    def _date_difference(self, node: tree.Call) -> Code:
        first, second, part = self._take(node, 3, 3)
        word = self.period_word(part)
        if not word:
            raise wrong_parameters(node.name, part.at)
        codes = [self._typed(node, first, "d"), self._typed(node, second, "d")]
        function = self.unit.variable(("count", word), _constant(support.counter(word)))
        text = f"{function}({codes[0].text}, {codes[1].text})"
        depth = max(c.depth for c in codes) + 1
        return Code(text, number_type(15), True, fixed=all(c.fixed for c in codes), depth=depth)

    def _round(self, node: tree.Call) -> Code:
        codes = [self._typed(node, argument, "n") for argument in self._take(node, 1, 2)]
        return self._invoke(support.round_number, codes, NUMBER_TYPE)

    def _to_text(self, node: tree.Call) -> Code:
        return self._presentation(node)

    def _uuid(self, node: tree.Call) -> Code:
        (argument,) = self._take(node, 1, 1)
        code = self.value(argument)
        name = self.unit.variable("uuid", lambda execution: execution.uuid_of)
        return Code(f"{name}({code.text})", TypeDescription((("УникальныйИдентификатор", "UUID"),)), True, depth=code.depth + 1)

    def _grouped_by(self, node: tree.Call) -> Code:
        """СГРУППИРОВАНОПО: whether the grouping set at hand holds the expression."""
        (argument,) = self._take(node, 1, 1)
        grouping = self.grouping
        if grouping is None:  # the first look at the select list, before grouping is known
            self.value(argument)
            return Code("1", SMALL, False)
        self.grouping = None
        try:
            text = self.value(argument).text
        finally:
            self.grouping = grouping
        return Code("0" if canonical(text) in grouping.left_out else "1", SMALL, False)

    def _unsupported(self, node: tree.Call) -> Code:
        raise NotSupported(f"{node.name} in a query")

    # -- plain functions ---------------------------------------------------------------------------------------------------

    def _plain_function(self, node: tree.Call) -> Code:
        function, shapes, optional, types = _PLAIN[node.name]
        arguments = self._take(node, len(shapes) - optional, len(shapes))
        codes = [self._typed(node, argument, shape) for argument, shape in zip(arguments, shapes, strict=False)]
        if types is TEXT:
            types = _text_type(node, codes)
        result = self._invoke(function, codes, types)
        result.nullable = any(code.nullable or shape_of(code.types) not in "nsdb" for code in codes)
        return result


def _text_type(node: tree.Call, codes: list[Code]) -> TypeDescription:
    """The type of a string function: as long as its argument or as the literal length, never unlimited by itself."""
    length = codes[0].types.length or LONG_TEXT
    last = node.arguments[-1]
    if node.name in ("ПОДСТРОКА", "ЛЕВ", "ПРАВ") and isinstance(last, tree.Literal) and type(last.value) is int:
        length = max(last.value, 1)
    return string_type(LONG_TEXT if node.name == "СТРЗАМЕНИТЬ" else length)


def _constant(value: Any) -> Callable[[Any], Any]:
    return lambda _: value


def _sum_type(types: TypeDescription) -> TypeDescription:
    if not types.digits:
        return NUMBER_TYPE
    return number_type(min(types.digits + SUM_GROWTH, 38), types.fraction)


def _either(first: TypeDescription, second: TypeDescription) -> TypeDescription:
    """What ЕСТЬNULL may give."""
    if shape_of(first) == "u":
        return second
    if shape_of(second) == "u":
        return first
    if not first.names or not second.names:
        return ANY
    if shape_of(first) == shape_of(second) == "n" and not (first.digits and second.digits):
        return NUMBER_TYPE
    return first.united(second)


_PLAIN: dict[str, tuple[Callable[..., Any], str, int, TypeDescription]] = {
    **{name: (function, "d", 0, SMALL) for name, function in support.DATE_PARTS.items()},
    **{name: (function, "s", 0, TEXT) for name, function in support.STRINGS.items()},
    **{name: (function, "n", 0, NUMBER_TYPE) for name, function in support.REALS.items()},
    "POW": (support.REALS["POW"], "nn", 0, NUMBER_TYPE),
    "ДЛИНАСТРОКИ": (support.STRINGS["ДЛИНАСТРОКИ"], "s", 0, COUNT),
    "ПОДСТРОКА": (support.substring, "snn", 0, TEXT),
    "ЛЕВ": (support.left_part, "sn", 0, TEXT),
    "ПРАВ": (support.right_part, "sn", 0, TEXT),
    "СТРНАЙТИ": (support.find, "ss", 0, COUNT),
    "СТРЗАМЕНИТЬ": (support.replace, "sss", 0, TEXT),
    "ЦЕЛ": (support.whole, "n", 0, NUMBER_TYPE),
}

_SPECIAL: dict[str, Callable[[Any, tree.Call], Code]] = {
    "ЕСТЬNULL": CallTranslator._replace_null,
    "ТИПЗНАЧЕНИЯ": CallTranslator._value_type,
    "ПРЕДСТАВЛЕНИЕ": CallTranslator._presentation,
    "ПРЕДСТАВЛЕНИЕССЫЛКИ": CallTranslator._presentation,
    "СТРОКА": CallTranslator._to_text,
    "ДАТАВРЕМЯ": CallTranslator._date,
    "НАЧАЛОПЕРИОДА": CallTranslator._begin,
    "КОНЕЦПЕРИОДА": CallTranslator._end,
    "ДОБАВИТЬКДАТЕ": CallTranslator._date_add,
    "РАЗНОСТЬДАТ": CallTranslator._date_difference,
    "ОКР": CallTranslator._round,
    "УНИКАЛЬНЫЙИДЕНТИФИКАТОР": CallTranslator._uuid,
    "СГРУППИРОВАНОПО": CallTranslator._grouped_by,
    "РАЗМЕРХРАНИМЫХДАННЫХ": CallTranslator._unsupported,
    "АВТОНОМЕРЗАПИСИ": CallTranslator._unsupported,
}
assert set(_PLAIN) | set(_SPECIAL) | AGGREGATES == set(FUNCTIONS.values())
