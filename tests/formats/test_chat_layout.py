"""A declared layout reads what its paths name, says what it misses, and is sure only by turns that it read."""

import json
from typing import Any

import pytest

from inspector.formats.chat_layout import ChatLayout
from inspector.formats.turn_layout import TurnLayout
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

CHATS = ChatLayout(
    name="teatalk",
    title="Teatalk",
    sign="`talks` with `lines`",
    expected="a talk with lines",
    chats=("talks", "data.talks"),
    marks=("room",),
    turns=("lines", "tree"),
    before=("opening",),
    turn=TurnLayout(
        role=("who", "speaker.kind"),
        roles={"me": "user", "it": "assistant", "rule": "system"},
        text=("said", "pieces"),
        id=("key",),
        parent=("after",),
        time=("at",),
        model=("model",),
        thoughts=("mused",),
        calls=("calls",),
        pictures=("pictures",),
        files=("files",),
        usage=("usage",),
    ),
    id=("room",),
    title_at=("subject",),
    system=("rules",),
    leaf=("shown",),
)
LINES = ChatLayout(
    name="agentlog",
    title="Agent log",
    sign="lines of `type` and `message`",
    expected="lines of a session",
    group=("session",),
    title_at=("summary_title",),
    model=("model",),
    turn=TurnLayout(
        role=("message.role",),
        text=("message.content",),
        marks=("type",),
        id=("id",),
        parent=("parent",),
        time=("timestamp",),
        model=("message.model",),
        kind=("type",),
        silent=frozenset(("session", "model_change")),
    ),
)
ASKED = {"who": "me", "said": "Hi", "at": "2026-01-02T03:04:05Z"}
ANSWERED = {"who": "It", "said": [{"type": "text", "text": "Ho"}], "model": "leaf-1", "mused": "Hm."}
TALK = {"room": "r1", "subject": "Tea", "rules": "Be brief.", "lines": [ASKED, ANSWERED]}


def source(*values: Any) -> FileSource:
    return FileSource("x.json", b"\n".join(json.dumps(value).encode() for value in values))


def load(*values: Any, layout: ChatLayout = CHATS) -> Workspace:
    assert layout.sniff(source(*values)) == 0.95
    return layout.load(source(*values))


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(message.role, message.content) for chat in workspace.conversations for message in chat.messages]


@pytest.mark.parametrize(
    "value",
    [
        TALK,
        [TALK],
        {"talks": [TALK]},
        {"talks": {"r1": TALK}},
        {"data": json.dumps({"talks": [TALK]})},
        {**TALK, "lines": {"a": ASKED, "b": ANSWERED}},
        {**TALK, "lines": [ANSWERED], "opening": [ASKED]},
        {**TALK, "lines": None, "tree": [ASKED, ANSWERED]},
        {**TALK, "lines": [{"speaker": {"kind": "ME"}, "said": "", "pieces": ["Hi"]}, ANSWERED]},
    ],
)
def test_a_chat_is_read_wherever_its_versions_keep_it(value: Any) -> None:
    workspace = load(value)
    assert said(workspace) == [("user", "Hi"), ("assistant", "Ho")]
    (chat,) = workspace.conversations
    assert (chat.id, chat.title, chat.model) == ("r1", "Tea", "leaf-1")
    assert chat.messages[1].reasoning == "Hm."
    assert [one.system_prompt for one in workspace.characters] == ["Be brief."]
    assert workspace.problems == ()


def test_branches_files_calls_pictures_and_usage() -> None:
    first = {**ASKED, "key": "a", "files": ["a.txt"], "pictures": ["p.png"]}
    calls = [{"id": "c", "function": {"name": "brew", "arguments": "{}"}}]
    again = {"who": "it", "key": "c", "after": "a", "calls": calls, "usage": {"input_tokens": 3, "output_tokens": 2}}
    talk = {**TALK, "lines": [first, {**ANSWERED, "key": "b", "after": "a"}, again], "shown": "c"}
    workspace = load(talk)
    (chat,) = workspace.conversations
    question, answer = chat.messages
    assert (question.images, question.metadata) == (1, {"files": ["a.txt"]})
    assert [call.name for call in answer.tool_calls] == ["brew"]
    assert answer.metadata
    assert chat.tree is not None
    assert [one.id for one in chat.tree.messages] == ["a", "b", "c"]
    assert workspace.problems[0].severity == "info"


