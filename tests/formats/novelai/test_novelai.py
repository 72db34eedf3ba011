"""NovelAI's lorebooks, scenarios and stories. Of the last two there is no real file here; those are written as the
application writes them."""

import base64
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.lore.foreign import KEPT
from inspector.formats.native.write import save_workspace
from inspector.formats.novelai import files as novelai
from inspector.model import LoreEntry, Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.retrieval.lore.activation import activate
from inspector.retrieval.lore.book import LoreBook, Scene
from inspector.retrieval.lore.text import ScannedText

CONFIG = {"prefix": "[", "suffix": "]\n", "tokenBudget": 0.5, "budgetPriority": 300, "insertionPosition": -1}
ENTRY: dict[str, Any] = {
    "text": "A cursed blade.",
    "contextConfig": CONFIG,
    "displayName": "Sword",
    "id": "e1",
    "keys": ["blade", "/swo?rd/i", "old & cursed"],
    "searchRange": 5000,
    "enabled": True,
    "forceActivation": False,
    "category": "c1",
}
LOREBOOK: dict[str, Any] = {
    "lorebookVersion": 6,
    "entries": [ENTRY],
    "settings": {"orderByKeyLocations": False},
    "categories": [{"id": "c1", "name": "Things", "enabled": True}],
}
CONTEXT = [{"text": "A quiet harbour.", "contextConfig": CONFIG}, {"text": "Write briefly.", "contextConfig": CONFIG}]
SCENARIO: dict[str, Any] = {
    "scenarioVersion": 3,
    "title": "Harbour",
    "prompt": "The ship came in.",
    "context": CONTEXT,
    "ephemeralContext": [{"text": "Now!"}],
    "lorebook": LOREBOOK,
}
FRAGMENTS = [
    {"data": "The ship ", "origin": "prompt"},
    {"data": "came in.", "origin": "edit"},
    {"data": " Mara waved.", "origin": "ai"},
    {"data": "", "origin": "user"},
    {"data": " She ran.", "origin": "ai"},
    {"data": " I called.", "origin": "user"},
]
CONTENT: dict[str, Any] = {"context": CONTEXT, "lorebook": LOREBOOK, "settings": {"model": "kayra-v1"}}
STORY: dict[str, Any] = {
    "storyContainerVersion": 1,
    "metadata": {"title": "Harbour"},
    "content": {**CONTENT, "story": {"fragments": FRAGMENTS}},
}
ENCODED: dict[str, Any] = {**STORY, "content": {**CONTENT, "document": "1BQ="}}


def load(value: Any) -> Workspace:
    source = FileSource("x/world.lorebook", json.dumps(value).encode())
    assert novelai.sniff(source) == 0.97
    return novelai.load(source)


def entry_of(**changes: Any) -> LoreEntry:
    return load({**LOREBOOK, "entries": [{**ENTRY, **changes}]}).lorebooks[0].entries[0]


def test_an_entry_says_what_our_model_can_say() -> None:
    entry = entry_of()
    assert (entry.id, entry.title, entry.content, entry.order) == ("e1", "Sword", "[A cursed blade.]", 300)
    assert entry.keys[:2] == ("blade", "/swo?rd/i")
    assert (entry.enabled, entry.constant, entry.position) == (True, False, "")
    assert entry_of(forceActivation=True).constant


def test_what_it_cannot_say_is_kept_and_named() -> None:
    workspace = load(LOREBOOK)
    kept = workspace.lorebooks[0].entries[0].activation[KEPT]
    assert kept == {"contextConfig": CONFIG, "searchRange": 5000, "category": "c1"}
    assert "contextConfig, searchRange, category: kept" in workspace.problems[0].message
    mixed = entry_of(keys=["/a/ & b"])
    assert (mixed.keys, mixed.activation[KEPT]["keys"]) == ((), ["/a/ & b"])


@pytest.mark.parametrize(
    ("text", "fires"), [("an old and CURSED thing", True), ("an old thing", False), ("cursed.\nSo old", True)]
)
def test_words_that_must_all_be_there_fire_together(text: str, fires: bool) -> None:
    book = LoreBook([entry_of(keys=["old & cursed"])])
    found = activate(book, Scene([ScannedText("message", "m", text, "Ana")], 1, {}, [1], 1_000, (), ()))
    assert [one.fired is not None for one in found] == [fires]


