"""The columns of the table of decisions: those of the items, with their numbers and versions. No widgets here."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from inspector.assembly.alternatives import places_among
from inspector.assembly.columns import Kind, word
from inspector.assembly.decisions import Assembly
from inspector.assembly.item_tables import ITEM_COLUMNS
from inspector.gui.theme import NOTE_GLYPH, PINNED_GLYPH, SURVIVOR_GLYPH
from inspector.model import Message
from inspector.tables import Column, Face
from inspector.tables import Kind as Meaning

VERSIONS_KEY = "V"


def _number_digits(assembly: Assembly) -> int:
    """Of the highest number, and for a pin, a mark and a note beside it; without the spare for one of them."""
    return len(f"{len(assembly.candidates):,}") + 4


def number_tooltip(assembly: Assembly, row: int) -> str:
    """Which item it is, and that it is pinned."""
    candidates = assembly.candidates
    pinned = ", pinned" if candidates.pinned[row] else ""
    kind = word(Kind(int(candidates.kind[row])))
    return f"{candidates.ids[row]}: {kind}{pinned}, number {row + 1:,} of {len(candidates):,}"


def _versions(assembly: Assembly) -> Mapping[str, tuple[int, int]]:
    """The places of messages among their alternatives by their ids, found once for the same items."""
    items = assembly.candidates.items
    tree = items.conversation.tree if items.conversation else None
    return items.derived("versions", None, lambda: places_among(tree) if tree else {})


def _version(assembly: Assembly, row: int) -> tuple[int, int] | None:
    thing = assembly.candidates.things[row]
    return _versions(assembly).get(thing.id) if isinstance(thing, Message) else None


def _version_text(assembly: Assembly, row: int) -> str:
    """Its place among the versions, "" for one that has no other."""
    version = _version(assembly, row)
    return f"{version[0]:,} of {version[1]:,}" if version else ""


def _version_tip(assembly: Assembly, row: int) -> str:
    """The same in a sentence, with how another is shown."""
    version = _version(assembly, row)
    if version is None:
        return "The file has no other version of it"
    return (
        f"Version {version[0]:,} of {version[1]:,} that the file has here, such as swipes and branches. "
        f"{VERSIONS_KEY}, or Alternatives in its menu, shows another."
    )


def _version_counts(assembly: Assembly) -> NDArray:
    """How many versions each row has, −1 for those that have no other, so that sorting by most brings them up."""
    versions = (_version(assembly, row) for row in range(len(assembly.candidates)))
    return np.fromiter((version[1] if version else -1 for version in versions), np.int64)


_NUMBER: Column[Assembly] = Column(
    "number",
    "#",
    f"The number of the item, as it was loaded. {PINNED_GLYPH} marks what is always kept, {SURVIVOR_GLYPH} what "
    f"must survive, a bell what must and is dropped, {NOTE_GLYPH} a note.",
    lambda _, row: row + 1,
    lambda assembly: np.arange(len(assembly.candidates)),
    Meaning.COUNT,
    digits=9,
    needs=_number_digits,
    spare=2,
    tone=lambda assembly, row: "muted",
    tooltip=number_tooltip,
    faces=Face.WINDOW,
)
_VERSIONS: Column[Assembly] = Column(
    "versions",
    "Versions",
    "Which version of a message is shown, where the file has several, such as swipes and branches",
    _version_text,
    _version_counts,
    digits=7,
    goes_last=4,
    tone=lambda assembly, row: "muted",
    tooltip=_version_tip,
    shown=lambda assembly: bool(_versions(assembly)),
    faces=Face.WINDOW,
)
_FIGURES_AT = [column.key for column in ITEM_COLUMNS].index("tokens")
DECISION_COLUMNS = (_NUMBER, *ITEM_COLUMNS[:_FIGURES_AT], _VERSIONS, *ITEM_COLUMNS[_FIGURES_AT:])
