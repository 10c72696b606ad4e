"""Generated Python: the functions of one SELECT, written as text, compiled once per plan, bound anew per execution.

Nothing of the query's text ever enters the generated text: names are ours, values travel as bound variables.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from scoring.engine.metadata.types import TypeDescription
from scoring.engine.query import support

# Parentheses that one generated expression may nest before a part of it becomes a function of its own: CPython's
# tokenizer gives up at 200, each level of ours takes at most three.
HOIST_DEPTH = 24


@dataclass(slots=True)
class Code:
    """A compiled expression: Python text over ``r`` (the row), its static type, whether it may be NULL.

    ``simple`` texts are cheap and free of effects, so they may be written twice. ``fixed``: the same for all rows.
    """

    text: str
    types: TypeDescription
    nullable: bool = True
    simple: bool = False
    fixed: bool = False
    depth: int = 0
    numeric_result: bool = False  # computed by arithmetic: normalise before it leaves the query
    origin: str = ""  # «field» or «parameter» where the expression is nothing else


@dataclass(slots=True)
class Truth:
    """A compiled condition: two texts, true exactly where the condition is true / false (neither where unknown)."""

    true: str
    false: str
    depth: int = 0


@dataclass(slots=True)
class Unit:
    """Functions and bound variables of one SELECT.

    A variable's provider is asked at each execution with the :class:`Execution`; ``functions`` become the tuple that
    ``bind`` returns.
    """

    lines: list[str] = field(default_factory=list)
    names: dict[Any, str] = field(default_factory=dict)
    providers: list[Callable[[Any], Any]] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    code: CodeType | None = None
    counter: int = 0
    hoisting: bool = True

    def variable(self, key: Any, provider: Callable[[Any], Any]) -> str:
        """The name bound to what ``provider`` gives; the same ``key`` shares one variable."""
        found = self.names.get(key)
        if found is None:
            found = self.names[key] = f"v{len(self.variables)}"
            self.variables.append(found)
            self.providers.append(provider)
        return found

    def constant(self, value: Any) -> str:
        return self.variable(("constant", type(value), value if _hashable(value) else id(value)), lambda _: value)

    def function(self, arguments: str, body: str) -> int:
        """Add a function; gives its index in what :meth:`bind` returns."""
        name = self._define(arguments, body)
        self.functions.append(name)
        return len(self.functions) - 1

    def hoisted(self, code: Code, arguments: str) -> Code:
        """``code`` as a call of its own function where it nests too deep."""
        if code.depth < HOIST_DEPTH or not self.hoisting:
            return code
        code.text = f"{self._define(arguments, 'return ' + code.text)}({arguments})"
        code.depth, code.simple = 1, False
        return code

    def hoisted_truth(self, truth: Truth, arguments: str) -> Truth:
        if truth.depth < HOIST_DEPTH or not self.hoisting:
            return truth
        true = f"{self._define(arguments, 'return ' + truth.true)}({arguments})"
        false = f"{self._define(arguments, 'return ' + truth.false)}({arguments})"
        return Truth(true, false, 1)

    def _define(self, arguments: str, body: str) -> str:
        name = f"f{self.counter}"
        self.counter += 1
        self.lines.append(f"    def {name}({arguments}):")
        self.lines += [f"        {line}" for line in body.split("\n")]
        return name

    def finish(self) -> None:
        """Compile; called once, when the plan is complete."""
        head = f"def bind({', '.join(self.variables)}):"
        text = "\n".join([head, *self.lines, f"    return ({', '.join(self.functions)},)" if self.functions else "    return ()"])
        self.code = compile(text, "<query>", "exec")

    def bind(self, execution: Any) -> tuple[Callable[..., Any], ...]:
        """The functions over this execution's parameters and tables."""
        namespace = dict(support.NAMESPACE)
        assert self.code is not None
        exec(self.code, namespace)
        return namespace["bind"](*[provider(execution) for provider in self.providers])  # type: ignore[no-any-return]


_TEMPORARY = re.compile(r"\bt\d+\b")


def canonical(text: str) -> str:
    """``text`` with its temporaries renumbered, so that two translations of one expression compare equal."""
    order: dict[str, str] = {}
    return _TEMPORARY.sub(lambda match: order.setdefault(match.group(), f"t{len(order)}"), text)


def _hashable(value: Any) -> bool:
    return isinstance(value, (str, int, float)) or value is None or type(value).__hash__ is not None
