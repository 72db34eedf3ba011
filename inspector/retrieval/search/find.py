"""Search in a workspace by words, with results by conversation, memory set and lorebook.

An index finds beginnings of words, best first. Matches beyond a word index, such as parts of words and scripts without
spaces, are found in the texts themselves, which are kept in small letters.
"""

import sqlite3
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from threading import Lock
from time import sleep

from inspector.limits import MOST_PLACES
from inspector.model import Conversation, Lorebook, LoreEntry, Memory, MemorySet, Message, Workspace
from inspector.retrieval.search.folded_texts import FoldedTexts
from inspector.retrieval.search.index import WordIndex
from inspector.retrieval.search.words import Excerpt, excerpt_of, folded, words_of
from inspector.steps import check_wanted

_BATCH = 1_000
_STRETCH, _STRETCH_CHARACTERS = 5_000, 1_000_000
"""How many texts are searched at once, and about how many characters: meanwhile nothing else in this process runs."""
_MOST_KEPT = 200_000_000
"""Beyond so many bytes, texts in small letters are made anew for each search."""
_TITLE_LENGTH = 200
_PAUSE_SECONDS = 0.005

Holder = Conversation | MemorySet | Lorebook
Thing = Message | Memory | LoreEntry
LEADS = {Conversation: "", MemorySet: "Memories: ", Lorebook: "Lorebook: "}
"""The prefix of the title of each kind of holder."""


@dataclass(frozen=True, slots=True)
class Place:
    """A message, a memory or a lorebook entry containing the words."""

    thing: Thing
    excerpt: Excerpt