def test_a_category_that_is_off_switches_its_entries_off() -> None:
    off = load({**LOREBOOK, "categories": [{"id": "c1", "enabled": False}]})
    assert [entry.enabled for entry in off.lorebooks[0].entries] == [False]


def test_a_scenario_is_a_character_and_its_lorebook() -> None:
    workspace = load(SCENARIO)
    (character,) = workspace.characters
    assert (character.name, character.system_prompt, character.greeting) == (
        "Harbour",
        "A quiet harbour.",
        "The ship came in.",
    )
    assert [(one.type, one.content) for one in character.components] == [("authors_note", "Write briefly.")]
    assert (workspace.conversations, len(workspace.lorebooks)) == ((), 1)
    assert "$.ephemeralContext" in [problem.place for problem in workspace.problems]


def test_a_story_is_told_by_two() -> None:
    workspace = load(STORY)
    (talk,) = workspace.conversations
    assert [(one.role, one.content) for one in talk.messages] == [
        ("user", "The ship came in."),
        ("assistant", " Mara waved."),
        ("assistant", " She ran."),
        ("user", " I called."),
    ]
    assert (talk.title, talk.model) == ("Harbour", "kayra-v1")
    assert len(workspace.lorebooks) == len(workspace.characters) == 1


def test_a_story_in_an_encoding_of_its_own_says_so_and_the_rest_opens() -> None:
    workspace = load(ENCODED)
    assert (workspace.conversations, len(workspace.lorebooks)) == ((), 1)
    (problem,) = [one for one in workspace.problems if one.severity == "error"]
    assert problem.place == "$.content.document"
    with pytest.raises(UnreadableError, match="NovelAI's own encoding"):
        load({**ENCODED, "content": {"document": "1BQ="}})


def test_a_lorebook_inside_a_picture() -> None:
    packed = b"naidata\0" + base64.b64encode(json.dumps(LOREBOOK).encode())
    chunk = struct.pack(">I", len(packed)) + b"tEXt" + packed + struct.pack(">I", zlib.crc32(b"tEXt" + packed))
    source = FileSource("card.png", b"\x89PNG\r\n\x1a\n" + chunk)
    assert novelai.sniff(source) == 1
    assert [entry.title for entry in novelai.load(source).lorebooks[0].entries] == ["Sword"]


def test_one_bad_entry_or_fragment_keeps_the_others() -> None:
    workspace = load({**LOREBOOK, "entries": [{**ENTRY, "text": 5}, 5, ENTRY]})
    assert len(workspace.lorebooks[0].entries) == 1
    assert [one.place for one in workspace.problems[:2]] == ["$.entries[0]", "$.entries[1]"]
    odd = [{"data": 5, "origin": "ai"}, {"data": "x", "origin": "ghost"}, *FRAGMENTS]
    story = load({**STORY, "content": {"story": {"fragments": odd}}})
    assert len(story.conversations[0].messages) == 4
    assert [one.place[-12:] for one in story.problems] == ["fragments[0]", "fragments[1]"]


@pytest.mark.parametrize(
    "value", [{}, [], {"lorebookVersion": 5}, {"scenarioVersion": 1}, {"storyContainerVersion": 1}]
)
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert novelai.sniff(source) == 0
    with pytest.raises(UnreadableError):
        novelai.load(source)


def test_a_priority_with_more_digits_than_a_float_has_is_kept_when_it_is_saved(tmp_path: Path) -> None:
    entry = {**ENTRY, "contextConfig": {"budgetPriority": 9_007_199_254_740_993}}
    workspace = load({**LOREBOOK, "entries": [entry]})
    save_workspace(workspace, tmp_path / "saved.workspace.json")
    (again,) = load_workspace([tmp_path / "saved.workspace.json"]).lorebooks
    assert again.entries == workspace.lorebooks[0].entries


def test_the_real_lorebook(data_folder: Path) -> None:
    workspace = load_workspace([data_folder / "novelai/derived/world.lorebook"])
    assert [entry.title for entry in workspace.lorebooks[0].entries] == ["Sword", "R"]
    assert [entry.constant for entry in workspace.lorebooks[0].entries] == [False, True]
    assert [problem.severity for problem in workspace.problems] == ["info"]
