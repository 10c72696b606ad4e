"""``СтрШаблон`` and ``НСтр``."""

from __future__ import annotations

import re
from typing import Any

from scoring.engine.errors import BslRuntimeError
from scoring.engine.runtime.builtins.arguments import SHORT_TEXT, is_onec, optional_text
from scoring.engine.runtime.builtins.formatting.format_string import parse_pairs
from scoring.engine.values.members import builtin
from scoring.engine.values.model import MISSING

_MOST_ARGUMENTS = 10
_SPOT = re.compile(r"%(?:(%)|(\d\d?)|\((\d{1,9})\))?", re.ASCII)


@builtin("СтрШаблон", "StrTemplate")
def str_template(
    rt: Any,
    template: Any,
    a1: Any = MISSING,
    a2: Any = MISSING,
    a3: Any = MISSING,
    a4: Any = MISSING,
    a5: Any = MISSING,
    a6: Any = MISSING,
    a7: Any = MISSING,
    a8: Any = MISSING,
    a9: Any = MISSING,
    a10: Any = MISSING,
) -> str:
    """Replace ``%1`` … ``%10`` and ``%(1)``; ``%%`` is a percent sign."""
    source = rt.text(template)
    arguments = [a1, a2, a3, a4, a5, a6, a7, a8, a9, a10]
    given = max((n for n, value in enumerate(arguments, 1) if value is not MISSING), default=0)
    texts = ["" if value is MISSING else rt.text(value) for value in arguments]
    most = len(source) + source.count("%") * max(map(len, texts))
    if most > SHORT_TEXT:
        rt.work(most)
    rt.reserve(2 * most)
    greatest = 0

    def fill(match: re.Match[str]) -> str:
        nonlocal greatest
        if match[1]:
            return "%"
        number = _number(match)
        greatest = max(greatest, number)
        return texts[number - 1]

    filled = _SPOT.sub(fill, source)
    if given > greatest:
        raise BslRuntimeError("too_many_arguments", method="СтрШаблон")
    return filled


def _number(match: re.Match[str]) -> int:
    digits = match[2] or match[3]
    position = match.start() + 2
    if digits is None:
        raise BslRuntimeError("template", position=position)
    number = int(digits)
    if not 1 <= number <= _MOST_ARGUMENTS:
        raise BslRuntimeError("template_number", position=position)
    return number


@builtin("НСтр", "NStr")
def nstr(rt: Any, text: Any, language: Any = MISSING) -> str:
    """The string of one language out of ``ru='…'; en='…'``."""
    strings = parse_pairs(rt.text(text), False)
    wanted = optional_text(rt, language).strip().lower()
    if wanted:
        return strings.get(wanted, "")
    default = "ru" if is_onec(rt) else "en"
    return strings.get(default, next(iter(strings.values()), ""))
