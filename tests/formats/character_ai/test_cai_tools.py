"""Character.AI's chats as CAI Tools saves them, written here as the extension writes them: no real file is here."""

import json
from typing import Any

import pytest

from inspector.formats.character_ai import cai_tools
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError


def message(is_human: Any, text: Any, **more: Any) -> dict[str, Any]:
    speaker = {"is_human": is_human, "name": "Ana" if is_human else "Mara"}
    return {"id": 1, "created": "2026-01-02T03:04:05Z", "text": text, "src": speaker, **more}


MESSAGES = [
    message(False, "Hello."),
    message(True, "Hi"),
    message(False, "Ho"),
    message(False, "Hey", is_alternative=True),
    message(True, "And?"),
]
CHARACTER = {"name": "Mara", "description": "Keeps a harbour.", "definition": "", "greeting": "Hello."}
EXPORT: dict[str, Any] = {
    "info": {"character": CHARACTER},
    "histories": {"histories": [{"external_id": "h", "created": "", "msgs": MESSAGES}]},
}


def load(value: Any) -> Workspace:
    source = FileSource("cai.json", json.dumps(value).encode())
    assert cai_tools.sniff(source) == 0.95
    return cai_tools.load(source)


def histories(*found: Any) -> dict[str, Any]:
    return {**EXPORT, "histories": {"histories": list(found)}}


def test_a_history_with_an_alternative() -> None:
    (talk,) = load(EXPORT).conversations
    assert [(one.role, one.content, one.name) for one in talk.messages] == [
        ("assistant", "Hello.", "Mara"),
        ("user", "Hi", "Ana"),
        ("assistant", "Ho", "Mara"),
        ("user", "And?", "Ana"),
    ]
    assert talk.id == "h"
    assert talk.tree is not None
    assert dict(zip((one.content for one in talk.tree.messages), talk.tree.parents, strict=True))["Hey"] == "m1"


def test_the_character() -> None:
    (character,) = load(EXPORT).characters
    assert (character.name, character.greeting) == ("Mara", "Hello.")
    assert [(one.type, one.content) for one in character.components] == [("description", "Keeps a harbour.")]
    assert load({**EXPORT, "info": {}}).characters == ()


def test_one_bad_message_or_history_keeps_the_others() -> None:
    bad = [message(None, "x"), message(True, 5), 5, message(True, "Hi")]
    workspace = load(histories({"msgs": bad}, "no history", {"msgs": MESSAGES}))
    assert [len(one.messages) for one in workspace.conversations] == [1, 4]
    assert [one.place.removeprefix("$.histories.") for one in workspace.problems if one.severity == "error"] == [
        "histories[0].msgs[0]",
        "histories[0].msgs[1]",
        "histories[0].msgs[2]",
        "histories[1]",
    ]


@pytest.mark.parametrize("value", [{}, [], {"histories": []}, {"histories": {"histories": [5]}}])
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert cai_tools.sniff(source) == 0
    with pytest.raises(UnreadableError):
        cai_tools.load(source)
