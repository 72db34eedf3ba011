"""Lorebooks prepared for scanning: entries with their rules and keys, and the input of a scan.

The scan itself is in `activation.py`. Keys are read once per book, and grouped by the text they are searched in.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.derived import cached_property
from inspector.model import LoreEntry
from inspector.retrieval.lore.javascript_regex import (
    PatternBudget,
    UnreadablePatternError,
    compile_pattern,
    cost_of,
    split_pattern,
)
from inspector.retrieval.lore.rules import EntryRules, rules_of
from inspector.retrieval.lore.settings import AS_NATIVE, LoreSettings
from inspector.retrieval.lore.text import Hashes, Place, ScannedText, ScanText, ends_of

PATTERN_SECONDS = 0.05
"""The time limit of a pattern, after which it counts as not found; an ordinary pattern needs a thousandth of it."""
SCAN_SECONDS = 0.25
"""The time limit of all patterns of a scan together."""
MOST_STEPS = 400_000_000
"""The most class members to compare over a text, which takes a second and ignores time limits."""
_WORD = re.compile(r"[A-Za-z0-9_]")  # the letters of words in SillyTavern's patterns


class SearchTime:
    """The time left for patterns in a scan, in seconds of this process, and whether it ran out."""

    def __init__(self) -> None:
        self.left = SCAN_SECONDS
        self.ran_out = False

    def allowed(self) -> float:
        """Return the time limit of the next pattern, 0 to skip it."""
        allowed = max(min(PATTERN_SECONDS, self.left), 0.0)
        self.ran_out |= not allowed
        return allowed


@dataclass(frozen=True)
class PlainKey:
    """Words searched for literally. A single word may have to stand alone; several are found inside words too."""

    text: str
    case_sensitive: bool = False
    whole_word: bool = False

    @cached_property
    def folded(self) -> str:
        """The words with case ignored."""
        return self.text.casefold()

    def find(self, scanned: ScanText, time: SearchTime) -> Place | None:
        """Return the first occurrence of the key."""
        words = self.text if self.case_sensitive else self.folded
        text = scanned.written if self.case_sensitive else scanned.folded
        start = text.find(words)
        while start >= 0 and self.whole_word and not _stands_alone(text, start, start + len(words)):
            start = text.find(words, start + 1)
        return None if start < 0 else scanned.place(start, start + len(words), not self.case_sensitive)


@dataclass
class PatternKey:
    """A pattern. `trouble` says why it cannot be searched for; a pattern that took too long is not tried again."""

    text: str
    pattern: Any
    trouble: str = ""

    @cached_property
    def _width(self) -> int:
        """The number of members of its largest class in brackets."""
        return cost_of(self.pattern.pattern).width

    def find(self, scanned: ScanText, time: SearchTime) -> Place | None:
        """Return the first occurrence of the key; None also if it cannot be searched for in the time left."""
        allowed = 0.0 if self.trouble or not scanned.written else time.allowed()
        if not allowed:
            return None
        steps = self._width * len(scanned.written)
        begun = process_time()
        try:
            if steps > MOST_STEPS:
                raise TimeoutError
            found = self.pattern.search(scanned.written, timeout=allowed)
        except TimeoutError:
            self.trouble = f"takes longer than {PATTERN_SECONDS * 1000:.0f} ms and counts as not found"
            return None
        finally:
            time.left -= process_time() - begun
        return scanned.place(found.start(), found.end(), False) if found else None


Key = PlainKey | PatternKey


def read_key(
    text: str, case_sensitive: bool, whole_words: bool, is_pattern: bool, budget: PatternBudget | None = None
) -> Key | None:
    """Return the key written in a text, None for a blank text.

    `is_pattern` marks a pattern without slashes, as in Character Card V3 (`use_regex`). `budget` is the rest left for
    the patterns of its lorebook.
    """
    text = text.strip()
    if not text:
        return None
    written = split_pattern(text)
    if written is None and is_pattern:
        written = text, "" if case_sensitive else "i"
    if written is None:
        return PlainKey(text, case_sensitive, whole_words and len(text.split()) == 1)
    try:
        return PatternKey(text, compile_pattern(*written, budget))
    except UnreadablePatternError as problem:
        return PatternKey(text, None, f"cannot be read as a pattern: {problem}")


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not (_WORD.match(text, start - 1) if start else None) and not _WORD.match(text, end)


MOST_DEPTH = 1000
"""The most messages searched, whatever an entry asks for; SillyTavern's own limit."""
RELEVANT_SCORE = 0.25
MOST_RELEVANT = 5
_NAMES = re.compile(r"\{\{(char|user)\}\}", re.IGNORECASE)


@dataclass(frozen=True)
class Scene:
    """The input of a scan: the relevant `messages`, newest first, out of `length`.

    `parts` are texts beside the messages by kind (description, persona …). `costs` are the tokens of each entry and
    `window` those of the context window; without them no budget is kept. `characters` are the names of the character,
    `tags` its tags; None if there is none, or they are not known.
    """

    messages: Sequence[ScannedText]
    length: int = 0
    parts: Mapping[str, str] = field(default_factory=dict)
    costs: Sequence[int] = ()
    window: int | None = None
    characters: Collection[str] | None = None
    tags: Collection[str] | None = None


