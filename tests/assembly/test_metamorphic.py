"""What must hold of every assembly whatever the policy: nothing lost, order kept, same input same bytes.

Budgets without end and of nothing are in `test_limits_at_ends`, all between in `test_prune_down`, and things that are
equal in `test_equal_scores`.
"""

from typing import Any

import orjson
import pytest
from building import chat, memories, pipeline_for, workspace
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.assembly.answer import answer_value, measured, planned_answer
from inspector.assembly.lacking import make_all
from inspector.assembly.scenario import Scenario
from inspector.model import Workspace
from inspector.plugins import policies
from tests.examples import examples

EVERY_POLICY = tuple(policies()[0])
costs = st.lists(st.integers(0, 30), max_size=15)
found = st.builds(lambda told, stored: workspace(chat(*told), memories(*stored)), costs, costs)


def value_of(workspace_: Workspace, **scenario: Any) -> dict[str, Any]:
    pipeline, wanted = pipeline_for(workspace_), Scenario(tokenizer="estimate:words", **scenario)
    make_all(pipeline, wanted)
    return answer_value(measured(pipeline, planned_answer(pipeline, pipeline.case(wanted))), "x")


@pytest.mark.parametrize("policy", EVERY_POLICY)
@examples(60)
@given(found, st.integers(0, 400))
def test_every_candidate_is_answered_once_and_in_order(policy: str, found: Workspace, window: int) -> None:
    value = value_of(found, policy=policy, context_window=window)
    ids = [item["id"] for item in value["items"]]
    told = [message.id for message in found.conversations[0].messages]
    written = [name for name in ids if name.startswith("summary:")]
    assert sorted(set(ids) - set(written)) == sorted(told + [memory.id for memory in found.memory_sets[0].memories])
    assert len(ids) == len(set(ids))
    assert set(written) == {f"summary:{number + 1}" for number in range(len(written))}
    assert {item["into"] for item in value["items"] if "into" in item} <= set(written)
    assert [name for name in ids if name.startswith("m")] == told
    in_prompt = [name for message in value["messages"] for name in message["items"]]
    assert [name for name in in_prompt if name.startswith("m")] == [name for name in told if name in in_prompt]
    assert value["ledger"]["items"] == sum(item["spent"] for item in value["items"])


@pytest.mark.parametrize("policy", EVERY_POLICY)
@examples(60)
@given(found, st.integers(0, 400))
def test_the_same_input_gives_the_same_bytes(policy: str, found: Workspace, window: int) -> None:
    first, second = (value_of(found, policy=policy, context_window=window) for _ in range(2))
    assert orjson.dumps(first) == orjson.dumps(second)


@settings(max_examples=60)
@given(found, st.integers(0, 400), st.integers(0, 400))
def test_a_pipeline_that_has_answered_before_gives_the_same_bytes(found: Workspace, one: int, other: int) -> None:
    pipeline = pipeline_for(found)
    scenarios = [Scenario(tokenizer="estimate:words", context_window=size) for size in (one, other, one)]
    values = []
    for scenario in scenarios:
        make_all(pipeline, scenario)
        values.append(orjson.dumps(answer_value(measured(pipeline, planned_answer(pipeline, pipeline.case(scenario))))))
    assert values[0] == values[2]
    assert values[1] == orjson.dumps(value_of(found, context_window=other) | {"name": ""})
