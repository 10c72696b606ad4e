"""What stored answers say of a task's tests: which everyone passes, which nobody, and where experts disagree with all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import mean

from django.conf import settings

from scoring.bundles.standards import Standards, load_standards
from scoring.evidence import Evidence, Observed, TestFacts, from_data
from scoring.models import Score, Task
from scoring.services import reviewing, stacks


@dataclass(frozen=True, slots=True)
class TestRate:
    """How a test fares with networks' answers. `tells` is the difference of its pass rates among the better and the worse half."""

    __test__ = False

    number: int
    name: str
    passed: int
    answers: int
    tells: float | None
    everyone: bool = False
    nobody: bool = False

    @property
    def rate(self) -> float:
        return self.passed / self.answers


@dataclass(frozen=True, slots=True)
class Doubtful:
    """An answer that passes every test while experts grade its M low."""

    answer: int
    network: str
    grades: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Discrimination:
    answers: int
    tests: tuple[TestRate, ...]
    doubtful: tuple[Doubtful, ...]


def of_task(task: Task) -> Discrimination | None:
    """The figures of the present version by the shown stack; None where no network has answered."""
    stack = stacks.shown_stack(task.category)
    scores = list(
        Score.objects.filter(
            answer__task=task, answer__is_current=True, answer__network__is_control=False, stack=stack, bundle=task.bundle
        ).select_related("answer__network")
    )
    if not scores:
        return None
    rules = load_standards(settings.PRISM_METRICS_DIR)
    facts = {score.pk: found for score in scores if (found := _facts(score)) is not None}
    grades = reviewing.graded_meanings(task.pk)
    return Discrimination(len(scores), tuple(_rates(facts.values(), rules)), tuple(_doubtful(scores, grades, rules)))


def _facts(score: Score) -> TestFacts | None:
    evidence = from_data(score.evidence) if score.evidence else None
    if not isinstance(evidence, Evidence) or not isinstance(evidence.tests, Observed) or evidence.tests.facts.stopped:
        return None
    return evidence.tests.facts


def _rates(facts: Iterable[TestFacts], rules: Standards) -> Iterable[TestRate]:
    runs = sorted(facts, key=lambda run: run.passed)
    worse, better = runs[: len(runs) // 2], runs[(len(runs) + 1) // 2 :]
    passed = _passed(runs)
    low, high = _passed(worse), _passed(better)
    names = {outcome.index: outcome.name for run in runs for outcome in run.outcomes}
    for index in sorted(names):
        tells = high[index] / len(better) - low[index] / len(worse) if worse else None
        enough = len(runs) >= rules.least_answers
        everyone, nobody = enough and passed[index] == len(runs), enough and passed[index] == 0
        yield TestRate(index + 1, names[index], passed[index], len(runs), tells, everyone, nobody)


def _passed(runs: Iterable[TestFacts]) -> Counter[int]:
    return Counter(outcome.index for run in runs for outcome in run.outcomes if outcome.verdict == "passed")


def _doubtful(scores: Iterable[Score], grades: Mapping[int, tuple[int, ...]], rules: Standards) -> Iterable[Doubtful]:
    for score in scores:
        given = grades.get(score.answer_id, ())
        if score.solved and given and mean(given) <= rules.low_grade:
            yield Doubtful(score.answer_id, str(score.answer.network.title), given)
