"""Names in cards, lore and memories are filled in before anything is counted."""

import pytest
from building import answer_to, chat, memories, workspace

from inspector.assembly.collect import message_text, profile_text
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.model import Call, Character, Component, Lorebook, LoreEntry, Memory, MemorySet, Message, Profile, Text


def text_of(item: str, character: Character, **lists: object) -> str:
    stored = MemorySet("default", (Memory("k0", "{{user}} likes <BOT>", similarity=1.0),))
    candidates = answer_to(workspace(chat(2), stored, character, **lists)).assembly.candidates
    return candidates.texts[candidates.ids.index(item)]


@pytest.mark.parametrize(
    ("profile", "user"), [(None, "User"), (Profile(name="Ada"), "Ada"), (Profile(facts=("tall",)), "User")]
)
def test_the_user_is_the_profiles_name_else_user(profile: Profile | None, user: str) -> None:
    character = Character("nova", name="Nova", system_prompt="{{char}} and {{USER}}, <user>", profile=profile)
    assert text_of("nova", character) == f"Nova and {user}, {user}"
    assert text_of("k0", character) == f"{user} likes Nova"


def test_components_and_lore_are_filled_in_and_messages_are_not() -> None:
    character = Character("nova", name="Nova", components=(Component("c0", "note", "I am {{Char}}", 1),))
    book = Lorebook("book", (LoreEntry("l0", "<BOT> sails", constant=True),))
    assert text_of("c0", character, lorebooks=(book,)) == "I am Nova"
    assert text_of("l0", character, lorebooks=(book,)) == "Nova sails"
    answer = answer_to(workspace([Message("m0", "user", "what is {{char}}?")], character=character))
    assert [message.content for message in prompt_messages(answer.assembly)][-1] == "what is {{char}}?"


def test_without_a_name_the_placeholder_stays() -> None:
    assert text_of("nova", Character("nova", system_prompt="{{char}} <b>bold</b>")) == "{{char}} <b>bold</b>"


def test_a_name_with_backslashes_is_taken_as_it_is() -> None:
    assert text_of("nova", Character("nova", name=r"\1\g<0>", system_prompt="{{char}}")) == r"\1\g<0>"


def test_counts_are_those_of_the_filled_in_text() -> None:
    character = Character("nova", name="Nova of the Seven Seas", system_prompt="{{char}}")
    candidates = answer_to(workspace(chat(1), memories(1), character)).assembly.candidates
    assert candidates.tokens[candidates.ids.index("nova")] == 5


def test_a_profile_is_its_lines_without_the_empty_ones() -> None:
    profile = Profile(name="Ada", preferences=("tea", "rain"), facts=("tall",))
    assert profile_text(profile) == "Name: Ada\nPreferences: tea, rain\nFacts: tall"


def test_tool_calls_are_part_of_a_messages_text() -> None:
    calls = (Call("t1", "look", '{"at": 1}'),)
    assert message_text(Message("m", "assistant", parts=(Text("hm"), *calls))).startswith('hm\n{"name": "look"')
    assert message_text(Message("m", "assistant", parts=calls)).startswith('{"name"')


@pytest.mark.parametrize("levels", [900, 960, 990, 1_000, 100_000])
def test_arguments_that_are_nested_deep_are_a_text(levels: int) -> None:
    deep = "[" * levels + "]" * levels
    text = message_text(Message("m", "assistant", parts=(Text("hm"), Call("1", "look", deep))))
    assert deep in text.replace(" ", "")
