"""What surrounds a text: sittings by the silences between, the messages beside it, and those it was made from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.retrieval.relevance.settings import AS_MEASURED, RelevanceSettings
from inspector.retrieval.relevance.surroundings import (
    ALONE,
    SITTING_GAP_SECONDS,
    Surroundings,
    beside,
    best_of_sitting,
    best_source,
    fused_parts,
    sittings_of,
    sittings_of_talk,
    summed,
    talk_parts,
)

LONG, NEVER = SITTING_GAP_SECONDS + 1, float("nan")


def test_a_sitting_ends_with_a_long_silence_and_a_turn_without_a_time_stays() -> None:
    times = np.array([NEVER, 0, 60, NEVER, LONG + 60, LONG + 61, NEVER])
    assert sittings_of_talk(times).tolist() == [0, 0, 0, 0, 1, 1, 1]


def test_texts_in_any_order_sit_together_by_their_times() -> None:
    times = np.array([LONG + 9, NEVER, 0, LONG + 10, 5])
    assert sittings_of(times).tolist() == [1, ALONE, 0, 1, 0]


@pytest.mark.parametrize("times", [None, np.array([0.0, 1.0]), np.array([NEVER, NEVER]), np.empty(0)])
def test_one_sitting_for_all_says_nothing(times: np.ndarray | None) -> None:
    assert Surroundings(times=times).sittings is None
    assert Surroundings(times=times, is_talk=True).sittings is None


def test_a_turn_gets_of_those_beside_it_within_its_sitting() -> None:
    values = np.array([[1.0, 2, 4, 8], [0, 4, 0, 0]])
    assert beside(values, None, 0.5, 0.25).tolist() == [[0.5, 0.5 + 1, 1 + 2, 2], [1, 0, 2, 0]]
    assert beside(values, np.array([0, 0, 1, 1]), 0.5, 0.25).tolist() == [[0.5, 0.5, 2, 2], [1, 0, 0, 0]]


def test_a_sitting_gives_the_mean_of_its_three_best() -> None:
    values, sittings = np.array([[1.0, 9, 4, 2, 3, 7], [3, 0, 0, 0, 0, 1]]), np.array([0, 1, 0, 0, 0, ALONE])
    assert best_of_sitting(values, sittings).tolist() == [[3, 9, 3, 3, 3, 0], [1, 0, 1, 1, 1, 0]]
    assert best_of_sitting(np.array([[1.0]]), np.array([ALONE])).tolist() == [[0]]


def test_the_best_of_its_sources_counts() -> None:
    around = Surroundings(source_owners=np.array([0, 0, 2]), source_turns=np.array([1, 2, 0]))
    assert best_source(np.array([[0.5, 1, 3]]), around, (1, 3)).tolist() == [[3, 0, 0.5]]


def test_surroundings_of_some_texts_are_theirs_alone() -> None:
    whole = Surroundings(
        ("a", "b", "c"),
        ((2024, 1), None, (2024, 2)),
        np.array([0.0, 1, LONG + 2]),
        True,
        np.array([0, 2]),
        np.array([5, 6]),
    )
    some = whole.of(np.array([1, 2]))
    assert (list(some.speakers), list(some.months)) == (["b", "c"], [None, (2024, 2)])
    assert (some.source_owners.tolist(), some.source_turns.tolist()) == ([1], [6])
    assert some.sittings is not None
    assert some.sittings.tolist() == [0, 1]


TALK = Surroundings(times=np.array([0.0, 1, 2, LONG + 2]), is_talk=True)
WORDS = np.array([[0.0, 1.0, 0.0, 0.0]])


def test_each_part_has_its_weight() -> None:
    parts = talk_parts(WORDS, TALK, AS_MEASURED)
    assert parts["words"].tolist() == WORDS.tolist()
    assert parts["neighbours"].tolist() == [[0.2, 0, 0.5, 0]]
    assert parts["sitting"][0] == pytest.approx([0.75 * 1.7 / 3] * 3 + [0])


@pytest.mark.parametrize(
    ("off", "left"),
    [
        ({"before": 0, "after": 0}, ["words", "sitting", "sources", "meaning"]),
        ({"sitting": 0}, ["words", "neighbours", "sources", "meaning"]),
        ({"sources": 0}, ["words", "neighbours", "sitting", "meaning"]),
        ({"vectors": 0}, ["words", "neighbours", "sitting", "sources"]),
    ],
)
def test_a_part_that_is_off_is_not_there(off: dict[str, float], left: list[str]) -> None:
    around = Surroundings(times=TALK.times, is_talk=True, source_owners=np.array([3]), source_turns=np.array([0]))
    parts = fused_parts(WORDS, WORDS, np.array([[1.0]]), around, RelevanceSettings(**off))  # type: ignore[arg-type]
    assert list(parts) == left
    assert summed(parts).max() == pytest.approx(1)


@pytest.mark.parametrize("weight", [-0.1, float("nan"), float("inf"), 11])
def test_a_weight_that_is_none_is_named(weight: float) -> None:
    assert AS_MEASURED.trouble() == ""
    assert RelevanceSettings(after=weight).trouble().startswith("after must be a number from 0 to 10")


@given(
    st.lists(st.sampled_from([NEVER, 0.0, 60.0, LONG, LONG + 60, 3 * LONG]), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 30)), max_size=6),
    st.booleans(),
    st.booleans(),
    st.data(),
)
def test_the_first_of_some_texts_are_surrounded_as_if_there_were_no_others(
    times: list[float], sources: list[tuple[int, int]], is_talk: bool, is_timed: bool, data: st.DataObject
) -> None:
    size, count = len(times), data.draw(st.integers(1, len(times)))
    pairs = [pair for pair in sources if pair[0] < size]
    inside = [pair for pair in pairs if pair[0] < count]
    speakers, known = [f"s{n}" for n in range(size)], np.array(times) if is_timed else None

    def surroundings(first: int, made_from: list[tuple[int, int]]) -> Surroundings:
        owners, turns = np.array(made_from, np.intp).reshape(-1, 2).T
        return Surroundings(speakers[:first], (), None if known is None else known[:first], is_talk, owners, turns)

    found, alone = surroundings(size, pairs).of(np.arange(count)), surroundings(count, inside)
    assert (found.sittings is None) == (alone.sittings is None)
    if found.sittings is not None and alone.sittings is not None:
        assert found.sittings.tolist() == alone.sittings.tolist()
    assert list(found.speakers) == alone.speakers
    assert found.source_owners.tolist() == alone.source_owners.tolist()
    assert found.source_turns.tolist() == alone.source_turns.tolist()
