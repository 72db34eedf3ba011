"""Keys that a part of the window takes while it has the focus: each part says its own, Help ▸ Keys lists them all."""

from typing import NamedTuple


class KeyUse(NamedTuple):
    """What keys do, and the keys as Qt writes them (`Ctrl+C`), several that do the same parted by a comma and a space.

    Those that do the opposite of each other may stand together.
    """

    title: str
    keys: str
