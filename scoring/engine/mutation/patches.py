"""What a mutant is: one small change of a text, made at a node of its tree."""

from __future__ import annotations

from dataclasses import dataclass

# The kinds of change, in the order in which reports list them.
OPERATORS = (
    "comparison", "boundary", "arithmetic", "logic", "constant", "dropped_statement", "swapped_branch", "negated_condition",
    "off_by_one", "removed_guard", "ordering", "aggregate", "dropped_condition", "join", "table_parameter", "lost_isnull",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Patch:
    """``text[start:end]`` becomes ``replacement``; offsets count in the text with LF line ends."""

    operator: str
    start: int
    end: int
    replacement: str
    # Why this change can't alter what the module does; "" where nothing of the kind is known.
    proof: str = ""

    def apply(self, text: str) -> str:
        return text[: self.start] + self.replacement + text[self.end :]


def unified(text: str) -> str:
    """``text`` with LF line ends: what offsets count in."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
