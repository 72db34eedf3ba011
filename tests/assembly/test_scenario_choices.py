"""What a scenario picks: defaults, replay, branches, speakers, overrides, drafts, names that two lists share."""

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from building import answer_to, chat, decisions, kept, memories, pipeline_for, workspace

from inspector.assembly.answer import answer_value, measured, planned_answer, resolved_scenario
from inspector.assembly.choices import ScenarioError, choose_parts, clock
from inspector.assembly.columns import ROLES, Kind
from inspector.assembly.lacking import make_all
from inspector.assembly.policy import PolicyError
from inspector.assembly.references import with_ids
from inspector.assembly.scenario import Scenario, of_conversation
from inspector.model import (
    Attachment,
    Character,
    Component,
    Conversation,
    Memory,
    MemorySet,
    Message,
    MessageTree,
    PastSummary,
    Workspace,
    changed,
)

FOUND = workspace(chat(3, 3, 3, 3), memories(2, 2), Character("nova", system_prompt="w w"))


def resolved(found: Workspace, **scenario: Any) -> dict[str, Any]:
    pipeline, wanted = pipeline_for(found), Scenario(**scenario)
    return resolved_scenario(planned_answer(pipeline, pipeline.case(wanted)))


def messages_of(found: Workspace, **scenario: Any) -> list[tuple[str, str]]:
    candidates = answer_to(found, **scenario).assembly.candidates
    rows = candidates.rows(Kind.MESSAGE).tolist()
    return [(candidates.ids[row], ROLES[candidates.role[row]]) for row in rows]


def test_the_defaults_are_those_of_the_contract() -> None:
    value = resolved(FOUND)
    expected = {
        "conversation": "c1",
        "character": "nova",
        "memory_sets": ["default"],
        "model": "gpt-4o",
        "tokenizer": "embedded:o200k_base",
        "context_window": 128_000,
        "query": "w w w",
        "policy": "ratio",
        "preset": "document",
    }
    assert {key: value[key] for key in expected} == expected
    assert value["parameters"]["memory_share"] == 0.3
    assert len(value["parameters"]) == 21


def test_an_unknown_model_has_the_default_window() -> None:
    assert resolved(FOUND, model="nobody-knows-1")["context_window"] == 8192


def test_the_file_itself_names_defaults_that_a_scenario_overrides() -> None:
    llm = {"model": "qwen2.5", "context_window": 5000, "budget_ratios": {"memory": 0.2, "history": 0.5, "reserve": 0.3}}
    found = workspace(chat(3), character=Character("nova", system_prompt="w", preferred_llm=llm))
    value = resolved(found)
    assert (value["model"], value["context_window"]) == ("qwen2.5", 5000)
    assert (value["parameters"]["memory_share"], value["parameters"]["history_share"]) == (0.2, 0.5)
    value = resolved(found, model="gpt-4o", context_window=900, parameters={"memory_share": 0.25})
    assert (value["model"], value["context_window"], value["parameters"]["memory_share"]) == ("gpt-4o", 900, 0.25)


@pytest.mark.parametrize("window", ["large", [], {}, 1.5, None])
def test_a_window_of_the_file_that_is_no_number_is_none(window: Any) -> None:
    found = workspace(chat(3), character=Character("nova", preferred_llm={"context_window": window}))
    assert pipeline_for(found).case(Scenario(model="gpt-4o")).model.window.tokens == 128_000


def test_a_preset_comes_before_parameters() -> None:
    value = resolved(FOUND, policy="ratio", preset="long-chat", parameters={"memory_share": 0.25})
    assert value["parameters"]["memory_share"] == 0.25
    assert value["parameters"]["history_share"] == 0.6


