"""Near-duplicates: what is found by vectors and by words is what comparing every pair finds."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.retrieval import duplicates
from inspector.retrieval.duplicates import (
    AlikeGroups,
    DuplicateSearch,
    alike_by_vectors,
    alike_by_words,
    groups_of,
    near_duplicates,
)
from inspector.retrieval.lexical import words_of

WORDS = ["boat", "keel", "rain", "roof", "sail", "north", "sister", "kraken", "lamp", "oar"]


def groups_of_pairs(size: int, pairs: set[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """The groups that pairs make, put together one by one."""
    groups = [{row} for row in range(size)]
    for one, other in pairs:
        first, second = (next(group for group in groups if row in group) for row in (one, other))
        if first is not second:
            groups.remove(second)
            first |= second
    return tuple(sorted(tuple(sorted(group)) for group in groups if len(group) > 1))


def last(search: Iterator[DuplicateSearch]) -> DuplicateSearch:
    steps = list(search)
    assert all(before.done <= after.done for before, after in pairwise(steps))
    assert steps[-1].done == 1.0
    return steps[-1]


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=8), max_size=25), st.sampled_from([0.5, 0.8, 1.0]))
@settings(max_examples=100)
def test_by_words_every_pair_is_found(lists: list[list[str]], least: float) -> None:
    texts = [" ".join(words) for words in lists]
    sets = [set(words_of(text)) for text in texts]
    pairs = {
        (one, two)
        for two, right in enumerate(sets)
        for one, left in enumerate(sets[:two])
        if left and right and len(left & right) >= least * len(left | right) - 1e-12
    }
    assert last(alike_by_words(texts, least)).groups == groups_of_pairs(len(texts), pairs)


@pytest.mark.parametrize(("rows_per_block", "axes"), [(7, 64), (2048, 64), (2048, 4), (7, 200)])
def test_by_vectors_every_pair_is_found(rows_per_block: int, axes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "_ROWS_PER_BLOCK", rows_per_block)
    monkeypatch.setattr(duplicates, "_AXES", axes)
    random = np.random.default_rng(1)
    base = random.standard_normal((30, 128))
    near = base[random.integers(0, 30, 60)] + random.standard_normal((60, 128)) * random.uniform(0, 0.5, (60, 1))
    vectors = np.vstack([base, near])
    vectors = np.vstack([vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.zeros((2, 128))])
    cosines = vectors @ vectors.T
    least = np.sort(cosines[cosines < 0.95])[-1] / 2 + np.sort(cosines[cosines >= 0.95])[0] / 2  # between two of them
    pairs = {(one, two) for one, two in np.argwhere(cosines >= least).tolist() if one < two}
    assert len(pairs) > 20
    found = last(alike_by_vectors(vectors.astype(np.float32), least + duplicates._TOLERANCE))
    assert found.groups == groups_of_pairs(len(vectors), pairs)


def test_what_differs_in_little_is_found_and_what_differs_in_much_is_not() -> None:
    texts = [
        "Nova likes to sail her old boat to the north in spring",
        "The roof leaks",
        "Nova likes to sail her old boat to the north in autumn",
        "Nova likes tea",
        "the ROOF leaks!",
        "",
        "",
    ]
    assert last(near_duplicates(texts)).groups == ((0, 2), (1, 4))


def test_groups_meet_in_one_step_and_in_several() -> None:
    alike = AlikeGroups(7)
    alike.join(np.array([0, 1, 4]), np.array([3, 3, 5]))
    assert groups_of(alike.labels) == ((0, 1, 3), (4, 5))
    alike.join(np.array([5]), np.array([1]))
    assert groups_of(alike.labels) == ((0, 1, 3, 4, 5),)
    assert alike.apart(np.array([0, 2]), np.array([5, 6])).tolist() == [False, True]


def test_likeness_is_handed_on() -> None:
    words = list("abcdefghijkl")
    chain = [" ".join(words[start : start + 10]) for start in (0, 1, 2)]
    assert last(alike_by_words(chain, 0.8)).groups == ((0, 1, 2),)
    assert last(alike_by_words([chain[0], chain[2]], 0.8)).groups == ()


def test_texts_that_say_the_same_share_a_group_however_many_there_are() -> None:
    assert last(alike_by_words(["the roof leaks"] * 3000)).groups == (tuple(range(3000)),)
    same = np.tile(np.array([0.6, 0.8], np.float32), (3000, 1))
    assert last(near_duplicates(["x"] * 3000, same)).groups == (tuple(range(3000)),)


@pytest.mark.parametrize("texts", [[], ["one"], ["", ""]])
def test_nothing_to_find(texts: list[str]) -> None:
    assert last(near_duplicates(texts)).groups == ()
    assert last(near_duplicates(texts, np.zeros((len(texts), 4), np.float32))).groups == ()


def test_scripts_without_blanks_are_compared_character_by_character() -> None:
    assert last(near_duplicates(["我喜欢在下雨天去海边散步", "我喜欢在下雪天去海边散步", "船在港口"])).groups == (
        (0, 1),
    )
