"""Lexical relevance: BM25 over an index in memory, made by SQLite's full-text search (FTS5)."""

import re
import sqlite3
from collections.abc import Sequence
from itertools import chain
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

_CJK = re.compile(r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])")
_WORD = re.compile(r"\w+")


class LexicalIndex:
    """A BM25 index of texts (Porter stems; each Chinese, Japanese or Korean character is a word of its own).

    Scores follow SQLite's bm25() with its sign turned: higher is better, 0 for a text without any word of the query.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._size = len(texts)
        # The window builds an index on a worker and asks it on another; each use is complete before the next.
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        # A connection is in a circle with its statements: by itself it would keep its pages until a collection comes.
        self._close = finalize(self, self._database.close)
        self._database.execute("create virtual table texts using fts5(text, content='', tokenize='porter unicode61')")
        rows = ((number, _spaced(text)) for number, text in enumerate(texts, 1))
        self._database.executemany("insert into texts(rowid, text) values (?, ?)", rows)

    def scores(self, query: str) -> NDArray[np.float64]:
        """The relevance of every text to a query, in the order of the texts."""
        scores = np.zeros(self._size)
        wanted = " OR ".join(f'"{word}"' for word in dict.fromkeys(words_of(query)))
        if not wanted:
            return scores
        found = self._database.execute("select rowid, bm25(texts) from texts where texts match ?", (wanted,))
        table = np.fromiter(chain.from_iterable(found), np.float64).reshape(-1, 2)
        scores[table[:, 0].astype(np.intp) - 1] = -table[:, 1]
        return scores

    def close(self) -> None:
        """Let go of the index."""
        self._close()


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, as they are compared before stems are made of them."""
    return _WORD.findall(_spaced(text).casefold())


def _spaced(text: str) -> str:
    """The text with blanks around characters of scripts that are written without them."""
    return _CJK.sub(r" \1 ", text)
