"""The answer for Python callers: its JSON keys are attributes as well, and notebooks show its bar."""

import html
from collections import Counter
from collections.abc import Callable, ItemsView
from typing import Any

from inspector.nearest import instead


class NoFramesError(ImportError):
    """Raised if neither pandas nor polars is installed."""


class Answered(dict[str, Any]):
    """An assembly as JSON: `answer["status"]` and `answer.status` are the same.

    `answer.items` is the list of items; called, it gives the pairs of keys and values, as of any mapping. `draw` makes
    the bar as SVG, for notebooks; a pickled answer has none.
    """

    __slots__ = ("_draw",)

    def __init__(self, value: dict[str, Any], draw: Callable[[], str] | None = None) -> None:
        super().__init__(value)
        self._draw = draw

    def __reduce__(self) -> tuple[type["Answered"], tuple[dict[str, Any]]]:
        return Answered, (dict(self),)

    @property
    def items(self) -> "_Items":  # pyright: ignore[reportIncompatibleMethodOverride] - the pairs where it is called
        """The list of items; calling it returns the key-value pairs of the answer."""
        return _Items(self)

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"an answer has no {name}; {instead(name, list(self))}")

    def __repr__(self) -> str:
        return f"<prompt-inspector answer: {self._words}>"

    @property
    def _words(self) -> str:
        """The status, the size of the prompt, and how many items it keeps, summarizes, cuts and drops."""
        window = self["budget"]["context_window"]
        fates = Counter(str(item["action"]) for item in self["items"])
        told = ", ".join(f"{number:,} {action}" for action, number in fates.items())
        return f"{self['status']}, {self['ledger']['total']:,} of {window:,} tokens, {told or 'no items'}"

    def _repr_html_(self) -> str:
        """Return the bar, and a line about it; with an error or after pickling the line alone."""
        line = f"<p>{html.escape(self._words)}</p>"
        return line if self._draw is None or self["error"] is not None else f"{self._draw()}{line}"

    def to_dict(self) -> dict[str, Any]:
        """Return the same as a plain dict."""
        return dict(self)

    def to_frame(self) -> Any:
        """Return the items as a pandas DataFrame, or a polars one where only that is installed. Raise NoFramesError."""
        rows = self["items"]
        try:
            from pandas import DataFrame  # pyright: ignore[reportMissingImports] - the user's own
        except ImportError:
            try:
                from polars import DataFrame  # pyright: ignore[reportMissingImports]
            except ImportError:
                raise NoFramesError("to_frame needs pandas or polars, and neither is installed") from None
        return DataFrame(rows)


class _Items(list[Any]):
    """The list of items, callable as `dict.items` since an answer is also a mapping."""

    def __init__(self, answer: Answered) -> None:
        super().__init__(answer["items"])
        self._answer = answer

    def __call__(self) -> ItemsView[str, Any]:
        return dict(self._answer).items()
