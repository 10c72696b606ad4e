"""Kinds of token that the parser of category A's syntax oracle tells apart, and the words that make them.

A kind is a small number, so that sets of kinds are cheap; ``NAMES`` holds their text for people.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

EOF: Final = 0

_SIGNS: Final = {
    "DOT": ".", "LBRACK": "[", "RBRACK": "]", "LPAREN": "(", "RPAREN": ")", "COLON": ":", "SEMICOLON": ";",
    "COMMA": ",", "ASSIGN": "=", "PLUS": "+", "MINUS": "-", "LESS_EQUAL": "<=", "NOT_EQUAL": "<>", "LESS": "<",
    "GREATER_EQUAL": ">=", "GREATER": ">", "MUL": "*", "DIV": "/", "MOD": "%", "QUESTION": "?", "AMPERSAND": "&",
    "HASH": "#", "BAR": "|", "TILDE": "~", "BANG": "!",
}  # fmt: skip

_CLASSES: Final = (
    "WHOLE", "FRACTION", "DATE", "STRING", "STRING_START", "STRING_PART", "STRING_TAIL", "NAME", "STRAY",
    "PP_STRING", "PP_NAME", "PP_OTHER", "DIRECTIVE", "ANNOTATION", "PP_SYMBOL", "PP_LPAREN", "PP_RPAREN",
)  # fmt: skip

KEYWORDS: Final[dict[str, tuple[str, ...]]] = {
    "TRUE": ("истина", "true"), "FALSE": ("ложь", "false"), "UNDEFINED": ("неопределено", "undefined"),
    "NULL": ("null",), "PROCEDURE": ("процедура", "procedure"), "FUNCTION": ("функция", "function"),
    "END_PROCEDURE": ("конецпроцедуры", "endprocedure"), "END_FUNCTION": ("конецфункции", "endfunction"),
    "EXPORT": ("экспорт", "export"), "VAL": ("знач", "val"), "END_IF": ("конецесли", "endif"),
    "END_DO": ("конеццикла", "enddo"), "IF": ("если", "if"), "ELSIF": ("иначеесли", "elsif"),
    "ELSE": ("иначе", "else"), "THEN": ("тогда", "then"), "WHILE": ("пока", "while"), "DO": ("цикл", "do"),
    "FOR": ("для", "for"), "TO": ("по", "to"), "EACH": ("каждого", "each"), "IN": ("из", "in"),
    "TRY": ("попытка", "try"), "EXCEPT": ("исключение", "except"), "END_TRY": ("конецпопытки", "endtry"),
    "RETURN": ("возврат", "return"), "CONTINUE": ("продолжить", "continue"),
    "RAISE": ("вызватьисключение", "raise"), "VAR": ("перем", "var"), "NOT": ("не", "not"), "OR": ("или", "or"),
    "AND": ("и", "and"), "NEW": ("новый", "new"), "GOTO": ("перейти", "goto"), "BREAK": ("прервать", "break"),
    "EXECUTE": ("выполнить", "execute"), "ADD_HANDLER": ("добавитьобработчик", "addhandler"),
    "REMOVE_HANDLER": ("удалитьобработчик", "removehandler"), "ASYNC": ("асинх", "async"),
    "AWAIT": ("ждать", "await"),
}  # fmt: skip

PREPROCESSOR_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "PP_NATIVE": ("native",), "PP_USE": ("использовать", "use"), "PP_REGION": ("область", "region"),
    "PP_END_REGION": ("конецобласти", "endregion"), "PP_NOT": ("не", "not"), "PP_OR": ("или", "or"),
    "PP_AND": ("и", "and"), "PP_IF": ("если", "if"), "PP_THEN": ("тогда", "then"),
    "PP_ELSIF": ("иначеесли", "elsif"), "PP_END_IF": ("конецесли", "endif"), "PP_ELSE": ("иначе", "else"),
}  # fmt: skip

PREPROCESSOR_SYMBOLS: Final = frozenset((
    "мобильноеприложениеклиент", "mobileappclient", "мобильноеприложениесервер", "mobileappserver",
    "мобильныйклиент", "mobileclient", "толстыйклиентобычноеприложение", "thickclientordinaryapplication",
    "толстыйклиентуправляемоеприложение", "thickclientmanagedapplication", "внешнеесоединение", "externalconnection",
    "тонкийклиент", "thinclient", "вебклиент", "webclient", "наклиенте", "atclient", "клиент", "client", "насервере",
    "atserver", "сервер", "server", "мобильныйавтономныйсервер", "mobilestandaloneserver", "linux", "windows",
    "macos",
))  # fmt: skip

DIRECTIVES: Final = frozenset((
    "насерверебезконтекста", "atservernocontext", "наклиентенасерверебезконтекста", "atclientatservernocontext",
    "наклиентенасервере", "atclientatserver", "наклиенте", "atclient", "насервере", "atserver",
))  # fmt: skip


def _number_kinds() -> dict[str, int]:
    names: Iterable[str] = (*_SIGNS, *_CLASSES, *KEYWORDS, *PREPROCESSOR_WORDS)
    return {name: number for number, name in enumerate(names, start=1)}


KINDS: Final[dict[str, int]] = {"EOF": EOF, **_number_kinds()}
NAMES: Final[dict[int, str]] = {number: name for name, number in KINDS.items()}
SIGN_KINDS: Final[dict[str, int]] = {text: KINDS[name] for name, text in _SIGNS.items()}
KEYWORD_KINDS: Final[dict[str, int]] = {word: KINDS[name] for name, words in KEYWORDS.items() for word in words}
PREPROCESSOR_KINDS: Final[dict[str, int]] = {
    **dict.fromkeys(PREPROCESSOR_SYMBOLS, KINDS["PP_SYMBOL"]),
    **{word: KINDS[name] for name, words in PREPROCESSOR_WORDS.items() for word in words},
}

_SHOWN: Final[dict[str, str]] = {
    "EOF": "конец текста", "WHOLE": "число", "FRACTION": "число", "DATE": "дата", "STRING": "строка",
    "STRING_START": "строка", "STRING_PART": "продолжение строки", "STRING_TAIL": "конец строки", "NAME": "имя",
}  # fmt: skip


def shown(kind: int) -> str:
    """How a kind of token is worded in a message: its sign, its Russian keyword or a noun."""
    name = NAMES[kind]
    if name in _SIGNS:
        return f"'{_SIGNS[name]}'"
    if name in KEYWORDS:
        return KEYWORDS[name][0]
    return _SHOWN.get(name, "директива")
