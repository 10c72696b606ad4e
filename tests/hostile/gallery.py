"""The gallery of hostile answers to the task beside it, and the honest answer that must be unharmed afterwards."""

from __future__ import annotations

from pathlib import Path

import yaml

from scoring.bundles import load_folder

FOLDER = Path(__file__).parent
GALLERY = yaml.safe_load((FOLDER / "gallery.yaml").read_text("utf-8"))
BUNDLE = load_folder(FOLDER / "task").required()
# What would be too long to stand in the gallery itself.
FILLERS = {
    "@PARENS@": "(" * 3000 + "1" + ")" * 3000,
    "@SUM@": " + ".join(["1"] * 20_000),
    "@BLOCKS@": "Если Истина Тогда\n" * 400 + "А = 1;\n" + "КонецЕсли;\n" * 400,
}
HONEST = """Функция СуммаЦифр(Число) Экспорт
    Сумма = 0;
    Остаток = Число;
    Пока Остаток > 0 Цикл
        Сумма = Сумма + Остаток % 10;
        Остаток = Цел(Остаток / 10);
    КонецЦикла;
    Возврат Сумма;
КонецФункции
"""


def filled(code: str) -> str:
    for mark, text in FILLERS.items():
        code = code.replace(mark, text)
    return code
