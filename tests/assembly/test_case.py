"""Cases: a scenario is resolved once, an edit chooses again only what it is about, a refusal is part of the case."""

from copy import deepcopy
from dataclasses import fields, replace
from typing import Any

import orjson
import pytest
from building import chat, memories, pipeline_for, words, workspace

from inspector.assembly import case as case_module
from inspector.assembly import known as known_module
from inspector.assembly.answer import answer_value, planned_answer
from inspector.assembly.case import Case
from inspector.assembly.choices import ChosenParts, ScenarioError, choose_parts
from inspector.assembly.known import Known
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policies.ratio import Ratio
from inspector.assembly.policies.slots import Slots
from inspector.assembly.policy import traits_of
from inspector.assembly.scenario import Scenario
from inspector.model import (
    Character,
    Conversation,
    Lorebook,
    LoreEntry,
    Memory,
    MemorySet,
    Message,
    MessageTree,
    Workspace,
)
from inspector.retrieval.lore.settings import LoreSettings
from inspector.retrieval.relevance.settings import RelevanceSettings
from inspector.retrieval.vectors.choice import EmbedderChoice
from inspector.retrieval.vectors.embedding import EmbedderUnavailableError
from inspector.tokens.models.table import ModelRow

FOUND = workspace(chat(3, 4, 5, 6), memories(2, 2), Character("nova", system_prompt="be kind"))
SCENARIO = Scenario(tokenizer="estimate:words", context_window=60, parameters={"min_exchanges": 1})


@pytest.fixture
def choosing(monkeypatch: pytest.MonkeyPatch) -> list[Scenario]:
    """The scenarios for which the parts were chosen."""
    asked: list[Scenario] = []

    def choose(found: Workspace, scenario: Scenario) -> ChosenParts:
        asked.append(scenario)
        return choose_parts(found, scenario)

    monkeypatch.setattr(case_module, "choose_parts", choose)
    return asked


def test_a_scenario_is_resolved_once_also_where_it_is_only_equal() -> None:
    pipeline = pipeline_for(FOUND)
    case = pipeline.case(SCENARIO)
    assert pipeline.case(SCENARIO) is case
    equal = deepcopy(SCENARIO)
    assert equal is not SCENARIO
    assert pipeline.case(equal) is case
    assert pipeline.case(replace(SCENARIO, context_window=61)) is not case


def test_nothing_that_follows_resolves_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = pipeline_for(FOUND)
    case = pipeline.case(SCENARIO)

    def refuse(*_: object) -> Case:
        raise AssertionError("resolved again")

    monkeypatch.setattr(case_module.Choices, "resolve", refuse)
    assert make_all(pipeline, SCENARIO) is case
    assert planned_answer(pipeline, case).case is case
    assert pipeline.fork().case(SCENARIO) is case, "a fork starts with it"


def test_a_case_holds_what_the_scenario_leaves_open() -> None:
    case = pipeline_for(FOUND).case(Scenario())
    assert (case.policy_name, case.preset_name, case.model.name) == ("ratio", "document", "gpt-4o")
    assert case.chosen.conversation is FOUND.conversations[0]
    assert case.chosen.parts.character is FOUND.characters[0]
    assert isinstance(case.policy, Ratio)
    assert case.traits == traits_of(case.policy)
    assert (case.refusal, case.summarizer, case.now) == (None, None, None)
    assert case.embedder is not None


def test_an_edit_of_a_parameter_keeps_the_parts_and_the_model(choosing: list[Scenario]) -> None:
    pipeline = pipeline_for(FOUND)
    before = pipeline.case(SCENARIO)
    after = pipeline.case(replace(SCENARIO, parameters={"min_exchanges": 2}))
    assert after.chosen is before.chosen
    assert after.model is before.model
    assert len(choosing) == 1
    assert isinstance(before.policy, Ratio)
    assert isinstance(after.policy, Ratio)
    assert (before.policy.min_exchanges, after.policy.min_exchanges) == (1, 2)


def test_a_slider_chooses_two_thousand_overridden_items_once(choosing: list[Scenario]) -> None:
    told = tuple(Message(f"m{number}", "user", words(2)) for number in range(2_000))
    overrides = {message.id: {"tokens": 7} for message in told}
    pipeline = pipeline_for(workspace(told))
    scenario = replace(SCENARIO, overrides=overrides)
    edits = [replace(scenario, parameters={"min_exchanges": exchanges}) for exchanges in range(10)]
    cases = [pipeline.case(edit) for edit in edits]
    assert len(choosing) == 1
    assert len(set(map(id, cases))) == 10
    assert {message.tokens for message in cases[-1].chosen.parts.messages} == {7}
    pipeline.case(replace(scenario, overrides=deepcopy(overrides)))
    assert len(choosing) == 1, "equal overrides are the same"
    pipeline.case(replace(scenario, overrides={**overrides, "m1999": {"tokens": 8}}))
    assert len(choosing) == 2


