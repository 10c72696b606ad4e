"""The syntax tree of a module. Plain slotted dataclasses; every node knows the line and column where it begins.

Names keep the spelling of the source; they are compared in the form that :func:`key` gives.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Node:
    line: int
    column: int


# ── expressions ────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Expression(Node):
    pass


@dataclass(slots=True)
class Literal(Expression):
    """``value`` is the engine value itself: None, NULL, bool, int, Decimal, str, datetime."""

    value: Any


@dataclass(slots=True)
class Name(Expression):
    """A variable, or a global property, whichever the scopes say."""

    name: str


@dataclass(slots=True)
class Unary(Expression):
    operator: str  # "-", "+", "not"
    operand: Expression


@dataclass(slots=True)
class Binary(Expression):
    operator: str  # + - * / % = <> < > <= >= and or
    left: Expression
    right: Expression


@dataclass(slots=True)
class Ternary(Expression):
    """``?(condition, then, otherwise)``."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(slots=True)
class Call(Expression):
    """A call of a global or own routine. A skipped argument is ``None`` in ``arguments``."""

    name: str
    arguments: list[Expression | None]


@dataclass(slots=True)
class Member(Expression):
    """``target.name`` read as a property."""

    target: Expression
    name: str


@dataclass(slots=True)
class MethodCall(Expression):
    """``target.name(arguments)``."""

    target: Expression
    name: str
    arguments: list[Expression | None]


@dataclass(slots=True)
class Index(Expression):
    """``target[index]``."""

    target: Expression
    index: Expression


@dataclass(slots=True)
class New(Expression):
    """``Новый Type(arguments)``; ``had_parentheses`` tells ``Новый X`` from ``Новый X()``."""

    type_name: str
    arguments: list[Expression | None]
    had_parentheses: bool = False


@dataclass(slots=True)
class NewDynamic(Expression):
    """``Новый(type, arguments)``: the type's name and the array of arguments are computed."""

    type: Expression
    arguments: Expression | None


@dataclass(slots=True)
class Await(Expression):
    operand: Expression


# ── statements ─────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Statement(Node):
    pass


@dataclass(slots=True)
class Assign(Statement):
    target: Expression  # Name, Member or Index
    value: Expression


@dataclass(slots=True)
class CallStatement(Statement):
    call: Expression  # Call, MethodCall, or Await of one


@dataclass(slots=True)
class Branch(Node):
    """One ``Если``/``ИначеЕсли`` with its body."""

    condition: Expression
    body: list[Statement]


@dataclass(slots=True)
class If(Statement):
    branches: list[Branch]
    otherwise: list[Statement] | None
    otherwise_line: int = 0  # line of Иначе, 0 without one
    end_line: int = 0  # line of КонецЕсли


@dataclass(slots=True)
class While(Statement):
    condition: Expression
    body: list[Statement]
    end_line: int = 0


@dataclass(slots=True)
class For(Statement):
    """``Для variable = start По stop Цикл``."""

    variable: Expression  # Name (1C also allows no other)
    start: Expression
    stop: Expression
    body: list[Statement]
    end_line: int = 0


@dataclass(slots=True)
class ForEach(Statement):
    variable: Expression
    collection: Expression
    body: list[Statement]
    end_line: int = 0


@dataclass(slots=True)
class Try(Statement):
    body: list[Statement]
    handler: list[Statement]
    except_line: int = 0
    end_line: int = 0


@dataclass(slots=True)
class Raise(Statement):
    """``ВызватьИсключение;`` (no arguments) re-raises; with arguments: text, or the call form (text, category, …)."""

    arguments: list[Expression | None] | None
    call_form: bool = False


@dataclass(slots=True)
class Return(Statement):
    value: Expression | None


@dataclass(slots=True)
class Break(Statement):
    pass


@dataclass(slots=True)
class Continue(Statement):
    pass


@dataclass(slots=True)
class Label(Statement):
    name: str


@dataclass(slots=True)
class Goto(Statement):
    label: str


@dataclass(slots=True)
class Execute(Statement):
    """``Выполнить(text)``; ``Вычислить(text)`` is an ordinary :class:`Call`."""

    text: Expression


@dataclass(slots=True)
class AddHandler(Statement):
    """``ДобавитьОбработчик``/``УдалитьОбработчик event, handler``."""

    event: Expression
    handler: Expression
    remove: bool = False


# ── declarations ───────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Annotation(Node):
    """``&Name(Parameter = value, …)``: compile directives and annotations alike."""

    name: str
    parameters: list[tuple[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class Parameter(Node):
    name: str
    by_value: bool = False
    default: Literal | None = None  # a literal (with its sign) as the language demands
    has_default: bool = False
    annotations: list[Annotation] = field(default_factory=list)


@dataclass(slots=True)
class VariableDeclaration(Node):
    name: str
    export: bool = False
    annotations: list[Annotation] = field(default_factory=list)


@dataclass(slots=True)
class Routine(Node):
    """A procedure or a function. ``line`` is the header's, ``end_line`` that of ``КонецФункции``/``КонецПроцедуры``."""

    name: str
    is_function: bool
    parameters: list[Parameter]
    variables: list[VariableDeclaration]
    body: list[Statement]
    export: bool = False
    is_async: bool = False
    annotations: list[Annotation] = field(default_factory=list)
    end_line: int = 0


@dataclass(slots=True)
class Module(Node):
    variables: list[VariableDeclaration]
    routines: list[Routine]
    body: list[Statement]


def key(name: str) -> str:
    """The form under which names are compared: without case."""
    return name.lower()
