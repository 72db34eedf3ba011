"""Lexical relevance: the query decides the ranking, word forms and scripts without blanks are found."""

import gc
from dataclasses import replace

import numpy as np
import pytest

from inspector.retrieval.lexical import LexicalIndex
from inspector.retrieval.relevance.settings import AS_MEASURED
from inspector.retrieval.relevance.surroundings import Surroundings

TEXTS = ("The boat needs a new keel", "Rain on the roof", "She sails boats in the rain", "")


def ranking(texts: tuple[str, ...], query: str) -> list[int]:
    scores = LexicalIndex(texts).scores(query).values
    return [int(row) for row in np.argsort(-scores, kind="stable") if scores[row] > 0]


def test_an_index_leaves_no_circle_behind() -> None:
    """What is open is frozen: the collector would never find the words of a workspace that went."""
    ranking(TEXTS, "boats")  # what is made once for all stays
    gc.collect()
    gc.disable()
    try:
        LexicalIndex(TEXTS).scores("boats")
        assert gc.collect() == 0
    finally:
        gc.enable()


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


BY_WORDS = replace(AS_MEASURED, stems=False, stop_words=False)


def test_a_score_by_hand() -> None:
    found = LexicalIndex(("red red boat", "red", "sea sea sea")).scores("red whale", BY_WORDS)
    worth, unknown = np.log(1 + 1.5 / 2.5), np.log(1 + 3.5 / 0.5)
    mean = 7 / 3
    first = worth * 2 * 2.2 / (2 + 1.2 * (0.7 + 0.3 * 3 / mean))
    second = worth * 1 * 2.2 / (1 + 1.2 * (0.7 + 0.3 * 1 / mean))
    assert found.values == pytest.approx([first, second, 0])
    assert found.whole == pytest.approx(worth + unknown)


def test_some_rows_are_scored_as_if_there_were_no_others() -> None:
    index = LexicalIndex(TEXTS)
    rows = np.array([0, 2])
    alone = LexicalIndex([TEXTS[0], TEXTS[2]]).scores("boats in the rain")
    assert index.scores("boats in the rain", rows=rows).values.tolist() == alone.values.tolist()


def test_stop_words_count_only_where_there_is_nothing_else() -> None:
    index = LexicalIndex(TEXTS)
    assert (index.scores("where is the keel").values > 0).tolist() == [True, False, False, False]
    assert (index.scores("in the").values > 0).tolist() == [True, True, True, False]
    assert (index.scores("where is the keel", BY_WORDS).values > 0).tolist() == [True, True, True, False]


def test_forms_of_a_word_are_apart_without_stems() -> None:
    assert (LexicalIndex(TEXTS).scores("boats", BY_WORDS).values > 0).tolist() == [False, False, True, False]


@pytest.mark.parametrize(
    ("language", "texts", "query", "found"),
    [
        ("german", ("Die Häuser sind alt", "Der Hund schläft auf dem Sofa"), "Wo ist das Haus?", 0),
        ("french", ("Les chevaux sont dans le pré", "Il a mangé une pomme"), "mangeait-il des pommes", 1),
        ("spanish", ("Los barcos están en el puerto", "La niña duerme en su cama"), "¿dónde duermen los niños?", 1),
        ("russian", ("Она купила новую лодку", "Он живёт в большом доме"), "где лодка", 0),
    ],
)
def test_words_are_stemmed_in_the_language_of_the_texts(
    language: str, texts: tuple[str, ...], query: str, found: int
) -> None:
    assert LexicalIndex(texts).language.name == language
    assert ranking(texts, query) == [found]


@pytest.mark.parametrize("query", ["café", "cafe", "CAFÉS", "cafe\u0301"])
def test_accents_are_no_difference(query: str) -> None:
    assert ranking(("we met at the café", "we met at home"), query) == [0]


def test_names_and_months_are_words_where_they_are_asked_for() -> None:
    index = LexicalIndex(("I like tea", "I like rain"), Surroundings(("Ana", "Ben"), ((2023, 5), None)))
    for query in ("Ben", "in May", "2023"):
        assert not index.scores(query).values.any()
    assert (index.scores("Ben", fields=("texts", "speakers")).values > 0).tolist() == [False, True]
    assert (index.scores("in May 2023", fields=("texts", "months")).values > 0).tolist() == [True, False]
    assert index.found("What tea did Ana like?", 0, AS_MEASURED, ("texts", "speakers")) == ("tea", "ana", "like")
    assert index.found("What tea did Ana like?", 1, AS_MEASURED, ("texts", "speakers")) == ("like",)


def test_what_is_remembered_of_words_changes_no_score() -> None:
    index, rows = LexicalIndex(TEXTS), np.array([0, 2])
    for among in (None, rows, None, rows):
        again = index.scores("boats in the rain", rows=among)
        fresh = LexicalIndex(TEXTS).scores("boats in the rain", rows=among)
        assert (again.values.tolist(), again.whole) == (fresh.values.tolist(), fresh.whole)
