"""RisuAI's chats, lorebooks and modules: what was disabled, summarized, sent word by word, and what is kept aside.

Of modules and of all chats together there is no real file here; those are written as the application writes them.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.lore.foreign import KEPT
from inspector.formats.risu import files as risu
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError


def message(id_: str, role: str, data: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "data": data, "chatId": id_, "time": 1_700_000_000_000, **more}


PROMPT = [{"role": "system", "content": "You are Mara."}, {"role": "user", "content": "Now?"}]
MADE = {"model": "m", "inputTokens": 90, "outputTokens": 4, "maxContext": 4096}
ENTRY: dict[str, Any] = {
    "key": "sea, harbour",
    "secondkey": "near",
    "insertorder": 7,
    "comment": "Sea",
    "content": "@@depth 4\nThe sea is near.",
    "mode": "child",
    "alwaysActive": False,
    "selective": True,
    "activationPercent": 50,
    "folder": "f1",
}
FOLDER = {**ENTRY, "mode": "folder", "content": ""}
CHAT: dict[str, Any] = {
    "name": "Talk",
    "note": "Be brief.",
    "localLore": [ENTRY],
    "supaMemoryData": "They met.",
    "hypaV3Data": {"summaries": [{"text": "Of tea.", "chatMemos": ["b"], "isImportant": False}]},
    "fmIndex": -1,
    "message": [
        message("a", "user", "Hi", disabled="allBefore"),
        message("b", "char", "Ho", saying="x"),
        message("c", "user", "Aside", isComment=True),
        message("d", "char", "Never", disabled=True),
        message("e", "user", "Now?"),
        message("f", "char", "Now.", generationInfo=MADE, promptInfo={"promptText": PROMPT}),
    ],
}
SINGLE: dict[str, Any] = {"type": "risuChat", "ver": 2, "data": CHAT}
ALL: dict[str, Any] = {"type": "risuAllChats", "ver": 2, "data": [CHAT, {**CHAT, "name": "Other"}], "folders": []}
LORE: dict[str, Any] = {"type": "risu", "ver": 1, "data": [ENTRY, FOLDER]}
MODULE: dict[str, Any] = {
    "type": "risuModule",
    "module": {"name": "Sea", "description": "", "lorebook": [ENTRY], "regex": [{"in": "a", "out": "b"}]},
}


def load(value: Any) -> Workspace:
    source = FileSource("x/risu.json", json.dumps(value).encode())
    assert risu.sniff(source) == 0.97
    return risu.load(source)


def test_a_chat_says_what_was_sent() -> None:
    (talk,) = load(SINGLE).conversations
    assert [(one.id, one.role, one.excluded, one.metadata.get("recorded")) for one in talk.messages] == [
        ("a", "user", True, {"action": "dropped", "reason": "disabled with all before"}),
        ("b", "assistant", False, {"action": "summarized", "by": "chat0-hypaV3-0"}),
        ("c", "user", True, {"action": "dropped", "reason": "a comment"}),
        ("d", "assistant", True, {"action": "dropped", "reason": "disabled"}),
        ("e", "user", False, {"action": "kept"}),
        ("f", "assistant", False, None),
    ]
    assert talk.messages[-1].metadata == {"model": "m", "recorded_tokens": 4, "recorded_prompt_tokens": 90}
    assert (talk.title, talk.model, talk.context_window) == ("Talk", "m", 4096)


def test_all_before_takes_every_earlier_message_with_it() -> None:
    messages = [message(str(number), "user", "x") for number in range(3)]
    messages[1]["disabled"] = "allBefore"
    (talk,) = load({**SINGLE, "data": {"message": messages}}).conversations
    assert [one.excluded for one in talk.messages] == [True, True, False]


def test_what_stands_beside_the_messages() -> None:
    workspace = load(SINGLE)
    assert [(one.id, one.summary) for one in workspace.summaries] == [
        ("chat0-supaMemory", "They met."),
        ("chat0-hypaV3-0", "Of tea."),
    ]
    assert [one.content for one in workspace.characters[0].components] == ["Be brief."]
    assert [len(book.entries) for book in workspace.lorebooks] == [1]


def test_of_many_chats_each_has_its_own_notes_lore_and_summaries() -> None:
    workspace = load(ALL)
    assert [talk.title for talk in workspace.conversations] == ["Talk", "Other"]
    first, second = ((talk.id,) for talk in workspace.conversations)
    assert [one.conversations for one in workspace.characters] == [first, second]
    assert [one.conversations for one in workspace.lorebooks] == [first, second]
    assert [one.conversations for one in workspace.summaries] == [first, first, second, second]
    assert [one.source_messages for one in workspace.summaries] == [(), ("b",), (), ("b",)]


@pytest.mark.parametrize(("value", "place"), [(LORE, ""), (MODULE, "")])
def test_lorebooks_say_what_our_model_can_say(value: Any, place: str) -> None:
    workspace = load(value)
    (entry,) = workspace.lorebooks[0].entries
    assert (entry.title, entry.content, entry.order, entry.position) == ("Sea", "The sea is near.", 7, "at_depth")
    assert (entry.keys, entry.secondary_keys) == (("sea", "harbour"), ("near",))
    assert (entry.activation["probability"], entry.activation["depth"]) == (50, 4)
    assert entry.activation[KEPT] == {"mode": "child", "folder": "f1"}
    assert workspace.problems[-1].place == place
    assert "mode, folder" in workspace.problems[-1].message


def test_a_module_names_what_is_not_read() -> None:
    assert "regex" in load(MODULE).problems[0].message


def test_one_bad_message_or_entry_keeps_the_others() -> None:
    broken = [message("a", "user", "Hi"), message("b", "ghost", "Boo"), message("c", "char", None), 5]
    workspace = load({**SINGLE, "data": {"message": broken, "localLore": [{**ENTRY, "content": 5}, ENTRY]}})
    assert [one.id for one in workspace.conversations[0].messages] == ["a"]
    assert [len(book.entries) for book in workspace.lorebooks] == [1]
    assert [problem.place for problem in workspace.problems if problem.severity != "info"] == [
        "$.data.message[1]",
        "$.data.message[2]",
        "$.data.message[3]",
        "$.data.localLore[0]",
    ]


@pytest.mark.parametrize(
    "value", [{}, [], {"type": "risu"}, {"type": ["risu"], "data": []}, {"type": "risuX", "data": 1}]
)
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert risu.sniff(source) == 0
    with pytest.raises(UnreadableError):
        risu.load(source)


def test_real_files(data_folder: Path) -> None:
    chat = load_workspace([data_folder / "risuai/derived/chat.json"])
    messages = chat.conversations[0].messages
    assert len(messages) == 80
    reasons = Counter(one.metadata.get("recorded", {}).get("reason") for one in messages)
    assert (reasons["disabled"], reasons["disabled with all before"], reasons["a comment"]) == (1, 12, 1)
    prompt = json.loads((data_folder / "risuai/derived/chat.json").read_bytes())["data"]["message"][-1]["promptInfo"]
    kept = [one.content for one in messages if one.metadata.get("recorded") == {"action": "kept"}]
    assert kept == [part["content"] for part in prompt["promptText"] if part["role"] != "system"]
    assert len(chat.summaries) == 2
    lore = load_workspace([data_folder / "risuai/derived/lorebook.json"])
    assert [entry.title for entry in lore.lorebooks[0].entries] == ["Sword"]
    card = load_workspace([data_folder / "risuai/rika.png"])
    assert [one.name for one in card.characters] == ["Rika"]
