"""The whole validation of one bundle, in the order in which an author wants to hear of it.

    report = validate(loaded, bench, standards, tell)

Format and condition need no engine and come first; then the bundle's own answers, junk, steadiness, and last the mutants,
which take longest. ``tell`` hears of progress and of remarks as they are found.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from scoring.bundles import Loaded, TaskBundle
from scoring.bundles.model import DataTests
from scoring.bundles.standards import Standards
from scoring.evidence import Observed
from scoring.validation import condition, junk, own_answers, relations, strength
from scoring.validation.bench import Bench
from scoring.validation.report import Remark, Report, of_finding

# How much of the whole each stage takes, about: for the progress bar alone.
STAGES = {"format": 2, "answers": 13, "junk": 15, "steadiness": 10, "mutants": 60}


@dataclass(frozen=True, slots=True)
class Progress:
    """``share`` of the whole (0–1) that is done, the stage at work, and every remark so far."""

    stage: str
    share: float
    remarks: tuple[Remark, ...]


Tell = Callable[[Progress], None]


@dataclass
class _Course:
    """Where a validation stands."""

    tell: Tell
    remarks: list[Remark] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    stage: str = ""

    @contextmanager
    def at(self, stage: str) -> Iterator[None]:
        self.stage = stage
        self.step(0.0)
        started = time.perf_counter()
        yield
        self.seconds[stage] = round(time.perf_counter() - started, 3)
        self.step(1.0)

    def step(self, share: float) -> None:
        before = 0
        for name, weight in STAGES.items():
            if name == self.stage:
                break
            before += weight
        done = (before + STAGES[self.stage] * min(1.0, share)) / sum(STAGES.values())
        self.tell(Progress(self.stage, done, tuple(self.remarks)))

    def counting(self, total: int) -> Callable[[], None]:
        """A callback for each of ``total`` jobs."""
        finished = 0

        def done() -> None:
            nonlocal finished
            finished += 1
            self.step(finished / max(1, total))

        return done


def validate(loaded: Loaded, bench: Bench, standards: Standards, tell: Tell = lambda progress: None) -> Report:
    """The report on a loaded bundle. Raises Stopped where the bench was told to stop."""
    course = _Course(tell)
    bundle = loaded.bundle
    with course.at("format"):
        course.remarks += map(of_finding, loaded.findings)
        course.remarks += [Remark("missing_file", "format", "error", name) for name in loaded.missing]
        if bundle is not None:
            course.remarks += condition.condition_remarks(bundle)
            course.remarks += relations.duplicates(bundle)
            if isinstance(bundle.tests, DataTests):
                course.remarks += relations.few_tests(bundle, len(bundle.tests), standards)
    if bundle is None or not bundle.canonical:
        known = bundle or loaded
        return _report(known, course, bench)
    return _measured(bundle, bench, standards, course)


def _report(known: object, course: _Course, bench: Bench, **measured: object) -> Report:
    bundle = known if isinstance(known, TaskBundle) else None
    return Report(
        digest=bundle.hash if bundle else "",
        task_id=bundle.id if bundle else "",
        name=bundle.name if bundle else "",
        category=bundle.category if bundle else "",
        remarks=tuple(course.remarks),
        engine=bench.version,
        protocol=bench.protocol.version,
        seconds=dict(course.seconds),
        **measured,  # type: ignore[arg-type]
    )


def _measured(bundle: TaskBundle, bench: Bench, standards: Standards, course: _Course) -> Report:
    with course.at("answers"):
        own = list(own_answers.own_answers(bundle, standards))
        tried = own_answers.trial(bundle, bench, standards, course.counting(len(own)))
        course.remarks += tried.remarks
    evidence = tried.reference.evidence.tests if tried.reference else None
    names = _names(bundle, evidence)
    if not isinstance(bundle.tests, DataTests):
        course.remarks += relations.few_tests(bundle, len(names), standards)
    right = isinstance(evidence, Observed) and evidence.facts.total and evidence.facts.passed == evidence.facts.total
    if not right:
        # Nothing to compare with: mutants of a reference that fails say nothing about the tests.
        return _report(bundle, course, bench, answers=tried.answers, complete=True)
    return _tested(bundle, bench, standards, course, tried, names)


def _tested(
    bundle: TaskBundle, bench: Bench, standards: Standards, course: _Course, tried: own_answers.Trialled, names: Sequence[str]
) -> Report:
    assert tried.reference is not None
    operations = strength.operations_of(tried.reference.evidence.tests)
    parameters = _parameters(bundle, bench)
    with course.at("junk"):
        expected = len(list(junk.junk_of(bundle, "И", parameters, standards.junk_constants)))
        found = junk.try_junk(bundle, bench, standards, parameters, course.counting(expected))
        course.remarks += found.remarks
    with course.at("steadiness"):
        course.remarks += own_answers.steadiness(bundle, bench, standards, course.counting(standards.repeats + 2))
    with course.at("mutants"):
        mutation = strength.mutate(bundle, bench, standards, operations, len(names), course.step)
        figures = relations.figures(names, mutation.tried, found.passed)
        course.remarks += mutation.remarks
        course.remarks += relations.needless(bundle, figures, mutation.tried)
    return _report(
        bundle, course, bench, strength=mutation.strength, survivors=mutation.survivors, tests=figures, answers=tried.answers,
        complete=True,
    )  # fmt: skip


def _parameters(bundle: TaskBundle, bench: Bench) -> tuple[str, ...]:
    module = bench.module(bundle.canonical, bundle)
    entry = module.entry.name if module.entry else ""
    made = bench.run([lambda engine: engine.mutants(bundle.canonical, bundle.category, entry, 1)])[0]
    return getattr(made, "parameters", ())


def _names(bundle: TaskBundle, evidence: object) -> list[str]:
    if isinstance(bundle.tests, DataTests):
        return [case.name for case in bundle.tests.cases]
    return [outcome.name for outcome in evidence.facts.outcomes] if isinstance(evidence, Observed) else []
