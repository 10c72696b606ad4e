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
_LINE_END = re.compile(r"\r\n|\r|\n")
# A string (to the line's end where it isn't closed) or a comment.
_NOISE = re.compile(r'"(?:[^"]|"")*(?:"|$)|//.*', re.DOTALL)


def stripped(text: str) -> str:
    """``text`` without strings and comments, by lines, so that one unclosed quote can't swallow the rest."""
    return "\n".join(_strip_line(line) for line in _LINE_END.split(text))


def _strip_line(line: str) -> str:
    if "|" in line and line.lstrip().startswith("|"):
        return ""
    if '"' not in line and "//" not in line:
        return line
    return _NOISE.sub(lambda noise: " " if noise[0][0] == '"' else "", line)


def pair_counts(text: str, pairs: Iterable[Pair]) -> tuple[PairCount, ...]:
    """Counts per pair. The English words count only in a module without any of the Russian ones."""
    words = Counter(word.lower() for word in _WORD.findall(stripped(text)))
    pairs = tuple(pairs)
    russian = any(words[word.lower()] for pair in pairs for word in pair.words["ru"])
    language = "ru" if russian else "en"
    return tuple(PairCount(p.key, words[p.words[language][0].lower()], words[p.words[language][1].lower()]) for p in pairs)
