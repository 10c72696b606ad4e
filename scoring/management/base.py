"""What PRISM's commands share: faults become readable messages, paths are checked, exit codes mean something."""

from __future__ import annotations

import json
from argparse import ArgumentTypeError
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.findings import FaultyData, Finding


class PrismCommand(BaseCommand):
    """Implement `run`; FaultyData raised there is printed finding by finding and ends with exit code 1."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.run(**options)
        except FaultyData as error:
            raise CommandError(told(error.findings)) from None

    # Each command names the options it takes.
    run: Callable[..., None]

    def say(self, text: str = "") -> None:
        self.stdout.write(text)


def told(findings: Sequence[Finding]) -> str:
    """All findings, one a line, under their number."""
    return f"{counted(len(findings), 'fault')}, nothing was stored:\n" + "\n".join(f"  {finding}" for finding in findings)


def counted(number: int, noun: str) -> str:
    """`1 cell`, `2 cells`."""
    return f"{number} {noun}{'s' * (number != 1)}"


def require_instrument() -> None:
    """Raises CommandError when no engine can measure here; leaves no sandbox running."""
    from scoring.services import measuring

    try:
        measuring.refuse_without_instrument()
    except measuring.InstrumentMissing as error:
        raise CommandError(str(error)) from None
    finally:
        measuring.close_pipeline()


class NoSuchPath(CommandError, ArgumentTypeError):
    """A wrong argument, for argparse as well as for Django: a person sees one line in either case."""


def existing_folder(text: str) -> Path:
    """For arguments: a folder that is there."""
    path = Path(text)
    if not path.is_dir():
        raise NoSuchPath(f"{text} is no folder")
    return path


def existing_file(text: str) -> Path:
    """For arguments: a file that is there."""
    path = Path(text)
    if not path.is_file():
        raise NoSuchPath(f"{text} is no file")
    return path


def write_json(path: Path, value: Any) -> None:
    """Writes readable JSON, whole or not at all."""
    fresh = path.with_name(path.name + ".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")
    fresh.replace(path)
