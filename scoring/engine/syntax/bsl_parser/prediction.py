"""Which alternative to take where one token does not tell: simulation of all of them at once, in the SLL fashion.

A configuration is a state, the alternative it began with and what is to return to; beyond the rule in which the
decision stands every caller is possible. Sets of configurations are states of an automaton that is kept between
texts, so that each look-ahead is worked out once per process. Decisions that even so stay open are settled for the
alternative written first, as the oracle does; this, and where a look-ahead dies, decides which token an error names.
"""

from __future__ import annotations

from .network import Network, network
from .tokens import EOF

_ALL = 0  # the empty stack: any caller may follow
_STATES_KEPT = 40_000  # a bound on memory: far above what all programs seen need, below 100 MB

Config = tuple[int, int, int, bool]  # state, alternative, stack, left the rule of the decision
Configs = dict[tuple[int, int], tuple[frozenset[int], bool]]  # the same, merged by state and alternative
_Found = dict[tuple[int, int], tuple[set[int], bool]]  # while they are being merged


class NoViableAlternative(Exception):
    """No alternative fits; ``index`` is the token at which the look-ahead died."""

    def __init__(self, index: int) -> None:
        self.index = index
        super().__init__(index)


class _Stacks:
    """Return stacks as numbers: every different stack exists once."""

    def __init__(self) -> None:
        self.tops: list[tuple[int, int]] = [(-1, -1)]
        self.numbers: dict[tuple[int, int], int] = {}
        self.known: dict[tuple[int, int], bool] = {}

    def push(self, below: int, state: int) -> int:
        key = (state, below)
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.tops)
            self.tops.append(key)
        return number

    def pushed(self, below: int, path: tuple[int, ...]) -> int:
        """The stack ``below`` with the states of ``path`` on top, the last one topmost."""
        for state in path:
            below = self.push(below, state)
        return below

    def joined(self, stacks: set[int] | frozenset[int]) -> frozenset[int]:
        """``stacks`` without those that one of them stands for: a shorter one, open below, takes in the longer."""
        if len(stacks) == 1:
            return frozenset(stacks)
        if _ALL in stacks:
            return frozenset((_ALL,))
        return frozenset(stack for stack in stacks if not self._covered(stack, stacks))

    def _covered(self, stack: int, stacks: set[int] | frozenset[int]) -> bool:
        return any(self._begins(stack, shorter) for shorter in stacks if shorter != stack)

    def _begins(self, stack: int, shorter: int) -> bool:
        """Whether ``stack`` returns to all of ``shorter`` before it goes on.

        Stacks grow by one call at a time, so the answer for the two without their tops is known as a rule.
        """
        tops, known = self.tops, self.known
        answer: bool | None = None
        met = []
        while answer is None:
            if shorter in (_ALL, stack):
                answer = shorter != stack
                break
            met.append((stack, shorter))
            state, stack = tops[stack]
            other, shorter = tops[shorter]
            answer = False if state != other else known.get((stack, shorter))
        known.update(dict.fromkeys(met, answer))
        return answer


class _Node:
    """A state of the automaton: where each kind leads (``None`` = nowhere), or the alternative it settles on."""

    __slots__ = ("answer", "configs", "edges", "fallback")

    def __init__(self, configs: Configs, answer: int, fallback: int) -> None:
        self.configs = configs
        self.answer = answer
        self.fallback = fallback
        self.edges: dict[int, _Node | None] = {}


def _keep(found: _Found, state: int, alternative: int, stack: int, outside: bool) -> None:
    key = (state, alternative)
    known = found.get(key)
    if known is None:
        found[key] = ({stack}, outside)
    else:
        known[0].add(stack)
        if outside and not known[1]:
            found[key] = (known[0], True)


