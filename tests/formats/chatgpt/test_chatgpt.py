"""ChatGPT exports: the active path of a tree, what nodes become, and files that are broken in every way."""

import json
from typing import Any

import pytest

from inspector.formats.chatgpt.export import FORMAT
from inspector.model import Call, Conversation, DocumentPart, Profile, Text, Unknown, Workspace
from inspector.reading.budget import Budget
from inspector.reading.source import FileSource, UnreadableError
from tests.reading.zips import zipped


def node(id_: str, parent: str | None, role: str, content: Any, **more: Any) -> dict[str, Any]:
    held = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
    message = {
        "id": f"message-{id_}",
        "author": {"role": role},
        "content": held,
        "recipient": "all",
        "metadata": {},
        **more,
    }
    return {"id": id_, "parent": parent, "children": [], "message": message}


def chat(*nodes: dict[str, Any], leaf: str | None = None, **more: Any) -> dict[str, Any]:
    mapping = {one["id"]: one for one in ({"id": "root", "parent": None, "children": [], "message": None}, *nodes)}
    return {"title": "T", "mapping": mapping, "current_node": leaf or nodes[-1]["id"], "conversation_id": "c", **more}


def load(value: Any) -> Workspace:
    file = value if isinstance(value, FileSource) else FileSource("conversations.json", json.dumps(value).encode())
    assert FORMAT.sniff(file) > 0.5
    return FORMAT.load(file)


def first(*nodes: dict[str, Any], **more: Any) -> Conversation:
    return load([chat(*nodes, **more)]).conversations[0]


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in conversation.messages]


HI = node("u", "root", "user", "Hi")
HO = node("a", "u", "assistant", "Ho")


def test_the_active_path_is_followed_from_the_leaf() -> None:
    other = node("b", "u", "assistant", "Regenerated", create_time=9e9)
    conversation = first(HI, HO, other, leaf="a", default_model_slug="gpt-4o")
    assert said(conversation) == [("user", "Hi"), ("assistant", "Ho")]
    assert conversation.model == "gpt-4o"
    assert conversation.tree is not None
    assert [message.id for message in conversation.tree.messages] == ["u", "a", "b"]
    assert (conversation.tree.parents, conversation.tree.leaf) == (("", "u", "u"), "a")
    assert first(HI, HO).tree is None


def test_every_kind_of_file_is_read() -> None:
    one = chat(HI, HO)
    assert len(load([one, {**one, "conversation_id": "d"}]).conversations) == 2
    assert [conversation.id for conversation in load(one).conversations] == ["c"]
    named = {"first": {"mapping": one["mapping"], "current_node": "a"}, "second": one}
    assert [conversation.id for conversation in load(named).conversations] == ["first", "c"]
    lines = FileSource("x.jsonl", b"\n".join(json.dumps(one).encode() for _ in range(2)))
    assert [conversation.id for conversation in load(lines).conversations] == ["c", "c-2"]


def test_shards_of_an_archive_are_one_export() -> None:
    shards = {
        f"export/conversations-00{n}.json": json.dumps([chat(HI, HO, conversation_id=f"c{n}")]).encode()
        for n in range(2)
    }
    data = zipped({**shards, "user.json": b"{}", "chat.html": b"<html>", "shared_conversations.json": b"[]"})
    workspace = load(FileSource("export.zip", data))
    assert [conversation.id for conversation in workspace.conversations] == ["c0", "c1"]
    assert workspace.problems == ()
    claude = zipped({"conversations.json": b'[{"uuid": "x", "chat_messages": []}]'})
    assert FORMAT.sniff(FileSource("export.zip", claude)) == 0


def test_custom_instructions_become_the_profile() -> None:
    held = {"content_type": "user_editable_context", "user_profile": "I am Ann", "user_instructions": "Be terse"}
    workspace = load(
        [chat(node("s", "root", "system", ""), node("p", "s", "user", held), node("u", "p", "user", "Hi"))]
    )
    assert workspace.characters[0].profile == Profile(preferences=("Be terse",), facts=("I am Ann",))
    assert said(workspace.conversations[0]) == [("user", "Hi")]


