"""The words of a query, and their places in a text."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from inspector.secrets import masked_part
from inspector.visible_text import made_visible

MOST_WORDS = 16
LONGEST_WORD = 200
MARKED_CODE_POINTS = 200_000
"""Words are marked only in this much of the beginning of a text."""
_READ_AT_ONCE = 4_000
_SPACES = {ord("\n"): " ", ord("\t"): " "}
_QUOTED_OR_BARE = re.compile(r'"([^"]+)"?|([^\s"]+)')
_LATIN = ((0x00C0, 0x0370), (0x1E00, 0x1F00))
"""Letters with marks in these ranges count as the letters without them, as in FTS5."""
_ACCENTED = re.compile("[" + "".join(f"{chr(first)}-{chr(last - 1)}" for first, last in _LATIN) + "]+")

Marks = tuple[tuple[int, int], ...]
"""Stretches of a text, as (start, end) in code points, in order and apart."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A stretch of a text on a single line, with the query's words in it marked."""

    text: str
    marks: Marks


def words_of(query: str) -> tuple[str, ...]:
    """Return the distinct words of a query; text in quotes is a single word. A match contains all of them."""
    found = (quoted or bare for quoted, bare in _QUOTED_OR_BARE.findall(query))
    words = (" ".join(word.split())[:LONGEST_WORD] for word in found)
    return tuple(dict.fromkeys(filter(None, words)))[:MOST_WORDS]


def folded(text: str) -> str:
    """Return the text in small letters, Latin ones without accents, with unchanged length, so that places stay."""
    if text.isascii():
        return text.lower()
    small = text.casefold()
    if len(small) != len(text):  # some letter becomes two
        return "".join(map(_folded, text))
    return _ACCENTED.sub(_plain, small)


def _plain(found: re.Match[str]) -> str:
    return "".join(map(_folded, found[0]))


@cache
def _folded(letter: str) -> str:
    plain = letter
    if any(first <= ord(letter) < last for first, last in _LATIN):
        plain = unicodedata.normalize("NFD", letter)[0]
    small = plain.casefold()
    return small if len(small) == 1 else plain


def marks_in(text: str, words: tuple[str, ...]) -> Marks:
    """Return the places of the words in a text, whatever their case."""
    if not words:
        return ()
    return tuple(found.span() for found in _pattern(words).finditer(folded(text[:MARKED_CODE_POINTS])))


def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word) for word in sorted(map(folded, words), key=len, reverse=True)))


def _first_marks(text: str, words: tuple[str, ...], length: int) -> Marks:
    """Return the first of the marks, and those within `length` of it, reading the text no further."""
    if not words:
        return ()
    pattern, longest = _pattern(words), max(map(len, words))
    for start in range(0, min(len(text), MARKED_CODE_POINTS), _READ_AT_ONCE):
        found = pattern.search(folded(text[start : start + _READ_AT_ONCE + longest]))
        if found and found.start() < _READ_AT_ONCE:
            at = start + found.start()
            near = pattern.finditer(folded(text[at : at + length + longest]))
            return tuple((at + one.start(), at + one.end()) for one in near)
    return ()


def excerpt_of(text: str, words: tuple[str, ...], before: int = 40, length: int = 200) -> Excerpt:
    """Return the surroundings of the first of the words, on a single line; the beginning if none of them is found
    literally.

    Invisible characters are written out. … marks text left out.
    """
    marks = _first_marks(text, words, length)
    first_mark = marks[0][0] if marks else 0
    start = max(first_mark - before, 0)
    if start:
        start = text.find(" ", start, first_mark) + 1 or start
    end = min(start + length, len(text))
    shown = masked_part(text, start, end)  # of unchanged length
    line, written, at = "…" if start else "", [], start
    for first, last in ((first, min(last, end)) for first, last in marks if start <= first < end):
        line += _on_one_line(shown[at - start : first - start])
        marked = _on_one_line(shown[first - start : last - start])
        written.append((len(line), len(line) + len(marked)))
        line, at = line + marked, last
    return Excerpt(line + _on_one_line(shown[at - start :]) + ("…" if end < len(text) else ""), tuple(written))


def _on_one_line(text: str) -> str:
    return made_visible(text).translate(_SPACES)