@pytest.mark.parametrize(
    ("turn", "place", "words"),
    [
        ({"who": "ghost", "said": "Boo"}, "$.lines[1].who", "found ghost"),
        ({"said": "Boo"}, "$.lines[1].who", "found nothing"),
        (7, "$.lines[1].who", "found nothing"),
        ({"who": "me"}, "$.lines[1].said", "no text"),
        ({"who": "me", "said": {"a": 1}}, "$.lines[1].said", "no text"),
        ({"who": "me", "said": [{"type": "odd"}]}, "$.lines[1].said[0]", "unknown type odd"),
    ],
)
def test_one_bad_turn_costs_one_turn_and_is_said(turn: Any, place: str, words: str) -> None:
    workspace = load({**TALK, "lines": [ASKED, turn, ANSWERED]})
    assert [pair for pair in said(workspace) if pair[1]] == [("user", "Hi"), ("assistant", "Ho")]
    (problem,) = workspace.problems
    assert problem.place == place
    assert words in problem.message


@pytest.mark.parametrize(
    "value",
    [
        [],
        5,
        {},
        {"talks": []},
        {"room": "r1"},
        {"room": "r1", "lines": "text"},
        {"room": "r1", "lines": [{"who": "ghost", "said": "x"}]},
        {"lines": [ASKED]},
    ],
)
def test_the_keys_alone_make_nothing_sure(value: Any) -> None:
    assert CHATS.sniff(source(value)) == 0


def test_an_empty_chat_is_possible_and_other_values_are_left_out() -> None:
    assert CHATS.sniff(source({"room": "r1", "lines": []})) == 0.6
    workspace = load([TALK, {"room": "r2"}])
    assert [(one.place, one.severity) for one in workspace.problems] == [("$[1]", "error")]
    with pytest.raises(UnreadableError, match="expected a talk with lines, found none"):
        CHATS.load(source([{"room": "r2"}]))


def line(id_: str, parent: str, role: str = "", text: Any = "", kind: str = "message", **more: Any) -> dict[str, Any]:
    message = {"message": {"role": role, "content": text}} if role else {}
    return {"type": kind, "id": id_, "parent": parent, **message, **more}


def test_lines_of_a_session_are_one_chat() -> None:
    called = {"type": "tool_use", "id": "t", "name": "brew", "input": {}}
    workspace = load(
        {"type": "session", "id": "s", "model": "leaf-1", "summary_title": "Tea"},
        line("a", "s", "user", "Hi"),
        line("b", "a", "assistant", [called]),
        line("c", "b", "user", [{"type": "tool_result", "tool_use_id": "t", "content": "hot"}]),
        line("d", "c", "assistant", "Ho"),
        layout=LINES,
    )
    assert said(workspace) == [("user", "Hi"), ("assistant", ""), ("tool", "hot"), ("assistant", "Ho")]
    (chat,) = workspace.conversations
    assert (chat.title, chat.model) == ("Tea", "leaf-1")
    assert workspace.problems == ()


def test_sessions_of_a_file_are_grouped() -> None:
    lines = [line("a", "", "user", "Hi", session="1"), line("b", "", "user", "Ho", session="2")]
    assert [chat.id for chat in load(*lines, layout=LINES).conversations] == ["1", "2"]


def test_the_newest_may_come_first_and_speakers_may_take_turns() -> None:
    turns = TurnLayout(text=("said",), speakers=("user", "assistant"))
    layout = ChatLayout("x", "X", "x", "lines", turns, turns=("lines",), is_newest_first=True)
    workspace = load({"lines": [{"said": "Ho"}, {"said": "Hi"}]}, layout=layout)
    assert [message.content for message in workspace.conversations[0].messages] == ["Hi", "Ho"]
