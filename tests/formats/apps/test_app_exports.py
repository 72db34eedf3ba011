"""Exports of chat applications: each example, the variants that its versions wrote, and what is said of a lost part."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.registry import built_in_formats, candidates
from inspector.model import Call, Message, Result, Thought, Workspace
from inspector.reading.source import FileSource, UnreadableError
from tests.formats.apps.cherry_examples import CHERRY, CHERRY_OLD
from tests.reading.zips import zipped

ASKED, ANSWERED = "What is the capital of France?", "Paris."
BRIEF = "Answer in one word."
EXPECTED = [("user", ASKED), ("assistant", ANSWERED)]


def deepseek_node(id_: str, parent: str | None, *fragments: Any, **more: Any) -> dict[str, Any]:
    message = {"files": [], "model": "deepseek-chat", "inserted_at": f"2026-01-02T00:00:0{id_}+08:00", **more}
    return {"id": id_, "parent": parent, "message": {**message, **({"fragments": [*fragments]} if fragments else {})}}


QUESTION = {"type": "REQUEST", "content": ASKED}
ANSWER = ({"type": "THINK", "content": "Easy."}, {"type": "RESPONSE", "content": ANSWERED})
DEEPSEEK: Any = [
    {
        "id": "c-1",
        "title": "Capital",
        "inserted_at": "2026-01-02T00:00:00+08:00",
        "mapping": {
            "root": {"id": "root", "parent": None, "children": ["1"], "message": None},
            "1": deepseek_node("1", "root", QUESTION),
            "2": deepseek_node("2", "1", *ANSWER),
        },
    }
]
DEEPSEEK_WITHOUT_IDS: Any = [
    {
        "id": "c-1",
        "title": "Capital",
        "mapping": {
            "1": {"message": {"fragments": [QUESTION]}},
            "2": {"parent": "1", "message": {"fragments": [*ANSWER]}},
        },
    }
]
DEEPSEEK_OLD: Any = [
    {
        **DEEPSEEK[0],
        "mapping": {
            "root": DEEPSEEK[0]["mapping"]["root"],
            "1": deepseek_node("1", "root", content=ASKED),
            "2": deepseek_node("2", "1", content=ANSWERED, reasoning_content="Easy."),
        },
    }
]
DEEPSEEK_ANSWER: Any = {
    "code": 0,
    "data": {
        "biz_data": {
            "chat_session": {"id": "c-1", "title": "Capital", "current_message_id": 2},
            "chat_messages": [
                {"message_id": 1, "parent_id": None, "role": "USER", "content": ASKED, "inserted_at": 1767312005.1},
                {
                    "message_id": 2,
                    "parent_id": 1,
                    "role": "ASSISTANT",
                    "content": ANSWERED,
                    "thinking_content": "Easy.",
                    "inserted_at": 1767312009.1,
                },
            ],
        }
    },
}
DEEPSEEK_SHARED: Any = {
    "data": {
        "biz_data": {
            "title": "Capital",
            "messages": [
                {"message_id": 1, "role": "USER", "content": ASKED},
                {"message_id": 2, "parent_id": 1, "role": "ASSISTANT", "fragments": [*ANSWER]},
            ],
        }
    }
}
PERPLEXITY: Any = {
    "status": "success",
    "entries": [
        {
            "backend_uuid": "b",
            "context_uuid": "c-1",
            "thread_title": "Capital",
            "display_model": "sonar",
            "query_str": ASKED,
            "updated_datetime": "2026-01-02T10:00:00",
            "blocks": [
                {"intended_usage": "plan", "plan_block": {"goals": [{"id": "0", "description": "Easy."}]}},
                {"intended_usage": "ask_text", "markdown_block": {"chunks": ["Par", "is."], "answer": ANSWERED}},
                {"intended_usage": "web_results", "web_result_block": {"web_results": [{"url": "https://a.example"}]}},
            ],
        }
    ],
}
_STEPS = [
    {"step_type": "INITIAL_QUERY", "content": {"query": ASKED}},
    {"step_type": "FINAL", "content": {"answer": json.dumps({"answer": ANSWERED, "web_results": []})}},
]
PERPLEXITY_OLD: Any = {"entries": [{"query_str": ASKED, "text": json.dumps(_STEPS), "thread_title": "Capital"}]}
SESSION: dict[str, Any] = {
    "id": "s1",
    "topic": "Capital",
    "memoryPrompt": "",
    "messages": [
        {"id": "a", "date": "1/2/2026, 10:00:00 AM", "role": "user", "content": ASKED},
        {"id": "b", "date": "1/2/2026, 10:00:05 AM", "role": "assistant", "content": ANSWERED, "model": "gpt-4o"},
    ],
    "mask": {"id": "m", "context": [{"role": "system", "content": BRIEF}], "modelConfig": {"model": "gpt-4o"}},
}
NEXTCHAT: Any = {"chat-next-web-store": {"sessions": [SESSION], "currentSessionIndex": 0}, "access-control": {}}
TYPED: dict[str, Any] = {
    "id": "t1",
    "chatID": "t1",
    "chatTitle": "Capital",
    "model": "gpt-4o",
    "messages": [
        {"role": "user", "content": ASKED, "createdAt": "2026-01-02T10:00:00.000Z", "uuid": "u1"},
        {"role": "assistant", "content": [{"type": "text", "text": ANSWERED}], "uuid": "u2"},
    ],
}
TYPINGMIND: Any = {"data": {"chats": [TYPED], "folders": []}, "checksum": "x"}
HISTORY: dict[str, Any] = {
    "id": "h1",
    "name": "Capital",
    "prompt": BRIEF,
    "temperature": 1,
    "folderId": None,
    "model": {"id": "gpt-4", "name": "GPT-4", "tokenLimit": 8000},
    "messages": [{"role": "user", "content": ASKED}, {"role": "assistant", "content": ANSWERED}],
}
CHATBOT_UI: Any = {"version": 4, "history": [HISTORY], "folders": [], "prompts": []}
ROWS: Any = [
    {"id": "2", "chat_id": "c", "sequence_number": 1, "role": "assistant", "content": ANSWERED, "model": "gpt-4"},
    {"id": "1", "chat_id": "c", "sequence_number": 0, "role": "user", "content": ASKED, "model": "gpt-4"},
]
BIG: dict[str, Any] = {
    "id": "g1",
    "systemPurposeId": "Generic",
    "autoTitle": "Capital",
    "created": 1767348000000,
    "updated": None,
    "messages": [
        {"id": "1", "role": "user", "fragments": [{"ft": "content", "part": {"pt": "text", "text": ASKED}}]},
        {
            "id": "2",
            "role": "assistant",
            "generator": {"mgt": "named", "name": "gpt-4o"},
            "fragments": [
                {"ft": "void", "part": {"pt": "ma", "aType": "reasoning", "aText": "Easy."}},
                {"ft": "content", "part": {"pt": "text", "text": ANSWERED}},
            ],
        },
    ],
}
BIG_AGI: Any = {"conversations": [BIG], "models": {"sources": []}, "folders": {"folders": []}}
LE_CHAT: Any = [
    {"id": "m1", "version": 0, "chatId": "ch1", "role": "user", "content": ASKED, "contentChunks": None},
    {
        "id": "m2",
        "version": 0,
        "chatId": "ch1",
        "role": "assistant",
        "createdAt": "2026-01-02T10:00:05.000Z",
        "content": ANSWERED,
        "contentChunks": [{"type": "text", "text": ANSWERED}],
        "files": [],
    },
]
EXAMPLES: Mapping[str, Any] = {
    "deepseek": DEEPSEEK,
    "perplexity": PERPLEXITY,
    "nextchat": NEXTCHAT,
    "typingmind": TYPINGMIND,
    "chatbot_ui": CHATBOT_UI,
    "chatbot_ui_messages": ROWS,
    "big_agi": BIG_AGI,
    "le_chat": LE_CHAT,
    "cherry_studio": CHERRY,
}
"""An example of each format, by its name."""

_V3 = [{"id": str(n), "role": role, "text": text, "sender": "x"} for n, (role, text) in enumerate(EXPECTED)]
VARIANTS: Sequence[tuple[str, Any]] = (
    ("deepseek", DEEPSEEK_OLD),
    ("deepseek", DEEPSEEK_ANSWER),
    ("deepseek", DEEPSEEK_WITHOUT_IDS),
    ("deepseek", DEEPSEEK_SHARED),
    ("deepseek", DEEPSEEK[0]),
    ("deepseek", DEEPSEEK_ANSWER["data"]["biz_data"]),
    ("perplexity", PERPLEXITY_OLD),
    ("perplexity", [PERPLEXITY]),
    ("perplexity", PERPLEXITY["entries"][0]),
    ("nextchat", {"chat-next-web-store": json.dumps({"state": {"sessions": [SESSION]}, "version": 3.3})}),
    ("nextchat", {"state": {"sessions": [SESSION]}, "version": 3.3}),
    ("nextchat", {"sessions": [{**SESSION, "mask": {**SESSION["mask"], "context": []}}]}),
    ("typingmind", {"chats": [TYPED]}),
    ("typingmind", [TYPED]),
    ("typingmind", TYPED),
    ("chatbot_ui", {"history": [HISTORY], "folders": []}),
    ("chatbot_ui", {"version": 3, "history": [{**HISTORY, "model": "gpt-4"}]}),
    ("chatbot_ui_messages", ROWS[::-1]),
    ("big_agi", BIG),
    ("big_agi", {**BIG, "messages": _V3}),
    ("cherry_studio", CHERRY_OLD),
    ("le_chat", LE_CHAT[::-1] if "createdAt" in LE_CHAT[0] else LE_CHAT),
    ("le_chat", [{**LE_CHAT[0], "content": "", "contentChunks": [{"type": "text", "text": ASKED}]}, LE_CHAT[1]]),
)


def source(value: Any) -> FileSource:
    return FileSource("x.json", json.dumps(value).encode())


def load(name: str, value: Any) -> Workspace:
    found, problems = candidates(source(value), built_in_formats())
    assert (found[0].format.name, found[0].is_sure) == (name, True)
    assert not problems
    return found[0].format.load(source(value))


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[0].messages]


@pytest.mark.parametrize(("name", "value"), [*EXAMPLES.items(), *VARIANTS])
def test_an_export_is_read_as_all_of_its_versions_wrote_it(name: str, value: Any) -> None:
    workspace = load(name, value)
    assert said(workspace) == EXPECTED
    assert workspace.problems == ()
    assert len(workspace.conversations) == 1
    named = [one.title for one in workspace.conversations]
    assert named in (["Capital"], [ASKED])


def _lasting(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to every key of a value."""
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        if isinstance(value, Mapping):
            yield (*path, key)
        yield from _lasting(inner, (*path, key))


