"""Broken and bent query texts: what must never come out of them is anything but a platform-like error."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import yaml

CASES = Path(__file__).parent.parent / "cases"
_PIECE = re.compile(r'"(?:[^"]|"")*"|&?[^\W\d]\w*(?:\.[^\W\d]\w*)*\(?|\d+(?:\.\d+)?|<>|<=|>=|\S')
_SPICE = ["ВЫБРАТЬ", "ИЗ", "ГДЕ", "И", "ИЛИ", "НЕ", "В", "ИЕРАРХИИ", "МЕЖДУ", "ПОДОБНО", "ЕСТЬ", "NULL", "ССЫЛКА", "ВЫБОР", "КОГДА", "ТОГДА", "ИНАЧЕ", "КОНЕЦ", "СГРУППИРОВАТЬ", "ПО", "ИМЕЮЩИЕ", "УПОРЯДОЧИТЬ", "ВОЗР", "УБЫВ", "ИЕРАРХИЯ", "ИТОГИ", "ОБЩИЕ", "ТОЛЬКО", "ПЕРИОДАМИ", "ОБЪЕДИНИТЬ", "ВСЕ", "ПОМЕСТИТЬ", "УНИЧТОЖИТЬ", "ИНДЕКСИРОВАТЬ", "ДЛЯ", "ИЗМЕНЕНИЯ", "ЛЕВОЕ", "ПРАВОЕ", "ПОЛНОЕ", "СОЕДИНЕНИЕ", "РАЗЛИЧНЫЕ", "ПЕРВЫЕ", "РАЗРЕШЕННЫЕ", "КАК", "СУММА(", "КОЛИЧЕСТВО(", "МАКСИМУМ(", "ЕСТЬNULL(", "ВЫРАЗИТЬ(", "ЗНАЧЕНИЕ(", "ТИП(", "ТИПЗНАЧЕНИЯ(", "ПРЕДСТАВЛЕНИЕ(", "ГОД(", "НАЧАЛОПЕРИОДА(", "ДОБАВИТЬКДАТЕ(", "ПОДСТРОКА(", "(", ")", ",", ".", ";", "*", "+", "-", "/", "=", "<>", "<", ">", "{", "}", "&", "|", "?", "'", '"', "0", "1", "2.5", '"а"', "ИСТИНА", "НЕОПРЕДЕЛЕНО", "&Дубовый", "&Ничего", "&СписокГрупп", "&Таблица", "&Миг", "&Да", "&Нету", "Т.Ссылка", "Т.Код", "Т.Поставщик.Город", "Т", "Справочник.Товары", "Справочник.Партнеры", "РегистрНакопления.Запасы.Остатки", "РегистрНакопления.Запасы", "Документ.Поступление.Товары", "Месяц", "СПЕЦСИМВОЛ", "ДЕНЬ", "АВТОУПОРЯДОЧИВАНИЕ", "ГРУППИРУЮЩИМ", "НАБОРАМ", "Т.Цены", "Т.Цены.Цена", "Т.Цены.(", "С.Объект", "С.Значение", "ВТ", "ПОМЕСТИТЬ", "ИЗ"]


def seeds() -> list[str]:
    """All texts of the cases."""
    return [case["query"] for path in sorted(CASES.glob("*.yaml")) for case in yaml.safe_load(path.read_text("utf-8"))]


def kind_of(piece: str) -> str:
    """Pieces of one kind may stand for each other without breaking the grammar."""
    if piece in ("=", "<>", "<", ">", "<=", ">="):
        return "comparison"
    if piece in ("+", "-", "*", "/"):
        return "sign"
    if piece.endswith("("):
        return "function"
    if piece[0] in '&"' or piece[0].isdigit() or piece in ("ИСТИНА", "НЕОПРЕДЕЛЕНО", "NULL"):
        return "value"
    return "value" if "." in piece and not piece.startswith(TABLE_KINDS) else "table" if "." in piece else "word"


TABLE_KINDS = ("Справочник.", "Документ.", "Регистр", "Перечисление.", "Константа.")


def _alike(piece: str, pools: dict[str, list[str]]) -> list[str]:
    """What may stand for ``piece``: of fields, those with the same alias, and constants."""
    pool = pools[kind_of(piece)]
    if "." not in piece or kind_of(piece) != "value":
        return pool
    alias = piece.partition(".")[0] + "."
    return [other for other in pool if other.startswith(alias) or "." not in other]


def mutants(seed: int, count: int) -> Iterator[str]:
    rng = random.Random(seed)
    pieces = [_PIECE.findall(text) for text in seeds()]
    pools: dict[str, list[str]] = {}
    for piece in sorted({piece for found in pieces for piece in found} | set(_SPICE)):
        pools.setdefault(kind_of(piece), []).append(piece)
    for _ in range(count):
        yield _mutant(rng, pieces, pools)


def _mutant(rng: random.Random, pieces: list[list[str]], pools: dict[str, list[str]]) -> str:
    words = list(rng.choice(pieces))
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        place = rng.randrange(len(words)) if words else 0
        roll = rng.random()
        if roll < 0.75 and words:
            swappable = [here for here, piece in enumerate(words) if kind_of(piece) != "word"]
            place = rng.choice(swappable or [place])
            words[place] = rng.choice(_alike(words[place], pools))
        elif roll < 0.8:
            donor = rng.choice(pieces)
            start = rng.randrange(len(donor))
            words[place:place] = donor[start : start + rng.randrange(1, 8)]
        elif roll < 0.86 and words:
            del words[place]
        elif roll < 0.92 and words:
            other = rng.randrange(len(words))
            words[place], words[other] = words[other], words[place]
        else:
            words.insert(place, rng.choice(_SPICE))
    return " ".join(words)
