"""Layouts in files: written as a plain value, read back and checked.

From values edited by hand, the valid parts are used, and each invalid part is a warning with its place.
"""

from collections.abc import Collection, Mapping
from typing import Any

from inspector.gui.remembered.layout import PERSPECTIVES, SIDES, Column, Layout, Rectangle, WindowLayout
from inspector.model import Problem, Severity
from inspector.reading.decode import kind_of

MOST_PIXELS = 20_000
"""The limit for every side, and for the distance from the corner of the first screen."""
MOST_PROBLEMS = 20
_MOST_SHOWN = 10**12
_RECTANGLE = ("left", "top", "width", "height")
_OF_DOCKS = ("left", "right", "above", "below", "hidden", "floating")
"""The keys of layouts written before the window had pages."""


def window_layout_value(layout: WindowLayout) -> dict[str, Any]:
    """Return the layout of a window as a plain value, which `read_window_layout` reads back unchanged."""
    told = {name: _layout_value(one) for name, one in layout.layouts.items()}
    return _given(perspective=layout.perspective or None, perspectives={name: one for name, one in told.items() if one})


def rectangle_value(rectangle: Rectangle) -> dict[str, int]:
    """Return a rectangle as a plain value."""
    return {side: getattr(rectangle, side) for side in _RECTANGLE}


def _layout_value(layout: Layout) -> dict[str, Any]:
    columns = {side: _given(width=column.width, open=column.is_open) for side, column in _columns(layout)}
    windows = {page: rectangle_value(place) for page, place in layout.windows.items()}
    return _given(
        page=layout.page or None,
        **{side: column or None for side, column in columns.items()},
        windows=windows or None,
    )


def _columns(layout: Layout) -> tuple[tuple[str, Column], ...]:
    return ("left", layout.left), ("right", layout.right)


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def read_window_layout(
    value: Any, pages: Collection[str], file: str, place: str
) -> tuple[WindowLayout | None, tuple[Problem, ...]]:
    """Return the layout in a plain value, for a window with these pages, or None if nothing in it is usable.

    Returns also a warning for every error in it, at most `MOST_PROBLEMS`. The layout of an earlier version, which had
    docks, is dropped with a remark. Never raises.
    """
    reading = _Reading(pages, file)
    layout = reading.window(value, place)
    return layout if layout.layouts or layout.perspective else None, tuple(reading.problems)


def read_rectangle(value: Any, file: str, place: str) -> tuple[Rectangle | None, tuple[Problem, ...]]:
    """Return the rectangle in a plain value, or None with warnings. Never raises."""
    reading = _Reading((), file)
    return reading.rectangle(value, place), tuple(reading.problems)


class _Reading:
    """The state of reading a value: the names of pages, and the problems so far."""

    def __init__(self, pages: Collection[str], file: str) -> None:
        self._pages, self._file = pages, file
        self.problems: list[Problem] = []

    def note(self, place: str, message: str, severity: Severity = "warning") -> None:
        """Record a problem at a place, up to a limit."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(self._file, place, message, severity))

    def window(self, value: Any, place: str) -> WindowLayout:
        """Return the layout of a window, from the valid parts of the value."""
        if isinstance(value, Mapping) and any(key in value for key in _OF_DOCKS):
            self.note(place, "is the layout of an earlier version, and is not used", "info")
            return WindowLayout()
        known = self._mapping(value, place, ("perspective", "perspectives"))
        told = self._mapping(known.get("perspectives", {}), f"{place}.perspectives", PERSPECTIVES)
        layouts = {name: self._layout(one, f"{place}.perspectives.{name}") for name, one in told.items()}
        perspective = known.get("perspective", "")
        if "perspective" in known and perspective not in PERSPECTIVES:
            self.note(f"{place}.perspective", f"expected one of {', '.join(PERSPECTIVES)}, found {_shown(perspective)}")
            perspective = ""
        return WindowLayout({name: layout for name, layout in layouts.items() if layout != Layout()}, perspective)

    def _layout(self, value: Any, place: str) -> Layout:
        known = self._mapping(value, place, ("page", *SIDES, "windows"))
        page = known.get("page", "")
        if "page" in known and page not in self._pages:
            self.note(f"{place}.page", f"expected the name of a page, found {_shown(page)}")
            page = ""
        left, right = (self._column(known.get(side, {}), f"{place}.{side}") for side in SIDES)
        windows = {
            name: rectangle
            for name, where in self._mapping(known.get("windows", {}), f"{place}.windows", self._pages).items()
            if (rectangle := self.rectangle(where, f"{place}.windows.{name}")) is not None
        }
        return Layout(page, left, right, windows)

    def _column(self, value: Any, place: str) -> Column:
        known = self._mapping(value, place, ("width", "open"))
        width = self._pixels(known["width"], f"{place}.width") if "width" in known else None
        is_open = known.get("open")
        if "open" in known and not isinstance(is_open, bool):
            self.note(f"{place}.open", f"expected true or false, found {_shown(is_open)}")
            is_open = None
        return Column(width, is_open)

    def rectangle(self, value: Any, place: str) -> Rectangle | None:
        """Return the rectangle, or None if a side of it is wrong or missing."""
        if not isinstance(value, Mapping):
            self.note(place, f"expected an object, found {kind_of(value)}")
            return None
        known = self._mapping(value, place, _RECTANGLE)
        sides = [
            self._pixels(known.get(side), f"{place}.{side}", -MOST_PIXELS if side in ("left", "top") else 1)
            for side in _RECTANGLE
        ]
        left, top, width, height = sides
        if left is None or top is None or width is None or height is None:
            return None
        return Rectangle(left, top, width, height)

    def _mapping(self, value: Any, place: str, keys: Collection[str]) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            self.note(place, f"expected an object, found {kind_of(value)}")
            return {}
        for key in value:
            if key not in keys:
                self.note(f"{place}.{_shown(key)}", "is not a known key; it was skipped")
        return {key: value[key] for key in keys if key in value}

    def _pixels(self, value: Any, place: str, least: int = 1) -> int | None:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST_PIXELS:
            return value
        self.note(place, f"expected pixels from {least} to {MOST_PIXELS}, found {_shown(value)}")
        return None


def _shown(value: Any) -> str:
    """Return a value for display, shortened. Python refuses to format numbers of thousands of digits."""
    if isinstance(value, int) and abs(value) > _MOST_SHOWN:
        return "a huge number"
    text = str(value) if isinstance(value, str | int | float) else kind_of(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