def test_differing_instructions_stay_in_their_chats() -> None:
    def instructed(text: str) -> dict[str, Any]:
        held = {"content_type": "user_editable_context", "user_profile": text, "user_instructions": ""}
        return chat(node("p", "root", "user", held), node("u", "p", "user", "Hi"), conversation_id=text)

    workspace = load([instructed("one"), instructed("two")])
    assert workspace.characters == ()
    assert [said(one)[0] for one in workspace.conversations] == [("system", "one"), ("system", "two")]
    assert "2 different custom instructions" in workspace.problems[-1].message


def test_system_text_is_the_system_prompt_if_all_chats_begin_with_it() -> None:
    rules = chat(node("s", "root", "system", "Be kind."), node("u", "s", "user", "Hi"))
    workspace = load([rules, rules])
    assert workspace.characters[0].system_prompt == "Be kind."
    assert said(workspace.conversations[0]) == [("user", "Hi")]
    mixed = load([rules, chat(HI)])
    assert mixed.characters == ()
    assert said(mixed.conversations[0])[0] == ("system", "Be kind.")


def test_saved_memories_are_read_once() -> None:
    text = "1. [2024-05-01]. Likes tea.\n2. [2024-05-02]. Has two\ncats.\n"
    held = {"content_type": "model_editable_context", "model_set_context": text}
    one = chat(node("k", "root", "assistant", held), node("u", "k", "user", "Hi"))
    workspace = load([one, one])
    memories = workspace.memory_sets[0].memories
    assert [(memory.content, memory.type) for memory in memories] == [
        ("Likes tea.", "explicit"),
        ("Has two\ncats.", "explicit"),
    ]
    assert memories[0].time is not None
    assert said(workspace.conversations[0]) == [("user", "Hi")]


def test_hidden_and_weightless_messages_are_in_the_prompt() -> None:
    hidden = node("u", "root", "user", "Hi", weight=0.0, metadata={"is_visually_hidden_from_conversation": True})
    message = first(hidden).messages[0]
    assert (message.content, message.excluded) == ("Hi", False)
    assert message.metadata == {"hidden": True, "weight": 0}


def test_tool_calls_and_their_results() -> None:
    call = node(
        "t", "u", "assistant", {"content_type": "code", "language": "python", "text": "1+1"}, recipient="python"
    )
    result = node("r", "t", "tool", {"content_type": "execution_output", "text": "2"})
    quote = {"content_type": "tether_quote", "title": "Page", "url": "https://example.org", "text": "Words"}
    conversation = first(HI, call, result, node("q", "r", "tool", quote))
    asked, called, answered, quoted = conversation.messages
    assert (called.content, called.tool_calls) == ("", (Call("t", "python", "1+1"),))
    assert (answered.content, answered.tool_call_id) == ("2", "t")
    assert (quoted.content, quoted.tool_call_id) == ("Page\nhttps://example.org\nWords", "t")
    assert asked.tool_calls == ()


def test_parts_that_are_no_text() -> None:
    held = {"content_type": "multimodal_text", "parts": [
        {"content_type": "image_asset_pointer", "asset_pointer": "sediment://x"}, "What is this?", None,
        {"content_type": "audio_transcription", "text": "said"}, {"content_type": "audio_asset_pointer"}]}  # fmt: skip
    message = first(node("u", "root", "user", held)).messages[0]
    assert (message.content, message.images) == ("What is this?\nsaid", 2)


def test_an_unknown_part_is_a_problem_and_no_text() -> None:
    pointer = {"content_type": "file_asset_pointer", "asset_pointer": "sediment://x", "size_bytes": 5_000}
    held = {"content_type": "multimodal_text", "parts": ["Read it.", pointer, {"odd": {"data": "x" * 500}}, 5]}
    workspace = load([chat(node("u", "root", "user", held))])
    message = workspace.conversations[0].messages[0]
    assert (message.content, message.images) == ("Read it.", 0)
    text, file, odd, number = message.parts
    assert (text, file) == (Text("Read it."), DocumentPart(bytes=5_000, address="sediment://x"))
    assert isinstance(odd, Unknown)
    assert isinstance(number, Unknown)
    assert odd.bytes == 519
    assert [problem.place for problem in workspace.problems] == [
        f"$[0].mapping.u.message.content.parts[{place}]" for place in (2, 3)
    ]


