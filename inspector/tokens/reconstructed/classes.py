"""The class of each character for the reconstructed encoder of Claude, from Unicode and from measured lists.

The rules and the lists are those of ctok 1.3.0 (github.com/sanderland/ctok, MIT, ctok/normalize.py and
ctok/constants.py), measured there against Anthropic's counting endpoint.
"""

import unicodedata
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

WORD = "w"
WORD_SYMBOL = "r"  # a circled letter: of a word, but a symbol to an apostrophe behind it
MARK = "m"  # a combining mark, which opens a word of its own where no letter precedes
DIGIT = "d"
ARABIC_DIGIT = "a"
PUNCTUATION = "p"
LETTER = "l"  # alone: ideographs, syllables of Hangul, everything beyond the first plane
SYMBOL = "q"
NUMBER = "n"
SELECTOR = "v"
SPACE = "s"

_PUNCTUATION = frozenset("—»«•°„–−£§€…√→（№†└│·─═█")
_IDEOGRAPHIC_SYMBOLS = frozenset("〄〒〓〠〶〷〾〿")
_IDEOGRAPHIC_LETTERS = frozenset("々〆〱〲〳〴〵〻〼")
_SYMBOL_LETTERS = ((0x16EE, 0x16F0), (0x2160, 0x2188), (0x24B6, 0x24E9), (0xA6E6, 0xA6EF))
_ALONE = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0x10000, 0x10FFFF))
_ARABIC_DIGITS = ((0x0660, 0x0669), (0x06F0, 0x06F9))
_SELECTORS = ((0xFE00, 0xFE0F),)
_SYRIAC_VOWELS = ((0x0711, 0x0711), (0x0730, 0x073F))

# Pairs of Unicode 16, which the models know and older tables of Python do not.
_NEW_PAIRS = {"\u1c89": "\u1c8a", "\ua7cb": "\u0264"}
_NEW_LETTERS = frozenset(chain(_NEW_PAIRS, _NEW_PAIRS.values()))


class ClassTable(dict[int, str]):
    """The class of each code point, found when first asked for; `text.translate(table)` gives those of a text."""

    def __missing__(self, point: int) -> str:
        """Return the class of a code point and remember it."""
        found = self[point] = _class_of(chr(point))
        return found


def _class_of(char: str) -> str:
    category, point = unicodedata.category(char), ord(char)
    if category[0] == "Z" or char in "\t\n":
        return SPACE
    if char in _NEW_LETTERS:
        return WORD
    if _within(point, _SYMBOL_LETTERS):
        return WORD_SYMBOL if category[0] == "S" else WORD
    if category == "Nd" and (char.isascii() or _within(point, _ARABIC_DIGITS)):
        return DIGIT if char.isascii() else ARABIC_DIGIT
    if char in _PUNCTUATION or (char.isascii() and category[0] in "PS"):
        return PUNCTUATION
    if _within(point, _SELECTORS):
        return SELECTOR
    if category[0] in "MC" and _property("M").fullmatch(char):
        return _class_of_mark(char)
    if category[0] == "L" and not _within(point, _ALONE) and char not in _IDEOGRAPHIC_LETTERS:
        return WORD
    return _class_beside_words(char, category)


def _class_of_mark(char: str) -> str:
    """Return the class of a combining mark: an alphabetic one is part of a word, any other a symbol between words."""
    if ord(char) >= 0x10000:
        return LETTER
    if not _property("Alphabetic").fullmatch(char):
        return SYMBOL
    opens = unicodedata.combining(char) and not _within(ord(char), _SYRIAC_VOWELS)
    return MARK if opens else WORD


def _class_beside_words(char: str, category: str) -> str:
    if ord(char) >= 0x10000:
        return LETTER
    if category[0] in "PS" or category in ("Cf", "Cn"):
        ideographic = "\u3001" <= char <= "\u303f" and (category[0] == "P" or char in _IDEOGRAPHIC_SYMBOLS)
        return LETTER if ideographic else SYMBOL
    return NUMBER if category in ("Nd", "No") else LETTER


def _within(point: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= point <= last for first, last in ranges)


@lru_cache
def _property(name: str) -> "regex.Pattern[str]":
    """Return a pattern for a property in the tables of regex, which are newer than Python's and know derived ones."""
    import regex

    return regex.compile(rf"\p{{{name}}}")


def is_upper(char: str) -> bool:
    """Return whether a character is a capital with a small form of its own. The models take ϴ for none."""
    return char in _NEW_PAIRS or (char.isupper() and char != "ϴ" and char.lower() != char)


def is_lower(char: str) -> bool:
    """Return whether a character is a small letter."""
    return char.islower() or char in _NEW_PAIRS.values()


def lowered(text: str) -> str:
    """Return the text with each capital replaced by its small form, character by character."""
    return "".join(char if char == "ϴ" else _NEW_PAIRS.get(char, char.lower()) for char in text)


def is_letter(char: str) -> bool:
    """Return whether a character of a word is a letter or a mark, as opposed to a letter-like symbol."""
    return char in _NEW_LETTERS or unicodedata.category(char)[0] in "LM"
