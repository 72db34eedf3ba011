"""Classes of messages in assemblies: who has the last word, what the strategy does with them, and how they are said."""

from typing import Any

import pytest
from building import answer_to, decisions, pipeline_for, workspace
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.answer import Answer, answer_value, planned_answer
from inspector.assembly.choices import ScenarioError
from inspector.assembly.explain import explain
from inspector.assembly.lacking import make_all, unread_messages
from inspector.assembly.message_class import OVERRIDES, MessageClass, class_of, is_computed, overridden_class
from inspector.assembly.message_marks import Mark
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario, scenario_value
from inspector.model import Memory, MemorySet, Message, changed

TEXTS = (
    "I love this, thank you so much! 😍",
    "ok",
    "We've decided to sail on 5 March",
    "There is a ferry every hour",
    "Ich bin so traurig, mein Hund ist gestorben",
    "Thanks.",
)
STRATEGY = {"selective": True, "recent_messages": 1, "min_exchanges": 0, "discard_after": 1000, "system_limit": 1.0}


def talk(*texts: str, **fields: Any) -> tuple[Message, ...]:
    """Messages `m0`, `m1`, … of these texts, the user's first."""
    return tuple(
        Message(f"m{number}", "assistant" if number % 2 else "user", text, **fields)
        for number, text in enumerate(texts)
    )


def classified(messages: tuple[Message, ...], **scenario: Any) -> Answer:
    parameters = {**STRATEGY, **scenario.pop("parameters", {})}
    wanted = {"classify": "rules", "context_window": 100_000, "parameters": parameters, **scenario}
    return answer_to(workspace(messages), **wanted)


def classes(answer: Answer) -> dict[str, str]:
    assembly = answer.assembly
    return {name: class_of(assembly, row).name.lower() for row, name in enumerate(assembly.candidates.ids)}


def row_of(answer: Answer, name: str) -> int:
    return answer.assembly.candidates.ids.index(name)


def test_each_text_gets_the_class_that_a_reader_would_give_it() -> None:
    answer = classified(talk(*TEXTS, "the newest"))
    assert classes(answer) == {
        "m0": "emotional",  # .89 by VADER
        "m1": "filler",
        "m2": "key_moment",  # a decision, and a date
        "m3": "ordinary",
        "m4": "ordinary",  # German: sad, and nobody here can tell
        "m5": "filler",
        "m6": "recent",
    }
    marks = answer.assembly.candidates.marks
    assert not marks.told[row_of(answer, "m4")] & Mark.EMOTIONAL_WEIGHT, "not computed rather than 0"
    assert decisions(answer)["m1"] == ("dropped", 0, "filler")
    assert decisions(answer)["m3"][::2] == ("summarized", "preview")
    assert [decisions(answer)[name][0] for name in ("m0", "m2", "m6")] == ["kept", "kept", "kept"]


def test_without_a_classifier_only_the_file_speaks() -> None:
    answer = classified(talk(*TEXTS, "the newest"), classify=None)
    assert set(classes(answer).values()) == {"ordinary", "recent"}
    assert not answer.assembly.candidates.marks.any_computed
    marked = classified(talk(*TEXTS, "the newest", filler=True), classify=None)
    assert {action for name, action in _outcomes(marked).items() if name != "m6"} == {"dropped/filler"}


def _outcomes(answer: Answer) -> dict[str, str]:
    return {name: f"{action}/{reason}" for name, (action, _, reason) in decisions(answer).items()}


def test_without_the_strategy_nothing_is_classified_unless_the_rules_do() -> None:
    off = {"selective": False}
    assert classified(talk(*TEXTS), classify=None, parameters=off).assembly.classes is None
    answer = classified(talk(*TEXTS), parameters=off)
    assert classes(answer)["m1"] == "filler"
    assert {action for action, _, _ in decisions(answer).values()} == {"kept"}
    assert answer_to(workspace(talk(*TEXTS)), policy="naive", classify="rules").assembly.classes is None


