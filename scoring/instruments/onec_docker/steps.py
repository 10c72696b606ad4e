"""The command lines of one run, as a script for the container: each step bounded in time, its exit code and words kept."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

WORK, OUT, DUMP, BASE, JOURNAL = "/work", "/work/out", "/work/dump", "/work/base", "/work/journal"
PROGRAM = "1cv8t"
# Seconds that each step may take; a platform that needs longer is not measured.
CREATE, LOAD, UPDATE, CHECK, RUN, COPY = 120, 180, 180, 180, 300, 60
_QUIET = ("/DisableStartupDialogs", "/DisableStartupMessages")
# The journal of a measuring session: every access to data with the place in code that made it.
LOG_SETTINGS = f"""<?xml version="1.0" encoding="UTF-8"?>
<config xmlns="http://v8.1c.ru/v8/tech-log">
\t<dump create="false"/>
\t<log location="{JOURNAL}" history="2">
\t\t<event><eq property="name" value="SDBL"/></event>
\t\t<event><eq property="name" value="DBV8DBEng"/></event>
\t\t<property name="all"/>
\t</log>
</config>
"""
# The platform looks for the settings in the first of these that is there.
SETTINGS_PLACES = (".1cv8/1C/1cv8/conf", ".1cv8t/1C/1cv8t/conf")


@dataclass(frozen=True, slots=True)
class Step:
    """One command: what it is called in the records, its words, its seconds. ``log``: the platform's own log file."""

    name: str
    command: tuple[str, ...]
    seconds: int


def log_of(name: str) -> str:
    return f"{OUT}/{name}.log"


def create(base: str = BASE) -> Step:
    return Step("create", (PROGRAM, "CREATEINFOBASE", f'File="{base}"', "/Out", log_of("create"), *_QUIET), CREATE)


def load(name: str, dump: str = DUMP, base: str = BASE) -> Step:
    return _designer(name, ("/LoadConfigFromFiles", dump), LOAD, base)


def update(name: str, base: str = BASE) -> Step:
    return _designer(name, ("/UpdateDBCfg",), UPDATE, base)


def check(name: str, base: str = BASE) -> Step:
    return _designer(name, ("/CheckModules", "-Server"), CHECK, base)


def enterprise(name: str, mode: str, base: str = BASE) -> Step:
    return Step(name, (PROGRAM, "ENTERPRISE", "/F", base, "/C", mode, "/Out", log_of(name), *_QUIET), RUN)


def _designer(name: str, what: tuple[str, ...], seconds: int, base: str) -> Step:
    return Step(name, (PROGRAM, "DESIGNER", "/F", base, *what, "/Out", log_of(name), *_QUIET), seconds)


def copy(name: str, source: str, target: str) -> Step:
    return Step(name, ("cp", "-r", source, target), COPY)


def remove(name: str, *paths: str) -> Step:
    return Step(name, ("rm", "-rf", *paths), COPY)


def journal_on() -> list[Step]:
    places = [f"{WORK}/home/{place}" for place in SETTINGS_PLACES]
    made = [Step("journal_folders", ("mkdir", "-p", JOURNAL, *places), COPY)]
    return made + [copy(f"journal_{number}", f"{WORK}/logcfg.xml", f"{place}/logcfg.xml") for number, place in enumerate(places)]


def journal_off() -> Step:
    return remove("journal_off", *(f"{WORK}/home/{place}/logcfg.xml" for place in SETTINGS_PLACES))


def script(steps: Sequence[Step], *, stop_after: Sequence[str] = ()) -> str:
    """The shell script of a run. A failed step named in ``stop_after`` ends it: nothing after it could be measured."""
    lines = [
        "#!/bin/sh",
        f"export HOME={WORK}/home DISPLAY=:99 LANG=ru_RU.UTF-8 TMPDIR=/tmp",
        f"mkdir -p {OUT} {WORK}/home",
        "if command -v Xvfb >/dev/null 2>&1; then Xvfb :99 -screen 0 1024x768x24 -nolisten tcp >/dev/null 2>&1 & fi",
        'step() { name=$1; seconds=$2; shift 2; timeout -k 5 "$seconds" "$@" >"' + OUT + '/$name.said" 2>&1 </dev/null; echo $? >"' + OUT + '/$name.code"; }',
    ]
    for one in steps:
        words = " ".join(shlex.quote(word) for word in one.command)
        lines.append(f"step {one.name} {one.seconds} {words}")
        if one.name in stop_after:
            lines.append(f'[ "$(cat {OUT}/{one.name}.code)" = 0 ] || exit 3')
    return "\n".join([*lines, "exit 0", ""])


def seconds_of(steps: Sequence[Step]) -> float:
    """The whole run's bound: what all its steps may take, and a little for the container itself."""
    return float(sum(one.seconds + 5 for one in steps) + 30)
