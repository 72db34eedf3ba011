"""The usual way of comparing is not worse than any single way, on chats between people and with an assistant.

The chats are no part of the project; without them nothing is tested here.
"""

from functools import cache

import pytest

from inspector.retrieval.vectors.choice import choose_embedder
from tests.bench.retrieval import AUTO, DEPTHS, TURNS, Step, Talk, data_sets, recall_of, single_ways

SETS = ("LoCoMo", "REALTALK", "BEAM")
HELD_AT = (10, 25)
MOST_BELOW = 0.005
MOST_TALKS = {"LoCoMo": 2}
"""Of these, the first talks stand for all: `make bench` measures every one."""


def talks_of(name: str) -> tuple[Talk, ...]:
    found = data_sets().get(name, ())
    if not found:
        pytest.skip(f"{name} is not here")
    if choose_embedder("auto").embedder is None:
        pytest.skip("no word vectors here")
    return found[: MOST_TALKS.get(name)]


@cache
def recall_at(talks: tuple[Talk, ...], step: Step) -> dict[int, float]:
    return dict(zip(DEPTHS, recall_of(talks, step, TURNS), strict=True))


@pytest.mark.parametrize("name", SETS)
def test_auto_is_not_worse_than_any_single_way(name: str) -> None:
    talks = talks_of(name)
    auto = recall_at(talks, AUTO)
    for step in single_ways():
        alone = recall_at(talks, step)
        assert all(auto[depth] >= alone[depth] - MOST_BELOW for depth in HELD_AT), step.name


def test_with_an_assistant_the_weights_of_its_kind_find_more() -> None:
    talks = talks_of("BEAM")
    auto, fused = recall_at(talks, AUTO), recall_at(talks, Step("fused", "fused", AUTO.settings))
    assert all(auto[depth] > fused[depth] + 0.04 for depth in HELD_AT)


@pytest.mark.parametrize("name", SETS[:2])
def test_between_people_they_are_not_used(name: str) -> None:
    talks = talks_of(name)[:1]
    assert recall_at(talks, AUTO) == recall_at(talks, Step("fused", "fused", AUTO.settings))
