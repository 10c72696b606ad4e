"""How by-reference arguments travel, and the signal behind ``Перейти``.

A variable that is shared lives in a list of one element. What stands for an element of a collection or a property answers the
same ``box[0]``; a built-in with an output parameter gets a :class:`~scoring.engine.values.model.Ref` instead.
"""

from __future__ import annotations

import sys
from typing import Any

from scoring.engine.values.model import Ref


class ElementBox:
    """``target[index]`` as a by-reference argument: reads and writes go straight to the element."""

    __slots__ = ("_get", "_index", "_set", "_target")

    def __init__(self, target: Any, index: Any, get: Any, put: Any) -> None:
        self._target = target
        self._index = index
        self._get = get
        self._set = put

    def __getitem__(self, position: int) -> Any:
        return self._get(self._target, self._index)

    def __setitem__(self, position: int, value: Any) -> None:
        self._set(self._target, self._index, value)


class Output(Ref):
    """An output argument that the caller reads back after the call."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class BoxOutput(Ref):
    """An output argument that writes into a variable's box."""

    __slots__ = ("_box",)

    def __init__(self, box: Any) -> None:
        self._box = box

    @property
    def value(self) -> Any:
        return self._box[0]

    @value.setter
    def value(self, new: Any) -> None:
        self._box[0] = new


class Jump(BaseException):
    """``Перейти``: passes every ``Попытка`` on its way to the block that holds the label."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


def jump_place(base: int, last: int) -> int:
    """The label that the jump being handled goes to, if it is one of this block's (``base`` < label ≤ ``last``)."""
    jump = sys.exc_info()[1]
    assert isinstance(jump, Jump)
    if base < jump.place <= last:
        return jump.place
    raise jump
