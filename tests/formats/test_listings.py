"""Chats of a large export, whoever wrote it: listed as they are when all of it is read, and read one by one."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inspector
from inspector.formats import joined, load_workspace, one_file, opening, registry
from inspector.formats.chatgpt import export as chatgpt_export
from inspector.formats.chatgpt import listing as chatgpt_listing
from inspector.formats.claude import export as claude_export
from inspector.formats.claude import listing as claude_listing
from inspector.model import Thought, Workspace, changed
from inspector.reading import pieces
from inspector.reading.source import FIRST_ITEMS, FileSource
from tests.examples import examples
from tests.formats.chatgpt import test_chatgpt as chatgpt
from tests.formats.chatgpt import test_chatgpt_listing as chatgpt_chats
from tests.formats.claude import test_claude_export as claude
from tests.formats.claude import test_claude_listing as claude_chats
from tests.formats.listed_files import check_listed_is_read, heads, listed, written

_EXAMPLES = 120
_PIECE_BYTES = 300


def _chatgpt_chat(*texts: str) -> dict[str, Any]:
    nodes = [chatgpt.node(f"n{place}", "root", "user", text) for place, text in enumerate(texts)]
    return chatgpt.chat(*nodes, conversation_id=f"c{len(texts)}{texts[:1]}")


def _claude_chat(*texts: str) -> dict[str, Any]:
    said = [claude.message(f"n{place}", "human", text) for place, text in enumerate(texts)]
    return _written_by_claude(claude.chat(*said, uuid=f"c{len(texts)}{texts[:1]}"))


def _written_by_claude(value: Any) -> Any:
    """A chat with all that the application writes, first; anything else as it is."""
    if not isinstance(value, dict) or "chat_messages" not in value:
        return value
    return {"uuid": "c", "name": "T", "created_at": "2025-06-27T10:46:02Z", "account": {"uuid": "me"}, **value}


@dataclass(frozen=True)
class Vendor:
    """Whose exports they are: the modules that read them, chats of every kind, and one of some texts of a person."""

    folder: str
    export: ModuleType
    listing: ModuleType
    chats: dict[str, Any]
    branches: Any
    odd: Any
    beside: tuple[Any, ...]
    chat: Callable[..., dict[str, Any]]


VENDORS = {
    "chatgpt": Vendor(
        "chatgpt",
        chatgpt_export,
        chatgpt_listing,
        {**chatgpt_chats.CHATS, **chatgpt_chats.UNUSUAL},
        chatgpt_chats.CHATS["branches"],
        chatgpt.chat(chatgpt.HI, chatgpt.node("a", "u", "wizard", "Ho")),
        (chatgpt_chats.CHATS["instructions"],),
        _chatgpt_chat,
    ),
    "claude": Vendor(
        "claude_ai",
        claude_export,
        claude_listing,
        {name: _written_by_claude(value) for name, value in {**claude_chats.CHATS, **claude_chats.UNUSUAL}.items()},
        _written_by_claude(claude_chats.BRANCHES),
        _written_by_claude(claude_chats.CHATS["a bad message"]),
        (claude.PROJECT, _written_by_claude(claude_chats.BRANCHES)),
        _claude_chat,
    ),
}
EACH = [(vendor, name) for vendor in VENDORS for name in VENDORS[vendor].chats]


@pytest.fixture(params=VENDORS)
def vendor(request: pytest.FixtureRequest) -> Vendor:
    return VENDORS[request.param]


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of few chats, also of a small file."""
    monkeypatch.setattr(pieces, "PIECE_BYTES", _PIECE_BYTES)


@pytest.mark.parametrize(("name", "kind"), EACH)
def test_what_is_listed_is_what_is_read(name: str, kind: str, tmp_path: Path) -> None:
    vendor = VENDORS[name]
    check_listed_is_read(written(tmp_path, vendor.chat("Hi"), vendor.chats[kind], *vendor.beside))
    check_listed_is_read(written(tmp_path, vendor.chats[kind], vendor.chat("Hi")))


