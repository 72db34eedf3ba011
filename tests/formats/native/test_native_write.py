"""Writing workspaces: what is written reads back as the same, and sources are never written to."""

from datetime import UTC, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.formats import load_workspace
from inspector.formats.native.workspace import workspace_from
from inspector.formats.native.write import save_workspace, workspace_value
from inspector.model import (
    Attachment,
    Call,
    Character,
    Component,
    Conversation,
    Document,
    DocumentPart,
    Image,
    Lorebook,
    LoreEntry,
    Memory,
    MemorySet,
    Message,
    MessageTree,
    Passage,
    PastSummary,
    Place,
    Profile,
    Result,
    SkippedFile,
    Sound,
    Source,
    Text,
    Thought,
    Tool,
    Unknown,
    Video,
    Workspace,
    changed,
    with_parts,
)
from inspector.reading.decode import settled
from inspector.reading.yaml import dump, parse
from inspector.sources import SourceProtectedError
from tests.examples import examples

_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)
_TEXTS = st.lists(_TEXT, max_size=2).map(tuple)
_SHARE = st.none() | st.floats(0, 1)
_TOKENS = st.none() | st.integers(0, 1_000)
_TIME = st.none() | st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=2))]))
_MAPPING = st.dictionaries(_TEXT, _TEXT | st.integers(-9, 9) | st.booleans() | st.lists(st.integers(0, 3)), max_size=2)


def _list(item: st.SearchStrategy[Any], unique: bool = True) -> st.SearchStrategy[tuple[Any, ...]]:
    key = (lambda thing: thing.id) if unique else None
    return st.lists(item, max_size=2, unique_by=key).map(tuple)


_MESSAGE = st.builds(
    Message, id=_TEXT, role=st.sampled_from(["system", "user", "assistant", "tool"]), content=_TEXT, name=_TEXT,
    time=_TIME, tokens=_TOKENS, summary=st.none() | _TEXT, emotional_weight=_SHARE,
    metadata=_MAPPING,
)  # fmt: skip
_NUMBER = st.none() | st.integers(0, 9_999)
_PLACE = st.none() | st.builds(Place, file=_TEXT, path=_TEXT)
_OF_MEDIA = {"media_type": _TEXT, "bytes": _NUMBER, "name": _TEXT, "address": _TEXT, "place": _PLACE}
_SECONDS = st.none() | st.floats(0, 99)
_HELD = st.one_of(
    st.builds(Image, width=_NUMBER, height=_NUMBER, detail=_TEXT, **_OF_MEDIA),
    st.builds(DocumentPart, pages=_NUMBER, text=_TEXT, **_OF_MEDIA),
    st.builds(Sound, seconds=_SECONDS, **_OF_MEDIA),
    st.builds(Video, seconds=_SECONDS, **_OF_MEDIA),
    st.builds(Unknown, kind=_TEXT, bytes=_NUMBER, place=_PLACE),
)
_PART = st.one_of(
    st.builds(Text, text=_TEXT),
    st.builds(Thought, text=_TEXT, encrypted=st.booleans(), tokens=_TOKENS, bytes=_NUMBER, place=_PLACE),
    st.builds(Call, id=_TEXT, name=_TEXT, arguments=_TEXT),
    st.builds(Result, id=_TEXT, name=_TEXT, content=_TEXT, parts=st.lists(_HELD, max_size=2).map(tuple)),
    _HELD,
)
_MESSAGES = _MESSAGE | st.builds(with_parts, _MESSAGE, st.lists(_PART, min_size=1, max_size=4))
_MEMORY = st.builds(
    Memory, id=_TEXT, content=_TEXT, type=_TEXT, priority=st.none() | st.floats(0, 100), similarity=_SHARE,
    confidence=_SHARE, category=_TEXT, time=_TIME, tokens=_TOKENS, status=_TEXT, durability=_TEXT, source=_TEXT,
    thread_id=_TEXT, source_messages=_TEXTS, agent=_TEXT, tags=_TEXTS,
)  # fmt: skip
_COMPONENT = st.builds(
    Component, id=_TEXT, type=_TEXT, content=_TEXT, priority=st.floats(-9, 9), tokens=_TOKENS,
    condition=st.sampled_from([True, False, "error"]),
)  # fmt: skip
_PROFILE = st.builds(Profile, name=_TEXT, preferences=_TEXTS, goals=_TEXTS, facts=_TEXTS)
_ENTRY = st.builds(
    LoreEntry, id=_TEXT, content=_TEXT, title=_TEXT, keys=_TEXTS, secondary_keys=_TEXTS, order=st.floats(-9, 9),
    position=_TEXT, score=st.none() | st.floats(0, 1), tokens=_TOKENS, activation=_MAPPING,
)  # fmt: skip


