"""Which of the versions that a file has of a message is shown: a column of the table of decisions. No widgets."""

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
    """The places of messages among their alternatives by their ids, found once for the same items."""
    items = assembly.candidates.items
    if items not in _VERSIONS:
        tree = items.conversation.tree if items.conversation else None
        _VERSIONS[items] = places_among(tree) if tree else {}
    return _VERSIONS[items]


def _version(assembly: Assembly, row: int) -> tuple[int, int] | None:
    thing = assembly.candidates.things[row]
    return _versions(assembly).get(thing.id) if isinstance(thing, Message) else None


def has_versions(assembly: Assembly) -> bool:
    """Whether any message that is shown has another version."""
    return bool(_versions(assembly))


def version_text(assembly: Assembly, row: int) -> str:
    """Its place among the versions, "" for one that has no other."""
    version = _version(assembly, row)
    return f"{version[0]:,} of {version[1]:,}" if version else ""


def version_tip(assembly: Assembly, row: int) -> str:
    """The same in a sentence, with how another is shown."""
    version = _version(assembly, row)
    if version is None:
        return "The file has no other version of it"
    return (
        f"Version {version[0]:,} of {version[1]:,} that the file has here, such as swipes and branches. "
        f"{VERSIONS_KEY}, or Alternatives in its menu, shows another."
    )


def version_counts(assembly: Assembly) -> NDArray:
    """How many versions each row has, −1 for those that have no other, so that sorting by most brings them up."""
    versions = (_version(assembly, row) for row in range(len(assembly.candidates)))
    return np.fromiter((version[1] if version else -1 for version in versions), np.int64)