def _changed(value: Any, path: tuple[Any, ...], change: str) -> Any:
    held = json.loads(json.dumps(value))
    inner = held
    for key in path[:-1]:
        inner = inner[key]
    if change == "rename":
        inner[f"{path[-1]}_x"] = inner.pop(path[-1])
    elif change == "drop":
        del inner[path[-1]]
    else:
        inner[path[-1]] = {"x": 7}
    return held


def _texts(workspace: Workspace) -> list[str]:
    return sorted(message.content for chat in workspace.conversations for message in chat.messages)


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("change", ["rename", "drop", "retype"])
def test_whatever_is_lost_is_said(name: str, change: str) -> None:
    """Rule of the reading layer: with any key changed, all texts are still there, or a problem says what is missing."""
    kind = next(one for one in built_in_formats() if one.name == name)
    for path in _lasting(EXAMPLES[name]):
        held = source(_changed(EXAMPLES[name], path, change))
        if path[-1] in ("1", "2") or not kind.sniff(held):  # a message that is not there
            continue
        try:
            workspace = kind.load(held)
        except UnreadableError:
            continue
        assert _texts(workspace) == [ANSWERED, ASKED] or workspace.problems, path


def test_deepseek_keeps_thoughts_branches_and_what_it_found() -> None:
    found = {"type": "SEARCH", "content": None, "results": [{"url": "https://a.example", "title": "A"}]}
    nodes = {**DEEPSEEK[0]["mapping"], "3": deepseek_node("3", "1", ANSWER[0], found, ANSWER[1])}
    workspace = load("deepseek", [{**DEEPSEEK[0], "mapping": nodes}])
    (chat,) = workspace.conversations
    assert chat.tree is not None
    assert len(chat.tree.messages) == 5
    assert [(one.role, one.content) for one in chat.messages] == [
        ("user", ASKED),
        ("assistant", ""),
        ("tool", '[{"url":"https://a.example","title":"A"}]'),
        ("assistant", ANSWERED),
    ]
    assert [type(part) for part in chat.messages[1].parts] == [Thought, Call]
    old = load("deepseek", DEEPSEEK_OLD).conversations[0].messages[1]
    assert (old.reasoning, old.content) == ("Easy.", ANSWERED)


