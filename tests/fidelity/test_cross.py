"""Two engines over the same answers: what counts as equal, how a disagreement is named, and what is published."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from scoring.bundles import load_files
from scoring.evidence import (
    CandidateFailed,
    ErrorFact,
    InstrumentFailed,
    Observed,
    Place,
    StaticFacts,
    SyntaxFacts,
    SyntaxFinding,
    TestFacts,
    TestOutcome,
)
from scoring.fidelity.command import publish_cross
from scoring.fidelity.cross import Subject, asked, cross_check
from scoring.pipeline import Pipeline, Stack
from scoring.protocol import load_protocol

PROTOCOL = load_protocol()
BUNDLE = load_files({
    "task.yaml": b"id: T1\nname: x\ncategory: A\ndifficulty: easy\nprompt: x\nentry_point: F\n",
    "tests.yaml": b"tests:\n  - {args: [], expected: 1}\n",
}).required()  # fmt: skip
CODE = "Функция F()\nКонецФункции"


class Says:
    """An engine that says what it is told."""

    batches = False

    def __init__(self, name: str, syntax: Any = None, tests: Any = None) -> None:
        self.name, self.syntax, self.tests, self.prepared = name, syntax, tests, 0

    def version(self) -> str:
        return "1"

    def prepare(self, texts: Any) -> None:
        self.prepared += 1

    @contextlib.contextmanager
    def examine(self, module: Any, bundle: Any) -> Any:
        yield self

    def check(self) -> Any:
        return self.syntax

    def run_tests(self) -> Any:
        return self.tests

    def count_work(self) -> Any:
        return Observed(StaticFacts())


def errors(*lines: int) -> Any:
    return Observed(SyntaxFacts(tuple(SyntaxFinding("parse_error", "секрет", Place(line)) for line in lines)))


def outcomes(*verdicts: str) -> Any:
    found = [TestOutcome(i, "", verdict, error=ErrorFact("x", "секрет") if verdict == "raised" else None) for i, verdict in enumerate(verdicts)]
    return Observed(TestFacts("F", tuple(found)))


def compared(ours: Any, theirs: Any, question: str, **options: Any) -> dict[str, Any]:
    first, second = Says("builtin", errors(), outcomes("wrong")), Says("genuine", errors(), outcomes("wrong"))
    setattr(first, question, ours), setattr(second, question, theirs)
    roles = {"syntax": first, "tests": first, "work": first} | {question: second}
    pipelines = Pipeline(Stack.of(first), PROTOCOL), Pipeline(Stack(**roles), PROTOCOL)
    return cross_check([Subject("T1", "м", CODE, BUNDLE)], *pipelines, category="A", **options)


LOST = InstrumentFailed("instrument", "нет")


@pytest.mark.parametrize(
    ("question", "ours", "theirs", "kind"),
    [
        ("syntax", errors(), errors(), ""),
        ("syntax", errors(1, 3), errors(2), ""),
        ("syntax", errors(1, 9), errors(1), "root causes 2 / 1"),
        ("syntax", CandidateFailed("limit"), errors(1), "refused by one"),
        ("tests", outcomes("passed", "wrong"), outcomes("passed", "wrong"), ""),
        ("tests", outcomes("passed", "wrong"), outcomes("passed", "raised"), "wrong / raised"),
        ("tests", CandidateFailed("does_not_compile"), outcomes("passed"), "does_not_compile / runs"),
    ],
)
def test_what_counts_as_equal(question: str, ours: Any, theirs: Any, kind: str):
    report = compared(ours, theirs, question)
    assert [entry["kind"] for entry in report["disagreements"]] == ([kind] if kind else [])
    assert report["questions"] == {question: report["questions"][question]} and report["questions"][question]["n"] == 1


@pytest.mark.parametrize("sides", [(LOST, errors()), (errors(), LOST), (LOST, LOST)])
def test_what_one_side_did_not_measure_is_no_disagreement(sides: tuple[Any, Any]):
    row = compared(*sides, "syntax")["questions"]["syntax"]
    assert (row["n"], row["not_measured"], row["share"]) == (0, 1, None)


def test_only_questions_with_different_engines_are_asked():
    builtin, genuine = Says("builtin"), Says("genuine")
    assert asked(Stack.of(builtin), Stack(genuine, builtin, builtin)) == ("syntax",)
    assert asked(Stack.of(builtin), Stack(builtin, builtin, builtin, genuine)) == ("static",)
    assert asked(Stack.of(builtin), Stack.of(builtin)) == ()


def test_the_words_of_both_sides_come_only_when_asked_for():
    assert "секрет" not in json.dumps(compared(errors(1), errors(), "syntax"), ensure_ascii=False)
    assert compared(errors(1), errors(), "syntax", details=True)["disagreements"][0]["ours"] == "1: секрет"


def test_a_published_report_becomes_part_of_the_document(tmp_path: Path):
    folder = tmp_path / "fidelity"
    folder.mkdir()
    cause = "disagreements:\n  - {task: T1, model: м, axis: syntax, cause: так вышло}\nnot_observed: {}\n"
    (folder / "causes.yaml").write_text(cause, "utf-8")
    publish_cross(compared(errors(1), errors(), "syntax"), folder, "x")
    text = (tmp_path / "fidelity.md").read_text("utf-8")
    assert "genuine 1 beside the built-in engine" in text and "| T1 | м | syntax | root causes 1 / 0 | так вышло |" in text