def test_only_the_chat_that_is_asked_for_is_read_and_only_once(
    vendor: Vendor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[str] = []
    read = vendor.listing.read_chat

    def noted(*terms: Any) -> Any:
        places.append(terms[-1])
        return read(*terms)

    # The first records are read once more as evidence of the format.
    monkeypatch.setattr(registry, "reads_a_record", lambda kind, source: True)
    monkeypatch.setattr(vendor.listing, "read_chat", noted)
    workspace = listed(written(tmp_path, *[vendor.chat("Hi", "Ho")] * 3)).workspace
    assert not any(chat.is_read for chat in workspace.conversations)
    places.clear()  # of the sample by which the format was recognized
    renamed = changed(workspace.conversations[1], title="Another")
    assert renamed.messages[-1].content == "Ho"
    assert workspace.conversations[1].messages is renamed.messages
    assert places == ["$[1]"]
    assert [chat.is_read for chat in workspace.conversations] == [False, True, False]


def test_what_the_library_loads_is_the_same_listed_and_whole(
    vendor: Vendor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = inspector.load(written(tmp_path, vendor.odd, vendor.chat("Hi"), *vendor.beside))
    assert all(chat.is_read for chat in small.conversations)
    monkeypatch.setattr(opening, "LISTED_FROM", 0)
    for _ in range(2):
        found = inspector.load(tmp_path / "conversations.json")
        whole = inspector.load(tmp_path / "conversations.json", lists=False)
        assert not any(chat.is_read for chat in found.conversations)
        assert all(chat.is_read for chat in whole.conversations)
        assert changed(found, problems=()) == changed(whole, problems=())
        told = [problem for chat in found.conversations for problem in chat.problems_on_demand]
        assert told
        assert {problem.message for problem in told} <= {problem.message for problem in whole.problems}
        assert whole == small


def test_of_a_very_large_export_all_problems_are_told_and_no_messages_are_kept(
    vendor: Vendor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vendor.export, "KEPT_UP_TO", 0)
    file = written(tmp_path, vendor.branches, vendor.odd)
    whole = load_workspace([file])
    part = listed(file).completed()
    assert not any(chat.is_read for chat in part.workspace.conversations)
    *same, note = part.workspace.problems
    assert tuple(same) == whole.problems
    assert "each chat is read when it is chosen" in note.message
    file.unlink()  # what stays unread does not need its file any more
    assert part.workspace.conversations == whole.conversations


def test_chats_that_were_listed_stay_where_there_is_no_memory_to_keep_all(vendor: Vendor, tmp_path: Path) -> None:
    chats = [vendor.chat(*[f"{place} " + "word " * 50] * 40) for place in range(60)]
    file = written(tmp_path, *chats)
    allowed = 3 * file.stat().st_size
    part = listed(file, opening_bytes=allowed).completed()
    assert len(part.workspace.conversations) == len(chats)
    assert 0 < sum(one.is_read for one in part.workspace.conversations) < len(chats)
    assert "from which on none was read" in part.workspace.problems[0].message
    assert len(load_workspace([file], opening_bytes=allowed).conversations) < len(chats)
    file.unlink()
    assert all(len(one.messages) > 0 for one in part.workspace.conversations)


def test_secrets_of_what_stays_unread_are_told(vendor: Vendor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vendor.export, "KEPT_UP_TO", 0)
    file = written(tmp_path, vendor.chat("Hi"), vendor.chat("My key is sk-" + "aB3dE6gH9jK2mN5pQ8sT" * 2))
    assert any("secrets" in problem.message for problem in listed(file).completed().workspace.problems)


def test_real_exports_are_listed_as_they_are_read(vendor: Vendor, data_folder: Path) -> None:
    files = sorted(file for file in (data_folder / vendor.folder).rglob("*") if file.suffix in (".json", ".zip"))
    assert len(files) >= 5
    parts = [check_listed_is_read(file) for file in files]
    assert sum(part.whole is not None for part in parts) >= len(files) - 1  # one is broken


@pytest.mark.usefixtures("small_pieces")
def test_a_whole_export_is_gone_through_in_pieces_alone(
    vendor: Vendor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, *[vendor.chat(f"Question {number}") for number in range(40)], vendor.branches)
    expected = load_workspace([file])

    def read_whole(source: FileSource) -> bytes:
        raise AssertionError("the file was read as a whole")

    part = listed(file)
    monkeypatch.setattr(FileSource, "data", property(read_whole))
    assert heads(joined([part])) == heads(expected)
    assert len(part.workspace.conversations) == 41
    assert part.workspace.conversations[17].messages == expected.conversations[17].messages
    assert joined([part.completed()]) == expected


@pytest.mark.usefixtures("small_pieces")
def test_a_file_that_changes_after_it_was_listed_is_opened_as_it_is_now(vendor: Vendor, tmp_path: Path) -> None:
    file = written(tmp_path, *[vendor.chat(f"Question {number}") for number in range(40)])
    part, times = listed(file), file.stat()
    written(tmp_path, *[vendor.chat(f"Answered {number}") for number in range(40)])
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns + 1_000_000_000))  # clocks of files are slow
    assert file.stat().st_size == times.st_size
    assert part.workspace.conversations[30].messages == ()
    assert joined([part.completed()]) == load_workspace([file])
    part = listed(file)
    file.unlink()
    gone = part.completed().workspace
    assert (gone.conversations, [problem.severity for problem in gone.problems]) == ((), ["error"])


