"""Regular expressions: tree → program → search, with a bound on the work.

The machine backtracks over an explicit stack and counts its steps, so that a pattern like ``(a+)+$`` ends in
:class:`LimitReached` instead of hanging, and after the same number of steps on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from scoring.engine.errors import LimitReached, NotSupported
from scoring.engine.runtime.builtins.regex.syntax import Parser, RegexError, Tree, is_word

# Steps one call of a built-in may take: some seconds of work; ordinary searches take a few thousand.
MOST_STEPS = 2_000_000
# Instructions of one program: counted repetitions are written out.
MOST_INSTRUCTIONS = 50_000

Instruction = tuple[Any, ...]
Captures = tuple[int, ...]

# Work (see Runtime.work) of one step, and of a search beside its steps.
STEP_WORK = 50
SEARCH_WORK = 500


class Budget:
    """Steps left, shared by all searches of one call; the run ``rt`` bears their work."""

    __slots__ = ("left", "rt")

    def __init__(self, rt: Any) -> None:
        self.left = MOST_STEPS
        self.rt = rt

    def spend(self, steps: int) -> None:
        self.left -= steps
        self.rt.work(SEARCH_WORK + steps * STEP_WORK)
        if self.left < 0:
            raise LimitReached("operations", MOST_STEPS)


@dataclass(frozen=True)
class Match:
    """``spans[n]`` = (start, end) of group n, (−1, −1) where it took no part; group 0 is the whole match."""

    text: str
    spans: tuple[tuple[int, int], ...]

    @property
    def start(self) -> int:
        return self.spans[0][0]

    @property
    def end(self) -> int:
        return self.spans[0][1]

    def group(self, number: int) -> str:
        start, end = self.spans[number]
        return self.text[start:end] if start >= 0 else ""


class _Compiler:
    def __init__(self, registers: int) -> None:
        self.code: list[Instruction] = []
        self.registers = registers

    def add(self, *instruction: Any) -> int:
        if len(self.code) >= MOST_INSTRUCTIONS:
            raise NotSupported("РегулярноеВыражение {n,m}")
        self.code.append(instruction)
        return len(self.code) - 1

    def emit(self, tree: Tree) -> None:
        getattr(self, "emit_" + tree[0])(*tree[1:])

    def emit_set(self, test: Any) -> None:
        self.add("set", test)

    def emit_at(self, place: str) -> None:
        self.add("at", place)

    def emit_back(self, number: int) -> None:
        self.add("back", number)

    def emit_cat(self, items: list[Tree]) -> None:
        for item in items:
            self.emit(item)

    def emit_alt(self, branches: list[Tree]) -> None:
        exits = []
        for branch in branches[:-1]:
            fork = self.add("fork", 0, 0)
            self.emit(branch)
            exits.append(self.add("jump", 0))
            self.code[fork] = ("fork", fork + 1, len(self.code))
        self.emit(branches[-1])
        for jump in exits:
            self.code[jump] = ("jump", len(self.code))

    def emit_group(self, number: int, item: Tree) -> None:
        self.add("save", 2 * number)
        self.emit(item)
        self.add("save", 2 * number + 1)

    def emit_look(self, item: Tree, ahead: bool, negative: bool) -> None:
        look = self.add("look")
        self.emit(item)
        self.add("done")
        self.code[look] = ("look", look + 1, len(self.code), ahead, negative)

    def emit_atomic(self, item: Tree) -> None:
        atomic = self.add("atomic")
        self.emit(item)
        self.add("done")
        self.code[atomic] = ("atomic", atomic + 1, len(self.code))

    def emit_repeat(self, item: Tree, least: int, most: int | None, greedy: bool) -> None:
        if item[0] == "set":
            self.add("run" if greedy else "lazy", item[1], least, most)
            return
        for _ in range(least):
            self.emit(item)
        if most is None:
            self._loop(item, greedy)
            return
        forks = []
        for _ in range(most - least):
            forks.append(self.add("fork", 0, 0))
            self.emit(item)
        for fork in forks:
            self.code[fork] = self._fork(fork + 1, len(self.code), greedy)

    def _loop(self, item: Tree, greedy: bool) -> None:
        """Go round while the item matches; a round that consumes nothing ends the loop."""
        register = self.registers
        self.registers += 1
        fork = self.add("fork", 0, 0)
        self.add("save", register)
        self.emit(item)
        moved = self.add("moved", register, 0)
        self.add("jump", fork)
        self.code[moved] = ("moved", register, len(self.code))
        self.code[fork] = self._fork(fork + 1, len(self.code), greedy)

    @staticmethod
    def _fork(inside: int, outside: int, greedy: bool) -> Instruction:
        return ("fork", inside, outside) if greedy else ("fork", outside, inside)


class Regex:
    """A compiled pattern; raises :class:`RegexError` where it is wrong."""

    def __init__(self, pattern: str, *, ignore_case: bool, multiline: bool, net: bool) -> None:
        parser = Parser(pattern, net, ignore_case=ignore_case, multiline=multiline)
        try:
            tree = parser.parse()
        except RegexError as error:
            error.offset = parser.position
            raise
        self.groups = parser.groups
        self.names = parser.names
        compiler = _Compiler(2 * (self.groups + 1))
        compiler.emit(tree)
        compiler.add("done")
        self.code = compiler.code
        self.registers = compiler.registers
        self.ignore_case = ignore_case

    def match_at(self, text: str, position: int, budget: Budget) -> Match | None:
        """The match that begins at ``position``, or None."""
        found = _run(self.code, 0, text, position, (-1,) * self.registers, budget, self.ignore_case)
        if found is None:
            return None
        end, captures = found
        spans = [(position, end)]
        for number in range(1, self.groups + 1):
            start, stop = captures[2 * number], captures[2 * number + 1]
            spans.append((start, stop) if stop >= 0 else (-1, -1))
        return Match(text, tuple(spans))

    def search(self, text: str, start: int, budget: Budget) -> Match | None:
        """The first match at or after ``start``."""
        for position in range(start, len(text) + 1):
            found = self.match_at(text, position, budget)
            if found is not None:
                return found
        return None

    def find_all(self, text: str, start: int, budget: Budget) -> Iterator[Match]:
        """Matches from left to right without overlap; after an empty one the search moves on by a character."""
        while start <= len(text):
            found = self.search(text, start, budget)
            if found is None:
                return
            yield found
            start = found.end if found.end > found.start else found.end + 1

    def full_match(self, text: str, budget: Budget) -> bool:
        code = [*self.code[:-1], ("at", "end"), ("done",)]
        return _run(code, 0, text, 0, (-1,) * self.registers, budget, self.ignore_case) is not None


@lru_cache(maxsize=256)
def compile_regex(pattern: str, ignore_case: bool, multiline: bool, net: bool) -> Regex:
    """The pattern by the rules of .NET (``net``) or those of 1C; kept for the next time."""
    return Regex(pattern, ignore_case=ignore_case, multiline=multiline, net=net)


def _at(place: str, text: str, position: int) -> bool:
    size = len(text)
    if place == "start":
        return position == 0
    if place == "end":
        return position == size
    if place == "end_line":
        return position == size or (position == size - 1 and text[position] == "\n")
    if place == "line_start":
        return position == 0 or text[position - 1] == "\n"
    if place == "line_end":
        return position == size or text[position] == "\n"
    before = position > 0 and is_word(text[position - 1])
    after = position < size and is_word(text[position])
    return (before != after) == (place == "word")


def _run(
    code: list[Instruction],
    start: int,
    text: str,
    position: int,
    captures: Captures,
    budget: Budget,
    ignore_case: bool,
) -> tuple[int, Captures] | None:
    """Run from instruction ``start`` to ``done``: (end, captures), or None where nothing matches.

    The stack holds alternatives (instruction, position, captures, lowest, step): with ``lowest`` ≥ 0 the position may
    still move by ``step`` towards that bound (the choices of a run of single characters).
    """
    size = len(text)
    stack: list[tuple[int, int, Captures, int]] = []
    pc = start
    steps = 0
    while True:
        steps += 1
        if steps & 0x3FF == 0:
            budget.spend(0x400)
        instruction = code[pc]
        op = instruction[0]
        ok = True
        if op == "set":
            ok = position < size and instruction[1](text[position])
            position += 1
            pc += 1
        elif op == "run" or op == "lazy":
            _, test, least, most = instruction
            limit = size if most is None else min(size, position + most)
            low = position + least
            if op == "run":
                end = position
                while end < limit and test(text[end]):
                    end += 1
                budget.spend((end - position) >> 3)
                ok = end >= low
                if end > low:
                    stack.append((pc + 1, end - 1, captures, low))
                position = end
                pc += 1
            else:
                end = position
                while end < low and end < limit and test(text[end]):
                    end += 1
                ok = end >= low
                if ok and end < limit and test(text[end]):
                    rest = None if most is None else most - least - 1
                    stack.append((~pc, end + 1, captures, -1 if rest is None else rest))
                position = end
                pc += 1
        elif op == "fork":
            stack.append((instruction[2], position, captures, -1))
            pc = instruction[1]
        elif op == "jump":
            pc = instruction[1]
        elif op == "save":
            register = instruction[1]
            captures = (*captures[:register], position, *captures[register + 1 :])
            pc += 1
        elif op == "moved":
            pc = instruction[2] if captures[instruction[1]] == position else pc + 1
        elif op == "at":
            ok = _at(instruction[1], text, position)
            pc += 1
        elif op == "back":
            ok, position = _back_reference(instruction[1], text, position, captures, ignore_case)
            pc += 1
        elif op == "done":
            budget.spend(steps & 0x3FF)
            return position, captures
        else:
            ok, position, captures, pc = _nested(code, instruction, text, position, captures, budget, ignore_case)
        if ok:
            continue
        if not stack:
            budget.spend(steps & 0x3FF)
            return None
        pc, position, captures, bound = stack.pop()
        if pc < 0:
            pc = _lazier(code, ~pc, text, position, captures, bound, stack)
        elif bound >= 0 and position > bound:
            stack.append((pc, position - 1, captures, bound))


def _lazier(
    code: list[Instruction], pc: int, text: str, position: int, captures: Captures, rest: int, stack: list[Any]
) -> int:
    """One more character for a lazy run that has taken those before ``position``; ``rest`` more may follow (−1: any)."""
    test = code[pc][1]
    if rest != 0 and position < len(text) and test(text[position]):
        stack.append((~pc, position + 1, captures, rest - 1 if rest > 0 else -1))
    return pc + 1


def _back_reference(
    number: int, text: str, position: int, captures: Captures, ignore_case: bool
) -> tuple[bool, int]:
    if 2 * number + 1 >= len(captures) or captures[2 * number + 1] < 0:
        return False, position
    wanted = text[captures[2 * number] : captures[2 * number + 1]]
    found = text[position : position + len(wanted)]
    same = found == wanted or (ignore_case and found.lower() == wanted.lower())
    return same, position + len(wanted)


def _nested(
    code: list[Instruction],
    instruction: Instruction,
    text: str,
    position: int,
    captures: Captures,
    budget: Budget,
    ignore_case: bool,
) -> tuple[bool, int, Captures, int]:
    """Look-around and atomic groups: (matched, position, captures, next instruction)."""
    inside, after = instruction[1], instruction[2]
    if instruction[0] == "atomic":
        found = _run(code, inside, text, position, captures, budget, ignore_case)
        return (found is not None, *(found or (position, captures)), after)
    ahead, negative = instruction[3], instruction[4]
    if ahead:
        found = _run(code, inside, text, position, captures, budget, ignore_case)
    else:
        found = _look_behind(code, inside, text, position, captures, budget, ignore_case)
    matched = (found is None) if negative else (found is not None)
    kept = found[1] if found is not None and not negative else captures
    return matched, position, kept, after


def _look_behind(
    code: list[Instruction], inside: int, text: str, position: int, captures: Captures, budget: Budget, ignore_case: bool
) -> tuple[int, Captures] | None:
    """Some match that ends exactly at ``position``, the shortest one first."""
    head = text[:position]
    for start in range(position, -1, -1):
        found = _run(code, inside, head, start, captures, budget, ignore_case)
        if found is not None and found[0] == position:
            return found
    return None
