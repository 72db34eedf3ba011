"""SillyTavern's chats, groups and personas."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from inspector.assembly.alternatives import alternatives_of
from inspector.formats.sillytavern import chats as sillytavern
from inspector.model import Attachment, Call, Message, Problem, Profile, Workspace
from inspector.reading.source import FileSource, UnreadableError

HEADER: dict[str, Any] = {
    "user_name": "Bo",
    "character_name": "Ines",
    "create_date": "2025-01-02@03h04m05s",
    "chat_metadata": {"note_prompt": "Short answers.", "note_interval": 1, "note_position": 1, "note_depth": 4},
}
BARE = {"user_name": "Bo", "character_name": "Ines", "chat_metadata": {}}


def line(mes: Any, name: str = "Ines", **fields: Any) -> dict[str, Any]:
    return {"name": name, "is_user": name == "Bo", "is_system": False, "mes": mes, "extra": {}, **fields}


def chat_file(*lines: Any) -> bytes:
    return "\n".join(json.dumps(each, ensure_ascii=False) for each in lines).encode()


def opened(*lines: Any, path: str = "chats/Ines/First night.jsonl") -> Workspace:
    source = FileSource(path, chat_file(*lines))
    assert sillytavern.FORMAT.sniff(source) >= 0.8
    return sillytavern.FORMAT.load(source)


def messages_of(*lines: Any) -> Sequence[Message]:
    (conversation,) = opened(*lines).conversations
    return conversation.messages


def warnings(workspace: Workspace) -> list[Problem]:
    return [problem for problem in workspace.problems if problem.severity != "info"]


def test_a_chat_with_header() -> None:
    workspace = opened(BARE, line("Hello?", "Bo"), line("Come in."))
    (conversation,) = workspace.conversations
    assert (conversation.id, conversation.title, conversation.tree) == ("First night", "First night", None)
    assert [(message.id, message.role, message.name, message.content) for message in conversation.messages] == [
        ("m0", "user", "Bo", "Hello?"),
        ("m1", "assistant", "Ines", "Come in."),
    ]
    assert workspace.characters == ()
    assert workspace.problems == ()


def test_a_chat_without_header_keeps_its_first_line() -> None:
    assert [message.content for message in messages_of(line("a"), line("b"))] == ["a", "b"]


def test_one_line_and_a_json_array_open_too() -> None:
    assert len(messages_of(line("a"))) == 1
    source = FileSource("x.json", json.dumps([BARE, line("a"), line("b")]).encode())
    assert len(sillytavern.FORMAT.load(source).conversations[0].messages) == 2


@pytest.mark.parametrize(
    ("written", "time"),
    [
        ("April 26, 2024 6:06am", datetime(2024, 4, 26, 6, 6, tzinfo=UTC)),
        ("2023-6-2 @21h 09m 51s 363ms", datetime(2023, 6, 2, 21, 9, 51, 363_000, tzinfo=UTC)),
        (1683554220000, datetime(2023, 5, 8, 13, 57, tzinfo=UTC)),
        ("2023-05-08T13:58:00.000Z", datetime(2023, 5, 8, 13, 58, tzinfo=UTC)),
        ("one fine day", None),
    ],
)
def test_the_shapes_of_dates(written: Any, time: datetime | None) -> None:
    (message,) = messages_of(line("a", send_date=written))
    assert message.time == time
    assert message.metadata["send_date"] == str(written)


def test_hidden_lines_are_excluded_and_recorded() -> None:
    shown, hidden = messages_of(line("a"), line("b", is_system=True))
    assert (hidden.role, hidden.excluded) == ("assistant", True)
    assert hidden.metadata["recorded"] == {"action": "dropped", "reason": "hidden"}
    assert not shown.excluded
    assert "recorded" not in shown.metadata


def test_a_narrator_speaks_as_system_and_is_sent() -> None:
    (message,) = messages_of(line("Night falls.", "Bo", extra={"type": "narrator"}))
    assert (message.role, message.excluded, message.metadata["type"]) == ("system", False, "narrator")


def test_what_the_application_noted_is_kept_beside_the_message() -> None:
    extra = {"reasoning": "hm", "token_count": 12, "image": "a.png", "model": "gpt-4o", "api": "openai"}
    conversation = opened(BARE, line("a", extra=extra)).conversations[0]
    (message,) = conversation.messages
    assert (message.metadata, message.reasoning) == ({"line": 2, "recorded_tokens": 12}, "hm")
    assert (message.images, message.tokens, conversation.model) == (1, None, "gpt-4o")


def test_media_of_newer_versions_are_counted() -> None:
    (message,) = messages_of(line("a", extra={"media": [{"type": "image"}, {"type": "video"}], "image": "old.png"}))
    assert message.images == 2


def test_swipes_stand_in_the_tree_only_and_in_their_order() -> None:
    told = {"send_date": "2024-01-01T00:00:00Z", "extra": {"reasoning": "hm"}}
    second = line("B", swipe_id=1, swipes=["A", "B", "C"], swipe_info=[{}, {}, told])
    workspace = opened(BARE, line("Hi", "Bo"), second, line("Bye", "Bo"))
    (conversation,) = workspace.conversations
    assert [message.content for message in conversation.messages] == ["Hi", "B", "Bye"]
    tree = conversation.tree
    assert tree is not None
    found = [(node.id, parent, node.content) for node, parent in zip(tree.messages, tree.parents, strict=True)]
    assert found == [
        ("m0", "", "Hi"),
        ("m1.swipe0", "m0", "A"),
        ("m1", "m0", "B"),
        ("m1.swipe2", "m0", "C"),
        ("m2", "m1", "Bye"),
    ]
    assert tree.leaf == "m2"
    assert tree.messages[3].reasoning == "hm"
    assert tree.messages[3].time == datetime(2024, 1, 1, tzinfo=UTC)
    assert [problem.message for problem in workspace.problems] == [
        "1 message has 2 other versions (swipes); the conversation follows the shown one"
    ]


def test_mes_wins_over_the_swipe_that_is_named() -> None:
    conversation = opened(line("edited", swipe_id=0, swipes=["as made", "other"])).conversations[0]
    assert conversation.messages[0].content == "edited"
    assert conversation.tree is not None
    assert [node.content for node in conversation.tree.messages] == ["edited", "other"]


def test_the_swipe_that_swipe_id_names_is_shown_in_its_own_place() -> None:
    unsaid = line(None, swipe_id=1, swipes=["A", "B", "C"])
    del unsaid["mes"]
    call = {"id": "t1", "name": "tide", "parameters": "{}", "result": "high"}
    called = line("x", swipe_id=0, swipes=["x", "y"], extra={"tool_invocations": [call]})
    conversation = opened(line("Hi", "Bo"), unsaid, called).conversations[0]
    tree = conversation.tree
    assert tree is not None
    assert [one.message.content for one in alternatives_of(tree, "m1")] == ["A", "B", "C"]
    assert conversation.messages[1].content == "B"
    assert [one.message.id for one in alternatives_of(tree, "m2")] == ["m2", "m2.swipe1"]
    assert tree.leaf == conversation.messages[-1].id == "m2.tool0"


def test_a_swipe_number_out_of_range_is_survived() -> None:
    conversation = opened(line("b", swipe_id=9, swipes=["a", "b"])).conversations[0]
    assert conversation.tree is not None
    assert [node.content for node in conversation.tree.messages] == ["a", "b"]


def test_chub_wraps_texts() -> None:
    conversation = opened(
        line({"message": "b"}, swipe_id=1, swipes=[{"message": "a"}, {"message": "b"}])
    ).conversations[0]
    assert conversation.messages[0].content == "b"
    assert conversation.tree is not None
    assert [node.content for node in conversation.tree.messages] == ["a", "b"]


def test_tool_calls_are_sent_though_their_line_is_hidden() -> None:
    call = {"id": "t1", "name": "tide", "displayName": "Tide", "parameters": '{"day": 1}', "result": "high"}
    extra = {"tool_invocations": [call]}
    asked, answered, after = messages_of(line("Tool calls: Tide", is_system=True, extra=extra), line("It is high."))
    assert (asked.role, asked.content, asked.excluded) == ("assistant", "", False)
    assert asked.tool_calls == (Call("t1", "tide", '{"day": 1}'),)
    assert asked.metadata["display_text"] == "Tool calls: Tide"
    assert (answered.role, answered.content, answered.tool_call_id) == ("tool", "high", "t1")
    assert after.id == "m1"


def test_the_newest_summary_counts() -> None:
    workspace = opened(
        line("a", extra={"memory": "They met."}), line("b"), line("c", extra={"memory": "They met and ate."})
    )
    (summary,) = workspace.summaries
    assert (summary.id, summary.summary) == ("First night:m2", "They met and ate.")
    assert summary.source_messages == ("m2",)
    assert workspace.conversations[0].messages[0].metadata["memory"] == "They met."
    assert [problem.message[:20] for problem in workspace.problems] == ["1 older summary of t"]


def test_files_with_their_text_are_attachments() -> None:
    extra = {"file": {"name": "log.txt", "text": "Day 1"}, "files": [{"name": "map.pdf", "url": "/x/map.pdf"}]}
    workspace = opened(line("a", extra=extra))
    assert workspace.attachments == (Attachment("m0/log.txt", "Day 1", "m0"),)
    assert "map.pdf" in workspace.problems[0].message


def test_the_note_of_the_header_is_a_component() -> None:
    (character,) = opened(HEADER, line("Hi", "Bo"), line("Come in.")).characters
    assert (character.id, character.name, character.profile) == ("Ines", "Ines", Profile("Bo"))
    (note,) = character.components
    assert (note.type, note.content, note.condition) == ("authors_note", "Short answers.", True)


@pytest.mark.parametrize(
    ("interval", "said", "on"), [(0, 2, False), (1, 2, True), (2, 3, False), (2, 4, True), (1, 0, False)]
)
def test_a_note_is_on_with_every_nth_message_of_the_user(interval: int, said: int, on: bool) -> None:
    header = {**HEADER, "chat_metadata": {"note_prompt": "n", "note_interval": interval}}
    (character,) = opened(header, *(line("x", "Bo") for _ in range(said))).characters
    assert character.components[0].condition is on


def test_overrides_of_the_header() -> None:
    settings = {"scenario": "a calm", "mes_example": "e", "system_prompt": "Sing.", "world_info": "Coast"}
    workspace = opened({"chat_metadata": settings, "user_name": "unused", "character_name": "unused"}, line("a"))
    (character,) = workspace.characters
    assert (character.name, character.system_prompt, character.profile) == ("Ines", "Sing.", None)
    assert [(piece.type, piece.content) for piece in character.components] == [("scenario", "a calm"), ("example", "e")]
    assert "Coast" in workspace.problems[0].message


def test_the_note_of_a_group_has_no_name() -> None:
    header = {"chat_metadata": {"note_prompt": "n"}, "user_name": "unused", "character_name": "unused"}
    (character,) = opened(header, line("a"), line("b", "Otto"), line("c", "Bo")).characters
    assert (character.id, character.name, character.profile) == ("character", "", Profile("Bo"))


def test_a_cut_last_line_and_bad_lines_are_named() -> None:
    whole = chat_file(BARE, line("a"), [1, 2], {"name": "Bo"}, line("b"))
    source = FileSource("x.jsonl", whole + b'\n{"name": "Bo", "mes": "it is c')
    workspace = sillytavern.FORMAT.load(source)
    assert [message.content for message in workspace.conversations[0].messages] == ["a", "b"]
    assert {problem.place.split(",")[0] for problem in workspace.problems} == {"line 3", "line 4", "line 6"}


def test_line_separators_inside_a_text_do_not_end_it() -> None:
    (message,) = messages_of(line("one\u2028two\u0085three"))
    assert message.content == "one\u2028two\u0085three"


def test_wrong_types_are_survived() -> None:
    odd = {
        "mes": 5,
        "name": None,
        "is_user": "true",
        "extra": [],
        "swipes": "no",
        "send_date": {"$date": 0},
        "swipe_id": {},
    }
    workspace = opened(BARE, odd, line("b", swipe_info=7, swipes=["a", None]))
    assert [message.content for message in workspace.conversations[0].messages] == ["5", "b"]
    assert workspace.conversations[0].messages[0].role == "user"
    assert [problem.place for problem in warnings(workspace)] == ["line 2, mes"]


def test_nothing_usable_is_unreadable() -> None:
    with pytest.raises(UnreadableError, match="found none"):
        sillytavern.FORMAT.load(FileSource("x.jsonl", b'{"a": 1}\n{"b": 2}\n'))


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [{"role": "user", "content": "a"}]},
        {"user_name": "Bo", "messages": []},
        {"personas": {"a": {"prompt": "x"}}},
        {"members": ["a"], "name": "club"},
        [{"role": "user", "content": "a"}],
        "text",
    ],
)
def test_other_files_are_left_to_others(value: Any) -> None:
    assert sillytavern.FORMAT.sniff(FileSource("x.json", json.dumps(value).encode())) == 0


GROUP = {
    "id": "17",
    "name": "The Coast",
    "members": ["Ines.png", "Otto.png"],
    "activation_strategy": 0,
    "chat_id": "17-b",
    "chats": ["17-a", "17-b"],
    "chat_metadata": {},
}


def test_a_group_definition() -> None:
    workspace = opened(GROUP, path="groups/17.json")
    assert [(talk.title, talk.thread_id, talk.messages) for talk in workspace.conversations] == [
        ("The Coast", "17-a", ()),
        ("The Coast", "17-b", ()),
    ]
    assert [character.name for character in workspace.characters] == ["Ines", "Otto"]
    assert "17-a.jsonl, 17-b.jsonl" in workspace.problems[0].message


PERSONAS = {
    "personas": {"bo.png": "Bo", "cy.png": "Cy", "quiet.png": "Quiet"},
    "default_persona": "cy.png",
    "persona_descriptions": {
        "bo.png": {"description": "{{user}} is a sailor.", "position": 0, "title": "at sea"},
        "cy.png": "A cook.",
        "quiet.png": {"description": "Never sent.", "position": 9},
    },
}


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"power_user": PERSONAS, "api_key": "secret"}, id="settings.json"),
        pytest.param(PERSONAS, id="backup of the personas"),
        pytest.param({"settings": json.dumps({"power_user": PERSONAS})}, id="answer of the server"),
    ],
)
def test_personas(value: Any) -> None:
    workspace = opened(value, path="settings.json")
    assert [(character.id, character.profile) for character in workspace.characters] == [
        ("persona:cy.png", Profile("Cy", facts=("A cook.",))),
        ("persona:bo.png", Profile("Bo", facts=("{{user}} is a sailor.",))),
        ("persona:quiet.png", Profile("Quiet")),
    ]
    assert "secret" not in repr(workspace)


def test_settings_with_neither_personas_nor_sizes_are_unreadable() -> None:
    with pytest.raises(UnreadableError, match="at least one persona, or sizes"):
        sillytavern.FORMAT.load(FileSource("x.json", b'{"power_user": {"personas": {}, "persona_descriptions": {}}}'))


FRESH = {"username": "Bo", "user_avatar": "user-default.png", "main_api": "kobold", "max_context": 6144}


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({**FRESH, "power_user": {"personas": {}, "persona_descriptions": {}}}, id="before any persona"),
        pytest.param({**FRESH, "power_user": {"token_padding": 64}, "api_key": "secret"}, id="older than personas"),
        pytest.param({**FRESH, "oai_settings": {}}, id="without settings of power users"),
        pytest.param({"settings": json.dumps({**FRESH, "world_info_settings": {}})}, id="answer of the server"),
    ],
)
def test_settings_without_personas_have_the_user_and_the_sizes(value: Any) -> None:
    (someone,) = opened(value, path="settings.json").characters
    assert (someone.id, someone.profile) == ("persona:user-default.png", Profile("Bo"))
    assert someone.preferred_llm["parameters"]["context_size"] == 6144
    assert "secret" not in repr(someone)


def test_settings_without_a_name_have_the_usual_one() -> None:
    (someone,) = opened({"main_api": "openai", "oai_settings": {"openai_max_context": 9000}}).characters
    assert (someone.id, someone.profile) == ("persona:user-default.png", Profile("User"))


@pytest.mark.parametrize("value", [{"main_api": "openai"}, {"oai_settings": {}}, {"main_api": "x", "settings": "y"}])
def test_other_settings_are_not_those_of_sillytavern(value: Any) -> None:
    assert sillytavern.FORMAT.sniff(FileSource("settings.json", json.dumps(value).encode())) == 0


@pytest.mark.parametrize(
    ("file", "messages", "hidden", "swiped"),
    [
        ("Melanie - 2023-05-08@13h56m00s", 419, 10, 31),
        ("group_old_no_header", 419, 10, 40),
        ("ja_persona", 600, 14, 43),
        ("long_2606_messages_mixed_dates", 2606, 63, 189),
    ],
)
def test_real_chats(data_folder: Path, file: str, messages: int, hidden: int, swiped: int) -> None:
    path = data_folder / f"sillytavern/derived/{file}.jsonl"
    source = FileSource(str(path), path.read_bytes())
    assert sillytavern.FORMAT.sniff(source) >= 0.95
    workspace = sillytavern.FORMAT.load(source)
    (conversation,) = workspace.conversations
    assert conversation.id == file
    assert len(conversation.messages) == messages
    assert sum(message.excluded for message in conversation.messages) == hidden
    assert all(message.time and message.content and message.name for message in conversation.messages)
    assert all(message.metadata["recorded_tokens"] > 0 for message in conversation.messages)
    tree = conversation.tree
    assert tree is not None
    others = [node.id for node in tree.messages if ".swipe" in node.id]
    assert len({id_.split(".")[0] for id_ in others}) == swiped
    assert len(tree.messages) == messages + len(others)
    assert workspace.problems[0].message.startswith(f"{swiped} messages have {len(others)} other versions")
    assert not warnings(workspace)


def test_the_real_group(data_folder: Path) -> None:
    path = data_folder / "sillytavern/derived/groups_1700000000000.json"
    workspace = sillytavern.FORMAT.load(FileSource(str(path), path.read_bytes()))
    assert [character.name for character in workspace.characters] == ["Caroline", "Melanie"]
    assert workspace.conversations[0].title == "Trio"
