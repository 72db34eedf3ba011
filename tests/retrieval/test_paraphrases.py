"""Questions in other words than what answers them: fused, they find as much as vectors alone do."""

import numpy as np
import pytest

from inspector.retrieval.similarity import Measure, Similarity
from inspector.retrieval.vectors.choice import choose_embedder
from inspector.retrieval.vectors.embedding import TextVectors

PAIRS = (
    ("What pet does she have?", "Her kitten sleeps on the windowsill every afternoon"),
    ("Where is the family home?", "Their parents' house stands near the lake in Vermont"),
    ("What does he do for a living?", "He works as a nurse at the city hospital"),
    ("Any food she cannot eat?", "She is allergic to peanuts and shellfish"),
    ("Which instrument can he play?", "He practises the violin each morning"),
    ("How does she get to the office?", "She commutes downtown by train and bicycle"),
    ("What are they afraid of?", "Thunder and lightning terrify both brothers"),
    ("When is the wedding?", "They will marry on the twelfth of June"),
    ("Did he hurt himself?", "He broke his ankle while skiing last winter"),
    ("What is her favourite drink?", "She loves green tea with honey"),
    ("Is money tight?", "Their savings are almost gone after paying rent"),
    ("What languages are spoken?", "He is fluent in Portuguese and learning Japanese"),
    ("How did the exam go?", "She failed her chemistry test but passed physics"),
    ("What vehicle do they own?", "They bought a used blue truck from a neighbour"),
    ("Which sport does he follow?", "He watches every football match of his club"),
    ("What book is she reading?", "A long novel about whales lies on her nightstand"),
    ("Who is the boss?", "Her manager Denise approves all vacations"),
    ("What illness did grandfather have?", "Grandpa suffered a stroke and lost some speech"),
    ("Any hobbies outdoors?", "He spends weekends hiking and fishing in the mountains"),
    ("What kind of music do they enjoy?", "Jazz records from the fifties play all evening"),
)
QUESTIONS, ANSWERS = zip(*PAIRS, strict=True)


@pytest.fixture(scope="module")
def vectors() -> TextVectors:
    embedder = choose_embedder("auto").embedder
    if embedder is None:
        pytest.skip("no word vectors here")
    made = TextVectors(embedder)
    made.add(ANSWERS, embedder.embed(ANSWERS).astype(np.float16))
    return made


def places(way: str, vectors: TextVectors) -> np.ndarray:
    """At which place each question finds its answer, from 1; what nothing tells apart shares the last of its places."""
    similarity = Similarity(ANSWERS, np.full(len(ANSWERS), np.nan))
    values = [similarity.to_query(question, Measure(way, vectors)).values for question in QUESTIONS]
    return np.array([int((found >= found[number]).sum()) for number, found in enumerate(values)])


def test_paraphrases_are_found_as_well_as_by_vectors_alone(vectors: TextVectors) -> None:
    alone, fused = places("embedding", vectors), places("auto", vectors)
    assert (1 / fused).mean() >= (1 / alone).mean() > 0.8
    assert (fused == 1).sum() >= (alone == 1).sum() >= 12
    assert (fused <= 3).sum() >= (alone <= 3).sum() >= 18
    assert (1 / places("lexical", vectors)).mean() < 0.3, "words alone find next to nothing here"