@st.composite
def _conversation(draw: st.DrawFn) -> Conversation:
    messages = draw(_list(_MESSAGES))
    others = draw(_list(_MESSAGES))
    taken = {message.id for message in messages}
    nodes = (*messages, *(other for other in others if other.id not in taken))
    tree = MessageTree(nodes, tuple(draw(_TEXT) for _ in nodes), draw(_TEXT)) if draw(st.booleans()) else None
    return Conversation(
        draw(_TEXT), messages, title=draw(_TEXT), tree=tree, model=draw(_TEXT), context_window=draw(_TOKENS),
        parameters=draw(_MAPPING), origin=draw(_TEXT),
    )  # fmt: skip


_WORKSPACE = st.builds(
    Workspace,
    conversations=_list(_conversation()),
    memory_sets=_list(st.builds(MemorySet, id=_TEXT, memories=_list(_MEMORY), title=_TEXT, origin=_TEXT)),
    characters=_list(
        st.builds(Character, id=_TEXT, name=_TEXT, system_prompt=_TEXT, system_tokens=_TOKENS, directive=_TEXT,
                  components=_list(_COMPONENT), greeting=_TEXT, profile=st.none() | _PROFILE, preferred_llm=_MAPPING,
                  origin=_TEXT)
    ),
    lorebooks=_list(st.builds(Lorebook, id=_TEXT, entries=_list(_ENTRY), title=_TEXT, origin=_TEXT)),
    passages=_list(
        st.builds(Passage, id=_TEXT, content=_TEXT, kind=st.sampled_from(["lorebook", "chat"]), score=_SHARE,
                  time=_TIME, message_id=_TEXT, tokens=_TOKENS, origin=_TEXT)
    ),
    summaries=_list(
        st.builds(PastSummary, id=_TEXT, summary=_TEXT, similarity=_SHARE, topics=_TEXTS, tokens=_TOKENS,
                  conversations=_TEXTS, origin=_TEXT)
    ),
    documents=_list(st.builds(Document, id=_TEXT, content=_TEXT, tokens=_TOKENS, pages=_TEXT, origin=_TEXT)),
    attachments=_list(st.builds(Attachment, path=_TEXT, content=_TEXT, origin=_TEXT), unique=False),
    skipped=_list(st.builds(SkippedFile, path=_TEXT, reason=_TEXT, origin=_TEXT), unique=False),
    tools=_list(st.builds(Tool, schema=_MAPPING, origin=_TEXT), unique=False),
    sources=st.just(()),
    problems=st.just(()),
)  # fmt: skip


@examples(150)
@given(_WORKSPACE)
def test_what_is_written_reads_back_as_the_same(workspace: Workspace) -> None:
    value = workspace_value(workspace)
    assert workspace_from(value, "f") == workspace
    assert workspace_from(settled(parse(dump(value), "f"), Workspace), "f") == workspace


_SMALL = Workspace(
    conversations=(Conversation("c", (Message("a", "user", "Hi\nyou"), Message("b", "assistant", "no"))),)
)


def test_defaults_are_left_out() -> None:
    assert workspace_value(_SMALL) == {
        "format": "prompt-inspector/workspace@1",
        "conversations": [
            {
                "id": "c",
                "messages": [
                    {"id": "a", "role": "user", "content": "Hi\nyou"},
                    {"id": "b", "role": "assistant", "content": "no"},
                ],
            }
        ],
    }


def test_messages_of_the_path_stand_in_the_tree_by_their_id() -> None:
    chat = _SMALL.conversations[0]
    tree = MessageTree((*chat.messages, Message("x", "assistant", "ho")), ("", "a", "a"), "b")
    value = workspace_value(Workspace(conversations=(changed(chat, tree=tree),)))
    nodes = value["conversations"][0]["tree"]["messages"]
    assert nodes == ["a", "b", {"id": "x", "role": "assistant", "content": "ho"}]


@pytest.mark.parametrize("name", ["w.workspace.json", "w.workspace.yaml"])
def test_saved_files_open_again(tmp_path: Path, name: str) -> None:
    save_workspace(_SMALL, tmp_path / name)
    opened = load_workspace([tmp_path / name])
    assert opened.problems == ()
    assert opened.conversations[0].messages == _SMALL.conversations[0].messages
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_sources_are_never_written_to(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    save_workspace(_SMALL, path)
    before = path.read_bytes()
    with pytest.raises(SourceProtectedError):
        save_workspace(load_workspace([path]), tmp_path / "." / "w.json")
    member = Workspace(sources=(Source(f"{path}/conversations.json", "openai"),))
    with pytest.raises(SourceProtectedError):
        save_workspace(member, path)
    assert path.read_bytes() == before
    save_workspace(load_workspace([path]), tmp_path / "other.json")


@pytest.mark.parametrize("name", ["w.json", "w.yaml"])
def test_a_value_that_is_nested_too_deep_is_not_written(tmp_path: Path, name: str) -> None:
    deep: Any = "x"
    for _ in range(700):
        deep = {"a": deep}
    message = Message("m", "user", "hello", metadata={"deep": deep})
    workspace = Workspace(conversations=(Conversation("c", (message,)),))
    with pytest.raises(ValueError, match="nested too deep"):
        save_workspace(workspace, tmp_path / name)
    assert list(tmp_path.iterdir()) == []