TOLD = {"about_user_message": "I am Ann", "about_model_message": "Be terse"}
MARKED = {"user_context_message_data": TOLD, "is_user_system_message": True}
EMPTY = {"content_type": "user_editable_context", "user_profile": "", "user_instructions": None}


@pytest.mark.parametrize(
    ("role", "content", "metadata"),
    [
        ("system", "", {"user_context_message_data": TOLD}),
        ("system", "", MARKED),
        ("user", "", MARKED),
        ("user", EMPTY, MARKED),
        ("system", {"content_type": "user_editable_context"}, {"user_context_message_data": TOLD}),
        ("system", "Original custom instructions no longer available", MARKED),
    ],
)
def test_custom_instructions_may_stand_in_the_metadata(role: str, content: Any, metadata: dict[str, Any]) -> None:
    given = node("p", "root", role, content, metadata=metadata)
    workspace = load([chat(given, node("u", "p", "user", "Hi"))])
    assert workspace.characters[0].profile == Profile(preferences=("Be terse",), facts=("I am Ann",))
    assert said(workspace.conversations[0]) == [("user", "Hi")]
    assert workspace.problems == ()


def test_instructions_beside_a_turn_that_says_something_do_not_take_its_place() -> None:
    turn = node("u", "root", "user", "Hi", metadata={"user_context_message_data": TOLD})
    workspace = load([chat(turn)])
    assert said(workspace.conversations[0]) == [("user", "Hi")]


def test_reasoning_goes_to_the_answer() -> None:
    thoughts = {"content_type": "thoughts", "thoughts": [{"summary": "S", "content": "C"}]}
    recap = {"content_type": "reasoning_recap", "content": "Thought for 3s"}
    conversation = first(
        HI, node("t", "u", "assistant", thoughts), node("r", "t", "assistant", recap), node("a", "r", "assistant", "Ho")
    )
    assert said(conversation) == [("user", "Hi"), ("assistant", "Ho")]
    assert conversation.messages[1].reasoning == "S\nC\nThought for 3s"
    before = first(HI, HO, node("t", "a", "assistant", thoughts), node("x", "t", "user", "Go on"))
    assert said(before)[-2:] == [("assistant", "Ho"), ("user", "Go on")]
    assert before.messages[1].reasoning == "S\nC"
    alone = first(HI, node("t", "u", "assistant", thoughts))
    assert alone.messages[1].reasoning == "S\nC"


@pytest.mark.parametrize("leaf", ["nowhere", None, 5])
def test_without_a_leaf_the_newest_branch_is_taken(leaf: Any) -> None:
    older, newer = (node(name, "u", "assistant", name, create_time=time) for name, time in (("b", 20.0), ("a", 10.0)))
    value = chat(HI, older, newer)
    value["current_node"] = leaf
    workspace = load([value])
    assert said(workspace.conversations[0])[-1] == ("assistant", "b")
    assert workspace.problems[0].place == "$[0].current_node"


def test_missing_parents_and_cycles_are_cut_and_said() -> None:
    missing = load([chat(node("a", "gone", "user", "Hi"))])
    assert said(missing.conversations[0]) == [("user", "Hi")]
    assert "gone" in missing.problems[0].message
    cycle = load([chat(node("a", "b", "user", "Hi"), node("b", "a", "assistant", "Ho"))])
    assert said(cycle.conversations[0]) == [("user", "Hi"), ("assistant", "Ho")]
    assert "cycle" in cycle.problems[0].message
    itself = load([chat(node("a", "a", "user", "Hi"))])
    assert said(itself.conversations[0]) == [("user", "Hi")]