class Predictor:
    """Answers decisions of one network; alternatives count from 1."""

    def __init__(self, source: Network) -> None:
        self.network = source
        self._forget()

    def _forget(self) -> None:
        self.stacks = _Stacks()
        self.inside: dict[int, tuple[tuple[tuple[int, tuple[int, ...]], ...], bool]] = {}
        self.beyond: dict[int, tuple[tuple[int, int], ...]] = {}
        self.starts: dict[int, _Node] = {}
        self.settled: dict[int, _Node] = {}
        self.nodes: dict[frozenset, _Node] = {}

    def predict(self, decision: int, kinds: list[int], index: int) -> int:
        """The alternative for the tokens from ``index`` on; raises :class:`NoViableAlternative`."""
        node = self.starts.get(decision)
        if node is None:
            node = self.starts[decision] = self._start(decision)
        while not node.answer:
            kind = kinds[index]
            following = node.edges.get(kind, node)
            if following is node:
                following = node.edges[kind] = self._step(node, kind)
            if following is None:
                if node.fallback:
                    return node.fallback
                raise NoViableAlternative(index)
            node = following
            if kind != EOF:
                index += 1
        return node.answer

    def trim(self) -> None:
        """Forget everything once it has grown too large; called between texts."""
        if len(self.nodes) > _STATES_KEPT or len(self.stacks.tops) > 10 * _STATES_KEPT:
            self._forget()

    # ── building the automaton ─────────────────────────────────────────────────────────────────────────────────────

    def _start(self, decision: int) -> _Node:
        targets = self.network.states[self.network.decisions[decision]].jumps
        return self._node(self._closure([(t, alt, _ALL, False) for alt, t in enumerate(targets, 1)]))

    def _step(self, node: _Node, kind: int) -> _Node | None:
        if kind == EOF:
            return self._last_step(node)
        states = self.network.states
        moved: list[Config] = []
        for (state, alternative), (stacks, outside) in node.configs.items():
            token = states[state].token
            if token is not None and kind in token:
                target = states[state].target
                moved += [(target, alternative, stack, outside) for stack in stacks]
        if not moved:
            return None
        first = moved[0][1]
        if all(config[1] == first for config in moved):
            return self._settled(first)
        return self._node(self._closure(moved))

    def _last_step(self, node: _Node) -> _Node | None:
        """At the end of the text only what has come to the end of a rule goes on, and the end may be taken again."""
        states, stops = self.network.states, self.network.stops
        reached: Configs = {}
        moved: list[Config] = []
        for (state, alternative), (stacks, outside) in node.configs.items():
            here = states[state]
            if state == stops[here.rule]:
                reached[state, alternative] = (stacks, outside)
            elif here.token is not None and EOF in here.token:
                moved += [(here.target, alternative, stack, outside) for stack in stacks]
        for key, value in self._closure(moved).items():
            if key[0] == stops[states[key[0]].rule]:
                reached.setdefault(key, value)
        return self._node(reached) if reached else None

    def _settled(self, alternative: int) -> _Node:
        node = self.settled.get(alternative)
        if node is None:
            node = self.settled[alternative] = _Node({}, alternative, alternative)
        return node

    # Closures come from two tables that do not depend on the stack: what a state reaches inside its rule, and what the
    # end of a rule reaches when every caller is possible.

    def _closure(self, configs: list[Config]) -> Configs:
        """All that is reached from ``configs`` without a token, merged by state and alternative."""
        stacks, states = self.stacks, self.network.states
        found: _Found = {}
        seen: set[Config] = set()
        pending = list(configs)
        while pending:
            config = pending.pop()
            if config in seen:
                continue
            seen.add(config)
            state, alternative, stack, outside = config
            inside, ends = self._inside(state)
            for token, path in inside:
                _keep(found, token, alternative, stacks.pushed(stack, path), outside)
            if ends and stack != _ALL:
                after, below = stacks.tops[stack]
                pending.append((after, alternative, below, outside))
            elif ends:
                self._leave(found, states[state].rule, alternative, outside)
        return {key: (stacks.joined(own), outside) for key, (own, outside) in found.items()}

    def _leave(self, found: _Found, rule: int, alternative: int, outside: bool) -> None:
        """The end of ``rule`` with nothing known to return to: it stops there, and goes on with every caller."""
        if not outside:
            _keep(found, self.network.stops[rule], alternative, _ALL, False)
        for state, stack in self._beyond(rule):
            _keep(found, state, alternative, stack, True)

    def _inside(self, state: int) -> tuple[tuple[tuple[int, tuple[int, ...]], ...], bool]:
        """What ``state`` reaches inside its rule and in rules called: (state before a token, calls on the way); and
        whether it reaches the rule's end."""
        known = self.inside.get(state)
        if known is None:
            known = self.inside[state] = self._search(state)
        return known

    def _search(self, start: int) -> tuple[tuple[tuple[int, tuple[int, ...]], ...], bool]:
        states, stops = self.network.states, self.network.stops
        found: dict[tuple[int, tuple[int, ...]], None] = {}
        ends = False
        seen: set[int] = set()
        pending = [start]
        while pending:
            state = pending.pop()
            if state in seen:
                continue
            seen.add(state)
            here = states[state]
            ends = ends or state == stops[here.rule]
            if here.token is not None:
                found[state, ()] = None
            elif here.called >= 0:
                inner, empty = self._inside(self.network.starts[here.called])
                found.update(((token, (here.target, *path)), None) for token, path in inner)
                if empty:
                    pending.append(here.target)
            pending += here.jumps
        return tuple(found), ends

    def _beyond(self, rule: int) -> tuple[tuple[int, int], ...]:
        """(state before a token, stack) for everything that may follow ``rule``, whoever called it."""
        known = self.beyond.get(rule)
        if known is None:
            known = self.beyond[rule] = self._followers(rule)
        return known

    def _followers(self, start: int) -> tuple[tuple[int, int], ...]:
        found: dict[tuple[int, int], None] = {}
        seen: set[int] = set()
        pending = [start]
        while pending:
            rule = pending.pop()
            if rule in seen:
                continue
            seen.add(rule)
            callers = self.network.callers[rule]
            if not callers:
                found[self.network.stops[rule], _ALL] = None
            for after in callers:
                inside, ends = self._inside(after)
                found.update(((token, self.stacks.pushed(_ALL, path)), None) for token, path in inside)
                if ends:
                    pending.append(self.network.states[after].rule)
        return tuple(found)

    def _node(self, configs: Configs) -> _Node:
        key = frozenset((state, alt, stacks, outside) for (state, alt), (stacks, outside) in configs.items())
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = _Node(configs, self._answer(configs), self._fallback(configs))
        return node

    def _answer(self, configs: Configs) -> int:
        """The alternative that ``configs`` settle on: the only one left, or the first of those that stay alike."""
        alternatives = {alternative for _, alternative in configs}
        if len(alternatives) == 1:
            return alternatives.pop()
        groups: dict[int, dict[int, set[int]]] = {}
        for (state, alternative), (stacks, _) in configs.items():
            place = -1 if state == self.network.stops[self.network.states[state].rule] else state
            groups.setdefault(place, {}).setdefault(alternative, set()).update(stacks)
        first = min(groups[min(groups)])
        return first if all(self._alike(group, first) for group in groups.values()) else 0

    def _alike(self, group: dict[int, set[int]], first: int) -> bool:
        """Whether alternative ``first`` is the group's lowest and can return to wherever the others can."""
        if min(group) != first:
            return False
        own = self.stacks.joined(group[first])
        return all(self.stacks.joined(own | other) == own for other in group.values())

    def _fallback(self, configs: Configs) -> int:
        """What is taken when no token fits any more: an alternative that had already left the decision's rule."""
        stops, states = self.network.stops, self.network.states
        left = [alt for (state, alt), (_, outside) in configs.items() if outside or state == stops[states[state].rule]]
        return min(left, default=0)


_PREDICTORS: list[Predictor] = []


def predictor() -> Predictor:
    """The one predictor of this process, with all look-ahead it has learnt."""
    if not _PREDICTORS:
        _PREDICTORS.append(Predictor(network()))
    return _PREDICTORS[0]
