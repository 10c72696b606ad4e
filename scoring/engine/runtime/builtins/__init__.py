"""All built-ins of the global context. Importing this package registers them (and the types of ``values``)."""

from __future__ import annotations

from scoring.engine.runtime.builtins import (  # noqa: F401  (importing registers)
    binary_buffer,
    binary_data,
    console,
    conversion,
    dates,
    encoding,
    enums,
    error_info,
    forbidden,
    formatting,
    json,
    lacking,
    numbers,
    output,
    regex,
    strings,
    symbols,
    text_document,
    xml_streams,
    xml_values,
)
from scoring.engine.values import qualifiers, type_description, type_registry, uuid  # noqa: F401
