"""Marks around texts passed to a chat template, to find each text again in the rendered prompt.

A marked text is: edge, its leading white space, `open`, its core, `close`, its trailing white space, edge. The edges
are control characters that Python strips as white space: a template trimming a text trims its edges too, which shows
where it trimmed.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

LITERAL = -1
"""The place of a text written by the template itself."""

_EDGES = "\x1c\x1d\x1e\x1f"
_BLOCK = 16
_NOTHING = re.compile("(?!)")
_PRIVATE = range(0x10_0000, 0x10_FFF0, _BLOCK)  # plane 16 is for private use, and hardly used in texts


@dataclass(frozen=True, slots=True)
class MarkedStretch:
    """A stretch of a rendered text with the place of its marked text, `LITERAL` for none."""

    text: str
    place: int = LITERAL


def shared_length(one: str, other: str) -> int:
    """Return the length of the common beginning of two texts, in characters."""
    lengths = range(1, min(len(one), len(other)) + 1)
    return bisect_left(lengths, True, key=lambda length: one[:length] != other[:length])


class MarkedText(str):
    """A text between marks. `without_edges` omits the control characters, which JSON would escape."""

    without_edges: str


class MarkedMapping(dict[str, Any]):
    """A mapping whose JSON is put between marks; `mark` is the marks with nothing between them."""

    def __init__(self, value: Mapping[str, Any], marks: "Marks", place: int) -> None:
        super().__init__(value)
        self._marks, self._place = marks, place
        self.mark = marks.inside(place, "")

    def marked(self, text: str) -> str:
        """Return the JSON of this mapping between its marks."""
        return self._marks.inside(self._place, text)


class Marks:
    """Marks for some texts, made of characters found in none of them.

    Without `edges`, white space is inside the marks, so no template can trim it. `whole` matches strings that a
    template always writes in one piece: if a template drops the end of a marked text, no part of such a string is taken
    for it.
    """

    def __init__(self, texts: Iterable[str], edges: bool = True, whole: re.Pattern[str] = _NOTHING) -> None:
        self._texts = list(texts)
        self._whole = whole
        free = [edge for edge in _EDGES if not any(edge in text for text in self._texts)]
        self._before, self._after = free[:2] if edges and len(free) > 1 else ("", "")
        self._no_edges = str.maketrans("", "", self._before + self._after)
        first = next(filter(self._is_free, _PRIVATE), _PRIVATE.start)
        digits = [chr(first + digit) for digit in range(10)]
        self._numerals = str.maketrans("0123456789", "".join(digits))
        self._figures = str.maketrans("".join(digits), "0123456789")
        self._open, self._close, self._stop = (chr(first + 10 + offset) for offset in range(3))
        self._pattern = re.compile(f"([{self._open}{self._close}])([{digits[0]}-{digits[9]}]+){self._stop}")

    def around(self, place: int) -> str:
        """Return the marked text of a place; an empty text stays empty, for templates that test for it."""
        text = self._texts[place]
        if not text:
            return ""
        core = text.strip() if self._before else text
        begun = len(text) - len(text.lstrip()) if self._before else 0
        before, marked, after = text[:begun], self.inside(place, core), text[begun + len(core) :]
        found = MarkedText(f"{before and self._before + before}{marked}{after and after + self._after}")
        found.without_edges = before + marked + after
        return found

    def inside(self, place: int, text: str) -> str:
        """Return any text between the marks of a place."""
        number = str(place).translate(self._numerals)
        return f"{self._open}{number}{self._stop}{text}{self._close}{number}{self._stop}"

    def without_marks(self, text: str) -> str:
        """Return a rendered text without any marks."""
        return self._pattern.sub("", text.translate(self._no_edges))

    def pieces(self, rendered: str) -> list[MarkedStretch]:
        """Return the non-empty pieces of a rendered text in order; together they are the text without marks."""
        found = list(self._between_marks(rendered))
        pieces = (piece for part in self._with_margins(found) for piece in part if piece.text)
        groups = groupby(pieces, attrgetter("place"))
        return [MarkedStretch("".join(piece.text for piece in group), place) for place, group in groups]

    def _is_free(self, first: int) -> bool:
        used = re.compile(f"[{chr(first)}-{chr(first + _BLOCK - 1)}]")
        return not any(map(used.search, self._texts))

    def _between_marks(self, rendered: str) -> Iterator[MarkedStretch]:
        """Yield the pieces by their marks, with the edges still in the template's pieces."""
        opened: int | None = None
        end = 0
        for mark in self._pattern.finditer(rendered):
            between, place = rendered[end : mark.start()], int(mark[2].translate(self._figures))
            closes, end = mark[1] == self._close, mark.end()
            if opened is None:
                yield from self._begun_late(between, place) if closes else (MarkedStretch(between),)
            elif closes and place == opened:
                yield MarkedStretch(between, place)
            else:
                yield from self._cut_short(between, opened)
            opened = None if closes else place
        rest = rendered[end:]
        yield from (MarkedStretch(rest),) if opened is None else self._cut_short(rest, opened)

    def _cut_short(self, text: str, place: int) -> tuple[MarkedStretch, MarkedStretch]:
        """Return the two pieces of a stretch with no closing mark: the template dropped the end of the text."""
        length = shared_length(text, self._texts[place].strip())
        length = next((match.start() for match in self._cut(text, length)), length)
        return MarkedStretch(text[:length], place), MarkedStretch(text[length:])

    def _begun_late(self, text: str, place: int) -> tuple[MarkedStretch, MarkedStretch]:
        """Return the two pieces of a stretch with no opening mark: the template dropped the beginning of the text."""
        length = len(text) - shared_length(text[::-1], self._texts[place].strip()[::-1])
        length = next((match.end() for match in self._cut(text, length)), length)
        return MarkedStretch(text[:length]), MarkedStretch(text[length:], place)

    def _cut(self, text: str, place: int) -> Iterator[re.Match[str]]:
        """Return the matches of `whole` that a cut at this place would split."""
        return (match for match in self._whole.finditer(text) if match.start() < place < match.end())

    def _with_margins(self, pieces: Sequence[MarkedStretch]) -> Iterator[tuple[MarkedStretch, ...]]:
        """Yield the pieces, with the white space around each marked text counted to it if the template kept it."""
        places = [LITERAL, *(piece.place for piece in pieces), LITERAL]
        for piece, before, after in zip(pieces, places, places[2:], strict=False):
            if piece.place != LITERAL:
                yield (piece,)
                continue
            text = piece.text
            start = 0 if before == LITERAL else self._end_of_trailing(text)
            end = len(text) if after == LITERAL else max(self._start_of_leading(text), start)
            parts = ((text[:start], before), (text[start:end], LITERAL), (text[end:], after))
            yield tuple(MarkedStretch(part.translate(self._no_edges), place) for part, place in parts)

    def _end_of_trailing(self, text: str) -> int:
        """Return the end of the trailing white space of the marked text before this text."""
        end = text.find(self._after) + 1 if self._after else 0
        return end if text[:end].isspace() else 0

    def _start_of_leading(self, text: str) -> int:
        """Return the start of the leading white space of the marked text after this text."""
        start = text.rfind(self._before) if self._before else -1
        return start if start >= 0 and text[start:].isspace() else len(text)
