"""The policies that follow libraries, against the loops of these libraries written out plainly; `make peers` runs the
libraries themselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import pytest
from building import answer_to, chat, codes, decisions, kept, memories, words, workspace
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.assembly.columns import Section
from inspector.assembly.explain import explain
from inspector.assembly.packing import first_that_fits
from inspector.assembly.policies.library_messages import up_to_role
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.model import Call, Character, Component, Lorebook, LoreEntry, Message, Profile, Text, Workspace
from tests.examples import examples

POLICIES = ("langchain_trim", "llamaindex_buffer", "semantic_kernel_truncation", "priority")
CALL = (Call("t1", "look", '{"at": "the sky"}'),)
EXACT = {"model": "gpt-4o", "tokenizer": "embedded:o200k_base"}

roles = st.sampled_from(["user", "assistant", "user", "assistant", "tool", "system"])
spoken = st.lists(
    st.tuples(roles, st.integers(0, 6), st.booleans(), st.sampled_from([False] * 7 + [True])), max_size=14
)
ends = st.sampled_from(["none", "none", "user", "assistant", "tool"])


@dataclass
class Turn:
    """A message as the loops below see it."""

    id: str
    role: str
    cost: int
    calls: bool
    pinned: bool


def _turns(drawn: Sequence[tuple[str, int, bool, bool]]) -> list[Turn]:
    return [
        Turn(f"m{number}", role, cost, calls and role == "assistant", pinned)
        for number, (role, cost, calls, pinned) in enumerate(drawn)
    ]


def _workspace(turns: Sequence[Turn], character: Character | None = None) -> Workspace:
    told: list[Any] = [
        Message(turn.id, turn.role, parts=(Text(words(turn.cost)), *(CALL if turn.calls else ())), pinned=turn.pinned)  # type: ignore[arg-type]
        for turn in turns
    ]
    return workspace(told, character=character)


def _ids(turns: Sequence[Turn]) -> list[str]:
    return [turn.id for turn in turns]


def _popped(turns: list[Turn], role: str) -> list[Turn]:
    while turns and role not in ("none", turns[-1].role):
        turns = turns[:-1]
    return turns


def _first(turns: list[Turn], room: int, overhead: int, end_on: str) -> list[Turn]:
    count = len(turns)
    while count and sum(turn.cost + overhead for turn in turns[:count]) > room:
        count -= 1
    return _popped(turns[:count], end_on)


def langchain_twin(turns: list[Turn], chosen: dict[str, Any]) -> list[str]:
    overhead, pinned = chosen["message_overhead"], [turn for turn in turns if turn.pinned]
    room = max(0, chosen["max_tokens"] - sum(turn.cost + overhead for turn in pinned))
    others = [turn for turn in turns if not turn.pinned]
    if chosen["strategy"] == "first":
        return _ids(pinned + _first(others, room, overhead, chosen["end_on"]))
    others = _popped(others, chosen["end_on"])
    system = others[:1] if chosen["include_system"] and others and others[0].role == "system" else []
    room = max(0, room - sum(turn.cost + overhead for turn in system))
    newest = _first(others[len(system) :][::-1], room, overhead, chosen["start_on"])
    return _ids(pinned + system + newest)


def llamaindex_twin(turns: list[Turn], chosen: dict[str, Any]) -> list[str]:
    pinned, history = [turn for turn in turns if turn.pinned], [turn for turn in turns if not turn.pinned]
    taken = chosen["initial_tokens"] + sum(turn.cost for turn in pinned)
    count = len(history)
    while taken + sum(turn.cost for turn in history[len(history) - count :]) > chosen["token_limit"] and count > 1:
        count -= 1
        while count > 1 and history[-count].role in ("tool", "assistant"):
            count -= 1
    return _ids(pinned + history[len(history) - count :])


def semantic_kernel_twin(turns: list[Turn], chosen: dict[str, Any]) -> list[str]:
    pinned, history = [turn for turn in turns if turn.pinned], [turn for turn in turns if not turn.pinned]
    target, threshold = max(0, chosen["target_count"] - len(pinned)), chosen["threshold_count"]
    if len(history) <= target + threshold:
        return _ids(turns)
    first = next((number for number, turn in enumerate(history) if turn.role == "system"), None)
    if first is not None and first < len(history) - target:
        target -= 1
    start = _safe_start(history, target, threshold) if target > 0 else len(history)
    system = [history[first]] if first is not None and first < start else []
    return _ids(pinned + system + history[start:])


def _safe_start(history: list[Turn], target: int, threshold: int) -> int:
    tied = [turn.role == "tool" or turn.calls for turn in history]
    start = len(history) - target
    while start > 0 and tied[start] and tied[start - 1]:
        start -= 1
    for place in range(start, len(history) - threshold - target - 1, -1):
        if history[place].role == "user":
            return place
    return start


def priority_twin(parts: Sequence[tuple[str, int, float]], limit: int, step: int) -> list[str] | None:
    """Ids that stay of (id, cost, number); None where it cannot be met."""
    wanted = ceil(max(0, sum(cost for _, cost, _ in parts) - limit) / step) * step
    blocks: list[list[tuple[str, int, float]]] = []
    for part in parts:
        if blocks and blocks[-1][-1][2] == part[2]:
            blocks[-1].append(part)
        else:
            blocks.append([part])
    gone: set[str] = set()
    removed = 0
    for block in sorted((block for block in blocks if block[0][2] > 0), key=lambda block: -block[0][2]):
        whole = removed + sum(cost for _, cost, _ in block) <= wanted
        for name, cost, _ in block:
            if not wanted or (removed >= wanted and not whole):
                break
            gone.add(name)
            removed += cost
        if removed >= wanted:
            break
    left = [part for part in parts if part[0] not in gone]
    return None if sum(cost for _, cost, _ in left) > limit else [name for name, _, _ in left]


@examples(300)
@given(spoken, st.integers(0, 40), st.sampled_from(["last", "first"]), st.booleans(), ends, ends, st.integers(0, 3))
def test_langchain(
    drawn: Any, limit: int, strategy: str, include: bool, start_on: str, end_on: str, overhead: int
) -> None:
    turns = _turns(drawn)
    chosen = {"max_tokens": limit, "strategy": strategy, "include_system": include, "message_overhead": overhead}
    chosen |= {"start_on": start_on, "end_on": end_on}
    answer = answer_to(_workspace(turns), policy="langchain_trim", parameters=chosen)
    assert sorted(kept(answer)) == sorted(langchain_twin(turns, chosen))


@examples(300)
@given(spoken, st.integers(1, 40), st.integers(0, 3))
def test_llamaindex(drawn: Any, limit: int, initial: int) -> None:
    turns, chosen = _turns(drawn), {"token_limit": limit, "initial_tokens": initial}
    answer = answer_to(_workspace(turns), policy="llamaindex_buffer", parameters=chosen)
    if initial > limit:
        assert answer.assembly.error is not None
        assert answer.assembly.error.code == "request_too_large"
    else:
        assert sorted(kept(answer)) == sorted(llamaindex_twin(turns, chosen))


@examples(300)
@given(spoken, st.integers(1, 9), st.integers(0, 4))
def test_semantic_kernel(drawn: Any, target: int, threshold: int) -> None:
    turns, chosen = _turns(drawn), {"target_count": target, "threshold_count": threshold}
    answer = answer_to(_workspace(turns), policy="semantic_kernel_truncation", parameters=chosen)
    assert sorted(kept(answer)) == sorted(semantic_kernel_twin(turns, chosen))


@examples(300)
@given(
    st.lists(st.tuples(st.integers(1, 6), st.sampled_from([0, 1, 5, 9])), max_size=6),
    spoken,
    st.integers(1, 40),
    st.sampled_from([1, 2, 7]),
    st.integers(0, 2),
)
def test_priority(stored: Any, drawn: Any, limit: int, step: int, number: int) -> None:
    turns = _turns(drawn)
    components = tuple(Component(f"p{place}", "p", words(cost), own) for place, (cost, own) in enumerate(stored))
    parts = [(part.id, len(part.content.split()), part.priority) for part in components]
    parts += [(turn.id, turn.cost, 0 if turn.pinned else number) for turn in turns]
    found = _workspace(turns, Character("x", components=components))
    chosen = {"token_limit": limit, "truncation_step": step, "message_priority": number}
    answer = answer_to(found, policy="priority", parameters=chosen)
    wanted = priority_twin(parts, limit, step) if parts else []
    if wanted is None:
        assert answer.assembly.error is not None
        assert answer.assembly.error.code == "request_too_large"
    else:
        assert answer.assembly.error is None
        in_order = [
            answer.assembly.candidates.ids[row] for message in prompt_messages(answer.assembly) for row in message.rows
        ]
        assert in_order == wanted


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=40)
@given(drawn=spoken, limit=st.sampled_from([5, 30, 10**6]))
def test_parts_and_overhead_equal_the_whole_with_tool_calls(policy: str, drawn: Any, limit: int) -> None:
    name = {"langchain_trim": "max_tokens", "semantic_kernel_truncation": "target_count"}.get(policy, "token_limit")
    found = _workspace(_turns(drawn), Character("nova", system_prompt="Be kind."))
    answer = answer_to(found, policy=policy, parameters={name: limit}, context_window=10**6, **EXACT)
    assert answer.ledger.residual == 0


@pytest.mark.parametrize("policy", POLICIES)
def test_a_call_stands_in_the_prompt_and_is_overhead(policy: str) -> None:
    told = (Message("m0", "user", "look up"), Message("m1", "assistant", parts=(Text("I look"), *CALL)))
    answer = answer_to(workspace(told), policy=policy, context_window=1000)
    assert decisions(answer)["m1"][:2] == ("kept", 2)
    assert '"look"' in list(prompt_messages(answer.assembly))[-1].content
    assert {line.name: line.tokens for line in answer.ledger.lines}["tool calls"] == 6


@pytest.mark.parametrize("policy", POLICIES)
def test_what_a_library_has_no_place_for_is_counted_once(policy: str) -> None:
    character = Character("nova", system_prompt="be kind", profile=Profile("Ann"))
    entries = (LoreEntry("active", "it is old", constant=True), LoreEntry("asleep", "it is deep", keys=("kraken",)))
    found = workspace(chat(2, 3), memories(2), character, lorebooks=(Lorebook("book", entries),))
    answer = answer_to(found, policy=policy, context_window=1000)
    assert kept(answer) == ["nova", "m0", "m1"]
    assert [finding.message[:7] for finding in answer.findings if finding.code == "not_placed"] == ["3 items"]
    assert decisions(answer)["asleep"] == ("dropped", 0, "filtered")


def test_components_have_a_place_in_priority_only_and_stand_in_file_order() -> None:
    components = (Component("late", "a", "comes first", 9), Component("off", "b", "no", 0, condition=False))
    components += (Component("early", "c", "comes second", 0),)
    found = workspace(chat(1), character=Character("x", system_prompt="be kind", components=components))
    prompt = [message.content for message in prompt_messages(answer_to(found, policy="priority").assembly)]
    assert prompt == ["be kind", "comes first", "comes second", "w"]
    assert kept(answer_to(found, policy="priority", parameters={"token_limit": 5})) == ["x", "early", "m0"]
    assert kept(answer_to(found, policy="langchain_trim")) == ["x", "m0"]


def test_the_system_prompt_is_the_first_message() -> None:
    found = workspace(chat(4, 4, 4), character=Character("nova", system_prompt="be kind"))
    kept_by = {
        ("langchain_trim", "max_tokens", 12): ["nova", "m2"],
        ("llamaindex_buffer", "token_limit", 9): ["m2"],
        ("llamaindex_buffer", "token_limit", 12): ["m0", "m1", "m2"],
        ("semantic_kernel_truncation", "target_count", 2): ["nova", "m2"],
        ("priority", "token_limit", 9): ["nova", "m2"],
    }
    for (policy, name, value), wanted in kept_by.items():
        answer = answer_to(found, policy=policy, parameters={name: value})
        assert kept(answer) == wanted
        assert "history_gap" not in codes(answer)
    answer = answer_to(found, policy="langchain_trim", parameters={"max_tokens": 1})
    assert kept(answer) == ["nova"]
    assert answer.assembly.budget.sections[Section.HISTORY].limit == 0


def test_the_buffer_counts_the_contents_as_one_text() -> None:
    # Each content alone rounds up to one token; joined by spaces, 11 code points are three.
    told = tuple(Message(f"m{number}", "user", "a") for number in range(6))
    answer = answer_to(
        workspace(told), policy="llamaindex_buffer", parameters={"token_limit": 3}, tokenizer="estimate:ibex"
    )
    assert kept(answer) == [message.id for message in told]
    answer = answer_to(
        workspace(told), policy="llamaindex_buffer", parameters={"token_limit": 2}, tokenizer="estimate:ibex"
    )
    assert kept(answer) == ["m2", "m3", "m4", "m5"]


def test_a_newest_message_that_is_too_long_stays_in_the_buffer() -> None:
    answer = answer_to(workspace(chat(2, 2, 9)), policy="llamaindex_buffer", parameters={"token_limit": 5})
    assert decisions(answer)["m2"] == ("kept", 9, "guaranteed")
    assert "guarantee_over_budget" in codes(answer)


def test_a_newest_reply_that_fits_alone_is_no_exception() -> None:
    answer = answer_to(workspace(chat(9, 2)), policy="llamaindex_buffer", parameters={"token_limit": 5})
    assert decisions(answer)["m1"] == ("kept", 2, "within_budget")


def test_a_system_message_where_the_cut_would_fall_takes_no_place_of_its_own() -> None:
    told = [Message(f"m{n}", role, "w") for n, role in enumerate(("user", "user", "system", "assistant"))]  # type: ignore[arg-type]
    chosen = {"target_count": 2, "threshold_count": 1}
    answer = answer_to(workspace(told), policy="semantic_kernel_truncation", parameters=chosen)
    assert kept(answer) == ["m1", "m2", "m3"]


def test_recorded_counts_are_what_is_charged() -> None:
    found = workspace(chat(1, 1, 1, tokens=10))
    assert kept(answer_to(found, policy="langchain_trim", parameters={"max_tokens": 26})) == ["m1", "m2"]
    assert kept(answer_to(found, policy="llamaindex_buffer", parameters={"token_limit": 29})) == ["m2"]
    assert kept(answer_to(found, policy="priority", parameters={"token_limit": 29})) == ["m1", "m2"]


@pytest.mark.parametrize(
    ("policy", "parameters", "item", "wanted"),
    [
        ("langchain_trim", {"max_tokens": 8, "start_on": "none"}, "m1", "needs ≈ 8 tokens, and"),
        ("langchain_trim", {"max_tokens": 16, "start_on": "user"}, "m1", "start with a message of role user"),
        ("llamaindex_buffer", {"token_limit": 10}, "m1", "begin neither with a reply"),
        ("llamaindex_buffer", {"token_limit": 6}, "m0", "leaves ≈ 1 token, and"),
        ("semantic_kernel_truncation", {"target_count": 1}, "m0", "the newest 1 stay"),
        ("priority", {"token_limit": 9}, "m0", "15 tokens of a limit of 9"),
    ],
)
def test_sentences_say_the_numbers(policy: str, parameters: dict[str, Any], item: str, wanted: str) -> None:
    assembly = answer_to(workspace(chat(5, 5, 5)), policy=policy, parameters=parameters).assembly
    row = assembly.candidates.ids.index(item)
    assert not assembly.in_prompt[row]
    assert wanted in explain(assembly, row)


@pytest.mark.parametrize("policy", ["llamaindex_buffer", "priority"])
def test_limits_the_libraries_refuse_are_invalid(policy: str) -> None:
    error = answer_to(workspace(chat(1)), policy=policy, parameters={"token_limit": 0}).assembly.error
    assert error is not None
    assert error.code == "invalid_parameter"


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("window", [0, 1, 10**9])
def test_any_window_and_an_empty_chat_are_decided(policy: str, window: int) -> None:
    assert kept(answer_to(workspace(()), policy=policy, context_window=window)) == []
    answer = answer_to(workspace(chat(3, 3)), policy=policy, context_window=window)
    assert kept(answer) == ["m0", "m1"]
    assert answer.status == ("ok" if window > 10**6 else "over_window")


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_the_first_that_fits_is_found_from_any_guess(guess: int, first: int, stop: int) -> None:
    asked: list[int] = []
    found = first_that_fits(guess, stop, lambda place: bool(asked.append(place)) or place >= first)
    assert found == min(first, stop)
    assert len(asked) == len(set(asked))
    assert all(0 <= place < stop for place in asked)
    if guess == first and 0 < first < stop:
        assert len(asked) == 2


def test_up_to_the_last_of_a_role() -> None:
    roles = np.array([1, 2, 1, 3], np.uint8)
    assert [up_to_role(roles, role) for role in ("none", "user", "assistant", "tool", "system")] == [4, 3, 2, 4, 0]
