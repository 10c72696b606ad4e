"""The only names that generated code may use. Compiler and runtime meet here and nowhere else.

``STATIC`` names are globals of all generated code, the same for every run; there are no Python builtins beside them.
``BOUND`` names belong to a run: a module's factory takes the ones that its code uses as parameters. The functions behind
them are made by :mod:`scoring.engine.runtime.operators` and its neighbours.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from scoring.engine.collections.array import Array
from scoring.engine.collections.mapping import PAIRED, Map, bare_pairs, quiet_pairs
from scoring.engine.collections.structure import KeyAndValue, Structure
from scoring.engine.collections.table import ValueTable
from scoring.engine.runtime.boxes import BoxOutput, Jump, Output, jump_place
from scoring.engine.runtime.dispatch import require_method
from scoring.engine.runtime.loops import Cut, for_end, loop_count, loop_rest
from scoring.engine.values.model import MISSING

__all__ = ["BOUND", "GLOBALS", "STATIC", "require_method"]

# Types whose values of one type are equal in 1C exactly where Python calls them equal.
PLAIN = frozenset({int, str, bool, type(None), Decimal, datetime})

# What walks over these give are the elements of their list ``items``.
LISTED = frozenset({Array, ValueTable})

STATIC: dict[str, Any] = {
    "type": type,
    "int": int,
    "str": str,
    "bool": bool,
    "tuple": tuple,
    "len": len,
    "Exception": Exception,
    "PLAIN": PLAIN,
    "MISSING": MISSING,
    "Array": Array,
    "Map": Map,
    "Structure": Structure,
    "KeyAndValue": KeyAndValue,
    "quiet_pairs": quiet_pairs,
    "PAIRED": PAIRED,
    "LISTED": LISTED,
    "bare_pairs": bare_pairs,
    "Output": Output,
    "BoxOutput": BoxOutput,
    "Jump": Jump,
    "jump_place": jump_place,
    "Cut": Cut,
    "for_end": for_end,
    "loop_count": loop_count,
    "loop_rest": loop_rest,
}

BOUND = frozenset(
    {
        "rt",
        "this_object",
        # operators
        "add",
        "subtract",
        "multiply",
        "divide",
        "modulo",
        # the same where both operands are numbers, not both of them whole, and no divisor is zero
        "add_fraction",
        "subtract_fraction",
        "multiply_fraction",
        "remainder",
        "negate",
        "plus",
        "big",
        "join",
        "fold",
        "equal",
        "less",
        "less_or_equal",
        "greater",
        "greater_or_equal",
        "truth",
        "text",
        # loops
        "for_range",
        "next_number",
        # objects and calls
        "get_index",
        "member_box",
        "element_box",
        "read_only",
        "charged",
        "with_error",
        "unknown_type",
        "no_constructor",
        "new_dynamic",
        # errors
        "caught",
        "handled",
        "raising",
        "raise_again",
        "no_target",
        "unsupported",
        "spent",
        # dynamic code and the line profile
        "evaluate",
        "execute",
        "hit",
    }
)

# Globals of generated code.
GLOBALS: dict[str, Any] = {"__builtins__": {}, **STATIC}
