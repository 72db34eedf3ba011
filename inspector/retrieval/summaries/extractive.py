"""Extractive summaries: the most informative sentences of a text, unchanged. No model writes anything.

A sentence is compared with the middle of all sentences (the centroid), and repetition is avoided (maximal marginal
relevance: Carbonell and Goldstein, SIGIR 1998, doi 10.1145/290941.291025). Vectors come from an embedder; without one
they are TF-IDF over the sentences of the text and of the messages around it.
"""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from inspector.retrieval.summaries.sentences import Sentence, sentences
from inspector.retrieval.summaries.summarizer import Original, SummaryError, SummaryMethod, earlier
from inspector.retrieval.vectors.embedding import Embedder, EmbedderUnavailableError
from inspector.tokens.tokenizer import Tokenizer

F32 = NDArray[np.float32]

RELEVANCE = 0.7
"""The weight of likeness to the whole against unlikeness to the sentences already chosen (the lambda of the method)."""
MOST_SENTENCES = 400
"""Only this many sentences of a longer text are considered: the work grows with their square."""
CUT_MARK = "…"

# Increase it with any change of this module or of the sentences that affects summaries, to invalidate cached ones.
_RULES = 1
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class Extractive:
    """Summaries of at most `limit` tokens, made of whole sentences in order.

    A text of no more tokens stays whole, and so does a text whose summary would not be cheaper. If no sentence fits,
    the most informative one is cut.
    """

    name: SummaryMethod = "extractive"
    chunk = 200

    def __init__(self, tokenizer: Tokenizer, embedder: Embedder | None, limit: int) -> None:
        self._tokenizer, self._embedder, self._limit = tokenizer, embedder, limit

    @property
    def reads_neighbours(self) -> bool:
        """Whether the messages around a text change its summary: only when words are compared."""
        return self._embedder is None

    @property
    def fingerprint(self) -> str:
        """The method, its rules and everything that affects its choice."""
        vectors = self._embedder.fingerprint if self._embedder else "tf-idf"
        return f"extractive {_RULES}, {self._limit} tokens, {self._tokenizer.fingerprint}, {vectors}"

    def summarize(self, originals: Sequence[Original]) -> list[str]:
        """Return the summary of each text, "" if the text stays whole."""
        sizes = self._tokenizer.count([original.text for original in originals]).tolist()
        long = [place for place, size in enumerate(sizes) if size > self._limit]
        parts = [sentences(originals[place].text)[:MOST_SENTENCES] for place in long]
        texts = [
            [originals[place].text[start:end] for start, end in part] for place, part in zip(long, parts, strict=True)
        ]
        lengths = self._by_text(texts)
        vectors = self._vectors(texts, [originals[place].around for place in long])
        found = [""] * len(originals)
        for number, place in enumerate(long):
            found[place] = self._summary(originals[place].text, parts[number], lengths[number], vectors[number])
        return self._only_cheaper(found, sizes)

    def _by_text(self, texts: Sequence[Sequence[str]]) -> list[list[int]]:
        """Return the tokens of each sentence of each text, counted together."""
        counts = iter(self._tokenizer.count([sentence for part in texts for sentence in part]).tolist())
        return [[next(counts) for _ in part] for part in texts]

    def _vectors(self, texts: Sequence[Sequence[str]], around: Sequence[tuple[str, ...]]) -> list[F32]:
        """Return a matrix for each text, with a row of length 1 for each of its sentences."""
        if self._embedder is None:
            return [word_vectors(part, more) for part, more in zip(texts, around, strict=True)]
        try:
            matrix = self._embedder.embed([sentence for part in texts for sentence in part])
        except EmbedderUnavailableError as problem:
            raise SummaryError(f"Summaries cannot be made with {self._embedder.name}: {problem}") from None
        return np.split(matrix, np.cumsum([len(part) for part in texts])[:-1]) if texts else []

    def _summary(self, text: str, parts: Sequence[Sentence], lengths: Sequence[int], vectors: F32) -> str:
        chosen = best_sentences(vectors, lengths, self._limit)
        if not chosen:
            best = int(np.argmax(vectors @ vectors.sum(axis=0)))
            return self._beginning(text[parts[best].start : parts[best].end])
        while len(chosen) > 1 and self._tokenizer.count([joined(text, parts, sorted(chosen))])[0] > self._limit:
            chosen.pop()
        return joined(text, parts, sorted(chosen))

    def _beginning(self, sentence: str) -> str:
        """Return the beginning of an overlong sentence, with a mark at the cut."""
        for room in range(self._limit, 0, -1):
            cut = self._tokenizer.first(sentence, room).rstrip() + CUT_MARK
            if self._tokenizer.count([cut])[0] <= self._limit:
                return cut
        return self._tokenizer.first(sentence, self._limit).rstrip()

    def _only_cheaper(self, found: list[str], sizes: Sequence[int]) -> list[str]:
        costs = self._tokenizer.count([earlier(summary) for summary in found]).tolist()
        return [summary if cost < size else "" for summary, cost, size in zip(found, costs, sizes, strict=True)]


