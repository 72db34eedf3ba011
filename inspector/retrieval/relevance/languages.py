"""The language of texts, by their stop words, with its stems, stop words and names of months."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import msgspec

from inspector.derived import cached_property
from inspector.resources import resource

USUAL_LANGUAGE = "english"
"""The assumed language of texts that show none, such as very short ones."""
_MOST_STEMS = 100_000
_ACCENT = re.compile(r"[\u0300-\u036f]")


@dataclass(frozen=True)
class Language:
    """A language with a list of stop words; `name` is that of its Snowball algorithm."""

    name: str
    stop_words: frozenset[str]
    months: tuple[tuple[str, ...], ...]

    def month_words(self, year: int, month: int) -> str:
        """Return the words by which a question may name a month, in all forms, and its year."""
        return " ".join((*self.months[month - 1], str(year)))

    @cached_property
    def plain_stop_words(self) -> frozenset[str]:
        """The stop words without accents, a common spelling too."""
        return frozenset(map(without_accents, self.stop_words))


class _Written(msgspec.Struct):
    """A language as written in its file: words separated by blanks."""

    stop_words: str
    months: str


@cache
def languages() -> Mapping[str, Language]:
    """Return the languages by name."""
    written = msgspec.yaml.decode(resource("languages.yaml").read_bytes(), type=dict[str, _Written])
    return {name: _language(name, found) for name, found in written.items()}


def _language(name: str, written: _Written) -> Language:
    months = tuple(tuple(forms.split("/")) for forms in written.months.split())
    return Language(name, frozenset(written.stop_words.split()), months)


def language_of(frequencies: Mapping[str, int]) -> Language:
    """Return the language whose stop words occur most often, given the frequency of each word; else the usual one."""
    shares = {name: _occurrences(language.stop_words, frequencies) for name, language in languages().items()}
    shares[USUAL_LANGUAGE] += 1  # wins ties
    return languages()[max(shares, key=shares.__getitem__)]


def _occurrences(stop_words: Iterable[str], frequencies: Mapping[str, int]) -> int:
    return sum(frequencies.get(word, 0) for word in stop_words)


def stemmer(language: Language) -> Callable[[str], str]:
    """Return a function that strips lower-case words of endings and accents. Use it on a single thread at a time."""
    import snowballstemmer

    stem, stems = snowballstemmer.stemmer(language.name).stemWord, _stems(language.name)

    def stemmed(word: str) -> str:
        found = stems.get(word)
        if found is None:
            found = stems[word] = without_accents(stem(word)) if word.isalpha() else without_accents(word)
            if len(stems) > _MOST_STEMS:
                stems.clear()
        return found

    return stemmed


@cache
def _stems(language: str) -> dict[str, str]:
    """Return the known stems of a language: stemming takes ten times as long as all other work on a word."""
    return {}


def without_accents(word: str) -> str:
    """Return the word with plain Latin, Greek and Cyrillic letters; marks of other scripts stay."""
    return word if word.isascii() else unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", word)))
