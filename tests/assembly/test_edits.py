from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from building import chat, memories, workspace

from inspector.assembly import edits
from inspector.assembly.choices import choose_parts
from inspector.assembly.edits import Edit
from inspector.assembly.message_class import MessageClass
from inspector.assembly.remembered import NO_CHATS, remember_chat
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, MemorySet, Message, MessageTree, Workspace
from inspector.retrieval.lore.settings import LoreSettings
from inspector.retrieval.relevance.settings import RelevanceSettings

TUNED = Scenario(preset="long-chat", parameters={"memory_share": 0.2})


@pytest.mark.parametrize("terms", [("ratio",), ("ratio", "long-chat")])
def test_naming_the_policy_in_use_keeps_what_was_tuned(terms: Any) -> None:
    assert edits.use_policy(TUNED, *terms).scenario is TUNED
    assert edits.set_value(TUNED, "policy", "ratio").scenario is TUNED
    assert edits.set_value(TUNED, "preset", "long-chat").scenario is TUNED


def test_another_policy_or_preset_starts_from_its_own_values() -> None:
    other = edits.use_policy(TUNED, "naive").scenario
    assert (other.policy, other.preset, other.parameters) == ("naive", None, {})
    preset = edits.use_policy(TUNED, "ratio", "document").scenario
    assert (preset.policy, preset.preset, preset.parameters) == (None, None, {})
    assert edits.set_value(other, "preset", "brain-0.5").scenario.policy == "naive"


def test_what_is_remembered_comes_back_with_the_preset_that_was_last() -> None:
    remembered = {"ratio": {"document": {"min_exchanges": 9}, "long-chat": {"memory_share": 0.2}}, "naive": {}}
    away = Scenario(policy="naive")
    assert edits.use_policy(away, "ratio", None, remembered).scenario == Scenario(
        policy="ratio", preset="long-chat", parameters={"memory_share": 0.2}
    )
    assert edits.use_policy(away, "ratio", "document", remembered).scenario == Scenario(
        policy="ratio", parameters={"min_exchanges": 9}
    )
    assert edits.use_policy(away, "ratio", "memory-first", remembered).scenario.parameters == {}
    assert edits.use_policy(TUNED, "naive", None, remembered).scenario == away


def test_the_policy_and_preset_in_use_keep_their_values_whatever_is_remembered() -> None:
    remembered = {"ratio": {"long-chat": {"memory_share": 0.9}}}
    assert edits.use_policy(TUNED, "ratio", None, remembered).scenario is TUNED
    assert edits.use_policy(TUNED, "ratio", "long-chat", remembered).scenario is TUNED


def test_parameters_saved_as_a_preset_are_none_of_the_scenario_any_more() -> None:
    edit = edits.use_saved_preset(TUNED, "mine", {})
    assert (edit.label, edit.scenario) == ("Save preset mine", Scenario(preset="mine"))
    left = edits.leave_preset(edit.scenario, "", {"memory_share": 0.2}, "auto")
    assert (left.label, left.scenario) == ("Remove preset mine", Scenario(parameters={"memory_share": 0.2}))
    assert edits.leave_preset(edit.scenario, "long-chat", {}, "auto").scenario == Scenario(preset="long-chat")


def test_parameters_are_added_to_those_that_were_set() -> None:
    edit = edits.set_parameters(TUNED, {"min_exchanges": 5})
    assert edit == Edit("Change min exchanges", edit.scenario)
    assert edit.scenario.parameters == {"memory_share": 0.2, "min_exchanges": 5}
    assert TUNED.parameters == {"memory_share": 0.2}
    assert edits.set_parameters(TUNED, {"a": 1}, "Mine").label == "Mine"
    assert edits.reset_parameters(edit.scenario).scenario.parameters == {}


def test_a_value_goes_where_it_belongs() -> None:
    assert edits.set_value(TUNED, "context_window", 9_000) == Edit(
        "Context window 9,000", edits.use_window(TUNED, 9_000).scenario
    )
    assert edits.set_value(TUNED, "at", 3).scenario.at == 3
    assert edits.set_value(TUNED, "min_exchanges", 3).scenario.parameters["min_exchanges"] == 3


