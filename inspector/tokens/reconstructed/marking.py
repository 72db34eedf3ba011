"""A text as the reconstructed encoder of Claude sees it: words marked at both ends, capitals as marks before them.

The rules are those of ctok 1.3.0 (github.com/sanderland/ctok, MIT, ctok/normalize.py), measured there against
Anthropic's counting endpoint; this is an implementation of its own, chunk by chunk between white space.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from inspector.tokens.reconstructed.classes import (
    ARABIC_DIGIT,
    MARK,
    NUMBER,
    PUNCTUATION,
    SELECTOR,
    SYMBOL,
    WORD,
    WORD_SYMBOL,
    ClassTable,
    is_letter,
    is_lower,
    is_upper,
    lowered,
)

BEGIN, END, TITLE, CAPITALS = "\x02", "\x03", "\x04", "\x05"
"""The marks of the encoder, as control characters: a cleaned text has none."""
START_SIGN = "\x01"
"""Stands before a text for the space at the end of its frame."""

_DROPPED = re.compile("[\x01-\x08\x0b-\x1f\x7f-\x9f]")
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = re.compile("[\x00\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f]")
_UNCLEAN_ASCII = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_QUOTES = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")

LONGEST_KEPT = 32
"""Characters; longer words and segments are not met again often enough to be remembered."""
MOST_KEPT = 200_000

_CONTRACTIONS = frozenset({"s", "t", "d", "m", "ll", "re", "ve"})
_RUN = re.compile("[wr][wrm]*|m+|[da]+|p+|[lv]+|q[qv]*|n[nv]*")
_ASCII_PART = re.compile("[A-Za-z]+|[^A-Za-z]+")
_UNMARKED = f"[^{BEGIN}{END}{TITLE}{CAPITALS}]"
_SEGMENT = re.compile(f"[{TITLE}{CAPITALS}]*{BEGIN}{_UNMARKED}*{END}?|{_UNMARKED}+{END}?")
_CASES = TITLE + CAPITALS
_WORDS = (WORD, WORD_SYMBOL)
_BORDERED = (PUNCTUATION, SYMBOL, SELECTOR)  # a run takes a mark at a space if it begins or ends with one of these


class Rules(NamedTuple):
    """How a family differs: whether curly quotes are straightened, the shortest word whose capitals become a mark (0:
    none), and whether the frame of a message ends in the beginning of a word.
    """

    straight_quotes: bool
    least_capitals: int
    opened_frame: bool


class Marked(NamedTuple):
    """A chunk in segments that no piece joins, its words marked.

    `opens` and `closes`: it begins or ends with a mark, which replaces a single space beside it. `left` and `right`: a
    mark belongs there if a space stands beside it; on the right, if no second space follows.
    """

    segments: list[str]
    opens: bool = False
    closes: bool = False
    left: bool = False
    right: bool = False


class _MarkedWords(dict[str, str]):
    """Words with their marks, as found; long ones and those beyond a number are not remembered."""

    def __init__(self, cased: Callable[[str], tuple[str, str]]) -> None:
        super().__init__()
        self._cased = cased

    def __missing__(self, word: str) -> str:
        case, body = self._cased(word)
        marked = f"{case}{BEGIN}{body}{END}"
        if len(word) <= LONGEST_KEPT:
            if len(self) >= MOST_KEPT:
                self.clear()
            self[word] = marked
        return marked


class _Run(NamedTuple):
    body: str
    first: str  # the classes of its first and last character
    last: str


def cleaned(text: str, rules: Rules) -> str:
    """Return the text as the models normalise it before reading: composed, without control characters."""
    if text.isascii():
        return _SPACES.sub(" ", _DROPPED.sub("", text)) if _UNCLEAN_ASCII.search(text) else text
    composed = unicodedata.normalize("NFC", _SURROGATE.sub("\ufffd", text))
    plain = _PRIVATE.sub("", _DROPPED.sub("", composed).replace("\u0e4d\u0e32", "\u0e33"))
    return _SPACES.sub(" ", plain.translate(_QUOTES) if rules.straight_quotes else plain)


def opened(text: str, clean: str, rules: Rules) -> str:
    """Return a cleaned text as it stands in its frame, whose end takes the place of one space before the text."""
    if not rules.opened_frame:
        return clean
    if clean.startswith(" "):
        absorbed = text.startswith(" ") and clean[1:2] != " "
        if not absorbed:
            return clean
        clean = clean[1:]
    return START_SIGN + clean


class Marking:
    """The marks of chunks of cleaned text without white space, by the rules of a family."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._classes = ClassTable()
        self._words = _MarkedWords(self._cased)

    def marked(self, chunk: str) -> Marked:
        """Return a chunk, marked; one behind START_SIGN as it begins in its frame."""
        if chunk.startswith(START_SIGN):
            return self._in_frame(chunk[1:])
        if chunk.isascii() and "'" not in chunk:
            return self._of_ascii(chunk)
        return self._of_runs(chunk)

    def _in_frame(self, chunk: str) -> Marked:
        """Return the first chunk of a text: what takes no mark at a space leaves the space of the frame by itself."""
        first = self.marked(chunk)
        if first.opens:
            return first
        taken = " " if chunk.startswith("'") and not first.left else BEGIN
        segments = [taken + first.segments[0], *first.segments[1:]] if first.segments else [taken]
        return first._replace(segments=segments, left=False)

    def _of_ascii(self, chunk: str) -> Marked:
        """Return a chunk of ASCII without apostrophes: its words never depend on what is beside them."""
        parts = _ASCII_PART.findall(chunk)
        if not parts:
            return Marked([])
        first, last, words = parts[0][0], parts[-1][-1], self._words
        segments = [words[part] if part.isalpha() else part for part in parts]
        left, right = not first.isalnum(), not last.isalnum()
        return Marked(segments, first.isalpha(), last.isalpha(), left, right)

    def _of_runs(self, chunk: str) -> Marked:
        classes = chunk.translate(self._classes)
        found = [(run.start(), run.end()) for run in _RUN.finditer(classes)]
        runs = [_Run(chunk[start:end], classes[start], classes[end - 1]) for start, end in found]
        parts = [self._marked_run(runs, place) for place in range(len(runs))]
        text, first, last = "".join(parts), runs[0], runs[-1]
        opens, closes = parts[0].lstrip(_CASES).startswith(BEGIN), text.endswith(END)
        left = not opens and _takes_begin(first) and not _opens_word(runs, 0)
        return Marked(_SEGMENT.findall(text), opens, closes, left, not closes and _takes_end(last))

    def _marked_run(self, runs: list[_Run], place: int) -> str:
        """Return a run with the marks it has whatever stands beside the chunk: a word at both ends."""
        run = runs[place]
        if run.first == MARK:
            goes_on = place + 1 < len(runs) and runs[place + 1].first in _WORDS
            return f"{BEGIN}{run.body}" if goes_on else f"{BEGIN}{run.body}{END}"
        if run.first not in _WORDS:
            return run.body
        if place and runs[place - 1].first == MARK:
            return f"{run.body}{END}"
        return f"{run.body}{END}" if _contracted(runs, place) else self._words[run.body]

    def _cased(self, word: str) -> tuple[str, str]:
        """Return the mark for the capitals of a word and its small form; no mark, and the word, if it takes none."""
        least = self._rules.least_capitals
        if word[0].islower():
            return "", word
        if "ẞ" in word or "İ" in word:
            return _with_odd_capital(word)
        if least and len(word) >= least and _is_capitals(word):
            return CAPITALS, lowered(word)
        if is_upper(word[0]) and not any(map(is_upper, word[1:])):
            return TITLE, lowered(word)
        return "", word


