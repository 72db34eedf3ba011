"""The answer for Python callers: its JSON keys are attributes as well."""

from collections.abc import ItemsView
from typing import Any

from inspector.nearest import instead


class Answered(dict[str, Any]):
    """An assembly as JSON: `answer["status"]` and `answer.status` are the same.

    `answer.items` is the list of items; called, it gives the pairs of keys and values, as of any mapping.
    """

    __slots__ = ()

    @property
    def items(self) -> "_Items":  # pyright: ignore[reportIncompatibleMethodOverride] - the pairs where it is called
        """The list of items; calling it returns the key-value pairs of the answer."""
        return _Items(self)

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"an answer has no {name}; {instead(name, list(self))}")

    def to_dict(self) -> dict[str, Any]:
        """Return the same as a plain dict."""
        return dict(self)


class _Items(list[Any]):
    """The list of items, callable as `dict.items` since an answer is also a mapping."""

    def __init__(self, answer: Answered) -> None:
        super().__init__(answer["items"])
        self._answer = answer

    def __call__(self) -> ItemsView[str, Any]:
        return dict(self._answer).items()
