"""Lore in a scenario: activated by the messages that take part, in the names that are answered."""

import numpy as np
from building import answer_to, workspace

from inspector.assembly.columns import Kind
from inspector.assembly.explain import explain
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.scope import LoreTerms, activate_lore
from inspector.model import Character, Component, Lorebook, LoreEntry, Message, Profile
from inspector.plugins import policies
from inspector.retrieval.lore.outcome import Activation
from inspector.retrieval.lore.settings import LoreSettings

SAID = ("a reef", "calm sea", "the tide rose", "nothing more", "good night")
TALK = [Message(f"m{number}", ("user", "assistant")[number % 2], text) for number, text in enumerate(SAID)]
ENTRIES = (
    LoreEntry("tide", "The tide is high at noon.", keys=("tide",)),
    LoreEntry("reef", "The reef is sharp.", keys=("reef",)),
    LoreEntry("noon", "It is hot.", keys=("noon",)),
)


def sentence(item: str, entries: tuple[LoreEntry, ...] = ENTRIES, **scenario: object) -> str:
    found = workspace(TALK, lorebooks=(Lorebook("book", entries),))
    answer = answer_to(found, **{"policy": "naive", "context_window": 400, **scenario})
    return explain(answer.assembly, answer.assembly.candidates.ids.index(item))


def test_the_explanation_says_which_key_in_which_message() -> None:
    assert sentence("tide").endswith("Its key ‘tide’ occurs in message 3.")
    assert sentence("reef") == "Dropped. No key of this lorebook entry occurs in the newest four messages."
    chance = (LoreEntry("rare", "x", keys=("tide",), activation={"probability": 5}),)
    assert sentence("rare", chance).endswith("Its key ‘tide’ occurs in message 3. Would be rolled with 5 %.")


def test_replay_and_exclusion_change_what_is_read() -> None:
    assert "occurs in message 1" in sentence("reef", at=3)
    assert sentence("tide", at=2).startswith("Dropped. No key")
    assert sentence("tide", excluded=("m2",)).startswith("Dropped. No key")
    assert "occurs in message 6" in sentence("reef", draft="Tell me of the reef")


def test_messages_and_entries_of_the_same_id_are_told_apart() -> None:
    assert "in message 3." in sentence("lorebooks/m2", (LoreEntry("m2", "x", keys=("tide",)),))


def scoped(terms: LoreTerms, character: Character | None = None, *entries: LoreEntry) -> dict[str, Activation]:
    found = workspace(TALK, None, character, lorebooks=(Lorebook("book", entries or ENTRIES),))
    pipeline = Pipeline(found, policies()[0], load_presets())
    candidates = pipeline.candidates(pipeline.case(Scenario(tokenizer="estimate:words")))
    rows = candidates.rows(Kind.LORE)
    costs = np.full(len(rows), 10, np.int32)
    found = activate_lore(candidates.items, terms, candidates.existing_messages, costs)
    return dict(zip([candidates.ids[row] for row in rows], found, strict=True))


def test_the_terms_of_a_scan_can_be_chosen() -> None:
    def active(settings: LoreSettings, window: int | None = None) -> set[str]:
        return {name for name, found in scoped(LoreTerms(settings, window)).items() if found.active}

    assert active(LoreSettings()) == {"tide"}
    assert active(LoreSettings(depth=5)) == {"tide", "reef"}
    assert active(LoreSettings(depth=2)) == set()
    assert active(LoreSettings(recursive=True)) == {"tide", "noon"}
    assert active(LoreSettings(recursive=True, budget_percent=10), 150) == {"tide"}
    assert active(LoreSettings(recursive=True, budget_percent=10), 250) == {"tide", "noon"}


def test_speakers_are_read_where_names_are_included() -> None:
    entry = LoreEntry("e", "x", keys=("mara:",))
    named = LoreTerms(LoreSettings(include_names=True))
    talk = [Message("m0", "user", "hello", name="Mara")]
    pipeline = Pipeline(workspace(talk, lorebooks=(Lorebook("b", (entry,)),)), policies()[0], load_presets())
    candidates = pipeline.candidates(pipeline.case(Scenario(tokenizer="estimate:words")))
    costs, messages = np.zeros(1, np.int32), candidates.existing_messages
    assert [found.active for found in activate_lore(candidates.items, named, messages, costs)] == [True]
    assert [found.active for found in activate_lore(candidates.items, LoreTerms(), messages, costs)] == [False]


def test_the_texts_of_character_and_person_are_read_where_an_entry_asks_for_them() -> None:
    character = Character(
        "nova",
        name="Nova",
        components=(Component("scenario", "scenario", "a glade at dawn", 4),),
        profile=Profile(name="Ada", goals=("find the grail",)),
    )
    entries = (
        LoreEntry("glade", "x", keys=("glade",), activation={"matchScenario": True}),
        LoreEntry("grail", "x", keys=("grail",), activation={"matchPersonaDescription": True}),
        LoreEntry("neither", "x", keys=("glade", "grail")),
    )
    found = scoped(LoreTerms(), character, *entries)
    assert {name: what.active for name, what in found.items()} == {"glade": True, "grail": True, "neither": False}
    assert found["glade"].why == "key ‘glade’ in the scenario"