def _is_capitals(word: str) -> bool:
    """Return whether all letters and marks of a word are capitals, of one letter at least."""
    if word.isascii():
        return word.isupper()
    return any(map(is_upper, word)) and not any(is_lower(c) or (is_letter(c) and not is_upper(c)) for c in word)


def _with_odd_capital(word: str) -> tuple[str, str]:
    """Return mark and form of a word with ẞ, which takes no mark, or İ, which stays as it is and is no capital."""
    small = [char for char in word[1:] if char != "İ"]
    if "ẞ" in word or word[0] == "İ" or not is_upper(word[0]) or any(map(is_upper, small)):
        return "", word
    return TITLE, "".join(char if char == "İ" else lowered(char) for char in word)


def _opens_word(runs: list[_Run], place: int) -> bool:
    """Return whether a run is a single apostrophe before a word."""
    return runs[place].body == "'" and place + 1 < len(runs) and runs[place + 1].first in (*_WORDS, MARK)


def _contracted(runs: list[_Run], place: int) -> bool:
    """Return whether a word is the end of a contraction, which the apostrophe before it opens."""
    if runs[place].body not in _CONTRACTIONS or place == 0 or runs[place - 1].body != "'":
        return False
    before = runs[place - 2] if place > 1 else None
    return before is None or not (before.last == WORD_SYMBOL or _takes_end(before))


def _takes_begin(run: _Run) -> bool:
    return run.first in (*_BORDERED, ARABIC_DIGIT) or (run.first == NUMBER and _is_one_kind(run))


def _takes_end(run: _Run) -> bool:
    return run.last in (*_BORDERED, ARABIC_DIGIT) or (run.last == NUMBER and _is_one_kind(run))


def _is_one_kind(run: _Run) -> bool:
    """Return whether a run of numbers has only decimal digits, or none."""
    return len(set(map(unicodedata.category, run.body))) == 1
