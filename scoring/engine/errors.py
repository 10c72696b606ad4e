"""The one family of errors that the engine raises.

Three branches that are never mixed up, because they blame different parties:

* :class:`CompileFailed`, :class:`BslRuntimeError`: the program is wrong. Runtime errors can be caught by ``Попытка``.
* :class:`LimitReached`: a budget was spent. Its own outcome; ``Попытка`` never sees it.
* :class:`NotSupported`: the engine lacks something the genuine one has. Never the program's fault.

Anything else that escapes is a fault of the engine (:class:`EngineFault`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class EngineError(Exception):
    """Root of everything the engine raises on purpose."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding of the compiler: ``kind`` is data (see ``dialects``), ``line``/``column`` count from 1.

    ``column`` is 0 where the genuine engine gives none. ``token`` is the offending token's text.
    """

    kind: str
    message: str
    line: int
    column: int = 0
    token: str = ""


class CompileFailed(EngineError):
    """The module does not compile; ``diagnostics`` holds every finding in source order (at least one)."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics
        super().__init__("; ".join(f"({d.line},{d.column}) {d.message}" for d in diagnostics[:5]))


@dataclass(slots=True)
class Frame:
    """One level of the 1C call stack at the moment of an error: module name, routine (``""`` = body) and line."""

    module: str
    routine: str
    line: int
    source_line: str = ""


class BslRuntimeError(EngineError):
    """A runtime error of the program, catchable by ``Попытка``.

    ``kind`` is the stable data name of what happened (``no_method``, ``no_property``, ``type_mismatch``, ``index``,
    ``raised`` …, the keys of the dialects' message catalogues); ``params`` fill the dialect's wording. ``text`` set
    explicitly wins over the catalogue (messages that only one built-in has). ``frames`` (innermost first) are filled in
    while the error leaves the program. ``cause`` is the error that a 1C «context method» error wraps.
    """

    def __init__(
        self,
        kind: str,
        text: str | None = None,
        *,
        cause: BslRuntimeError | None = None,
        parameters: Any = None,
        **params: Any,
    ) -> None:
        self.kind = kind
        self.text = text
        self.params: Mapping[str, Any] = params
        self.parameters = parameters  # the second argument of ``Новый ИнформацияОбОшибке``
        self.frames: list[Frame] = []
        self.cause = cause
        super().__init__(kind, text, params)


class LimitReached(EngineError):
    """A budget was spent: ``limit`` is ``operations``, ``depth``, ``memory`` or ``output``."""

    def __init__(self, limit: str, allowed: int) -> None:
        self.limit = limit
        self.allowed = allowed
        super().__init__(f"limit of {limit} reached: {allowed}")


class NotSupported(EngineError):
    """The genuine engine has ``what``, this one does not (yet). Never counted against the program."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(f"not supported: {what}")


class EngineFault(EngineError):
    """An unexpected Python exception inside the engine: the engine's own defect, kept with its traceback text."""

    def __init__(self, detail: str) -> None:
        self.detail = detail
        super().__init__(detail)


@dataclass(slots=True)
class ErrorReport:
    """A runtime error as people and the funnel see it: worded by the dialect, placed by its innermost frame."""

    kind: str
    message: str
    module: str = ""
    line: int = 0
    column: int = 0
    source_line: str = ""
    frames: list[Frame] = field(default_factory=list)