def test_a_node_without_an_id_is_left_out() -> None:
    workspace = load([chat(node("", "", "user", "Hm"), HI, HO)])
    assert said(workspace.conversations[0]) == [("user", "Hi"), ("assistant", "Ho")]
    assert "without an id" in workspace.problems[0].message


def test_parents_may_stand_in_the_lists_of_children_only() -> None:
    nodes = [HI, HO]
    value = chat(*({key: item for key, item in one.items() if key != "parent"} for one in nodes))
    value["mapping"]["u"]["children"] = ["a"]
    assert said(load([value]).conversations[0]) == [("user", "Hi"), ("assistant", "Ho")]


def test_deep_chats_are_walked_in_loops() -> None:
    nodes = [node(f"n{n}", f"n{n - 1}" if n else "root", "user", str(n)) for n in range(20_000)]
    conversation = first(*nodes)
    assert [message.content for message in conversation.messages[-2:]] == ["19998", "19999"]


def test_one_broken_chat_does_not_lose_the_others() -> None:
    good = json.dumps(chat(HI, HO))
    odd = [5, {"x": 1}, {"mapping": []}, {"title": "empty", "current_node": None}]
    data = f"[{good}, {', '.join(map(json.dumps, odd))}, {good}]".encode()
    workspace = load(FileSource("conversations.json", data))
    assert [len(one.messages) for one in workspace.conversations] == [2, 0, 2]
    assert [problem.place for problem in workspace.problems] == ["$[1]", "$[2]", "$[3]"]


def test_defects_of_one_chat_stay_in_it() -> None:
    good = json.dumps(chat(HI, HO))
    bad = good.replace('"Hi"', '"\\ud83d"').replace('"T"', "9" * 5_000)
    workspace = load(FileSource("conversations.json", f"[{good},{bad}]".encode()))
    assert [said(one)[0] for one in workspace.conversations] == [("user", "Hi"), ("user", "\ufffd")]
    assert {problem.severity for problem in workspace.problems} == {"warning"}


def test_a_cut_file_gives_the_chats_before_the_cut() -> None:
    good = json.dumps(chat(HI, HO))
    workspace = load(FileSource("conversations.json", f"[{good}, {good[:-40]}".encode()))
    assert [said(one) for one in workspace.conversations] == [[("user", "Hi"), ("assistant", "Ho")]]
    assert workspace.problems[0].severity == "error"
    assert "1 items before" in workspace.problems[0].message
    with pytest.raises(UnreadableError):
        FORMAT.load(FileSource("conversations.json", f"[{good[:-40]}".encode()))


@pytest.mark.parametrize(
    "value", [[], {}, [{"uuid": 1, "chat_messages": []}], {"mapping": []}, "mapping", [{"messages": []}]]
)
def test_other_json_is_not_claimed(value: Any) -> None:
    assert FORMAT.sniff(FileSource("x.json", json.dumps(value).encode())) == 0


def test_chats_are_read_one_by_one_as_far_as_the_memory_goes() -> None:
    talk = chat(node("a", None, "user", {"content_type": "text", "parts": ["x" * 20_000]}))
    data = json.dumps([{**talk, "id": f"c{number}"} for number in range(30)]).encode()
    assert len(FORMAT.load(FileSource("a.json", data, Budget(1_000_000))).conversations) == 30
    workspace = FORMAT.load(FileSource("a.json", data, Budget(200_000)))
    assert 5 < len(workspace.conversations) < 30
    (problem,) = workspace.problems
    assert f"the chat $[{len(workspace.conversations)}], from which on none was read, would take" in problem.message


def test_shards_that_need_too_much_memory_leave_the_others() -> None:
    talk = chat(node("a", None, "user", {"content_type": "text", "parts": ["x" * 1_000]}))
    small, large = json.dumps([talk]).encode(), json.dumps([talk] * 500).encode()
    data = zipped({"conversations-1.json": large, "conversations-2.json": small})
    workspace = FORMAT.load(FileSource("a.zip", data, Budget(400_000)))
    assert len(workspace.conversations) == 1
    (problem,) = workspace.problems
    assert problem.file == "a.zip/conversations-1.json"
    assert "unpacks to 400.0 kB or more" in problem.message
