"""СписокЗначений and its items. ``ValueList.items`` is the Python list of :class:`ValueListItem`."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from scoring.engine.collections.array import SEARCH_BASE, SEARCH_STEP, Array
from scoring.engine.collections.base import Collection, ListBacked, matcher
from scoring.engine.collections.faults import as_int, is_onescript, list_index, list_insert, not_of_class, place_of, wrong_type
from scoring.engine.collections.grid import move_by
from scoring.engine.collections.ordering import sorted_by_value
from scoring.engine.errors import BslRuntimeError
from scoring.engine.values.enums import EnumValue
from scoring.engine.values.members import ONEC, constructor, member, prop
from scoring.engine.values.model import MISSING
from scoring.engine.values.type_description import TypeDescription

if TYPE_CHECKING:
    from scoring.engine.runtime.context import Runtime

SORT_DIRECTION = "НаправлениеСортировки"


class ValueListItem(Collection):
    """ЭлементСпискаЗначений."""

    __slots__ = ("checked", "identifier", "picture", "presentation_text", "value")
    type_name = ("ЭлементСпискаЗначений", "ValueListItem")

    def __init__(self, value: Any, presentation: str, checked: bool, picture: Any, identifier: int) -> None:
        self.value = value
        self.presentation_text = presentation
        self.checked = checked
        self.picture = picture
        self.identifier = identifier

    def _set_value(self, rt: Runtime, value: Any) -> None:
        self.value = value

    def _set_presentation(self, rt: Runtime, value: Any) -> None:
        self.presentation_text = rt.text(value)

    def _set_checked(self, rt: Runtime, value: Any) -> None:
        self.checked = rt.boolean(value)

    def _set_picture(self, rt: Runtime, value: Any) -> None:
        self.picture = value

    @prop("Значение", "Value", writable=_set_value)
    def get_value(self, rt: Runtime) -> Any:
        return self.value

    @prop("Представление", "Presentation", writable=_set_presentation)
    def get_presentation(self, rt: Runtime) -> str:
        return self.presentation_text

    @prop("Пометка", "Check", writable=_set_checked)
    def get_checked(self, rt: Runtime) -> bool:
        return self.checked

    @prop("Картинка", "Picture", writable=_set_picture)
    def get_picture(self, rt: Runtime) -> Any:
        return self.picture

    @member("ПолучитьИдентификатор", "GetID", dialects=(ONEC,))
    def get_identifier(self, rt: Runtime) -> int:
        return self.identifier

    def presentation(self, rt: Runtime) -> str:
        """1C shows the item's own presentation, else its value."""
        if is_onescript(rt):
            return super().presentation(rt)
        return self.presentation_text or rt.text(self.value)


