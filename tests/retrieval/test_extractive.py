"""Extractive summaries: whole sentences in their order, within the target, the same every time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.retrieval.summaries.extractive import Extractive, best_sentences, joined, word_vectors
from inspector.retrieval.summaries.sentences import sentences
from inspector.retrieval.summaries.summarizer import WHOLE, Original, SummaryError, earlier, summarize_texts
from inspector.retrieval.vectors.embedding import EmbedderUnavailableError
from inspector.tokens.choice import load_tokenizer

WORDS = load_tokenizer("estimate:words")
STORY = (
    "The boat lay in the harbour. It rained all day long. The boat in the harbour was old and grey. Nobody came. "
    "My aunt sells umbrellas in another town. The old boat sank in the harbour at last."
)


class Axes:
    """Vectors by keyword: `boat` is one axis, `rain` another, everything else a third."""

    name, fingerprint, quick, chunk = "axes", "axes@1", True, 10

    def embed(self, texts: list[str]) -> np.ndarray:
        rows = [[("boat" in text) * 1.0, ("rain" in text) * 1.0, 0.1] for text in texts]
        matrix = np.array(rows, np.float32).reshape(-1, 3)
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def summary(text: str, limit: int, embedder: object = None, around: tuple[str, ...] = ()) -> str:
    return Extractive(WORDS, embedder, limit).summarize([Original(text, around)])[0]  # type: ignore[arg-type]


def test_the_sentences_that_say_most_stand_in_their_order() -> None:
    vectors = np.array([[1, 0], [0, 1], [1, 0], [0.8, 0.6]], np.float32)
    assert best_sentences(vectors, [5, 5, 5, 5], 10) == [3, 0]
    assert best_sentences(vectors, [5, 5, 5, 5], 5) == [3]
    assert best_sentences(vectors, [5, 5, 5, 6], 5) == [0]
    assert best_sentences(vectors, [5, 5, 5, 5], 4) == []
    assert best_sentences(np.zeros((3, 0), np.float32), [1, 1, 1], 2) == [0, 1]


def test_what_was_said_already_is_worth_less() -> None:
    """By hand: the centroid of a, a, b is (2, 1) / √5; after a, a again is worth .7 × .894 − .3, and b .7 × .447."""
    vectors = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
    assert best_sentences(vectors, [1, 1, 1], 2) == [0, 1]
    nearer = np.array([[1, 0], [1, 0], [0.5, 0.8660254]], np.float32)
    assert best_sentences(nearer, [1, 1, 1], 2) == [0, 2]


def test_a_long_text_becomes_the_sentences_that_say_most_of_it() -> None:
    """By hand: relevance is .811 for each boat, .606 for nothing special, .311 for rain; the other boats do not fit."""
    assert summary(STORY, 14, Axes()) == "The boat lay in the harbour. It rained all day long. Nobody came."
    assert summary(STORY, 8, Axes()) == "The boat lay in the harbour. Nobody came."


def test_without_an_embedder_words_are_compared() -> None:
    found = summary(STORY, 15)
    assert "harbour" in found
    assert "umbrellas" not in found


def test_a_short_text_stays_whole_and_so_does_one_that_would_not_become_cheaper() -> None:
    assert summary("One two three. Four five.", 5) == WHOLE
    assert summary("One two three. Four five.", 4) == "One two three."
    text = "One two three. Four."
    assert WORDS.count([earlier("One two three.")])[0] == WORDS.count([text])[0]
    assert summary(text, 3) == WHOLE


def test_a_sentence_longer_than_the_target_is_cut() -> None:
    assert summary("one two three four five six", 3) == "one two three…"
    assert summary(("字" * 50 + "。") * 2, 1) == WHOLE


def test_code_is_taken_whole_or_not_at_all() -> None:
    text = "Talk of nothing at all here. ```\nx = 1\ny = 2\n```\nMore talk of nothing at all."
    block = "Look here:\n```\nx = 1\ny = 2\n```"
    assert summary(f"{block}\nTalk talk talk. Talk talk talk talk talk.", 10).count("```") in (0, 2)
    assert "x = 1\ny = 2" in joined(block, sentences(block), [0, 1])
    assert "x =" not in summary(text, 6)


def test_gaps_keep_the_white_space_of_the_script() -> None:
    text = "今天下雨。我们在家。明天晴天。"
    assert joined(text, sentences(text), [0, 2]) == "今天下雨。明天晴天。"
    lines = "one\n\ntwo\nthree. Four"
    assert joined(lines, sentences(lines), [0, 2, 3]) == "one\nthree. Four"


def test_the_neighbours_say_which_words_are_rare() -> None:
    plain = word_vectors(["the boat", "the rain"], ())
    among_boats = word_vectors(["the boat", "the rain"], ("The boat. A boat! Boat?",))
    assert among_boats[0, 1] < plain[0, 1]
    np.testing.assert_allclose(np.linalg.norm(among_boats, axis=1), 1, rtol=1e-5)
    assert Extractive(WORDS, None, 5).reads_neighbours
    assert not Extractive(WORDS, Axes(), 5).reads_neighbours  # type: ignore[arg-type]


def test_scripts_without_spaces_are_compared_by_pairs_of_characters() -> None:
    alike = word_vectors(["我喜欢北京", "北京很大", "天气不好"], ())
    assert alike[0] @ alike[1] > 0
    assert alike[0] @ alike[2] == 0


def test_the_fingerprint_says_everything_that_decides() -> None:
    other = load_tokenizer("estimate:brain")
    made = [
        Extractive(WORDS, None, 60),
        Extractive(WORDS, None, 61),
        Extractive(other, None, 60),
        Extractive(WORDS, Axes(), 60),  # type: ignore[arg-type]
    ]
    assert len({one.fingerprint for one in made}) == len(made)


def test_an_embedder_that_turns_out_to_be_of_no_use_is_said() -> None:
    class Broken(Axes):
        def embed(self, texts: list[str]) -> np.ndarray:
            raise EmbedderUnavailableError("its weights are not here")

    with pytest.raises(SummaryError, match="axes: its weights are not here"):
        summary(STORY, 10, Broken())


@given(
    st.lists(
        st.lists(st.sampled_from(["boat", "rain", "sea", "old", "字", "x=1"]), min_size=1, max_size=9), max_size=12
    ),
    st.integers(1, 20),
)
def test_a_summary_is_within_the_target_of_the_text_s_own_sentences_and_cheaper(
    said: list[list[str]], limit: int
) -> None:
    text = " ".join(" ".join(part).capitalize() + "." for part in said)
    found = summary(text, limit)
    assert found == summary(text, limit)
    if found == WHOLE:
        return
    assert WORDS.count([found])[0] <= limit
    assert WORDS.count([earlier(found)])[0] < WORDS.count([text])[0]
    own = [text[start:end] for start, end in sentences(text)]
    taken = [found[start:end] for start, end in sentences(found)]
    rest = iter(own)
    assert found.endswith("…") or all(any(part == other for other in rest) for part in taken)


def test_chunks_come_in_order() -> None:
    originals = [Original(f"Number {number} is here. And it stays for long.") for number in range(7)]
    chunks = list(summarize_texts(originals, Extractive(WORDS, None, 5), chunk=3))
    assert [(chunk.start, len(chunk.summaries)) for chunk in chunks] == [(0, 3), (3, 3), (6, 1)]
    assert [part for chunk in chunks for part in chunk.summaries] == [
        Extractive(WORDS, None, 5).summarize([original])[0] for original in originals
    ]
