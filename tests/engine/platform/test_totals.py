"""Virtual tables over the firm's few records: every figure can be followed by hand in ``shop.py``."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from shop import Shop, day

from scoring.engine.metadata.system_enums import EXCLUDING
from scoring.engine.storage.moments import Boundary, PointInTime
from scoring.engine.storage.relations import ArgumentError

STOCK = "РегистрНакопления.Запасы"
DEALS = "РегистрНакопления.Сделки"
BOOKS = "РегистрБухгалтерии.Учет"


def numbers(rows: list[dict[str, Any]], *names: str) -> list[Any]:
    """Values of the named columns, flat where there is one."""
    return [row[names[0]] if len(names) == 1 else tuple(row[name] for name in names) for row in rows]


class TestBalances:
    def test_dimensions_in_use_decide_the_rows(self, shop: Shop) -> None:
        bolt, nut, shop_floor = shop["Болт"], shop["Гайка"], shop["Цех"]
        rows = shop.table(f"{STOCK}.Остатки", "Товар Место ВесОстаток СуммаОстаток")
        store = shop.database.predefined_value("Справочник.Отделы.Склад")
        assert numbers(rows, "Товар", "Место", "ВесОстаток", "СуммаОстаток") == [
            (bolt, shop_floor, 7, Decimal("69.5")),
            (nut, store, 7, 0),
        ]

    def test_unused_dimensions_are_collapsed_to_a_net_figure(self, shop: Shop) -> None:
        assert numbers(shop.table(f"{STOCK}.Остатки", "ВесОстаток"), "ВесОстаток") == [14]
        assert numbers(shop.table(f"{STOCK}.Остатки", "Место ВесОстаток"), "ВесОстаток") == [7, 7]

    def test_documented_rows_whose_resources_in_use_are_zero_are_left_out(self, shop: Shop) -> None:
        assert len(shop.table(f"{STOCK}.Остатки", "Товар СуммаОстаток")) == 1
        assert len(shop.table(f"{STOCK}.Остатки", "Товар ВесОстаток")) == 2
        assert len(shop.table(f"{STOCK}.Остатки", "Товар")) == 2

    def test_strings_of_a_composite_dimension_meet_in_any_case(self, shop: Shop) -> None:
        rows = shop.table(f"{STOCK}.Остатки", "Место ВесОстаток", day("2026-01-15"))
        assert sorted(str(row["Место"]) for row in rows if isinstance(row["Место"], str)) == ["двор"]
        assert not [row for row in shop.table(f"{STOCK}.Остатки", "Место ВесОстаток") if isinstance(row["Место"], str)]

    @pytest.mark.parametrize(
        ("period", "expected"),
        [
            (day("2026-01-10"), []),  # documented: what happens at the date is not in
            (Boundary(day("2026-01-10")), [14]),
            (Boundary(day("2026-01-10"), EXCLUDING), []),
            (day("2026-01-20T12:00:00"), [14]),
            (day("2026-01-20T12:00:01"), [10]),
            (day("2026-02-06"), [7]),
            (None, [14]),
            (day("0001-01-01"), [14]),  # the empty date is no date
        ],
    )
    def test_documented_ends_of_the_period(self, shop: Shop, period: Any, expected: list[int]) -> None:
        assert numbers(shop.table(f"{STOCK}.Остатки", "ВесОстаток", period), "ВесОстаток") == expected

    def test_documented_a_point_in_time_leaves_out_its_document(self, shop: Shop) -> None:
        first, second = [row[1] for row in shop.database.registers[STOCK].rows()[:2]]
        date = day("2026-01-10")

        def weight(period: Any) -> list[Any]:
            return numbers(shop.table(f"{STOCK}.Остатки", "ВесОстаток", period), "ВесОстаток")

        assert weight(PointInTime(date, first)) == []
        assert weight(PointInTime(date, second)) == [10]
        assert weight(Boundary(PointInTime(date, second))) == [14]

    def test_a_condition_sees_dimensions_even_where_they_are_collapsed(self, shop: Shop) -> None:
        bolt = shop["Болт"]
        rows = shop.table(f"{STOCK}.Остатки", "ВесОстаток", None, lambda row: row[0] is bolt)
        assert numbers(rows, "ВесОстаток") == [7]

    def test_a_period_must_be_one(self, shop: Shop) -> None:
        with pytest.raises(ArgumentError) as caught:
            list(shop.database.relation(f"{STOCK}.Остатки").compute([5, None], frozenset()))  # type: ignore[union-attr]
        assert caught.value.parameter == 0


class TestTurnovers:
    def test_documented_both_ends_are_in(self, shop: Shop) -> None:
        def total(start: str, end: str) -> Any:
            rows = shop.table(f"{DEALS}.Обороты", "СуммаОборот", day(start), day(end))
            return numbers(rows, "СуммаОборот")

        assert total("2026-02-01", "2026-02-28") == [33]
        assert total("2026-02-01", "2026-02-02") == [22]
        assert total("2026-02-02", "2026-02-27") == [-22]
        assert total("2026-01-31T23:59:59", "2026-01-31T23:59:59") == [11]

    def test_documented_a_zero_turnover_is_kept_where_something_moved(self, shop: Shop) -> None:
        rows = shop.table(f"{DEALS}.Обороты", "Товар СуммаОборот", day("2026-02-01"), day("2026-02-27"))
        assert numbers(rows, "СуммаОборот") == [0]

    def test_receipts_and_expenses_of_a_balance_register(self, shop: Shop) -> None:
        rows = shop.table(f"{STOCK}.Обороты", "Товар ВесПриход ВесРасход ВесОборот")
        assert numbers(rows, "ВесПриход", "ВесРасход", "ВесОборот") == [(14, 7, 7), (7, 0, 7), (1, 1, 0)]

    @pytest.mark.parametrize(
        ("periodicity", "expected"),
        [
            ("Месяц", [("2026-01-01", 11), ("2026-02-01", 33)]),
            ("Quarter", [("2026-01-01", 44)]),
            ("Декада", [("2026-01-21", 11), ("2026-02-01", 0), ("2026-02-21", 33)]),
            ("Week", [("2026-01-26", 33), ("2026-02-02", -22), ("2026-02-23", 33)]),
            ("Полугодие", [("2026-01-01", 44)]),
            ("Регистратор", [("2026-01-31T23:59:59", 11), ("2026-02-01", 22), ("2026-02-03", -22), ("2026-02-28", 33)]),
        ],
    )
    def test_periodicity(self, shop: Shop, periodicity: str, expected: list[tuple[str, int]]) -> None:
        rows = shop.table(f"{DEALS}.Обороты", "Период СуммаОборот", None, None, periodicity)
        assert numbers(rows, "Период", "СуммаОборот") == [(day(text), value) for text, value in expected]

    def test_the_automatic_periodicity_takes_the_finest_field_in_use(self, shop: Shop) -> None:
        rows = shop.table(f"{DEALS}.Обороты", "ПериодМесяц СуммаОборот", None, None, "Авто")
        assert numbers(rows, "СуммаОборот") == [11, 33]
        rows = shop.table(f"{DEALS}.Обороты", "ПериодМесяц ПериодДень СуммаОборот", None, None, "Авто")
        assert len(rows) == 4
        rows = shop.table(f"{DEALS}.Обороты", "Регистратор СуммаОборот", None, None, "Авто")
        assert numbers(rows, "СуммаОборот") == [11, 22, -22, 33]
        assert numbers(shop.table(f"{DEALS}.Обороты", "СуммаОборот", None, None, "Авто"), "СуммаОборот") == [44]

    def test_fields_follow_the_periodicity(self, shop: Shop) -> None:
        relation: Any = shop.database.relation(f"{DEALS}.Обороты")
        plain = [info.name for info in relation.fields]
        assert plain == ["Товар", "СуммаОборот"]
        assert [info.name for info in relation.bind([None, None, "Запись"]).fields] == [
            "Период",
            "Регистратор",
            "НомерСтроки",
            *plain,
        ]
        assert len(relation.bind([None, None, "Авто"]).fields) == len(plain) + 12
        with pytest.raises(ArgumentError):
            relation.bind([None, None, "Утро"])


class TestBalancesAndTurnovers:
    def test_one_period(self, shop: Shop) -> None:
        used = "Товар ВесНачальныйОстаток ВесПриход ВесРасход ВесОборот ВесКонечныйОстаток"
        rows = shop.table(f"{STOCK}.ОстаткиИОбороты", used, day("2026-02-01"), day("2026-02-28"))
        assert numbers(rows, *used.split()[1:]) == [(10, 0, 3, -3, 7), (0, 7, 0, 7, 7)]

    def test_periods_run_from_balance_to_balance_with_their_ends(self, shop: Shop) -> None:
        used = "Период ВесНачальныйОстаток ВесОборот ВесКонечныйОстаток"
        bolt = shop["Болт"]
        only_bolt = lambda row: row[0] is bolt  # noqa: E731
        arguments = (day("2026-01-15"), day("2026-02-10"), "День")
        whole = shop.table(f"{STOCK}.ОстаткиИОбороты", used, *arguments, None, only_bolt)
        assert numbers(whole, *used.split()) == [
            (day("2026-01-15"), 14, 0, 14),
            (day("2026-01-20"), 14, -4, 10),
            (day("2026-02-05"), 10, -3, 7),
            (day("2026-02-10"), 7, 0, 7),
        ]
        moved = shop.table(f"{STOCK}.ОстаткиИОбороты", used, *arguments, "Движения", only_bolt)
        assert numbers(moved, "Период") == [day("2026-01-20"), day("2026-02-05")]

    def test_what_came_and_went_inside_the_period_is_shown(self, shop: Shop) -> None:
        used = "Товар ВесПриход ВесРасход"
        rows = shop.table(f"{STOCK}.ОстаткиИОбороты", used, day("2026-03-01"), day("2026-03-31"))
        assert (shop["Доска"], 1, 1) in numbers(rows, *used.split())


class TestSlices:
    def prices(self, shop: Shop, name: str, *arguments: Any) -> list[Any]:
        rows = shop.table(f"РегистрСведений.Цены.{name}", "Товар Период Цена Автор", *arguments)
        return numbers(rows, "Цена")

    def test_documented_records_at_the_date_are_in(self, shop: Shop) -> None:
        assert self.prices(shop, "СрезПоследних", day("2026-02-01")) == [5, 2]
        assert self.prices(shop, "СрезПоследних", day("2026-02-28T23:59:59")) == [5, 2]
        assert self.prices(shop, "СрезПоследних", day("2026-03-01")) == [7, 2]
        assert self.prices(shop, "СрезПоследних", Boundary(day("2026-03-01"), EXCLUDING)) == [5, 2]
        assert self.prices(shop, "СрезПоследних") == [7, 2]
        assert self.prices(shop, "СрезПервых", day("2026-02-01")) == [7, 2]
        assert self.prices(shop, "SliceFirst") == [5, 2]

    def test_the_condition_is_asked_before_the_slice(self, shop: Shop) -> None:
        assert self.prices(shop, "СрезПоследних", None, lambda row: row[2] < 6) == [5, 2]

    def test_records_of_documents(self, shop: Shop) -> None:
        rows = shop.table("РегистрСведений.Курсы.СрезПоследних", "Период Валюта Курс", day("2026-01-05T08:00:00"))
        assert numbers(rows, "Период", "Курс") == [(day("2026-01-05"), Decimal("90.1234"))]

    def test_a_register_without_periods_has_none(self, shop: Shop) -> None:
        assert shop.database.relation("РегистрСведений.Настройки.СрезПоследних") is None


class TestAccounts:
    def test_balances_by_account(self, shop: Shop) -> None:
        used = "Счет СуммаОстаток СуммаОстатокДт СуммаОстатокКт"
        rows = shop.table(f"{BOOKS}.Остатки", used)
        assert {row["Счет"]: numbers([row], *used.split()[1:])[0] for row in rows} == {
            shop["Касса"]: (550, 550, 0),
            shop["Долги"]: (-50, 0, 50),
            shop["Займы1"]: (-500, 0, 500),
        }

    def test_split_balances_keep_both_sides_of_an_account(self, shop: Shop) -> None:
        debts = shop["Долги"]
        used = "Счет СуммаОстаток СуммаРазвернутыйОстатокДт СуммаРазвернутыйОстатокКт"
        rows = shop.table(f"{BOOKS}.Остатки", used, None, lambda row: row[0] is debts)
        assert numbers(rows, *used.split()[1:]) == [(-50, 100, 150)]

    def test_ext_dimensions_by_position_and_by_kind(self, shop: Shop) -> None:
        debts, people, departments = shop["Долги"], shop["ПоЛицам"], shop["ПоОтделам"]
        account = lambda row: row[0] is debts  # noqa: E731
        by_place = shop.table(f"{BOOKS}.Остатки", "Субконто1 СуммаОстаток", None, account)
        assert numbers(by_place, "Субконто1", "СуммаОстаток") == [(shop["Иван"], 100), (shop["Мария"], -150)]
        by_kind = shop.table(f"{BOOKS}.Остатки", "Субконто1 СуммаОстаток", None, account, [departments, people])
        assert numbers(by_kind, "Субконто1", "СуммаОстаток") == [(shop["Цех"], -50)]
        assert shop.table(f"{BOOKS}.Остатки", "Счет СуммаОстаток", None, None, [people])[0]["Счет"] is debts

    def test_turnovers_and_the_other_side(self, shop: Shop) -> None:
        used = "Счет КорСчет СуммаОборотДт СуммаОборотКт СуммаОборот"
        cash = shop["Касса"]
        rows = shop.table(f"{BOOKS}.Обороты", used, None, None, None, lambda row: row[0] is cash)
        assert numbers(rows, "КорСчет", "СуммаОборотДт", "СуммаОборотКт", "СуммаОборот") == [
            (shop["Долги"], 150, 100, 50),
            (shop["Займы1"], 500, 0, 500),
        ]
        rows = shop.table(f"{BOOKS}.Обороты", "Счет ВалютнаяОборотДт ВалютнаяКорОборотДт", None, None, None)
        assert {row["Счет"]: (row["ВалютнаяОборотДт"], row["ВалютнаяКорОборотДт"]) for row in rows}[shop["Долги"]] == (1, 2)

    def test_entries_by_both_accounts(self, shop: Shop) -> None:
        used = "СчетДт СубконтоДт1 СчетКт СуммаОборот ВалютнаяОборотДт ВалютнаяОборотКт"
        rows = shop.table(f"{BOOKS}.ОборотыДтКт", used, None, day("2026-01-15"))
        assert numbers(rows, *used.split()) == [(shop["Долги"], shop["Иван"], shop["Касса"], 100, 1, 2)]

    def test_balances_and_turnovers(self, shop: Shop) -> None:
        used = "Счет СуммаНачальныйОстатокКт СуммаОборотДт СуммаОборотКт СуммаКонечныйОстатокДт СуммаКонечныйОстатокКт"
        rows = shop.table(f"{BOOKS}.ОстаткиИОбороты", used, day("2026-01-15"), day("2026-01-31"))
        found = {row["Счет"]: numbers([row], *used.split()[1:])[0] for row in rows}
        assert found == {shop["Касса"]: (0, 150, 0, 50, 0), shop["Долги"]: (0, 0, 150, 0, 50)}

    def test_records_with_ext_dimensions(self, shop: Shop) -> None:
        used = "Период Сумма СубконтоДт2 ВидСубконтоДт2 СубконтоКт1"
        rows = shop.table(f"{BOOKS}.ДвиженияССубконто", used, None, day("2026-01-31"))
        assert numbers(rows, "Сумма") == [100, 150]
        assert numbers(rows[:1], *used.split()[2:4]) == [(shop["Цех"], shop["ПоОтделам"])]
        assert numbers(rows[1:], "СубконтоКт1") == [shop["Мария"]]

    def test_single_entries(self, shop: Shop) -> None:
        rows = shop.table("РегистрБухгалтерии.Простой.Остатки", "Счет СуммаОстаток СуммаОстатокДт")
        assert numbers(rows, "СуммаОстаток", "СуммаОстатокДт") == [(5, 5)]
        assert shop.database.relation("РегистрБухгалтерии.Простой.ОборотыДтКт") is None

    @pytest.mark.parametrize(
        ("table", "count"),
        [
            ("РегистрНакопления.Запасы.Остатки", 2),
            ("РегистрНакопления.Запасы.Обороты", 4),
            ("РегистрНакопления.Запасы.ОстаткиИОбороты", 5),
            ("РегистрСведений.Цены.СрезПоследних", 2),
            ("РегистрБухгалтерии.Учет.ДвиженияССубконто", 5),
            ("РегистрБухгалтерии.Учет.Обороты", 8),
            ("РегистрБухгалтерии.Простой.Обороты", 5),
            ("РегистрБухгалтерии.Учет.Остатки", 4),
            ("РегистрБухгалтерии.Учет.ОборотыДтКт", 8),
            ("РегистрБухгалтерии.Учет.ОстаткиИОбороты", 7),
        ],
    )
    def test_number_of_parameters(self, shop: Shop, table: str, count: int) -> None:
        assert len(shop.database.relation(table).parameters) == count  # type: ignore[union-attr]

    def test_every_name_has_an_english_twin(self, shop: Shop) -> None:
        twins = {
            "AccumulationRegister.Запасы.Balance": "РегистрНакопления.Запасы.Остатки",
            "accumulationregister.запасы.balanceandturnovers": "РегистрНакопления.Запасы.ОстаткиИОбороты",
            "AccountingRegister.Учет.DrCrTurnovers": "РегистрБухгалтерии.Учет.ОборотыДтКт",
            "AccountingRegister.Учет.RecordsWithExtDimensions": "РегистрБухгалтерии.Учет.ДвиженияССубконто",
            "InformationRegister.Цены.SliceLast": "РегистрСведений.Цены.СрезПоследних",
        }
        for english, russian in twins.items():
            found: Any = shop.database.relation(english)
            assert found.path == russian
            assert all(info.english.isascii() or info.english == info.name for info in found.fields if info.name == "Счет")
