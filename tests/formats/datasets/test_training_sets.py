"""Sets for training: instructions, chosen and rejected answers, server logs, and trees of Open Assistant."""

import json
from typing import Any

import pytest

from inspector.formats.datasets import alpaca, fastchat, oasst, preferences
from inspector.formats.format import Format
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Conversation, Workspace
from inspector.reading.source import FileSource, UnreadableError

INSTRUCTIONS: list[dict[str, Any]] = [
    {"instruction": "Translate.", "input": "Hi", "output": "Salut", "system": "Be kind.", "history": [["a", "b"]]},
    {"instruction": "Count.", "input": "", "output": "1"},
]
QUESTION = {"role": "user", "content": "Hi"}
GOOD, BAD = ({"role": "assistant", "content": text} for text in ("Ho", "No"))
PAIRS: list[dict[str, Any]] = [
    {"prompt": "Hi", "chosen": "Ho", "rejected": "No"},
    {"prompt": "Hi", "chosen": [QUESTION, GOOD], "rejected": [QUESTION, BAD]},
    {"chosen": [QUESTION, GOOD], "rejected": [QUESTION, BAD]},
    {"chosen": "\n\nHuman: Hi\n\nAssistant: Ho", "rejected": "\n\nHuman: Hi\n\nAssistant: No"},
    {"prompt": [QUESTION], "chosen": [GOOD], "rejected": [BAD]},
    {
        "conversations": [{"from": "human", "value": "Hi"}],
        "chosen": {"from": "gpt", "value": "Ho"},
        "rejected": {"from": "gpt", "value": "No"},
    },
]
STATE: dict[str, Any] = {
    "conv_id": "c",
    "roles": ["USER", "ASSISTANT"],
    "system_message": "Be kind.",
    "messages": [["USER", "Hi"], ["ASSISTANT", "Ho"]],
}
LOG: list[dict[str, Any]] = [
    {
        "tstamp": 1.7e9,
        "type": "chat",
        "model": "vicuna",
        "state": {**STATE, "messages": [["USER", "Hi"], ["ASSISTANT", None]]},
    },
    {"tstamp": 1.7e9, "type": "chat", "model": "vicuna", "state": STATE},
]


def reply(id_: str, text: str, *replies: Any, **more: Any) -> dict[str, Any]:
    return {"message_id": id_, "text": text, "role": "assistant", "replies": list(replies), **more}


TREES: list[dict[str, Any]] = [
    {
        "message_tree_id": "t",
        "prompt": {
            "message_id": "t",
            "text": "Hi",
            "role": "prompter",
            "replies": [
                reply("a", "Second", rank=1),
                reply("b", "Best", rank=0),
                reply("c", "No", deleted=True, rank=-1),
            ],
        },
    }
]
ROWS: list[dict[str, Any]] = [
    {"message_id": "b", "parent_id": "a", "text": "Ho", "role": "assistant", "created_date": "2023-02-05T12:00:00Z"},
    {"message_id": "a", "parent_id": None, "text": "Hi", "role": "prompter"},
    {"message_id": "x", "parent_id": None, "text": "Alone", "role": "prompter"},
]


def load(kind: Format, *rows: Any, lines: bool = False) -> Workspace:
    text = "\n".join(map(json.dumps, rows)) if lines else json.dumps(rows)
    source = FileSource("set.json", text.encode())
    assert rank_formats(source, built_in_formats())[0][0] is kind
    return kind.load(source)


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in conversation.messages]


@pytest.mark.parametrize("lines", [False, True])
def test_instructions_are_conversations(lines: bool) -> None:
    workspace = load(alpaca.FORMAT, *INSTRUCTIONS, lines=lines)
    first, second = workspace.conversations
    assert said(first) == [
        ("system", "Be kind."),
        ("user", "a"),
        ("assistant", "b"),
        ("user", "Translate.\nHi"),
        ("assistant", "Salut"),
    ]
    assert said(second) == [("user", "Count."), ("assistant", "1")]
    assert (first.id, second.id) == ("set-1", "set-2")


def test_the_rejected_answer_is_another_branch() -> None:
    for conversation in load(preferences.FORMAT, *PAIRS).conversations:
        assert said(conversation) == [("user", "Hi"), ("assistant", "Ho")]
        assert conversation.tree is not None
        assert [message.content for message in conversation.tree.messages] == ["Hi", "Ho", "No"]
        assert (conversation.tree.parents, conversation.tree.leaf) == (("", "m0", "m0"), "m1")


