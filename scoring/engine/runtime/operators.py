"""The bound half of the abi: what generated code calls when its fast paths do not apply.

:func:`bind` makes closures over one run, so that generated code passes no context about.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NoReturn

from scoring.engine.dialects.base import Dialect
from scoring.engine.errors import BslRuntimeError, LimitReached, NotSupported
from scoring.engine.runtime import arithmetic, frames
from scoring.engine.runtime.boxes import ElementBox
from scoring.engine.runtime.context import Runtime
from scoring.engine.runtime.loops import LONG, Counting
from scoring.engine.values import members
from scoring.engine.values.model import MISSING, BslObject
from scoring.engine.values.numbers import NET_MAX
from scoring.engine.values.type_registry import find_type

Helpers = dict[str, Any]

# Digits of a whole number of 1C beyond which the engine stops instead of eating memory and time.
ONEC_BOUND = 10**4000


def bind(rt: Runtime) -> Helpers:
    """All bound names but those that a module instance adds (``this_object`` and dynamic code)."""
    helpers: Helpers = {"rt": rt}
    for part in (_operators, _comparisons, _loops, _objects, _calls, _errors):
        helpers.update(part(rt, rt.dialect))
    return helpers


def _operators(rt: Runtime, dialect: Dialect) -> Helpers:
    to_text = dialect.to_text
    reserve = rt.reserve

    def join(left: str, right: str) -> str:
        if len(left) + len(right) > 65536:
            reserve(2 * (len(left) + len(right)))
        return left + right

    def big(result: int) -> int:
        """A whole result beyond the .NET decimals."""
        if dialect.name == members.ONESCRIPT:
            raise BslRuntimeError("overflow")
        if abs(result) > ONEC_BOUND:
            raise LimitReached("memory", rt.limits.memory)
        return result

    simple = arithmetic.operators(rt, dialect, join)

    def fold(operators: tuple[str, ...], operands: tuple[Any, ...]) -> Any:
        """A long chain of operators, from the left."""
        result = operands[0]
        for operator, operand in zip(operators, operands[1:], strict=True):
            result = every[operator](result, operand)
        return result

    every = {**simple, **_comparison_table(rt, dialect)}
    return {
        "add": simple["+"],
        "join": join,
        "divide": simple["/"],
        "big": big,
        "fold": fold,
        "subtract": simple["-"],
        "multiply": simple["*"],
        "modulo": simple["%"],
        "add_fraction": simple["+."],
        "subtract_fraction": simple["-."],
        "multiply_fraction": simple["*."],
        "remainder": simple["%."],
        "negate": lambda value: dialect.negate(rt, value),
        "plus": lambda value: dialect.plus(rt, value),
        "truth": lambda value: dialect.to_boolean(rt, value),
        "text": lambda value: to_text(rt, value),
    }


def _comparison_table(rt: Runtime, dialect: Dialect) -> dict[str, Callable[[Any, Any], bool]]:
    helpers = _comparisons(rt, dialect)
    return {
        "=": helpers["equal"],
        "<>": lambda a, b: not helpers["equal"](a, b),
        "<": helpers["less"],
        "<=": helpers["less_or_equal"],
        ">": helpers["greater"],
        ">=": helpers["greater_or_equal"],
    }


def _comparisons(rt: Runtime, dialect: Dialect) -> Helpers:
    """Order keeps its operands' sides: messages name the left one first."""
    compare: Callable[[Runtime, Any, Any], int] | None = getattr(dialect, "compare", None)
    numeric = frozenset({int, Decimal})

    def equal(left: Any, right: Any) -> bool:
        return dialect.equal(rt, left, right)

    def less(left: Any, right: Any) -> bool:
        if type(left) in numeric and type(right) in numeric:
            return bool(left < right)
        return dialect.less(rt, left, right)

    def less_or_equal(left: Any, right: Any) -> bool:
        if type(left) in numeric and type(right) in numeric:
            return bool(left <= right)
        return dialect.less_or_equal(rt, left, right)

    def greater(left: Any, right: Any) -> bool:
        if type(left) in numeric and type(right) in numeric:
            return bool(left > right)
        return compare(rt, left, right) > 0 if compare is not None else dialect.less(rt, right, left)

    def greater_or_equal(left: Any, right: Any) -> bool:
        if type(left) in numeric and type(right) in numeric:
            return bool(left >= right)
        return compare(rt, left, right) >= 0 if compare is not None else dialect.less_or_equal(rt, right, left)

    return {
        "equal": equal,
        "less": less,
        "less_or_equal": less_or_equal,
        "greater": greater,
        "greater_or_equal": greater_or_equal,
    }


