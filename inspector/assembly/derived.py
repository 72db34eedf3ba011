"""What is worked out from an immutable value and kept with it, so that it dies when the value does."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_Value = TypeVar("_Value")
_REMEMBERED = 4
_NOTHING: Any = object()


class Deriving:
    """An immutable value that keeps the last few results of what is worked out from it.

    A subclass is a dataclass with the field `_derived: Derivations = derivations()`; a changed copy starts with none.
    """

    _derived: dict[str, dict[Hashable, Any]]

    def derived(self, name: str, terms: Hashable, make: Callable[[], _Value]) -> _Value:
        """What `make` gives, made once for these terms; the last four terms of each name are remembered.

        The terms have to say all that the result depends on besides this value itself.
        """
        known = self._derived.setdefault(name, {})
        value = known.get(terms, _NOTHING)
        if value is _NOTHING:
            value = known[terms] = make()
            for oldest in list(known)[:-_REMEMBERED]:  # another thread may forget the same
                known.pop(oldest, None)
        return value


class Derived(Deriving):
    """Nothing but such results: what several values have in common."""

    def __init__(self) -> None:
        self._derived = {}
