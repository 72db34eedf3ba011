"""Claude's tokens by the vocabularies that ctok rebuilt: counts near the API's, without a network.

Its own words: Claude 3 to Opus 4.6 and Haiku 4.5 share one, Opus 4.7 has another, Opus 4.8, Sonnet 5 and Fable 5 the
same pieces in another frame; on 962,053 of 962,054 lines in 350 languages and on 250 of 250 documents of code it agrees
with the API (ctok 1.3.0, github.com/sanderland/ctok, MIT, README.md). Of later models nothing is known.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from itertools import repeat
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from inspector.derived import cached_property
from inspector.tokens.reconstructed.marking import BEGIN, END, Marked, Marking, Rules, cleaned, opened
from inspector.tokens.reconstructed.pieces import Pieces, Tiling, shipped_pieces
from inspector.tokens.spread import RelativeSpread
from inspector.tokens.tokenizer import fitting_prefix

RECONSTRUCTED = "reconstructed, ± 1 %"
"""How sure these counts are. The error is that of several messages in one prompt, whose joints were not measured."""
_ASSUMED = f"the vocabulary of Opus 4.8 assumed; {RECONSTRUCTED}"
_LAST = Rules(straight_quotes=False, least_capitals=0, opened_frame=False)
_FAMILIES: dict[str, tuple[str, Rules, str]] = {
    # name: (file of its pieces, its rules, how sure its counts are)
    "claude-v3": ("claude_v3", Rules(straight_quotes=True, least_capitals=4, opened_frame=True), RECONSTRUCTED),
    "claude-v4.7": ("claude_v4.7", Rules(straight_quotes=False, least_capitals=0, opened_frame=True), RECONSTRUCTED),
    "claude-v4.8": ("claude_v4.7", _LAST, RECONSTRUCTED),
    "claude-later": ("claude_v4.7", _LAST, _ASSUMED),
}
RECONSTRUCTED_NAMES = tuple(_FAMILIES)

_VERSION = 1  # increase it with any change of the rules that affects counts
_GAP = re.compile("([ \t\n\u3000]+)")
# Between two words a space is part of neither: a text may be cut there and both sides counted by themselves.
_SEAM = re.compile("[A-Za-z](?= [A-Za-z])")
_PIECE = 200_000  # characters
_AT_ONCE = 100_000  # characters; other threads wait no longer than their counting takes
_MOST_CHARACTERS = 4_000_000
_MOST_GAPS = 10_000


class ReconstructedTokenizer:
    """A reconstructed vocabulary of Claude, loaded at its first count."""

    exact = False

    def __init__(self, family: str) -> None:
        self.name = f"reconstructed:{family}"
        self._file, self._rules, words = _FAMILIES[family]
        self.spread = RelativeSpread(words, 0.99, 1.01)
        tables = f"{unicodedata.unidata_version} {version('regex')}"  # of characters: Python's and regex's
        made_by = f"{shipped_pieces(self._file).fingerprint} {_VERSION} {tables}"
        self.fingerprint = f"{self.name}@{blake2b(made_by.encode(), digest_size=8).hexdigest()}"

    def count(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the tokens of each text, as a message of its own without the frame around it."""
        counts = np.zeros(len(texts), np.int32)
        for rows, pieces, newlines in self._batches(texts):
            np.add.at(counts, rows, self._chunks.tokens(pieces) + newlines)
        return counts

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[list[int], list[str], list[int]]]:
        """Yield the pieces of the texts, some at a time: the row of each, the piece, and the tokens of the newlines
        behind it.
        """
        batch: list[tuple[int, str, int]] = []
        waiting = 0
        for row, text in enumerate(texts):
            whole, newlines = self._prepared(text) if text else ("", 0)
            pieces = _cut(whole) if text else ()
            for number, piece in enumerate(pieces):
                batch.append((row, piece, 0 if number else self._chunks.newlines(newlines)))
                waiting += len(piece)
                if waiting >= _AT_ONCE:
                    yield _columns(batch)
                    batch, waiting = [], 0
        yield _columns(batch)

    def first(self, text: str, limit: int) -> str:
        """Return the longest prefix counting at most `limit`."""
        return fitting_prefix(text, limit, self.count)

    def spans(self, text: str) -> None:
        """Return None: the numbers of tokens are known, not where each ends."""

    def _prepared(self, text: str) -> tuple[str, int]:
        """Return a text as it stands in its frame, without newlines at its end, and the number of these."""
        clean = cleaned(text, self._rules)
        stripped = clean.rstrip("\n")
        return opened(text, stripped, self._rules), len(clean) - len(stripped)

    @cached_property
    def _chunks(self) -> "_Chunks":
        return _Chunks(shipped_pieces(self._file), self._rules)


def _columns(batch: list[tuple[int, str, int]]) -> tuple[list[int], list[str], list[int]]:
    return [row for row, _, _ in batch], [piece for _, piece, _ in batch], [newlines for _, _, newlines in batch]


def _cut(text: str) -> Iterator[str]:
    """Yield the pieces of a long text, cut between words; those after the first begin with the space between."""
    start = 0
    while len(text) - start > _PIECE and (seam := _SEAM.search(text, start + _PIECE)):
        yield text[start : seam.end()]
        start = seam.end() + 1
    yield text[start:] if start else text


