"""Conversations in the layouts of other programs: what is written reads back, and what has no place is said."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.formats import FileSource, built_in_formats, rank_formats
from inspector.formats.chat_exports import CHAT_ENDINGS, CHAT_EXPORTS, export_chat, kind_of_name, write_chat
from inspector.model import Call, Character, Conversation, Image, Message, MessageTree, Result, Text, Workspace
from inspector.sources import SourceProtectedError, files_of
from tests.test_secrets import KEY

_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40).filter(
    lambda text: text.strip()
)
_NAMES = st.sampled_from(["", "Ann", "Bob"])
_TURN = st.tuples(st.sampled_from(["user", "assistant"]), _TEXT)


def chat_of(*messages: Message, system: str = "") -> Workspace:
    characters = (Character("system", system_prompt=system),) if system else ()
    return Workspace(conversations=(Conversation("c", messages),), characters=characters)


def read_back(workspace: Workspace, kind: str) -> Workspace:
    """What the program makes of a conversation that it exported; its format is found by the content."""
    content = export_chat(workspace, workspace.conversations[0], kind).content
    source = FileSource("chat.json", content)
    return rank_formats(source, built_in_formats())[0][0].load(source)


def turns(workspace: Workspace) -> list[tuple[str, str]]:
    (talk,) = workspace.conversations
    return [(message.role, message.content) for message in talk.messages]


def messages_of(found: list[tuple[str, str]]) -> list[Message]:
    return [Message(f"m{number}", role, content) for number, (role, content) in enumerate(found)]  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", CHAT_EXPORTS)
@given(st.lists(_TURN, min_size=2, max_size=8), st.sampled_from(["", "Be kind."]))
def test_what_was_said_reads_back(kind: str, found: list[tuple[str, str]], system: str) -> None:
    back = read_back(chat_of(*messages_of(found), system=system), kind)
    assert turns(back) == found
    if kind != "sillytavern":
        assert [one.system_prompt for one in back.characters] == ([system] if system else [])


@given(st.lists(st.tuples(_TURN, _NAMES), min_size=2, max_size=6))
def test_names_read_back_where_they_have_a_place(found: list[tuple[tuple[str, str], str]]) -> None:
    messages = [
        Message(f"m{number}", role, content, name=name)  # type: ignore[arg-type]
        for number, ((role, content), name) in enumerate(found)
    ]
    for kind in ("openai", "native"):
        (talk,) = read_back(chat_of(*messages), kind).conversations
        assert [message.name for message in talk.messages] == [name for _, name in found]


@given(st.dictionaries(_TEXT, st.one_of(_TEXT, st.integers(-99, 99), st.booleans()), max_size=3), _TEXT)
def test_calls_of_tools_and_their_results_read_back(arguments: dict[str, object], result: str) -> None:
    call = Call("call_1", "look_up", json.dumps(arguments, ensure_ascii=False))
    messages = (
        Message("m0", "user", "What is it?"),
        Message("m1", "assistant", parts=(Text("I look."), call)),
        Message("m2", "tool", parts=(Result("call_1", content=result),)),
        Message("m3", "assistant", "Tea."),
    )
    for kind in ("openai", "anthropic", "native"):
        workspace = read_back(chat_of(*messages), kind)
        assert turns(workspace) == [(one.role, one.content) for one in messages]
        _, asked, answered, _ = workspace.conversations[0].messages
        assert (asked.tool_calls[0].name, answered.tool_call_id) == ("look_up", "call_1")
        assert json.loads(asked.tool_calls[0].arguments) == arguments


def test_a_native_export_loses_nothing() -> None:
    message = Message("m0", "user", "Hi", summary="S", pinned=True, metadata={"recorded": {"action": "kept"}})
    other = Message("x", "user", "Ho")
    tree = MessageTree((message, other), ("", ""), "m0")
    workspace = Workspace(conversations=(Conversation("c", (message,), title="T", tree=tree),))
    assert read_back(workspace, "native").conversations == workspace.conversations
    assert export_chat(workspace, workspace.conversations[0], "native").lost == ()


def test_what_has_no_place_is_said() -> None:
    parts = (Text("Hi"), Image(), Image(), Call("1", "f", "not JSON"))
    message = Message("m0", "assistant", name="Ann", parts=parts)
    tree = MessageTree((message, Message("x", "user", "Ho")), ("", ""), "m0")
    talk = Conversation("c", (message, Message("m1", "system", "Later.")), tree=tree)
    workspace = Workspace(conversations=(talk,))
    assert "2 pictures (not in the source)" in export_chat(workspace, talk, "openai").lost
    assert "1 call of a tool" in export_chat(workspace, talk, "sharegpt").lost
    assert {"1 name of a speaker", "1 place of a system message"} <= {*export_chat(workspace, talk, "anthropic").lost}


def test_secrets_are_masked_and_sources_stay(tmp_path: Path) -> None:
    workspace = chat_of(Message("m0", "user", f"My key is {KEY}"))
    for kind in CHAT_EXPORTS:
        path = tmp_path / f"chat.{CHAT_ENDINGS[kind]}"
        assert kind_of_name(path.name) == kind
        assert write_chat(workspace, workspace.conversations[0], kind, path) is not None
        assert KEY[10:] not in path.read_text()
        with pytest.raises(SourceProtectedError):
            write_chat(workspace, workspace.conversations[0], kind, path, [path])
    assert files_of(workspace) is not None