def best_sentences(vectors: F32, lengths: Sequence[int], limit: int) -> list[int]:
    """Return the most informative sentences within `limit` tokens, the best first; of equal ones the earlier.

    `vectors` has a row of length 1 for each sentence (zeros for a sentence without words), `lengths` are their tokens.
    A sentence that does not fit is skipped.
    """
    likeness = vectors @ vectors.T
    middle = vectors.sum(axis=0)
    length = float(np.linalg.norm(middle))
    relevance = vectors @ middle / length if length else np.zeros(len(vectors), np.float32)
    repeated = np.zeros(len(vectors), np.float32)
    sizes = np.asarray(lengths, np.int64)
    open_ = np.ones(len(vectors), np.bool_)
    chosen: list[int] = []
    left = limit
    while (fitting := open_ & (sizes <= left)).any():
        worth = RELEVANCE * relevance - (1 - RELEVANCE) * repeated
        # Rounded, so that another order of summation on another machine does not decide between equal sentences.
        best = int(np.argmax(np.where(fitting, np.round(worth, 5), -np.inf)))
        chosen.append(best)
        open_[best] = False
        left -= int(sizes[best])
        repeated = np.maximum(repeated, likeness[best])
    return chosen


def joined(text: str, parts: Sequence[Sentence], chosen: Sequence[int]) -> str:
    """Return these sentences of a text in order, each separated from the next by its original white space."""
    pieces: list[str] = []
    for place in chosen:
        following = parts[place + 1].start if place + 1 < len(parts) else parts[place].end
        gap = text[parts[place].end : following]
        pieces += [text[parts[place].start : parts[place].end], "\n" if "\n" in gap else " " if gap else ""]
    return "".join(pieces[:-1])


def word_vectors(texts: Sequence[str], around: Sequence[str]) -> F32:
    """Return TF-IDF of sentences, a row of length 1 for each; words rare in them and the texts `around` weigh more."""
    counted = [Counter(_words(text)) for text in texts]
    others = [set(_words(text[part.start : part.end])) for text in around for part in sentences(text)[:MOST_SENTENCES]]
    spread = Counter(word for found in [*map(set, counted), *others] for word in found)
    places = {word: place for place, word in enumerate(dict.fromkeys(word for found in counted for word in found))}
    matrix = np.zeros((len(texts), len(places)), np.float32)
    total = len(counted) + len(others)
    for row, found in enumerate(counted):
        for word, times in found.items():
            matrix[row, places[word]] = (1 + log(times)) * (1 + log((1 + total) / (1 + spread[word])))
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.divide(matrix, lengths, out=matrix, where=lengths > 0)


def _words(text: str) -> list[str]:
    """Return words in the form used for comparison: case folded; pairs of characters in scripts without spaces."""
    found: list[str] = []
    for word in _WORD.findall(text.casefold()):
        if _UNSPACED.search(word):
            found += [word[place : place + 2] for place in range(max(1, len(word) - 1))]
        else:
            found.append(word)
    return found
