"""Files in which one value was replaced by any other: a workspace or a refusal with a reason, never another error."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.formats.cards import card
from inspector.formats.chorus import character as chorus
from inspector.formats.datasets import locomo
from inspector.formats.format import Format
from inspector.formats.lore import world_info
from inspector.formats.sillytavern import chats as sillytavern
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

CHAT: list[Any] = [
    {
        "user_name": "Bo",
        "character_name": "Ines",
        "chat_metadata": {"note_prompt": "n", "note_interval": 2, "scenario": "s"},
    },
    {
        "name": "Ines",
        "is_user": False,
        "is_system": True,
        "send_date": 5,
        "mes": "a",
        "extra": {
            "type": "narrator",
            "memory": "m",
            "tool_invocations": [{"id": "t", "name": "n", "parameters": "{}", "result": "r"}],
            "files": [{"name": "f", "text": "t"}],
            "media": [{"type": "image"}],
        },
        "swipe_id": 0,
        "swipes": ["a", {"message": "b"}],
        "swipe_info": [{}, {"send_date": 5, "extra": {"reasoning": "r"}}],
    },
]
GROUP = {"id": "1", "name": "g", "members": ["a.png"], "chat_id": "c", "chats": ["c"], "activation_strategy": 0}
SETTINGS = {
    "user_avatar": "a",
    "power_user": {"personas": {"a": "A"}, "default_persona": "a", "persona_descriptions": {"a": {"description": "d"}}},
}
ENTRY = {
    "uid": 1,
    "key": ["k"],
    "content": "@@depth 2\nc",
    "order": 1,
    "position": 4,
    "role": 1,
    "extensions": {"depth": 2},
}
CARD = {
    "spec": "chara_card_v2",
    "data": {
        "name": "n",
        "description": "d",
        "first_mes": "f",
        "alternate_greetings": ["a"],
        "extensions": {"depth_prompt": {"prompt": "p"}, "world": "w"},
        "character_book": {"name": "b", "entries": [ENTRY]},
    },
}
CHORUS = {
    "name": "n",
    "system_prompt": "s",
    "immersion_level": "full",
    "custom_system_prompt": False,
    "core_memories": [{"content": "c", "tags": ["t"], "embedding_priority": "low"}],
    "preferred_llm": {"model": "m", "context_window": 5, "budget_ratios": {"a": 0.5}},
}
LOCOMO = {
    "sample_id": "s",
    "conversation": {
        "speaker_a": "A",
        "speaker_b": "B",
        "session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "t", "img_url": ["u"], "blip_caption": "c"}],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
    },
    "observation": {"session_1_observation": {"A": [["o", ["D1:1"]]]}},
    "session_summary": {"session_1_summary": "s"},
}
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(alphabet="a1,/@é\x00 ", max_size=6),
    st.just([]),
    st.just({}),
    st.just([[], {}, None, "x", 1]),
    st.just({"a": [1], "message": {}, "entries": [None], "data": {"entries": 1}}),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside of a document."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in inside:
        yield from places(child, (*path, key))


def replaced(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(document)
    parent = changed
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return changed


def as_lines(value: Any) -> bytes:
    return b"\n".join(as_document(line) for line in (value if isinstance(value, list) else [value]))


def as_document(value: Any) -> bytes:
    return json.dumps(value).encode()


def lists_of_ids(workspace: Workspace) -> Iterator[list[str]]:
    """The ids of every list whose ids must be unique."""
    for things in (workspace.conversations, workspace.characters, workspace.memory_sets, workspace.lorebooks):
        yield [thing.id for thing in things]
    yield from ([message.id for message in talk.messages] for talk in workspace.conversations)
    yield from ([node.id for node in talk.tree.messages] for talk in workspace.conversations if talk.tree)
    yield from ([entry.id for entry in book.entries] for book in workspace.lorebooks)
    yield [memory.id for memory_set in workspace.memory_sets for memory in memory_set.memories]
    yield [summary.id for summary in workspace.summaries]


def load_or_refuse(kind: Format, data: bytes) -> Workspace | str:
    source = FileSource("x", data)
    try:
        kind.sniff(source)
        return kind.load(source)
    except UnreadableError as error:
        return error.problem.message


@pytest.mark.parametrize(
    ("kind", "document", "write"),
    [
        pytest.param(sillytavern.FORMAT, CHAT, as_lines, id="chat"),
        pytest.param(sillytavern.FORMAT, GROUP, as_document, id="group"),
        pytest.param(sillytavern.FORMAT, SETTINGS, as_document, id="settings"),
        pytest.param(world_info.FORMAT, {"entries": {"1": ENTRY}}, as_document, id="world info"),
        pytest.param(card.FORMAT, CARD, as_document, id="card"),
        pytest.param(chorus.FORMAT, CHORUS, as_document, id="chorus"),
        pytest.param(locomo.FORMAT, [LOCOMO], as_document, id="locomo"),
    ],
)
@given(data=st.data())
def test_any_value_anywhere_is_survived(
    kind: Format, document: Any, write: Callable[[Any], bytes], data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(list(places(document))))
    changed = replaced(document, path, data.draw(ODD))
    found = load_or_refuse(kind, write(changed))
    assert found
    if isinstance(found, Workspace):
        for ids in lists_of_ids(found):
            assert len(set(ids)) == len(ids)
            assert all(ids)


@pytest.mark.parametrize("kind", [sillytavern.FORMAT, world_info.FORMAT, card.FORMAT, chorus.FORMAT, locomo.FORMAT])
@given(data=st.binary(max_size=60))
def test_any_bytes_are_survived(kind: Format, data: bytes) -> None:
    assert load_or_refuse(kind, data)
