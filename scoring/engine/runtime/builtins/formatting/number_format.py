"""Numbers by a format string: ЧЦ, ЧДЦ, ЧС, ЧРД, ЧРГ, ЧН, ЧВН, ЧГ, ЧО."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.engine.runtime.builtins.formatting.cultures import Culture
from scoring.engine.values import numbers
from scoring.engine.values.numbers import Number

_NEGATIVE = {"0": "({})", "1": "-{}", "2": "- {}", "3": "{}-", "4": "{} -"}
# More places than this make no text that anyone reads; keeps ЧДЦ=1000000000 from eating memory.
_MOST_PLACES = 10_000


def format_number(value: Number, params: Mapping[str, str], culture: Culture, *, onec: bool) -> str:
    """The text of ``value``; zero (after rounding, too) gives ``ЧН``, by default an empty string."""
    if onec and "чс" in params:
        value = _shifted(value, params["чс"])
    size = _unsigned(params.get("чц"))
    places = _places(value, params, onec)
    rounded = numbers.round_half_away(value, places)
    if rounded == 0:
        return _zero(params)
    mantissa, scale = numbers.parts(numbers.negate(rounded) if rounded < 0 else rounded)
    digits = str(mantissa).rjust(scale + 1, "0")
    whole, fraction = (digits[:-scale], digits[-scale:]) if scale else (digits, "")
    fraction = fraction.ljust(places, "0")
    whole, fraction = _fit(whole, fraction, size, places)
    if "чвн" in params and size > places:
        whole = whole.rjust(size - places, "0")
    text = _grouped(whole, params, culture, onec)
    if fraction:
        text += _separator(params, "чрд", culture.point, onec) + fraction
    return _NEGATIVE.get(params.get("чо", "1").strip(), "-{}").format(text) if rounded < 0 else text


def _shifted(value: Number, text: str) -> Number:
    try:
        shift = max(-50, min(50, int(text)))
    except ValueError:
        return value
    mantissa, scale = numbers.parts(value)
    scale += shift
    return numbers.join(mantissa, scale) if scale >= 0 else mantissa * 10**-scale


def _unsigned(text: str | None) -> int:
    """A size; whatever is no unsigned number counts as 0."""
    stripped = (text or "").strip()
    return min(int(stripped), _MOST_PLACES) if stripped.isascii() and stripped.isdigit() else 0


def _places(value: Number, params: Mapping[str, str], onec: bool) -> int:
    if "чдц" in params:
        return _unsigned(params["чдц"])
    if "чц" in params:
        return 0
    return numbers.parts(numbers.onec_normal(value) if onec else value)[1]


def _zero(params: Mapping[str, str]) -> str:
    if "чн" not in params:
        return ""
    return params["чн"] or "0"


def _fit(whole: str, fraction: str, size: int, places: int) -> tuple[str, str]:
    """Where the whole part has more digits than ``size`` leaves room for, all of them become nines."""
    room = size - places
    if size == 0 or len(whole) <= max(room, 0) or (whole == "0" and room <= 0):
        return whole, fraction
    if room <= 0:
        return "0", "9" * min(places, size)
    return "9" * room, "9" * places


def _separator(params: Mapping[str, str], name: str, default: str, onec: bool) -> str:
    given = params.get(name)
    if given is None or (given == "" and not onec):
        return default
    return given


def _grouped(whole: str, params: Mapping[str, str], culture: Culture, onec: bool) -> str:
    separator = _separator(params, "чрг", culture.group, onec)
    sizes, repeat = _group_sizes(params.get("чг"))
    out: list[str] = []
    rest = whole
    while rest:
        size = sizes.pop(0) if sizes else (repeat or len(rest))
        out.append(rest[-size:])
        rest = rest[:-size]
    return separator.join(reversed(out))


def _group_sizes(text: str | None) -> tuple[list[int], int]:
    """(sizes from the right, size that repeats after them): a closing 0 in ЧГ repeats the last size."""
    if text is None:
        return [], 3
    sizes = [_unsigned(part) for part in text.split(",")]
    if sizes[-1] == 0 and len(sizes) > 1:
        sizes = sizes[:-1]
        return [s for s in sizes if s], sizes[-1]
    return [s for s in sizes if s], 0
