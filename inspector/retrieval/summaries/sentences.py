"""The sentences of a text in any script, by rules: the beginning and end of each. Nothing is chosen or counted here.

A block between fences of ``` or ~~~ is a single sentence, even if it is never closed. Elsewhere a sentence ends

* at a line break;
* after `.`, `!`, `?` or `…` and the quotes and brackets that close with it, if white space follows: but not after an
  abbreviation of `_ABBREVIATIONS`, a single letter or a number that begins the sentence (`1. First`), and after `.` or
  `…` not before a small letter;
* after `。`, `！`, `？`, `．`, `｡` and the ends of Arabic and Indic sentences, whatever follows.
"""

import re
from typing import NamedTuple

_BLOCK = re.compile(r"^[ \t]*(`{3,}+|~{3,}+)[^\n]*\n(?:.*?^[ \t]*\1[^\n]*$|.*\Z)", re.MULTILINE | re.DOTALL)
# No search restarts within a run of signs: that would take the square of its length.
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?=\s)|[。！？．｡؟۔।॥]+[」』）”’】]*|\n")
_LAST_WORD = re.compile(r"([\w.]*\w)\.$")
_LOOKED_BACK = 20
_ABBREVIATIONS = frozenset(
    (
        *("mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "vs", "etc", "e.g", "i.e", "cf", "fig", "inc"),
        *("ltd", "approx", "dept", "z.b", "d.h", "u.a", "bzw", "ca", "nr", "mme", "mlle"),
    )
)


class Sentence(NamedTuple):
    """text[start:end] is the sentence without the white space around it."""

    start: int
    end: int


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a text, in order; together they hold everything but white space."""
    found: list[Sentence] = []
    start = 0
    for block in _BLOCK.finditer(text):
        found += _plain(text, start, block.start())
        found += _stripped(text, block.start(), block.end())
        start = block.end()
    return found + _plain(text, start, len(text))


def _plain(text: str, start: int, stop: int) -> list[Sentence]:
    """Return the sentences of text[start:stop], which holds no fenced block."""
    found: list[Sentence] = []
    for end in _END.finditer(text, start, stop):
        if not _goes_on(text, start, end):
            found += _stripped(text, start, end.end())
            start = end.end()
    return found + _stripped(text, start, stop)


def _goes_on(text: str, start: int, end: re.Match[str]) -> bool:
    """Return whether a sentence goes on after a point."""
    if end[0][0] in ".…":
        following = text[end.end() : end.end() + 2].strip()
        if following[:1].islower():
            return True
    if end[0] != ".":
        return False
    before = text[max(start, end.start() - _LOOKED_BACK) : end.start() + 1]
    word = _LAST_WORD.search(before)
    if word is None:
        return False
    return (
        word[1].lower() in _ABBREVIATIONS or (len(word[1]) == 1 and word[1].isalpha()) or before.strip()[:-1].isdigit()
    )


def _stripped(text: str, start: int, stop: int) -> list[Sentence]:
    """Return the sentence in text[start:stop], none if it is only white space."""
    piece = text[start:stop]
    body = piece.strip()
    if not body:
        return []
    begin = start + len(piece) - len(piece.lstrip())
    return [Sentence(begin, begin + len(body))]
