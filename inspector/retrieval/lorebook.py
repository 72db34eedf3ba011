"""Which lorebook entries are active: constant ones, and those of which a key is spoken of."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from inspector.model import LoreEntry


def active_entries(entries: Iterable[LoreEntry], recent_texts: Sequence[str]) -> NDArray[np.bool_]:
    """A mask of the entries that are enabled and either constant or named by a key in the recent texts.

    Keys are looked for as plain text, case ignored.
    """
    spoken = "\n".join(recent_texts).casefold()
    return np.array([entry.enabled and (entry.constant or _spoken(entry.keys, spoken)) for entry in entries], np.bool_)


def _spoken(keys: Sequence[str], text: str) -> bool:
    return any(key.casefold() in text for key in keys if key.strip())
