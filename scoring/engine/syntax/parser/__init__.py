"""Tokens → tree, by recursive descent, one function a construct.

The parser stops at the first error, as the OneScript compiler does. The list of *all* errors that 1C's ``/CheckModules``
gives, and the count of root causes that BSL Language Server gives, have parsers of their own.
"""

from __future__ import annotations

from scoring.engine.source import Source
from scoring.engine.syntax import nodes
from scoring.engine.syntax.parser.declarations import ModuleParser

__all__ = ["parse_expression", "parse_module", "parse_statements"]


def parse_module(source: Source, dialect: str) -> nodes.Module:
    """The tree of a module; raises :class:`~scoring.engine.errors.CompileFailed`."""
    return ModuleParser(source, dialect).module()


def parse_expression(source: Source, dialect: str) -> nodes.Expression:
    """The tree of a lone expression (``Вычислить``)."""
    parser = ModuleParser(source, dialect)
    result = parser.expression("end")
    if parser.code != "end":
        parser.fail("expression_syntax")
    return result


def parse_statements(source: Source, dialect: str, routine: str = "") -> list[nodes.Statement]:
    """The tree of a batch of statements (``Выполнить``); ``routine``: ``procedure`` lets ``Возврат`` stand in it."""
    parser = ModuleParser(source, dialect)
    parser.routine = routine
    return parser.body()
