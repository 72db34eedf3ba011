"""What is worked out of a value once and kept with it, so that it dies when the value does."""

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

_Value = TypeVar("_Value")
_REMEMBERED = 4
_NOTHING: Any = object()


class cached_property(Generic[_Value]):  # noqa: N801 - the name that people know it by
    """`functools.cached_property` as it is from Python 3.12 on, without a lock.

    Before, all objects of a class share one: the window would wait until a worker has made the same of another object.
    Two threads that ask an object at the same time may both work it out, so it has to follow from the object alone.
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

    if TYPE_CHECKING:  # none at run time, when the value stands in the object itself and may be set there

        def __set__(self, instance: object, value: _Value) -> None: ...


class Deriving:
    """An immutable value that keeps the last few results of what is worked out from it.

    A subclass has the field `_derived`, a dictionary of its own, with which a changed copy starts anew.
    """

    _derived: dict[str, dict[Hashable, Any]]

    def derived(self, name: str, terms: Hashable, make: Callable[[], _Value]) -> _Value:
        """What `make` gives, made once for these terms; the last four terms of each name are remembered.

        The terms have to say all that the result depends on besides this value itself.
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
    """Nothing but such results: what several values have in common."""

    def __init__(self) -> None:
        self._derived = {}
