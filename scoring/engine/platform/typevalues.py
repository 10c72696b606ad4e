"""Between the metadata's descriptions of types and the language's values ``ОписаниеТипов``."""

from __future__ import annotations

from functools import lru_cache

from scoring.engine.metadata.types import TypeDescription
from scoring.engine.values import type_description as values
from scoring.engine.values.qualifiers import (
    ALLOWED_LENGTH,
    ALLOWED_SIGN,
    DATE_FRACTIONS,
    DateQualifiers,
    NumberQualifiers,
    StringQualifiers,
)
from scoring.engine.values.types import TypeValue


@lru_cache(maxsize=4096)
def description_value(types: TypeDescription) -> values.TypeDescription:
    """``ОписаниеТипов`` for a description of the metadata."""
    sign = ALLOWED_SIGN["Nonnegative"] if types.nonnegative else None
    allowed = ALLOWED_LENGTH["Fixed"] if types.fixed_length else None
    qualifiers = values.qualifiers_from(
        [
            NumberQualifiers(types.digits, types.fraction, sign),
            StringQualifiers(types.length, allowed),
            DateQualifiers(DATE_FRACTIONS[types.date_parts]),
        ]
    )
    return values.TypeDescription([TypeValue.of(names) for names in types.names], qualifiers)


def metadata_types(value: values.TypeDescription) -> TypeDescription:
    """The metadata's description of an ``ОписаниеТипов``."""
    number, string = value.qualifiers.number, value.qualifiers.string
    return TypeDescription(
        tuple(item.names for item in value.types),
        digits=number.digits,
        fraction=number.fraction,
        nonnegative=number.sign is ALLOWED_SIGN["Nonnegative"],
        length=string.length,
        fixed_length=string.allowed is ALLOWED_LENGTH["Fixed"],
        date_parts=value.qualifiers.date.fractions.english,
    )
