"""Keys that a part of the window takes while it has the focus: each part says its own, Help ▸ Keys lists them all."""

from typing import NamedTuple

from PySide6.QtGui import QShortcut


class KeyUse(NamedTuple):
    """What keys do, and the keys as Qt writes them (`Ctrl+C`), several that do the same parted by a comma and a space.

    Those that do the opposite of each other may stand together.
    """

    title: str
    keys: str


_USE = "use"


def set_use(shortcut: QShortcut, use: str) -> None:
    """Say what a shortcut of a widget does."""
    shortcut.setProperty(_USE, use)


def use_of(shortcut: QShortcut) -> str:
    """What was said that a shortcut does, "" where nothing was."""
    return shortcut.property(_USE) or ""