def test_the_archive_that_deepseek_sends_is_not_chatgpts(tmp_path: Path) -> None:
    file = tmp_path / "deepseek.zip"
    file.write_bytes(zipped({"conversations.json": json.dumps(DEEPSEEK).encode(), "user.json": b'{"id": "x"}'}))
    workspace = load_workspace([file])
    assert said(workspace) == EXPECTED
    assert [one.format for one in workspace.sources] == ["deepseek"]


def test_perplexity_keeps_the_plan_and_the_addresses_of_its_sources() -> None:
    answer = load("perplexity", PERPLEXITY).conversations[0].messages[1]
    assert answer.reasoning == "Easy."
    assert answer.metadata == {"model": "sonar", "sources": ["https://a.example"]}
    silent = {"entries": [*PERPLEXITY["entries"], {"query_str": "And?", "blocks": []}]}
    (problem,) = load("perplexity", silent).problems
    assert (problem.place, "answer is empty" in problem.message) == ("$.entries[1].blocks", True)


def test_nextchat_keeps_its_mask_tools_times_and_memory() -> None:
    tool = {"id": "t", "function": {"name": "capital", "arguments": "{}"}, "content": "Paris", "isError": False}
    answer = {**SESSION["messages"][1], "tools": [tool], "date": "2.1.2026, 10:00:05"}
    session = {**SESSION, "messages": [SESSION["messages"][0], answer], "memoryPrompt": "A capital was asked."}
    workspace = load("nextchat", {"sessions": [session]})
    assert [one.system_prompt for one in workspace.characters] == [BRIEF]
    messages = workspace.conversations[0].messages
    assert [one.role for one in messages] == ["user", "assistant", "tool", "assistant"]
    assert messages[0].time is not None
    assert messages[0].time.isoformat() == "2026-01-02T10:00:00+00:00"
    assert messages[3].metadata == {"model": "gpt-4o", "time": "2.1.2026, 10:00:05"}  # of a browser in another language
    assert [one.summary for one in workspace.summaries] == ["A capital was asked."]


