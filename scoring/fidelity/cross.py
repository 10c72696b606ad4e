"""Two stacks over the same answers: where do two engines differ, and in what way?

Questions that both stacks have the same engine answer are left out. S is compared by root causes, not by step; tests by verdict,
one by one; load runs by the value of O; anti-patterns by the diagnostics found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from scoring.axes.meaning import score_meaning
from scoring.axes.optimization import gate, score_optimization
from scoring.axes.syntax import clusters, unbalanced
from scoring.bundles.model import TaskBundle
from scoring.evidence import (
    CandidateFailed,
    GrowthEvidence,
    InstrumentFailed,
    Observed,
    StaticFacts,
    SyntaxEvidence,
    TestEvidence,
    TestOutcome,
)
from scoring.extract import Module, module_of
from scoring.instruments.base import Examination
from scoring.pipeline import Pipeline, Stack
from scoring.protocol import Protocol
from scoring.scorecard import Scored

QUESTIONS = ("syntax", "tests", "work", "static")
# A verdict's text for people is cut to this many characters.
SHOWN = 300


@dataclass(frozen=True, slots=True)
class Subject:
    """One answer to compare on. ``task`` and ``model`` are ids; ``key`` is the stored answer's, None for a text from elsewhere."""

    task: str
    model: str
    answer: str
    bundle: TaskBundle
    key: int | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """One side's word on one question: ``verdict`` is what is compared (None: not measured), ``text`` is for people."""

    verdict: Any
    text: str = ""


@dataclass
class Tally:
    n: int = 0
    equal: int = 0
    not_measured: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def data(self) -> dict[str, Any]:
        share = round(self.equal / self.n, 6) if self.n else None
        kinds = dict(sorted(self.kinds.items()))
        return {"n": self.n, "equal": self.equal, "share": share, "not_measured": self.not_measured, "kinds": kinds}


def asked(ours: Stack, theirs: Stack) -> tuple[str, ...]:
    """The questions that the two stacks have different engines answer."""
    return tuple(question for question in QUESTIONS if _engine(ours, question) is not _engine(theirs, question))


def _engine(stack: Stack, question: str) -> Any:
    return (stack.static or stack.work) if question == "static" else getattr(stack, question)


