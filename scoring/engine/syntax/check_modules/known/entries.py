"""How the tables of known names are read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signature:
    """A function of the global context; ``maximum`` is None where the number of arguments is open or not certain."""

    name: str
    english: str
    minimum: int = 0
    maximum: int | None = None
    is_function: bool = True


def named(table: str) -> dict[str, tuple[str, str]]:
    """Both names in lower case → (Russian, English)."""
    found = {}
    for entry in table.split():
        russian, _, english = entry.partition("/")
        names = (russian, english or russian)
        found.update({name.lower(): names for name in names})
    return found


def signatures(table: str) -> dict[str, Signature]:
    """Entries ``Имя/Name:1-3``, with ``!`` behind a procedure; without numbers nothing is known of the arguments."""
    found = {}
    for entry in table.split():
        names, _, arity = entry.rstrip("!").partition(":")
        russian, _, english = names.partition("/")
        minimum, _, maximum = arity.partition("-")
        signature = Signature(
            russian, english or russian, int(minimum or 0), int(maximum) if maximum else None, not entry.endswith("!")
        )
        found.update({name.lower(): signature for name in (signature.name, signature.english)})
    return found