@dataclass(frozen=True)
class Window:
    """A text in which keys are searched for: the number of messages (None: as in the settings), and the parts.

    `rows` has the entry of each plain primary key searched for in it, `first` and `last` the hashes of its ends.
    """

    depth: int | None
    sources: tuple[str, ...]
    rows: NDArray[np.intp]
    first: Hashes
    last: Hashes


class LoreBook:
    """Entries prepared for scanning, by row. `texts` are their contents, `names` their ids in the results of scans,
    `numbers` their names for users.

    `people` has the replacements of `{{char}}` and `{{user}}` in keys.
    """

    def __init__(
        self,
        entries: Sequence[LoreEntry],
        texts: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
        settings: LoreSettings = AS_NATIVE,
        people: Mapping[str, str] | None = None,
        numbers: Sequence[str] | None = None,
    ) -> None:
        self.entries = tuple(entries)
        self.texts = tuple(entry.content for entry in entries) if texts is None else texts
        self.names = tuple(entry.id for entry in entries) if names is None else names
        self.numbers = self.names if numbers is None else numbers
        self.settings = settings
        self._people = people or {}
        self._budget = PatternBudget()
        self.rules = [rules_of(entry) for entry in entries]
        self.primary = [self._keys(entry.keys, rules) for entry, rules in self._read()]
        self.secondary = [
            self._keys(entry.secondary_keys, rules) if rules.selective else () for entry, rules in self._read()
        ]
        self.order = sorted(range(len(self.entries)), key=lambda row: -self.entries[row].order)
        self.rank = {row: place for place, row in enumerate(self.order)}
        self.windows, self.window_of = self._windows()
        self.patterned = [row for row, keys in enumerate(self.primary) if _has_pattern(keys)]
        self.constant = [row for row, entry in enumerate(self.entries) if entry.constant]
        self.relevant = self._relevant()
        self.noted = {row for row, rules in enumerate(self.rules) if self._is_noted(row, rules)}

    @property
    def reach(self) -> int:
        """The largest number of newest messages a scan may read."""
        if self.settings.min_activations > 0:
            return MOST_DEPTH
        depths = [self.settings.depth if window.depth is None else window.depth for window in self.windows]
        return max(min(max(depths, default=0), MOST_DEPTH), 0)

    def _read(self) -> Iterator[tuple[LoreEntry, EntryRules]]:
        return zip(self.entries, self.rules, strict=True)

    def _keys(self, texts: Sequence[str], rules: EntryRules) -> tuple[Key, ...]:
        case_sensitive = self.settings.case_sensitive if rules.case_sensitive is None else rules.case_sensitive
        whole_words = self.settings.whole_words if rules.whole_words is None else rules.whole_words
        of_entry = case_sensitive, whole_words, rules.is_pattern, self._budget
        read = (read_key(self._named(text), *of_entry) for text in texts)
        return tuple(key for key in read if key is not None)

    def _named(self, text: str) -> str:
        """Return a key with names in place of their placeholders."""
        if "{{" not in text:
            return text
        return _NAMES.sub(lambda found: self._people.get(found[1].lower(), found[0]), text)

    def _windows(self) -> tuple[list[Window], list[int]]:
        """Return the texts needed, and the index of its text for each entry."""
        numbers: dict[tuple[int | None, tuple[str, ...]], int] = {}
        window_of = [numbers.setdefault((rules.depth, rules.sources), len(numbers)) for rules in self.rules]
        keys: list[list[tuple[int, int, int]]] = [[] for _ in numbers]
        for row, (number, primary) in enumerate(zip(window_of, self.primary, strict=True)):
            keys[number] += [(row, *ends_of(key.folded)) for key in primary if isinstance(key, PlainKey)]
        columns = [np.array(of, np.int64).reshape(-1, 3).T for of in keys]
        windows = [Window(*what, *column) for what, column in zip(numbers, columns, strict=True)]
        return windows, window_of

    def _is_noted(self, row: int, rules: EntryRules) -> bool:
        """Return whether there may be notes on an entry whatever its outcome."""
        return bool(
            _has_pattern((*self.primary[row], *self.secondary[row]))
            or (rules.sticky or rules.cooldown or rules.by_relevance or rules.filter or rules.note)
        )

    def _relevant(self) -> list[int]:
        """Return the entries activated by their recorded score; limits as in SillyTavern's vector storage."""
        scores = {
            row: entry.score
            for row, (entry, rules) in enumerate(self._read())
            if rules.by_relevance and entry.score is not None and entry.score >= RELEVANT_SCORE
        }
        return sorted(scores, key=lambda row: -scores[row])[:MOST_RELEVANT]


def _has_pattern(keys: Sequence[Key]) -> bool:
    return any(isinstance(key, PatternKey) for key in keys)