@pytest.mark.parametrize(
    ("parameters", "words_of_it"),
    [({"x": 1}, "x is not a parameter"), ({"min_exchanges": -1}, "min_exchanges must be 0 or more")],
)
def test_a_refused_parameter_is_part_of_the_case(parameters: dict[str, Any], words_of_it: str) -> None:
    pipeline = pipeline_for(FOUND)
    case = pipeline.case(replace(SCENARIO, parameters=parameters))
    assert case.policy is None
    assert case.refusal is not None
    assert case.refusal.code == "invalid_parameter"
    assert words_of_it in str(case.refusal)
    assert case.traits.signals is not None, "the traits are those of its defaults"
    error = pipeline.assemble(case).error
    assert error is not None
    assert (error.code, error.message) == ("invalid_parameter", str(case.refusal))
    mended = pipeline.case(SCENARIO)
    assert mended.refusal is None
    assert mended.chosen is case.chosen
    assert pipeline.assemble(mended).error is None


def test_a_policy_that_refuses_still_has_its_own_window() -> None:
    case = pipeline_for(FOUND).case(Scenario(policy="slots", parameters={"x": 1}))
    assert case.policy is None
    assert case.traits.title == Slots().traits.title
    assert case.model.window.tokens == Slots().traits.default_window == 8_192


def test_a_scenario_that_cannot_be_resolved_leaves_the_one_before() -> None:
    pipeline = pipeline_for(FOUND)
    case = pipeline.case(SCENARIO)
    for fields_of_it in ({"conversation": "c9"}, {"policy": "best"}, {"similarity": "psychic"}, {"classify": "magic"}):
        with pytest.raises(ScenarioError):
            pipeline.case(replace(SCENARIO, **fields_of_it))
    assert pipeline.case(SCENARIO) is case


def test_an_embedder_that_is_given_up_is_a_new_case_of_the_same_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = pipeline_for(FOUND)
    before = pipeline.case(SCENARIO)
    fork = pipeline.fork()
    fork.known.give_up_embedder("auto", EmbedderUnavailableError("no weights"))
    after = pipeline.case(SCENARIO)
    assert after is not before
    assert after.embedder == EmbedderChoice(None, "auto cannot be had here (no weights): words are compared instead.")
    assert after.chosen is before.chosen
    assert pipeline.case(SCENARIO) is after


def test_vectors_are_looked_for_only_where_they_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(Known, "embedder", lambda self, name: asked.append(name) or EmbedderChoice(None, name))
    pipeline = pipeline_for(FOUND)
    for similarity in ("lexical", "recorded"):
        assert pipeline.case(replace(SCENARIO, similarity=similarity)).embedder is None
    assert asked == []
    for scenario in (
        replace(SCENARIO, embedding="minilm"),
        replace(SCENARIO, similarity="lexical", summaries="extractive"),
    ):
        assert pipeline.case(scenario).embedder == EmbedderChoice(None, scenario.embedding)
    assert asked == ["minilm", "auto"]


