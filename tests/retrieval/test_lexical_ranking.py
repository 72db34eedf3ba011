"""Lexical relevance: the query decides the ranking, word forms and scripts without blanks are found."""

import gc
import sqlite3

import numpy as np
import pytest

from inspector.retrieval.lexical import LexicalIndex

TEXTS = ("The boat needs a new keel", "Rain on the roof", "She sails boats in the rain", "")


def ranking(texts: tuple[str, ...], query: str) -> list[int]:
    index = LexicalIndex(texts)
    scores = index.scores(query)
    index.close()
    return [int(row) for row in np.argsort(-scores, kind="stable") if scores[row] > 0]


def test_another_query_gives_another_ranking() -> None:
    assert ranking(TEXTS, "keel") == [0]
    assert ranking(TEXTS, "the roof")[0] == 1
    assert ranking(TEXTS, "rain and boats")[0] == 2


@pytest.mark.parametrize("query", ["boat", "boats", "BOAT"])
def test_word_forms_are_one(query: str) -> None:
    assert set(ranking(TEXTS, query)) == {0, 2}


@pytest.mark.parametrize("query", ["", "   ", "?!", "zebra", '" OR *', "AND NOT", "texts:keel^"])
def test_a_query_without_known_words_is_no_error(query: str) -> None:
    assert set(ranking(TEXTS, query)) <= {0}


@pytest.mark.parametrize(
    ("texts", "query", "first"),
    [
        (("私は船が好きです", "雨が降っている"), "船はどこ", 0),
        (("我喜欢下雨天", "船在港口"), "下雨", 0),
        (("바다에 배가 있다", "비가 온다"), "비", 1),
    ],
)
def test_scripts_without_blanks_are_searched_character_by_character(
    texts: tuple[str, ...], query: str, first: int
) -> None:
    assert ranking(texts, query)[0] == first


def test_an_index_that_nobody_holds_gives_its_memory_back() -> None:
    """Without a collection: the window is not collected while it loads, and what it has loaded never."""
    gc.disable()
    try:
        index = LexicalIndex(TEXTS)
        database = index._database
        del index
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            database.execute("select 1")
    finally:
        gc.enable()
