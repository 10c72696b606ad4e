"""Time-based one-time passwords (RFC 6238 over RFC 4226): SHA-1, six digits, thirty seconds, as every authenticator app does."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import struct
import time
from urllib.parse import quote

import segno

PERIOD_SECONDS = 30
DIGITS = 6
SECRET_BYTES = 20
# A phone's clock may be one step off either way.
DRIFT_STEPS = 1
RECOVERY_CODES = 8


def new_secret() -> str:
    """A fresh secret in base32."""
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


def code_at(secret: str, step: int) -> str:
    """The code of a time step."""
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", step), hashlib.sha1).digest()
    offset = digest[-1] & 0x0F
    number = struct.unpack(">I", digest[offset : offset + 4])[0] & 0x7FFFFFFF
    return str(number % 10**DIGITS).zfill(DIGITS)


def matching_step(secret: str, code: str, now: float | None = None, after: int = 0) -> int | None:
    """The time step that this code belongs to, later than `after`; None for a wrong or a used code."""
    given = code.replace(" ", "").encode("utf-8", "replace")
    present = int((time.time() if now is None else now) // PERIOD_SECONDS)
    for step in range(present - DRIFT_STEPS, present + DRIFT_STEPS + 1):
        if step > after and hmac.compare_digest(code_at(secret, step).encode(), given):
            return step
    return None


def address(secret: str, name: str, issuer: str = "PRISM") -> str:
    """What an authenticator app takes."""
    return f"otpauth://totp/{quote(issuer)}:{quote(name)}?secret={secret}&issuer={quote(issuer)}"


def picture(address: str, label: str) -> str:
    """The address as a QR code: an SVG element, black on white with its quiet zone whatever the page's colours are."""
    drawn: str = segno.make(address, error="m", micro=False).svg_inline(scale=4, border=4, light="#fff", title=label)
    return drawn


def new_recovery_codes() -> list[str]:
    """Codes that each work once in place of the app."""
    return [f"{secrets.token_hex(3)}-{secrets.token_hex(3)}" for _ in range(RECOVERY_CODES)]


def hashed(code: str) -> str:
    """How a recovery code is stored: 48 random bits in, so a plain hash is enough."""
    return hashlib.sha256(code.strip().lower().encode("utf-8", "replace")).hexdigest()