def test_equal_answers_and_prompts_of_their_own_stay() -> None:
    equal, longer = load(
        preferences.FORMAT,
        {"prompt": "Hi", "chosen": "Ho", "rejected": "Ho"},
        {"prompt": "Other", "chosen": [QUESTION, GOOD], "rejected": [QUESTION, BAD]},
    ).conversations
    assert (said(equal), equal.tree) == ([("user", "Hi"), ("assistant", "Ho")], None)
    assert [text for _, text in said(longer)] == ["Other", "Hi", "Ho"]


def test_of_a_log_the_last_state_of_each_chat_counts() -> None:
    workspace = load(fastchat.FORMAT, *LOG, lines=True)
    (conversation,) = workspace.conversations
    assert (conversation.id, conversation.model) == ("c", "vicuna")
    assert said(conversation) == [("user", "Hi"), ("assistant", "Ho")]
    assert [one.system_prompt for one in workspace.characters] == ["Be kind."]
    assert "1 lines hold earlier states" in workspace.problems[0].message
    arena = {"tstamp": 1, "type": "leftvote", "states": [STATE, {**STATE, "conv_id": "d"}]}
    assert [one.id for one in load(fastchat.FORMAT, arena, lines=True).conversations] == ["c", "d"]
    pictured = {**STATE, "messages": [["USER", ["Look", ["A" * 5_000]]], ["ghost", "Boo"]]}
    seen = load(fastchat.FORMAT, {"tstamp": 1, "state": pictured}, lines=True)
    (message,) = seen.conversations[0].messages
    assert (message.content, message.images) == ("Look", 1)
    assert seen.problems[0].place == "$.state.messages[1]"


def test_a_tree_follows_its_best_replies() -> None:
    (conversation,) = load(oasst.FORMAT, *TREES, lines=True).conversations
    assert said(conversation) == [("user", "Hi"), ("assistant", "Best")]
    assert conversation.tree is not None
    assert [(one.content, one.excluded) for one in conversation.tree.messages] == [
        ("Hi", False),
        ("Second", False),
        ("Best", False),
        ("No", True),
    ]


def test_rows_are_put_together_by_their_parents() -> None:
    one, other = load(oasst.FORMAT, *ROWS, {**ROWS[0], "text": "Doubled"}, "x").conversations
    assert (said(one), said(other)) == ([("user", "Hi"), ("assistant", "Ho")], [("user", "Alone")])
    assert one.messages[1].time is not None


def test_a_circle_of_rows_is_cut() -> None:
    circle = load(oasst.FORMAT, {**ROWS[0], "parent_id": "b"}, {**ROWS[1], "parent_id": "gone"})
    assert len(circle.conversations) == 2
    assert ["cycle" in one.message or "gone" in one.message for one in circle.problems] == [True, True]


_BROKEN: list[tuple[Format, list[Any], list[str]]] = [
    (alpaca.FORMAT, [*INSTRUCTIONS, {"instruction": 5}, {**INSTRUCTIONS[1], "history": [1], "input": {}}],
     ["$[2]", "$[3].history[0]", "$[3].input"]),
    (preferences.FORMAT, [*PAIRS, 5, {"chosen": [{"role": "ghost", "content": "x"}, GOOD], "rejected": ""}],
     ["$[6]", "$[7].chosen[0].role"]),
    (fastchat.FORMAT, [*LOG, {"tstamp": 5}], ["$[2]"]),
    (oasst.FORMAT, [*TREES, {"message_tree_id": "u", "prompt": {"text": "x", "role": "ghost", "replies": [5]}}, 5],
     ["$[1].prompt", "$[1].prompt.replies[0]", "$[2]"]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "rows", "places"), _BROKEN)
def test_what_is_broken_is_a_problem_and_the_rest_opens(kind: Format, rows: list[Any], places: list[str]) -> None:
    workspace = load(kind, *rows)
    assert [one.place for one in workspace.problems if one.severity != "info"] == places
    assert len(workspace.conversations[0].messages) >= 2


@pytest.mark.parametrize("kind", [alpaca.FORMAT, preferences.FORMAT, fastchat.FORMAT, oasst.FORMAT])
@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        [5],
        {"instruction": "x"},
        {"chosen": 1, "rejected": 2},
        {"tstamp": 1, "state": {}},
        {"message_tree_id": 1},
    ],
)
def test_other_json_is_not_claimed(kind: Format, value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert kind.sniff(source) == 0
    with pytest.raises(UnreadableError):
        kind.load(source)