def test_typingmind_keeps_calls_and_their_results() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "capital", "arguments": "{}"}}
    between = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "name": "capital", "content": "Paris"},
    ]
    first, last = TYPED["messages"]
    messages = load("typingmind", {**TYPED, "messages": [first, *between, last]}).conversations[0].messages
    (asked,) = messages[1].tool_calls
    (told,) = (part for part in messages[2].parts if isinstance(part, Result))
    assert (asked.id, told.id, told.content) == ("c", "c", "Paris")


def test_big_agi_keeps_documents_pictures_and_tools() -> None:
    parts: list[Any] = [
        {"pt": "text", "text": ASKED},
        {"pt": "doc", "vdt": "text/plain", "data": {"idt": "text", "text": "France"}, "ref": "a.txt", "l1Title": "a"},
        {"pt": "image_ref", "dataRef": {"reftype": "dblob", "dblobAssetId": "p", "mimeType": "image/png"}, "width": 8},
    ]
    tools: list[Any] = [
        {"pt": "tool_invocation", "id": "t", "invocation": {"type": "function_call", "name": "capital", "args": "{}"}},
        {"pt": "tool_response", "id": "t", "response": {"type": "function_call", "name": "capital", "result": "P"}},
        {"pt": "ph", "pText": "..."},
        {"pt": "text", "text": ANSWERED},
    ]
    messages: list[dict[str, Any]] = [
        {"id": str(n), "role": role, "fragments": [{"ft": "content", "part": part} for part in held]}
        for n, (role, held) in enumerate((("user", parts), ("assistant", tools)))
    ]
    messages[1]["generator"] = {"name": "m", "metrics": {"TIn": 3, "TCacheRead": 2, "TOut": 4, "TOutR": 1}}
    workspace = load("big_agi", {**BIG, "messages": messages})
    recorded = workspace.conversations[0].messages[-1].metadata
    told = {key: recorded[f"recorded_{key}"] for key in ("prompt_tokens", "cached_tokens", "tokens", "thought_tokens")}
    assert told == {"prompt_tokens": 5, "cached_tokens": 2, "tokens": 4, "thought_tokens": 1}
    found = workspace.conversations[0].messages
    assert [type(part).__name__ for part in found[0].whole] == ["Text", "DocumentPart", "Image"]
    assert [one.role for one in found] == ["user", "assistant", "tool", "assistant"]
    assert workspace.problems == ()


