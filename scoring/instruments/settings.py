"""Where the genuine engines are and which engine answers which question: read once from named settings, refused when odd.

=========================  ==============================================================================================
setting                    meaning
=========================  ==============================================================================================
``PRISM_ENGINE_A``         ``builtin`` (default) · ``onescript`` · ``genuine`` (genuine where available, else built-in)
``PRISM_ENGINE_B``         ``builtin`` (default) · ``onec`` · ``genuine``
``PRISM_ENGINE_A_S`` …     one axis of a category: ``builtin`` · ``genuine`` · an engine's name (``bsl_ls`` for S of A, and
                           for O of B where a task has no load profile: ``PRISM_ENGINE_B_STATIC``)
``PRISM_BSL_LS``           folder of jars, or one jar (default: ``var/bsl_ls``, where ``make bsl_ls`` puts them)
``PRISM_JAVA``             the Java to run it with (default: the newest found)
``PRISM_ONESCRIPT``        the program ``oscript`` (default: the one on PATH)
``PRISM_ONESCRIPT_IMAGE``  the image built from ``docker/onescript.Dockerfile``, instead of the program (both is refused)
``PRISM_ONEC_IMAGE``       the image built from ``docker/onec.Dockerfile``
``PRISM_SANDBOX``          ``process`` (default) or ``docker``: the built-in engine behind a container's walls, too
``PRISM_SANDBOX_IMAGE``    the image for that
=========================  ==============================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

BUILTIN, ONESCRIPT, BSL_LS, ONEC, GENUINE = "builtin", "onescript", "bsl_ls", "onec", "genuine"
# What may answer each question of a category, the genuine engine first.
CHOICES: dict[tuple[str, str], tuple[str, ...]] = {
    ("A", "syntax"): (BSL_LS, BUILTIN),
    ("A", "tests"): (ONESCRIPT, BUILTIN),
    ("A", "work"): (ONESCRIPT, BUILTIN),
    ("B", "syntax"): (ONEC, BUILTIN),
    ("B", "tests"): (ONEC, BUILTIN),
    ("B", "work"): (ONEC, BUILTIN),
    ("B", "static"): (BSL_LS, BUILTIN),
}
WHOLE = {"A": (BUILTIN, ONESCRIPT, GENUINE), "B": (BUILTIN, ONEC, GENUINE)}
# How the settings call the questions: M and P are one run.
_AXES = {"S": "syntax", "M": "tests", "O": "work", "STATIC": "static"}
SANDBOXES = ("process", "docker")


class OddSetting(ValueError):
    """A setting that means nothing; the message names it and what it may be."""


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """``wanted``: (category, question) → an engine's name or ``genuine``; a question without an entry is the built-in's."""

    wanted: Mapping[tuple[str, str], str] = field(default_factory=dict)
    bsl_ls: Path = Path("var/bsl_ls")
    java: str = ""
    oscript: str = ""
    oscript_image: str = ""
    onec_image: str = ""
    sandbox: str = "process"
    sandbox_image: str = ""
    cache: Path = Path("var/engines")

    def engine(self, category: str, question: str) -> str:
        return self.wanted.get((category, question), BUILTIN)


def read_settings(env: Mapping[str, str], var: Path) -> EngineSettings:
    """The settings in ``env``. Raises :class:`OddSetting` naming every odd one."""
    faults: list[str] = []
    wanted: dict[tuple[str, str], str] = {}
    for category, names in WHOLE.items():
        whole = _word(env, f"PRISM_ENGINE_{category}", names, faults)
        wanted |= _spread(category, whole)
        for axis, question in _AXES.items():
            allowed = CHOICES.get((category, question))
            name = f"PRISM_ENGINE_{category}_{axis}"
            if allowed is None:
                if env.get(name):
                    faults.append(f"{name}: category {category} has no such choice")
            elif env.get(name):
                wanted[category, question] = _word(env, name, (*allowed, GENUINE), faults)
    sandbox = _word(env, "PRISM_SANDBOX", SANDBOXES, faults)
    if env.get("PRISM_ONESCRIPT") and env.get("PRISM_ONESCRIPT_IMAGE"):
        faults.append("PRISM_ONESCRIPT and PRISM_ONESCRIPT_IMAGE name two engines for one question: set one of them")
    if faults:
        raise OddSetting("; ".join(faults))
    return EngineSettings(
        wanted=wanted,
        bsl_ls=Path(env.get("PRISM_BSL_LS") or var / "bsl_ls"),
        java=env.get("PRISM_JAVA", ""),
        oscript=env.get("PRISM_ONESCRIPT", ""),
        oscript_image=env.get("PRISM_ONESCRIPT_IMAGE", ""),
        onec_image=env.get("PRISM_ONEC_IMAGE", ""),
        sandbox=sandbox,
        sandbox_image=env.get("PRISM_SANDBOX_IMAGE", ""),
        cache=var / "engines",
    )


def _spread(category: str, whole: str) -> dict[tuple[str, str], str]:
    """A whole category's engine as an engine per question: OneScript brings its oracle of S along."""
    if whole == BUILTIN:
        return {}
    questions = [key for key in CHOICES if key[0] == category]
    return {key: GENUINE if whole == GENUINE else CHOICES[key][0] for key in questions}


def _word(env: Mapping[str, str], name: str, allowed: tuple[str, ...], faults: list[str]) -> str:
    """The setting's word, the first allowed one where it is not set."""
    word = env.get(name, "").strip().lower() or allowed[0]
    if word not in allowed:
        faults.append(f"{name}={word!r}: expected one of {', '.join(allowed)}")
    return word
