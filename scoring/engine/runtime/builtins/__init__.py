"""All built-ins of the global context. Importing this package registers them (and the types of ``values``)."""

from __future__ import annotations

from scoring.engine.runtime.builtins import (  # noqa: F401  (importing registers)
    binary_data,
    conversion,
    dates,
    encoding,
    enums,
    error_info,
    forbidden,
    formatting,
    numbers,
    output,
    strings,
    symbols,
    xml_values,
)
from scoring.engine.values import qualifiers, type_description, type_registry, uuid  # noqa: F401
