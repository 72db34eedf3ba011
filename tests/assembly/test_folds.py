"""Sessions with a compaction after every few messages: all worked out in columns, as they are when lived through."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from building import answer_to, workspace
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.budget import ContextWindow
from inspector.assembly.compaction import Compaction, Compactions, Event
from inspector.assembly.decisions import Assembly, Composed, Run
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents import gemini
from inspector.assembly.policies.agents.course import CUT_OUT, Course
from inspector.assembly.policies.agents.gemini_columns import plain_list
from inspector.assembly.policies.agents.gemini_contents import Contents
from inspector.assembly.policies.agents.semantic_kernel import SemanticKernelSummarization
from inspector.assembly.policies.agents.talk import open_talk
from inspector.assembly.summary_items import action_of
from inspector.model import Call, Message, Role, Text, with_parts
from tests.examples import examples

KERNEL, LLAMA = "semantic_kernel_summarization", "llamaindex_summary_buffer"
ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "tool": "tool"}
TALKS = st.lists(st.tuples(st.sampled_from(["user", "assistant", "calls", "tool"]), st.integers(0, 6)), max_size=40)


def messages(drawn: Sequence[tuple[str, int]], has_system: bool, width: int = 1) -> list[Message]:
    found = [Message("s", "system", "be kind")] if has_system else []
    for number, (role, size) in enumerate(drawn):
        text = " ".join(["w" * width] * size)
        if role == "calls":
            parts = (Text(text), Call(f"c{number}", "look", "{}"))
            found.append(with_parts(Message(f"m{number}", "assistant", ""), parts))
        else:
            found.append(Message(f"m{number}", ROLES[role], text))
    return found


def decided(talk: Sequence[Message], policy: str, **parameters: Any) -> Assembly:
    return answer_to(workspace(talk), policy=policy, context_window=10_000, parameters=parameters).assembly


def told(assembly: Assembly) -> dict[str, Any]:
    """Return everything that a history decides."""
    blocks = [
        block.rows.tolist() if isinstance(block, Run) else (block.role, block.summary)
        for block in assembly.blocks
        if isinstance(block, Run | Composed)
    ]
    return {
        "action": assembly.action.tolist(),
        "spent": assembly.spent.tolist(),
        "texts": [assembly.text(row) for row in np.flatnonzero(assembly.in_prompt).tolist()],
        "reasons": [assembly.reason_of(row).code for row in range(len(assembly.candidates))],
        "into": None if assembly.into is None else assembly.into.tolist(),
        "compactions": tuple(assembly.compactions),
        "events": tuple(assembly.events),
        "blocks": blocks,
        "listed": assembly.listed.tolist(),
    }


@examples(200)
@given(
    drawn=TALKS,
    has_system=st.booleans(),
    target=st.integers(1, 8),
    threshold=st.integers(0, 4),
    with_calls=st.booleans(),
)
def test_semantic_kernels_reductions_are_those_lived_through(
    drawn: Any, has_system: bool, target: int, threshold: int, with_calls: bool
) -> None:
    talk = messages(drawn, has_system)
    terms = {
        "target_count": target,
        "threshold_count": threshold,
        "include_function_content": with_calls,
        "summary_size": 2,
    }
    found = told(decided(talk, KERNEL, **terms))
    lived = lambda policy, course, first: policy._live_through(course)  # noqa: E731 - message by message
    with patch.object(SemanticKernelSummarization, "_fold_all", lived):
        assert found == told(decided(talk, KERNEL, **terms))


def buffered(talk: Sequence[Message], limit: int, size: int) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the end and the start of the messages that stay at each compaction, and what is left, by the page's rule:
    newest to oldest while the sum is at most the limit, without leading answers and results.
    """
    state: list[int] = []
    found: list[tuple[int, int]] = []
    for place, message in enumerate(talk):
        state.append(place)
        following = talk[place + 1].role if place + 1 < len(talk) else ""
        if message.role not in ("user", "tool") or following == message.role:
            continue
        start, left = len(state), limit
        while start and left >= (cost := size if state[start - 1] < 0 else len(talk[state[start - 1]].content.split())):
            start, left = start - 1, left - cost
        while start < len(state) and state[start] >= 0 and talk[state[start]].role in ("assistant", "tool"):
            start += 1
        if start and any(entry >= 0 for entry in state[:start]):
            state = [-1, *state[start:]]
            found.append((place, state[1] if len(state) > 1 else place + 1))
    return found, state


@examples(300)
@given(drawn=TALKS, has_system=st.booleans(), limit=st.integers(0, 30), size=st.integers(0, 12))
def test_llamaindex_folds_as_its_rule_says(drawn: Any, has_system: bool, limit: int, size: int) -> None:
    talk = messages(drawn, has_system)
    assembly = decided(talk, LLAMA, token_limit=limit, summary_size=size)
    found, state = buffered(talk, limit, size)
    assert [event.row for event in assembly.events] == [place for place, _ in found]
    ends = [0, *(start for _, start in found)]
    assert [one.told for one in assembly.compactions] == [
        after - before + (number > 0) for number, (before, after) in enumerate(pairwise(ends))
    ]
    into = np.zeros(len(talk), np.int32) if assembly.into is None else assembly.into
    standing = [row for row in range(len(talk)) if assembly.in_prompt[row] and not into[row]]
    assert standing == [entry for entry in state if entry >= 0]
    costs = [len(message.content.split()) for message in talk]
    sizes = [0, *([size] * len(found))]
    assert [(event.before, event.after) for event in assembly.events] == [
        (sum(costs[before : place + 1]) + earlier, sum(costs[start : place + 1]) + size)
        for (place, start), before, earlier in zip(found, ends, sizes, strict=False)
    ]


