"""Assembling a module: routines inside one factory, compiled once, instantiated as often as wanted.

Generated code looks like this (``left`` is the run's countdown, a cell that all modules of a session share)::

    def outer(left):
        def factory(add, rt, …, k0, …):
            m_счётчик = None
            def f_имя(v_параметр):
                nonlocal left
                if (left := left - 3) < 0: spent()
                …
            return (f_имя, …), …accessors of module variables…
        return factory
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from types import CodeType

from scoring.engine.compiler import emit, kinds
from scoring.engine.compiler.calls import special_name
from scoring.engine.compiler.counting import LEFT
from scoring.engine.compiler.pairs import bare_variables
from scoring.engine.compiler.resolve import BODY, resolve_module
from scoring.engine.compiler.scopes import ModuleScope, Outer, RoutineScope
from scoring.engine.compiler.settling import settle_kinds
from scoring.engine.compiler.statements import StatementGenerator
from scoring.engine.errors import CompileFailed
from scoring.engine.program import Options, Program
from scoring.engine.syntax import nodes


@dataclass(frozen=True, slots=True)
class Bodies:
    """What is generated of a routine before it is known how the module calls it."""

    scope: RoutineScope
    general: list[ast.stmt]
    special: list[ast.stmt] | None
    prologue: list[ast.stmt]


class RoutineGenerator(StatementGenerator):
    """Generates routines; one instance serves a whole module, so that bound names and constants are shared."""

    def __init__(self, module: ModuleScope, options: Options) -> None:
        super().__init__()
        self.module = module
        self.options = options
        self.dialect = options.dialect
        self.counted = options.counted
        self.profile = options.profile
        self.routines_used: set[str] = set()
        self.generally_used: set[str] = set()
        self.written: set[str] = set()
        self.extra_used: set[str] = set()
        self.spellings: dict[tuple[int, str], str] = {}
        self.profiled: dict[str, set[int]] = {}

    def routine(self, scope: RoutineScope) -> Bodies:
        """The bodies of one routine: the general one, and that of its version."""
        self.scope = scope
        self.written = set()
        self._slots = 0
        self.depth = 0
        self.charges = False
        self.line = scope.info.line
        self.labels = {}
        self.bare = bare_variables(scope, self.is_quiet) if scope.walks else frozenset()
        version = None if self.profile else scope.versions.get(scope.info.key)
        general = self._body(scope)
        special = self._special(scope, version.assumed) if version is not None else None
        return Bodies(scope, general, special, self._prologue(scope))

    def functions(self, bodies: Bodies) -> list[ast.stmt]:
        """The functions of one routine, once it is known how the module calls it."""
        scope, info = bodies.scope, bodies.scope.info
        self.line = info.line
        body, result = bodies.general, []
        version = scope.versions.get(info.key)
        if bodies.special is not None and version is not None:
            if version.used:
                result.append(self._function(scope, special_name(info), bodies.prologue, bodies.special))
            if info.export or not version.used or info.key in self.generally_used:
                body = [self._chosen(scope, version.assumed, bodies.special, body)]
        return [*result, self._function(scope, info.python, bodies.prologue, body)]

    def _function(self, scope: RoutineScope, name: str, prologue: list[ast.stmt], body: list[ast.stmt]) -> ast.stmt:
        parameters = [variable.python for variable in scope.parameters]
        return self.function(name, parameters, [*prologue, *body] or [self.at(emit.Pass())])

    def _body(self, scope: RoutineScope) -> list[ast.stmt]:
        self.counted_line = 0
        body = self.block(scope.body, 1 if scope.end_line else 0)
        self._enter(body)
        if self.profile and scope.end_line:
            self.line = scope.end_line
            body += self.hit(scope.end_line)
        self.line = scope.info.line
        return body

    def _special(self, scope: RoutineScope, assumed: dict[str, int]) -> list[ast.stmt]:
        """The body for arguments of the assumed kinds, without guards around them."""
        for key, kind in assumed.items():
            scope.locals[key].kind = kind
        settle_kinds(scope, assumed)
        return self._body(scope)

    def _chosen(
        self, scope: RoutineScope, assumed: dict[str, int], special: list[ast.stmt], general: list[ast.stmt]
    ) -> ast.stmt:
        """``if`` the arguments are of the types that the version works with: its body, else the general one."""
        tests = [
            self.type_is(self.name(scope.locals[key].python), "int" if kinds.is_int(kind) else "Array")
            for key, kind in assumed.items()
        ]
        return self.branch(self.all_of(*tests), special, general)

    def _enter(self, body: list[ast.stmt]) -> None:
        self.line = self.scope.info.line
        self.guard(body)

    def _prologue(self, scope: RoutineScope) -> list[ast.stmt]:
        shared = sorted(self.written)
        if self.charges:
            shared.append(LEFT)
        start: list[ast.stmt] = [self.at(emit.Nonlocal(shared))] if shared else []
        out = {parameter.key for parameter in scope.info.parameters if parameter.out}
        for variable in scope.locals.values():
            is_parameter = variable in scope.parameters
            if variable.boxed and is_parameter and variable.key not in out and not variable.outer:
                start.append(self.assign(variable.python, self.list_of(self.name(variable.python))))
            elif variable.boxed and not is_parameter:
                start.append(self.assign(variable.python, self.list_of(self.constant(None))))
            elif variable.maybe_undefined and not is_parameter:
                start.append(self.assign(variable.python, self.constant(None)))
        if scope.has_try:
            start.append(self.assign("error_", self.constant(None)))
        if self.profile:
            start.append(self.assign("line_", self.constant(0)))
        return start


def compile_module(tree: nodes.Module, name: str, filename: str, lines: tuple[str, ...], options: Options) -> Program:
    """Compile a parsed module; raises :class:`CompileFailed` with all findings of the scope pass."""
    module = resolve_module(tree, options.dialect, options.extra)
    if module.diagnostics:
        raise CompileFailed(module.diagnostics)
    generator = RoutineGenerator(module, options)
    scopes = list(module.routines.values())
    assert module.body is not None
    bodies = [generator.routine(scope) for scope in [*scopes, module.body]]
    functions = [function for routine in bodies for function in generator.functions(routine)]
    routine_names = [scope.info.python for scope in scopes] + [module.body.info.python]
    generator.line = tree.line
    factory = [*_module_variables(generator), *functions, *_accessors(generator)]
    factory.append(_factory_result(generator, routine_names))
    return _finish(generator, factory, name, filename, lines)


def _module_variables(generator: RoutineGenerator) -> list[ast.stmt]:
    result = []
    for variable in generator.module.variables.values():
        empty = generator.constant(None)
        result.append(generator.assign(variable.python, generator.list_of(empty) if variable.boxed else empty))
    return result


def _accessors(generator: RoutineGenerator) -> list[ast.stmt]:
    """Getter and setter of each module variable that does not live in a box."""
    result: list[ast.stmt] = []
    for variable in generator.module.variables.values():
        if variable.boxed:
            continue
        get = [generator.at(emit.Return(generator.name(variable.python)))]
        put = [
            generator.at(emit.Nonlocal([variable.python])),
            generator.assign(variable.python, generator.name("value")),
        ]
        result.append(generator.function("get_" + variable.key, [], get))
        result.append(generator.function("set_" + variable.key, ["value"], put))
    return result


def _factory_result(generator: RoutineGenerator, routines: list[str]) -> ast.stmt:
    """``return (functions…), (box or (getter, setter) of each module variable…)``."""
    doors = []
    for variable in generator.module.variables.values():
        if variable.boxed:
            doors.append(generator.name(variable.python))
        else:
            get, put = generator.name("get_" + variable.key), generator.name("set_" + variable.key)
            doors.append(generator.tuple_of(get, put))
    functions = generator.tuple_of(*(generator.name(name) for name in routines))
    return generator.at(emit.Return(generator.tuple_of(functions, generator.tuple_of(*doors))))  # type: ignore[no-any-return]


def _finish(
    generator: RoutineGenerator, body: list[ast.stmt], name: str, filename: str, lines: tuple[str, ...]
) -> Program:
    module, options = generator.module, generator.options
    bound = tuple(sorted(generator.bound))
    extra = tuple(sorted(key for key in module.extra))
    functions = tuple(sorted(key for key in generator.routines_used if key not in module.routines))
    parameters = [*bound]
    parameters += ["g_" + key for key in extra]
    parameters += ["f_" + key for key in functions]
    parameters += [f"k{index}" for index in range(len(generator.constants))]
    generator.line = 1
    factory = generator.function("factory", parameters, body)
    outer = generator.function("outer", [LEFT], [factory, generator.at(emit.Return(generator.name("factory")))])
    code = compile(ast.Module([outer], []), filename, "exec", dont_inherit=True)
    infos = {key: scope.info for key, scope in module.routines.items()}
    names = {info.python: info.name for info in infos.values()}
    names |= {special_name(info): info.name for info in infos.values()}
    names["f_" + BODY] = ""
    return Program(
        name=name,
        filename=filename,
        code=_inner(_inner(code, "outer"), "factory"),
        bound=bound,
        extra=extra,
        functions=functions,
        constants=tuple(generator.constants),
        routines=infos,
        variables=module.variables,
        options=options,
        lines=lines,
        spellings=generator.spellings,
        names=names,
        profiled=generator.profiled,
        has_dynamic=module.has_dynamic,
    )


def _inner(code: CodeType, name: str) -> CodeType:
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and constant.co_name == name:
            return constant
    raise KeyError(name)


# ── dynamic code ───────────────────────────────────────────────────────────────────────────────────────────────────


def compile_dynamic(
    tree: nodes.Expression | list[nodes.Statement],
    filename: str,
    lines: tuple[str, ...],
    options: Options,
    outer: Outer,
    keep_locals: bool = False,
) -> Program:
    """Code that runs amid given variables: its function takes their boxes in the order of ``outer.names``.

    An expression's function gives its value. With ``keep_locals`` the function gives the boxes of the variables that the
    code itself brought in, by name.
    """
    body: list[nodes.Statement]
    if isinstance(tree, list):
        body = tree
    else:
        body = [nodes.Return(tree.line, tree.column, tree)]
    module = resolve_module(nodes.Module(1, 1, [], [], body), options.dialect, options.extra, outer)
    if module.diagnostics:
        raise CompileFailed(module.diagnostics)
    generator = RoutineGenerator(module, options)
    scope = module.body
    assert scope is not None
    new = [v for v in scope.locals.values() if not v.outer]
    if keep_locals:
        for variable in new:
            variable.boxed = True
    function = generator.functions(generator.routine(scope))[-1]
    assert isinstance(function, ast.FunctionDef)
    if keep_locals:
        boxes = generator.dictionary([(v.name, generator.name(v.python)) for v in new])
        function.body.append(generator.at(emit.Return(boxes)))
    factory = [function, generator.at(emit.Return(generator.name(scope.info.python)))]
    program = _finish(generator, factory, "", filename, lines)
    program.has_lines = isinstance(tree, list)
    return program