@st.composite
def exports(draw: st.DrawFn) -> tuple[str, bytes]:
    """The name of a vendor and an export of his, written in one of many ways, and damaged as often as not."""
    name = draw(st.sampled_from(sorted(VENDORS)))
    vendor = VENDORS[name]
    known = st.sampled_from(sorted(vendor.chats)).map(vendor.chats.__getitem__)
    text = st.text(max_size=20) | st.sampled_from(
        ['{"uuid": "c", "name": ', '}, {"title": "T", "mapping": {', "ü" * 400]
    )
    plain = st.lists(text, min_size=1, max_size=4).map(lambda texts: vendor.chat(*texts))
    # What begins as a chat does, but stands inside of one, is no place to cut at.
    nested = st.just({**vendor.chat("Hi"), "inner": [vendor.chat("Ho"), vendor.chat("x" * _PIECE_BYTES)]})
    certain = draw(st.sampled_from([0, FIRST_ITEMS, FIRST_ITEMS]))
    chats = draw(st.lists(plain, min_size=certain, max_size=certain))
    chats += draw(st.lists(plain | known | nested, min_size=1, max_size=10))
    written = json.dumps(
        chats,
        ensure_ascii=draw(st.booleans()),
        indent=draw(st.sampled_from([None, None, 1])),
        separators=draw(st.sampled_from([None, (",", ":"), (" ,  ", " : ")])),
    )
    data = draw(st.sampled_from([b"", b" \n", b"\xef\xbb\xbf"])) + written.encode(errors="surrogatepass")
    if draw(st.booleans()):
        place = draw(st.integers(0, len(data)))
        end = draw(st.sampled_from([place, place, place + 1, place + 30, len(data)]))
        data = data[:place] + draw(st.sampled_from([b"", b"]", b"}", b",", b'"', b"\0", b"\xff", b"NaN,"])) + data[end:]
    return name, data


def check_pieces_are_the_whole(file: Path) -> Workspace:
    """Checks that a file gives the same in pieces and not; returns that."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(pieces, "PIECE_BYTES", _PIECE_BYTES)
        found = listed(file)
        monkeypatch.setattr(one_file, "_listed_in_pieces", lambda *_: None)
        expected = listed(file)
    assert found.workspace == expected.workspace
    assert heads(found.workspace) == heads(expected.workspace)
    assert found.completed().workspace == expected.completed().workspace
    return found.workspace


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a byte that is no UTF-8": lambda data: data.replace(b"LAST", b"LA\xffT"),
    "NUL": lambda data: data.replace(b"LAST", b"LA\0T"),
    "half a character": lambda data: data.replace(b"LAST", b"LA\\ud83dT"),
    "an escaped NUL": lambda data: data.replace(b"LAST", b"LA\\u0000T"),
    "a number that is none": lambda data: data.replace(b'"LAST', b'NaN, "LAST'),
    "a key that stands twice": lambda data: data.replace(b'"title":', b'"title": 1, "title":', 3),
    "a comma at the end": lambda data: data[:-1] + b",]",
    "two commas": lambda data: data.replace(b"}, {", b"},, {"),
    "no comma": lambda data: data.replace(b"}, {", b"} {"),
    "no end": lambda data: data[:-1],
    "a second end": lambda data: data + b"]",
    "a second document": lambda data: data + b"\n[]",
    "an end in the middle": lambda data: data[: len(data) // 2],
    "a mark before it": lambda data: b"\xef\xbb\xbf" + data,
    "UTF-16": lambda data: data.decode().encode("utf-16"),
    "a long line of spaces": lambda data: data.replace(b"}, {", b"}," + b" " * 500 + b"{"),
    "nothing else": lambda data: data,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_told_as_of_the_whole(vendor: Vendor, damage: str, tmp_path: Path) -> None:
    chats = [vendor.chat(f"Question {number}", "LAST" if number == 30 else "") for number in range(40)]
    file = written(tmp_path, *chats)
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    check_pieces_are_the_whole(file)


@examples(_EXAMPLES)
@given(exports())
def test_in_pieces_everything_is_found_that_is_found_in_the_whole(
    tmp_path_factory: pytest.TempPathFactory, export: tuple[str, bytes]
) -> None:
    file = tmp_path_factory.mktemp("pieces") / "conversations.json"
    file.write_bytes(export[1])
    check_pieces_are_the_whole(file)
    file.unlink()


def test_an_export_of_which_nothing_is_left_is_refused_as_when_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "conversations.json"
    file.write_text('{"mapping": {"": {"": []}}}')
    assert listed(file).completed().workspace == load_workspace([file])


def test_a_file_of_which_its_format_lost_most_is_read_by_another_also_after_its_list(tmp_path: Path) -> None:
    said = {"c": [[""]], "thinking_content": "Let me see."}
    file = tmp_path / "chat.json"
    file.write_text(json.dumps({"chat_messages": [{"message_id": [], "role": "USER", "content": "?"}, said]}))
    part, whole = listed(file), load_workspace([file])
    assert [source.format for source in part.workspace.sources] != [source.format for source in whole.sources]
    assert part.whole is not None
    assert part.completed().workspace.conversations == whole.conversations
    (thought,) = whole.conversations[0].messages[1].parts
    assert isinstance(thought, Thought)
    assert thought.text == "Let me see."
