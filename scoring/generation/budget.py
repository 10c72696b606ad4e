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
    """One network of an estimate. ``cost`` is None where the catalogue has no price; ``basis`` says where tokens come from."""

    network: str
    answers: int
    tokens_input: int
    tokens_output: int
    cost: Decimal | None
    basis: str


@dataclass(frozen=True, slots=True)
class Estimate:
    lines: tuple[LineOfEstimate, ...]
    currency: str

    @property
    def total(self) -> Decimal:
        """Sum over the networks whose price is known."""
        return sum((line.cost for line in self.lines if line.cost is not None), Decimal(0))

    @property
    def unpriced(self) -> tuple[str, ...]:
        return tuple(line.network for line in self.lines if line.cost is None)


def cost_of(catalogue: Catalogue, network: str, tokens_input: int, tokens_output: int, day: date) -> Decimal | None:
    """Price × tokens; None where no price is known for that day."""
    price = catalogue.price(network, day)
    if price is None:
        return None
    return (price.input * tokens_input + price.output * tokens_output) / MILLION


def estimate(
    catalogue: Catalogue,
    plan: Mapping[str, int],
    measured: Mapping[str, Measured],
    assumed: Measured,
    day: date,
) -> Estimate:
    """``plan``: network → answers still to get. Tokens are the network's own means, else those of all networks measured so
    far, else ``assumed``; each line says which."""
    everyone = _mean(measured.values())
    lines = []
    for network, answers in plan.items():
        own = measured.get(network)
        basis, tokens = ("own", own) if own else ("others", everyone) if everyone else ("assumed", assumed)
        given, taken = int(tokens.input * answers), int(tokens.output * answers)
        lines.append(LineOfEstimate(network, answers, given, taken, cost_of(catalogue, network, given, taken, day), basis))
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
    """A cap shared by all threads of a run: once what is spent reaches it, no new request goes out."""

    cap: Decimal | None
    spent: Decimal = Decimal(0)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def allows(self) -> bool:
        with self._lock:
            return self.cap is None or self.spent < self.cap

    def add(self, amount: Decimal | float | None) -> None:
        if amount is not None:
            with self._lock:
                self.spent += Decimal(str(amount))
