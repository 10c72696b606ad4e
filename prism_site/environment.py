"""Settings from the environment, refused loudly when odd: every fault of a deployment is named at once."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Mapping
from datetime import UTC, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off", ""})
MODES = ("local", "production")
SHORTEST_SECRET = 40


def flag(env: Mapping[str, str], name: str, default: bool = False) -> bool:
    """A yes/no variable; anything but the eight usual words raises ImproperlyConfigured."""
    text = env.get(name)
    if text is None:
        return default
    word = text.strip().lower()
    if word not in TRUE | FALSE:
        raise ImproperlyConfigured(f"{name}={text!r}: expected one of 1, 0, true, false, yes, no, on, off")
    return word in TRUE


def whole_number(env: Mapping[str, str], name: str, default: int, lowest: int = 1) -> int:
    """An integer variable of at least `lowest`."""
    text = env.get(name)
    if text is None or not text.strip():
        return default
    try:
        number = int(text)
    except ValueError:
        raise ImproperlyConfigured(f"{name}={text!r}: expected a whole number") from None
    if number < lowest:
        raise ImproperlyConfigured(f"{name}={number}: expected at least {lowest}")
    return number


def hour(env: Mapping[str, str], name: str, default: int) -> int | None:
    """An hour of the day, or None for "off"."""
    text = env.get(name, "").strip().lower()
    if text == "off":
        return None
    if not text:
        return default
    if not text.isdecimal() or int(text) > 23:
        raise ImproperlyConfigured(f"{name}={text!r}: expected an hour of the day, 0 to 23, or off")
    return int(text)


def time_zone(env: Mapping[str, str], machine: Path = Path("/etc/localtime")) -> tzinfo:
    """The zone named by PRISM_TIME_ZONE, else the machine's, else UTC. What is stored and shown stays in UTC."""
    name = env.get("PRISM_TIME_ZONE", "").strip()
    if name:
        try:
            return ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):  # a folder of zones, a name too long for a file
            raise ImproperlyConfigured(f"PRISM_TIME_ZONE={name!r}: expected a name like Europe/Moscow") from None
    try:
        with machine.open("rb") as file:
            return ZoneInfo.from_file(file, key="local")
    except (OSError, ValueError):
        return UTC


def words(env: Mapping[str, str], name: str) -> list[str]:
    """A comma-separated list without blanks and empty entries."""
    return [part.strip() for part in env.get(name, "").split(",") if part.strip()]


def mode(env: Mapping[str, str]) -> str:
    """`local` (a person's own machine, the default) or `production`."""
    name = env.get("PRISM_ENV", "local").strip().lower() or "local"
    if name not in MODES:
        raise ImproperlyConfigured(f"PRISM_ENV={name!r}: expected one of {', '.join(MODES)}")
    return name


def production_faults(env: Mapping[str, str]) -> list[str]:
    """Everything that must not go live, each with its cure."""
    faults = []
    secret = env.get("PRISM_SECRET_KEY", "")
    if len(secret) < SHORTEST_SECRET or len(set(secret)) < 8 or "insecure" in secret or "change" in secret.lower():
        faults.append(f"PRISM_SECRET_KEY is missing or guessable: set {SHORTEST_SECRET} random characters or more")
    if flag(env, "PRISM_DEBUG"):
        faults.append("PRISM_DEBUG is on: error pages would show the settings to anyone")
    hosts = words(env, "PRISM_ALLOWED_HOSTS")
    if not hosts:
        faults.append("PRISM_ALLOWED_HOSTS is empty: name the hosts, separated by commas")
    if any(host == "*" or host.startswith("*") for host in hosts):
        faults.append("PRISM_ALLOWED_HOSTS is open ('*'): name the hosts one by one")
    return faults


def refuse_unsafe(env: Mapping[str, str]) -> None:
    """Raises ImproperlyConfigured with all faults of a production environment in one message."""
    faults = production_faults(env)
    if faults:
        raise ImproperlyConfigured("PRISM refuses to start in production:\n- " + "\n- ".join(faults))


def data_folder(env: Mapping[str, str], default: Path) -> Path:
    """The folder of what an installation keeps beside its servers; raises ImproperlyConfigured where nothing can be kept in it."""
    path = Path(env.get("PRISM_VAR") or default).resolve()
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not all(env.get(name) for name in ("DATABASE_URL", "REDIS_URL", "PRISM_SECRET_KEY")):
            tempfile.TemporaryFile(dir=path).close()
    except OSError as error:
        raise ImproperlyConfigured(f"{path} can't be written ({error.strerror}): name a folder of your own in PRISM_VAR") from None
    return path


def local_secret(var: Path) -> str:
    """The machine's own random secret key, made at the first start and kept in `var/`."""
    path = var / "secret_key"
    if not path.exists():
        var.mkdir(parents=True, exist_ok=True)
        fresh = var / f"secret_key.{secrets.token_hex(4)}"
        # Nobody else's from the first moment on.
        fresh.touch(0o600, exist_ok=False)
        fresh.write_text(secrets.token_urlsafe(50))
        # Several processes may start at once; the first link wins and all read the same key.
        try:
            path.hardlink_to(fresh)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return path.read_text()
