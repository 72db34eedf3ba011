"""Layouts held in the room of a window: values without Qt. Room is counted in lines of text, so that large text counts.

What nobody sized is cut to the size of the window; what a person made in a larger one is held. What a person sized in
a window that was no larger stays as it is: that is how it is wanted there.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from inspector.gui.layout import Layout, Tabs

MOST_LEFT, MOST_RIGHT, MOST_BELOW = 0.165, 0.25, 0.39
"""Shares of a new window that docks take at first, so that the table in the centre has room."""
LOW_SHARE = 0.35
"""The share of a low window that docks below take at most where they stay there."""
LEAST_BELOW = 10
"""Lines of text that are worth having below the table."""
TABS_RIGHT = {"inspect": 0.0, "tune": 0.6}
"""Perspectives in which a low window has all docks as tabs at the right, and the share of it that these have there at
least: where they are what one looks at, they have more."""
_SIDES = ("left", "right")


@dataclass(frozen=True)
class Room:
    """A window in pixels, with how high a line of its text is, and how wide a panel of sliders is at least."""

    width: int
    height: int
    line: int
    panel: int

    @property
    def is_narrow(self) -> bool:
        """Whether it begins without docks at the left."""
        return self.width < 400 + 42 * self.line

    @property
    def is_low(self) -> bool:
        """Whether it begins with all docks at the right."""
        return is_low(self.height, self.line)

    @property
    def across(self) -> int:
        """Pixels that docks at the sides may take, so that the table in the centre keeps its columns."""
        return self.width - 36 * self.line

    @property
    def down(self) -> int:
        """Pixels that docks above and below may take, so that the table keeps rows and the bars are whole."""
        return self.height - (250 + 11 * self.line)

    def lines(self, area: str) -> int:
        """How many lines of text the window is wide, for an area at a side, or high."""
        return (self.width if area in _SIDES else self.height) // self.line


def is_low(height: int, line: int) -> bool:
    """Whether a window of this height, with lines of this height, has no room for tables above each other."""
    return height < 400 + 16 * line


def is_flat(height: int, line: int) -> bool:
    """Whether a window of this height has no room for rows below captions in large type and a bar with its legend."""
    return height < 180 + 18 * line


def shown_in(
    room: Room, made: Layout, first: Layout, perspective: str, opened: Collection[str] = frozenset()
) -> Layout:
    """How a layout that a person made is shown in a window: what nobody sized as `first` has it, and all of it held.

    The layout itself stays as it was made, for when there is room again. Where nobody sized them, docks at the left are
    hidden in a narrow window, and those below the table are tabs at the right in a low one. Docks that were `opened`
    without room for them stay.
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
    """Areas that nobody sized in their first sizes, of which none takes more than its share."""
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
    """A layout held in a window, maybe of a larger screen or before it became smaller, so that the centre keeps rows.

    What fits stays as it is.
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
    """Pixels for docks below; presenting has no table in the centre, but what fell below it."""
    return max(room.down, round(room.height * LOW_SHARE)) if perspective == "present" else room.down


def moved_docks(before: Layout, after: Layout) -> bool:
    """Whether a dock is in another area."""
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
    """Those areas that nobody sized in a window that was as small as this one, or smaller."""
    areas = {name: layout.areas[name] for name in names if name in layout.areas}
    return {name for name, area in areas.items() if area.sized_in is None or area.sized_in > room.lines(name)}


def _seen_sizes(layout: Layout, names: tuple[str, ...]) -> dict[str, int]:
    """The sizes of those areas in which a dock is seen."""
    away = {*layout.hidden, *layout.floating}
    seen = {area for dock, area, _ in layout.places if dock not in away}
    return {name: area.size or 0 for name, area in layout.areas.items() if name in names and name in seen}


def _resized(layout: Layout, most: Mapping[str, int]) -> Layout:
    """No area larger than that; what lies beside each other in it as it comes."""
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
    """What lies below as more tabs at the right, `least` pixels wide at least; then what lay below is in front."""
    right, below = layout.areas["right"], layout.areas["below"]
    first, *others = right.tabs
    joined = tuple(dock for tabs in below.tabs for dock in tabs.docks)
    front = below.tabs[0].front if least > (right.size or 0) else first.front
    tabs = (Tabs((*first.docks, *joined), front, first.size), *others)
    areas = {name: area for name, area in layout.areas.items() if name != "below"}
    return replace(layout, areas={**areas, "right": replace(right, tabs=tabs, size=max(right.size or 0, least))})
