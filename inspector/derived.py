"""Values derived once from an object and kept with it, for its lifetime."""

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

_Value = TypeVar("_Value")
_REMEMBERED = 4
_NOTHING: Any = object()


class cached_property(Generic[_Value]):  # noqa: N801 - the name that people know it by
    """`functools.cached_property` as of Python 3.12, without a lock.

    Earlier versions share a lock between all objects of a class: the window would wait for a worker that computes the
    same property of another object. Two threads that read it at the same time may both compute it, so it must depend on
    the object alone.
    """

    def __init__(self, func: Callable[[Any], _Value]) -> None:
        self.func, self._name = func, func.__name__
        self.__doc__ = func.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> _Value: ...
    def __get__(self, instance: object | None, owner: type) -> Self | _Value:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self.func(instance)
        return value

    if TYPE_CHECKING:  # not at run time: the value is in the object itself, where it may be set

        def __set__(self, instance: object, value: _Value) -> None: ...


class Deriving:
    """An immutable value that keeps the last few results derived from it.

    A subclass has the field `_derived`, its own dictionary, which is empty in a changed copy.
    """

    _derived: dict[str, dict[Hashable, Any]]

    def derived(self, name: str, terms: Hashable, make: Callable[[], _Value]) -> _Value:
        """Return the result of `make`, made once for these terms; the last four terms of each name are remembered.

        The terms have to include everything on which the result depends besides this value itself.
        """
        known = self._derived.get(name)
        if known is None:
            known = self._derived.setdefault(name, {})
        value = known.get(terms, _NOTHING)
        if value is _NOTHING:
            value = known[terms] = make()
            if len(known) > _REMEMBERED:
                for oldest in list(known)[:-_REMEMBERED]:  # another thread may forget the same
                    known.pop(oldest, None)
        return value


class Derived(Deriving):
    """A holder of derived results alone, shared by several values."""

    def __init__(self) -> None:
        self._derived = {}