def test_old_messages_are_old_before_they_are_filler_and_pinned_ones_stay() -> None:
    answer = classified(talk(*TEXTS, "the newest"), parameters={"discard_after": 3}, pinned=("m5",))
    assert decisions(answer)["m1"][2] == "old_filler"
    assert decisions(answer)["m5"][::2] == ("kept", "pinned")


marked = st.fixed_dictionaries(
    {},
    optional={
        "emotional_weight": st.sampled_from([0.0, 0.3, 0.9]),
        "key_moment": st.booleans(),
        "filler": st.booleans(),
    },
)


@given(st.lists(st.tuples(st.sampled_from(TEXTS), marked), min_size=1, max_size=8))
def test_what_the_file_says_always_wins_over_the_rules(spoken: list[tuple[str, dict[str, Any]]]) -> None:
    messages = tuple(
        changed(message, **fields)
        for message, (_, fields) in zip(talk(*(text for text, _ in spoken)), spoken, strict=True)
    )
    marks = classified(messages).assembly.candidates.marks
    for row, (text, fields) in enumerate(spoken):
        if "emotional_weight" in fields:
            assert marks.emotional_weight[row] == fields["emotional_weight"]
        for name, column, mark in (
            ("key_moment", marks.key_moment, Mark.KEY_MOMENT),
            ("filler", marks.filler, Mark.FILLER),
        ):
            if name in fields:
                assert column[row] == fields[name]
            assert bool(marks.computed[row] & mark) == (name not in fields)
        known = "emotional_weight" in fields or text != TEXTS[4]
        assert bool(marks.told[row] & Mark.EMOTIONAL_WEIGHT) == known


@given(
    st.lists(st.tuples(st.sampled_from(TEXTS), marked), min_size=2, max_size=6),
    st.sampled_from(list(OVERRIDES)),
    st.sampled_from([None, "rules"]),
    st.booleans(),
)
def test_what_the_person_says_always_wins(
    spoken: list[tuple[str, dict[str, Any]]], chosen: MessageClass, classify: str | None, full_name: bool
) -> None:
    messages = tuple(
        changed(message, **fields)
        for message, (_, fields) in zip(
            talk(*(text for text, _ in spoken), "the newest"), [*spoken, ("", {})], strict=True
        )
    )
    name = "messages/m0" if full_name else "m0"
    before = classified(messages, classify=classify)
    after = classified(messages, classify=classify, overrides=overridden_class({}, [name], chosen))
    assert class_of(after.assembly, 0) is chosen
    assert not is_computed(after.assembly, 0)
    assert classes(after) | {"m0": ""} == classes(before) | {"m0": ""}, "nobody else changes"


def test_taking_an_override_back_leaves_what_is_not_about_classes() -> None:
    held = {"m1": {"tokens": 5, "filler": True}, "m2": {"summary": "short"}}
    changed = overridden_class(held, ["m1", "m3"], MessageClass.EMOTIONAL)
    assert changed["m1"] == {"tokens": 5, "emotional_weight": 1.0, "key_moment": False, "filler": False}
    assert changed["m2"] == {"summary": "short"}
    assert overridden_class(changed, ["m1", "m2", "m3"], None) == {"m1": {"tokens": 5}, "m2": {"summary": "short"}}
    assert held["m1"] == {"tokens": 5, "filler": True}, "the scenario before stays as it was"


def test_sentences_say_where_a_class_comes_from() -> None:
    overrides = overridden_class({}, ["m3"], MessageClass.KEY_MOMENT)
    answer = classified(talk(*TEXTS, "the newest"), overrides=overrides)
    said = {name: explain(answer.assembly, row) for row, name in enumerate(answer.assembly.candidates.ids)}
    assert "It counts as emotional: emotional weight 0.89, computed by VADER from the text." in said["m0"]
    assert "It counts as filler: by the rules it only says something like okay or thanks." in said["m1"]
    assert "a key moment: by the rules it says a decision (“We've decided”), a date (“5 March”)." in said["m2"]
    assert "It counts as a key moment: the file or you marked it so." in said["m3"]
    assert said["m4"].endswith("It counts as ordinary.")
    assert "It counts as recent: it is among the newest messages." in said["m6"]


