"""Chats with Gemini: API bodies, AI Studio's chunks, sessions of the command line, the activity of Takeout."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.format import Format
from inspector.formats.gemini.activity import FORMAT as TAKEOUT
from inspector.formats.gemini.activity import text_of_html
from inspector.formats.gemini.bodies import FORMAT as BODIES
from inspector.formats.gemini.command_line import FORMAT as COMMAND_LINE
from inspector.formats.gemini.studio import FORMAT as AI_STUDIO
from inspector.model import Conversation, Image, Workspace
from inspector.reading.source import FileSource, UnreadableError

PICTURE = {"inlineData": {"mimeType": "image/png", "data": "A" * 5_000}}
CALL = {"functionCall": {"name": "look", "args": {"at": "sea"}}}
ANSWER = {"functionResponse": {"name": "look", "response": {"output": "waves"}}}
BODY: dict[str, Any] = {
    "systemInstruction": {"parts": [{"text": "Be kind."}]},
    "contents": [
        {"role": "user", "parts": [{"text": "Hi"}, PICTURE]},
        {"role": "model", "parts": [{"text": "Hm", "thought": True}, CALL]},
        {"role": "user", "parts": [ANSWER]},
        {"role": "model", "parts": [{"text": "Waves."}]},
    ],
    "tools": [{"functionDeclarations": [{"name": "look"}]}],
}
STUDIO: dict[str, Any] = {
    "runSettings": {"model": "models/gemini-3-pro"},
    "systemInstruction": {"text": "Be kind."},
    "chunkedPrompt": {
        "chunks": [
            {"role": "user", "text": "Hi", "tokenCount": 3, "createTime": "2026-08-01T10:00:01Z"},
            {"role": "model", "text": "Hm", "isThought": True, "parts": [{"text": "H", "thought": True}]},
            {"role": "model", "text": "Ho", "parts": [{"text": "H"}, {"text": "o"}], "tokenCount": 2},
        ]
    },
}
HEAD = {"sessionId": "s", "projectHash": "h", "startTime": "2026-08-01T10:00:00Z"}
USER = {"id": "a", "type": "user", "content": "Hi", "timestamp": "2026-08-01T10:00:01Z"}
GEMINI = {
    "id": "b",
    "type": "gemini",
    "content": "Ho",
    "model": "gemini-3-pro",
    "thoughts": [{"subject": "Sea", "description": "Waves"}],
    "tokens": {"input": 50, "output": 4},
    "toolCalls": [{"id": "c", "name": "look", "args": {"at": "sea"}, "result": [ANSWER]}],
}
CLI = {**HEAD, "messages": [USER, GEMINI]}


def entry(title: str, time: str, *answers: str) -> dict[str, Any]:
    html = [{"html": answer} for answer in answers]
    return {"header": "Gemini Apps", "title": title, "time": time, "products": ["Gemini Apps"], "safeHtmlItem": html}


ACTIVITY = [
    entry("Prompted And then?", "2026-02-03T07:00:00Z", "<p>Go.</p>", "<p>Stay.</p>"),
    entry("Gave feedback: Good response", "2026-02-02T08:00:00Z"),
    entry("Prompted Hi", "2026-02-02T07:00:00Z", "<p>Ho &amp; ha</p>"),
]


def load(kind: Format, *values: Any) -> Workspace:
    file = FileSource("x.json", b"\n".join(json.dumps(value).encode() for value in values))
    assert kind.sniff(file) >= 0.9
    return kind.load(file)


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(one.role, one.content) for one in conversation.messages]


def test_a_request_is_a_chat_with_its_calls_and_what_was_told() -> None:
    workspace = load(BODIES, BODY)
    (conversation,) = workspace.conversations
    user, call, result, answer = conversation.messages
    assert (user.content, user.images) == ("Hi", 1)
    assert [(type(one), one.media_type, one.bytes) for one in user.parts if isinstance(one, Image)] == [
        (Image, "image/png", 3_750)
    ]
    assert (call.content, call.reasoning, call.tool_calls[0].arguments) == ("", "Hm", '{"at":"sea"}')
    assert (result.role, result.content, result.tool_call_id) == ("tool", "waves", call.tool_calls[0].id)
    assert answer.content == "Waves."
    assert workspace.characters[0].system_prompt == "Be kind."
    assert workspace.tools[0].schema["function"] == {"name": "look"}
    assert workspace.problems == ()


def test_a_log_goes_on_with_the_answer_and_keeps_the_others() -> None:
    answers = [{"content": {"parts": [{"text": text}], "role": "model"}} for text in ("One", "Two")]
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 1}
    request = {"contents": [{"parts": [{"text": "Hi"}]}]}
    response = {"candidates": answers, "usageMetadata": usage, "modelVersion": "gemini-3-pro"}
    (conversation,) = load(BODIES, {"request": request, "response": response}).conversations
    assert said(conversation) == [("user", "Hi"), ("assistant", "One")]
    assert conversation.model == "gemini-3-pro"
    assert conversation.messages[1].metadata == {"recorded_prompt_tokens": 9, "recorded_tokens": 1}
    assert conversation.tree is not None
    assert [one.content for one in conversation.tree.messages] == ["Hi", "One", "Two"]


def test_histories_and_lines_are_read() -> None:
    assert len(load(BODIES, BODY["contents"]).conversations[0].messages) == 4
    assert len(load(BODIES, {"history": BODY["contents"]}).conversations[0].messages) == 4
    lines = load(BODIES, *[BODY] * 3)
    assert [one.id for one in lines.conversations] == ["x-1", "x-2", "x-3"]
    assert len(lines.characters) == 1
    told_apart = load(BODIES, BODY, {"contents": BODY["contents"]})
    assert told_apart.characters == ()
    assert said(told_apart.conversations[0])[0] == ("system", "Be kind.")


def test_messages_of_other_layouts_with_parts_are_left_to_others() -> None:
    other = [{"role": "user", "parts": [{"type": "text", "text": "Hi"}]}]
    assert BODIES.sniff(FileSource("x.json", json.dumps(other).encode())) == 0


def test_unknown_roles_and_parts_are_named_and_the_others_stay() -> None:
    contents = [
        {"role": "user", "parts": [{"text": "Hi"}, {"hologram": "x" * 50}, 5]},
        {"role": "oracle", "parts": [{"text": "?"}]},
        {"role": "model", "parts": [{"text": "Ho"}, {"thoughtSignature": "x"}]},
        {"role": "model"},
    ]
    workspace = load(BODIES, contents)
    assert said(workspace.conversations[0]) == [("user", "Hi"), ("assistant", "Ho")]
    places = [problem.place for problem in workspace.problems]
    assert places == ["$[0].parts[1]", "$[0].parts[2]", "$[1].role", "$[3].parts"]


def test_thoughts_of_a_prompt_belong_to_the_answer_after_them() -> None:
    workspace = load(AI_STUDIO, STUDIO)
    (conversation,) = workspace.conversations
    assert said(conversation) == [("user", "Hi"), ("assistant", "Ho")]
    assert conversation.model == "gemini-3-pro"
    assert (conversation.messages[1].reasoning, conversation.messages[1].metadata) == ("Hm", {"recorded_tokens": 2})
    assert conversation.messages[0].time is not None
    assert workspace.characters[0].system_prompt == "Be kind."


def prompt_of(*chunks: Any) -> Workspace:
    return load(AI_STUDIO, {"chunkedPrompt": {"chunks": list(chunks), "pendingInputs": [{"text": "And"}]}})


def test_files_of_a_prompt_are_counted_and_documents_are_missed() -> None:
    inline = {"inlineFile": {"mimeType": "audio/mp3", "data": "AAAA"}}
    workspace = prompt_of({"driveImage": {"id": "x"}}, {"role": "user", **inline}, {"driveDocument": {"id": "y"}})
    assert [(one.role, one.images) for one in workspace.conversations[0].messages] == [
        ("user", 1),
        ("user", 1),
        ("user", 0),
    ]
    assert [problem.place for problem in workspace.problems] == [
        "$.chunkedPrompt.chunks[2].driveDocument",
        "$.pendingInputs",
    ]


def test_odd_chunks_leave_the_others() -> None:
    late = {"role": "model", "text": "Hm", "isThought": True}
    workspace = prompt_of(5, {"role": "oracle", "text": "?"}, {"role": "user", "text": "Hi"}, late)
    assert said(workspace.conversations[0]) == [("user", "Hi"), ("assistant", "")]
    assert workspace.conversations[0].messages[1].reasoning == "Hm"
    assert [problem.place[-8:] for problem in workspace.problems[:2]] == ["[0].role", "[1].role"]
    with pytest.raises(UnreadableError):
        prompt_of()


def test_a_session_has_calls_thoughts_and_counts() -> None:
    (conversation,) = load(COMMAND_LINE, CLI).conversations
    user, answer, result = conversation.messages
    assert (user.id, user.content) == ("a", "Hi")
    assert (answer.content, answer.reasoning) == ("Ho", "Sea\nWaves")
    assert (answer.metadata["recorded_prompt_tokens"], answer.metadata["recorded_tokens"]) == (50, 4)
    assert (result.content, result.tool_call_id, result.name) == ("waves", "c", "look")
    assert (conversation.id, conversation.title, conversation.model) == ("s", "Hi", "gemini-3-pro")


def test_a_log_writes_messages_anew_and_goes_back() -> None:
    changed = {**GEMINI, "content": "Ho!", "toolCalls": []}
    later = {"id": "d", "type": "user", "content": [{"text": "So"}]}
    (conversation,) = load(COMMAND_LINE, HEAD, USER, GEMINI, changed, {"$rewindTo": "b"}, later).conversations
    assert said(conversation) == [("user", "Hi"), ("user", "So")]
    assert conversation.tree is not None
    assert [one.content for one in conversation.tree.messages] == ["Hi", "Ho!", "So"]


def test_a_log_says_what_the_model_was_sent_from_then_on() -> None:
    plain = {**GEMINI, "toolCalls": []}
    condensed = {"id": "z", "type": "user", "content": "So far: Hi."}
    (conversation,) = load(COMMAND_LINE, HEAD, USER, plain, {"$set": {"messages": [condensed, plain]}}).conversations
    actions = {one.id: one.metadata["recorded"]["action"] for one in conversation.messages}
    assert actions == {"a": "summarized", "b": "kept", "z": "kept"}


def test_what_a_session_only_showed_is_counted_and_odd_records_are_named() -> None:
    odd = [{"id": "i", "type": "info", "content": "Signed in"}, {"id": "j", "type": "dream"}, {"$rewindTo": "q"}, 5]
    workspace = load(COMMAND_LINE, HEAD, USER, *odd)
    assert said(workspace.conversations[0]) == [("user", "Hi")]
    places = [problem.place for problem in workspace.problems]
    assert places == ["line 4: $.type", "line 5: $.$rewindTo", "line 6: $", ""]


def test_activity_is_one_list_with_the_oldest_first() -> None:
    workspace = load(TAKEOUT, ACTIVITY)
    (conversation,) = workspace.conversations
    assert said(conversation) == [
        ("user", "Hi"),
        ("assistant", "Ho & ha"),
        ("user", "And then?"),
        ("assistant", "Go."),
    ]
    assert conversation.tree is not None
    assert conversation.tree.messages[-1].content == "Stay."
    assert ["1 Gave" in problem.message for problem in workspace.problems] == [True, False]
    assert "not in this file" in workspace.problems[1].message


def test_activity_of_other_products_is_left_to_others() -> None:
    search = [{"header": "Search", "title": "Searched for x", "time": "2026-02-02T07:00:00Z", "products": ["Search"]}]
    assert TAKEOUT.sniff(FileSource("x.json", json.dumps(search).encode())) == 0


def test_html_becomes_text() -> None:
    html = "<h2>Sea</h2><p>a <b>b</b></p><ul><li>x</li><li>y</li></ul><pre>1\n2</pre><script>no</script>"
    assert text_of_html(html) == "Sea\n\na b\n\n- x\n\n- y\n\n1\n2"


# File, format, turns that the file counts, and those of them that are thoughts of an answer.
_REAL = (
    ("gemini_aistudio/owi_aistudio_example.json", "aistudio", 3, 1),
    ("gemini_aistudio/polylogue_aistudio-drive.json", "aistudio", 2, 0),
    ("gemini_cli/polylogue_gemini-cli-session.json", "gemini_cli", 2, 0),
)


@pytest.mark.parametrize(("name", "kind", "turns", "thoughts"), _REAL)
def test_real_files(data_folder: Path, name: str, kind: str, turns: int, thoughts: int) -> None:
    workspace = load_workspace([data_folder / name])
    assert [source.format for source in workspace.sources] == [kind]
    (conversation,) = workspace.conversations
    assert len(conversation.messages) == turns - thoughts
    assert sum(bool(one.reasoning) for one in conversation.messages) == thoughts
    assert workspace.problems == ()
