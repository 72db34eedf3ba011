"""Every finding: once where it is due, and absent where it is not."""

from typing import Any

import pytest
from building import answer_to, chat, codes, memories, pipeline_for, workspace

from inspector.assembly.answer import planned_answer
from inspector.assembly.scenario import Scenario
from inspector.model import Character, Component, Conversation, Message, Passage, ToolCall, Workspace

FITTING = workspace(chat(30, 30, 30), memories(10))
CALL = Message("m1", "assistant", "w", tool_calls=(ToolCall("t1", "look", "{}"),))
RESULT = Message("m2", "tool", "w w", tool_call_id="t1")


def with_call(*more: Message) -> Workspace:
    return workspace([Message("m0", "user", "w w w"), CALL, *more, Message("m3", "user", "w")])


CASES: list[tuple[str, Workspace, dict[str, Any], Workspace, dict[str, Any]]] = [
    ("over_window", FITTING, {"policy": "naive", "context_window": 50}, FITTING, {"policy": "naive"}),
    (
        *("guarantee_over_budget", FITTING, {"context_window": 40}),
        *(FITTING, {"context_window": 40, "parameters": {"min_exchanges": 0}}),
    ),
    (
        *("history_gap", FITTING, {"pinned": ("m0",), "context_window": 60, "parameters": {"min_exchanges": 1}}),
        *(FITTING, {"excluded": ("m1",), "context_window": 500}),
    ),
    ("empty_history", workspace((), memories(3)), {}, FITTING, {}),
    (
        *("orphan_tool_result", with_call(RESULT), {"excluded": ("m1",)}),
        *(with_call(RESULT), {}),
    ),
    ("budget_unused", FITTING, {"context_window": 1000}, FITTING, {"policy": "naive", "context_window": 130}),
    (
        *("estimated_counts", FITTING, {"tokenizer": "estimate:words"}),
        *(FITTING, {"tokenizer": "embedded:o200k_base", "model": "gpt-4o"}),
    ),
    ("model_unknown", FITTING, {"model": "nobody-knows-1"}, FITTING, {"model": "gpt-4o"}),
    ("model_by_prefix", FITTING, {"model": "gpt-4o-2099-01-01"}, FITTING, {"model": "gpt-4o"}),
    (
        *("first_of_many", Workspace(conversations=(Conversation("a", ()), Conversation("b", ()))), {}),
        *(Workspace(conversations=(Conversation("a", ()), Conversation("b", ()))), {"conversation": "b"}),
    ),
    (
        *("not_placed", workspace(chat(2), passages=(Passage("p0", "w", "document"),)), {}),
        *(workspace(chat(2), passages=(Passage("p0", "w", "document"),)), {"policy": "naive"}),
    ),
    (
        *("system_prompt_too_large", workspace(chat(2), character=Character("n", system_prompt="w " * 40))),
        {"context_window": 100, "parameters": {"system_overflow": "warn"}},
        *(workspace(chat(2), character=Character("n", system_prompt="w " * 40)),),
        {"context_window": 100, "parameters": {"system_overflow": "ignore"}},
    ),
]


@pytest.mark.parametrize(("code", "due", "scenario", "clean", "other"), CASES, ids=[case[0] for case in CASES])
def test_finding_is_there_once_and_absent_once(
    code: str, due: Workspace, scenario: dict[str, Any], clean: Workspace, other: dict[str, Any]
) -> None:
    assert codes(answer_to(due, **scenario)).count(code) == 1
    assert code not in codes(answer_to(clean, **other))


def test_a_gap_names_the_lost_messages_and_no_others() -> None:
    answer = answer_to(
        workspace(chat(9, 9, 9, 9, 9)),
        context_window=60,
        pinned=("m1",),
        parameters={"min_exchanges": 1},
    )
    gap = next(finding for finding in answer.findings if finding.code == "history_gap")
    assert [answer.assembly.candidates.ids[row] for row in gap.rows] == ["m2", "m3"]


@pytest.mark.parametrize("around", [{"excluded": ("m1",)}, {"at": 2}])
def test_excluded_and_later_messages_make_no_gap(around: dict[str, Any]) -> None:
    assert "history_gap" not in codes(answer_to(workspace(chat(2, 2, 2)), **around))


def test_a_call_without_its_result_is_an_orphan_too() -> None:
    answer = answer_to(with_call(RESULT), excluded=("m2",))
    orphan = next(finding for finding in answer.findings if finding.code == "orphan_tool_result")
    assert [answer.assembly.candidates.ids[row] for row in orphan.rows] == ["m1"]


def test_findings_come_errors_first() -> None:
    answer = answer_to(FITTING, policy="naive", context_window=50, model="nobody-knows-1")
    order = [finding.severity for finding in answer.findings]
    assert order == sorted(order, key=["error", "warning", "info"].index)
    assert order[0] == "error"


def test_over_window_counts_the_overhead_and_the_reserve() -> None:
    found = workspace(chat(10))
    total = answer_to(found, policy="naive", context_window=1000).ledger.total
    assert total > 10
    assert "over_window" not in codes(answer_to(found, policy="naive", context_window=total))
    assert "over_window" in codes(answer_to(found, policy="naive", context_window=total - 1))


def test_a_quarter_of_the_window_may_stay_free() -> None:
    found = workspace(chat(10))
    total = answer_to(found, policy="naive", context_window=1000).ledger.total
    most = total * 4 // 3
    assert "budget_unused" not in codes(answer_to(found, policy="naive", context_window=most))
    assert "budget_unused" in codes(answer_to(found, policy="naive", context_window=most + 1))


def test_what_is_not_counted_yet_is_said_and_what_the_file_records_is_known() -> None:
    told = [Message("m0", "user", "w w", tokens=5), Message("m1", "user", "w w w")]
    pipeline = pipeline_for(workspace(told))
    answer = planned_answer(pipeline, pipeline.case(Scenario()))
    assert answer.assembly.candidates.exact.tolist() == [True, False]
    assert next(f.message for f in answer.findings if f.code == "estimated_counts").startswith("1 item")


def test_switched_off_components_are_filtered_without_a_finding() -> None:
    parts = (Component("c0", "note", "w", 1, condition=False), Component("c1", "note", "  ", 2))
    answer = answer_to(workspace(chat(2), character=Character("n", system_prompt="w", components=parts)))
    assert "not_placed" not in codes(answer)