SAID = (
    *chat(5, 9, 4, 7, 12, 3),
    Message("m6", "user", "The boat lies in the harbour of Lisbon. It rained on the way there. We promised some tea."),
    Message("m7", "assistant", "ok", name="Nova"),
    Message("m8", "user", "is the boat dry"),
)
NODES = (*SAID, Message("b6", "user", "I sold the boat long ago, and my aunt has the money now"))
PARENTS = ("", *(f"m{number}" for number in range(8)), "m5")
EDITED = Workspace(
    conversations=(
        Conversation("talk", SAID, tree=MessageTree(NODES, PARENTS, "m8")),
        Conversation("short", chat(2, 3), model="gpt-4", context_window=120),
    ),
    characters=(
        Character("nova", "Nova", system_prompt="be kind"),
        Character("rex", "Rex", system_prompt="be brief and very stern", directive="be brief"),
    ),
    memory_sets=(
        MemorySet("facts", (Memory("k0", "The boat is red"), Memory("k1", "The tea is cold", similarity=0.4))),
        MemorySet("dreams", (Memory("d0", "She dreams of a harbour", similarity=0.9),)),
    ),
    lorebooks=(
        Lorebook(
            "book",
            (
                LoreEntry("sea", "The sea is as deep as the law", keys=("boat",)),
                LoreEntry("far", "What is far away", keys=("lisbon",)),
            ),
        ),
    ),
)
BARE = Scenario(conversation="talk", similarity="lexical")
START = replace(
    BARE,
    tokenizer="estimate:words",
    character="nova",
    memory_sets=("facts",),
    model="gpt-4o",
    context_window=90,
    query="tea",
    summaries="extractive",
    parameters={"selective": True, "recent_messages": 1, "min_exchanges": 1},
)
EDITS: dict[str, dict[str, Any]] = {
    "conversation": {"conversation": "short"},
    "character": {"character": "rex"},
    "memory_sets": {"memory_sets": ("dreams", "facts")},
    "score_scales": {"score_scales": {"facts": "raw"}},
    "model": {"model": "nobody-knows-1"},
    "tokenizer": {"tokenizer": "estimate:chorus"},
    "context_window": {"context_window": 60},
    "query": {"query": "harbour"},
    "similarity": {"similarity": "hybrid"},
    "embedding": {"embedding": "minilm", "similarity": "embedding"},
    "relevance": {"relevance": RelevanceSettings(stop_words=False, sitting=0)},
    "classify": {"classify": "rules"},
    "summaries": {"summaries": None},
    "summary_tokens": {"summary_tokens": 9},
    "now": {"now": "2026-02-01T00:00:00Z"},
    "at": {"at": 3},
    "as_of": {"at": 3, "as_of": True},
    "draft": {"draft": "and now"},
    "pinned": {"pinned": ("m1",)},
    "excluded": {"excluded": ("k0",)},
    "overrides": {"overrides": {"m4": {"tokens": 1}}},
    "leaf": {"leaf": "b6"},
    "assistant": {"assistant": "Nova"},
    "policy": {"policy": "slots", "parameters": {}},
    "preset": {"preset": "chorus-2026.02", "parameters": {}},
    "parameters": {"parameters": {"memory_share": 0.1, "history_share": 0.6}},
    "lore": {"lore": LoreSettings(depth=1)},
    "thoughts": {"thoughts": "none"},
    "thinking": {"thinking": False},
    "server": {"server": "ollama", "server_context": 60},
    "server_context": {"server": "lm_studio", "server_context": 60},
    "base": {"preset": "theirs", "base": "chorus-2026.02", "parameters": {}},
    "given": {"given": ("memory_share",)},
    "model_row": {
        "model": "nova-7b",
        "context_window": None,
        "model_row": ModelRow("nova-7b", "", 80, None, "estimate:words", "chatml", ""),
    },
}


def answered(pipeline: Pipeline, scenario: Scenario) -> bytes:
    return orjson.dumps(answer_value(planned_answer(pipeline, make_all(pipeline, scenario))))


@pytest.mark.parametrize("start", [START, BARE], ids=["start", "bare"])
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_gives_what_a_fresh_pipeline_gives(start: Scenario, edit: str) -> None:
    edited = replace(start, **EDITS[edit])
    pipeline = pipeline_for(EDITED)
    for scenario in (start, edited, start):
        assert answered(pipeline, scenario) == answered(pipeline_for(EDITED), scenario)


def test_every_field_of_a_scenario_is_edited_here() -> None:
    assert set(EDITS) >= {field.name for field in fields(Scenario)}


class NamedEmbedder:
    """Nobody asks it for a vector."""

    name = "letters"


def test_an_embedder_that_is_given_up_while_a_case_is_resolved_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """By another thread, between the choice of the model and the end of the resolving."""
    pipeline, real = pipeline_for(FOUND), Known.embedder

    def given_up_meanwhile(known: Known, name: str) -> EmbedderChoice:
        found = real(known, name)
        if found.embedder is not None:
            known.give_up_embedder(name, EmbedderUnavailableError("no weights"))
        return found

    stand_in = EmbedderChoice(NamedEmbedder(), "letters")  # type: ignore[arg-type]
    monkeypatch.setattr(known_module, "choose_embedder", lambda name: stand_in)
    monkeypatch.setattr(Known, "embedder", given_up_meanwhile)
    assert pipeline.case(SCENARIO).embedder is stand_in
    assert pipeline.case(SCENARIO).embedder != stand_in


def test_a_model_that_was_given_up_while_it_was_being_chosen_stays_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Known()

    def chosen_slowly(name: str) -> EmbedderChoice:
        known.give_up_embedder(name, EmbedderUnavailableError("no weights"))
        return EmbedderChoice(NamedEmbedder(), "letters")  # type: ignore[arg-type]

    monkeypatch.setattr(known_module, "choose_embedder", chosen_slowly)
    assert known.embedder("auto").embedder is None
