"""Walking slotted dataclass trees, those of modules and those of queries alike, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=256)
def _names(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls))


def walk(root: Any, enter: Callable[[Any], bool] = lambda node: True) -> Iterator[Any]:
    """Every node below and including ``root`` (a node or a sequence of them); a node that ``enter`` refuses is given,
    its children are not."""
    pending = [root]
    while pending:
        item = pending.pop()
        if isinstance(item, (list, tuple)):
            pending.extend(reversed(item))
        elif is_dataclass(item):
            yield item
            if enter(item):
                pending.extend(getattr(item, name) for name in reversed(_names(item.__class__)))
