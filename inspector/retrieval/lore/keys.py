"""Keys of lorebook entries: plain text or patterns, and their first occurrences."""

import re
from dataclasses import dataclass
from time import process_time
from typing import Any

from inspector.derived import cached_property
from inspector.retrieval.lore.javascript_regex import (
    PatternBudget,
    UnreadablePatternError,
    compile_pattern,
    split_pattern,
)
from inspector.retrieval.lore.pattern_limits import cost_of
from inspector.retrieval.lore.text import Place, ScanText

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
