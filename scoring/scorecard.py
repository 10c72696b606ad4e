"""What judgement says: a result per axis, and Q over those that apply and were measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Scored:
    """A value on the scale 0–10. ``step`` is its projection onto the expert's six steps.

    ``grounds`` are the figures the value came from (JSON values: shares, counts, exponents), for the answer's page.
    """

    value: Decimal
    step: int
    grounds: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NotMeasured:
    """The axis applies, and there is no value. ``reason`` is a key of ``absent.not_measured`` in ``metrics/smop.yaml``."""

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """The axis does not belong to this category of task."""

    reason: str = "category"


AxisResult = Scored | NotMeasured | NotApplicable


@dataclass(frozen=True, slots=True)
class Scorecard:
    """One answer's result: axes by letter (S, M, O, P), ``quality`` is Q or None where nothing was measured."""

    axes: Mapping[str, AxisResult]
    quality: Decimal | None

    def value(self, axis: str) -> Decimal | None:
        """The axis's value, or None where it has none."""
        result = self.axes[axis]
        return result.value if isinstance(result, Scored) else None


@lru_cache(maxsize=4096)
def rounded(number: Fraction | Decimal, decimals: int) -> Decimal:
    """Half away from zero, exact: fractions are rounded as fractions, not as binary floats."""
    exact = Fraction(number)
    scaled = exact * 10**decimals
    whole = int(abs(scaled) + Fraction(1, 2))
    signed = whole if scaled >= 0 else -whole
    return (Decimal(signed) / Decimal(10**decimals)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def quality(results: Iterable[AxisResult], decimals: int, required: Iterable[AxisResult] = ()) -> Decimal | None:
    """Q: the mean of the scored axes; None where there is none, or where one of ``required`` was not measured."""
    if any(isinstance(result, NotMeasured) for result in required):
        return None
    values = [Fraction(result.value) for result in results if isinstance(result, Scored)]
    return rounded(sum(values, Fraction(0)) / len(values), decimals) if values else None


def result_to_data(result: AxisResult) -> dict[str, Any]:
    """Plain JSON values of one axis; values as text, so that they stay exact."""
    if isinstance(result, Scored):
        return {"is": "Scored", "value": str(result.value), "step": result.step, "grounds": dict(result.grounds)}
    if isinstance(result, NotMeasured):
        return {"is": "NotMeasured", "reason": result.reason, "detail": result.detail}
    return {"is": "NotApplicable", "reason": result.reason}


def result_from_data(data: Mapping[str, Any]) -> AxisResult:
    """The inverse of :func:`result_to_data`; ``ValueError`` for an unknown kind."""
    kind = data.get("is")
    if kind == "Scored":
        return Scored(Decimal(data["value"]), int(data["step"]), dict(data["grounds"]))
    if kind == "NotMeasured":
        return NotMeasured(data["reason"], data.get("detail", ""))
    if kind == "NotApplicable":
        return NotApplicable(data.get("reason", "category"))
    raise ValueError(f"unknown axis result: {kind!r}")


def card_to_data(card: Scorecard) -> dict[str, Any]:
    axes = {axis: result_to_data(result) for axis, result in card.axes.items()}
    return {"axes": axes, "quality": None if card.quality is None else str(card.quality)}


def card_from_data(data: Mapping[str, Any]) -> Scorecard:
    axes = {axis: result_from_data(entry) for axis, entry in data["axes"].items()}
    value = data.get("quality")
    return Scorecard(axes, None if value is None else Decimal(value))
