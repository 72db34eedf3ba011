"""Texts in small letters, joined in stretches: one search of a long text replaces thousands of short ones."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from inspector.retrieval.search.words import folded

_BETWEEN = b"\0"


class FoldedTexts:
    """A stretch of texts, searched as a whole.

    A text holds a word if it does with both `folded`, or with both `written_out` before: STRASSE is found as straße,
    and the other way round.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._plain = self._full = _Joined(map(folded, texts))
        if any(map(_has_longer_form, texts)):
            self._full = _Joined(map(written_out, texts))

    def __len__(self) -> int:
        return len(self._plain)

    @property
    def size(self) -> int:
        """The number of bytes kept."""
        return len(self._plain.text) + (0 if self._full is self._plain else len(self._full.text))

    def holding(self, words: Sequence[str]) -> list[int]:
        """Return the places of the texts with all of these words, in order."""
        small, full = list(map(folded, words)), list(map(written_out, words))
        found = list(self._plain.holding(small))
        if self._full is self._plain and full == small:
            return found
        return sorted({*found, *self._full.holding(full)})

    def holding_literally(self, words: Sequence[str]) -> list[int]:
        """Return the same for words that are folded already, compared with folded texts alone."""
        return list(self._plain.holding(words))


def written_out(text: str) -> str:
    """Return the folded text with two letters for one where small letters are written so: ß as ss."""
    return folded(text.casefold())


def _has_longer_form(text: str) -> bool:
    return not text.isascii() and len(text.casefold()) != len(text)


class _Joined:
    """Texts one after the other in UTF-8, and where each of them ends."""

    def __init__(self, texts: Iterable[str]) -> None:
        parts = list(map(_encoded, texts))
        self.text = _BETWEEN.join(parts)
        self._ends = [end + place for place, end in enumerate(accumulate(map(len, parts)))]

    def __len__(self) -> int:
        return len(self._ends)

    def holding(self, words: Iterable[str]) -> Iterator[int]:
        """Yield the places of the texts with all of these words, searching for the longest of them first."""
        text, ends, place = self.text, self._ends, 0
        first, *others = sorted(map(_encoded, words), key=len, reverse=True)
        at = text.find(first)
        while at >= 0:
            place = bisect_left(ends, at, place)
            begin, end = ends[place - 1] + 1 if place else 0, ends[place]
            if at + len(first) > end:  # a word with the byte between texts
                at = text.find(first, at + 1)
                continue
            if all(text.find(word, begin, end) >= 0 for word in others):
                yield place
            at = text.find(first, end + 1)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
