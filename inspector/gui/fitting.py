"""Fitting layouts to the size of a window: values without Qt. Room is measured in lines of text, which may be large.

Docks without a chosen size are cut to suit the window, and layouts made in a larger window are limited. Sizes chosen by
the user in a window of at most this size are kept as wanted.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from inspector.gui.layout import Layout, Tabs

MOST_LEFT, MOST_RIGHT, MOST_BELOW = 0.165, 0.25, 0.39
"""The largest initial shares of docks in a new window, which leave room for the table in the centre."""
LOW_SHARE = 0.35
"""The largest share of a low window for docks that stay below."""
LEAST_BELOW = 10
"""The least useful number of text lines below the table."""
TABS_RIGHT = {"inspect": 0.0, "tune": 0.6}
"""Perspectives in which a low window has all docks as tabs at the right, with the least share of its width for them.

The share is larger where the docks are the subject.
"""
_SIDES = ("left", "right")


@dataclass(frozen=True)
class Room:
    """A window in pixels, with the height of a text line and the least width of a panel of sliders."""

    width: int
    height: int
    line: int
    panel: int

    @property
    def is_narrow(self) -> bool:
        """Whether the window starts without docks at the left."""
        return self.width < 400 + 42 * self.line

    @property
    def is_low(self) -> bool:
        """Whether the window starts with all docks at the right."""
        return is_low(self.height, self.line)

    @property
    def across(self) -> int:
        """The width in pixels available to docks at the sides, so that the table in the centre keeps its columns."""
        return self.width - 36 * self.line

    @property
    def down(self) -> int:
        """The height in pixels available to docks above and below, leaving rows to the table and keeping bars whole."""
        return self.height - (250 + 11 * self.line)

    def lines(self, area: str) -> int:
        """Return the width of the window, for an area at a side, or its height, in lines of text."""
        return (self.width if area in _SIDES else self.height) // self.line


def is_low(height: int, line: int) -> bool:
    """Return whether a window of this height, with lines of this height, has no room for tables above each other."""
    return height < 400 + 16 * line


def is_flat(height: int, line: int) -> bool:
    """Return whether a window is too low for rows below captions in large type and a bar with its legend."""
    return height < 180 + 18 * line


def shown_in(
    room: Room, made: Layout, first: Layout, perspective: str, opened: Collection[str] = frozenset()
) -> Layout:
    """Return the user's layout fitted to a window, with the sizes of `first` where the user chose none.

    The layout itself stays as made, for when there is more room. Unless sized, docks at the left are hidden in a narrow
    window, and docks below the table become tabs at the right in a low one. Docks in `opened`, which the user opened
    despite a lack of room, stay.
    """
    layout = _with_first_sizes(room, made, first)
    if room.is_narrow and _size(made, "left") is None:
        layout = _without_left(layout, opened)
    is_joined = perspective in TABS_RIGHT and {"right", "below"} <= {*made.areas} and _size(made, "below") is None
    if room.is_low and is_joined:
        share = 0.0 if _size(made, "right") else TABS_RIGHT[perspective]
        layout = _all_at_the_right(layout, round(room.width * share))
    return _held_in(room, layout, perspective, opened)


def _size(layout: Layout, area: str) -> int | None:
    return layout.areas[area].size if area in layout.areas else None


def _with_first_sizes(room: Room, made: Layout, first: Layout) -> Layout:
    """Give areas without a chosen size their first sizes, each limited to its share."""
    most = {
        "left": round(room.width * MOST_LEFT),
        "right": max(round(room.width * MOST_RIGHT), room.panel),
        "below": round(room.height * (LOW_SHARE if room.is_low else MOST_BELOW)),
    }
    least = {"right": room.panel}
    areas = {
        name: replace(area, size=min(max(_size(first, name) or 0, least.get(name, 0)) or most[name], most[name]))
        if area.size is None and name in most
        else area
        for name, area in made.areas.items()
    }
    return replace(made, areas=areas)


def _held_in(room: Room, layout: Layout, perspective: str, opened: Collection[str]) -> Layout:
    """Limit a layout, perhaps made on a larger screen or in a larger window, so that the centre keeps rows.

    Areas that fit stay as they are.
    """
    layout = _held_across(room, layout, perspective, opened)
    most, least = _most_below(room, perspective), LEAST_BELOW * room.line
    seen = _seen_sizes(layout, ("above", "below"))
    held = _not_sized_for(room, layout, seen)
    if sum(seen.values()) <= most or not held:
        return layout
    if most < least and "below" in held and perspective in TABS_RIGHT and "right" in layout.areas:
        return _all_at_the_right(layout, round(room.width * TABS_RIGHT[perspective]))
    return _resized(layout, {name: max(most, least // 2) // len(seen) for name in held})


def _most_below(room: Room, perspective: str) -> int:
    """Return the height in pixels for docks below. Presenting has its drops there, and no table in the centre."""
    return max(room.down, round(room.height * LOW_SHARE)) if perspective == "present" else room.down


def moved_docks(before: Layout, after: Layout) -> bool:
    """Return whether any dock has moved to another area."""
    return {dock: area for dock, area, _ in before.places} != {dock: area for dock, area, _ in after.places}


def _held_across(room: Room, layout: Layout, perspective: str, opened: Collection[str]) -> Layout:
    seen = _seen_sizes(layout, _SIDES)
    if sum(seen.values()) <= room.across:
        return layout
    right = max(MOST_RIGHT, TABS_RIGHT.get(perspective, 0.0) if room.is_low else 0.0)
    shares = {"left": round(room.width * MOST_LEFT), "right": max(round(room.width * right), room.panel)}
    held = _not_sized_for(room, layout, _SIDES)
    layout = _resized(layout, {name: share for name, share in shares.items() if name in held})
    lacks = {*seen} <= held and sum(_seen_sizes(layout, _SIDES).values()) > room.across
    return _without_left(layout, opened) if lacks else layout


def _not_sized_for(room: Room, layout: Layout, names: Collection[str]) -> set[str]:
    """Return the areas that were not sized in a window of this size or smaller."""
    areas = {name: layout.areas[name] for name in names if name in layout.areas}
    return {name for name, area in areas.items() if area.sized_in is None or area.sized_in > room.lines(name)}


def _seen_sizes(layout: Layout, names: tuple[str, ...]) -> dict[str, int]:
    """Return the sizes of the areas with a visible dock."""
    away = {*layout.hidden, *layout.floating}
    seen = {area for dock, area, _ in layout.places if dock not in away}
    return {name: area.size or 0 for name, area in layout.areas.items() if name in names and name in seen}


def _resized(layout: Layout, most: Mapping[str, int]) -> Layout:
    """Limit areas to these sizes. Docks beside each other share an area as before."""
    areas = {
        name: replace(area, size=min(area.size or most[name], most[name])) if name in most else area
        for name, area in layout.areas.items()
    }
    return replace(layout, areas=areas)


def _without_left(layout: Layout, opened: Collection[str]) -> Layout:
    stays = {*layout.hidden, *opened}
    left = (dock for dock, area, _ in layout.places if area == "left" and dock not in stays)
    return replace(layout, hidden=(*layout.hidden, *left))


def _all_at_the_right(layout: Layout, least: int) -> Layout:
    """Move the docks below to further tabs at the right, at least `least` pixels wide.

    If the area grows to `least`, the former front dock below is in front.
    """
    right, below = layout.areas["right"], layout.areas["below"]
    first, *others = right.tabs
    joined = tuple(dock for tabs in below.tabs for dock in tabs.docks)
    front = below.tabs[0].front if least > (right.size or 0) else first.front
    tabs = (Tabs((*first.docks, *joined), front, first.size), *others)
    areas = {name: area for name, area in layout.areas.items() if name != "below"}
    return replace(layout, areas={**areas, "right": replace(right, tabs=tabs, size=max(right.size or 0, least))})
