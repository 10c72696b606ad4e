"""What the scope pass finds out: the module's variables and routines, each routine's locals, what each name means."""

from __future__ import annotations

from dataclasses import dataclass, field

from scoring.engine.compiler import kinds
from scoring.engine.errors import Diagnostic
from scoring.engine.program import ParameterInfo, RoutineInfo, Variable
from scoring.engine.syntax import nodes


@dataclass(slots=True)
class Version:
    """A second body of a routine, for arguments of certain kinds (see ``versions``)."""

    assumed: dict[str, int]  # parameter key → kind
    parameters: list[ParameterInfo]
    returns: int = 0
    used: bool = False  # by a call whose arguments are known to fit

    def fits(self, node: nodes.Call, names: kinds.Names) -> bool:
        """Are the call's arguments known to be of the assumed kinds? What is not known yet fits everything."""
        for index, parameter in enumerate(self.parameters):
            wanted = self.assumed.get(parameter.key)
            if wanted is not None:
                given = node.arguments[index] if index < len(node.arguments) else None
                kind = kinds.literal_kind(parameter.default) if given is None else kinds.infer(given, names)
                if kind & ~wanted:
                    return False
        return True


@dataclass(slots=True)
class RoutineScope:
    """One routine (or the body) under analysis."""

    info: RoutineInfo
    body: list[nodes.Statement]
    locals: dict[str, Variable] = field(default_factory=dict)
    parameters: list[Variable] = field(default_factory=list)
    assigned: set[str] = field(default_factory=set)  # keys of locals that some statement assigns
    sources: list[tuple[str, nodes.Expression | int]] = field(default_factory=list)  # what each assignment stores
    passes: list[tuple[str, str, int]] = field(default_factory=list)  # (variable, callee, parameter index)
    stores: list[tuple[str, nodes.Expression | int]] = field(default_factory=list)  # what arrays behind locals get
    escapes: set[str] = field(default_factory=set)  # locals whose values something else may get hold of
    elements: dict[str, int] = field(default_factory=dict)  # arrays of whose elements all is known, see ``elements``
    walks: list[nodes.ForEach] = field(default_factory=list)
    results: list[nodes.Expression] = field(default_factory=list)  # what Возврат gives
    ends: bool = True  # may execution come to the end of the text?
    returns: dict[str, int] = field(default_factory=dict)  # kinds of the module's routines, shared by all its scopes
    versions: dict[str, Version] = field(default_factory=dict)  # of the module's routines, shared by all its scopes
    has_dynamic: bool = False  # Выполнить or Вычислить
    has_goto: bool = False
    has_try: bool = False
    end_line: int = 0

    def kind_of(self, key: str) -> int:
        """The static kind of a name."""
        variable = self.locals.get(key)
        return kinds.ANY if variable is None else variable.kind

    def element_of(self, key: str) -> int:
        """The static kind of what an array holds."""
        return self.elements.get(key, kinds.ANY)

    def result_of(self, node: nodes.Call) -> int:
        """The static kind of what a call gives."""
        key = nodes.key(node.name)
        own = self.returns.get(key)
        if own is None:
            return kinds.RESULT_KINDS.get(key, kinds.ANY)
        version = self.version_for(node)
        return own if version is None else version.returns

    def version_for(self, node: nodes.Call) -> Version | None:
        """The version of the called routine that the arguments are known to fit."""
        version = self.versions.get(nodes.key(node.name))
        return version if version is not None and version.fits(node, self) else None


@dataclass(slots=True)
class Outer:
    """The surroundings of dynamic code: boxed names that it may use, and a module's routines."""

    names: tuple[str, ...] = ()
    routines: dict[str, RoutineInfo] = field(default_factory=dict)


@dataclass(slots=True)
class ModuleScope:
    """A whole module after the scope pass."""

    dialect: str
    variables: dict[str, Variable] = field(default_factory=dict)
    routines: dict[str, RoutineScope] = field(default_factory=dict)
    body: RoutineScope | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    outer: Outer = field(default_factory=Outer)
    extra: frozenset[str] = frozenset()  # keys of names that the session adds to the global context
    has_dynamic: bool = False
    called: set[str] = field(default_factory=set)  # keys of own routines that the module calls

    def all_scopes(self) -> list[RoutineScope]:
        """The routines in the order of the text, the body last."""
        scopes = list(self.routines.values())
        return [*scopes, self.body] if self.body is not None else scopes

    def routine_info(self, key: str) -> RoutineInfo | None:
        own = self.routines.get(key)
        return own.info if own is not None else self.outer.routines.get(key)

    def find(self, scope: RoutineScope, key: str) -> Variable | None:
        """The variable behind a name, seen from a routine; None where the name means something global."""
        found = scope.locals.get(key)
        return found if found is not None else self.variables.get(key)