@dataclass(frozen=True, slots=True)
class Group:
    """The matches in a conversation, a memory set or a lorebook; without places, only its title contains the words."""

    holder: Holder
    title: Excerpt
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a query: groups, the best first. `listed` of `total` places are in the groups.

    Of `unread` conversations only the titles were searched.
    """

    words: tuple[str, ...]
    groups: tuple[Group, ...]
    listed: int
    total: int
    unread: int = 0


class Search:
    """Search over a workspace. It finds everything from the start; after `build` has ended, it also ranks."""

    def __init__(self, workspace: Workspace) -> None:
        self._holders: tuple[Holder, ...] = (*(*workspace.conversations, *workspace.memory_sets, *workspace.lorebooks),)
        self._things = tuple(map(_things, self._holders))  # fixed now: an unread conversation may be read meanwhile
        self._unread = sum(not chat.is_read for chat in workspace.conversations)
        self._ends = list(accumulate(map(len, self._things)))
        self._folded: dict[int, FoldedTexts] = {}
        self._folding = Lock()
        self._searches: list[str] = []
        self._index: WordIndex | None = None
        self._is_closed = False

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def build(self) -> Generator[float, None, None]:
        """Build the index in batches, yielding the share done, 0–1, after each. If stopped early, there is no index.

        Without an index, as on a full disk, everything is still found.
        """
        index: WordIndex | None = None
        try:
            deque(self._stretches(), maxlen=0)
            index = WordIndex()
            for first in range(0, len(self), _BATCH):
                self._let_pass()
                index.add(first, self._texts(first, first + _BATCH))
                yield min(first + _BATCH, len(self)) / len(self)
            self._index, index = index, None
            if self._is_closed:
                self.close()
        except sqlite3.Error:
            return
        finally:
            if index is not None:
                index.close()

    def close(self) -> None:
        """Close the index; an index still being built is discarded."""
        self._is_closed = True
        if self._index is not None:
            self._index.close()
            self._index = None

    def find(self, query: str, most: int = MOST_PLACES) -> Found:
        """Return the places with all words of the query, in any order and case. Raises AbandonedError."""
        words = words_of(query)
        if not words:
            return Found((), (), 0, 0)
        self._searches.append(query)
        try:
            rows = self._rows(words)
            groups = tuple(self._groups(rows[:most], words))
        finally:
            self._searches.remove(query)
        return Found(words, groups, min(len(rows), most), len(rows), self._unread)

    def find_first(self, query: str) -> Found:
        """Return the first place in each conversation with all words of the query, without limit."""
        words = words_of(query)
        if not words:
            return Found((), (), 0, 0)
        self._searches.append(query)
        try:
            rows = self._rows(words)
            firsts = {bisect_right(self._ends, row): row for row in sorted(rows, reverse=True)}
            chats = sorted(row for number, row in firsts.items() if isinstance(self._holders[number], Conversation))
            groups = tuple(self._groups(chats, words))
        finally:
            self._searches.remove(query)
        return Found(words, groups, len(chats), len(rows), self._unread)

    def _let_pass(self) -> None:
        """Wait while something is searched for: an index made meanwhile takes half of the processor."""
        while self._searches:
            check_wanted()
            sleep(_PAUSE_SECONDS)

    def _rows(self, words: tuple[str, ...]) -> list[int]:
        """Return the numbers of the texts with the words: those in the index, the best first, then all others."""
        holding = self._holding(lambda texts: texts.holding(words))
        ranked = self._ranked(words)
        if exact := [folded(word) for word in words if not word.replace(" ", "").isalnum()]:  # the index ignores signs
            literal = set(self._holding(lambda texts: texts.holding_literally(exact)))
            ranked = [row for row in ranked if row in literal]
        known = set(ranked)
        return [*ranked, *(row for row in holding if row not in known)]

    def _ranked(self, words: tuple[str, ...]) -> list[int]:
        index = self._index
        try:
            return index.numbers(words) if index else []
        except sqlite3.Error:  # closed meanwhile, because another workspace was opened
            check_wanted()
            return []

    def _holding(self, places: Callable[[FoldedTexts], list[int]]) -> list[int]:
        rows: list[int] = []
        for first, texts in self._stretches():
            rows += (first + place for place in places(texts))
        return rows

    def _stretches(self) -> Iterator[tuple[int, FoldedTexts]]:
        """Yield all texts in small letters, kept from the first search on, each with the number of its first."""
        first = kept = 0
        while first < len(self):
            check_wanted()
            with self._folding:  # several searches at once, as while a word is typed, fold each stretch once
                texts = self._folded.get(first) or FoldedTexts(self._stretch(first))
                if kept < _MOST_KEPT:
                    self._folded[first] = texts
            yield first, texts
            first, kept = first + len(texts), kept + texts.size

    def _stretch(self, first: int) -> list[str]:
        texts, characters = self._texts(first, first + _STRETCH), 0
        for place, text in enumerate(texts, 1):
            characters += len(text)
            if characters > _STRETCH_CHARACTERS:
                return texts[:place]
        return texts

    def _groups(self, rows: Sequence[int], words: tuple[str, ...]) -> Iterator[Group]:
        """Yield the matches by holder: holders with a matching title first, then in the order of the rows."""
        by_holder: dict[int, list[int]] = {number: [] for number in self._titled(words)}
        for row in rows:
            by_holder.setdefault(bisect_right(self._ends, row), []).append(row)
        for number, own in by_holder.items():
            holder, things = self._holders[number], map(self._thing, sorted(own))
            places = tuple(Place(thing, excerpt_of(text_of(thing), words)) for thing in things)
            yield Group(holder, excerpt_of(_title(holder), words, _TITLE_LENGTH), places)

    def _titled(self, words: tuple[str, ...]) -> Iterator[int]:
        """Yield the numbers of the conversations with the words in their titles."""
        wanted = [folded(word) for word in words]
        for number, holder in enumerate(self._holders):
            if isinstance(holder, Conversation):
                title = folded(_title(holder))
                if all(word in title for word in wanted):
                    yield number

    def _thing(self, row: int) -> Thing:
        number = bisect_right(self._ends, row)
        things = self._things[number]
        return things[row - self._ends[number] + len(things)]

    def _texts(self, first: int, end: int) -> list[str]:
        """Return the texts numbered from `first` to before `end`."""
        texts: list[str] = []
        while first < min(end, len(self)):
            number = bisect_right(self._ends, first)
            things = self._things[number]
            inside = first - self._ends[number] + len(things)
            texts += [text_of(thing) for thing in things[inside : inside + end - first]]
            first += min(len(things) - inside, end - first)
        return texts


def text_of(thing: Thing) -> str:
    """Return the searched text of an item: its content, for a lorebook entry with its title and keys in front."""
    if not isinstance(thing, LoreEntry):
        return thing.content
    keys = ", ".join((*thing.keys, *thing.secondary_keys))
    return " · ".join(part for part in (thing.title, keys, thing.content) if part)


def time_of(thing: Thing) -> datetime | None:
    """Return the time of writing, if known."""
    return None if isinstance(thing, LoreEntry) else thing.time


def _things(holder: Holder) -> Sequence[Thing]:
    if isinstance(holder, Conversation):
        return holder.messages if holder.is_read else ()
    return holder.memories if isinstance(holder, MemorySet) else holder.entries


def _title(holder: Holder) -> str:
    return holder.title or holder.id


def home_of(workspace: Workspace, holder: Holder) -> Conversation | None:
    """Return the conversation to open for a match: itself, else the first of a memory set or lorebook."""
    if isinstance(holder, Conversation):
        return holder
    names = holder.conversations or ()
    named = (talk for talk in workspace.conversations if talk.id in names)
    beside = (talk for talk in workspace.conversations if talk.origin == holder.origin and not names)
    return next(named, next(beside, None))
