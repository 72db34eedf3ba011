"""Lorebooks: World Info of every age, Scribe lists, V3 lorebooks."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.lore import world_info
from inspector.formats.native.write import save_workspace
from inspector.model import LoreEntry, Workspace
from inspector.reading.source import FileSource, UnreadableError


def opened(value: Any, path: str = "worlds/Harbour.json") -> Workspace:
    source = FileSource(path, json.dumps(value).encode())
    assert world_info.sniff(source) >= 0.5
    return world_info.load(source)


def entry_of(fields: dict[str, Any]) -> LoreEntry:
    (lorebook,) = opened({"entries": {"4": {"uid": 4, "content": "x", **fields}}}).lorebooks
    return lorebook.entries[0]


def test_world_info_goes_to_the_fields_of_an_entry() -> None:
    entry = entry_of(
        {
            "key": ["tide", "/sea|ocean/i"],
            "keysecondary": ["moon"],
            "comment": "Tides",
            "content": "The tide is high at noon.",
            "constant": True,
            "disable": True,
            "order": 7,
            "position": 4,
            "depth": 2,
            "role": 2,
            "selectiveLogic": 3,
            "probability": 25,
            "useGroupScoring": None,
            "displayIndex": 3,
        }
    )
    assert entry.id == "4"
    assert (entry.title, entry.content, entry.keys) == ("Tides", "The tide is high at noon.", ("tide", "/sea|ocean/i"))
    assert entry.secondary_keys == ("moon",)
    assert (entry.constant, entry.enabled, entry.order, entry.position) == (True, False, 7, "at_depth")
    assert entry.activation == {"depth": 2, "role": "assistant", "selectiveLogic": 3, "probability": 25}


def test_the_book_is_named_after_its_file_or_itself() -> None:
    assert opened({"entries": {}}).lorebooks[0].id == "Harbour"
    named = opened({"name": "Old Harbour", "entries": {}}).lorebooks[0]
    assert (named.id, named.title) == ("Harbour", "Old Harbour")


def test_very_old_entries_have_comma_keys_and_orders_as_text() -> None:
    entry = entry_of({"key": "boat, the pier", "order": "30"})
    assert entry.keys == ("boat", "the pier")
    assert entry.order == 30
    assert entry_of({"key": "/a{1,3}/i"}).keys == ("/a{1,3}/i",)


def test_defaults_are_those_of_the_application() -> None:
    entry = entry_of({"key": ["boat"]})
    assert (entry.order, entry.position, entry.enabled, entry.constant) == (100, "before_char", True, False)


@pytest.mark.parametrize(("number", "word"), list(enumerate(world_info.POSITIONS)))
def test_a_position_is_a_word(number: int, word: str) -> None:
    assert entry_of({"position": number}).position == word


def test_scribe_lists_are_read() -> None:
    book = {
        "name": "Isles",
        "description": None,
        "entries": [{"title": "Reef", "keywords": ["reef"], "content": "Sharp."}],
    }
    (lorebook,) = opened(book).lorebooks
    assert lorebook.title == "Isles"
    assert lorebook.entries == (LoreEntry("0", "Sharp.", title="Reef", keys=("reef",)),)


def test_scribe_lists_with_the_names_of_other_programs_are_read() -> None:
    entries = [{"display_name": "Reef", "keys": ["reef"], "content": "Sharp.", "insertion_order": 3}]
    entry = opened({"entries": entries}).lorebooks[0].entries[0]
    assert (entry.title, entry.keys, entry.order) == ("Reef", ("reef",), 3)


def test_a_v3_lorebook_with_decorators() -> None:
    entry = {
        "keys": ["gull"],
        "content": "@@depth 2\n@@role assistant\n@@unheard of\n@@@scan_depth 9\nGulls steal bread.\n@@not this",
        "enabled": True,
        "insertion_order": 10,
        "use_regex": True,
        "id": "g1",
    }
    book = {"name": "B", "scan_depth": 4, "token_budget": 500, "recursive_scanning": False, "entries": [entry]}
    read = opened({"spec": "lorebook_v3", "data": book}).lorebooks[0].entries[0]
    assert (read.id, read.position, read.order) == ("g1", "at_depth", 10)
    assert read.content == "Gulls steal bread.\n@@not this"
    assert read.activation == {
        "depth": 2,
        "role": "assistant",
        "scanDepth": 9,
        "tokenBudget": 500,
        "world": "Harbour",
        "recursiveScanning": False,
        "useRegex": True,
        "decorators": ["unheard of"],
    }


def test_a_fallback_decorator_counts_only_after_an_unknown_one() -> None:
    assert world_info.split_decorators("@@depth 1\n@@@depth 5\ntext") == (("depth 1",), "text")
    assert world_info.split_decorators("@@odd\n@@@depth 5\ntext") == (("odd", "depth 5"), "text")
    assert world_info.split_decorators("text\n@@depth 1") == ((), "text\n@@depth 1")


def test_decorators_are_the_same_once_they_are_saved_and_opened_again(tmp_path: Path) -> None:
    book = {"spec": "lorebook_v3", "data": {"entries": [{"keys": ["k"], "content": "@@unheard of\ntext"}]}}
    (tmp_path / "book.json").write_text(json.dumps(book))
    workspace = load_workspace([tmp_path / "book.json"])
    save_workspace(workspace, tmp_path / "saved.workspace.json")
    assert load_workspace([tmp_path / "saved.workspace.json"]).lorebooks == workspace.lorebooks


def test_decorators_switch_entries() -> None:
    always = entry_of({"content": "@@activate\nx"})
    never = entry_of({"content": "@@dont_activate\nx"})
    assert (always.constant, never.enabled, never.content) == (True, False, "x")


def test_settings_of_cards_have_underscores_in_their_extensions() -> None:
    entry = {
        "keys": ["a"],
        "content": "b",
        "extensions": {"position": 1, "prevent_recursion": True, "group_weight": "5"},
    }
    read = opened({"entries": [entry]}).lorebooks[0].entries[0]
    assert read.position == "after_char"
    assert read.activation == {"preventRecursion": True, "groupWeight": 5}


def test_what_is_broken_is_named_and_the_rest_opens() -> None:
    entries = {
        "0": "no entry",
        "1": {"uid": 1, "key": ["a"], "content": 5, "depth": "deep"},
        "2": {"uid": 1, "content": "c"},
    }
    workspace = opened({"entries": {"9": {"uid": 9, "content": "good"}, **entries}})
    assert [entry.id for entry in workspace.lorebooks[0].entries] == ["9", "1", "1-2"]
    assert [problem.place for problem in workspace.problems] == [
        "$.entries.0",
        "$.entries.1.content",
        "$.entries.1.depth",
    ]
    assert all(problem.file == "worlds/Harbour.json" for problem in workspace.problems)


@pytest.mark.parametrize(
    "value",
    [
        [],
        {"entries": 5},
        {"entries": [{"text": "NovelAI"}], "lorebookVersion": 5},
        {"kind": "memory", "entries": [{"keywords": ["a"], "content": "b"}]},
        {"spec": "chara_card_v2", "entries": {"0": {"uid": 0}}},
    ],
)
def test_other_files_are_left_to_others(value: Any) -> None:
    assert world_info.sniff(FileSource("x.json", json.dumps(value).encode())) == 0


def test_no_entries_at_all_is_unreadable() -> None:
    with pytest.raises(UnreadableError) as caught:
        world_info.load(FileSource("x.json", b'{"spec": "lorebook_v3", "data": {"entries": "none"}}'))
    assert caught.value.problem.place == "$.data.entries"


@pytest.mark.parametrize(
    ("file", "entries", "disabled"),
    [
        ("st_worldinfo/Eldoria.json", 4, 0),
        ("st_worldinfo/derived/all_features.json", 7, 1),
        ("st_worldinfo/derived/locomo5_entries.json", 1126, 0),
        ("scribe_lorebook/malkuth_scribe_lorebook.json", 329, 0),
        ("lorebook_v3/derived/book.json", 1, 0),
    ],
)
def test_real_lorebooks(data_folder: Path, file: str, entries: int, disabled: int) -> None:
    source = FileSource(file, (data_folder / file).read_bytes())
    assert world_info.sniff(source) >= 0.9
    workspace = world_info.load(source)
    found = workspace.lorebooks[0].entries
    assert len(found) == len({entry.id for entry in found}) == entries
    assert sum(not entry.enabled for entry in found) == disabled
    assert not workspace.problems
    assert all(entry.content and (entry.keys or entry.constant) for entry in found)


def test_real_features(data_folder: Path) -> None:
    file = data_folder / "st_worldinfo/derived/all_features.json"
    entries = {entry.id: entry for entry in world_info.load(FileSource("x", file.read_bytes())).lorebooks[0].entries}
    assert entries["0"].keys == ("/sw(or|0)d/i",)
    assert entries["7"].position == "at_depth"
    assert entries["7"].activation["selectiveLogic"] == 3
    assert (entries["13"].activation["sticky"], entries["13"].activation["cooldown"]) == (3, 5)
    assert entries["14"].keys == ("comma", "string")
