"""How the sources of a SELECT are joined: which conditions filter a table while it is scanned, which become hash keys, which
are left for the joined rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from scoring.engine.query import tree
from scoring.engine.query.codegen import Code, Truth
from scoring.engine.query.conditions import SectionUsed
from scoring.engine.query.plans import JoinStep, Leaf
from scoring.engine.query.shapes import shape_of
from scoring.engine.query.sources import JoinShape
from scoring.engine.query.translate import Translator


def conjuncts(node: tree.Node | None) -> list[tree.Node]:
    """The conditions that must all hold."""
    if node is None:
        return []
    if isinstance(node, tree.Logic) and node.operator == "И":
        return [part for item in node.items for part in conjuncts(item)]
    return [node]


@dataclass(slots=True)
class Keys:
    """Pairs of equal expressions: left and right of a join, with the shape of their common keys."""

    pairs: list[tuple[tree.Node, tree.Node, str]] = field(default_factory=list)


class JoinPlanner:
    """Plans FROM and WHERE of one SELECT."""

    def __init__(self, translator: Translator, shapes: list[JoinShape], where: list[tree.Node]) -> None:
        self.translator = translator
        self.scope = translator.scope
        self.unit = translator.unit
        self.shapes = shapes
        self.where = where
        self.multiple = len(self.scope.sources) > 1

    def plan(self) -> tuple[Leaf | JoinStep | None, int]:
        """The tree of steps and the function that filters its rows (−1: none)."""
        if not self.shapes:
            return None, self._filter(self.where, None)
        leaves: dict[int, Leaf] = {}
        step = self._step(self.shapes[0], leaves)
        rest = self._pushed(self.where, leaves)
        for shape in self.shapes[1:]:
            right = self._step(shape, leaves)
            rest = self._pushed(rest, leaves)
            step, rest = self._combined(step, right, rest)
        rest = self._pushed(rest, leaves)
        return step, self._filter(rest, step)

    # -- layouts ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def layout(self, leaf: bool, base: int) -> Iterator[None]:
        """Translate for rows of one table (``leaf``) or tuples of rows that begin with slot ``base``."""
        kept = self.scope.leaf, self.scope.base, self.scope.touched
        self.scope.leaf, self.scope.base, self.scope.touched = leaf, base, set()
        try:
            yield
        finally:
            self.scope.leaf, self.scope.base, self.scope.touched = kept

    def touched(self, node: tree.Node) -> set[int]:
        """The slots whose fields a condition reads."""
        with self.layout(not self.multiple, 0):
            self._translate(node)
            return set(self.scope.touched)

    def _translate(self, node: tree.Node) -> Truth:
        return self.translator.truth(node)

    def _code(self, node: tree.Node, step: Leaf | JoinStep) -> Code:
        with self.layout(not self.multiple, step.first):
            return self.translator.value(node)

    # -- leaves ----------------------------------------------------------------------------------------------------------

    def _step(self, shape: JoinShape, leaves: dict[int, Leaf]) -> Leaf | JoinStep:
        if shape.source is not None:
            source = shape.source
            leaf = Leaf(source.origin, source.slot, len(source.fields), self.multiple, [], shape.first, shape.last)
            if not source.nullable:
                leaves[source.slot] = leaf
            else:
                leaves.setdefault(-1 - source.slot, leaf)
            return leaf
        assert shape.left is not None and shape.right is not None
        left, right = self._step(shape.left, leaves), self._step(shape.right, leaves)
        return self._join(shape.kind, left, right, conjuncts(shape.condition), leaves)

    def _pushed(self, conditions: list[tree.Node], leaves: dict[int, Leaf]) -> list[tree.Node]:
        """Move conditions on one table into its scan; gives the rest. Tables that an outer join may leave out keep all
        their rows: what WHERE says of them is asked of the joined rows."""
        rest = []
        for node in conditions:
            slots = self.touched(node)
            if len(slots) == 1 and (leaf := leaves.get(next(iter(slots)))) is not None:
                self._push(node, leaf)
            else:
                rest.append(node)
        return rest

    def _push(self, node: tree.Node, leaf: Leaf) -> None:
        with self.layout(True, leaf.slot):
            leaf.filters.append(self._row_filter([self._translate(node)]))

    def _row_filter(self, truths: list[Truth]) -> int:
        text = " and ".join(truth.true for truth in truths)
        return self.unit.function("rows", f"return [r for r in rows if {text}]")

    def _filter(self, conditions: list[tree.Node], step: Leaf | JoinStep | None) -> int:
        if not conditions:
            return -1
        with self.layout(not self.multiple, 0):
            return self._row_filter([self._translate(node) for node in conditions])

    # -- joins -----------------------------------------------------------------------------------------------------------

    def _join(
        self, kind: str, left: Leaf | JoinStep, right: Leaf | JoinStep, conditions: list[tree.Node], leaves: dict[int, Leaf]
    ) -> JoinStep:
        step = JoinStep(kind, left, right, first=left.first, last=right.last)
        residual: list[tree.Node] = []
        keys = Keys()
        for node in conditions:
            if self._take_key(node, left, right, keys):
                continue
            slots = self.touched(node)
            inner_leaf = self._filtered_leaf(kind, slots, left, right)
            if inner_leaf is not None:
                self._push(node, inner_leaf)
            else:
                residual.append(node)
        self._set_keys(step, keys)
        if residual:
            with self.layout(False, step.first):
                step.residual = self._row_filter([self._translate(node) for node in residual])
        return step

    @staticmethod
    def _filtered_leaf(kind: str, slots: set[int], left: Leaf | JoinStep, right: Leaf | JoinStep) -> Leaf | None:
        """The table that a join's condition on one table alone may filter beforehand: never one whose rows must stay."""
        if len(slots) != 1:
            return None
        slot = next(iter(slots))
        sides = {"inner": (left, right), "left": (right,), "right": (left,), "full": ()}[kind]
        for side in sides:
            if isinstance(side, Leaf) and side.slot == slot:
                return side
        return None

    def _combined(
        self, left: Leaf | JoinStep, right: Leaf | JoinStep, where: list[tree.Node]
    ) -> tuple[JoinStep, list[tree.Node]]:
        """The product of two comma-separated parts, with equalities of WHERE as keys."""
        step = JoinStep("inner", left, right, first=left.first, last=right.last)
        keys = Keys()
        rest = [node for node in where if not self._take_key(node, left, right, keys)]
        self._set_keys(step, keys)
        return step, rest

    def _take_key(self, node: tree.Node, left: Leaf | JoinStep, right: Leaf | JoinStep, keys: Keys) -> bool:
        if not isinstance(node, tree.Compare) or node.operator != "=":
            return False
        with self.layout(not self.multiple, 0):
            try:
                one = self.translator.value(node.left)
                first, self.scope.touched = self.scope.touched, set()
                other = self.translator.value(node.right)
            except SectionUsed:  # a condition on any row of a tabular section is no equality
                return False
            second = self.scope.touched
        shapes = shape_of(one.types), shape_of(other.types)
        shape = shapes[0] if shapes[0] == shapes[1] else "m"
        if "u" in shapes:
            return False
        if _within(first, left) and _within(second, right):
            keys.pairs.append((node.left, node.right, shape))
        elif _within(first, right) and _within(second, left):
            keys.pairs.append((node.right, node.left, shape))
        else:
            return False
        return True

    def _set_keys(self, step: JoinStep, keys: Keys) -> None:
        if keys.pairs:
            step.left_keys = self._key_function([(node, shape) for node, _, shape in keys.pairs], step.left)
            step.right_keys = self._key_function([(node, shape) for _, node, shape in keys.pairs], step.right)

    def _key_function(self, parts: list[tuple[tree.Node, str]], step: Leaf | JoinStep) -> int:
        """Rows → keys; NULL for a row that can match nothing."""
        texts, guards = [], []
        for node, shape in parts:
            code = self._code(node, step)
            first, later = self.translator.twice(code)
            if code.nullable and len(parts) > 1:
                guards.append(f"{first} is NULL")
                code = Code(later, code.types, True, simple=True)
            texts.append(self.translator.key_text(code, shape))
        text = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
        if guards:
            text = f"(NULL if {' or '.join(guards)} else {text})"
            # A guard that stops early leaves later temporaries unset, but then the key is not built either.
        return self.unit.function("rows", f"return [{text} for r in rows]")


def _within(slots: set[int], step: Leaf | JoinStep) -> bool:
    return bool(slots) and all(step.first <= slot <= step.last for slot in slots)
