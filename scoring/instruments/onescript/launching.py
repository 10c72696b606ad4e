"""How OneScript is started: a program of this machine or a container of an image. The instrument sees no difference.

A run has a place of its own: a folder, and a user that nobody else is at that time. Whatever the run leaves (processes, files in
places that are open to all) ends with it, so that the next answer meets nothing of this one.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from scoring.instruments.processes import (
    FILE_BYTES,
    Ended,
    ProgramMissing,
    hand_over,
    outer_walls,
    run_program,
    run_user,
    scratch_folder,
)
from scoring.instruments.settings import EngineSettings
from scoring.sandbox.containers import Bounds, Containers, DockerMissing, Mount

# Of the managed heap (.NET reads the setting as hexadecimal), and of a whole container.
HEAP, MEMORY = 3 << 29, 2 << 30
# The same on both paths. Texts, messages and the order of strings are to be those of the invariant culture, as .NET has it from ICU:
# a locale of `C` means that culture, and without ICU strings would be ordered by their codes.
ENVIRONMENT: Mapping[str, str] = {
    "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "0", "DOTNET_CLI_TELEMETRY_OPTOUT": "1",
    "DOTNET_gcServer": "0", "DOTNET_EnableDiagnostics": "0", "DOTNET_GCHeapHardLimit": f"{HEAP:X}",
}  # fmt: skip
PROGRAM = "oscript"
STAND_IN_LABEL = "prism.stand-in"
# Where a container sees the folder of its run.
INSIDE = "/work"
PROCESSES = 256
INSTALL = "install OneScript 2 (oscript.io) and name the program in PRISM_ONESCRIPT"
BUILD = "build one with docker/onescript.Dockerfile (see docs/engines.md) and name it in PRISM_ONESCRIPT_IMAGE"


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of one run on the host, the path that the engine sees, and the user who owns it (None: ourselves)."""

    folder: Path
    inside: str
    user: int | None = None

    def write(self, name: str, text: str) -> str:
        """Write a script; returns its path as the engine sees it."""
        file = self.folder / name
        file.write_bytes(text.encode("utf-8", "replace"))
        hand_over(file, self.user)
        return f"{self.inside}/{name}"


class Launcher(Protocol):
    """``setting``: what names this OneScript. ``missing``: why it can't be started and what to do, "" where it can."""

    setting: str

    @property
    def missing(self) -> str: ...

    def place(self) -> contextlib.AbstractContextManager[Place]: ...

    def launch(self, arguments: Sequence[str], place: Place, seconds: float) -> Ended:
        """Raises :class:`ProgramMissing`."""
        ...


def launcher_of(settings: EngineSettings) -> Launcher:
    """The image where one is named, else the program."""
    return ImageLauncher(settings.oscript_image) if settings.oscript_image else LocalLauncher(settings.oscript)


class LocalLauncher:
    """OneScript of this machine, as another user and without network where the kernel grants that."""

    setting = "PRISM_ONESCRIPT"

    def __init__(self, program: str) -> None:
        self.found = shutil.which(program or PROGRAM)
        what = f"{program} is no program" if program else f"{PROGRAM} is not on PATH"
        self.missing = "" if self.found else f"{what}: {INSTALL}"

    @contextlib.contextmanager
    def place(self) -> Iterator[Place]:
        with run_user() as user, scratch_folder("prism-os-", user) as folder:
            yield Place(folder, str(folder), user)

    def launch(self, arguments: Sequence[str], place: Place, seconds: float) -> Ended:
        if self.found is None:
            raise ProgramMissing("OneScript is not installed")
        environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": place.inside, "TMPDIR": place.inside, **ENVIRONMENT}
        walls = outer_walls(int(seconds) * 2 + 10, user=place.user)
        return run_program(
            [self.found, *arguments], seconds=seconds, folder=place.folder, environment=environment, walls=walls, user=place.user
        )


class ImageLauncher:
    """OneScript of an image: every start in a container of its own.

    Starts of one answer share none, dear as a start is: what an earlier one left running would read the driver of the next, and
    with it everything that a count is believed for.
    """

    setting = "PRISM_ONESCRIPT_IMAGE"

    def __init__(self, image: str, containers: Containers | None = None, *, stand_in: bool = False) -> None:
        self.image = image
        self.containers = containers or Containers()
        # Tests drive the whole path with an image that holds no OneScript; settings can't.
        self.stand_in = stand_in

    @cached_property
    def missing(self) -> str:
        lost = self.containers.reach()
        if lost:
            return lost
        try:
            if not self.containers.image_id(self.image):
                return f"the daemon has no image {self.image!r}: {BUILD}"
            if self.containers.labels(self.image).get(STAND_IN_LABEL) and not self.stand_in:
                return f"{self.image!r} is test material that runs the built-in engine, no genuine OneScript: {BUILD}"
        except DockerMissing as refused:
            return str(refused)
        return ""

    @contextlib.contextmanager
    def place(self) -> Iterator[Place]:
        with run_user() as user, scratch_folder("prism-os-", user) as folder:
            yield Place(folder, INSIDE, user)

    def launch(self, arguments: Sequence[str], place: Place, seconds: float) -> Ended:
        owner = f"{place.user}:{place.user}" if place.user is not None else f"{os.geteuid()}:{os.getegid()}"
        try:
            finished = self.containers.run(
                self.image,
                [PROGRAM, *arguments],
                Bounds(seconds, MEMORY, 1.0, PROCESSES, FILE_BYTES),
                mounts=[Mount(place.folder, INSIDE, writable=True)],
                environment={"HOME": INSIDE, "TMPDIR": INSIDE, **ENVIRONMENT},
                user=owner,
                folder=INSIDE,
            )
        except DockerMissing as lost:
            raise ProgramMissing(str(lost)) from None
        errors = "its memory was spent" if finished.memory_spent else ""
        return Ended(finished.code, finished.output, errors, finished.timed_out, finished.memory_spent)
