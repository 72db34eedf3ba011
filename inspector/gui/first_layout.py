"""The first layout of the docks in each perspective of a new window."""

from collections.abc import Sequence

from inspector.gui.layout import Area, Layout, Tabs
from inspector.gui.screens.screen import Screen

FIRST_SIZES = {"left": 250, "right": 340, "below": 300}
FIRST_BELOW = {"tune": 460, "present": 240}
"""This area is higher in perspectives that are about it, and lower in those for an audience."""


def first_layout(screens: Sequence[Screen], perspective: str) -> Layout:
    """Return the layout of a new window: the docks of each area as tabs in order, unavailable ones hidden.

    In front is the first dock at home here, else the first available.
    """
    at_hand = [screen for screen in screens if perspective in screen.perspectives]
    at_home = [screen for screen in at_hand if screen.perspectives[0] == perspective]
    sizes = FIRST_SIZES | ({"below": FIRST_BELOW[perspective]} if perspective in FIRST_BELOW else {})
    areas: dict[str, Area] = {}
    for area, size in sizes.items():
        docks = tuple(screen.name for screen in screens if screen.area == area)
        front = next((screen.name for screen in (*at_home, *at_hand) if screen.area == area), "")
        if docks:
            areas[area] = Area((Tabs(docks, front),), size)
    return Layout(areas, tuple(screen.name for screen in screens if screen not in at_hand))
