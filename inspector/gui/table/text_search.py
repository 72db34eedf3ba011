"""Text search: finding a phrase in many texts, ignoring case. No Qt here, and no query language."""

from collections.abc import Sequence
from itertools import repeat
from operator import contains
from weakref import WeakKeyDictionary

import numpy as np

from inspector.assembly.columns import Bool, frozen
from inspector.assembly.item_tables import name_of
from inspector.assembly.items import ItemTexts
from inspector.derived import cached_property

REMEMBERED_PHRASES = 32


class SearchableTexts:
    """Texts for repeated searches, case-folded at the first search."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._found: dict[str, Bool] = {}

    @cached_property
    def _folded(self) -> list[str]:
        return [text.casefold() for text in self._texts]

    def holding(self, phrase: str) -> Bool:
        """Return a mask of the texts with a phrase. It is cached: on a slider's tick no text is read again."""
        folded = phrase.casefold()
        found = self._found.get(folded)
        if found is None:
            found = self._search(folded)
            if len(self._found) >= REMEMBERED_PHRASES:
                del self._found[next(iter(self._found))]
            self._found[folded] = found
        return found

    def _search(self, folded: str) -> Bool:
        """Search only texts with the longest cached part of the phrase: continued typing searches fewer texts."""
        parts = [part for part in self._found if part and part in folded]
        found = np.zeros(len(self._texts), np.bool_)
        if parts:
            rows = np.flatnonzero(self._found[max(parts, key=len)])
            texts = map(self._folded.__getitem__, rows.tolist())
            found[rows] = np.fromiter(map(contains, texts, repeat(folded)), np.bool_, len(rows))
        else:
            found[:] = np.fromiter(map(contains, self._folded, repeat(folded)), np.bool_, len(found))
        return frozen(found)


_TEXTS: WeakKeyDictionary[ItemTexts, SearchableTexts] = WeakKeyDictionary()
_NAMES: WeakKeyDictionary[ItemTexts, SearchableTexts] = WeakKeyDictionary()


def searchable_texts(items: ItemTexts) -> SearchableTexts:
    """Return the texts of these items, ready for searching; kept as long as the items."""
    if items not in _TEXTS:
        _TEXTS[items] = SearchableTexts(items.texts)
    return _TEXTS[items]


def searchable_names(items: ItemTexts) -> SearchableTexts:
    """Return the names of these items, ready for searching; kept as long as the items."""
    if items not in _NAMES:
        _NAMES[items] = SearchableTexts([name_of(thing) for thing in items.things])
    return _NAMES[items]
