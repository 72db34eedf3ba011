"""Retrieval on real chats: what answers a question is found, and every part of a similarity adds to what is found.

The chats are LoCoMo's, which are no part of the project; without them nothing is tested here.
"""

from dataclasses import replace

import pytest

from inspector.retrieval.vectors.choice import choose_embedder
from tests.bench.retrieval import MEMORIES, TURNS, Kind, Talk, recall_of, steps, talks
from tests.examples import cases

ASKED = "conv-42"
TURNS_FOUND, MEMORIES_FOUND = 76.0, 66.0
"""Percent of the evidence, the mean over all depths; 77.4 and 67.3 were found."""
PARTS = {
    "stems": {"stems": False},
    "speakers": {"speakers": False},
    "months": {"months": False},
    "neighbours": {"before": 0.0, "after": 0.0},
    "sitting": {"sitting": 0.0},
    "vectors": {"vectors": 0.0},
}


@pytest.fixture(scope="module")
def talk() -> Talk:
    found = next((talk for talk in talks() if talk.conversation.id == ASKED), None)
    if found is None:
        pytest.skip("the chats are not here")
    if choose_embedder("auto").embedder is None:
        pytest.skip("no word vectors here")
    return found


def found(talk: Talk, kind: Kind, **settings: object) -> float:
    *_, usual = steps()
    shares = recall_of([talk], replace(usual, settings=replace(usual.settings, **settings)), kind)  # type: ignore[arg-type]
    return 100 * sum(shares) / len(shares)


def test_turns_and_memories_that_answer_are_found(talk: Talk) -> None:
    assert found(talk, TURNS) >= TURNS_FOUND
    assert found(talk, MEMORIES) >= MEMORIES_FOUND


@pytest.mark.parametrize("part", cases(PARTS, ["stems", "vectors"]))
def test_without_a_part_less_is_found(talk: Talk, part: str) -> None:
    assert found(talk, TURNS, **PARTS[part]) < found(talk, TURNS) - 0.5


def test_without_their_source_messages_fewer_memories_are_found(talk: Talk) -> None:
    assert found(talk, MEMORIES, sources=0.0) < found(talk, MEMORIES) - 1


def test_without_stop_words_left_out_less_is_found_in_another_chat(talk: Talk) -> None:
    other = talks()[1]
    assert found(other, TURNS, stop_words=False) < found(other, TURNS) - 1