def test_marks_are_toggled_together_and_exclude_each_other() -> None:
    pinned = edits.toggle_pins(Scenario(excluded=("m1",)), ["m1", "m2"])
    assert (pinned.label, pinned.scenario.pinned, pinned.scenario.excluded) == ("Pin 2 items", ("m1", "m2"), ())
    assert edits.toggle_pins(pinned.scenario, ["m3", "m1"]).scenario.pinned == ("m2", "m3", "m1")
    unpinned = edits.toggle_pins(pinned.scenario, ["m2"])
    assert (unpinned.label, unpinned.scenario.pinned) == ("Unpin m2", ("m1",))
    assert edits.toggle_pins(Scenario(), ["m2"], "message 3").label == "Pin message 3"
    assert edits.toggle_exclusions(Scenario(excluded=("m2",)), ["m2"], (), "M 3").label == "Take in M 3"
    excluded = edits.toggle_exclusions(pinned.scenario, ["m1"]).scenario
    assert (excluded.pinned, excluded.excluded) == (("m2",), ("m1",))
    assert edits.clear_marks(excluded).scenario == Scenario()


def test_another_conversation_leaves_the_marks_of_the_one_before() -> None:
    found = workspace(chat(1, 1), memories(1))
    before = Scenario(
        pinned=("m0",), at=1, query="x", draft="y", overrides={"m0": {"pinned": True}}, context_window=900
    )
    after = edits.choose_conversation(before, found, "c2").scenario
    assert after == Scenario(conversation="c2", context_window=900)


def test_a_conversation_comes_back_as_it_was_left() -> None:
    found = workspace(chat(1, 1), memories(1))
    first = found.conversations[0].id
    left = Scenario(pinned=("m0",), at=1, query="x", draft="y", overrides={"m0": {"pinned": True}}, context_window=900)
    remembered = remember_chat(NO_CHATS, first, left)
    other = edits.choose_conversation(left, found, "c2", remembered).scenario
    assert other == Scenario(conversation="c2", context_window=900)
    tuned = replace(other, context_window=700, excluded=("m1",))
    remembered = remember_chat(remembered, "c2", tuned)
    back = edits.choose_conversation(tuned, found, first, remembered).scenario
    assert back == replace(left, conversation=first, context_window=700)
    assert edits.choose_conversation(back, found, "c2", remembered).scenario == replace(tuned, conversation="c2")
    assert remember_chat(remembered, "c2", Scenario(conversation="c2", context_window=700)).keys() == {first}


DONE_TO_ONE = Scenario(
    conversation="c1",
    memory_sets=("s",),
    leaf="b",
    pinned=("a", "b"),
    excluded=("memories/x",),
    overrides={"a": {"key_moment": True}},
    query="x",
    draft="y",
    context_window=900,
)


def branched() -> Workspace:
    """Two conversations, each with two branches that share their first message; those that end with c are shown."""
    said = tuple(Message(name, "user", name) for name in "abc")
    tree = MessageTree(said, ("", "a", "a"), "c")
    return Workspace(tuple(Conversation(name, (said[0], said[2]), tree=tree) for name in ("c1", "c2")))


@pytest.mark.parametrize("at", [None, 1])
def test_another_branch_of_a_conversation_leaves_what_was_done_to_it(at: int | None) -> None:
    before = replace(DONE_TO_ONE, at=at, as_of=at is not None)
    edit = edits.choose_leaf(before, branched(), "c1", "c")
    assert edit == Edit("Choose branch", replace(DONE_TO_ONE, leaf="c"))
    assert edits.choose_leaf(edit.scenario, branched(), "c1", "b").scenario == DONE_TO_ONE


def test_the_branch_in_use_stays_as_it_is() -> None:
    for name, shown in (("b", replace(DONE_TO_ONE, at=1)), ("c", replace(DONE_TO_ONE, leaf=None, at=1))):
        assert edits.choose_leaf(shown, branched(), "c1", name).scenario is shown


def test_a_branch_of_another_conversation_comes_with_that_as_it_was_left() -> None:
    left = Scenario(conversation="c2", pinned=("a",), draft="theirs", query="z", at=1, as_of=True)
    remembered = remember_chat(NO_CHATS, "c2", left)
    after = edits.choose_leaf(DONE_TO_ONE, branched(), "c2", "b", remembered).scenario
    assert after == Scenario(conversation="c2", leaf="b", pinned=("a",), draft="theirs", query="z", context_window=900)
    fresh = edits.choose_leaf(DONE_TO_ONE, branched(), "c2", "b").scenario
    assert fresh == Scenario(conversation="c2", leaf="b", context_window=900)


def test_an_assistant_is_chosen_in_a_conversation() -> None:
    found = workspace(chat(1, 1), memories(1))
    before = Scenario(pinned=("m0",))
    here = edits.choose_assistant(before, found, found.conversations[0].id, "Ann").scenario
    assert here == Scenario(pinned=("m0",), assistant="Ann")
    assert edits.choose_assistant(here, found, "c2", None).scenario == Scenario(conversation="c2")


