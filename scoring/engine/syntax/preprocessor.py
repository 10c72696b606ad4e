"""Preprocessor directives: ``#Если … #КонецЕсли``, ``#Область``, and what a dialect makes of the others."""

from __future__ import annotations

import re

from scoring.engine.syntax.lexical import LexicalError

_DIRECTIVE = re.compile(r"#[ \t]*([^\W\d]\w*)?")
_SKIPPED = re.compile(r"\s*#[ \t]*([^\W\d]\w*)")
_WORDS = re.compile(r"[^\W\d]\w*|[^\w\s]")

_NAMES = {
    "если": "if", "if": "if",
    "иначеесли": "elseif", "elsif": "elseif",
    "иначе": "else", "else": "else",
    "конецесли": "endif", "endif": "endif",
    "область": "region", "region": "region",
    "конецобласти": "endregion", "endregion": "endregion",
    "использовать": "use", "use": "use",
    "вставка": "insert", "insert": "insert", "конецвставки": "endinsert", "endinsert": "endinsert",
    "удаление": "delete", "delete": "delete", "конецудаления": "enddelete", "enddelete": "enddelete",
}  # fmt: skip

# What holds while a server common module compiles, and what OneScript defines on Linux.
DEFINED: dict[str, frozenset[str]] = {
    "onec": frozenset({"сервер", "server"}),
    "onescript": frozenset({"linux"}),
}


class Preprocessor:
    """The state of the conditional blocks and regions of one text."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.defined = DEFINED[dialect]
        self.blocks: list[bool] = []  # for every open #Если: has one of its branches been taken?
        self.regions = 0

    def directive(self, text: str, start: int, end: int, first_on_line: bool) -> int:
        """Handle the directive at ``start``; ``end`` is its line's end. Gives the offset to go on from."""
        if not first_on_line:
            raise LexicalError("bad_directive_start", start)
        found = _DIRECTIVE.match(text, start)
        assert found
        if not found.group(1):
            raise LexicalError("directive_expected", end + 1)
        name = _NAMES.get(found.group(1).lower(), "")
        rest = text[found.end() : end].split("//")[0].strip()
        handler = getattr(self, f"_on_{name}", None)
        if handler is None:
            raise LexicalError("unknown_directive", end, name=found.group(1))
        resume: int = handler(text, found.end(), end, rest)
        return resume

    # -- conditions -----------------------------------------------------------------------------------------------

    def _on_if(self, text: str, after: int, end: int, rest: str) -> int:
        taken = self._condition(rest, end)
        self.blocks.append(taken)
        return end if taken else self._skip(text, end)

    def _on_elseif(self, text: str, after: int, end: int, rest: str) -> int:
        self._need_block(end)
        return self._skip(text, end)

    def _on_else(self, text: str, after: int, end: int, rest: str) -> int:
        self._need_block(end)
        return self._skip(text, end)

    def _on_endif(self, text: str, after: int, end: int, rest: str) -> int:
        self._need_block(end)
        self.blocks.pop()
        return end

    def _need_block(self, end: int) -> None:
        if not self.blocks:
            raise LexicalError("preprocessor_if_expected", end)

    def _skip(self, text: str, position: int) -> int:
        """Pass over the lines of branches that are not taken; gives where lexing goes on."""
        depth = 0
        blind = False  # OneScript forgets that a line begins behind a skipped directive that is a lone word
        while position < len(text):
            line_end = text.find("\n", position + 1)
            line_end = len(text) if line_end < 0 else line_end
            found = _SKIPPED.match(text, position + 1, line_end)
            name = _NAMES.get(found.group(1).lower(), "") if found else ""
            if found and blind and self.dialect == "onescript":
                raise LexicalError("bad_directive_start", text.index("#", position + 1))
            rest = text[found.end() : line_end].split("//")[0].strip() if found else ""
            blind = found is not None and found.end() == line_end
            position = line_end
            if name == "if":
                depth += 1
            elif name == "endif" and depth:
                depth -= 1
            elif not depth and name in {"elseif", "else", "endif"} and self._resumes(name, rest, line_end):
                return line_end
        return len(text)

    def _resumes(self, name: str, rest: str, end: int) -> bool:
        if name == "endif":
            self.blocks.pop()
            return True
        if self.blocks[-1]:
            return False
        self.blocks[-1] = name == "else" or self._condition(rest, end)
        return self.blocks[-1]

    def _condition(self, rest: str, end: int) -> bool:
        words = [word.lower() for word in _WORDS.findall(rest)]
        last = next((i for i, word in enumerate(words) if word in {"тогда", "then"}), None)
        if last is None:
            raise LexicalError("directive_cut", end)
        if last == 0:
            raise LexicalError("preprocessor_definition_expected", end)
        if words[last + 1 :]:
            raise LexicalError("directive_garbage", end)
        return _Condition(words[:last], self.defined).value()

    # -- the rest -------------------------------------------------------------------------------------------------

    def _on_region(self, text: str, after: int, end: int, rest: str) -> int:
        if not re.fullmatch(r"[^\W\d]\w*", rest):
            raise LexicalError("region_name_expected", end)
        self.regions += 1
        return end

    def _on_endregion(self, text: str, after: int, end: int, rest: str) -> int:
        if not self.regions:
            raise LexicalError("region_missing", end)
        self.regions -= 1
        return end

    def _on_use(self, text: str, after: int, end: int, rest: str) -> int:
        raise LexicalError("library_not_found", end, name=rest)

    def finish(self, end: int) -> None:
        if self.blocks:
            raise LexicalError("preprocessor_endif_expected", end)
        if self.regions and self.dialect == "onescript":
            raise LexicalError("preprocessor_endregion_expected", end)


class _Condition:
    """``Сервер И НЕ (Клиент ИЛИ …)`` over the defined names."""

    def __init__(self, words: list[str], defined: frozenset[str]) -> None:
        self.words = [*words, ""]
        self.at = 0
        self.defined = defined

    def value(self) -> bool:
        result = self._and()
        while self.words[self.at] in {"или", "or"}:
            self.at += 1
            result = self._and() or result
        return result

    def _and(self) -> bool:
        result = self._not()
        while self.words[self.at] in {"и", "and"}:
            self.at += 1
            result = self._not() and result
        return result

    def _not(self) -> bool:
        if self.words[self.at] in {"не", "not"}:
            self.at += 1
            return not self._not()
        if self.words[self.at] == "(":
            self.at += 1
            result = self.value()
            self._next()
            return result
        name = self.words[self.at]
        self._next()
        return name in self.defined

    def _next(self) -> None:
        """A condition that breaks off stays at its end."""
        self.at = min(self.at + 1, len(self.words) - 1)
