"""The keys of a part of the window while it has the focus: each part declares its own, Help ▸ Keys lists them all."""

from typing import NamedTuple

from PySide6.QtGui import QShortcut


class KeyUse(NamedTuple):
    """The effect of keys, and the keys in Qt's notation (`Ctrl+C`); alternatives are separated by a comma and a space.

    Keys with opposite effects may share an entry.
    """

    title: str
    keys: str


_USE = "use"


def set_use(shortcut: QShortcut, use: str) -> None:
    """Set the description of a widget's shortcut."""
    shortcut.setProperty(_USE, use)


def use_of(shortcut: QShortcut) -> str:
    """Return the description of a shortcut, or ""."""
    return shortcut.property(_USE) or ""
