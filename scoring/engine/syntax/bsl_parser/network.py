"""From the grammar to a network of states (for look-ahead and recovery) and to code for the parser.

Both are built together, once per process: the parser runs the code, and every instruction knows its state in the
network, by which expected tokens, follow sets and the kind of synchronisation are found.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, lru_cache

from .grammar import Block, Item, Rule, Sequence, Token, rules
from .tokens import EOF, KINDS

BEYOND = -1  # in a set of kinds: the end of the rule can be reached without a further token


class Op(IntEnum):
    """Instructions: operands follow the operation code in a tuple."""

    MATCH = 1  # state, kind
    MATCH_SET = 2  # state, set of kinds
    CALL = 3  # state, rule
    SYNC = 4  # state
    BRANCH = 5  # set of kinds that go on, address for all others
    SWITCH = 6  # kind → address; any other kind has no viable alternative
    PREDICT = 7  # decision, address per alternative (counted from 0)
    JUMP = 8  # address
    RETURN = 9


class Sync(IntEnum):
    """What synchronising does when the token at hand does not fit the state."""

    NOTHING = 0
    DELETE_OR_FAIL = 1  # at the start of a block or loop
    SKIP = 2  # at the end of an iteration


Instruction = tuple  # (Op, operands…)


@dataclass(slots=True)
class State:
    """One state: ``jumps`` without a token in order of preference, or one ``token`` edge, or one ``call``."""

    rule: int
    sync: Sync = Sync.NOTHING
    jumps: list[int] = field(default_factory=list)
    token: frozenset[int] | None = None
    called: int = -1
    target: int = -1  # after the token, or after the called rule


class Network:
    """States, code and the sets derived from them. Rules are numbered in the grammar's order, 0 is the start."""

    def __init__(self) -> None:
        source = rules()
        self.rule_names = tuple(source)
        self.rule_numbers = {name: number for number, name in enumerate(source)}
        self.states: list[State] = []
        self.starts = [self._state(number) for number in range(len(source))]
        self.stops = [self._state(number) for number in range(len(source))]
        self.callers: list[list[int]] = [[] for _ in source]  # states after the calls of a rule
        self.code: list[list[Instruction]] = [[] for _ in source]
        self.decisions: list[int] = []  # states at which prediction starts
        self._open: list[tuple[int, int, int, Block, tuple[int, ...]]] = []
        for number, body in enumerate(source.values()):
            self._rule(number, body)
        self._first = self._first_sets()
        self._within: dict[int, frozenset[int]] = {}
        for pending in self._open:
            self._decide(*pending)

    # ── building ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _state(self, rule: int, sync: Sync = Sync.NOTHING) -> int:
        self.states.append(State(rule, sync))
        return len(self.states) - 1

    def _rule(self, number: int, body: Block | Sequence) -> None:
        end = self._item(number, self.starts[number], body) if isinstance(body, Block) else None
        if end is None:
            assert isinstance(body, Sequence)
            end = self._sequence(number, self.starts[number], body)
        self.states[end].jumps.append(self.stops[number])
        self.code[number].append((Op.RETURN,))

    def _sequence(self, rule: int, left: int, sequence: Sequence) -> int:
        for item in sequence.items:
            left = self._item(rule, left, item)
        return left

    def _item(self, rule: int, left: int, item: Item) -> int:
        if isinstance(item, Block):
            return {"*": self._loop, "+": self._loop_once}.get(item.repeat, self._choice)(rule, left, item)
        own, right = self._state(rule), self._state(rule)
        self.states[left].jumps.append(own)
        state = self.states[own]
        state.target = right
        if isinstance(item, Token):
            self._token(rule, own, item)
        else:
            assert isinstance(item, Rule)
            state.called = self.rule_numbers[item.name]
            self.callers[state.called].append(right)
            self.code[rule].append((Op.CALL, own, state.called))
        return right

    def _token(self, rule: int, own: int, item: Token) -> None:
        kinds = frozenset(KINDS[kind] for kind in item.kinds)
        self.states[own].token = kinds
        self.code[rule].append((Op.MATCH_SET, own, kinds) if item.is_set else (Op.MATCH, own, next(iter(kinds))))

    def _choice(self, rule: int, left: int, block: Block) -> int:
        start, end = self._state(rule, Sync.DELETE_OR_FAIL), self._state(rule)
        self.states[left].jumps.append(start)
        self.code[rule].append((Op.SYNC, start))
        self._alternatives(rule, start, end, block)
        if block.repeat:
            self.states[start].jumps.append(end)
        return end

    def _alternatives(self, rule: int, start: int, end: int, block: Block) -> None:
        """The alternatives' code behind a decision that is filled in when all follow sets are known."""
        code = self.code[rule]
        decision = len(code)
        code.append((Op.JUMP, -1))
        addresses, exits = [], []
        for alternative in block.alternatives:
            first = self._state(rule)
            self.states[start].jumps.append(first)
            addresses.append(len(code))
            self.states[self._sequence(rule, first, alternative)].jumps.append(end)
            exits.append(len(code))
            code.append((Op.JUMP, -1))
        for place in exits:
            code[place] = (Op.JUMP, len(code))
        if block.repeat == "?":
            addresses.append(len(code))
        self._open.append((rule, decision, start, block, tuple(addresses)))

    def _iteration(self, rule: int, start: int, end: int, block: Block) -> None:
        if len(block.alternatives) > 1:
            self.code[rule].append((Op.SYNC, start))
            self._alternatives(rule, start, end, Block(block.alternatives, ""))
            return
        first = self._state(rule)
        self.states[start].jumps.append(first)
        self.states[self._sequence(rule, first, block.alternatives[0])].jumps.append(end)

    def _loop(self, rule: int, left: int, block: Block) -> int:
        entry = self._state(rule, Sync.DELETE_OR_FAIL)
        start, end = self._state(rule, Sync.DELETE_OR_FAIL), self._state(rule)
        back, out = self._state(rule, Sync.SKIP), self._state(rule)
        self.states[left].jumps.append(entry)
        self.states[entry].jumps += [start, out]
        self.states[end].jumps.append(back)
        self.states[back].jumps.append(entry)
        code = self.code[rule]
        code.append((Op.SYNC, entry))
        decision = len(code)
        code.append((Op.JUMP, -1))
        self._iteration(rule, start, end, block)
        code += [(Op.SYNC, back), (Op.JUMP, decision)]
        self._open.append((rule, decision, entry, block, (decision + 1, len(code))))
        return out

    def _loop_once(self, rule: int, left: int, block: Block) -> int:
        start, end = self._state(rule, Sync.DELETE_OR_FAIL), self._state(rule)
        back, out = self._state(rule, Sync.SKIP), self._state(rule)
        self.states[left].jumps.append(start)
        self.states[end].jumps.append(back)
        self.states[back].jumps += [start, out]
        code = self.code[rule]
        code.append((Op.SYNC, start))
        again = len(code)
        self._iteration(rule, start, end, block)
        code.append((Op.SYNC, back))
        code.append((Op.JUMP, -1))
        self._open.append((rule, len(code) - 1, back, block, (again, len(code))))
        return out

    # ── decisions ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _decide(self, rule: int, place: int, state: int, block: Block, addresses: tuple[int, ...]) -> None:
        """Put the cheapest decision that is exact: by one token where that is enough, else by prediction."""
        looks = [self._look_beyond(target) for target in self.states[state].jumps]
        code = self.code[rule]
        if sum(map(len, looks)) != len(frozenset().union(*looks)):
            self.decisions.append(state)
            code[place] = (Op.PREDICT, len(self.decisions) - 1, addresses)
        elif block.repeat and len(addresses) == 2:
            code[place] = self._branch(looks[0], place, addresses)
        else:
            table = {kind: address for look, address in zip(looks, addresses, strict=True) for kind in look}
            code[place] = (Op.SWITCH, table)

    def _branch(self, look: frozenset[int], place: int, addresses: tuple[int, ...]) -> Instruction:
        return (Op.BRANCH, look, addresses[0], addresses[1])

    def _look_beyond(self, state: int) -> frozenset[int]:
        """Kinds that may come first from ``state`` on, whoever called the rule."""
        seen: set[int] = set()
        found: set[int] = set()
        pending = [state]
        while pending:
            at = pending.pop()
            if at in seen:
                continue
            seen.add(at)
            inner, ends = self._first_from(at)
            found |= inner
            if ends:
                pending += self.callers[self.states[at].rule]
        return frozenset(found)

    # ── sets of kinds ──────────────────────────────────────────────────────────────────────────────────────────────

    def _first_sets(self) -> list[frozenset[int]]:
        """Per rule the kinds it may start with, and :data:`BEYOND` when it may be empty (least fixed point)."""
        self._first = [frozenset() for _ in self.rule_names]
        changed = True
        while changed:
            changed = False
            for number, start in enumerate(self.starts):
                kinds, ends = self._first_from(start)
                new = frozenset(kinds | {BEYOND} if ends else kinds)
                changed = changed or new != self._first[number]
                self._first[number] = new
        return self._first

    def _first_from(self, state: int) -> tuple[set[int], bool]:
        seen: set[int] = set()
        found: set[int] = set()
        ends = False
        pending = [state]
        while pending:
            at = pending.pop()
            if at in seen:
                continue
            seen.add(at)
            ends = ends or at in self._stop_set
            here = self.states[at]
            if here.token is not None:
                found |= here.token
            elif here.called >= 0:
                found |= self._first[here.called] - {BEYOND}
                if BEYOND in self._first[here.called]:
                    pending.append(here.target)
            pending += here.jumps
        return found, ends

    @cached_property
    def _stop_set(self) -> frozenset[int]:
        return frozenset(self.stops)

    def within(self, state: int) -> frozenset[int]:
        """Kinds that may come next inside the rule of ``state``, with :data:`BEYOND` when the rule may end first."""
        found = self._within.get(state)
        if found is None:
            kinds, ends = self._first_from(state)
            found = self._within[state] = frozenset(kinds | {BEYOND} if ends else kinds)
        return found

    def expected(self, state: int, returns: Iterable[int]) -> frozenset[int]:
        """Kinds that may come next at ``state`` for the chain of callers ``returns`` (states, innermost first)."""
        found = set(self.within(state))
        for after in returns:
            if BEYOND not in found:
                return frozenset(found)
            found.discard(BEYOND)
            found |= self.within(after)
        if BEYOND in found:
            found.discard(BEYOND)
            found.add(EOF)
        return frozenset(found)


@lru_cache(maxsize=1)
def network() -> Network:
    """The one network of this process."""
    return Network()
