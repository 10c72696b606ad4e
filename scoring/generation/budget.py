"""What a run costs: an estimate before it, a cap while it goes on."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from scoring.generation.catalogue import Catalogue

MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Measured:
    """Mean tokens of an answer so far; ``answers`` says how many stand behind the means."""

    input: Decimal
    output: Decimal
    answers: int


@dataclass(frozen=True, slots=True)
class LineOfEstimate:
    """One network's part of a category. ``cost`` is None where the catalogue has no price; ``basis`` says where tokens come
    from: ``own`` (this network's measured means), ``others`` (those of all networks), ``assumed`` (the catalogue's)."""

    network: str
    category: str
    answers: int
    tokens_input: int
    tokens_output: int
    cost: Decimal | None
    basis: str

    @property
    def thousands(self) -> int:
        """Tokens both ways, in thousands."""
        return round((self.tokens_input + self.tokens_output) / 1000)


@dataclass(frozen=True, slots=True)
class Estimate:
    lines: tuple[LineOfEstimate, ...]
    currency: str

    @property
    def total(self) -> Decimal:
        """Sum over the networks whose price is known."""
        return sum((line.cost for line in self.lines if line.cost is not None), Decimal(0))

    @property
    def answers(self) -> int:
        return sum(line.answers for line in self.lines)

    @property
    def unpriced(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line.network for line in self.lines if line.cost is None))


def cost_of(catalogue: Catalogue, network: str, tokens_input: int, tokens_output: int, day: date) -> Decimal | None:
    """Price × tokens; None where no price is known for that day."""
    price = catalogue.price(network, day)
    if price is None:
        return None
    return (price.input * tokens_input + price.output * tokens_output) / MILLION


Part = tuple[str, str]  # (network, category)


def estimate(catalogue: Catalogue, plan: Mapping[Part, int], measured: Mapping[Part, Measured], day: date) -> Estimate:
    """``plan``: (network, category) → answers still to get. Tokens of an answer are the network's own means in that
    category, else those of all networks measured so far, else what the catalogue assumes; each line says which."""
    lines = []
    for (network, category), answers in plan.items():
        own = measured.get((network, category))
        everyone = _mean(figure for (_, other), figure in measured.items() if other == category)
        assumed = catalogue.assumed[category]
        basis, given, taken = (
            ("own", own.input, own.output) if own
            else ("others", everyone.input, everyone.output) if everyone
            else ("assumed", Decimal(assumed.input), Decimal(assumed.output))
        )  # fmt: skip
        tokens = int(given * answers), int(taken * answers)
        lines.append(LineOfEstimate(network, category, answers, *tokens, cost_of(catalogue, network, *tokens, day), basis))
    return Estimate(tuple(lines), catalogue.currency)


def _mean(figures: Iterable[Measured]) -> Measured | None:
    known = list(figures)
    total = sum(figure.answers for figure in known)
    if not total:
        return None
    return Measured(
        sum((figure.input * figure.answers for figure in known), Decimal(0)) / total,
        sum((figure.output * figure.answers for figure in known), Decimal(0)) / total,
        total,
    )


@dataclass
class Budget:
    """A cap shared by all threads of a run. What is in flight counts with the mean cost of an answer so far, so that a wide
    channel does not run far past the cap; the first answers, whose cost nobody knows yet, count nothing."""

    cap: Decimal | None
    spent: Decimal = Decimal(0)
    _paid: Decimal = Decimal(0)
    _answers: int = 0
    _in_flight: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def allows(self) -> bool:
        """Whether another answer fits."""
        with self._lock:
            return self._fits()

    def _fits(self) -> bool:
        if self.cap is None:
            return True
        each = self._paid / self._answers if self._answers else Decimal(0)
        return self.spent + each * self._in_flight < self.cap

    def take(self) -> bool:
        """Start an answer; False where the cap does not allow it."""
        with self._lock:
            if not self._fits():
                return False
            self._in_flight += 1
            return True

    def give_back(self, amount: Decimal | float | None) -> None:
        """An answer has ended and cost so much (None: nothing was asked, or nobody knows)."""
        with self._lock:
            self._in_flight -= 1
            if amount is not None:
                paid = Decimal(str(amount))
                self.spent += paid
                self._paid += paid
                self._answers += 1
