"""Chats of SillyTavern with what lies beside them: cards, personas, groups."""

from typing import Any

from inspector.formats.sillytavern.chats import link
from inspector.formats.sillytavern.link import GROUP
from inspector.model import Call, Character, Component, Conversation, Message, Profile, Source, Workspace, changed

NOTE = Component("authors_note", "authors_note", "Short answers.", 6)
CARD = Character(
    "Ines",
    "Ines",
    system_prompt="Be Ines.",
    components=(
        Component("scenario", "scenario", "a storm", 4),
        Component("post", "post_history_instructions", "p", 8),
    ),
    greeting="Come in.",
    origin="data/characters/Ines.png",
)
BO = Character("persona:bo.png", profile=Profile("Bo", facts=("A sailor.",)), origin="data/settings.json")
CY = Character("persona:cy.png", profile=Profile("Cy", facts=("A cook.",)), origin="data/settings.json")


def chat(
    path: str = "data/chats/Ines/one.jsonl", speakers: tuple[str, ...] = ("Ines",), user: str = "Bo"
) -> Conversation:
    said = [
        Message("m0", "user", "Hi", user),
        *(Message(f"m{n}", "assistant", "x", name) for n, name in enumerate(speakers, 1)),
    ]
    return Conversation(path, tuple(said), path, origin=path)


def workspace(*things: Conversation | Character, formats: dict[str, str] | None = None) -> Workspace:
    kinds = {"png": "card"}
    sources = {thing.origin: kinds.get(thing.origin.rsplit(".", 1)[-1], "sillytavern") for thing in things}
    return Workspace(
        conversations=tuple(thing for thing in things if isinstance(thing, Conversation)),
        characters=tuple(thing for thing in things if isinstance(thing, Character)),
        sources=tuple(Source(path, kind) for path, kind in {**sources, **(formats or {})}.items()),
    )


def own(chat_: Conversation, **fields: Any) -> Character:
    values: dict[str, Any] = {"components": (NOTE,), "profile": Profile("Bo"), **fields}
    return Character("Ines", "Ines", origin=chat_.origin, **values)


def test_a_chat_gets_the_card_the_note_and_the_persona() -> None:
    one = chat()
    (character,) = link(workspace(one, own(one), CARD, CY, BO)).characters
    assert (character.id, character.origin, character.greeting) == ("Ines", one.origin, "Come in.")
    assert character.system_prompt == "Be Ines."
    assert [piece.type for piece in character.components] == ["scenario", "authors_note", "post_history_instructions"]
    assert character.profile == BO.profile


def test_overrides_of_the_chat_replace_those_of_the_card() -> None:
    one = chat()
    override = own(one, components=(Component("scenario", "scenario", "a calm", 4),), system_prompt="Sing.")
    (character,) = link(workspace(one, override, CARD)).characters
    assert [(piece.type, piece.content) for piece in character.components] == [
        ("scenario", "a calm"),
        ("post_history_instructions", "p"),
    ]
    assert character.system_prompt == "Sing."


def test_the_user_of_the_chat_is_the_profile_where_no_persona_has_the_name() -> None:
    (character,) = link(workspace(chat(user="Dee"), CARD, BO)).characters
    assert character.profile == Profile("Dee")


def test_the_default_persona_stands_in_where_nobody_is_named() -> None:
    (character,) = link(workspace(chat(user=""), CARD, CY, BO)).characters
    assert character.profile == CY.profile


def test_a_persona_needs_no_card() -> None:
    (character,) = link(workspace(chat(), BO)).characters
    assert (character.name, character.profile, character.components) == ("Ines", BO.profile, ())


def test_every_chat_of_a_card_gets_its_own_character() -> None:
    one, two = chat(), chat("data/chats/Ines/two.jsonl")
    characters = link(workspace(one, two, own(one), CARD)).characters
    assert {character.origin: [piece.type for piece in character.components] for character in characters} == {
        one.origin: ["scenario", "authors_note", "post_history_instructions"],
        two.origin: ["scenario", "post_history_instructions"],
    }
    assert len({character.id for character in characters}) == 2


def test_things_of_different_folders_are_not_joined() -> None:
    one = chat("other/chats/Ines/one.jsonl")
    before = workspace(one, own(one), CARD)
    assert {character.origin for character in link(before).characters} == {one.origin, CARD.origin}
    loose = workspace(chat("a/one.jsonl"), changed(CARD, origin="b/Ines.png"))
    assert link(loose) == loose


def test_files_side_by_side_are_joined() -> None:
    one = chat("here/one.jsonl")
    (character,) = link(workspace(one, changed(CARD, origin="here/Ines.png"))).characters
    assert character.origin == one.origin


def test_windows_paths_are_paths() -> None:
    one = chat("C:\\st\\chats\\Ines\\one.jsonl")
    (character,) = link(workspace(one, changed(CARD, origin="C:\\st\\characters\\Ines.png"))).characters
    assert character.origin == one.origin


def test_comments_and_tool_calls_are_nobody_s_speech() -> None:
    one = chat()
    comment = Message("m8", "assistant", "x", "Note", excluded=True)
    call = Message("m9", "assistant", "", "SillyTavern System", parts=(Call("t", "tide"),))
    (character,) = link(workspace(changed(one, messages=(*one.messages, comment, call)), CARD)).characters
    assert character.origin == one.origin


def test_a_card_of_another_name_stays_by_itself() -> None:
    other = changed(CARD, id="Otto", name="Otto")
    assert link(workspace(chat(), other)).characters == (other,)


def test_a_group_chat_gets_the_title_and_keeps_the_cards() -> None:
    group = Conversation("17/17-b", (), "The Coast", thread_id="17-b", source=GROUP, origin="data/groups/17.json")
    unused = changed(group, id="17/17-a", thread_id="17-a")
    members = [Character(name, name, origin="data/groups/17.json") for name in ("Ines", "Otto")]
    talk = chat("data/group chats/17-b.jsonl", ("Ines", "Otto"))
    linked = link(workspace(unused, group, talk, *members, CARD, chat()))
    assert [(found.title, found.origin) for found in linked.conversations] == [
        ("The Coast", "data/group chats/17-b.jsonl"),
        ("data/chats/Ines/one.jsonl", "data/chats/Ines/one.jsonl"),
    ]
    assert {character.origin for character in linked.characters} == {"data/chats/Ines/one.jsonl", CARD.origin}


def test_other_formats_are_left_alone() -> None:
    foreign = chat("data/export.json")
    before = workspace(foreign, CARD, BO, formats={"data/export.json": "chatgpt"})
    assert link(before) == before


def test_linking_twice_changes_nothing_more() -> None:
    one = chat()
    once = link(workspace(one, own(one), CARD, BO))
    assert link(once) == once
