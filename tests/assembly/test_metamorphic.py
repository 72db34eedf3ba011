"""What must hold of every assembly whatever the policy: nothing lost, order kept, same input same bytes, prune-down."""

from typing import Any

import orjson
import pytest
from building import answer_to, chat, decisions, kept, memories, pipeline_for, workspace
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.analysis.counting import count_missing
from inspector.assembly.answer import answer_value, measured, planned_answer
from inspector.assembly.scenario import Scenario
from inspector.model import Character, Lorebook, LoreEntry, Workspace
from inspector.plugins import policies

EVERY_POLICY = tuple(policies()[0])
KEEPS_ALL_WITH_ROOM = ("naive", "ratio", "reserve", "window_rag")
SMALL = workspace(
    chat(4, 3, 5, 2, 6, 1, 2, 3),
    memories(5, 4, 3),
    Character("nova", system_prompt="be kind and brief"),
    lorebooks=(Lorebook("book", (LoreEntry("l0", "it is old", constant=True),)),),
)

costs = st.lists(st.integers(0, 30), max_size=15)
found = st.builds(lambda told, stored: workspace(chat(*told), memories(*stored)), costs, costs)


def value_of(workspace_: Workspace, **scenario: Any) -> dict[str, Any]:
    pipeline, wanted = pipeline_for(workspace_), Scenario(tokenizer="estimate:words", **scenario)
    count_missing(pipeline, wanted)
    return answer_value(pipeline, measured(pipeline, planned_answer(pipeline, wanted)), "x")


@pytest.mark.parametrize("policy", EVERY_POLICY)
@settings(max_examples=60, deadline=None)
@given(found, st.integers(0, 400))
def test_every_candidate_is_answered_once_and_in_order(policy: str, found: Workspace, window: int) -> None:
    value = value_of(found, policy=policy, context_window=window)
    ids = [item["id"] for item in value["items"]]
    told = [message.id for message in found.conversations[0].messages]
    assert sorted(ids) == sorted(told + [memory.id for memory in found.memory_sets[0].memories])
    assert [name for name in ids if name.startswith("m")] == told
    in_prompt = [name for message in value["messages"] for name in message["items"]]
    assert [name for name in in_prompt if name.startswith("m")] == [name for name in told if name in in_prompt]
    assert value["ledger"]["items"] == sum(item["spent"] for item in value["items"])


@pytest.mark.parametrize("policy", EVERY_POLICY)
@settings(max_examples=60, deadline=None)
@given(found, st.integers(0, 400))
def test_the_same_input_gives_the_same_bytes(policy: str, found: Workspace, window: int) -> None:
    first, second = (value_of(found, policy=policy, context_window=window) for _ in range(2))
    assert orjson.dumps(first) == orjson.dumps(second)


@settings(max_examples=60, deadline=None)
@given(found, st.integers(0, 400), st.integers(0, 400))
def test_a_pipeline_that_has_answered_before_gives_the_same_bytes(found: Workspace, one: int, other: int) -> None:
    pipeline = pipeline_for(found)
    scenarios = [Scenario(tokenizer="estimate:words", context_window=size) for size in (one, other, one)]
    values = []
    for scenario in scenarios:
        count_missing(pipeline, scenario)
        values.append(orjson.dumps(answer_value(pipeline, measured(pipeline, planned_answer(pipeline, scenario)))))
    assert values[0] == values[2]
    assert values[1] == orjson.dumps(value_of(found, context_window=other) | {"name": ""})


@pytest.mark.parametrize("policy", KEEPS_ALL_WITH_ROOM)
@settings(max_examples=60, deadline=None)
@given(found)
def test_an_endless_window_keeps_everything(policy: str, found: Workspace) -> None:
    answer = answer_to(found, policy=policy, context_window=10**9)
    assert kept(answer) == list(answer.assembly.candidates.ids)


def test_shrinking_the_window_prunes_in_this_sequence() -> None:
    """The sets of what is dropped, from a window that holds everything down to nothing, each named once."""
    parameters = {"min_exchanges": 1, "system_overflow": "ignore"}
    sequence: list[tuple[int, str]] = []
    for window in range(80, -1, -1):
        answer = answer_to(SMALL, context_window=window, parameters=parameters)
        dropped = " ".join(name for name, decision in decisions(answer).items() if decision[0] == "dropped")
        if not sequence or sequence[-1][1] != dropped:
            sequence.append((window, dropped))
    assert sequence == [
        (80, ""),
        (68, "m0"),
        (58, "m0 m1"),
        (53, "l0 m0 m1"),
        (51, "l0 m0 m1 m2"),
        (43, "k2 l0 m0 m1 m2"),
        (38, "k2 l0 m0 m1 m2 m3"),
        (33, "k1 k2 m0 m1 m2 m3 m4"),  # the misfit k1 leaves room for the lore
        (30, "k1 k2 l0 m0 m1 m2 m3 m4"),
        (20, "k0 k1 k2 m0 m1 m2 m3 m4"),
        (18, "k0 k1 k2 m0 m1 m2 m3 m4 m5"),
        (13, "k0 k1 k2 l0 m0 m1 m2 m3 m4 m5"),  # the newest exchange stays to the end
    ]


def test_naive_keeps_everything_in_a_window_of_nothing() -> None:
    answer = answer_to(SMALL, policy="naive", context_window=0)
    assert kept(answer) == list(answer.assembly.candidates.ids)
    assert answer.status == "over_window"