class ValueList(ListBacked):
    """СписокЗначений."""

    __slots__ = ("available", "last_identifier", "value_type")
    type_name = ("СписокЗначений", "ValueList")

    def __init__(self) -> None:
        self.items: list[ValueListItem] = []
        self.version = 0
        self.last_identifier = -1
        self.value_type = TypeDescription()
        self.available: Any = None

    def presentation(self, rt: Runtime) -> str:
        """1C shows the items, OneScript the type."""
        if is_onescript(rt):
            return super().presentation(rt)
        return "; ".join(item.presentation(rt) for item in self.items)

    def new_item(
        self, value: Any, presentation: str = "", checked: bool = False, picture: Any = None, position: int | None = None
    ) -> ValueListItem:
        """Add an item; for the engine's own use."""
        self.last_identifier += 1
        item = ValueListItem(value, presentation, checked, picture, self.last_identifier)
        self.items.insert(len(self.items) if position is None else position, item)
        return item

    def _made(
        self, rt: Runtime, position: int | None, value: Any, presentation: Any, checked: Any, picture: Any
    ) -> ValueListItem:
        stored = None if value is MISSING else value
        return self.new_item(
            stored if is_onescript(rt) else self.value_type.adjust(rt, stored),
            "" if presentation is MISSING else rt.text(presentation),
            checked is not MISSING and rt.boolean(checked),
            None if picture is MISSING else picture,
            position,
        )

    def _position(self, rt: Runtime, item: Any) -> int:
        """Where an item, given by itself or by its number, is."""
        return place_of(rt, self.items, item, ValueListItem, "Элемент не принадлежит списку значений")

    def get_index(self, rt: Runtime, index: Any) -> Any:
        if type(index) is int or type(index) is Decimal:
            return self.get(rt, index)
        return super().get_index(rt, index)

    @prop("ТипЗначения", "ValueType", writable=lambda self, rt, value: self._retype(value), dialects=(ONEC,))
    def get_value_type(self, rt: Runtime) -> TypeDescription:
        return self.value_type

    def _retype(self, value: Any) -> None:
        if not isinstance(value, TypeDescription):
            raise wrong_type()
        self.value_type = value

    @prop(
        "ДоступныеЗначения",
        "AvailableValues",
        writable=lambda self, rt, value: setattr(self, "available", value),
        dialects=(ONEC,),
    )
    def get_available(self, rt: Runtime) -> Any:
        return self.available

    @member("Количество", "Count")
    def count(self, rt: Runtime) -> int:
        return len(self.items)

    @member("Получить", "Get")
    def get(self, rt: Runtime, index: Any) -> ValueListItem:
        position = as_int(rt, index)
        if not 0 <= position < len(self.items):
            raise list_index(rt)
        return self.items[position]

    @member("Добавить", "Add")
    def add(
        self, rt: Runtime, value: Any = None, presentation: Any = MISSING, checked: Any = MISSING, picture: Any = MISSING
    ) -> ValueListItem:
        return self._made(rt, None, value, presentation, checked, picture)

    @member("Вставить", "Insert")
    def insert(
        self,
        rt: Runtime,
        index: Any,
        value: Any = None,
        presentation: Any = MISSING,
        checked: Any = MISSING,
        picture: Any = MISSING,
    ) -> ValueListItem:
        position = as_int(rt, index)
        if not 0 <= position <= len(self.items):
            raise list_insert(rt)
        self.version += 1
        return self._made(rt, position, value, presentation, checked, picture)

    @member("Удалить", "Delete", procedure=True)
    def delete(self, rt: Runtime, item: Any) -> None:
        del self.items[self._position(rt, item)]
        self.version += 1

    @member("Очистить", "Clear", procedure=True)
    def clear(self, rt: Runtime) -> None:
        self.items.clear()
        self.version += 1

    @member("Индекс", "IndexOf")
    def index_of(self, rt: Runtime, item: Any) -> int:
        if not isinstance(item, ValueListItem):
            raise not_of_class(rt, item, "Collections.ValueList.ValueListItem", 1)
        return next((place for place, known in enumerate(self.items) if known is item), -1)

    @member("Сдвинуть", "Move", procedure=True)
    def move(self, rt: Runtime, item: Any, offset: Any) -> None:
        move_by(rt, self, self._position(rt, item), as_int(rt, offset), wrap=False)

    @member("НайтиПоЗначению", "FindByValue")
    def find_by_value(self, rt: Runtime, value: Any) -> ValueListItem | None:
        matches = matcher(rt, value, wanted_first=True)
        for position, item in enumerate(self.items, 1):
            if matches(item.value):
                rt.charge(SEARCH_BASE + SEARCH_STEP * position)
                return item
        rt.charge(SEARCH_BASE + SEARCH_STEP * len(self.items))
        return None

    @member("НайтиПоИдентификатору", "FindByID", dialects=(ONEC,))
    def find_by_identifier(self, rt: Runtime, identifier: Any) -> ValueListItem | None:
        wanted = as_int(rt, identifier)
        return next((item for item in self.items if item.identifier == wanted), None)

    @member("ЗаполнитьПометки", "FillChecks", procedure=True)
    def fill_checks(self, rt: Runtime, checked: Any) -> None:
        value = rt.boolean(checked)
        for item in self.items:
            item.checked = value

    @member("ВыгрузитьЗначения", "UnloadValues")
    def unload_values(self, rt: Runtime) -> Array:
        return Array([item.value for item in self.items])

    @member("ЗагрузитьЗначения", "LoadValues", procedure=True)
    def load_values(self, rt: Runtime, values: Any) -> None:
        if not isinstance(values, Array):
            raise not_of_class(rt, values, "Collections.ArrayImpl", 1)
        loaded = list(values.items)
        self.items.clear()
        self.version += 1
        for value in loaded:
            self.add(rt, value)

    @member("Скопировать", "Copy")
    def copy(self, rt: Runtime) -> ValueList:
        result = ValueList()
        result.value_type, result.available = self.value_type, self.available
        for item in self.items:
            result.new_item(item.value, item.presentation_text, item.checked, item.picture)
        return result

    def _sort(self, rt: Runtime, value_of: Callable[[ValueListItem], Any], direction: Any) -> None:
        self.items[:] = sorted_by_value(rt, self.items, value_of, _is_descending(rt, direction))
        self.version += 1

    @member("СортироватьПоЗначению", "SortByValue", procedure=True)
    def sort_by_value(self, rt: Runtime, direction: Any = MISSING) -> None:
        self._sort(rt, lambda item: item.value, direction)

    @member("СортироватьПоПредставлению", "SortByPresentation", procedure=True)
    def sort_by_presentation(self, rt: Runtime, direction: Any = MISSING) -> None:
        self._sort(rt, lambda item: item.presentation_text, direction)

    @member("ВыбратьЭлемент", "ChooseItem", dialects=(ONEC,))
    def choose_item(self, rt: Runtime, title: Any = MISSING, item: Any = MISSING) -> None:
        rt.dialect.unsupported("СписокЗначений.ВыбратьЭлемент")

    @member("ОтметитьЭлементы", "CheckItems", dialects=(ONEC,))
    def check_items(self, rt: Runtime, title: Any = MISSING) -> None:
        rt.dialect.unsupported("СписокЗначений.ОтметитьЭлементы")


def _is_descending(rt: Runtime, direction: Any) -> bool:
    if direction is MISSING:
        return False
    if isinstance(direction, EnumValue) and direction.owner.names[0] == SORT_DIRECTION:
        return direction.english.lower() == "desc"
    raise wrong_type() if is_onescript(rt) else BslRuntimeError("argument_type", number=1)


@constructor("СписокЗначений", "ValueList")
def construct_value_list(rt: Runtime) -> ValueList:
    return ValueList()
