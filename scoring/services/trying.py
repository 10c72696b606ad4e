"""Running a text against files that are not stored: the authors' "try it" and the errors beside their editor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language

from scoring import bundles
from scoring.bundles.standards import told
from scoring.evidence import CandidateFailed, GrowthFacts, InstrumentFailed, Observed, SyntaxFacts
from scoring.findings import Finding
from scoring.pipeline import Result
from scoring.scorecard import Scorecard, Scored
from scoring.services import measuring, stacks

# What somebody may paste into the box.
MOST_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class Attempt:
    """A result for people. ``values``: axis → value or why there is none; ``problem`` says why no test ran."""

    values: Mapping[str, str]
    errors: tuple[Mapping[str, Any], ...]
    outcomes: tuple[Mapping[str, Any], ...]
    problem: str
    printed: str
    growth: tuple[tuple[int, int], ...]


def attempt(files: Mapping[str, str], code: str) -> Attempt:
    """Score ``code`` by the files. Raises FaultyData where they are no bundle."""
    bundle = bundles.load_files({name: text.encode() for name, text in files.items()}).required()
    return _for_people(measuring.pipeline().score(code[:MOST_CHARACTERS], bundle))


def _for_people(result: Result) -> Attempt:
    evidence = result.evidence
    values = {axis: _value(result.card, axis) for axis in result.card.axes} | {"Q": str(result.card.quality or "—")}
    syntax, tests, growth = evidence.syntax, evidence.tests, evidence.growth
    errors: tuple[Mapping[str, Any], ...] = ()
    if isinstance(syntax, Observed) and isinstance(syntax.facts, SyntaxFacts):
        errors = tuple({"line": found.at.line, "message": found.message} for found in (*syntax.facts.errors, *syntax.facts.blockers))
    if isinstance(tests, CandidateFailed | InstrumentFailed):
        return Attempt(values, errors, (), told(tests), "", ())
    facts = tests.facts
    outcomes = tuple(
        {
            "number": outcome.index + 1,
            "name": outcome.name,
            "verdict": outcome.verdict,
            "actual": outcome.error.message if outcome.error else outcome.actual,
            "line": outcome.error.at.line if outcome.error and outcome.error.at else 0,
            "expected": outcome.expected,
            "operations": outcome.operations,
        }
        for outcome in facts.outcomes
    )
    ladder = growth.facts if isinstance(growth, Observed) and isinstance(growth.facts, GrowthFacts) else None
    counts = tuple(zip(ladder.sizes, ladder.counts, strict=False)) if ladder else ()
    return Attempt(values, errors, outcomes, told(facts.stopped) if facts.stopped else "", facts.printed[:4000], counts)


def _value(card: Scorecard, axis: str) -> str:
    """A value, or why there is none in the language of the request."""
    result = card.axes[axis]
    if isinstance(result, Scored):
        return str(result.value)
    constitution = stacks.protocol().constitution
    label = constitution.not_measured.get(result.reason) or constitution.not_applicable.get(result.reason) or {}
    return f"N/A ({label.get(get_language() or 'ru') or label.get('ru') or result.reason})"


def file_findings(files: Mapping[str, str], name: str) -> list[Finding]:
    """What is wrong with one file, the others being as they are: format for YAML, the compiler's errors for BSL."""
    loaded = bundles.load_files({entry: text.encode() for entry, text in files.items()})
    found = [finding for finding in loaded.findings if finding.file == name]
    if name.endswith(".bsl") and not name.startswith("submissions/does_not_compile/"):
        category = loaded.bundle.category if loaded.bundle else _category_of(files)
        found += _syntax(files[name], category, name)
    return found


def _category_of(files: Mapping[str, str]) -> str:
    return "B" if "config_spec.yaml" in files else "A"


def _syntax(code: str, category: str, name: str) -> list[Finding]:
    if name == "tests.bsl":
        code = code.replace("{{ENTRY}}", "ТочкаВхода")
    seen = measuring.syntax_of(code, category)
    if not isinstance(seen, Observed):
        return []
    return [Finding(name, error.message, error.at.line) for error in (*seen.facts.errors, *seen.facts.blockers)]
