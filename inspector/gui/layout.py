"""Layouts: the places of the docks in a window, as values without Qt. `layout_text` writes and reads them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

AREAS = ("left", "right", "above", "below")
PERSPECTIVES = ("inspect", "tune", "archive", "present")
"""The purposes of a window; each has its screens and a layout of its own. A new window shows the first."""


@dataclass(frozen=True)
class Rectangle:
    """A place on the screen in pixels; `left` and `top` may be negative on other screens."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True)
class Tabs:
    """Docks on top of each other, by name in the order of their tabs. A single dock has no tabs.

    `front`: the visible dock ("": the first). `size`: the pixels along the area (None: automatic).
    """

    docks: tuple[str, ...]
    front: str = ""
    size: int | None = None


@dataclass(frozen=True)
class Area:
    """Tabs beside each other: downwards at the sides, to the right above and below.

    `size`: the width at the sides and the height above and below, in pixels (None: automatic). `sized_in`: the width or
    height of the window, in lines of text, when the user chose that size (None: unknown).
    """

    tabs: tuple[Tabs, ...]
    size: int | None = None
    sized_in: int | None = None


@dataclass(frozen=True)
class Layout:
    """The areas with their docks. `hidden` and `floating` docks have a place there, too, to return to."""

    areas: Mapping[str, Area] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()
    floating: Mapping[str, Rectangle] = field(default_factory=dict)

    @property
    def places(self) -> Iterator[tuple[str, str, Tabs]]:
        """Every dock with its area and its tabs."""
        return ((dock, name, tabs) for name, area in self.areas.items() for tabs in area.tabs for dock in tabs.docks)

    def with_dock(self, dock: str, area: str, like: "Layout") -> "Layout":
        """Return the layout with a further dock in an area, behind its neighbours in `like` and in their tabs.

        If none of these is in that area, the dock gets tabs of its own at the end.
        """
        mates = next((tabs.docks for name, _, tabs in like.places if name == dock), ())
        there = self.areas.get(area, Area(()))
        best = max(there.tabs, key=lambda tabs: len({*tabs.docks} & {*mates}), default=Tabs(()))
        if {*best.docks} & {*mates}:
            joined = replace(best, docks=_inserted(best.docks, dock, mates))
            tabs = tuple(joined if other is best else other for other in there.tabs)
        else:
            tabs = (*there.tabs, Tabs((dock,)))
        return replace(self, areas={**self.areas, area: replace(there, tabs=tabs)})

    def completed(self, first: "Layout") -> "Layout":
        """Return the layout with every missing dock where, and as, the first layout has it."""
        placed, layout = {dock for dock, _, _ in self.places}, self
        for dock, area, _ in first.places:
            if dock not in placed:
                layout = layout.with_dock(dock, area, first)
                layout = replace(layout, hidden=(*layout.hidden, *({dock} & {*first.hidden} - {*layout.hidden})))
        return layout


@dataclass(frozen=True)
class WindowLayout:
    """The layouts of perspectives by name, and the current perspective ("": not given)."""

    layouts: Mapping[str, Layout] = field(default_factory=dict)
    perspective: str = ""


def _inserted(docks: tuple[str, ...], dock: str, mates: tuple[str, ...]) -> tuple[str, ...]:
    """Return these docks with a further dock behind its nearest earlier mate, else in front of all."""
    before = {*mates[: mates.index(dock)]}
    place = max((index for index, other in enumerate(docks, 1) if other in before), default=0)
    return (*docks[:place], dock, *docks[place:])
