"""The scope pass: gives every name its meaning, finds undeclared ones, and decides which variables need a box."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scoring.engine.compiler import kinds
from scoring.engine.compiler.elements import Element, note_method
from scoring.engine.compiler.scopes import ModuleScope, Outer, RoutineScope
from scoring.engine.compiler.settling import Counter, settle_all
from scoring.engine.compiler.sharing import share_by_reference
from scoring.engine.compiler.wording import diagnostic
from scoring.engine.errors import Diagnostic, NotSupported
from scoring.engine.program import ParameterInfo, RoutineInfo, Variable
from scoring.engine.syntax import nodes
from scoring.engine.syntax.keywords import CORE_FUNCTIONS, CORE_TYPES
from scoring.engine.values import members

BODY = "$entry"
THIS_OBJECT = frozenset({"этотобъект", "thisobject"})
DYNAMIC_CALLS = frozenset({"вычислить", "eval"})


def resolve_module(
    tree: nodes.Module, dialect: str, extra: frozenset[str] = frozenset(), outer: Outer | None = None
) -> ModuleScope:
    """Run the pass over a module. Findings are left in ``diagnostics`` in the order in which the genuine compiler
    would come to them; the scope is complete only where there are none."""
    module = ModuleScope(dialect, extra=extra, outer=outer or Outer())
    late: list[Diagnostic] = []
    _declare_variables(module, tree)
    for routine in tree.routines:
        _declare_routine(module, routine)
    for routine in tree.routines:
        scope = module.routines.get(nodes.key(routine.name))
        if scope is not None and scope.body is routine.body:
            _Resolver(module, scope, late).run(routine)
    module.body = _body_scope(tree, module.outer)
    _Resolver(module, module.body, late).run(None)
    module.diagnostics.extend(late)
    if not module.diagnostics:
        share_by_reference(module)
        settle_all(module)
    return module


def _declare_variables(module: ModuleScope, tree: nodes.Module) -> None:
    for declared in tree.variables:
        key = nodes.key(declared.name)
        if key in module.variables:
            module.diagnostics.append(diagnostic(module.dialect, "duplicate_variable", declared, name=declared.name))
        module.variables[key] = Variable(
            declared.name, key, "m_" + key, export=declared.export, is_module=True, kind=kinds.ANY
        )


def _declare_routine(module: ModuleScope, routine: nodes.Routine) -> None:
    if routine.is_async:
        if module.dialect == members.ONESCRIPT:
            module.diagnostics.append(diagnostic(module.dialect, "async_unsupported", None))
            return
        raise NotSupported("Асинх")
    key = nodes.key(routine.name)
    if module.dialect == members.ONESCRIPT and key in CORE_FUNCTIONS:
        module.diagnostics.insert(0, diagnostic(module.dialect, "identifier_expected", routine))
        return
    if key in module.routines:
        module.diagnostics.append(diagnostic(module.dialect, "duplicate_routine", routine, name=routine.name))
        return
    parameters = [
        ParameterInfo(
            p.name, nodes.key(p.name), p.by_value, p.default.value if p.default is not None else None, p.has_default
        )
        for p in routine.parameters
    ]
    info = RoutineInfo(routine.name, key, "f_" + key, routine.is_function, routine.export, parameters, routine.line)
    module.routines[key] = RoutineScope(info, routine.body, end_line=routine.end_line)


def _body_scope(tree: nodes.Module, outer: Outer) -> RoutineScope:
    """The module's body; for dynamic code its parameters are the boxes of the surroundings."""
    scope = RoutineScope(RoutineInfo(BODY, BODY, "f_" + BODY, False, False, [], tree.line), tree.body)
    for name in outer.names:
        key = nodes.key(name)
        scope.locals[key] = Variable(name, key, "v_" + key, boxed=True, kind=kinds.ANY, outer=True)
        scope.parameters.append(scope.locals[key])
    return scope


