"""How 1C values are represented in Python.

========================  =====================================================================================
1C                        Python
========================  =====================================================================================
Неопределено              ``None``
NULL                      :data:`NULL`
Булево                    ``bool``
Число                     ``int`` for whole numbers, ``decimal.Decimal`` otherwise (a ``Decimal`` may be whole, too)
Строка                    ``str``
Дата                      ``datetime.datetime``, naive; the empty date is ``datetime(1, 1, 1)``
Тип                       :class:`scoring.engine.values.types.TypeValue`
everything else           a subclass of :class:`BslObject`
a skipped argument        :data:`MISSING`
========================  =====================================================================================

``bool`` is an ``int`` to Python and ``True == 1``: code that tells types apart must test ``bool`` first, and keys of maps
go through the dialect's ``map_key``.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from scoring.engine.errors import BslRuntimeError

if TYPE_CHECKING:
    from scoring.engine.runtime.context import Runtime
    from scoring.engine.values.members import MethodEntry, PropertyEntry

EMPTY_DATE = datetime(1, 1, 1)


class NullType:
    """The single value NULL of queries."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "NULL"

    def __reduce__(self) -> str:
        return "NULL"


NULL = NullType()


class MissingType:
    """Marks an argument that the call left out."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING: Any = MissingType()


class Ref:
    """A by-reference argument handed to a built-in method with an output parameter (``Структура.Свойство``).

    The compiler subclasses it or fills ``getter``/``setter``; built-ins read and write ``value`` only.
    """

    __slots__ = ("_get", "_set")

    def __init__(self, getter: Any, setter: Any) -> None:
        self._get = getter
        self._set = setter

    @property
    def value(self) -> Any:
        return self._get()

    @value.setter
    def value(self, new: Any) -> None:
        self._set(new)


class BslObject:
    """Base of every value that has methods, properties, an index or an iteration.

    Subclasses declare members with the decorators of :mod:`scoring.engine.values.members`; ``__init_subclass__`` gathers
    them (inherited ones too) into ``bsl_methods`` and ``bsl_properties``, keyed by both names in lower case. Objects whose
    property names are only known at run time (structures, table rows, catalogue objects) override
    ``get_property``/``set_property`` and call ``super()`` for the rest.

    ``type_name`` is the pair (Russian, English) that ``ТипЗнч`` shows.
    """

    __slots__ = ()

    type_name: ClassVar[tuple[str, str]] = ("Объект", "Object")
    bsl_methods: ClassVar[dict[str, MethodEntry]] = {}
    bsl_properties: ClassVar[dict[str, PropertyEntry]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        from scoring.engine.values import members

        members.collect_members(cls)
        for hook in members.CLASS_HOOKS:
            hook(cls)

    # -- what the language can do with a value; each raises the dialect's error where the value can't ------------------

    def get_property(self, rt: Runtime, name: str) -> Any:
        """``object.name``; ``name`` keeps the spelling of the source."""
        entry = self.bsl_properties.get(name.lower())
        if entry is None or entry.getter is None or rt.dialect.name not in entry.dialects:
            raise BslRuntimeError("no_property", name=name, type=self.type_name)
        return entry.getter(self, rt)

    def set_property(self, rt: Runtime, name: str, value: Any) -> None:
        entry = self.bsl_properties.get(name.lower())
        if entry is None or rt.dialect.name not in entry.dialects:
            raise BslRuntimeError("no_property", name=name, type=self.type_name)
        if entry.setter is None:
            raise BslRuntimeError("property_not_writable", name=name, type=self.type_name)
        entry.setter(self, rt, value)

    def find_method(self, rt: Runtime, name: str) -> MethodEntry:
        entry = self.bsl_methods.get(name.lower())
        if entry is None or rt.dialect.name not in entry.dialects:
            raise BslRuntimeError("no_method", name=name, type=self.type_name)
        return entry

    def get_index(self, rt: Runtime, index: Any) -> Any:
        raise BslRuntimeError("not_indexed", type=self.type_name)

    def set_index(self, rt: Runtime, index: Any, value: Any) -> None:
        raise BslRuntimeError("not_indexed", type=self.type_name)

    def iterate(self, rt: Runtime) -> Iterator[Any]:
        """The elements of ``Для Каждого``; must tolerate changes of the collection the way the genuine engine does."""
        raise BslRuntimeError("not_iterable", type=self.type_name)

    def presentation(self, rt: Runtime) -> str:
        """The text that ``Строка()`` and concatenation give; by default the name of the type."""
        return rt.dialect.object_text(self.type_name)

    def is_filled(self, rt: Runtime) -> bool:
        """``ЗначениеЗаполнено``: collections with a method Количество are filled unless empty, other objects always."""
        count = self.bsl_methods.get("количество")
        if count is None or rt.dialect.name not in count.dialects:
            return True
        return bool(count.function(self, rt) > 0)

    def property_names(self, rt: Runtime) -> list[str]:
        """Names of the properties that ``ЗаполнитьЗначенияСвойств`` reads; structures and rows give their keys."""
        own = {id(entry): entry for entry in self.bsl_properties.values() if rt.dialect.name in entry.dialects}
        return [entry.name for entry in own.values()]

    def map_key(self) -> Any:
        """What stands for the object as a key of a map: itself, unless the type compares by content."""
        return self

    def same_value(self, other: Any) -> bool:
        """``=`` in 1C: identity, unless the type compares by content (references, UUIDs, types)."""
        return self is other
