"""Axis S of category A: what BSL Language Server 0.29 reports about a module, by a parser of our own.

The genuine tool is a generated parser with its generator's default recovery; the number and the lines of its errors
follow from both. :func:`analyse` gives the same lines, the blockers, and the balance of keywords. How errors are
clustered and scored is not decided here: those numbers belong to the protocol.
"""

from __future__ import annotations

from dataclasses import dataclass

from . import balance, lexer, parser
from .balance import Imbalance
from .parser import Note
from .tokens import EOF, shown

__all__ = ["Imbalance", "SyntaxFindings", "SyntaxMessage", "analyse", "root_cause_lines"]

_EXPECTED_SHOWN = 6  # more alternatives than this help nobody


@dataclass(frozen=True, slots=True)
class SyntaxMessage:
    """One finding: ``kind`` is ``parse_error``, ``missing_token`` or ``procedure_returns_value``; ``line`` and
    ``column`` count from 1, ``text`` is for people, in Russian, ``token`` is the text of the token to blame."""

    kind: str
    line: int
    column: int
    text: str
    token: str = ""


@dataclass(frozen=True, slots=True)
class SyntaxFindings:
    """``parse_error_lines`` and ``blocker_lines`` are sorted and hold a line once per finding; ``messages`` are in
    the order of the text; ``imbalances`` is empty when every pair of keywords balances."""

    parse_error_lines: tuple[int, ...]
    blocker_lines: tuple[int, ...]
    messages: tuple[SyntaxMessage, ...]
    imbalances: tuple[Imbalance, ...]

    @property
    def balanced(self) -> bool:
        return not self.imbalances


def _error_text(note: Note, tokens: lexer.Tokens) -> str:
    expected = sorted({shown(kind) for kind in note.expected})
    at_end = tokens.kinds[note.found] == EOF
    text = "Неожиданный конец текста" if at_end else f"Неожиданно: {tokens.words[note.found][:40]}"
    if 0 < len(expected) <= _EXPECTED_SHOWN:
        text += ". Ожидается: " + ", ".join(expected)
    return text


def _messages(tokens: lexer.Tokens, parsed: parser.Parsed) -> list[SyntaxMessage]:
    def message(kind: str, index: int, text: str) -> SyntaxMessage:
        return SyntaxMessage(kind, *tokens.place(index), text, tokens.words[index])

    found = [message("parse_error", note.index, _error_text(note, tokens)) for note in parsed.notes]
    found += [message("missing_token", index, "Здесь пропущен символ или слово") for index in parsed.imagined]
    found += [message("procedure_returns_value", index, "Процедура не может возвращать значение") for index in parsed.returns]
    return sorted(found, key=lambda each: (each.line, each.column))


def analyse(text: str) -> SyntaxFindings:
    """Everything axis S of category A needs to know about ``text``. Never fails, whatever the text is."""
    tokens = lexer.read(text)
    messages = _messages(tokens, parser.parse(tokens))
    return SyntaxFindings(
        parse_error_lines=tuple(m.line for m in messages if m.kind != "procedure_returns_value"),
        blocker_lines=tuple(m.line for m in messages if m.kind == "procedure_returns_value"),
        messages=tuple(messages),
        imbalances=balance.imbalances(text),
    )


def root_cause_lines(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Lines of the parse errors and of the compile blockers, sorted, a line once per finding."""
    findings = analyse(text)
    return findings.parse_error_lines, findings.blocker_lines