class _Resolver:
    """Walks one routine in the order of its text."""

    def __init__(self, module: ModuleScope, scope: RoutineScope, late: list[Diagnostic]) -> None:
        self.module = module
        self.scope = scope
        self.late = late
        self.ordered = module.dialect == members.ONESCRIPT
        self.handlers = 0  # handlers of Попытка around the current statement
        self.definite: set[str] | None = set()  # locals assigned on every way to here; None = not reachable

    def run(self, routine: nodes.Routine | None) -> None:
        if routine is not None:
            self._declare(routine)
        if not self.ordered:
            self._predeclare(self.scope.body)
        self.block(self.scope.body)
        self.scope.ends = self.definite is not None
        if self.scope.has_dynamic:
            self.module.has_dynamic = True

    # ── declarations ───────────────────────────────────────────────────────────────────────────────────────────────

    def _declare(self, routine: nodes.Routine) -> None:
        for parameter in routine.parameters:
            variable = self._add_local(parameter.name, parameter)
            if variable is not None:
                variable.kind = kinds.ANY
                self.scope.parameters.append(variable)
                self._define(variable.key)
        for declared in routine.variables:
            variable = self._add_local(declared.name, declared)
            if variable is not None:
                variable.maybe_undefined = True

    def _add_local(self, name: str, node: nodes.Node) -> Variable | None:
        key = nodes.key(name)
        if key in self.scope.locals:
            self._report("duplicate_variable", node, name=name)
            return None
        variable = self.scope.locals[key] = Variable(name, key, "v_" + key)
        return variable

    def _predeclare(self, body: list[nodes.Statement]) -> None:
        """1C: whatever is assigned anywhere in the routine is declared in all of it."""
        for statement in body:
            if isinstance(statement, nodes.Assign | nodes.For | nodes.ForEach):
                target = statement.target if isinstance(statement, nodes.Assign) else statement.variable
                if isinstance(target, nodes.Name):
                    self._writable(target)
            for block in inner_blocks(statement):
                self._predeclare(block)

    def _define(self, key: str) -> None:
        if self.definite is not None:
            self.definite.add(key)

    def _report(self, kind: str, node: nodes.Node | None, **params: Any) -> None:
        self.module.diagnostics.append(diagnostic(self.module.dialect, kind, node, **params))

    # ── names ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _is_global(self, key: str) -> bool:
        return (
            key in self.module.extra
            or key in THIS_OBJECT
            or members.lookup(members.GLOBAL_PROPERTIES, key, self.module.dialect) is not None
        )

    def read(self, node: nodes.Name) -> None:
        """A variable's value goes somewhere."""
        self.scope.escapes.add(nodes.key(node.name))
        self._look(node)

    def _use(self, node: nodes.Expression) -> None:
        """A value is indexed, walked, asked for a method or given back."""
        if isinstance(node, nodes.Name):
            self._look(node)
        else:
            self.expression(node)

    def _look(self, node: nodes.Name) -> None:
        key = nodes.key(node.name)
        variable = self.module.find(self.scope, key)
        if variable is None:
            if not self._is_global(key):
                self._report("symbol_not_found", node, name=node.name)
        elif not (variable.is_module or variable.outer) and self.definite is not None and key not in self.definite:
            variable.maybe_undefined = True

    def _writable(self, node: nodes.Name) -> Variable | None:
        """The variable that an assignment to the name changes; None where it goes to something global."""
        key = nodes.key(node.name)
        variable = self.module.find(self.scope, key)
        if variable is not None:
            return variable
        if self._is_global(key):
            return None
        return self._add_local(node.name, node)

    def write(self, node: nodes.Expression, source: nodes.Expression | int) -> None:
        if not isinstance(node, nodes.Name):
            self.expression(node)
            return
        variable = self._writable(node)
        if variable is not None and not variable.is_module:
            self.scope.assigned.add(variable.key)
            self.scope.sources.append((variable.key, source))
            self._define(variable.key)

    # ── expressions ────────────────────────────────────────────────────────────────────────────────────────────────

    def expression(self, node: nodes.Expression | None) -> None:
        if node is not None:
            handler = _EXPRESSIONS.get(type(node))
            if handler is not None:
                handler(self, node)

    def _binary(self, node: nodes.Binary) -> None:
        first, rest = kinds.left_spine(node)
        self.expression(first)
        for operator, right in rest:
            if operator in kinds.LOGIC:
                before = self._copy()
                self.expression(right)
                self.definite = before
            else:
                self.expression(right)

    def _unary(self, node: nodes.Unary) -> None:
        self.expression(node.operand)

    def _ternary(self, node: nodes.Ternary) -> None:
        self.expression(node.condition)
        self.expression(node.then)
        self.expression(node.otherwise)

    def _member(self, node: nodes.Member) -> None:
        self.expression(node.target)

    def _index(self, node: nodes.Index) -> None:
        self._use(node.target)
        self.expression(node.index)

    def _arguments(self, arguments: list[nodes.Expression | None]) -> None:
        for argument in arguments:
            self.expression(argument)

    def _new(self, node: nodes.New) -> None:
        if self.ordered and node.had_parentheses and nodes.key(node.type_name) in CORE_FUNCTIONS - CORE_TYPES:
            self.module.diagnostics.insert(0, diagnostic(self.module.dialect, "identifier_expected", node))
        self._arguments(node.arguments)

    def _new_dynamic(self, node: nodes.NewDynamic) -> None:
        self.expression(node.type)
        self.expression(node.arguments)

    def _await(self, node: nodes.Await) -> None:
        self.expression(node.operand)

    def _method_call(self, node: nodes.MethodCall) -> None:
        self._use(node.target)
        if isinstance(node.target, nodes.Name):
            note_method(self.scope, nodes.key(node.target.name), node)
        self._arguments(node.arguments)
        outputs = members.BYREF_METHODS.get(nodes.key(node.name), ())
        for index, argument in enumerate(node.arguments):
            if index in outputs and isinstance(argument, nodes.Name):
                self._written_by_callee(nodes.key(argument.name))
            elif index in outputs and isinstance(argument, nodes.Index):
                self._element_passed(argument)

    def _element_passed(self, node: nodes.Index) -> None:
        """The callee may store anything there."""
        if isinstance(node.target, nodes.Name):
            self.scope.escapes.add(nodes.key(node.target.name))

    def _written_by_callee(self, key: str) -> None:
        variable = self.scope.locals.get(key)
        if variable is not None:
            self.scope.assigned.add(key)
            self.scope.sources.append((key, kinds.ANY))

    def call(self, node: nodes.Call, as_function: bool = True) -> None:
        key = nodes.key(node.name)
        info = self.module.routine_info(key)
        if info is not None:
            self._own_call(node, info, as_function)
            return
        if key in DYNAMIC_CALLS:
            self.scope.has_dynamic = True
        entry = members.lookup(members.GLOBAL_FUNCTIONS, key, self.module.dialect)
        if entry is None and key not in DYNAMIC_CALLS:
            self._arguments(node.arguments)
            self.late.append(diagnostic(self.module.dialect, "routine_not_found", node, name=node.name))
            return
        self._arguments(node.arguments)
        if entry is None:
            self._check_count(node, 1, 1, self.module.diagnostics)
            return
        if as_function and not entry.is_function:
            self._report("procedure_as_function", node)
        if self.ordered and key in CORE_FUNCTIONS and None in node.arguments[: entry.minimum]:
            if entry.maximum is None or len(node.arguments) <= entry.maximum:
                self._report("mandatory_argument", node)
        self._check_count(node, entry.minimum, entry.maximum, self.module.diagnostics)

    def _own_call(self, node: nodes.Call, info: RoutineInfo, as_function: bool) -> None:
        self.module.called.add(info.key)
        self._arguments(node.arguments)
        if as_function and not info.is_function:
            self.late.append(diagnostic(self.module.dialect, "procedure_as_function", node))
        self._check_count(node, info.required, len(info.parameters), self.late)
        for index, argument in enumerate(node.arguments[: len(info.parameters)]):
            if isinstance(argument, nodes.Name) and not info.parameters[index].by_value:
                self.scope.passes.append((nodes.key(argument.name), info.key, index))
            elif isinstance(argument, nodes.Index):
                self._element_passed(argument)

    def _check_count(
        self, node: nodes.Call, minimum: int, maximum: int | None, findings: list[Diagnostic]
    ) -> None:
        given = len(node.arguments)
        if given < minimum or (maximum is not None and given > maximum):
            kind = "too_many_arguments" if given >= minimum else "too_few_arguments"
            findings.append(diagnostic(self.module.dialect, kind, node, shift=len(node.name)))

    # ── statements ─────────────────────────────────────────────────────────────────────────────────────────────────

    def block(self, body: list[nodes.Statement]) -> None:
        for statement in body:
            _STATEMENTS[type(statement)](self, statement)

    def _copy(self) -> set[str] | None:
        return None if self.definite is None else set(self.definite)

    def _branch(self, before: set[str] | None, body: list[nodes.Statement]) -> set[str] | None:
        self.definite = None if before is None else set(before)
        self.block(body)
        return self.definite

    def _assign(self, node: nodes.Assign) -> None:
        if not isinstance(node.target, nodes.Name):
            self.expression(node.target)
        self.expression(node.value)
        if isinstance(node.target, nodes.Name):
            self.write(node.target, node.value)
        elif isinstance(node.target, nodes.Index) and isinstance(node.target.target, nodes.Name):
            self.scope.stores.append((nodes.key(node.target.target.name), node.value))

    def _call_statement(self, node: nodes.CallStatement) -> None:
        if isinstance(node.call, nodes.Call):
            key = nodes.key(node.call.name)
            if self.ordered and key in CORE_FUNCTIONS and self.module.routine_info(key) is None:
                found = diagnostic(self.module.dialect, "function_as_procedure", node)
                self.module.diagnostics.insert(0, found)
                return
            self.call(node.call, as_function=False)
        else:
            self.expression(node.call)

    def _if(self, node: nodes.If) -> None:
        ends = []
        for branch in node.branches:
            self.expression(branch.condition)
            before = self._copy()
            ends.append(self._branch(before, branch.body))
            self.definite = before
        if node.otherwise is not None:
            self.block(node.otherwise)
        ends.append(self.definite)
        self.definite = _meet(ends)

    def _while(self, node: nodes.While) -> None:
        self.expression(node.condition)
        before = self._copy()
        self.block(node.body)
        self.definite = before

    def _for(self, node: nodes.For) -> None:
        self.expression(node.start)
        self.expression(node.stop)
        self.write(node.variable, Counter(node.start))
        before = self._copy()
        self.block(node.body)
        self.definite = before

    def _for_each(self, node: nodes.ForEach) -> None:
        self.scope.walks.append(node)
        self._use(node.collection)
        before = self._copy()
        self.write(node.variable, Element(node.collection) if isinstance(node.collection, nodes.Name) else kinds.ANY)
        self.block(node.body)
        self.definite = before

    def _try(self, node: nodes.Try) -> None:
        self.scope.has_try = True
        before = self._copy()
        after = self._branch(before, node.body)
        self.handlers += 1
        handled = self._branch(before, node.handler)
        self.handlers -= 1
        self.definite = _meet([after, handled])

    def _raise(self, node: nodes.Raise) -> None:
        self._arguments(node.arguments or [])
        self.definite = None
        if node.arguments is None and not self.handlers:
            after = nodes.Node(node.line + 1, 0)
            found = diagnostic(self.module.dialect, "raise_outside_handler", after if self.ordered else node)
            self.module.diagnostics.insert(0, found)

    def _return(self, node: nodes.Return) -> None:
        if node.value is not None:
            self._use(node.value)
        if node.value is not None:
            self.scope.results.append(node.value)
        self.definite = None

    def _jump(self, node: nodes.Statement) -> None:
        self.definite = None

    def _goto(self, node: nodes.Statement) -> None:
        if self.ordered:
            self._report("goto_unsupported", None)
        self.scope.has_goto = True

    def _execute(self, node: nodes.Execute) -> None:
        self.expression(node.text)
        self.scope.has_dynamic = True

    def _add_handler(self, node: nodes.AddHandler) -> None:
        self.expression(node.event)
        self.expression(node.handler)


