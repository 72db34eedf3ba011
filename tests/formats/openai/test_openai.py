"""OpenAI's layouts: every way in which a chat lies in a file, every part of a message."""

import json
from typing import Any

import pytest

from inspector.formats.notes import Notes
from inspector.formats.openai.chats import FORMAT
from inspector.formats.openai.message import read_message
from inspector.model import Call, Conversation, DocumentPart, Image, Place, Sound, Text, Video, Workspace
from inspector.reading.source import FileSource, UnreadableError

HI = {"role": "user", "content": "Hi"}
HO = {"role": "assistant", "content": "Ho"}
RULES = {"role": "system", "content": "Be kind."}


def source(value: Any) -> FileSource:
    return FileSource("chats/first.json", json.dumps(value).encode())


def lines(*values: Any) -> FileSource:
    return FileSource("chats/first.jsonl", "\n".join(map(json.dumps, values)).encode())


def load(value: Any) -> Workspace:
    file = value if isinstance(value, FileSource) else source(value)
    assert FORMAT.sniff(file) > 0.3
    return FORMAT.load(file)


def said(chat: Conversation) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in chat.messages]


_TURNS = [("user", "Hi"), ("assistant", "Ho")]


@pytest.mark.parametrize(
    "value",
    [
        [HI, HO],
        {"model": "gpt-4o", "messages": [HI, HO]},
        {"request": {"messages": [HI]}, "response": {"choices": [{"index": 0, "message": HO}]}},
        {"request": json.dumps({"messages": [HI]}), "response": {"body": {"choices": [{"message": HO}]}}},
        {"request": {"messages": [HI]}, "response": "Ho"},
        {"request": {"messages": [HI]}, "response": {**HO, "stop_reason": "end_turn"}},
        *({"messages": [HI], key: "Ho"} for key in ("response", "answer", "completion", "output", "reply")),
        *({"input": [HI], "output": answer} for answer in ("Ho", HO, [HO])),
        {"request": {"url": "/v1", "body": {"messages": [HI]}}, "response": {"choices": [{"message": HO}]}},
        {"custom_id": "r", "method": "POST", "url": "/v1/chat/completions", "body": {"messages": [HI, HO]}},
        {"input": {"messages": [HI]}, "preferred_output": [HO], "non_preferred_output": [{**HO, "content": "No"}]},
        {"model": "gpt-5", "input": "Hi", "output": [{"type": "message", **HO}]},
        {"model": "gpt-5", "input": [HI, HO]},
        {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Ho"}]},
        [[HI, HO]],
        [{"messages": [HI, HO]}],
    ],
)
def test_one_chat_in_every_layout(value: Any) -> None:
    workspace = load(value)
    assert [said(chat) for chat in workspace.conversations] == [_TURNS]
    assert [message.id for message in workspace.conversations[0].messages] == ["m0", "m1"]
    assert workspace.problems == ()


def test_answers_alone_are_chats() -> None:
    workspace = load(
        lines({"custom_id": "r", "response": {"status_code": 200, "body": {"choices": [{"message": HO}]}}})
    )
    assert said(workspace.conversations[0]) == [("assistant", "Ho")]


def test_lines_are_chats_or_messages() -> None:
    many = load(lines({"messages": [HI]}, {"messages": [HI, HO]}))
    assert [(chat.id, len(chat.messages)) for chat in many.conversations] == [("first-1", 1), ("first-2", 2)]
    one = load(lines(HI, HO, HI))
    assert [(chat.id, len(chat.messages)) for chat in one.conversations] == [("first", 3)]
    mixed = load(lines(HI, HO, {"id": "x", "messages": [HI]}, HI))
    assert [(chat.id, len(chat.messages)) for chat in mixed.conversations] == [("first-1", 2), ("x", 1), ("first-3", 1)]


def test_bad_lines_do_not_lose_the_others() -> None:
    workspace = load(
        FileSource("a.jsonl", b'{"role":"user","content":"a"}\n{oops\n{"role":"user","content":"b"}\n{"rol')
    )
    assert len(workspace.conversations[0].messages) == 2
    assert [problem.place for problem in workspace.problems] == ["line 2, column 2", "line 4, column 2"]


@pytest.mark.parametrize("role", ["system", "developer"])
def test_leading_system_message_is_the_system_prompt(role: str) -> None:
    workspace = load([{"role": role, "content": "Be kind."}, HI, RULES])
    assert [(one.id, one.system_prompt) for one in workspace.characters] == [("system", "Be kind.")]
    assert said(workspace.conversations[0]) == [("user", "Hi"), ("system", "Be kind.")]


def test_system_prompt_of_many_chats_is_shared_only_if_it_is_the_same() -> None:
    same = load(lines({"messages": [RULES, HI]}, {"messages": [RULES, HO]}))
    assert [one.system_prompt for one in same.characters] == ["Be kind."]
    assert [len(chat.messages) for chat in same.conversations] == [1, 1]
    for other in ({"messages": [HI]}, {"messages": [{"role": "system", "content": "Be brief."}, HI]}):
        differs = load(lines({"messages": [RULES, HI]}, other))
        assert differs.characters == ()
        assert said(differs.conversations[0])[0] == ("system", "Be kind.")


def test_parts() -> None:
    data = "data:image/png;base64," + "A" * 5_000
    content = [
        {"type": "text", "text": "Look"},
        {"type": "image_url", "image_url": {"url": data, "detail": "low"}},
        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
        {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:x;base64,AAAA"}},
        {"type": "video_url", "video_url": {"url": "https://example.org/v.mp4"}},
        {"type": "text", "text": "here", "cache_control": {"type": "ephemeral"}},
        {"type": "refusal", "refusal": "No."},
    ]
    message = load([{"role": "user", "content": content}]).conversations[0].messages[0]
    assert message.content == "Look\nhere\nNo."
    assert message.images == 3
    place = "$[0].content"
    assert message.parts == (
        Text("Look"),
        Image(None, None, "low", "image/png", 3_750, place=Place("chats/first.json", f"{place}[1].image_url.url")),
        Sound(None, "audio/wav", 3, place=Place("chats/first.json", f"{place}[2].input_audio.data")),
        DocumentPart(None, "x", 3, name="a.pdf", place=Place("chats/first.json", f"{place}[3].file.file_data")),
        Video(address="https://example.org/v.mp4"),
        Text("here"),
        Text("No."),
    )


def test_tool_calls_and_results() -> None:
    workspace = load(
        [
            {"role": "assistant", "content": None, "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{bad"}},
                {"id": "2", "type": "custom", "custom": {"name": "g", "input": "words"}},
                {"id": "3", "function": {"name": "h", "arguments": {"a": 1}}},
            ]},
            {"role": "assistant", "content": None, "function_call": {"name": "old", "arguments": "{}"}},
            {"role": "tool", "tool_call_id": "1", "content": [{"type": "text", "text": "ok"}]},
            {"role": "function", "name": "old", "content": "42"},
        ]
    )  # fmt: skip
    first, second, result, old = workspace.conversations[0].messages
    assert first.tool_calls == (Call("1", "f", "{bad"), Call("2", "g", "words"), Call("3", "h", '{"a":1}'))
    assert first.content == ""
    assert second.tool_calls == (Call("", "old", "{}"),)
    assert (result.role, result.content, result.tool_call_id) == ("tool", "ok", "1")
    assert (old.role, old.name) == ("tool", "old")
    assert [(one.place, one.severity) for one in workspace.problems] == [("$[0].tool_calls[0].arguments", "info")]


