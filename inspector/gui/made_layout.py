"""Layouts as a person makes them: what was changed of how a layout is shown, carried over to the layout itself.

A layout is shown held in the room that there is, and stays as it was made. Values without Qt.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from inspector.gui.fitting import Room
from inspector.gui.layout import Area, Layout, Tabs


def unsized(layout: Layout) -> Layout:
    """The same, of which nobody sized anything yet."""
    return replace(layout, areas={name: Area(area.tabs) for name, area in layout.areas.items()})


def with_changes(made: Layout, shown: Layout, now: Layout, room: Room) -> Layout:
    """A layout with what a person did to the docks in a window between `shown` and `now`, all but their sizes.

    Docks that were moved or stacked otherwise take all of them along as they lie now.
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
    """A layout with the sizes that a person gave to areas of a window, and to what lies beside each other in them."""
    areas = dict(made.areas)
    for name, area in made.areas.items():
        was, now = before.areas.get(name), after.areas.get(name)
        if was is not None and now is not None:
            tabs = _resized(area.tabs, was.tabs, now.tabs)
            is_as_it_was = was.size == now.size
            areas[name] = replace(area, tabs=tabs) if is_as_it_was else Area(tabs, now.size, room.lines(name))
    return replace(made, areas=areas)


def _sized_in(room: Room, layout: Layout) -> Layout:
    """A layout whose areas have the sizes that they have now in a window."""
    areas = {name: replace(area, sized_in=area.size and room.lines(name)) for name, area in layout.areas.items()}
    return replace(layout, areas=areas)


def _lies_as(shown: Layout, now: Layout) -> bool:
    """Whether the docks that are in place now lie where they are shown, those that floated or were hidden, too.

    Somebody may have asked for the layout while the mouse held a dock, which floats then. Of what was hidden only the
    tabs are known that it comes back among, not its place in them.
    """
    in_place = {dock for dock, _, _ in now.places} - {*now.hidden, *now.floating}
    known = in_place - {*shown.hidden}
    return _stacks(shown, known) == _stacks(now, known) and _mates(shown, in_place) == _mates(now, in_place)


def _mates(layout: Layout, among: Collection[str]) -> Mapping[str, set[frozenset[str]]]:
    """The docks among these of each area that are on top of each other."""
    return {name: {frozenset(stack) for stack in stacks} for name, stacks in _stacks(layout, among).items()}


def _stacks(layout: Layout, among: Collection[str]) -> Mapping[str, list[list[str]]]:
    """The docks among these of each area, as they are stacked."""
    stacks = {
        name: [[dock for dock in tabs.docks if dock in among] for tabs in area.tabs]
        for name, area in layout.areas.items()
    }
    return {name: kept for name, found in stacks.items() if (kept := [stack for stack in found if stack])}


def _fronts(layout: Layout) -> Collection[str]:
    return [tabs.front or tabs.docks[0] for area in layout.areas.values() for tabs in area.tabs]


def _with_fronts(area: Area, raised: Collection[str]) -> Area:
    """An area in which these docks are in front."""
    fronts = [next((dock for dock in tabs.docks if dock in raised), tabs.front) for tabs in area.tabs]
    tabs = (replace(tabs, front=front) for tabs, front in zip(area.tabs, fronts, strict=True))
    return replace(area, tabs=tuple(tabs))


def _resized(tabs: tuple[Tabs, ...], before: tuple[Tabs, ...], after: tuple[Tabs, ...]) -> tuple[Tabs, ...]:
    """What lies beside each other, resized where that lay so before and after."""
    if not len(tabs) == len(before) == len(after):
        return tabs
    together = zip(tabs, before, after, strict=True)
    return tuple(one if was.size == now.size else replace(one, size=now.size) for one, was, now in together)