def _meet(ends: list[set[str] | None]) -> set[str] | None:
    reachable = [end for end in ends if end is not None]
    return set.intersection(*reachable) if reachable else None


def inner_blocks(statement: nodes.Statement) -> list[list[nodes.Statement]]:
    """The blocks of statements directly inside a statement."""
    if isinstance(statement, nodes.If):
        blocks = [branch.body for branch in statement.branches]
        return [*blocks, statement.otherwise] if statement.otherwise else blocks
    if isinstance(statement, nodes.While | nodes.For | nodes.ForEach):
        return [statement.body]
    if isinstance(statement, nodes.Try):
        return [statement.body, statement.handler]
    return []


_EXPRESSIONS: dict[type, Callable[[_Resolver, Any], None]] = {
    nodes.Name: _Resolver.read,
    nodes.Unary: _Resolver._unary,
    nodes.Binary: _Resolver._binary,
    nodes.Ternary: _Resolver._ternary,
    nodes.Call: _Resolver.call,
    nodes.Member: _Resolver._member,
    nodes.MethodCall: _Resolver._method_call,
    nodes.Index: _Resolver._index,
    nodes.New: _Resolver._new,
    nodes.NewDynamic: _Resolver._new_dynamic,
    nodes.Await: _Resolver._await,
}

_STATEMENTS: dict[type, Callable[[_Resolver, Any], None]] = {
    nodes.Assign: _Resolver._assign,
    nodes.CallStatement: _Resolver._call_statement,
    nodes.If: _Resolver._if,
    nodes.While: _Resolver._while,
    nodes.For: _Resolver._for,
    nodes.ForEach: _Resolver._for_each,
    nodes.Try: _Resolver._try,
    nodes.Raise: _Resolver._raise,
    nodes.Return: _Resolver._return,
    nodes.Break: _Resolver._jump,
    nodes.Continue: _Resolver._jump,
    nodes.Label: _Resolver._goto,
    nodes.Goto: _Resolver._goto,
    nodes.Execute: _Resolver._execute,
    nodes.AddHandler: _Resolver._add_handler,
}
