"""Policies of coding agents and frameworks: golden cases, rules that always hold, and the summaries they write."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inspector.cli.assemble import answer_line
from inspector.plugins import policies
from tests.examples import examples

POLICIES = tuple(name for name, kind in policies()[0].items() if ".policies.agents." in kind.__module__)
_SMALL: dict[str, dict[str, Any]] = {
    "codex_compact": {"user_message_tokens": 4},
    "gemini_compress": {"tool_budget": 5, "tool_chars": 10},
    "cline_compact": {"preserve_recent_tokens": 12},
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
    standing = [name for name, item in items.items() if name.startswith("summary:") and item["action"] == "kept"]
    told = {item.get("into") for item in items.values()} - {None}
    assert set(standing) <= told
    assert all(event["at"] in items for event in answer.get("events", []))


@pytest.mark.parametrize("policy", POLICIES)
def test_a_window_with_room_for_all_changes_nothing(policy: str) -> None:
    drawn = [("user", 3, False), ("assistant", 4, False), ("user", 2, False)]
    answer = _answer(policy, drawn, 10_000_000)
    assert [item["action"] for item in answer["items"]] == ["kept"] * 3
    assert "events" not in answer


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
    assert "compacted" in {finding["code"] for finding in answer["findings"]}
