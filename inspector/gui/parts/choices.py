"""Choices: values to find by typing words and then choose. No Qt here."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SEARCHED_CODE_POINTS = 200
"""How much of the beginning of a title, and of other searched text, is searched."""
_LONGEST_WORD = 40
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_IS_TITLE, _BEGINS_TITLE, _BEGINS_WORD, _INSIDE, _ELSEWHERE, _LOOSE = range(6)
"""How well a word matches, best first. Loose: its letters are in the title in order, the first at the start of a
word.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A value to choose: its key between runs, its cells (the title first), and the value itself.

    `words` are searched but not shown. A choice not `possible` now is shown faintly and cannot be chosen.
    """

    key: str
    cells: tuple[str, ...]
    thing: object = None
    words: str = ""
    tip: str = ""
    possible: bool = True

    @property
    def title(self) -> str:
        """The title, its first cell."""
        return self.cells[0]


class WordSearch:
    """Finds the choices that contain every word of a query, in any order and ignoring case.

    With `loose`, it also finds titles with the letters of a word in order, as `cmpo` in “Compare policies”.
    """

    def __init__(self, choices: Iterable[Choice], loose: bool) -> None:
        self._loose = loose
        self._titles: list[str] = []
        self._parted: list[str] = []
        self._others: list[str] = []
        for choice in choices:
            title = choice.title[:SEARCHED_CODE_POINTS].casefold()
            self._titles.append(title)
            self._parted.append(f" {_BETWEEN_WORDS.sub(' ', title)}")
            others = [*choice.cells[1:], choice.words]
            self._others.append(" ".join(part[:SEARCHED_CODE_POINTS] for part in others if part).casefold())

    def matches(self, query: str) -> Sequence[int]:
        """Return the numbers of the matching choices, best first, otherwise in order; without words, all of them."""
        words = [word[:_LONGEST_WORD] for word in query.casefold().split()]
        found = range(len(self._titles))
        if not words:
            return found
        ranks = dict.fromkeys(found, 0)
        for word in words:
            ranks = {number: ranks[number] + rank for number, rank in self._ranked(word, ranks)}
        return sorted(ranks, key=ranks.__getitem__)

    def _ranked(self, word: str, among: Iterable[int]) -> Iterable[tuple[int, int]]:
        titles, parted, others = self._titles, self._parted, self._others
        begins, loose = f" {word}", _letters_in_order(word) if self._loose and len(word) > 1 else None
        for number in among:
            title = titles[number]
            if word in title:
                if title.startswith(word):
                    yield number, _IS_TITLE if title == word else _BEGINS_TITLE
                else:
                    yield number, _BEGINS_WORD if begins in parted[number] else _INSIDE
            elif word in others[number]:
                yield number, _ELSEWHERE
            elif loose is not None and loose.search(title):
                yield number, _LOOSE


def _letters_in_order(word: str) -> re.Pattern[str]:
    """Return a pattern for titles with these letters in order. It never backtracks, so long titles take no longer."""
    first, rest = re.escape(word[0]), map(re.escape, word[1:])
    return re.compile(rf"(?<![^\W_]){first}" + "".join(f"[^{letter}]*{letter}" for letter in rest))


def lately_first(choices: Iterable[Choice], used: Sequence[str]) -> list[Choice]:
    """Return the choices, recently used ones first. `used` lists their keys, newest first, perhaps with duplicates."""
    place = {key: number for number, key in enumerate(dict.fromkeys(used))}
    return sorted(choices, key=lambda choice: place.get(choice.key, len(place)))
