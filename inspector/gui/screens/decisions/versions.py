"""The version of a message, of those in its file: a column of the table of decisions. No widgets."""

from collections.abc import Mapping
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from inspector.assembly.alternatives import places_among
from inspector.assembly.decisions import Assembly
from inspector.assembly.items import ItemTexts
from inspector.model import Message

VERSIONS_KEY = "V"

_VERSIONS: WeakKeyDictionary[ItemTexts, Mapping[str, tuple[int, int]]] = WeakKeyDictionary()


def _versions(assembly: Assembly) -> Mapping[str, tuple[int, int]]:
    """Return the place of each message among its versions, by id; computed once for the same items."""
    items = assembly.candidates.items
    if items not in _VERSIONS:
        tree = items.conversation.tree if items.conversation else None
        _VERSIONS[items] = places_among(tree) if tree else {}
    return _VERSIONS[items]


def _version(assembly: Assembly, row: int) -> tuple[int, int] | None:
    thing = assembly.candidates.things[row]
    return _versions(assembly).get(thing.id) if isinstance(thing, Message) else None


def has_versions(assembly: Assembly) -> bool:
    """Return whether any shown message has another version."""
    return bool(_versions(assembly))


def version_text(assembly: Assembly, row: int) -> str:
    """Return the place of a message among its versions, "" if it has only one."""
    version = _version(assembly, row)
    return f"{version[0]:,} of {version[1]:,}" if version else ""


def version_tip(assembly: Assembly, row: int) -> str:
    """Return the same as a sentence, with the way to show another version."""
    version = _version(assembly, row)
    if version is None:
        return "The file has no other version of it"
    return (
        f"Version {version[0]:,} of {version[1]:,} that the file has here, such as swipes and branches. "
        f"{VERSIONS_KEY}, or Alternatives in its menu, shows another."
    )


def version_counts(assembly: Assembly) -> NDArray:
    """Return the number of versions of each row, −1 for a single one, so that sorting puts the most at the top."""
    versions = (_version(assembly, row) for row in range(len(assembly.candidates)))
    return np.fromiter((version[1] if version else -1 for version in versions), np.int64)
