"""The parity pre-check of axis S: do paired keywords open and close equally often?

A cut-off generation can look fine to a forgiving parser; its keywords still don't pair. The count goes over the text without
strings and comments, line by line: a line that starts with ``|`` is string.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from scoring.evidence import PairCount
from scoring.protocol import Pair

_WORD = re.compile(r"\w+")
_STRING = re.compile(r'"(?:[^"]|"")*("|$)')


def stripped(text: str) -> str:
    """``text`` without strings and comments, by lines, so that one unclosed quote can't swallow the rest."""
    return "\n".join(_strip_line(line) for line in re.split(r"\r\n|\r|\n", text))


def _strip_line(line: str) -> str:
    if line.lstrip().startswith("|"):
        return ""
    kept, at = [], 0
    while at < len(line):
        if line[at] == '"':
            match = _STRING.match(line, at)
            at = match.end() if match else len(line)
            kept.append(" ")
        elif line.startswith("//", at):
            break
        else:
            kept.append(line[at])
            at += 1
    return "".join(kept)


def pair_counts(text: str, pairs: Iterable[Pair]) -> tuple[PairCount, ...]:
    """Counts per pair. The English words count only in a module without any of the Russian ones."""
    words = Counter(word.lower() for word in _WORD.findall(stripped(text)))
    pairs = tuple(pairs)
    russian = any(words[word.lower()] for pair in pairs for word in pair.words["ru"])
    language = "ru" if russian else "en"
    return tuple(PairCount(p.key, words[p.words[language][0].lower()], words[p.words[language][1].lower()]) for p in pairs)
