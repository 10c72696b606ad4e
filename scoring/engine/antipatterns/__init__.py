"""Static anti-patterns of category B: the nine diagnostics of BSL Language Server that axis O weighs where a task has no
load profile. Names and rules are those of its release 0.29, on our own trees of modules and queries.

A query text that breaks off, for the code adds the rest, carries what the server finds in such a one; a text that the platform would
not parse carries no findings here: such an answer does not run, and O is not measured.
"""

from __future__ import annotations

from scoring.engine.antipatterns.findings import AntiPattern
from scoring.engine.antipatterns.modules import ModuleWalker, value_places
from scoring.engine.antipatterns.queries import query_patterns
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
    walker = ModuleWalker(text)
    walker.module(module)
    found = list(walker.found)
    for literal in walker.texts:
        found += query_patterns(literal.value, value_places(walker.lines, literal))
    return sorted(found, key=lambda pattern: (pattern.line, pattern.column, pattern.code))