def cross_check(
    subjects: Sequence[Subject],
    ours: Pipeline,
    theirs: Pipeline,
    *,
    category: str,
    details: bool = False,
    progress: Callable[[int, int], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> dict[str, Any]:
    """Compare; the report holds ids, kinds and counts, and both sides' words only with ``details``.

    ``stop`` is asked after each answer: ``answers`` says how many were compared."""
    questions = asked(ours.stack, theirs.stack)
    for pipeline in (ours, theirs):
        pipeline.prepare([subject.answer for subject in subjects])
    tallies = {question: Tally() for question in questions}
    disagreements: list[dict[str, Any]] = []
    done = 0
    for done, subject in enumerate(subjects, 1):
        for question, our, their in _pairs(subject, questions, ours, theirs):
            found = _compare(tallies[question], question, our, their)
            if found:
                disagreements.append(_entry(subject, question, found, our, their, details))
        if progress:
            progress(done, len(subjects))
        if stop and stop():
            break
    return {
        "category": category,
        "ours": ours.stack.describe(),
        "theirs": theirs.stack.describe(),
        "protocol": ours.protocol.version,
        "protocol_hash": ours.protocol.hash,
        "answers": done,
        "questions": {question: tally.data() for question, tally in tallies.items()},
        "disagreements": disagreements,
    }


def _entry(subject: Subject, question: str, kind: str, our: Said, their: Said, details: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"task": subject.task, "model": subject.model, "question": question, "kind": kind}
    if subject.key is not None:
        entry["answer"] = subject.key
    return entry | ({"ours": our.text[:SHOWN], "theirs": their.text[:SHOWN]} if details else {})


# What must be equal for two reports to be parts of one.
SIDES = ("category", "ours", "theirs", "protocol", "protocol_hash")


def same_sides(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Whether two reports come from the same engines in the same versions under the same protocol."""
    return all(first.get(key) == second.get(key) for key in SIDES)


def joined(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """One report of two over different answers. Raises ValueError where the engines or the protocol differ."""
    if not same_sides(first, second):
        raise ValueError("reports of different engines can't be joined")
    return {
        **first,
        "answers": first["answers"] + second["answers"],
        "questions": {question: _sum(row, second["questions"][question]) for question, row in first["questions"].items()},
        "disagreements": [*first["disagreements"], *second["disagreements"]],
    }


def _sum(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    n, equal, lost = (first[key] + second[key] for key in ("n", "equal", "not_measured"))
    return Tally(n, equal, lost, Counter(first["kinds"]) + Counter(second["kinds"])).data()


def _compare(tally: Tally, question: str, our: Said, their: Said) -> str:
    """Count one comparison; the kind of the disagreement, "" where there is none."""
    if our.verdict is None or their.verdict is None:
        tally.not_measured += 1
        return ""
    tally.n += 1
    if our.verdict == their.verdict:
        tally.equal += 1
        return ""
    kind = _KINDS[question](our.verdict, their.verdict)
    tally.kinds[kind] += 1
    return kind


def _pairs(subject: Subject, questions: Sequence[str], ours: Pipeline, theirs: Pipeline) -> Iterator[tuple[str, Said, Said]]:
    protocol, bundle = ours.protocol, subject.bundle
    procedures = protocol.constitution.applies("P", bundle.category)
    module = module_of(subject.answer, bundle.patterns, procedures=procedures)
    with ExitStack() as stack:
        mine, other = (_Side(pipeline, module, bundle, stack) for pipeline in (ours, theirs))
        category = bundle.category
        if "syntax" in questions:
            yield "syntax", _syntax(mine.syntax(), protocol), _syntax(other.syntax(), protocol)
        runs = module.entry is not None and bool(module.whole.strip())
        if "tests" in questions and runs:
            yield "tests", _tests(mine.tests()), _tests(other.tests())
        counted = "static" if bundle.load is None else "work"
        # Optimality is a matter of answers that are right; ours decides for both, so that both measure the same answers.
        if counted in questions and runs and gate(score_meaning(mine.tests(), protocol), protocol) is None:
            meaning = mine.tests()
            yield counted, _work(mine.work(), meaning, protocol, category), _work(other.work(), meaning, protocol, category)


class _Side:
    """One stack's examinations of one answer, each opened once."""

    def __init__(self, pipeline: Pipeline, module: Module, bundle: TaskBundle, stack: ExitStack) -> None:
        self.pipeline, self.module, self.bundle, self.stack = pipeline, module, bundle, stack
        self._opened: dict[int, Examination] = {}
        self._tests: TestEvidence | None = None

    def _examination(self, question: str) -> Examination:
        engine = _engine(self.pipeline.stack, question)
        if id(engine) not in self._opened:
            self._opened[id(engine)] = self.stack.enter_context(engine.examine(self.module, self.bundle))
        return self._opened[id(engine)]

    def syntax(self) -> SyntaxEvidence:
        return self._examination("syntax").check()

    def tests(self) -> TestEvidence:
        if self._tests is None:
            self._tests = self._examination("tests").run_tests()
        return self._tests

    def work(self) -> GrowthEvidence:
        return self._examination("static" if self.bundle.load is None else "work").count_work()


# -- what each side says -----------------------------------------------------------------------------------------------


def _syntax(evidence: SyntaxEvidence, protocol: Protocol) -> Said:
    if isinstance(evidence, InstrumentFailed):
        return Said(None, evidence.detail)
    if isinstance(evidence, CandidateFailed):
        return Said(("failed",), evidence.message)
    facts = evidence.facts
    found = clusters((error.at.line for error in facts.errors), protocol.syntax.cluster_gap)
    lines = "; ".join(f"{error.at.line}: {error.message}" for error in (*facts.errors, *facts.blockers))
    return Said((len(found), len(facts.blockers), bool(unbalanced(facts))), lines)


def _tests(evidence: TestEvidence) -> Said:
    if isinstance(evidence, InstrumentFailed):
        return Said(None, evidence.detail)
    if isinstance(evidence, CandidateFailed):
        return Said((evidence.kind,), evidence.message)
    facts = evidence.facts
    if facts.stopped:
        return Said((facts.stopped.kind,), facts.stopped.message)
    text = "; ".join(_outcome(outcome) for outcome in facts.outcomes if outcome.verdict != "passed")
    return Said(tuple(outcome.verdict for outcome in facts.outcomes), text)


def _outcome(outcome: TestOutcome) -> str:
    return f"{outcome.index + 1} {outcome.verdict}: {outcome.error.message if outcome.error else outcome.actual}"


def _work(evidence: GrowthEvidence, meaning: TestEvidence, protocol: Protocol, category: str) -> Said:
    if isinstance(evidence, InstrumentFailed):
        return Said(None, evidence.detail)
    if isinstance(evidence, Observed) and isinstance(evidence.facts, StaticFacts):
        codes = sorted({finding.code for finding in evidence.facts.findings})
        return Said(tuple(codes), ", ".join(codes))
    scored = score_optimization(evidence, score_meaning(meaning, protocol), protocol, category)
    if isinstance(scored, Scored):
        return Said(str(scored.value), str(dict(scored.grounds)))
    return Said(str(getattr(scored, "reason", "")), str(getattr(scored, "detail", "")))


def _syntax_kind(ours: Any, theirs: Any) -> str:
    if len(ours) != len(theirs):
        return "refused by one"
    return f"root causes {ours[0] + ours[1]} / {theirs[0] + theirs[1]}"


_VERDICTS = frozenset(("passed", "wrong", "raised", "not_run"))


def _tests_kind(ours: Any, theirs: Any) -> str:
    """Verdicts of the first test that differs; where one side did not come to its tests, why."""
    if set(ours) <= _VERDICTS and set(theirs) <= _VERDICTS and len(ours) == len(theirs):
        first, second = next(pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1])
        return f"{first} / {second}"
    return " / ".join("runs" if set(side) <= _VERDICTS else str(side[0]) for side in (ours, theirs))


def _static_kind(ours: Any, theirs: Any) -> str:
    only_ours, only_theirs = set(ours) - set(theirs), set(theirs) - set(ours)
    parts = [f"+{code}" for code in sorted(only_ours)] + [f"-{code}" for code in sorted(only_theirs)]
    return " ".join(parts)


_KINDS: dict[str, Callable[[Any, Any], str]] = {
    "syntax": _syntax_kind,
    "tests": _tests_kind,
    "work": lambda ours, theirs: f"{ours} / {theirs}",
    "static": _static_kind,
}