@pytest.mark.parametrize(
    ("scenario", "named"),
    [
        ({"conversation": "c9"}, "c9"),
        ({"character": "c9"}, "c9"),
        ({"memory_sets": ("c9",)}, "c9"),
        ({"policy": "c9"}, "naive, ratio"),
        ({"preset": "c9"}, "document"),
        ({"now": "yesterday"}, "yesterday"),
        ({"context_window": 2**31}, "context_window: expected at most 2,147,483,647"),
        ({"at": 10**30}, "at: expected at most"),
        ({"at": -3}, "at: expected a whole number of at least 0, found -3"),
        ({"overrides": {"m1": {"tokens": 2**31}}}, "m1.tokens: expected 0 to 1,000,000,000"),
        ({"overrides": {"m1": {"colour": "red"}}}, "colour"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_is_not_there_is_named(scenario: dict[str, Any], named: str) -> None:
    with pytest.raises(ScenarioError, match=named):
        answer_to(FOUND, **scenario)


@pytest.mark.parametrize(
    "parameters",
    [
        {"memory_share": "much"},
        {"memory_share": -0.1},
        {"min_exchanges": 1.5},
        {"min_exchanges": 2**31},
        {"selective": 1},
        {"borrow": "all"},
        {"x": 1},
    ],
    ids=lambda value: next(iter(value)),
)
def test_a_parameter_that_cannot_be_is_an_error_of_the_answer(parameters: dict[str, Any]) -> None:
    answer = answer_to(FOUND, parameters=parameters)
    assert answer.assembly.error is not None
    assert answer.assembly.error.code == "invalid_parameter"
    assert answer.status == "error"
    case = pipeline_for(FOUND).case(Scenario(parameters=parameters))
    assert case.policy is None
    assert isinstance(case.refusal, PolicyError)


def test_replay_drops_what_was_said_later_and_asks_the_last_question_then() -> None:
    found = workspace([*chat(3, 3), Message("m2", "user", "later")])
    answer = answer_to(found, at=2)
    assert decisions(answer)["m2"] == ("dropped", 0, "not_yet")
    assert answer.assembly.candidates.newest_user_text == "w w w"
    assert kept(answer_to(found, at=0)) == []
    assert kept(answer_to(found, at=99)) == ["m0", "m1", "m2"]


def test_what_is_both_later_and_excluded_is_not_yet() -> None:
    assert decisions(answer_to(FOUND, at=1, excluded=("m2",)))["m2"] == ("dropped", 0, "not_yet")


def test_a_draft_is_the_newest_message_also_in_a_replay() -> None:
    assert messages_of(FOUND, draft="hello there", at=1)[-1] == ("draft", "user")
    answer = answer_to(FOUND, draft="hello there", at=1)
    assert kept(answer)[-1] == "draft"
    assert decisions(answer)["draft"] == ("kept", 2, "guaranteed")
    assert answer.assembly.candidates.newest_user_text == "hello there"


def test_the_clock_is_the_newest_message_that_exists_unless_it_is_given() -> None:
    pipeline = pipeline_for(FOUND)
    day = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
    assert pipeline.candidates(pipeline.case(Scenario())).now == day + 3 * 86_400
    assert pipeline.candidates(pipeline.case(Scenario(at=2))).now == day + 86_400
    assert pipeline.candidates(pipeline.case(Scenario(now="2026-01-01T00:00:00Z"))).now == day


def test_pins_and_exclusions_come_on_top_of_those_in_the_file() -> None:
    found = workspace([changed(message, pinned=message.id == "m0") for message in chat(30, 30, 30, 30)])
    decided = decisions(answer_to(found, context_window=20, pinned=("m1",), excluded=("m2",)))
    assert [decided[name][2] for name in ("m0", "m1", "m2")] == ["pinned", "pinned", "excluded"]


def test_what_is_excluded_cannot_be_pinned() -> None:
    answer = answer_to(FOUND, pinned=("m1",), excluded=("m1",))
    assert decisions(answer)["m1"] == ("dropped", 0, "excluded")
    assert not answer.assembly.candidates.pinned.any()


def test_overrides_are_as_if_the_file_had_them() -> None:
    overrides = {"m0": {"content": "w w w w w", "pinned": True}, "memories/k0": {"tokens": 7}}
    decided = decisions(answer_to(FOUND, overrides=overrides))
    assert decided["m0"] == ("kept", 5, "pinned")
    assert decided["k0"] == ("kept", 7, "within_budget")


def test_overrides_reach_every_kind_of_item_and_are_read_like_a_file() -> None:
    parts = (Component("c0", "note", "w", 1),)
    character = Character("nova", system_prompt="w", components=parts)
    found = workspace(chat(3), memories(2), character, attachments=(Attachment("a.txt", "w"),))
    overrides = {
        "c0": {"condition": False},
        "nova": {"system_prompt": "w w w"},
        "a.txt": {"content": "w w w w"},
        "k0": {"time": "2026-01-02T00:00:00", "tags": ["x"], "similarity": 1},
    }
    answer = answer_to(found, policy="naive", overrides=overrides)
    decided = decisions(answer)
    assert decided["c0"] == ("dropped", 0, "filtered")
    assert (decided["nova"][1], decided["a.txt"][1]) == (3, 4)
    memory = answer.assembly.candidates.rows_named(["k0"])
    assert answer.assembly.candidates.time[memory] == datetime(2026, 1, 2, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "values", [{"content": 5}, {"tokens": "many"}, {"role": "robot"}, {"time": "soon"}, {"pinned": "yes"}], ids=str
)
def test_an_override_of_a_wrong_type_is_named(values: dict[str, Any]) -> None:
    with pytest.raises(ScenarioError, match=f"m1.{next(iter(values))}"):
        answer_to(FOUND, overrides={"m1": values})


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process cannot be changed here")
def test_a_clock_without_a_zone_is_utc_wherever_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert clock(Scenario(now="2026-01-01T00:00:00")) == datetime(2026, 1, 1, tzinfo=UTC).timestamp()
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_cap_beyond_all_tokens_cuts_nothing() -> None:
    assert kept(answer_to(FOUND, parameters={"message_cap": 10**9})) == list(answer_to(FOUND).assembly.candidates.ids)


def test_an_empty_workspace_has_an_empty_prompt() -> None:
    for policy in ("naive", "ratio"):
        answer = answer_to(Workspace(), policy=policy)
        assert (len(answer.assembly.candidates), answer.status, answer.ledger.total) == (0, "ok", 0)


def test_the_assistant_is_the_speaker_that_the_scenario_names() -> None:
    said = [
        Message("m0", "user", "w", name="Ada"),
        Message("m1", "user", "w", name="Bob"),
        Message("m2", "system", "w"),
    ]
    assert [role for _, role in messages_of(workspace(said), assistant="Bob")] == ["user", "assistant", "system"]


def test_an_assistant_of_another_chat_changes_nothing_and_one_of_none_is_named() -> None:
    here = Conversation("c1", (Message("m0", "assistant", "w", name="Ada"), Message("m1", "user", "w", name="Bob")))
    there = Conversation("c2", (Message("m0", "user", "w", name="Cy"),))
    found = Workspace(conversations=(here, there))
    assert [role for _, role in messages_of(found, assistant="Cy")] == ["assistant", "user"]
    with pytest.raises(ScenarioError, match="nobody called 'Dee' speaks; in this conversation speak: Ada, Bob"):
        messages_of(found, assistant="Dee")


def test_a_leaf_chooses_its_branch() -> None:
    said = chat(1, 1, 1)
    tree = MessageTree((*said, Message("x", "assistant", "w w")), ("", "m0", "m1", "m0"), "m2")
    found = Workspace(conversations=(Conversation("c1", said, tree=tree),))
    assert [name for name, _ in messages_of(found)] == ["m0", "m1", "m2"]
    assert [name for name, _ in messages_of(found, leaf="x")] == ["m0", "x"]
    with pytest.raises(ScenarioError, match="nowhere"):
        answer_to(found, leaf="nowhere")


def test_a_leaf_of_a_chat_without_branches_is_looked_for_too() -> None:
    found = workspace(chat(1, 1, 1))
    assert [name for name, _ in messages_of(found, leaf="m1")] == ["m0", "m1"]
    with pytest.raises(
        ScenarioError, match="leaf 'x' is not a message of this conversation; its branches end with: m2"
    ):
        answer_to(found, leaf="x")
    with pytest.raises(ScenarioError, match="its branches end with: none"):
        answer_to(workspace(()), leaf="x")


def test_a_leaf_goes_to_no_other_conversation_than_its_own() -> None:
    scenario = Scenario(conversation="c1", leaf="m1", at=2)
    assert of_conversation(scenario, "c1") == scenario
    assert of_conversation(scenario, "c2") == Scenario(conversation="c2", at=2)
    assert of_conversation(Scenario(leaf="m1"), "c2") == Scenario(conversation="c2", leaf="m1")


def test_a_tree_that_bites_its_tail_ends() -> None:
    said = chat(1, 1)
    tree = MessageTree(said, ("m1", "m0"), "m1")
    found = Workspace(conversations=(Conversation("c1", said, tree=tree),))
    assert [name for name, _ in messages_of(found, leaf="m1")] == ["m0", "m1"]


def test_ids_that_two_lists_share_are_answered_and_understood_with_their_list() -> None:
    stored = MemorySet("default", (Memory("a", "w w", similarity=1.0), Memory("b", "w")))
    found = workspace([Message("a", "user", "w w w"), Message("m1", "assistant", "w")], stored)
    assert set(decisions(answer_to(found))) == {"messages/a", "memories/a", "b", "m1"}
    decided = decisions(answer_to(found, excluded=("messages/a", "memories/b")))
    assert [name for name, decision in decided.items() if decision[0] == "dropped"] == ["b", "messages/a"]
    both = decisions(answer_to(found, excluded=("a",)))
    assert [name for name, decision in both.items() if decision[0] == "dropped"] == ["memories/a", "messages/a"]


def test_things_of_another_file_stay_with_their_own_conversation() -> None:
    stored = [changed(memories(1), id=name, origin=name) for name in ("one", "two")]
    loose = MemorySet("loose", (Memory("k9", "w"),), origin="three")
    told = tuple(Conversation(name, chat(1), origin=name) for name in ("one", "two"))
    found = Workspace(conversations=told, memory_sets=(*stored, loose))
    assert resolved(found, conversation="two")["memory_sets"] == ["two", "loose"]


def test_memory_sets_that_name_their_conversations_go_with_these_only() -> None:
    talks = tuple(Conversation(name, chat(1)) for name in ("one", "two"))
    named = tuple(MemorySet(f"of {name}", (Memory(name, "w"),), conversations=(name,)) for name in ("one", "two"))
    both = MemorySet("of both", (Memory("k", "w"),), conversations=("one", "two"))
    found = Workspace(conversations=talks, memory_sets=(*named, both, MemorySet("of all", (Memory("l", "w"),))))
    assert resolved(found)["memory_sets"] == ["of one", "of both", "of all"]
    assert resolved(found, conversation="two")["memory_sets"] == ["of two", "of both", "of all"]
    assert resolved(found, memory_sets=("of two",))["memory_sets"] == ["of two"]
    assert len(resolved(changed(found, conversations=()))["memory_sets"]) == 4


def test_summaries_that_name_their_conversations_go_with_these_only() -> None:
    talks = tuple(Conversation(name, chat(1)) for name in ("one", "two"))
    named = tuple(PastSummary(f"of {name}", "w", conversations=(name,)) for name in ("one", "two"))
    found = Workspace(conversations=talks, summaries=(*named, PastSummary("of all", "w")))
    for name in ("one", "two"):
        parts = choose_parts(found, Scenario(conversation=name)).parts
        assert [one.id for one in parts.summaries] == [f"of {name}", "of all"]


def test_the_answer_has_the_shape_of_the_contract() -> None:
    pipeline, scenario = pipeline_for(FOUND), Scenario(tokenizer="estimate:words", context_window=60)
    make_all(pipeline, scenario)
    value = answer_value(measured(pipeline, planned_answer(pipeline, pipeline.case(scenario))), "x")
    assert list(value) == [
        *("format", "name", "scenario", "status", "error", "budget", "items", "messages", "ledger", "findings"),
    ]
    assert value["budget"]["sections"]["memory"] == {"limit": 17, "used": 4, "borrowed": 0}
    assert list(value["items"][1].items())[:-2] == [
        *(("id", "k0"), ("section", "memory"), ("action", "kept"), ("reason", "within_budget")),
        *(("tokens", 2), ("spent", 2), ("counted", 2), ("rank", 5), ("left", 17)),
    ]
    # Similarity 1 × 0.4, no priority and no type: 50 of 100 × 0.3 and × 0.1, and no time.
    assert value["items"][1]["score"] == pytest.approx(0.4 + 0.15 + 0.05)
    assert value["messages"][1] == {
        "role": "user",
        "content": "Relevant memories:\n- w w\n- w w",
        "items": ["k0", "k1"],
    }


def test_a_memory_set_named_twice_is_used_once_also_by_its_title() -> None:
    found = workspace(chat(3, 3), changed(memories(2, 2), title="What she knows"))
    once, twice = (answer_to(found, memory_sets=names).assembly for names in (("default",), ("default",) * 3))
    assert (twice.candidates.ids, twice.items_total) == (once.candidates.ids, once.items_total)
    named = with_ids(Scenario(memory_sets=("What she knows", "default")), pipeline_for(found), {})
    assert named.memory_sets == ("default",)