def test_results_inside_user_messages_become_tool_messages() -> None:
    workspace = load(
        [
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "Hm"}, {"type": "text", "text": "Calling"},
                {"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "more"}]},
                {"type": "text", "text": "Thanks"}]},
        ]
    )  # fmt: skip
    assert said(workspace.conversations[0]) == [
        ("assistant", "Calling"),
        ("tool", "ok"),
        ("tool", "more"),
        ("user", "Thanks"),
    ]
    assert workspace.conversations[0].messages[0].reasoning == "Hm"


def test_marks_of_a_message_are_kept() -> None:
    messages = [
        {
            "role": "assistant",
            "content": "a",
            "weight": 0,
            "reasoning_content": "Hm",
            "id": "x",
            "created_at": 1_700_000_000,
        },
        {
            "role": "assistant",
            "content": None,
            "refusal": "I can't.",
            "reasoning_details": [{"text": "a"}, {"summary": "b"}],
        },
        {"role": "user", "content": "b", "name": "ann"},
    ]
    first, second, third = load(messages).conversations[0].messages
    assert (first.metadata, first.reasoning) == ({"weight": 0}, "Hm")
    assert first.id == "x"
    assert first.time is not None
    assert not first.excluded
    assert second.content == "I can't."
    assert second.reasoning == "a\nb"
    assert third.name == "ann"


