"""What is wrong with data that people wrote: every finding names its file, its place and a cure."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a file. ``line`` counts from 1, 0 = the whole file; ``key`` is the dotted path inside the file."""

    file: str
    message: str
    line: int = 0
    key: str = ""
    cure: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        key = f" [{self.key}]" if self.key else ""
        cure = f" ({self.cure})" if self.cure else ""
        return f"{place}{key}: {self.message}{cure}"


class FaultyData(ValueError):
    """Data was refused; ``findings`` holds every fault at once (at least one)."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(str(finding) for finding in self.findings))


def near_miss(name: str, known: Iterable[str]) -> str:
    """A cure for a misspelt name: ``did you mean …``, or the list of what is known."""
    choices = sorted(known)
    close = difflib.get_close_matches(name, choices, n=1, cutoff=0.6)
    return f"did you mean {close[0]!r}?" if close else "known here: " + ", ".join(choices)
