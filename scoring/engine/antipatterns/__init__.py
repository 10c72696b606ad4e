"""Static anti-patterns of 1C code, found on the engine's own trees of modules and queries.

The nine diagnostics carry the names that BSL Language Server gives them. They look at texts only: whether a pattern does
harm is for a measurement to say, which is why they stand in only where a task has no load profile.
"""

from __future__ import annotations

from scoring.engine.antipatterns.findings import AntiPattern
from scoring.engine.antipatterns.modules import module_findings
from scoring.engine.antipatterns.queries import query_findings
from scoring.engine.errors import CompileFailed
from scoring.engine.source import Source
from scoring.engine.syntax.parser import parse_module

__all__ = ["AntiPattern", "find_antipatterns"]


def find_antipatterns(text: str) -> list[AntiPattern]:
    """Every finding in order of the text; none where the module does not parse. Queries that don't parse are skipped."""
    try:
        module = parse_module(Source(text), "onec")
    except CompileFailed:
        return []
    found = [*module_findings(module), *query_findings(module)]
    return sorted(found, key=lambda each: (each.line, each.column, each.code))