def test_chatbot_ui_keeps_its_prompt_and_rows_go_to_their_chats_in_order() -> None:
    workspace = load("chatbot_ui", CHATBOT_UI)
    assert [one.system_prompt for one in workspace.characters] == [BRIEF]
    assert (workspace.conversations[0].model, workspace.conversations[0].context_window) == ("gpt-4", 8000)
    other = {"id": "9", "chat_id": "d", "sequence_number": 0, "role": "user", "content": "Hi"}
    assert [len(chat.messages) for chat in load("chatbot_ui_messages", [*ROWS, other]).conversations] == [2, 1]


_UNSEEN = {
    "deepseek_export.json": EXPECTED,
    "nextchat_export.json": EXPECTED,
    "typingmind_export.json": EXPECTED,
    "chatbotui_v4.json": EXPECTED,
    "lechat_export.json": EXPECTED,
    "claude_ai_wrapped.json": EXPECTED,
    "openai_thread_messages.json": EXPECTED,
    "copilot_activity.csv": EXPECTED,
    "hh_rlhf.jsonl": EXPECTED,
    "grok_no_parent_ids.json": [*EXPECTED, ("user", "And of Italy?"), ("assistant", "Rome.")],
}


@pytest.mark.parametrize("name", _UNSEEN)
def test_small_files_made_elsewhere(name: str, data_folder: Path) -> None:
    file = data_folder.parent / "trials" / "unseen" / name
    if not file.is_file():
        pytest.skip("the small files are not here")
    workspace = load_workspace([file])
    assert said(workspace) == _UNSEEN[name]
    assert [one for one in workspace.problems if one.severity != "info"] == []


def test_the_messages_of_open_webui_keep_the_calls_of_their_output(data_folder: Path) -> None:
    file = data_folder.parent / "trials" / "unseen" / "open_webui_output_items.json"
    if not file.is_file():
        pytest.skip("the small files are not here")
    messages: Sequence[Message] = load_workspace([file]).conversations[0].messages
    (call,) = messages[1].tool_calls
    assert (call.id, call.name, json.loads(call.arguments)) == ("c1", "get_weather", {"city": "Rome"})
    assert [(one.role, one.content) for one in messages[2:]] == [("tool", "Sunny"), ("assistant", "It is sunny.")]