def test_endings_that_were_not_taken_are_branches() -> None:
    workspace = load({"input": {"messages": [RULES, HI]}, "preferred_output": [HO], "non_preferred_output": [HI, HO]})
    tree = workspace.conversations[0].tree
    assert tree is not None
    assert [node.id for node in tree.messages] == ["m0", "m1", "m2", "m3"]
    assert (tree.parents, tree.leaf) == (("", "m0", "m0", "m2"), "m1")
    choices = {"messages": [HI], "choices": [{"message": HO}, {"message": {**HO, "content": "Other"}}]}
    other = load(choices).conversations[0]
    assert said(other) == _TURNS
    assert other.tree is not None
    assert other.tree.parents == ("", "m0", "m0")


def test_the_ideal_answer_is_not_in_the_prompt() -> None:
    chat = load(lines({"input": [HI], "ideal": "Ho"}, {"input": [HI], "ideal": ["a", "b"]})).conversations[0]
    assert said(chat) == [("user", "Hi")]
    assert chat.tree is not None
    assert chat.tree.messages[-1].metadata["ideal"] is True
    assert chat.tree.leaf == "m0"


def test_body_names_model_and_tools() -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {}}}
    workspace = load(lines(*[{"model": "gpt-4o", "messages": [HI], "tools": [tool], "functions": [{"name": "g"}]}] * 2))
    assert [one.schema["function"]["name"] for one in workspace.tools] == ["f", "g"]
    assert workspace.conversations[0].model == "gpt-4o"


def test_a_text_may_be_wrapped_with_its_annotations() -> None:
    wrapped = {"type": "text", "text": {"value": "Hi", "annotations": []}}
    workspace = load([{"role": "user", "content": [wrapped, {"type": "text", "text": ["x"]}]}])
    assert said(workspace.conversations[0]) == [("user", "Hi")]
    assert [problem.place for problem in workspace.problems] == ["$[0].content[1].text"]


def test_an_unknown_piece_of_a_tool_result_is_no_text() -> None:
    pieces = [{"type": "text", "text": "Sea"}, {"type": "hologram", "data": "x" * 99}, {"depth": 5}]
    result = {"type": "tool_result", "tool_use_id": "t", "content": pieces}
    workspace = load([{"role": "user", "content": [result]}])
    assert said(workspace.conversations[0]) == [("tool", 'Sea\n{"depth":5}')]
    assert "hologram" in workspace.problems[0].message


def test_wrong_types_are_problems_and_the_rest_opens() -> None:
    workspace = load(
        [{"role": None, "content": 5}, "words", None, {"content": "x"}, {"role": "USER", "content": "caps"},
         {"role": "user", "content": {"a": 1}}, {"role": "user", "content": [5, {"type": "other"}]}, {"role": "user"}]
    )  # fmt: skip
    assert said(workspace.conversations[0]) == [("user", "caps"), ("user", ""), ("user", ""), ("user", "")]
    places = [problem.place for problem in workspace.problems]
    assert places == [
        *("$[0].role", "$[1]", "$[2]", "$[3].role", "$[5].content", "$[6].content[0]"),
        *("$[6].content[1]", "$[7].content"),
    ]


