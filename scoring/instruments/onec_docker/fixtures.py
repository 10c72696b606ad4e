"""``fixtures.yaml`` as a module of 1C that writes the data through the platform's own objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from scoring.instruments.onescript.script import quoted

RECORDER = "$регистратор"
# A record without a period stands a second before the run.
NOW = "(ТекущаяДатаСеанса() - 1)"
_ELEMENT_KEYS = frozenset({"ref", "isFolder", "parent", "owner"})
_STRINGS = ("строка", "string")
_DATES = ("дата", "date")
_KINDS = {
    "catalogs": ("Справочники", "СправочникСсылка", "Элемент"),
    "characteristics": ("ПланыВидовХарактеристик", "ПланВидовХарактеристикСсылка", "Элемент"),
    "accounts": ("ПланыСчетов", "ПланСчетовСсылка", "Счет"),
    "documents": ("Документы", "ДокументСсылка", "Документ"),
}
_SPECS = {"catalogs": "catalogs", "characteristics": "chart_of_characteristic_types", "accounts": "charts_of_accounts", "documents": "documents"}
_PREDEFINED = frozenset(
    "перечисления справочники планысчетов планывидовхарактеристик enums catalogs chartsofaccounts chartsofcharacteristictypes".split()
)
_STANDARD = {"Наименование": ["Строка"], "Код": ["Строка"], "Номер": ["Строка"], "Дата": ["Дата"], "Порядок": ["Строка"], "Период": ["Дата"]}
# Statements in one routine: a compiler has its bounds.
_STATEMENTS = 2000


class Writer:
    """One module in the making. ``kinds``: the file's ``ref`` names → the type that they have."""

    def __init__(self, specification: Mapping[str, Any]) -> None:
        self.spec = specification
        self.kinds: dict[str, str] = {}
        self.lines: list[str] = []

    # -- values ----------------------------------------------------------------------------------------------------------

    def value(self, raw: Any, types: list[str]) -> str:
        """The expression for what stands in the file, for a field of these types."""
        if raw is None:
            return "Неопределено"
        if isinstance(raw, bool):
            return "Истина" if raw else "Ложь"
        if isinstance(raw, (int, float, Decimal)):
            return _number(raw)
        if isinstance(raw, date):
            return moment(raw)
        return self._text(str(raw), types)

    def _text(self, raw: str, types: list[str]) -> str:
        if raw == RECORDER:
            return "Документ.Ссылка"
        low = [name.lower() for name in types]
        known = self.kinds.get(raw)
        if known is not None and (known.lower() in low or not set(low) & set(_STRINGS)):
            return f"Ссылки[{quoted(raw)}]"
        parts = raw.split(".")
        if len(parts) == 3 and parts[0].lower() in _PREDEFINED:
            return raw
        if set(low) & set(_DATES):
            try:
                return moment(datetime.fromisoformat(raw))
            except ValueError:
                pass
        return quoted(raw)

    def types(self, *path: str) -> list[str]:
        """The declared types of a field, by its path in the specification."""
        node: Any = self.spec
        for key in path:
            node = (node or {}).get(key) if isinstance(node, Mapping) else None
        if node is None:
            return _STANDARD.get(path[-1], [])
        kinds = node.get("type") if isinstance(node, Mapping) else node
        return [kinds] if isinstance(kinds, str) else list(kinds or ())

    # -- elements --------------------------------------------------------------------------------------------------------

    def elements(self, kind: str, section: Any) -> None:
        manager, type_name, word = _KINDS[kind]
        for name, items in (section or {}).items():
            for data in items or ():
                self._element(kind, f"{manager}.{name}", f"{type_name}.{name}", word, name, data)

    def _element(self, kind: str, manager: str, type_name: str, word: str, name: str, data: Mapping[str, Any]) -> None:
        own = self.spec.get(_SPECS[kind], {}).get(name) or {}
        if data.get("ref") in _predefined_names(own):
            self.lines.append(f"Объект = {manager}.{data['ref']}.ПолучитьОбъект();")
        else:
            self.lines.append(f"Объект = {manager}.Создать{'Группу' if data.get('isFolder') else word}();")
        for key, target in (("parent", "Родитель"), ("owner", "Владелец")):
            if data.get(key) is not None:
                self.lines.append(f"Объект.{target} = {self.value(data[key], [])};")
        for key, raw in data.items():
            if key not in _ELEMENT_KEYS:
                self._part(kind, name, own, str(key), raw)
        if kind == "documents" and "Дата" not in data:
            self.lines.append(f"Объект.Дата = {NOW};")
        if kind == "accounts" and "Порядок" not in data:
            self.lines.append("Объект.Порядок = Объект.Код;")
        self.lines.append("Объект.Записать();")
        if data.get("ref") is not None:
            self.kinds[str(data["ref"])] = type_name
            self.lines.append(f"Ссылки.Вставить({quoted(str(data['ref']))}, Объект.Ссылка);")

    def _part(self, kind: str, name: str, own: Mapping[str, Any], key: str, raw: Any) -> None:
        sections = own.get("tabular_sections") or {}
        if key == "subconto":
            for number in raw or ():
                self.lines.append("Строка = Объект.ВидыСубконто.Добавить();")
                self.lines.append(f"Строка.ВидСубконто = {self.value(number, [])};")
        elif key in sections:
            self._rows(key, sections[key] or {}, raw)
        elif key == "ТипЗначения":
            names = raw if isinstance(raw, (list, tuple)) else [raw]
            self.lines.append(f"Объект.ТипЗначения = Новый ОписаниеТипов({quoted(', '.join(map(str, names)))});")
        elif key == "Вид" and kind == "accounts":
            self.lines.append(f"Объект.Вид = ВидСчета.{raw};")
        else:
            types = self.types(_SPECS[kind], name, "attributes", key)
            self.lines.append(f"Объект.{key} = {self.value(raw, types)};")

    def _rows(self, section: str, declared: Mapping[str, Any], rows: Any) -> None:
        if set(declared) == {"attributes"}:
            declared = declared["attributes"] or {}
        for row in rows or ():
            self.lines.append(f"Строка = Объект.{section}.Добавить();")
            for key, raw in row.items():
                field = declared.get(key)
                kinds = field.get("type") if isinstance(field, Mapping) else field
                types = [kinds] if isinstance(kinds, str) else list(kinds or ())
                self.lines.append(f"Строка.{key} = {self.value(raw, types)};")

    # -- records ---------------------------------------------------------------------------------------------------------

    def recorded(self, kind: str, manager: str, section: Any) -> None:
        """Records of registers that documents write; each gets a document of its own, whose date is its period."""
        for name, data in (section or {}).items():
            registrar = str(data.get("registrar")).rpartition(".")[2]
            for record in data.get("records") or ():
                period = self.value(record["Период"], ["Дата"]) if record.get("Период") is not None else NOW
                self.lines += [
                    f"Документ = Документы.{registrar}.СоздатьДокумент();", f"Документ.Дата = {period};", "Документ.Записать();",
                    f"Набор = {manager}.{name}.СоздатьНаборЗаписей();", "Набор.Отбор.Регистратор.Установить(Документ.Ссылка);",
                    "Запись = Набор.Добавить();",
                ]  # fmt: skip
                if self._has_period(kind, name):
                    self.lines.append(f"Запись.Период = {period};")
                self._record(kind, name, record)
                self.lines.append("Набор.Записать();")

    def _has_period(self, kind: str, name: str) -> bool:
        if kind != "information_registers":
            return True
        data = self.spec.get(kind, {}).get(name) or {}
        return str(data.get("periodicity") or "").lower() not in ("", "nonperiodical", "непериодический")

    def _record(self, kind: str, name: str, record: Mapping[str, Any]) -> None:
        own = self.spec.get(kind, {}).get(name) or {}
        balance = kind == "accumulation_registers" and str(own.get("register_type") or "Balance").lower() in ("balance", "balances", "остатки")
        if balance and "ВидДвижения" not in record:
            self.lines.append("Запись.ВидДвижения = ВидДвиженияНакопления.Приход;")
        for key, raw in record.items():
            if key == "Период":
                continue
            if str(key).lower() in ("субконтодт", "субконтокт", "субконто") and isinstance(raw, Mapping):
                for which, value in raw.items():
                    self.lines.append(f"Запись.{key}[{self.value(which, [])}] = {self.value(value, [])};")
            elif key == "ВидДвижения":
                owner = "ВидДвиженияБухгалтерии" if kind == "accounting_registers" else "ВидДвиженияНакопления"
                self.lines.append(f"Запись.ВидДвижения = {owner}.{str(raw).rpartition('.')[2]};")
            else:
                self.lines.append(f"Запись.{key} = {self.value(raw, self._register_types(kind, name, str(key)))};")

    def _register_types(self, kind: str, name: str, key: str) -> list[str]:
        for group in ("dimensions", "resources", "attributes"):
            found = self.types(kind, name, group, key)
            if found:
                return found
        return []

    def independent(self, section: Any) -> None:
        for name, records in (section or {}).items():
            for record in records or ():
                self.lines.append(f"Запись = РегистрыСведений.{name}.СоздатьМенеджерЗаписи();")
                if self._has_period("information_registers", name):
                    period = self.value(record["Период"], ["Дата"]) if record.get("Период") is not None else NOW
                    self.lines.append(f"Запись.Период = {period};")
                self._record("information_registers", name, record)
                self.lines.append("Запись.Записать();")

    def constants(self, section: Any) -> None:
        for name, raw in (section or {}).items():
            self.lines.append(f"Константы.{name}.Установить({self.value(raw, self.types('constants', name))});")


