"""Layouts in files: written as a plain value, read back and checked.

The value of a window is the layout of its first perspective, with those of the others inside. From values edited by
hand, the valid parts are used, and each invalid part is a warning with its place.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from inspector.gui.layout import AREAS, PERSPECTIVES, Area, Layout, Rectangle, Tabs, WindowLayout
from inspector.model import Problem
from inspector.reading.decode import kind_of

MOST_PIXELS = 20_000
"""The limit for every side, and for the distance from the corner of the first screen."""
MOST_PROBLEMS = 20
_MOST_SHOWN = 10**12
_SIDES = ("left", "top", "width", "height")
_OF_ONE = (*AREAS, "hidden", "floating")
_OF_OTHERS = ("perspective", "perspectives")


def window_layout_value(layout: WindowLayout) -> dict[str, Any]:
    """Return the layout of a window as a plain value, which `read_window_layout` reads back unchanged."""
    first, *others = PERSPECTIVES
    value = layout_value(layout.layouts[first]) if first in layout.layouts else {}
    told = {name: layout_value(layout.layouts[name]) for name in others if name in layout.layouts}
    return {**value, **_given(perspective=layout.perspective or None, perspectives=told or None)}


def layout_value(layout: Layout) -> dict[str, Any]:
    """Return a layout as a plain value, which `read_window_layout` reads back as that of a perspective."""
    value: dict[str, Any] = {name: _area_value(area) for name, area in layout.areas.items()}
    if layout.hidden:
        value["hidden"] = list(layout.hidden)
    if layout.floating:
        value["floating"] = {dock: rectangle_value(place) for dock, place in layout.floating.items()}
    return value


def rectangle_value(rectangle: Rectangle) -> dict[str, int]:
    """Return a rectangle as a plain value."""
    return {side: getattr(rectangle, side) for side in _SIDES}


def _area_value(area: Area) -> dict[str, Any]:
    tabs = [{"docks": list(tabs.docks), **_given(front=tabs.front or None, size=tabs.size)} for tabs in area.tabs]
    return {**_given(size=area.size, sized_in=area.sized_in), "tabs": tabs}


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def read_window_layout(
    value: Any, docks: Collection[str], file: str, place: str
) -> tuple[WindowLayout | None, tuple[Problem, ...]]:
    """Return the layout in a plain value, for a window with these docks, or None if nothing in it is usable.

    Returns also a warning for every error in it and for the docks missing from a perspective, at most `MOST_PROBLEMS`.
    Never raises.
    """
    reading = _Reading(docks, file)
    layout = reading.window(value, place)
    return layout if layout.layouts or layout.perspective else None, tuple(reading.problems)


def read_rectangle(value: Any, file: str, place: str) -> tuple[Rectangle | None, tuple[Problem, ...]]:
    """Return the rectangle in a plain value, or None with warnings. Never raises."""
    reading = _Reading((), file)
    return reading.rectangle(value, place), tuple(reading.problems)


class _Reading:
    """The state of reading a value: the docks it may still name, and the problems so far."""

    def __init__(self, docks: Collection[str], file: str) -> None:
        self._docks, self._file = docks, file
        self._placed: set[str] = set()
        self.problems: list[Problem] = []

    def note(self, place: str, message: str) -> None:
        """Record a problem at a place, up to a limit."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(self._file, place, message, "warning"))

    def window(self, value: Any, place: str) -> WindowLayout:
        """Return the layout of a window, from the valid parts of the value."""
        known = self._mapping(value, place, (*_OF_ONE, *_OF_OTHERS))
        first, *others = PERSPECTIVES
        told = self._mapping(known.get("perspectives", {}), f"{place}.perspectives", others)
        values = {first: {key: known[key] for key in _OF_ONE if key in known}, **told}
        places = {first: place, **{name: f"{place}.perspectives.{name}" for name in told}}
        layouts = {name: self._layout(values[name], places[name]) for name in values}
        perspective = known.get("perspective", "")
        if "perspective" in known and perspective not in PERSPECTIVES:
            self.note(f"{place}.perspective", f"expected one of {', '.join(PERSPECTIVES)}, found {_shown(perspective)}")
            perspective = ""
        return WindowLayout({name: layout for name, layout in layouts.items() if layout.areas}, perspective)

    def _layout(self, value: Any, place: str) -> Layout:
        """Return the layout of a perspective, which may name every dock again."""
        self._placed = set()
        known = self._mapping(value, place, _OF_ONE)
        areas = {name: self._area(known[name], f"{place}.{name}") for name in AREAS if name in known}
        hidden = self._names(known.get("hidden", []), f"{place}.hidden", set())
        layout = Layout(
            {name: area for name, area in areas.items() if area.tabs},
            tuple(hidden),
            dict(self._floating(known.get("floating", {}), f"{place}.floating")),
        )
        missing = [dock for dock in self._docks if dock not in self._placed]
        if layout.areas and missing:
            self.note(
                place, f"says nothing of {', '.join(missing)}; docks that are not named go where they are at first"
            )
        return layout

    def rectangle(self, value: Any, place: str) -> Rectangle | None:
        """Return the rectangle, or None if a side of it is wrong or missing."""
        if not isinstance(value, Mapping):
            self.note(place, f"expected an object, found {kind_of(value)}")
            return None
        known = self._mapping(value, place, _SIDES)
        sides = [
            self._pixels(known.get(side), f"{place}.{side}", -MOST_PIXELS if side in ("left", "top") else 1)
            for side in _SIDES
        ]
        left, top, width, height = sides
        if left is None or top is None or width is None or height is None:
            return None
        return Rectangle(left, top, width, height)

    def _area(self, value: Any, place: str) -> Area:
        known = self._mapping(value, place, ("size", "sized_in", "tabs"))
        size = self._pixels(known["size"], f"{place}.size") if "size" in known else None
        sized_in = None
        if size is not None and "sized_in" in known:
            sized_in = self._pixels(known["sized_in"], f"{place}.sized_in", what="lines of text")
        items = self._items(known.get("tabs", []), f"{place}.tabs")
        tabs = [self._tabs(item, where) for item, where in items]
        return Area(tuple(one for one in tabs if one.docks), size, sized_in)

    def _tabs(self, value: Any, place: str) -> Tabs:
        known = self._mapping(value, place, ("docks", "front", "size"))
        docks = tuple(self._names(known.get("docks", []), f"{place}.docks", self._placed))
        front = known.get("front", "")
        if "front" in known and front not in docks:
            self.note(f"{place}.front", f"expected one of these docks, found {_shown(front)}")
        size = self._pixels(known["size"], f"{place}.size") if "size" in known else None
        return Tabs(docks, front if front in docks else "", size)

    def _floating(self, value: Any, place: str) -> Iterator[tuple[str, Rectangle]]:
        for dock, where in self._mapping(value, place, self._docks).items():
            rectangle = self.rectangle(where, f"{place}.{dock}")
            if rectangle is not None:
                yield dock, rectangle

    def _names(self, value: Any, place: str, named: set[str]) -> Iterator[str]:
        """Yield the docks of a list that exist and are not yet in `named`, and add them to it."""
        for name, where in self._items(value, place):
            if not isinstance(name, str) or name not in self._docks:
                self.note(where, f"expected the name of a dock, found {_shown(name)}")
            elif name in named:
                self.note(where, f"{name} was named before")
            else:
                named.add(name)
                yield name

    def _mapping(self, value: Any, place: str, keys: Collection[str]) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            self.note(place, f"expected an object, found {kind_of(value)}")
            return {}
        for key in value:
            if key not in keys:
                self.note(f"{place}.{_shown(key)}", "is not a known key; it was skipped")
        return {key: value[key] for key in keys if key in value}

    def _items(self, value: Any, place: str) -> Sequence[tuple[Any, str]]:
        if not isinstance(value, list):
            self.note(place, f"expected a list, found {kind_of(value)}")
            return ()
        return [(item, f"{place}[{index}]") for index, item in enumerate(value)]

    def _pixels(self, value: Any, place: str, least: int = 1, what: str = "pixels") -> int | None:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST_PIXELS:
            return value
        self.note(place, f"expected {what} from {least} to {MOST_PIXELS}, found {_shown(value)}")
        return None


def _shown(value: Any) -> str:
    """Return a value for display, shortened. Python refuses to format numbers of thousands of digits."""
    if isinstance(value, int) and abs(value) > _MOST_SHOWN:
        return "a huge number"
    text = str(value) if isinstance(value, str | int | float) else kind_of(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