@pytest.mark.parametrize(
    "value",
    [
        {"a": 1},
        [1, 2],
        {"messages": "x"},
        {"messages": [{"mes": "x"}]},
        {"request": {"request": {}}},
        "words",
        {"choices": []},
    ],
)
def test_other_json_is_not_claimed(value: Any) -> None:
    assert FORMAT.sniff(source(value)) == 0


def test_nothing_but_bad_messages_is_refused() -> None:
    with pytest.raises(UnreadableError) as caught:
        FORMAT.load(source([{"role": "critic", "content": "x"}, 5]))
    assert caught.value.problem.place == "$"
    assert [fault.place for fault in caught.value.also] == ["$[0].role", "$[1]"]


def test_doubled_ids_are_told_apart() -> None:
    chat = load([{**HI, "id": "a"}, {**HO, "id": "a"}, {**HI, "id": "a-2"}, HI]).conversations[0]
    assert [message.id for message in chat.messages] == ["a", "a-3", "a-2", "m3"]


@pytest.mark.parametrize(
    ("item", "found"), [("words", '"words"'), ([1, "a"], '[1,"a"]'), (7, "7"), (None, "null")], ids=str
)
def test_what_is_no_message_is_shown(item: Any, found: str) -> None:
    notes = Notes("f")
    assert read_message(item, notes, "$[0]") == []
    assert notes.problems[0].message.endswith(f"found {found}")


def test_what_is_no_message_and_nested_deep_is_named() -> None:
    deep: Any = []
    for _ in range(990):
        deep = [deep]
    notes = Notes("f")
    assert read_message(deep, notes, "$[0]") == []
    assert notes.problems[0].message.endswith("found a list")


def test_reasoning_and_tools_that_are_nested_deep_are_left() -> None:
    deep: Any = "x"
    for _ in range(900):
        deep = [deep]
    chat = {"messages": [{"role": "user", "content": "a", "reasoning": deep}], "tools": [{"type": deep}]}
    workspace = load(chat)
    assert said(workspace.conversations[0]) == [("user", "a")]
    assert not workspace.conversations[0].messages[0].reasoning


def test_messages_that_an_application_pins_are_pinned() -> None:
    """As gptme writes them into its `conversation.jsonl`."""
    told = {"role": "system", "content": "Be kind.", "timestamp": "2025-08-22T09:00:00"}
    records = [{**told, "pinned": True}, {"role": "user", "content": "Hi", "pinned": False}]
    source = FileSource("conversation.jsonl", b"\n".join(json.dumps(record).encode() for record in records))
    workspace = FORMAT.load(source)
    assert workspace.problems == ()
    assert workspace.characters[0].system_prompt == "Be kind."
    pinned = [{**records[1], "pinned": True}, records[1]]
    source = FileSource("conversation.jsonl", b"\n".join(json.dumps(record).encode() for record in pinned))
    assert [message.pinned for message in FORMAT.load(source).conversations[0].messages] == [True, False]


def test_bodies_of_ollama_have_pictures_beside_the_text_and_arguments_as_objects() -> None:
    call = {"function": {"name": "look", "arguments": {"at": "sea"}}}
    asked = {"role": "user", "content": "Look", "images": ["aGk=" * 50_000]}
    answer = {"role": "assistant", "content": "", "thinking": "Hm", "tool_calls": [call]}
    result = {"role": "tool", "tool_name": "look", "content": "waves"}
    chat = load({"model": "llama3", "stream": False, "messages": [asked, answer, result]}).conversations[0]
    look, called, told = chat.messages
    assert (look.content, look.images) == ("Look", 1)
    assert (called.reasoning, called.tool_calls[0].arguments) == ("Hm", '{"at":"sea"}')
    assert told.content == "waves"