def test_another_conversation_comes_with_the_memory_sets_that_belong_to_it() -> None:
    found = Workspace(
        tuple(Conversation(name, chat(1)) for name in ("one", "two")),
        memory_sets=(MemorySet("one", ()), MemorySet("two", ()), MemorySet("of one", (), conversations=("one",))),
    )
    after = edits.choose_conversation(Scenario(memory_sets=("of one",)), found, "two").scenario
    assert [one.id for one in choose_parts(found, after).parts.memory_sets] == ["one", "two"]


def test_a_window_that_was_given_stays_with_another_model() -> None:
    assert edits.use_model(Scenario(context_window=900), "gpt-4.1").scenario == Scenario(
        model="gpt-4.1", context_window=900
    )


@pytest.mark.parametrize(
    ("verb", "terms", "field", "value"),
    [
        (edits.choose_character, ("nova",), "character", "nova"),
        (edits.choose_memory_sets, (["a", "b"],), "memory_sets", ("a", "b")),
        (edits.use_tokenizer, ("estimate:words",), "tokenizer", "estimate:words"),
        (edits.set_draft, ("Hi",), "draft", "Hi"),
        (edits.set_draft, ("",), "draft", None),
        (edits.set_query, ("boats",), "query", "boats"),
        (edits.compare_by, ("lexical",), "similarity", "lexical"),
        (edits.use_embedding, ("minilm",), "embedding", "minilm"),
        (edits.classify_by, ("rules",), "classify", "rules"),
        (edits.use_summaries, ("extractive",), "summaries", "extractive"),
        (edits.set_summary_tokens, (30,), "summary_tokens", 30),
        (edits.scan_lore, (LoreSettings(depth=9),), "lore", LoreSettings(depth=9)),
        (edits.weigh_relevance, (RelevanceSettings(after=0),), "relevance", RelevanceSettings(after=0)),
        (edits.go_to_turn, (4,), "at", 4),
        (edits.override, ([("m0", "pinned", True)],), "overrides", {"m0": {"pinned": True}}),
        (edits.use_served_model, ("local", None, 512), "context_window", 512),
        (edits.use_served_model, ("local", "gpt-4.1", 512), "model", "gpt-4.1"),
    ],
)
def test_a_verb_changes_its_field_and_has_words_for_it(
    verb: Callable[..., Edit], terms: tuple[Any, ...], field: str, value: Any
) -> None:
    edit = verb(Scenario(), *terms)
    assert getattr(edit.scenario, field) == value
    assert edit.label[0].isupper()


def test_a_class_is_an_override_like_any_other() -> None:
    marked = edits.set_class(Scenario(), ["m1"], MessageClass.FILLER).scenario
    assert marked.overrides["m1"]["filler"] is True
    assert edits.set_class(marked, ["m1"], None).scenario.overrides == {}


def test_a_setting_is_used_for_what_is_looked_at_now() -> None:
    now = Scenario(conversation="c1", pinned=("m1",), query="hush", tokenizer="estimate:words", policy="naive")
    setting = Scenario(policy="ratio", preset="long-chat", parameters={"memory_share": 0.4}, context_window=2048)
    edit = edits.use_setting(now, setting)
    assert edit.label == "Use ratio for 2,048 tokens"
    assert (edit.scenario.policy, edit.scenario.preset, edit.scenario.parameters) == (
        "ratio",
        "long-chat",
        {"memory_share": 0.4},
    )
    assert (edit.scenario.context_window, edit.scenario.pinned, edit.scenario.query) == (2048, ("m1",), "hush")
    assert edits.use_setting(edit.scenario, setting).scenario == edit.scenario


def test_a_scenario_without_its_conversation_has_nothing_of_it() -> None:
    marked = Scenario(
        conversation="c1", memory_sets=("s",), pinned=("m1",), draft="so", at=3, as_of=True, policy="slots"
    )
    assert edits.without_conversation(marked) == Scenario(policy="slots")


def test_what_the_file_leaves_out_is_taken_in_by_an_override() -> None:
    scenario = Scenario(excluded=("a", "z"), overrides={"b": {"pinned": True}})
    taken_in = edits.toggle_exclusions(scenario, ["a", "b"], by_file=["b"])
    assert taken_in.label == "Take in 2 items"
    assert taken_in.scenario.excluded == ("z",)
    assert taken_in.scenario.overrides == {"b": {"pinned": True, "excluded": False}}
    left_out = edits.toggle_exclusions(scenario, ["b", "c"], by_file=["b"])
    assert left_out.scenario.excluded == ("a", "z", "b", "c")
    assert left_out.scenario.overrides == scenario.overrides
