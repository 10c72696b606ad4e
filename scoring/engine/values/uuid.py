"""УникальныйИдентификатор."""

from __future__ import annotations

import re
import struct
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.members import constructor
from scoring.engine.values.model import MISSING, BslObject

EMPTY_UUID = "00000000-0000-0000-0000-000000000000"
_HEX = r"[0-9a-f]"
_DASHED = re.compile(rf"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}")
_PLAIN = re.compile(rf"{_HEX}{{32}}")


class Uuid(BslObject):
    """A UUID, compared by content. ``text`` is its canonical lower-case form."""

    __slots__ = ("text",)
    type_name = ("УникальныйИдентификатор", "UUID")

    def __init__(self, text: str) -> None:
        self.text = text

    def presentation(self, rt: Any) -> str:
        return self.text

    def map_key(self) -> Any:
        return Uuid, self.text

    def same_value(self, other: Any) -> bool:
        return isinstance(other, Uuid) and other.text == self.text

    def sort_key(self) -> Any:
        """``Guid.CompareTo``: field by field as unsigned numbers."""
        return self.text

    def is_empty(self) -> bool:
        return self.text == EMPTY_UUID

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Uuid) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)


def new_random(rt: Any) -> Uuid:
    """A version 4 UUID from the run's own source of randomness."""
    bits = bytearray(struct.pack(">QQ", rt.random.getrandbits(64), rt.random.getrandbits(64)))
    bits[6] = bits[6] & 0x0F | 0x40
    bits[8] = bits[8] & 0x3F | 0x80
    text = bits.hex()
    return Uuid(f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}")


def parse_uuid(text: str) -> str | None:
    """The canonical form of the spellings that .NET's ``Guid`` accepts; None where it is none."""
    text = text.strip().lower()
    if text[:1] + text[-1:] in ("{}", "()"):
        text = text[1:-1]
        return text if _DASHED.fullmatch(text) else None
    if _DASHED.fullmatch(text):
        return text
    if _PLAIN.fullmatch(text):
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
    return None


@constructor("УникальныйИдентификатор", "UUID")
def new_uuid(rt: Any, text: Any = MISSING) -> Uuid:
    if text is MISSING:
        return new_random(rt)
    spelled = rt.text(text)
    canonical = parse_uuid(spelled)
    if canonical is not None:
        return Uuid(canonical)
    if rt.dialect.name == "onec":
        raise BslRuntimeError("argument_value", number=1, constructor="УникальныйИдентификатор")
    raise BslRuntimeError("external", exception="System.FormatException", message=_net_complaint(spelled))


def _net_complaint(text: str) -> str:
    """The complaint of ``Guid.Parse``, which looks at the length first, then at the dashes, then at the digits."""
    stripped = text.strip()
    if not stripped:
        return "Unrecognized Guid format."
    dashed = "-" in stripped
    if len(stripped) != (36 if dashed else 32) and stripped[0] not in "{(":
        return "Guid should contain 32 digits with 4 dashes (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx)."
    if dashed and any(stripped[place] != "-" for place in (8, 13, 18, 23)):
        return "Dashes are in the wrong position for GUID parsing."
    return "Guid string should only contain hexadecimal characters."