def test_answers_name_the_class_where_there_is_one() -> None:
    pipeline, scenario = _pipeline(talk(*TEXTS)), Scenario(tokenizer="estimate:words", classify="rules")
    make_all(pipeline, scenario)
    value = answer_value(planned_answer(pipeline, pipeline.case(scenario)))
    assert value["scenario"]["classify"] == "rules"
    assert {item["id"]: item.get("class") for item in value["items"]}["k0"] is None
    assert {item["id"]: item.get("class") for item in value["items"]}["m0"] == "emotional"


def _pipeline(messages: tuple[Message, ...]) -> Pipeline:
    return pipeline_for(workspace(messages, MemorySet("default", (Memory("k0", "a fact"),))))


def test_an_unknown_classifier_is_refused_by_name() -> None:
    with pytest.raises(ScenarioError, match="classify: 'magic' is not one of rules"):
        _pipeline(talk("hello")).case(Scenario(classify="magic"))


def test_many_messages_are_classified_once_all_of_them_are_read() -> None:
    messages = talk(*(f"I love ship number {number}" for number in range(1_200)))
    pipeline, scenario = _pipeline(messages), Scenario(tokenizer="estimate:words", classify="rules")
    assert len(unread_messages(pipeline, pipeline.case(scenario))) == 1_200
    assert not pipeline.candidates(pipeline.case(scenario)).marks.any_computed
    fork = pipeline.fork()
    assert list(fork.known.reader.read_all(unread_messages(fork, fork.case(scenario))))[-1] == 1_200
    assert unread_messages(pipeline, pipeline.case(scenario)) == []
    assert pipeline.candidates(pipeline.case(scenario)).marks.any_computed
    assert pipeline.candidates(pipeline.case(scenario)) is pipeline.candidates(pipeline.case(scenario))


def test_the_classifier_is_written_only_where_it_was_chosen() -> None:
    assert "classify" not in scenario_value(Scenario(), None)
    assert scenario_value(Scenario(classify="rules"), None)["classify"] == "rules"


def test_system_messages_and_results_of_tools_are_not_read() -> None:
    said = (Message("a", "system", "I promise"), Message("b", "tool", "ok"), Message("c", "user", "hello"))
    marks = classified(said).assembly.candidates.marks
    assert marks.computed.tolist()[:2] == [0, 0]
    assert marks.computed[2]


def test_chorus_takes_for_filler_what_the_person_says_and_else_its_own_rule() -> None:
    messages = talk("Begin here", "ok", "There is a ferry every hour", "I love it so much, thank you!", "the newest")
    parameters = {"selective": True, "recent_messages": 1}
    scenario: dict[str, Any] = {"preset": "chorus-2026.02", "parameters": parameters, "context_window": 20}
    answer = answer_to(workspace(messages), **scenario)
    assert classes(answer) == {"m0": "none", "m1": "filler", "m2": "ordinary", "m3": "ordinary", "m4": "recent"}
    overrides = overridden_class(overridden_class({}, ["m1"], MessageClass.ORDINARY), ["m2"], MessageClass.FILLER)
    changed = answer_to(workspace(messages), **scenario, overrides=overrides)
    assert [classes(changed)[name] for name in ("m0", "m1", "m2")] == ["none", "ordinary", "filler"]
    assert decisions(changed)["m2"] == ("dropped", 0, "filler")
    computed = answer_to(workspace(messages), **scenario, classify="rules")
    assert classes(computed)["m3"] == "emotional"
