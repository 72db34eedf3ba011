"""Which lorebook entries are active: enabled, and constant or spoken of."""

import pytest

from inspector.model import LoreEntry
from inspector.retrieval.lorebook import active_entries


@pytest.mark.parametrize(
    ("entry", "active"),
    [
        (LoreEntry("a", "x", keys=("Kraken",)), True),
        (LoreEntry("b", "x", keys=("whale", "KRAKEN")), True),
        (LoreEntry("c", "x", keys=("whale",)), False),
        (LoreEntry("d", "x", keys=("whale",), constant=True), True),
        (LoreEntry("e", "x", constant=True, enabled=False), False),
        (LoreEntry("f", "x", keys=("kraken",), enabled=False), False),
        (LoreEntry("g", "x", keys=("", "  ")), False),
        (LoreEntry("h", "x"), False),
        (LoreEntry("i", "x", keys=("straße",)), True),
    ],
    ids=lambda value: value.id if isinstance(value, LoreEntry) else "",
)
def test_entry_is_active(entry: LoreEntry, active: bool) -> None:
    assert active_entries([entry], ["the KRAKEN woke", "in the Strasse"]).tolist() == [active]


def test_nothing_said_leaves_only_constant_entries() -> None:
    entries = [LoreEntry("a", "x", keys=("kraken",)), LoreEntry("b", "x", constant=True)]
    assert active_entries(entries, []).tolist() == [False, True]
