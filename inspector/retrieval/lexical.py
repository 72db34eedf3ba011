"""Lexical relevance: BM25 over the stems of words, in memory."""

import re
import unicodedata
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count, repeat
from types import MappingProxyType

import msgspec
import numpy as np
from numpy.typing import NDArray

from inspector.derived import cached_property
from inspector.resources import resource
from inspector.retrieval.relevance.settings import AS_MEASURED, RelevanceSettings
from inspector.retrieval.relevance.surroundings import NOTHING_KNOWN, Months, Surroundings

I32 = NDArray[np.int32]
Rows = NDArray[np.intp]


class Postings:
    """An index of lists of words, a list per text.

    `numbers` numbers the distinct words, `lengths` are the numbers of words of each text. The texts of word w are
    `rows[starts[w]:starts[w + 1]]`, with its number of occurrences in each in `times`.
    """

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        known = defaultdict[str, int](count().__next__)
        words, rows, lengths = array("i"), array("i"), array("i")
        for row, text in enumerate(texts):
            words.extend(map(known.__getitem__, text))
            rows.extend(repeat(row, len(text)))  # numpy's repeat would block every other thread
            lengths.append(len(text))
        self.numbers: dict[str, int] = dict(known)
        self.lengths: I32 = np.frombuffer(lengths, np.int32) if lengths else np.empty(0, np.int32)
        self._arrange(np.array(words, np.int64), np.array(rows, np.int64))

    def _arrange(self, words: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        size = max(1, len(self.lengths))
        pairs, times = np.unique(words * size + rows, return_counts=True)
        self.rows: I32 = (pairs % size).astype(np.int32)
        self.times: I32 = times.astype(np.int32)
        self.starts: Rows = np.searchsorted(pairs, np.arange(len(self.numbers) + 1) * size)

    def frequencies(self) -> dict[str, int]:
        """Return the number of occurrences of each word in all texts."""
        if not self.numbers:
            return {}
        sums: list[int] = np.add.reduceat(self.times, self.starts[:-1], dtype=np.int64).tolist()
        return dict(zip(self.numbers, sums, strict=True))

    def of(self, word: int) -> tuple[I32, I32]:
        """Return the texts containing a word, and its number of occurrences in each."""
        inside = slice(self.starts[word], self.starts[word + 1])
        return self.rows[inside], self.times[inside]

    def holds(self, word: int, row: int) -> bool:
        """Return whether a text contains a word."""
        inside = self.rows[self.starts[word] : self.starts[word + 1]]
        place = int(np.searchsorted(inside, row))
        return place < len(inside) and int(inside[place]) == row


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


F64 = NDArray[np.float64]

SATURATION = 1.2
"""BM25's k1: how soon repeating a word stops counting."""
_MOST_WEIGHED = 8
"""The indexes weighed for other settings that are kept."""
_MOST_REMEMBERED = 500_000
"""The results of words are cached for at most this many texts, summed over the words."""
_ABSENT = -1
_CJK = re.compile(r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, eq=False)
class WordScores:
    """The BM25 score of each text, 0 without any word of the query; `whole` is the score of a text like the query.

    It is the sum of the worths of all words of the query, including those in no text.
    """

    values: F64
    whole: float


@dataclass(frozen=True, eq=False)
class EachScores:
    """`WordScores` of many queries: `values` of the shape (queries, texts), and `wholes` of the shape (queries,)."""

    values: F64
    wholes: F64


class LexicalIndex:
    """A BM25 index of texts, with the names of their speakers and months if known.

    The language is that of the texts. Each Chinese, Japanese or Korean character is a word of its own.
    """

    def __init__(self, texts: Sequence[str], surroundings: Surroundings = NOTHING_KNOWN) -> None:
        self._size = len(texts)
        own = Postings(map(words_of, texts))
        self.language = language_of(own.frequencies())
        self._standing: dict[tuple[tuple[str, ...], bool], _Standing] = {}
        self._weighed: dict[tuple[tuple[str, ...], bool, float], _Weighed] = {}
        self._fields = {"texts": _Field(own, self.language)}
        if surroundings.speakers:
            self._fields["speakers"] = _Field(Postings(_words_of_each(surroundings.speakers)), self.language)
        if surroundings.months:
            named = _month_words(surroundings.months, self.language)
            self._fields["months"] = _Field(Postings(_words_of_each(named)), self.language)

    def scores(
        self,
        query: str,
        settings: RelevanceSettings = AS_MEASURED,
        rows: Rows | None = None,
        fields: tuple[str, ...] = ("texts",),
    ) -> WordScores:
        """Return the relevance to a query of every text, or only of rising `rows`, as if there were no others.

        `fields` are `texts`, `speakers` and `months`; fields unknown for these texts are ignored.
        """
        found = self.scores_each([query], settings, rows, fields)
        return WordScores(found.values[0], float(found.wholes[0]))

    def scores_each(
        self,
        queries: Sequence[str],
        settings: RelevanceSettings = AS_MEASURED,
        rows: Rows | None = None,
        fields: tuple[str, ...] = ("texts",),
    ) -> "EachScores":
        """Return `scores` for many queries at once."""
        weighed = self._weighed_among(rows, fields, settings)
        asked = weighed.words_of_each([self._asked(query, settings) for query in queries])
        wholes = np.array([sum(word.worth for word in words) for words in asked], np.float64)
        return EachScores(_gathered(asked, weighed.size), wholes)

    def _weighed_among(self, rows: Rows | None, fields: tuple[str, ...], settings: RelevanceSettings) -> "_Weighed":
        """Return the worth of words among all texts, which is cached, or among some rows."""
        stems, length = settings.stems, settings.length
        standing = self._standing.get((fields, stems))
        if standing is None:
            standing = _Standing([self._fields[name] for name in fields if name in self._fields], stems)
            self._standing[fields, stems] = standing
        if rows is not None:
            return _Weighed(standing, self._size, rows, length)
        if (fields, stems, length) not in self._weighed:
            if len(self._weighed) >= _MOST_WEIGHED:  # a slider of the share of length makes many
                self._weighed.clear()
            self._weighed[fields, stems, length] = _Weighed(standing, self._size, np.arange(self._size), length)
        return self._weighed[fields, stems, length]

    def found(self, query: str, row: int, settings: RelevanceSettings, fields: tuple[str, ...]) -> tuple[str, ...]:
        """Return the words of a query found in a text in any form, as written in the query."""
        used = [self._fields[name] for name in fields if name in self._fields]
        asked = self._asked(query, settings)
        return tuple(asked[key] for key in asked if any(field.holds(key, settings.stems, row) for field in used))

    def _asked(self, query: str, settings: RelevanceSettings) -> Mapping[str, str]:
        """Return the words of a query by their look-up keys; stop words only if there are no others."""
        return _asked_words(query, self.language.name, settings.stems, settings.stop_words)


@lru_cache(maxsize=256)
def _asked_words(query: str, language_name: str, stems: bool, stop_words: bool) -> Mapping[str, str]:
    """Return the words of a query by their look-up keys, cached because a query is compared several times."""
    language, words = languages()[language_name], list(dict.fromkeys(words_of(query)))
    if stop_words:
        stop = language.plain_stop_words
        words = [word for word in words if (word if word.isascii() else without_accents(word)) not in stop] or words
    key = stemmer(language) if stems else without_accents
    asked: dict[str, str] = {}
    for word in words:
        asked.setdefault(key(word), word)
    return MappingProxyType(asked)


@dataclass(frozen=True, eq=False)
class _WordGains:
    """The worth of a word of a query, and its contribution to the scores of the texts at some places."""

    worth: float
    places: Rows
    gains: F64


def _gathered(asked: Sequence[Sequence[_WordGains]], size: int) -> F64:
    """Return the sums of the words' gains for each query, shape (queries, texts), added in the order of the words."""
    words = [word for words in asked for word in words]
    if not words:
        return np.zeros((len(asked), size))
    queries = np.repeat(np.arange(len(asked)), [len(words) for words in asked])
    cells = np.concatenate([word.places for word in words])
    cells += np.repeat(queries * size, [len(word.places) for word in words])
    gains = np.concatenate([word.gains for word in words])
    sums = np.bincount(cells, gains, minlength=len(asked) * size).astype(np.float64, copy=False)
    return sums.reshape(len(asked), size)


class _Standing:
    """The texts containing a word in any of some fields, cached because the same words recur in queries."""

    def __init__(self, fields: "list[_Field]", stems: bool) -> None:
        self._fields, self._stems = fields, stems
        self.lengths = np.sum([field.postings.lengths for field in fields], axis=0)
        self._known: dict[str, tuple[Rows, F64]] = {}
        self._room = _MOST_REMEMBERED

    def times(self, key: str) -> tuple[Rows, F64]:
        """Return the texts with words of this key, each once, and the number of occurrences in each."""
        known = self._known.get(key)
        if known is None:
            known = _times(key, self._stems, self._fields)
            if self._room >= len(known[0]):
                self._room -= len(known[0])
                self._known[key] = known
        return known


class _Weighed:
    """The worths of words among the rising rows `chosen` of an index; `size` is the number of these rows.

    `length` is BM25's b: how strongly long texts are held back.
    """

    def __init__(self, standing: _Standing, size: int, chosen: Rows, length: float) -> None:
        self._standing, self.size, self._length = standing, len(chosen), length
        # The first rows, as at every turn of a talk, keep their places, and so do their words.
        self._are_first = not len(chosen) or int(chosen[-1]) == len(chosen) - 1
        self._places: Rows | None = None
        self._lengths = standing.lengths[: len(chosen)] if self._are_first else standing.lengths[chosen]
        if not self._are_first:
            self._places = np.full(size, _ABSENT, np.intp)
            self._places[chosen] = np.arange(len(chosen))
        self._mean = float(self._lengths.sum(dtype=np.int64)) / max(1, len(chosen)) or 1.0
        self._known: dict[str, _WordGains] = {}
        self._room = _MOST_REMEMBERED

    def words_of_each(self, asked: Sequence[Iterable[str]]) -> list[list[_WordGains]]:
        """Return the gains of each word of each query; words not seen before are weighed together."""
        known = self._known
        unknown = list(dict.fromkeys(key for keys in asked for key in keys if key not in known))
        if unknown:
            fresh = dict(zip(unknown, self._gains(unknown), strict=True))
            places = sum(len(gains.places) for gains in fresh.values())
            if self._room >= places:  # all or none: they share their arrays
                self._room -= places
                known.update(fresh)
            else:
                known = {**known, **fresh}
        return [[known[key] for key in keys] for keys in asked]

    def _gains(self, keys: Sequence[str]) -> list[_WordGains]:
        standing = [self._standing_here(key) for key in keys]
        places, times = (np.concatenate(column) for column in zip(*standing, strict=True))
        counts = np.array([len(rows) for rows, _ in standing], np.intp)
        worths = np.log(1 + (self.size - counts + 0.5) / (counts + 0.5))
        gains = np.repeat(worths, counts) * times * (SATURATION + 1) / (times + self._slack(places))
        ends = np.cumsum(counts).tolist()
        runs = map(slice, [0, *ends], ends)
        return [_WordGains(worth, places[run], gains[run]) for worth, run in zip(worths.tolist(), runs, strict=False)]

    def _slack(self, places: Rows) -> F64:
        """Return the damping of each of these texts for its length."""
        return SATURATION * (1 - self._length + self._length * self._lengths[places] / self._mean)

    def _standing_here(self, key: str) -> tuple[Rows, F64]:
        """Return the places among these texts with words of this key, and the number of occurrences in each."""
        rows, times = self._standing.times(key)
        if self._places is None:
            end = int(rows.searchsorted(self.size))
            return rows[:end], times[:end]
        found = self._places[rows]
        return found[found != _ABSENT], times[found != _ABSENT]


def _times(key: str, stems: bool, fields: "list[_Field]") -> tuple[Rows, F64]:
    """Return the texts with words of this key in any of these fields, each once, and the occurrences in each."""
    found = [field.postings.of(word) for field in fields for word in field.words(key, stems)]
    if not found:
        return np.empty(0, np.intp), np.empty(0)
    rows, times = (np.concatenate(column) for column in zip(*found, strict=True))
    if len(found) == 1:
        return rows.astype(np.intp), times.astype(np.float64)
    once, places = np.unique(rows, return_inverse=True)
    return once.astype(np.intp), np.bincount(places, times).astype(np.float64)


class _Field:
    """Postings, with look-up of their words by stem or by spelling without accents."""

    def __init__(self, postings: Postings, language: Language) -> None:
        self.postings = postings
        self._keys = {True: _Keys(postings, stemmer(language)), False: _Keys(postings, without_accents)}

    def words(self, key: str, stems: bool) -> list[int]:
        """Return the numbers of the words with this look-up key."""
        return self._keys[stems].words(key)

    def holds(self, key: str, stems: bool, row: int) -> bool:
        """Return whether a text contains any word with this key."""
        return any(self.postings.holds(word, row) for word in self.words(key, stems))


class _Keys:
    """The words by look-up key, in arrays: a list per key would be many objects for the garbage collector."""

    def __init__(self, postings: Postings, key: Callable[[str], str]) -> None:
        known = defaultdict[str, int](count().__next__)
        numbers = (known[key(word)] for word in postings.numbers)
        keys = np.fromiter(numbers, np.int32, len(postings.numbers))
        self._known = dict(known)
        self._words = np.argsort(keys, kind="stable")
        self._starts = np.searchsorted(keys[self._words], np.arange(len(self._known) + 1))

    def words(self, key: str) -> list[int]:
        """Return the numbers of the words with this key."""
        number = self._known.get(key)
        return [] if number is None else self._words[self._starts[number] : self._starts[number + 1]].tolist()


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, before stemming."""
    return _WORD.findall(spaced(text).casefold())


def spaced(text: str) -> str:
    """Return the text with blanks around characters of scripts written without spaces."""
    return text if text.isascii() else _CJK.sub(r" \1 ", text)


def _words_of_each(texts: Sequence[str]) -> list[list[str]]:
    """Return the words of each text, for texts that are mostly equal."""
    known = {text: words_of(text) for text in set(texts)}
    return [known[text] for text in texts]


def _month_words(months: Months, language: Language) -> list[str]:
    known = {month: language.month_words(*month) if month else "" for month in set(months)}
    return [known[month] for month in months]
