"""Policies of coding agents and frameworks: golden cases, rules that always hold, and the summaries they write."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from building import answer_to, decisions, workspace
from hypothesis import assume, given
from hypothesis import strategies as st

from inspector.assembly.explain import explain
from inspector.assembly.policy import PolicyError, make_policy, parameters_by_name
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.cli.assemble import answer_line
from inspector.model import Call, Message, Result, Text
from inspector.plugins import policies
from tests.examples import examples

POLICIES = tuple(name for name, kind in policies()[0].items() if ".policies.agents." in kind.__module__)
_SMALL: dict[str, dict[str, Any]] = {
    "codex_compact": {"user_message_tokens": 4},
    "gemini_compress": {"tool_budget": 5, "tool_chars": 10},
    "cline_compact": {"preserve_recent_tokens": 12},
    "opencode_compact": {
        "max_output": 5,
        "preserve_recent_tokens": 12,
        "prune": True,
        "prune_protect": 5,
        "prune_minimum": 3,
        "placeholder": "gone",
    },
    "anthropic_context_editing": {"trigger": {"input_tokens": 20}, "keep": 1, "placeholder": "gone"},
    "anthropic_compaction": {"trigger": 30},
    "langchain_summarize": {"trigger": [{"tokens": 30}, {"messages": 6, "fraction": 0.2}], "keep": {"messages": 3}},
    "langchain_clear_tools": {"trigger": 20, "keep": 1, "clear_at_least": 3},
    "roo_context": {"max_tokens": 3, "condense_percent": 80.0},
    "openhands_condenser": {"max_size": 6},
    "llamaindex_summary_buffer": {"token_limit": 20, "summary_text": "a summary of it"},
    "semantic_kernel_summarization": {"target_count": 3, "threshold_count": 1},
    "letta_buffer": {"mode": "partial_evict"},
    "aider_summary": {"max_tokens": 20},
    "continue_prune": {"max_tokens": 3},
}
"""Parameters at which small sessions are shortened."""


def _cases(data_folder: Path) -> Iterator[dict[str, Any]]:
    path = data_folder.parent / "golden" / "apps-agents.jsonl"
    if not path.is_file():
        pytest.skip("the golden cases of agent programs are not here")
    return map(json.loads, path.read_text("utf-8").splitlines())


def _asked(case: dict[str, Any]) -> dict[str, Any]:
    return answer_line(json.dumps({key: case[key] for key in ("name", "workspace", "scenario")}).encode(), "agents")


def _mismatches(case: dict[str, Any], answer: dict[str, Any]) -> Iterator[str]:
    expect, items = case["expect"], {item["id"]: item for item in answer["items"]}
    if (answer["error"] or {}).get("code") != expect["error"]:
        yield f"error {answer['error']}"
        return
    for name, decided in expect.get("items", {}).items():
        if [items[name]["action"], items[name]["spent"]] != decided:
            yield f"{name} {items[name]['action']} {items[name]['spent']}, expected {decided}"
    for name, reason in expect.get("reasons", {}).items():
        if items[name]["reason"] != reason:
            yield f"{name} {items[name]['reason']}, expected {reason}"
    wanted = expect.get("order")
    order = [item["id"] for item in answer["items"] if item["action"] != "dropped" and item["id"] in (wanted or ())]
    if wanted is not None and order != wanted:
        yield f"order {order}, expected {wanted}"
    if "events" in case.get("more", {}):
        events, told = case["more"]["events"], answer.get("events", [])
        if [{key: one.get(key) for key in other} for one, other in zip(told, events, strict=False)] != events:
            yield f"events {told}, expected {events}"


@pytest.mark.parametrize("policy", POLICIES)
def test_golden_cases_of_a_program(policy: str, data_folder: Path) -> None:
    own = [case for case in _cases(data_folder) if case["scenario"]["policy"] == policy]
    assert own
    wrong = {case["name"]: found for case in own if (found := list(_mismatches(case, _asked(case))))}
    assert wrong == {}


ROLES = st.sampled_from(["user", "user", "assistant", "assistant", "tool", "system"])
SESSIONS = st.lists(st.tuples(ROLES, st.integers(0, 9), st.booleans()), max_size=16)


def _session(drawn: list[tuple[str, int, bool]]) -> dict[str, Any]:
    """A session: roles, words and whether an assistant calls a tool; results answer the newest call."""
    messages: list[dict[str, Any]] = []
    call = ""
    for number, (role, size, calls) in enumerate(drawn):
        text = " ".join(["[read_file for 'a.py'] Result:", *["word"] * size] if calls else ["word"] * size)
        message: dict[str, Any] = {"id": f"m{number}", "role": role, "content": text, "pinned": size == 9}
        if role == "assistant" and calls:
            call = f"c{number}"
            message["tool_calls"] = [{"id": call, "name": "look", "arguments": {"at": size}}]
        if role == "tool":
            message |= {"tool_call_id": call or "none", "name": "look"}
        messages.append(message)
    return {"format": "prompt-inspector/workspace@1", "conversations": [{"id": "c", "messages": messages}]}


def _answer(policy: str, drawn: list[tuple[str, int, bool]], window: int, **parameters: Any) -> dict[str, Any]:
    scenario = {
        "format": "prompt-inspector/scenario@1",
        "policy": policy,
        "tokenizer": "estimate:words",
        "context_window": window,
        "parameters": {**_SMALL.get(policy, {}), **parameters},
    }
    return _asked({"name": policy, "workspace": _session(drawn), "scenario": scenario})


@pytest.mark.parametrize("policy", POLICIES)
@examples(40)
@given(drawn=SESSIONS, window=st.integers(0, 80))
def test_every_session_adds_up_and_lists_each_item_once(policy: str, drawn: Any, window: int) -> None:
    answer = _answer(policy, drawn, window)
    assume(not answer["error"])
    items = {item["id"]: item for item in answer["items"]}
    assert len(items) == len(answer["items"])
    assert {name for name in items if not name.startswith("summary:")} == {f"m{n}" for n in range(len(drawn))}
    assert sum(item["spent"] for item in items.values()) == answer["ledger"]["items"]
    by_summary = {name for name, item in items.items() if item["reason"] == "compacted"}
    assert by_summary == {name for name, item in items.items() if "into" in item}
    assert {(items[name]["action"], items[name]["spent"]) for name in by_summary} <= {("summarized", 0)}
    assert {items[name]["into"] for name in by_summary} <= set(items)
    assert sum(item["spent"] for item in items.values() if item["action"] == "dropped") == 0
    assert all(event["at"] in items for event in answer.get("events", []))


@pytest.mark.parametrize("policy", POLICIES)
def test_a_window_with_room_for_all_changes_nothing(policy: str) -> None:
    drawn = [("user", 3, False), ("assistant", 4, False), ("user", 2, False)]
    answer = _answer(policy, drawn, 10_000_000)
    assert [item["action"] for item in answer["items"]] == ["kept"] * 3
    assert "events" not in answer


@pytest.mark.parametrize(
    ("policy", "parameters", "wanted"),
    [
        (
            "anthropic_context_editing",
            {"trigger": {"tool_uses": 4}},
            {"trigger_kind": "tool_uses", "trigger_tool_uses": 4},
        ),
        (
            "anthropic_context_editing",
            {
                "trigger": {"type": "input_tokens", "value": 9},
                "exclude_tools": ["look", "grep"],
                "clear_at_least": None,
            },
            {"trigger_input_tokens": 9, "exclude_tools": "look, grep", "clear_at_least": 0},
        ),
        ("langchain_summarize", {"trigger": []}, {"trigger_kind": "never"}),
        ("langchain_summarize", {"trigger": ["tokens", 40]}, {"trigger_kind": "tokens", "trigger_tokens": 40}),
        ("langchain_summarize", {"keep": {"fraction": 0.5}}, {"keep_kind": "fraction", "keep_fraction": 0.5}),
        ("opencode_compact", {"tail_turns": None, "input_limit": None}, {"tail_turns": -1, "input_limit": 0}),
        ("codex_compact", {"auto_compact_limit": None}, {"auto_compact_limit": 0}),
    ],
)
def test_objects_lists_and_null_of_files_are_read(
    policy: str, parameters: dict[str, Any], wanted: dict[str, Any]
) -> None:
    made = make_policy(policies()[0][policy], parameters)
    assert {name: getattr(made, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("policy", "parameters", "named"),
    [
        ("anthropic_context_editing", {"trigger": {"tool_use": 4}}, "trigger_kind"),
        ("langchain_summarize", {"trigger": [{"token": 4}]}, "trigger_kind"),
        ("langchain_summarize", {"keep": {"messages": 1, "tokens": 2}}, "keep_kind"),
        ("langchain_summarize", {"trigger_clauses": "no"}, "trigger_clauses"),
        ("codex_compact", {"auto_compact_limit": {"tokens": 4}}, "auto_compact_limit"),
        ("openhands_condenser", {"max_size": 10, "keep_first": 4}, "keep_first"),
        ("openhands_condenser", {"max_size": 10, "keep_first": 5, "condenser": "amortized"}, "keep_first"),
    ],
)
def test_wrong_values_are_refused_by_name(policy: str, parameters: dict[str, Any], named: str) -> None:
    with pytest.raises(PolicyError, match=named) as refused:
        make_policy(policies()[0][policy], parameters)
    assert refused.value.code == "invalid_parameter"


def test_an_item_told_by_a_summary_names_it() -> None:
    messages = [Message(f"m{n}", "assistant" if n % 2 else "user", "word " * 8) for n in range(8)]
    answer = answer_to(
        workspace(messages),
        policy="codex_compact",
        context_window=40,
        tokenizer="estimate:words",
        parameters={"user_message_tokens": 1, "summary_size": 3},
    )
    assembly = answer.assembly
    number = int(assembly.into[0]) if assembly.into is not None else 0
    assert number
    assert explain(assembly, 0).endswith(f"It is told by summary:{number}.")
    assert "told by summary" not in explain(assembly, len(messages) - 1)


def test_a_later_compaction_tells_the_summary_before_it() -> None:
    drawn = [("user", 8, False), ("assistant", 8, False)] * 6
    answer = _answer("codex_compact", drawn, 30, summary_size=3)
    summaries = {item["id"]: item for item in answer["items"] if item["id"].startswith("summary:")}
    last = f"summary:{len(summaries)}"
    assert len(summaries) > 1
    assert summaries[last]["action"] == "kept"
    assert {item.get("into") for name, item in summaries.items() if name != last} == {
        f"summary:{number}" for number in range(2, len(summaries) + 1)
    }
    assert [message["content"] for message in answer["messages"] if "Summary of" in message["content"]]
    said = {finding["code"]: finding["message"] for finding in answer["findings"]}["compacted"]
    assert f"The program shortened its list {len(answer['events'])} times, last at message" in said


def _two_calls() -> list[Message]:
    """A message with two calls, whose results have no names of their own, as in files of APIs."""
    calls = (Text("now"), Call("t1", "look", '{"at": "the sea"}'), Call("t2", "hear", '{"at": "the wind"}'))
    results = [Message(f"r{n}", "tool", parts=(Result(f"t{n}", content="calm " * 9),)) for n in (1, 2)]
    return [Message("m0", "user", "go"), Message("m1", "assistant", parts=calls), *results]


@pytest.mark.parametrize("tokenizer", ["estimate:words", "tiktoken:o200k_base"])
@pytest.mark.parametrize("clears", [False, True])
@pytest.mark.parametrize(
    ("policy", "parameters"),
    [
        ("anthropic_context_editing", {"trigger_input_tokens": 1, "keep": 1}),
        ("langchain_clear_tools", {"trigger": 1, "keep": 1}),
    ],
)
def test_the_arguments_of_a_cleared_call_go_and_the_figures_add_up(
    policy: str, parameters: dict[str, Any], clears: bool, tokenizer: str
) -> None:
    given = {**parameters, "clear_tool_inputs": clears}
    answer = answer_to(workspace(_two_calls()), policy=policy, tokenizer=tokenizer, parameters=given)
    said = [message.content for message in prompt_messages(answer.assembly)]
    assert ["the sea" in said[1], "the wind" in said[1]] == [not clears, True]
    assert '"look"' in said[1]
    assert decisions(answer)["m1"][0] == ("truncated" if clears else "kept")
    ledger = answer.ledger
    assert ledger is not None
    assert ledger.within.tokens + sum(line.cost.tokens for line in ledger.lines) == ledger.rendered


@pytest.mark.parametrize(
    ("policy", "parameters"),
    [
        ("anthropic_context_editing", {"trigger_input_tokens": 1, "keep": 0}),
        ("langchain_clear_tools", {"trigger": 1, "keep": 0}),
    ],
)
def test_a_result_without_a_name_has_that_of_its_call(policy: str, parameters: dict[str, Any]) -> None:
    given = {**parameters, "exclude_tools": "hear"}
    decided = decisions(answer_to(workspace(_two_calls()), policy=policy, parameters=given))
    assert (decided["r1"][2], decided["r2"][0]) == ("cleared", "kept")


@pytest.mark.parametrize("policy", POLICIES)
def test_a_system_prompt_beside_the_messages_is_said_to_be_counted_as_base_tokens(policy: str) -> None:
    held = _session([("user", 3, False), ("assistant", 4, False), ("user", 2, False)])
    held["characters"] = [{"id": "a", "name": "a", "system_prompt": "You write code."}]
    scenario = {"format": "prompt-inspector/scenario@1", "policy": policy, "tokenizer": "estimate:words"}
    has_base = "base_tokens" in parameters_by_name(policies()[0][policy])
    wanted = {0: "beside the messages: give its tokens as base_tokens.", 1500: "in the 1,500 of base_tokens."}
    for base, words in wanted.items():
        given_ = {"parameters": {"base_tokens": base}} if has_base else {}
        case = {"name": policy, "workspace": held, "scenario": {**scenario, "context_window": 1_000_000, **given_}}
        said = [one["message"] for one in _asked(case)["findings"] if one["code"] == "not_placed"]
        assert all(one.startswith("1 item has no place in this policy and is left out.") for one in said)
        assert all(one.endswith(words) == has_base for one in said)
