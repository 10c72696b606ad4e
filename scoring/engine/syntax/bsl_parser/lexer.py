"""The oracle's lexer: longest match, modes entered by ``#``, ``&``, ``~``, ``.`` and ``Асинх``, hidden strangers.

What no rule knows (``!``, ``{``, a no-break space) is dropped without a word outside asynchronous routines. The lexer
never fails: in the narrow modes, which know few characters, everything else is skipped, line ends included.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from .tokens import DIRECTIVES, EOF, KEYWORD_KINDS, KINDS, PREPROCESSOR_KINDS, SIGN_KINDS

# Letters are those of Unicode; Python's word characters also take in numerals such as «²» and «Ⅷ».
_LETTER = r"(?:(?![²³¹¼-¾\u2070-\u2079\u2080-\u2089\u2150-\u2182\u2185-\u218b\u2460-\u249b\u24ea-\u24ff])[^\W\d])"
NAME_PATTERN = rf"{_LETTER}(?:{_LETTER}|[0-9])*"

_CODE = re.compile(
    rf"""
    (?P<skip>[\t\n\f\r ]+|//[^\n\r]*)
  | (?P<name>{NAME_PATTERN})
  | (?P<number>[0-9]+(?P<point>\.[0-9]*)?)
  | (?P<string>"(?:[^\r\n"]|"")*(?P<closed>"?))
  | (?P<bar>\|(?:[^\r\n"]|"")*(?P<tail>"?))
  | (?P<date>'[^\r\n']*'?)
  | (?P<edit>\#[\t ]*(?:(?P<delete>удаление|delete)|вставка|insert|конецвставки|endinsert))
  | (?P<sign><=|<>|>=|[.\[\]():;,=+\-<>*/%?&\#~])
  | (?P<stray>.)
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)

_PREPROCESSOR = re.compile(
    rf"""
    (?P<skip>[\t\f ]+|//[^\n\r]*)
  | (?P<end>\r?\n)
  | (?P<name>{NAME_PATTERN})
  | (?P<string>"[^\n\r"]*")
  | (?P<sign>[!()])
  | (?P<other>[^\n\r])
  | (?P<stray>\r.?)
    """,
    re.VERBOSE | re.DOTALL,
)

_LINE_END = re.compile(r"\r?\n|\r")
_BLANKS = re.compile(r"[\t\f ]*")
_NAME = re.compile(NAME_PATTERN)
_USED = re.compile(rf'(?P<text>"[^\n\r"]*")|(?P<name>(?:{_LETTER}|[0-9-])+)')
_HALF_STRING = re.compile(r'"[^\n\r"]*(?:[\n\r]|\Z)')
_END_OF_DELETION = re.compile(r"#[\t ]*(?:конецудаления|enddelete)", re.IGNORECASE)

_OPENERS = {KINDS["DOT"]: "dot", KINDS["AMPERSAND"]: "annotation", KINDS["TILDE"]: "label", KINDS["HASH"]: "preprocessor"}
_CLOSERS = (KINDS["END_PROCEDURE"], KINDS["END_FUNCTION"])


@dataclass(slots=True)
class Tokens:
    """Visible tokens as parallel lists (kind, offset, text) that end with the end of the text, kind ``EOF``."""

    text: str
    kinds: list[int] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    _line_starts: list[int] | None = None

    def add(self, kind: int, offset: int, word: str) -> None:
        self.kinds.append(kind)
        self.offsets.append(offset)
        self.words.append(word)

    def place(self, index: int) -> tuple[int, int]:
        """Line and column, from 1, of token ``index``. LF, CRLF and a lone CR end a line."""
        if self._line_starts is None:
            self._line_starts = [0, *(found.end() for found in _LINE_END.finditer(self.text))]
        line = bisect_right(self._line_starts, self.offsets[index])
        return line, self.offsets[index] - self._line_starts[line - 1] + 1


class _Lexer:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.out = Tokens(text)
        self.in_async = False

    def run(self) -> Tokens:
        text, length = self.text, len(self.text)
        match = _CODE.match
        while self.position < length:
            found = match(text, self.position)
            assert found is not None  # the last branch takes any character
            self.position = found.end()
            group = found.lastgroup
            if group != "skip":
                getattr(self, f"_on_{group}")(found)
        self.out.add(EOF, length, "<EOF>")
        return self.out

    def _put(self, kind: str, found: re.Match[str]) -> None:
        self.out.add(KINDS[kind], found.start(), found[0])

    def _on_name(self, found: re.Match[str]) -> None:
        kind = KEYWORD_KINDS.get(found[0].lower(), KINDS["NAME"])
        if kind == KINDS["AWAIT"] and not self.in_async or kind == KINDS["ASYNC"] and self.in_async:
            kind = KINDS["NAME"]
        if kind == KINDS["ASYNC"]:
            self.in_async = True
        elif self.in_async and kind in _CLOSERS:
            self.in_async = False
        self.out.add(kind, found.start(), found[0])

    def _on_number(self, found: re.Match[str]) -> None:
        self._put("FRACTION" if found["point"] is not None else "WHOLE", found)

    def _on_string(self, found: re.Match[str]) -> None:
        self._put("STRING" if found["closed"] else "STRING_START", found)

    def _on_bar(self, found: re.Match[str]) -> None:
        if found["tail"]:
            self._put("STRING_TAIL", found)
        else:
            self._put("BAR" if found[0] == "|" else "STRING_PART", found)

    def _on_date(self, found: re.Match[str]) -> None:
        self._put("DATE", found)

    def _on_edit(self, found: re.Match[str]) -> None:
        if found["delete"]:
            end = _END_OF_DELETION.search(self.text, self.position)
            self.position = end.end() if end else len(self.text)

    def _on_stray(self, found: re.Match[str]) -> None:
        if self.in_async:
            self._put("STRAY", found)

    def _on_sign(self, found: re.Match[str]) -> None:
        kind = SIGN_KINDS[found[0]]
        self.out.add(kind, found.start(), found[0])
        mode = _OPENERS.get(kind)
        if mode is not None:
            getattr(self, f"_{mode}")()

    # ── the narrow modes ───────────────────────────────────────────────────────────────────────────────────────────

    def _next_name(self) -> re.Match[str] | None:
        """The next name; what stands before it is unknown to the mode and skipped."""
        found = _NAME.search(self.text, self.position)
        self.position = found.end() if found else len(self.text)
        return found

    def _dot(self) -> None:
        if found := self._next_name():
            self._put("NAME", found)

    def _label(self) -> None:
        if found := self._next_name():
            self._put("NAME", found)

    def _annotation(self) -> None:
        if found := self._next_name():
            self._put("DIRECTIVE" if found[0].lower() in DIRECTIVES else "ANNOTATION", found)

    def _preprocessor(self) -> None:
        while self.position < len(self.text):
            found = _PREPROCESSOR.match(self.text, self.position)
            assert found is not None
            self.position = found.end()
            if found.lastgroup == "end":
                return
            self._preprocessor_token(found)

    def _preprocessor_token(self, found: re.Match[str]) -> None:
        group = found.lastgroup
        if group == "string":
            self._put("PP_STRING", found)
        elif group == "sign":
            self._put({"!": "BANG", "(": "PP_LPAREN", ")": "PP_RPAREN"}[found[0]], found)
        elif group == "other":
            self._put("PP_OTHER", found)
        elif group == "name":
            self._preprocessor_name(found)

    def _preprocessor_name(self, found: re.Match[str]) -> None:
        kind = PREPROCESSOR_KINDS.get(found[0].lower(), KINDS["PP_NAME"])
        self.out.add(kind, found.start(), found[0])
        if kind == KINDS["PP_REGION"]:
            if region := self._next_name():
                self._put("PP_NAME", region)
        elif kind == KINDS["PP_USE"]:
            self._use()

    def _use(self) -> None:
        while self.position < len(self.text):
            self.position = _BLANKS.match(self.text, self.position).end()  # type: ignore[union-attr]
            if found := _USED.match(self.text, self.position):
                self._put("PP_STRING" if found["text"] else "PP_NAME", found)
                self.position = found.end()
                return
            half = _HALF_STRING.match(self.text, self.position)
            self.position = half.end() if half else self.position + 1


def read(text: str) -> Tokens:
    """Tokens of ``text`` as the parser sees them. Never fails; a byte order mark at the very start is dropped."""
    return _Lexer(text.removeprefix("\ufeff")).run()
