"""How queries compare strings: case never counts, ``ё`` is a letter of its own, right after ``е``."""

from __future__ import annotations

from functools import lru_cache

from scoring.engine.values.collation import collation_key_ignoring_case

# Behind every letter of the collation, so that «ё» follows all words that go on after «е».
_AFTER_E = "е\uffff"


def fold(text: str) -> str:
    """Equal strings of a query have equal folds; blanks at the end do not count."""
    return text.rstrip(" ").lower() if text[-1:] == " " else text.lower()


@lru_cache(maxsize=65536)
def sort_text(text: str) -> tuple[str, ...]:
    """The sort key of a string."""
    folded = fold(text)
    if "ё" in folded:
        folded = folded.replace("ё", _AFTER_E)
    return collation_key_ignoring_case(folded)
