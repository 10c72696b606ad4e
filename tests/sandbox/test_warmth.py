"""Warmth is speed only: what the parent and the checker have learnt changes no finding."""

from __future__ import annotations

from pathlib import Path

import yaml

from scoring.engine.platform import build_database
from scoring.engine.syntax.bsl_parser import analyse, prediction
from scoring.sandbox.worker import warmth
from scoring.sandbox.worker.jobs import Checker, run_sample, warm_up

GALLERY = yaml.safe_load((Path(__file__).parents[1] / "hostile" / "gallery.yaml").read_text("utf-8"))
TEXTS = [entry["code"] for entry in GALLERY] + [warmth.sample("broken"), warmth.sample("valid")]
# Each text cut short in the middle of something, too.
TEXTS += [text[: len(text) * 2 // 3] for text in TEXTS]


def test_findings_do_not_depend_on_what_was_read_before():
    prediction._PREDICTORS.clear()
    forwards = [analyse(text) for text in TEXTS]
    prediction._PREDICTORS.clear()
    backwards = [analyse(text) for text in reversed(TEXTS)]
    warm_up()
    warm = [analyse(text) for text in TEXTS]
    assert forwards == backwards[::-1] == warm


def test_the_samples_are_what_they_say():
    assert analyse(warmth.sample("valid")).messages == ()
    assert len(analyse(warmth.sample("broken")).messages) > 5


def test_the_checker_answers_for_both_dialects():
    checker = Checker()
    for dialect in ("onescript", "onec"):
        assert checker.handle({"op": "syntax", "dialect": dialect, "code": warmth.sample("valid")}) == {"findings": []}
        assert checker.handle({"op": "syntax", "dialect": dialect, "code": "Функция Ф(\n"})["findings"]
    assert checker.handle({"op": "static", "code": "Функция Ф()\nА = ТекущаяДата();\nКонецФункции"})["findings"]


def test_the_samples_run_to_their_end():
    for dialect in ("onescript", "onec"):
        assert run_sample(dialect, "valid", 3)[0] == "t"
    result = run_sample("onec", "platform", "Товар 1", build_database(warmth.CONFIGURATION, warmth.FIXTURES))
    assert any(isinstance(value, str) and "НетТакого" in value for value in result[1])
