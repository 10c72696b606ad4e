"""Which instrument answers which question: the settings' choice, against what is really there.

An engine named outright is used or missing (then nothing is scored, and the reason says what to do); ``genuine`` takes the genuine
engine where it is available and the built-in one elsewhere. Instruments are made when first needed and shared by both categories.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scoring.instruments.base import Availability, Instrument
from scoring.instruments.bsl_ls import BslLanguageServer
from scoring.instruments.builtin import BuiltinEngine
from scoring.instruments.onec_docker import OnecDocker
from scoring.instruments.onescript import OneScript
from scoring.instruments.settings import BSL_LS, BUILTIN, CHOICES, GENUINE, ONEC, ONESCRIPT, EngineSettings
from scoring.protocol import Protocol
from scoring.sandbox.docker_host import DockerSandbox

# The image of docker/sandbox.Dockerfile, unless PRISM_SANDBOX_IMAGE names another.
SANDBOX_IMAGE = "prism-sandbox"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The instrument for one question. ``note`` says why it is not the genuine one that was wanted."""

    instrument: Instrument
    note: str = ""


def make_builtin(protocol: Protocol, settings: EngineSettings) -> Instrument:
    """The built-in engine, in a process of its own or (``PRISM_SANDBOX=docker``) in a container."""
    if settings.sandbox != "docker":
        return BuiltinEngine(protocol)
    return BuiltinEngine(protocol, DockerSandbox(protocol.limits, settings.sandbox_image or SANDBOX_IMAGE))


MAKERS: Mapping[str, Callable[[Protocol, EngineSettings], Instrument]] = {
    BUILTIN: make_builtin,
    BSL_LS: BslLanguageServer,
    ONESCRIPT: OneScript,
    ONEC: OnecDocker,
}


class Engines:
    """The instruments of one process. Not for several threads at once."""

    def __init__(self, protocol: Protocol, settings: EngineSettings | None = None) -> None:
        self.protocol = protocol
        self.settings = settings or EngineSettings()
        self._made: dict[str, Instrument] = {}
        self._found: dict[str, Availability] = {}

    def get(self, name: str) -> Instrument:
        if name not in self._made:
            self._made[name] = MAKERS[name](self.protocol, self.settings)
        return self._made[name]

    def availability(self, name: str) -> Availability:
        """Asked once: what is installed while PRISM runs counts from the next start on."""
        if name not in self._found:
            self._found[name] = self.get(name).availability()
        return self._found[name]

    def choose(self, category: str, question: str) -> Chosen:
        """The instrument for a question of a category (see :data:`~scoring.instruments.settings.CHOICES`)."""
        wanted = self.settings.engine(category, question)
        if wanted != GENUINE:
            return Chosen(self.get(wanted))
        genuine = CHOICES[category, question][0]
        found = self.availability(genuine)
        return Chosen(self.get(genuine)) if found.ready else Chosen(self.get(BUILTIN), f"{genuine}: {found.reason}")

    def close(self) -> None:
        for instrument in self._made.values():
            instrument.close()
        self._made.clear()
        self._found.clear()