class _Chunks:
    """The tokens of texts by their chunks between white space, each chunk counted once.

    What a chunk costs depends on the white space at both sides, so it has four entries, by `2 * left + right`. An entry
    holds `tokens * 4 + opens * 2 + closes` of `Marked`; the entry of a gap `tokens * 8 + single * 4 + left * 2 + right`
    for the chunks behind and before it.
    """

    def __init__(self, vocabulary: Pieces, rules: Rules) -> None:
        self._marking, self._tiling = Marking(rules), Tiling(vocabulary)
        self._lock = Lock()
        self._places: dict[str, int] = {}
        self._entries = np.zeros((1024, 4), np.int32)
        self._gaps: dict[str, int] = {}
        self._characters = 0

    def newlines(self, number: int) -> int:
        """Return the tokens of newlines at the end of a text: two of the frame follow, whose token may hold more."""
        return self._tiling["\n" * (number + 2)] - 1 if number else 0

    def tokens(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Return the tokens of each text, cleaned and in its frame."""
        chunks: list[str] = []
        gaps: list[str] = []
        sizes: list[int] = []
        for text in texts:
            parts = _GAP.split(text)
            chunks += parts[::2]
            gaps += parts[1::2]
            gaps.append("")  # the end of the text
            sizes.append(len(parts) // 2 + 1)
        if not chunks:
            return np.zeros(0, np.int32)
        with self._lock:
            entries, behind = self._entries_of(chunks), self._gaps_of(gaps)
        return np.add.reduceat(_tokens(entries, behind), np.cumsum([0, *sizes[:-1]])).astype(np.int32)

    def _entries_of(self, chunks: list[str]) -> NDArray[np.int32]:
        if self._characters > _MOST_CHARACTERS:
            self._places.clear()
            self._characters = 0
        places = np.fromiter(map(self._places.get, chunks, repeat(-1)), np.int64, len(chunks))
        unknown = np.flatnonzero(places < 0).tolist()
        fresh = list(dict.fromkeys(map(chunks.__getitem__, unknown)))
        begun = len(self._places)
        while begun + len(fresh) > len(self._entries):
            self._entries = np.concatenate([self._entries, np.zeros_like(self._entries)])
        if fresh:
            self._entries[begun : begun + len(fresh)] = list(map(self._entry, fresh))
        self._places.update(zip(fresh, range(begun, begun + len(fresh)), strict=True))
        self._characters += sum(map(len, fresh)) + len(fresh)
        places[unknown] = [self._places[chunks[row]] for row in unknown]
        return self._entries[places]

    def _entry(self, chunk: str) -> list[int]:
        marked = self._marking.marked(chunk)
        opens, closes = (marked.opens, marked.opens or marked.left), (marked.closes, marked.closes or marked.right)
        alone = self._pieces(marked, 0, 0)
        before = self._pieces(marked, 0, 1) if marked.right else alone
        behind = self._pieces(marked, 1, 0) if marked.left else alone
        between = self._pieces(marked, 1, 1) if marked.left and marked.right else before + behind - alone
        sides = ((alone, 0, 0), (before, 0, 1), (behind, 1, 0), (between, 1, 1))
        return [tokens * 4 + opens[left] * 2 + closes[right] for tokens, left, right in sides]

    def _pieces(self, marked: Marked, left: int, right: int) -> int:
        """Return the tokens of a chunk with the mark of a space at its left, its right, both or none."""
        segments = marked.segments
        if left:
            segments = [BEGIN + segments[0], *segments[1:]]
        if right:
            segments = [*segments[:-1], segments[-1] + END]
        return sum(map(self._tiling.__getitem__, segments))

    def _gaps_of(self, gaps: list[str]) -> NDArray[np.int32]:
        if len(self._gaps) > _MOST_GAPS:
            self._gaps.clear()
        for gap in set(gaps) - self._gaps.keys():
            left, right = gap[-1:] == " ", gap[:1] == " " and gap[1:2] != " "
            self._gaps[gap] = (self._tiling[gap] if gap else 0) * 8 + (gap == " ") * 4 + left * 2 + right
        return np.fromiter(map(self._gaps.__getitem__, gaps), np.int32, len(gaps))


def _tokens(entries: NDArray[np.int32], gaps: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the tokens of each chunk and the gap behind it, by the entries of all chunks, in order, and their gaps."""
    left = np.concatenate([[0], gaps[:-1] >> 1 & 1])
    chosen = entries[np.arange(len(gaps)), 2 * left + (gaps & 1)]
    opened_next = np.concatenate([chosen[1:] >> 1 & 1, [0]])
    replaced = (gaps >> 2 & 1) & (chosen & 1) & opened_next  # a single space between marks is not written
    return (chosen >> 2) + (gaps >> 3) * (1 - replaced)


@lru_cache
def reconstructed_tokenizer(family: str) -> ReconstructedTokenizer:
    """Return the tokenizer of a family of RECONSTRUCTED_NAMES, always the same object.

    Raises TokenizerUnavailableError if its pieces cannot be read.
    """
    return ReconstructedTokenizer(family)


def reconstructed_words(family: str) -> str:
    """Return how sure the counts of a family of RECONSTRUCTED_NAMES are, without reading its pieces."""
    return _FAMILIES[family][2]
