"""The oracle's parser: runs the network's code over the tokens and recovers from errors as the genuine one does.

An error is caught by the rule in which it happens: the rule notes it, skips to a token that may follow it or one of
its callers, and returns as if it had been read. Before a block or loop the parser first tries to do without the
token at hand, and where one token is missing, it is imagined. While recovering, until a token matches again, further
trouble is not announced but still noted by the rules it breaks, and it is these notes that axis S counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .lexer import Tokens
from .network import BEYOND, Network, Op, Sync, network
from .prediction import NoViableAlternative, Predictor, predictor
from .tokens import EOF


@dataclass(slots=True)
class Frame:
    """A rule being read: ``index`` is its first token, ``children`` counts tokens and rules in it."""

    rule: int
    caller: int  # the state that called it, or -1
    above: Frame | None
    index: int
    in_procedure: bool
    code: list[tuple]
    address: int = 0
    children: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """A broken rule: ``index`` is the token to blame, ``found`` the one at hand, ``expected`` what would have fitted."""

    index: int
    found: int
    expected: frozenset[int]


@dataclass(slots=True)
class Parsed:
    """``notes`` of broken rules, ``imagined`` (first tokens of rules in which a token was missing) and ``returns``
    (``Возврат`` with a value inside a procedure); all hold indexes of tokens, in the order met."""

    notes: list[Note] = field(default_factory=list)
    imagined: list[int] = field(default_factory=list)
    returns: list[int] = field(default_factory=list)


class _Mismatch(Exception):
    """The token at ``index`` does not fit; ``state`` is where it was to."""

    def __init__(self, index: int) -> None:
        self.index = index
        super().__init__(index)


class Parser:
    """One run over one text. Needs no Python recursion, so depth of nesting is bounded by memory alone."""

    def __init__(self, tokens: Tokens, source: Network | None = None, predict: Predictor | None = None) -> None:
        self.kinds = tokens.kinds
        self.network = source or network()
        self.predictor = predict or predictor()
        self.index = 0
        self.state = -1
        self.recovering = False
        self.error_index = -1
        self.error_states: set[int] = set()
        self.frame: Frame = Frame(0, -1, None, 0, False, self.network.code[0])
        self.result = Parsed()
        self.procedure = self.network.rule_numbers["procedure"]
        self.return_rule = self.network.rule_numbers["return"]

    def run(self) -> Parsed:
        """Read the whole text; never fails."""
        self.predictor.trim()
        self.state = self.network.starts[0]
        while True:
            try:
                self._execute()
                return self.result
            except (_Mismatch, NoViableAlternative) as error:
                self._caught(error.index)
                if not self._leave():
                    return self.result

    # ── running the code ───────────────────────────────────────────────────────────────────────────────────────────

    def _execute(self) -> None:
        frame = self.frame
        code, address = frame.code, frame.address
        kinds = self.kinds
        while True:
            step = code[address]
            address += 1
            op = step[0]
            if op is Op.SYNC:
                self.state = step[1]
                self._sync()
            elif op is Op.BRANCH:
                address = step[2] if kinds[self.index] in step[1] else step[3]
            elif op is Op.MATCH:
                self.state = step[1]
                self._match(kinds[self.index] == step[2], True)
            elif op is Op.CALL:
                self.state = step[1]
                frame.address = address
                frame = self._enter(step[2])
                code, address = frame.code, 0
            elif op is Op.JUMP:
                address = step[1]
            elif op is Op.PREDICT:
                address = step[2][self.predictor.predict(step[1], kinds, self.index) - 1]
            elif op is Op.SWITCH:
                address = step[1].get(kinds[self.index], -1)
                if address < 0:
                    raise NoViableAlternative(self.index)
            elif op is Op.MATCH_SET:
                self.state = step[1]
                self._match(kinds[self.index] in step[2], False)
            else:
                if not self._leave():
                    return
                frame = self.frame
                code, address = frame.code, frame.address

    def _enter(self, rule: int) -> Frame:
        above = self.frame
        above.children += 1
        inside = above.in_procedure or rule == self.procedure
        self.frame = Frame(rule, self.state, above, self.index, inside, self.network.code[rule])
        self.state = self.network.starts[rule]
        return self.frame

    def _leave(self) -> bool:
        """Return from the rule at hand; False when it was the outermost one."""
        frame = self.frame
        if frame.rule == self.return_rule and frame.in_procedure and frame.children > 1:
            self.result.returns.append(frame.index)
        if frame.above is None:
            return False
        self.state = frame.caller
        self.frame = frame.above
        return True

    def _consume(self) -> None:
        self.frame.children += 1
        if self.kinds[self.index] != EOF:
            self.index += 1

    def _match(self, fits: bool, imagines: bool) -> None:
        if fits:
            self._matched()
            self._consume()
        else:
            self._recover_inline(imagines)

    # ── recovery ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _matched(self) -> None:
        self.recovering = False
        self.error_index = -1
        if self.error_states:
            self.error_states = set()

    def _returns(self) -> Iterator[int]:
        """The states that follow the calls on the stack, innermost first."""
        frame: Frame | None = self.frame
        while frame is not None and frame.caller >= 0:
            yield self.network.states[frame.caller].target
            frame = frame.above

    def _recover_inline(self, imagines: bool) -> None:
        """A token other than the one that must come: drop it, or imagine the missing one, or give the rule up."""
        if self._drop():
            self._consume()
            return
        after = self.network.states[self.state].target
        if self.kinds[self.index] not in self.network.expected(after, self._returns()):
            raise _Mismatch(self.index)
        self.recovering = True
        if imagines:
            self.result.imagined.append(self.frame.index)
            self.frame.children += 1

    def _drop(self) -> bool:
        """Drop the token at hand if the next one fits."""
        following = self.kinds[self.index + 1] if self.kinds[self.index] != EOF else EOF
        if following not in self.network.expected(self.state, self._returns()):
            return False
        self._consume()
        self._matched()
        return True

    def _sync(self) -> None:
        if self.recovering:
            return
        fitting = self.network.within(self.state)
        if self.kinds[self.index] in fitting or BEYOND in fitting:
            return
        kind = self.network.states[self.state].sync
        if kind is Sync.DELETE_OR_FAIL:
            if not self._drop():
                raise _Mismatch(self.index)
        elif kind is Sync.SKIP:
            self.recovering = True
            self._skip_to(self.network.expected(self.state, self._returns()) | self._recovery_set())

    def _recovery_set(self) -> frozenset[int]:
        found: set[int] = set()
        for after in self._returns():
            found |= self.network.within(after)
        found.discard(BEYOND)
        return frozenset(found)

    def _skip_to(self, kinds: frozenset[int]) -> None:
        while self.kinds[self.index] != EOF and self.kinds[self.index] not in kinds:
            self._consume()

    def _caught(self, found: int) -> None:
        """The rule at hand notes its error and skips to what may follow it."""
        blamed = self.frame.index if self.kinds[found] == EOF else found
        self.result.notes.append(Note(blamed, found, self.network.expected(self.state, self._returns())))
        self.recovering = True
        if self.error_index == self.index and self.state in self.error_states:
            self._consume()
        self.error_index = self.index
        self.error_states.add(self.state)
        self._skip_to(self._recovery_set())


def parse(tokens: Tokens) -> Parsed:
    """Parse ``tokens`` as the oracle would."""
    return Parser(tokens).run()
