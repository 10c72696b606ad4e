"""Every name that the compile check lets pass does something at run time that is no fault of the program: it gives a value, fails
as the platform fails, or is *not supported*."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from scoring.engine.errors import BslRuntimeError, LimitReached, NotSupported
from scoring.engine.platform import build_database
from scoring.engine.session import Limits, Session, Source
from scoring.engine.syntax.check_modules import check_module, known
from scoring.engine.syntax.check_modules.compiled import COMPILED_FUNCTIONS
from scoring.engine.syntax.keywords import KEYWORDS
from scoring.engine.values.members import CONSTRUCTORS, GLOBAL_FUNCTIONS, ONEC, lookup

NAME = re.compile(r"[^\W\d]\w*")
# Errors of a program that names what does not exist, or that miscounts arguments.
BLAME = ("symbol_not_found", "no_method", "no_property", "too_many", "too_few")
# A template without %1 takes no arguments; that is a matter of its text, not of the name.
TEMPLATE = '"%1%2%3%4%5%6%7%8%9%10"'
VALUES = ('""', '"Товар 1"', "1", "Неопределено", "'20260110'", 'Тип("Число")', "Новый Массив", "Новый Структура")


def arity(key: str) -> tuple[int, int | None]:
    if key in COMPILED_FUNCTIONS:
        return COMPILED_FUNCTIONS[key]
    return known.FUNCTIONS[key].minimum, known.FUNCTIONS[key].maximum


def is_function(key: str) -> bool:
    return key in COMPILED_FUNCTIONS or known.FUNCTIONS[key].is_function


def calls(key: str) -> Iterator[str]:
    """The name called with every number of arguments it takes (few beyond the least, where the list is open)."""
    minimum, maximum = arity(key)
    most = minimum + 2 if maximum is None else maximum
    for count in range(minimum, most + 1):
        for value in VALUES if count else VALUES[:1]:
            first = TEMPLATE if key in ("стршаблон", "strtemplate") else value
            yield f"{key}({', '.join([first, *[value] * (count - 1)][:count])})"


def module(statements: list[str]) -> str:
    routines = [f"Функция П{n}() Экспорт\n\t{text};\n\tВозврат Неопределено;\nКонецФункции" for n, text in enumerate(statements)]
    return "\n".join(routines) + "\n"


def outcomes(statements: list[str], blame: tuple[str, ...] = BLAME) -> list[str]:
    """What compiling and running finds wrong with the program for using a name; empty as it should be."""
    text = module(statements)
    if found := check_module(text):
        return [f"{one.message}: {statements[(one.line - 1) // 4]}" for one in found]
    session = Session("onec", limits=Limits(operations=1_000_000), database=build_database({}, {}))
    loaded = session.load(Source(text))
    wrong = []
    for number, statement in enumerate(statements):
        try:
            session.call(loaded, f"П{number}", [])
        except BslRuntimeError as error:
            if error.kind.startswith(blame):
                wrong.append(f"{error.kind}: {statement}")
        except (NotSupported, LimitReached):
            pass
    return wrong


@pytest.mark.parametrize("key", sorted({*known.FUNCTIONS, *COMPILED_FUNCTIONS}))
def test_a_known_function_is_never_unknown_when_called(key: str) -> None:
    assert outcomes([f"А = {call}" if is_function(key) else call for call in calls(key)]) == []


def test_known_types_are_never_unknown_when_created() -> None:
    blame = ("symbol_not_found", "type_not_defined", "type_not_registered")
    assert outcomes([f"А = Новый {name}" for name in sorted(known.TYPES)], blame) == []
    assert outcomes([f'А = Новый {name}("Товар 1", 1)' for name in sorted(known.TYPES)], blame) == []


def test_known_properties_are_never_unknown_when_read() -> None:
    assert outcomes([f"А = {name}" for name in sorted({*known.PROPERTIES, *known.ENUMS} - {"периодичность", "periodicity"})]) == []


def test_both_languages_name_the_same() -> None:
    for table in (known.PROPERTIES, known.TYPES, known.ENUMS):
        for russian, english in table.values():
            assert table[russian.lower()] == table[english.lower()]
    for key, what in known.FUNCTIONS.items():
        entry = lookup(GLOBAL_FUNCTIONS, key, ONEC)
        assert entry is not None
        assert lookup(GLOBAL_FUNCTIONS, what.name, ONEC) is lookup(GLOBAL_FUNCTIONS, what.english, ONEC)


def test_an_implementation_takes_what_the_compiler_lets_pass() -> None:
    """What can't be run here (files, other programs) takes anything."""
    wrong = []
    for key in {*known.FUNCTIONS, *COMPILED_FUNCTIONS} - {"вычислить", "eval"}:
        entry = lookup(GLOBAL_FUNCTIONS, key, ONEC)
        minimum, maximum = arity(key)
        assert entry is not None
        most = None if entry.maximum is None else (maximum is not None and maximum <= entry.maximum)
        if entry.minimum > minimum or most is False:
            wrong.append((key, minimum, maximum, entry.minimum, entry.maximum))
    assert wrong == []


@pytest.mark.parametrize("table", [known.FUNCTIONS, known.PROPERTIES, known.TYPES, known.ENUMS], ids="FPTE")
def test_names_are_words_of_the_language_and_none_of_its_reserved_ones(table: dict[str, object]) -> None:
    assert [key for key in table if not NAME.fullmatch(key) or key in KEYWORDS] == []


def test_no_name_has_letters_of_both_alphabets_but_for_abbreviations() -> None:
    """A Latin «c» in a Russian word would never be met."""
    mixed = re.compile(r"[a-z][а-яё]|[а-яё][a-z]")
    abbreviations = re.compile(r"xdto|xml|json|http|html|ftp|ws|com|zip|base64|hex|dom|openssl|windows|pop3|smtp|xsl|fastinfoset|xbase|web")
    keys = {*known.FUNCTIONS, *known.PROPERTIES, *known.TYPES, *known.ENUMS, *known.CLIENT_ONLY}
    assert [key for key in keys if mixed.search(abbreviations.sub("", key))] == []


def test_what_only_clients_have_is_in_no_table_of_the_server() -> None:
    assert set(known.CLIENT_ONLY) & {*known.FUNCTIONS, *known.PROPERTIES} == set()
    for key in known.CLIENT_ONLY:
        assert [one.kind for one in check_module(f"Процедура П()\n\t{key}();\nКонецПроцедуры")] == ["undeclared"]


def test_implemented_types_are_known() -> None:
    assert [key for key in CONSTRUCTORS if lookup(CONSTRUCTORS, key, ONEC) and key not in known.TYPES] == []