def _loops(rt: Runtime, dialect: Dialect) -> Helpers:
    def goes_on(value: Any, stop: Any) -> bool:
        return dialect.less_or_equal(rt, value, stop)

    def next_number(value: Any) -> Any:
        if type(value) is int and -NET_MAX <= value < NET_MAX:
            return value + 1
        return dialect.add(rt, dialect.to_number(rt, value), 1)

    def for_range(start: Any, stop: Any) -> range | Counting:
        if type(start) is int and type(stop) is int and stop < NET_MAX and stop - start < LONG:
            return range(start, stop + 1)
        if type(start) is int and type(stop) is Decimal and -LONG < stop < LONG and start > -LONG:
            return range(start, int(stop // 1) + 1 if stop >= 0 else -int(-stop // 1 + bool(-stop % 1)) + 1)
        return Counting(start, stop, goes_on, next_number)

    return {"for_range": for_range, "next_number": next_number}


def _objects(rt: Runtime, dialect: Dialect) -> Helpers:
    def get_property(target: Any, name: str) -> Any:
        if isinstance(target, BslObject):
            return target.get_property(rt, name)
        raise BslRuntimeError("not_object", name=name)

    def set_property(target: Any, name: str, value: Any) -> None:
        if not isinstance(target, BslObject):
            raise BslRuntimeError("not_object", name=name)
        target.set_property(rt, name, value)

    def get_index(target: Any, index: Any) -> Any:
        if isinstance(target, BslObject):
            return target.get_index(rt, index)
        raise BslRuntimeError("not_indexed" if dialect.name == members.ONEC else "not_object")

    def set_index(target: Any, index: Any, value: Any) -> None:
        if not isinstance(target, BslObject):
            raise BslRuntimeError("index_read_only" if dialect.name == members.ONEC else "not_object")
        target.set_index(rt, index, value)

    def read_only(name: str, value: Any) -> NoReturn:
        raise BslRuntimeError("property_not_writable", name=name)

    return {
        "get_index": get_index,
        "member_box": lambda target, name: ElementBox(target, name, get_property, set_property),
        "element_box": lambda target, index: ElementBox(target, index, get_index, set_index),
        "read_only": read_only,
    }


def _calls(rt: Runtime, dialect: Dialect) -> Helpers:
    def charged(cost: Callable[..., int], function: Callable[..., Any], *arguments: Any) -> Any:
        rt.charge(cost(*arguments))
        return function(rt, *arguments)

    def with_error(error: BslRuntimeError | None, function: Callable[..., Any], *arguments: Any) -> Any:
        if error is not None or dialect.name == members.ONESCRIPT:
            rt.last_error = error
        return function(rt, *arguments)

    def unknown_type(name: str, *arguments: Any) -> NoReturn:
        known = find_type(rt, name) is not None  # a type without a constructor
        raise BslRuntimeError("constructor_not_found" if known else "type_not_defined", name=name)

    def no_constructor(name: str, *arguments: Any) -> NoReturn:
        raise BslRuntimeError("constructor_not_found", name=name)

    def new_dynamic(kind: Any, arguments: Any) -> Any:
        name = rt.text(kind)
        entry = members.lookup(members.CONSTRUCTORS, name, dialect.name)
        if entry is None:
            unknown_type(name)
        values = list(arguments.iterate(rt)) if isinstance(arguments, BslObject) else []
        if len(values) < entry.minimum or (entry.maximum is not None and len(values) > entry.maximum):
            no_constructor(name)
        return entry.function(rt, *values)

    def no_target() -> NoReturn:
        raise BslRuntimeError("external", exception="System.InvalidOperationException", message="Stack empty.")

    def unsupported(what: str) -> NoReturn:
        raise NotSupported(what)

    return {
        "charged": charged,
        "with_error": with_error,
        "unknown_type": unknown_type,
        "no_constructor": no_constructor,
        "new_dynamic": new_dynamic,
        "no_target": no_target,
        "unsupported": unsupported,
    }


def _errors(rt: Runtime, dialect: Dialect) -> Helpers:
    limits = rt.limits

    def caught() -> BslRuntimeError:
        """The program's error in flight, its frames noted; what ``Попытка`` must not see goes on."""
        error = sys.exc_info()[1]
        assert error is not None
        found = frames.translate(error, limits.depth, limits.memory)
        if not isinstance(found, BslRuntimeError):
            raise found from None
        caller = sys._getframe(1)
        frames.note_frames(found, error.__traceback__, caller.f_back)
        rt.last_error = found
        return found

    def handled(outer: BslRuntimeError | None) -> None:
        rt.last_error = outer

    def raising(value: Any = MISSING, *rest: Any) -> BslRuntimeError:
        """The error that ``ВызватьИсключение value`` raises."""
        inner = getattr(value, "error", None) if isinstance(value, BslObject) and value.type_name[1] == "ErrorInfo" else None
        message = rt.text(None if value is MISSING else value)
        error = BslRuntimeError("raised", message, parameters=getattr(inner, "parameters", None), message=message)
        if inner is not None and dialect.name == members.ONEC:
            error.cause = inner
        if rest:
            _raise_details(error, rest)
        return error

    def raise_again(error: BslRuntimeError | None) -> BslRuntimeError:
        return error if error is not None else BslRuntimeError("raise_outside_handler")

    def spent() -> NoReturn:
        raise LimitReached("operations", limits.operations)

    return {
        "caught": caught,
        "handled": handled,
        "raising": raising,
        "raise_again": raise_again,
        "spent": spent,
    }


def _raise_details(error: BslRuntimeError, rest: tuple[Any, ...]) -> None:
    """``ВызватьИсключение(текст, категория, код, дополнительно, причина)`` of 1C."""
    category, code, details, cause = (*rest, MISSING, MISSING, MISSING, MISSING)[:4]
    error.params = {**error.params, "category": category, "code": "" if code is MISSING else code}
    error.parameters = None if details is MISSING else details
    inner = getattr(cause, "error", None) if isinstance(cause, BslObject) else None
    if isinstance(inner, BslRuntimeError):
        error.cause = inner
