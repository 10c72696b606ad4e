"""Names that the server context of 1C:Enterprise 8.3 knows, whether or not this engine implements them.

The compiler rejects an undeclared name, so it must know the platform's names even where the engine can't run them: a call of
such a function is *not supported* at run time, never an error of the module. A name that is not the platform's does harm as
well: it would hide an error, and a property of the global context can't be assigned to. Source: the platform's documentation
of the global context (server availability).

Every table is a text of entries parted by blanks: ``Имя/Name``, or ``Имя`` alone where the English name is not certain (then
it stands for both).
"""

from __future__ import annotations

from scoring.engine.syntax.check_modules.known.entries import Signature, named, signatures
from scoring.engine.syntax.check_modules.known.enums import ENUM_TABLE
from scoring.engine.syntax.check_modules.known.functions import CLIENT_TABLE, FUNCTION_TABLE
from scoring.engine.syntax.check_modules.known.properties import PROPERTY_TABLE
from scoring.engine.syntax.check_modules.known.types import TYPE_TABLE

__all__ = ["CLIENT_ONLY", "ENUMS", "FUNCTIONS", "PROPERTIES", "TYPES", "Signature"]

# Both names of each in lower case → what is known of it.
FUNCTIONS: dict[str, Signature] = signatures(FUNCTION_TABLE)
CLIENT_ONLY = frozenset(named(CLIENT_TABLE))
PROPERTIES: dict[str, tuple[str, str]] = named(PROPERTY_TABLE)
TYPES: dict[str, tuple[str, str]] = named(TYPE_TABLE)
ENUMS: dict[str, tuple[str, str]] = named(ENUM_TABLE)