def _predefined_names(own: Mapping[str, Any]) -> frozenset[str]:
    predefined = own.get("predefined") or ()
    return frozenset(str(entry.get("name") if isinstance(entry, Mapping) else entry) for entry in predefined)


def _number(raw: int | float | Decimal) -> str:
    text = format(Decimal(repr(raw)) if isinstance(raw, float) else Decimal(raw), "f")
    return f"({text})" if text.startswith("-") else text


def moment(value: date) -> str:
    at = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    return f"'{at:%Y%m%d%H%M%S}'"


DESCRIPTION_FINDER = """
Функция Спр(ИмяСправочника, Наименование) Экспорт
    Возврат Справочники[ИмяСправочника].НайтиПоНаименованию(Наименование, Истина);
КонецФункции
"""


def fixtures_module(specification: Mapping[str, Any], fixtures: Mapping[str, Any]) -> str:
    """The module ``Фикстуры``: ``СоздатьФикстуры()`` writes everything, in the file's order of sections."""
    writer = Writer(specification)
    for kind in ("catalogs", "characteristics", "accounts", "documents"):
        writer.elements(kind, fixtures.get(kind))
    writer.recorded("accumulation_registers", "РегистрыНакопления", fixtures.get("register_records"))
    writer.independent(fixtures.get("info_records"))
    writer.recorded("information_registers", "РегистрыСведений", fixtures.get("info_register_records"))
    writer.recorded("accounting_registers", "РегистрыБухгалтерии", fixtures.get("accounting_records"))
    writer.constants(fixtures.get("constants"))
    parts = list(_cut(writer.lines))
    routines = [f"Процедура Часть{number}(Ссылки)\n" + "\n".join(part) + "\nКонецПроцедуры" for number, part in enumerate(parts)]
    calls = "\n".join(f"    Часть{number}(Ссылки);" for number in range(len(parts)))
    main = f"Процедура СоздатьФикстуры() Экспорт\n    Ссылки = Новый Соответствие;\n{calls}\nКонецПроцедуры"
    return "\n\n".join([*routines, main, DESCRIPTION_FINDER])


def _cut(lines: list[str]) -> Iterator[list[str]]:
    """Pieces that begin where an object or a record begins."""
    piece: list[str] = []
    starts = ("Объект = ", "Документ = ", "Запись = РегистрыСведений", "Константы.")
    for line in lines:
        if len(piece) >= _STATEMENTS and line.startswith(starts):
            yield piece
            piece = []
        piece.append(line)
    if piece:
        yield piece