@examples(300)
@given(
    drawn=TALKS,
    has_system=st.booleans(),
    threshold=st.sampled_from([0.0, 0.001, 0.002, 0.004, 0.04]),
    preserve=st.floats(0, 1) | st.sampled_from([0.0, 1.0]),
    width=st.sampled_from([1, 9, 60]),
    chars=st.sampled_from([0, 4, 40_000]),
    size=st.integers(0, 6),
    base=st.integers(0, 400),
    replay=st.booleans(),
)
def test_geminis_compressions_in_columns_are_those_of_the_list(
    drawn: Any,
    has_system: bool,
    threshold: float,
    preserve: float,
    width: int,
    chars: int,
    size: int,
    base: int,
    replay: bool,
) -> None:
    talk = messages(drawn, has_system, width)
    terms = {
        "threshold": threshold,
        "preserve": preserve,
        "tool_chars": chars,
        "tool_budget": 1,
        "summary_size": size,
        "base_tokens": base,
        "replay": replay,
    }
    found = told(decided(talk, "gemini_compress", **terms))

    def lived(policy: gemini.GeminiCompress, course: Course, least: int) -> None:
        policy._live_through(course, gemini._checks(course.talk, is_last_only=not policy.replay), least)

    with patch.object(gemini.GeminiCompress, "_live", lived):
        assert found == told(decided(talk, "gemini_compress", **terms))
        with patch.object(gemini, "plain_list", lambda *_: None):
            assert found == told(decided(talk, "gemini_compress", **terms))


@examples(100)
@given(drawn=TALKS.filter(bool), width=st.integers(1, 30), start=st.integers(0, 39))
def test_geminis_columns_measure_as_its_contents_do(drawn: Any, width: int, start: int) -> None:
    assembly = decided(messages(drawn, has_system=False, width=width), "gemini_compress")
    _, talk = open_talk(Ledger(assembly.candidates, ContextWindow(10_000)))
    course = Course(talk)
    course.state = list(range(min(start, len(drawn) - 1), len(drawn)))
    contents = Contents(course, {}, "")
    plain = plain_list(course, contents, 10_000)
    assert plain is not None
    assert plain.whole_estimate() == sum(map(contents.estimate, course.state))
    for preserve in np.linspace(0, 1, 41).tolist():
        split = gemini.GeminiCompress(preserve=preserve)._split(contents)
        place = plain.split(preserve)
        assert (place is None) == (split == 0)
        assert place is None or place - plain.start == sum(map(len, contents.groups[:split]))


@pytest.mark.parametrize(
    ("policy", "parameters"), [(KERNEL, {"target_count": 3}), (LLAMA, {"token_limit": 9, "summary_size": 2})]
)
def test_a_history_in_columns_answers_like_any_other(policy: str, parameters: dict[str, Any]) -> None:
    talk = messages([("user", 4), ("assistant", 3)] * 12, has_system=False)
    assembly = decided(talk, policy, **parameters)
    count = len(assembly.compactions)
    assert count > 5
    assert [one.into for one in assembly.compactions] == [*range(2, count + 1), 0]
    assert [one.number for one in assembly.compactions.standing] == [count]
    assert sum(one.spent for one in assembly.compactions) == assembly.summaries_total
    assert set(assembly.listed.tolist()) == set(range(len(talk) + count))
    again = decided(talk, policy, **{**parameters, "summary_size": 5})
    assert again.compactions[-1].size == 5


def test_columns_of_summaries_are_those_of_the_summaries_themselves() -> None:
    made = (
        Compaction(1, 5, "user", "a", 3, into=2),
        Compaction(2, 7, "system", "b", 2),
        Compaction(3, 9, "user", "c", 1),
    )
    columns = Compactions.of(made).without([3], CUT_OUT)
    assert columns[:2] == made[:2]
    assert columns[-1].lost == CUT_OUT
    assert columns.stands.tolist() == [one.stands for one in columns] == [False, True, False]
    assert columns.actions.tolist() == [int(action_of(one)) for one in columns]
    assert Compactions.of(columns) == columns
    with pytest.raises(IndexError):
        _ = columns[3]


def test_events_of_a_history_in_columns_are_events() -> None:
    talk = messages([("user", 4), ("assistant", 3)] * 4, has_system=False)
    events = decided(talk, KERNEL, target_count=2).events
    assert all(isinstance(event, Event) and event.unit == "entry" for event in events)
    assert np.all(np.diff([event.row for event in events]) > 0)
