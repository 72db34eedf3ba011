"""Backyard AI's archives, written here as its specification has them: no real file is here."""

import json
from typing import Any

import pytest

from inspector.formats.backyard.archive import FORMAT
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError
from tests.reading.zips import zipped

TIMES = {"createdAt": "2024-03-21T12:00:00Z", "updatedAt": "2024-03-21T12:00:00Z"}
PERSON: dict[str, Any] = {
    "schemaVersion": 1,
    "id": "mara",
    "name": "Mara",
    "displayName": "Mara Lind",
    "isNSFW": False,
    "persona": "Keeps the lighthouse.",
    **TIMES,
    "loreItems": [{"key": "lamp, light", "value": "The lamp is old."}],
    "images": [{"path": "images/a.png", "label": ""}],
}
OUTPUTS = [
    {**TIMES, "text": "Go away.", "activeTimestamp": "2024-03-21T12:00:01Z"},
    {**TIMES, "text": "Come in.", "activeTimestamp": "2024-03-21T12:00:09Z"},
]
SCENE: dict[str, Any] = {
    "schemaVersion": 1,
    "title": "The storm",
    "model": "llama-3-8b",
    "formattingInstructions": "Answer as Mara.",
    "narrative": "A storm comes.",
    "exampleMessages": [{"characterID": "mara", "text": "Hm."}],
    "firstMessages": [{"characterID": "mara", "text": "Who is there?"}],
    "messages": [{"type": "human", **TIMES, "text": "Me."}, {"type": "ai", "outputs": OUTPUTS}],
}
MANIFEST: dict[str, Any] = {
    "schemaVersion": 1,
    "createdAt": "2024-03-21T12:00:00Z",
    "characters": ["characters/mara/character.json"],
    "scenarios": ["scenarios/scenario1.json"],
}


def archive(manifest: Any = MANIFEST, person: Any = PERSON, *scenes: Any) -> bytes:
    files = {"manifest.json": manifest, "characters/mara/character.json": person}
    files |= {f"scenarios/scenario{number}.json": scene for number, scene in enumerate(scenes or (SCENE,), 1)}
    pictures = {"characters/mara/images/a.png": b"\x89PNG"}
    return zipped({**{name: json.dumps(value).encode() for name, value in files.items()}, **pictures})


def load(data: bytes) -> Workspace:
    source = FileSource("mara.byaf", data)
    assert rank_formats(source, built_in_formats())[0] == [FORMAT]
    return FORMAT.load(source)


def test_a_character_its_lore_and_its_chat() -> None:
    workspace = load(archive())
    (person,) = workspace.characters
    assert (person.id, person.name, person.greeting) == ("Mara Lind", "Mara Lind", "Who is there?")
    assert person.system_prompt == "Answer as Mara."
    assert [(piece.id, piece.content) for piece in person.components] == [
        ("description", "Keeps the lighthouse."),
        ("scenario", "A storm comes."),
        ("example", "Hm."),
    ]
    (entry,) = workspace.lorebooks[0].entries
    assert (entry.keys, entry.content) == (("lamp", "light"), "The lamp is old.")
    (chat,) = workspace.conversations
    assert [(one.role, one.content) for one in chat.messages] == [
        ("assistant", "Who is there?"),
        ("user", "Me."),
        ("assistant", "Come in."),
    ]
    assert (chat.title, chat.model) == ("The storm", "llama-3-8b")
    assert [problem.severity for problem in workspace.problems] == ["info"]


def test_what_an_answer_was_before_is_another_branch() -> None:
    tree = load(archive()).conversations[0].tree
    assert tree is not None
    assert {one.content for one in tree.messages} == {"Who is there?", "Me.", "Come in.", "Go away."}


def test_a_character_stands_once_for_each_scenario_that_changes_it() -> None:
    listed = {**MANIFEST, "scenarios": [f"scenarios/scenario{number}.json" for number in (1, 2, 3)]}
    workspace = load(archive(listed, PERSON, SCENE, {**SCENE, "title": "Again"}, {**SCENE, "narrative": "Calm."}))
    assert [one.id for one in workspace.characters] == ["Mara Lind", "Mara Lind-2"]
    assert [chat.title for chat in workspace.conversations] == ["The storm", "Again", "The storm"]


def test_what_is_missing_or_broken_leaves_the_rest() -> None:
    spoken = [{"type": "robot", "text": "?"}, 5, {"type": "ai", "outputs": []}, SCENE["messages"][0]]
    listed = {**MANIFEST, "scenarios": [*MANIFEST["scenarios"], "scenarios/gone.json", "scenarios/scenario2.json"]}
    workspace = load(archive(listed, [], {**SCENE, "messages": spoken, "firstMessages": []}, "text"))
    assert [one.content for one in workspace.conversations[0].messages] == ["Me."]
    assert [(problem.file.partition("/")[2], problem.place) for problem in workspace.problems] == [
        ("characters/mara/character.json", "$"),
        ("", "manifest.json: scenarios/gone.json"),
        ("scenarios/scenario2.json", "$"),
        *(("scenarios/scenario1.json", f"$.messages[{number}]") for number in range(3)),
    ]


def test_an_archive_that_names_nothing_is_refused() -> None:
    with pytest.raises(UnreadableError, match="expected a character or a scenario"):
        FORMAT.load(FileSource("x.byaf", archive({"schemaVersion": 1, "characters": [], "scenarios": []})))
    assert FORMAT.sniff(FileSource("x.zip", zipped({"manifest.json": b'{"name": "extension"}'}))) == 0


def test_two_characters_of_one_name_have_lorebooks_of_their_own() -> None:
    twice = {**MANIFEST, "characters": MANIFEST["characters"] * 2}
    assert [book.id for book in load(archive(twice)).lorebooks] == ["Mara Lind", "Mara Lind-2"]
