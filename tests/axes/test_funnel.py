"""Every attempt falls once, where it first broke."""

from __future__ import annotations

import pytest

from scoring.evidence import (
    CandidateFailed,
    ErrorFact,
    Evidence,
    InstrumentFailed,
    Observed,
    PairCount,
    SyntaxFacts,
    TestFacts,
    TestOutcome,
    from_data,
    to_data,
)  # fmt: skip
from scoring.funnel import classify
from scoring.protocol import load_protocol

FUNNEL = load_protocol().funnel
CLEAN = Observed(SyntaxFacts())


def ran(*outcomes: tuple[str, str, str]) -> Evidence:
    facts = tuple(
        TestOutcome(i, "", verdict, error=ErrorFact(kind, text) if kind else None)
        for i, (verdict, kind, text) in enumerate(outcomes)
    )
    return Evidence(CLEAN, Observed(TestFacts("Ф", facts)))


def broken(kind: str, message: str = "", error_kind: str = "", syntax: object = CLEAN) -> Evidence:
    return Evidence(syntax, CandidateFailed(kind, message, error_kind=error_kind))


CUT_OFF = Observed(SyntaxFacts(balance=(PairCount("loop", 2, 1),)))
SURPLUS = Observed(SyntaxFacts(balance=(PairCount("loop", 1, 2),)))


@pytest.mark.parametrize(
    ("evidence", "fallen"),
    [
        (ran(("passed", "", "")), ("solved", "none")),
        (ran(("wrong", "", ""), ("passed", "", "")), ("result", "wrong_value")),
        (ran(("wrong", "", ""), ("raised", "no_method", "Method not found (Х)")), ("run", "no_method")),
        (ran(("raised", "exception", 'Поле не найдено "А.Б"')), ("run", "no_field")),
        (ran(("raised", "exception", 'Ошибка при вызове метода контекста (Выполнить): Таблица не найдена "Х"')), ("run", "no_table")),
        (ran(("raised", "exception", 'Ошибка при вызове метода контекста (Выполнить): Синтаксическая ошибка "ПО"')), ("run", "query")),
        (ran(("raised", "raised", "мало товара")), ("run", "raised")),
        (ran(("raised", "something_new", "…")), ("run", "runtime")),
        (broken("does_not_compile", "Symbol not found Максимум", "symbol_not_found"), ("compile", "unknown_name")),
        (broken("does_not_compile", 'Expecting ";"', "expected"), ("compile", "syntax")),
        (broken("does_not_compile", "x", "expected", CUT_OFF), ("compile", "unbalanced")),
        (broken("does_not_compile", "x", "expected", SURPLUS), ("compile", "syntax")),
        (broken("no_entry_point"), ("compile", "no_entry_point")),
        (broken("empty"), ("compile", "empty")),
        (broken("limit_operations"), ("run", "time_out")),
        (broken("limit_memory"), ("run", "resources")),
        (Evidence(CLEAN, InstrumentFailed("clock")), ("unknown", "not_measured")),
    ],
)
def test_where_an_attempt_falls(evidence: Evidence, fallen: tuple[str, str]):
    fall = classify(evidence, FUNNEL)
    assert (fall.stage, fall.cause) == fallen


def test_evidence_survives_storage():
    evidence = ran(("raised", "index", "Index is out of range"), ("passed", "", ""))
    assert from_data(to_data(evidence)) == evidence


@pytest.mark.parametrize("data", [{"is": "Thing"}, {"is": "Place", "colour": 1}, {"line": 1}])
def test_stored_evidence_of_an_unknown_shape_is_refused(data: dict[str, object]):
    with pytest.raises(ValueError):
        from_data(data)
