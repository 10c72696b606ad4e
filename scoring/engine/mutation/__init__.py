"""Mutants: small faults made on purpose in a right program, on the trees of its module and of its queries.

Hidden tests are as good as the share of such faults that they notice. Each mutant is a patch of the text at a node's place,
so that a person reads it as a diff; one that provably changes nothing carries its proof and counts nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from scoring.engine.errors import CompileFailed, EngineError
from scoring.engine.mutation.equivalence import program_print
from scoring.engine.mutation.literals import QueryLiteral, query_literals
from scoring.engine.mutation.modules import ModuleMutator
from scoring.engine.mutation.patches import OPERATORS, Patch, unified
from scoring.engine.mutation.queries import query_patches
from scoring.engine.mutation.spans import SpanningModuleParser
from scoring.engine.query.failures import QueryError
from scoring.engine.source import Source
from scoring.engine.syntax.nodes import key

__all__ = ["OPERATORS", "Patch", "mutants_of", "parameters_of", "unified"]

SAME_PROGRAM = "same_program"
_BLANK = re.compile(r"\s+")


def mutants_of(text: str, dialect: str, most: int = 0) -> list[Patch]:
    """Patches of ``unified(text)``, all different in what they make of it, in order of the text.

    ``most`` bounds their number (0 = no bound): then every operator gives up the same share. Raises CompileFailed for a
    text that does not parse.
    """
    text = unified(text)
    parser = SpanningModuleParser(Source(text), dialect)
    module = parser.module()
    literals = query_literals(parser.tokens)
    queries = frozenset(literal.text for literal in literals)
    patches = ModuleMutator(parser, text, queries).mutate(module.routines)
    for literal in literals:
        patches += _of_query(literal)
    return _proven(_thinned(_distinct(text, patches), most), text, dialect)


def parameters_of(text: str, dialect: str, routine: str) -> list[str]:
    """Names of a routine's parameters; empty where there is no such routine. Raises CompileFailed."""
    module = SpanningModuleParser(Source(unified(text)), dialect).module()
    found = [entry for entry in module.routines if key(entry.name) == key(routine)]
    return [parameter.name for parameter in found[0].parameters] if found else []


def _of_query(literal: QueryLiteral) -> list[Patch]:
    try:
        found = query_patches(literal.text)
    except (QueryError, EngineError, RecursionError):
        return []  # a text that is put together from parts: its mutants would be guesses
    return [
        Patch(patch.operator, *literal.place(patch.start, patch.end), literal.written(patch.replacement, patch.start), patch.proof)
        for patch in found
    ]


def _distinct(text: str, patches: Iterable[Patch]) -> list[Patch]:
    """One patch per resulting text, blanks aside; those that change nothing at all are dropped."""
    seen = {_BLANK.sub(" ", text)}
    kept = []
    for patch in patches:
        result = _BLANK.sub(" ", patch.apply(text))
        if result not in seen:
            seen.add(result)
            kept.append(patch)
    return sorted(kept, key=lambda patch: (patch.start, patch.end, patch.operator))


def _thinned(patches: list[Patch], most: int) -> list[Patch]:
    """At most ``most`` patches, taken evenly over each operator's own, so that no place and no kind is left out."""
    if not most or len(patches) <= most:
        return patches
    ranked = []
    for operator in OPERATORS:
        own = [patch for patch in patches if patch.operator == operator]
        ranked += [((number + 0.5) / len(own), operator, patch) for number, patch in enumerate(_spread(own))]
    chosen = sorted(ranked, key=lambda entry: entry[:2])[:most]
    return sorted((entry[2] for entry in chosen), key=lambda patch: (patch.start, patch.end, patch.operator))


def _spread(own: list[Patch]) -> list[Patch]:
    """The patches in an order in which every beginning of it is spread over the text: by the bits of their number, reversed."""
    width = max(1, (len(own) - 1).bit_length())
    return [own[number] for number in sorted(range(len(own)), key=lambda number: int(f"{number:0{width}b}"[::-1], 2))]


def _proven(patches: list[Patch], text: str, dialect: str) -> list[Patch]:
    """The patches, those that compile to the same program marked with that proof."""
    try:
        original = program_print(text, dialect)
    except EngineError:
        return patches
    result = []
    for patch in patches:
        same = not patch.proof and _print_or_none(patch.apply(text), dialect) == original
        result.append(Patch(patch.operator, patch.start, patch.end, patch.replacement, SAME_PROGRAM) if same else patch)
    return result


def _print_or_none(text: str, dialect: str) -> object:
    try:
        return program_print(text, dialect)
    except (CompileFailed, EngineError, RecursionError):
        return None
