"""The user's layouts: changes made to a layout as it is shown are carried over to the layout itself.

A layout is shown fitted to the window, and otherwise stays as made. Values without Qt.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from inspector.gui.fitting import Room
from inspector.gui.layout import Area, Layout, Tabs


def unsized(layout: Layout) -> Layout:
    """Return the layout without any chosen sizes."""
    return replace(layout, areas={name: Area(area.tabs) for name, area in layout.areas.items()})


def with_changes(made: Layout, shown: Layout, now: Layout, room: Room) -> Layout:
    """Return a layout with the user's changes to the docks between `shown` and `now`, except sizes.

    If docks were moved or stacked differently, all docks are taken over as they are now.
    """
    opened, closed = {*shown.hidden} - {*now.hidden}, {*now.hidden} - {*shown.hidden}
    hidden = (*(dock for dock in made.hidden if dock not in opened), *(closed - {*made.hidden}))
    hidden = tuple(sorted(hidden, key=[dock for dock, _, _ in now.places].index))
    floating = {
        dock: made.floating.get(dock, place) if shown.floating.get(dock) == place else place
        for dock, place in now.floating.items()
    }
    base = made if _lies_as(shown, now) else _sized_in(room, now)
    raised = {*_fronts(now)} - {*_fronts(shown)}
    areas = {name: _with_fronts(area, raised) for name, area in base.areas.items()}
    return replace(base, areas=areas, hidden=hidden, floating=floating)


def with_sizes(made: Layout, before: Layout, after: Layout, room: Room) -> Layout:
    """Return a layout with the sizes that the user gave to areas and to neighbouring tabs in them."""
    areas = dict(made.areas)
    for name, area in made.areas.items():
        was, now = before.areas.get(name), after.areas.get(name)
        if was is not None and now is not None:
            tabs = _resized(area.tabs, was.tabs, now.tabs)
            is_as_it_was = was.size == now.size
            areas[name] = replace(area, tabs=tabs) if is_as_it_was else Area(tabs, now.size, room.lines(name))
    return replace(made, areas=areas)


def _sized_in(room: Room, layout: Layout) -> Layout:
    """Return a layout whose areas have their current sizes in a window."""
    areas = {name: replace(area, sized_in=area.size and room.lines(name)) for name, area in layout.areas.items()}
    return replace(layout, areas=areas)


def _lies_as(shown: Layout, now: Layout) -> bool:
    """Return whether the docks now in place are as the layout shows them, even if formerly floating or hidden.

    The layout may be requested while the mouse holds a dock, which then floats. For docks that were hidden, only the
    tabs to which they return are known, not their position in them.
    """
    in_place = {dock for dock, _, _ in now.places} - {*now.hidden, *now.floating}
    known = in_place - {*shown.hidden}
    return _stacks(shown, known) == _stacks(now, known) and _mates(shown, in_place) == _mates(now, in_place)


def _mates(layout: Layout, among: Collection[str]) -> Mapping[str, set[frozenset[str]]]:
    """Return for each area which of these docks are on top of each other."""
    return {name: {frozenset(stack) for stack in stacks} for name, stacks in _stacks(layout, among).items()}


def _stacks(layout: Layout, among: Collection[str]) -> Mapping[str, list[list[str]]]:
    """Return for each area the stacks of these docks."""
    stacks = {
        name: [[dock for dock in tabs.docks if dock in among] for tabs in area.tabs]
        for name, area in layout.areas.items()
    }
    return {name: kept for name, found in stacks.items() if (kept := [stack for stack in found if stack])}


def _fronts(layout: Layout) -> Collection[str]:
    return [tabs.front or tabs.docks[0] for area in layout.areas.values() for tabs in area.tabs]


def _with_fronts(area: Area, raised: Collection[str]) -> Area:
    """Return an area with these docks in front."""
    fronts = [next((dock for dock in tabs.docks if dock in raised), tabs.front) for tabs in area.tabs]
    tabs = (replace(tabs, front=front) for tabs, front in zip(area.tabs, fronts, strict=True))
    return replace(area, tabs=tuple(tabs))


def _resized(tabs: tuple[Tabs, ...], before: tuple[Tabs, ...], after: tuple[Tabs, ...]) -> tuple[Tabs, ...]:
    """Return the tabs with new sizes, if there were as many side by side before and after."""
    if not len(tabs) == len(before) == len(after):
        return tabs
    together = zip(tabs, before, after, strict=True)
    return tuple(one if was.size == now.size else replace(one, size=now.size) for one, was, now in together)
