"""The pieces of a reconstructed vocabulary, and the fewest of them that make up a marked text."""

import gzip
import json
from functools import lru_cache
from typing import NamedTuple

from inspector.resources import resource
from inspector.tokens.reconstructed.marking import LONGEST_KEPT, MOST_KEPT
from inspector.tokens.tokenizer import TokenizerUnavailableError

_LONG_RUN = 20_000


class Pieces(NamedTuple):
    """A vocabulary as shipped: its pieces with marks, the beginnings of characters in UTF-8 that are a token, and a
    hash of both.
    """

    pieces: frozenset[str]
    beginnings: frozenset[bytes]
    fingerprint: str


@lru_cache
def shipped_pieces(name: str) -> Pieces:
    """Return the pieces of a vocabulary, by the name of its file; TokenizerUnavailableError if it cannot be read."""
    from hashlib import blake2b

    try:
        content = resource(f"reconstructed/{name}.json.gz").read_bytes()
        read = json.loads(gzip.decompress(content))
    except (OSError, EOFError, ValueError) as problem:
        raise TokenizerUnavailableError(f"the pieces of {name} cannot be read ({problem})") from problem
    beginnings = frozenset(map(bytes.fromhex, read["beginnings"]))
    return Pieces(frozenset(read["pieces"]), beginnings, blake2b(content, digest_size=8).hexdigest())


class Tiling(dict[str, int]):
    """The least number of pieces that make up each segment of `Marked`, found when first asked for.

    It is what ctok 1.3.0 computes (github.com/sanderland/ctok, MIT, ctok/engine.py): every piece costs 1, a character
    that is none its bytes.
    """

    def __init__(self, vocabulary: Pieces) -> None:
        super().__init__()
        self._characters = _Characters(vocabulary)
        # Each end of a piece, with whether it is a whole piece: a search goes to the left as long as it finds one.
        self._ends = {piece[start:]: False for piece in vocabulary.pieces for start in range(len(piece))}
        self._ends |= dict.fromkeys(vocabulary.pieces, True)
        self._longest: dict[str, int] = {}
        for piece in vocabulary.pieces:
            if piece == piece[0] * len(piece):
                self._longest[piece[0]] = max(self._longest.get(piece[0], 1), len(piece))

    def __missing__(self, segment: str) -> int:
        """Return the least number of pieces of a segment; short segments are remembered."""
        found = self._of_long_run(segment) if len(segment) >= _LONG_RUN else self._fewest(segment)
        if len(segment) <= LONGEST_KEPT:
            if len(self) >= MOST_KEPT:
                self.clear()
            self[segment] = found
        return found

    def _of_long_run(self, segment: str) -> int:
        """Return the pieces of a segment; of a very long run of one character without going through all of it.

        The longest piece of n characters is repeated but for fewer than n others: of n shorter pieces some add up to a
        multiple of n.
        """
        character = segment[0]
        if segment != character * len(segment):
            return self._fewest(segment)
        longest = self._longest.get(character, 1)
        repeated = max(0, len(segment) // longest - longest)
        of_each = 1 if longest > 1 else self._characters[character]
        return repeated * of_each + self._fewest(segment[repeated * longest :])

    def _fewest(self, segment: str) -> int:
        best = [0]
        ends, characters = self._ends, self._characters
        for end, character in enumerate(segment, 1):
            least = best[-1] + characters[character]
            start = end - 2
            while start >= 0:
                whole = ends.get(segment[start:end])
                if whole is None:
                    break
                if whole and best[start] < least:
                    least = best[start] + 1
                start -= 1
            best.append(least)
        return best[-1]


class _Characters(dict[str, int]):
    """The tokens of each character alone: 1 for a piece, else those of its bytes."""

    def __init__(self, vocabulary: Pieces) -> None:
        super().__init__()
        self._pieces, self._beginnings = vocabulary.pieces, vocabulary.beginnings

    def __missing__(self, character: str) -> int:
        found = self[character] = 1 if character in self._pieces else self._of_bytes(character.encode())
        return found

    def _of_bytes(self, spelled: bytes) -> int:
        best = [0]
        for end in range(1, len(spelled) + 1):
            starts = (start for start in range(end - 1) if spelled[start:end] in self._beginnings)
            best.append(1 + min((best[start] for start in starts), default=best[end - 1]))
            best[end] = min(best[end], best[end - 1] + 1)
        return best[-1]
