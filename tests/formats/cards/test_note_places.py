"""Where a character's note stands among the messages, as cards record it."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.cards import card
from inspector.formats.native.write import save_workspace
from inspector.formats.sillytavern import chats
from inspector.model import Workspace
from inspector.reading.source import FileSource


def card_of(note: dict[str, Any], spec: str) -> bytes:
    held = {"name": "Nova", "description": "kind", "first_mes": "Hi", "extensions": {"depth_prompt": note}}
    return json.dumps({"spec": spec, "spec_version": "2.0", "data": held}).encode()


def note_of(note: dict[str, Any], spec: str = "chara_card_v2") -> tuple[int | None, str | None]:
    return place_in(card.load(FileSource("nova.json", card_of(note, spec))))


def place_in(found: Workspace) -> tuple[int | None, str | None]:
    (character,) = found.characters
    (piece,) = (one for one in character.components if one.type == "depth_prompt")
    return piece.depth, piece.role


@pytest.mark.parametrize(
    ("note", "place"),
    [
        ({"prompt": "be kind", "depth": 2, "role": "user"}, (2, "user")),
        ({"prompt": "be kind", "depth": "3", "role": 2}, (3, "assistant")),
        ({"prompt": "be kind"}, (None, None)),
        ({"prompt": "be kind", "depth": -1, "role": "narrator"}, (None, None)),
    ],
)
def test_depth_and_role_of_a_note_are_read(note: dict[str, Any], place: tuple[Any, Any]) -> None:
    assert note_of(note) == place
    assert note_of(note, "chara_card_v3") == place


def test_a_saved_workspace_keeps_the_place(tmp_path: Path) -> None:
    (tmp_path / "nova.json").write_bytes(card_of({"prompt": "be kind", "depth": 2, "role": "user"}, "chara_card_v2"))
    for name in ("a", "b"):
        saved = tmp_path / f"{name}.workspace.{'yaml' if name == 'a' else 'json'}"
        save_workspace(load_workspace([str(tmp_path / "nova.json")]), saved)
        assert place_in(load_workspace([str(saved)])) == (2, "user")


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({}, (None, None)),
        ({"note_depth": 2, "note_role": 1}, (2, "user")),
        ({"note_position": 1, "note_depth": 0, "note_role": 2}, (0, "assistant")),
    ],
)
def test_the_place_of_a_chats_note_is_read(settings: dict[str, Any], place: tuple[Any, Any]) -> None:
    """The program's own default of the position is among the messages."""
    header = {"user_name": "You", "chat_metadata": {"note_prompt": "be brief", "note_interval": 1, **settings}}
    lines = [header, {"name": "You", "is_user": True, "mes": "hello"}, {"name": "Nova", "is_user": False, "mes": "Hi"}]
    found = chats.load(FileSource("c.jsonl", "\n".join(map(json.dumps, lines)).encode()))
    (piece,) = found.characters[0].components
    assert (piece.depth, piece.role) == place


@pytest.mark.parametrize(
    ("position", "place", "said"),
    [
        (0, "after_prompt", "goes after the main prompt, as policies of SillyTavern put it"),
        (2, "before_prompt", "goes before the main prompt, as policies of SillyTavern put it"),
        ("0", "after_prompt", "goes after the main prompt, as policies of SillyTavern put it"),
        (-1, None, "is not sent: its position -1 is none of SillyTavern's 0, 1 and 2"),
    ],
)
def test_a_chats_note_beside_the_main_prompt_keeps_its_role_and_no_depth(
    position: Any, place: str | None, said: str, tmp_path: Path
) -> None:
    note = {"note_prompt": "be brief", "note_interval": 1, "note_position": position, "note_depth": 2, "note_role": 1}
    lines = [
        {"user_name": "You", "character_name": "Nova", "chat_metadata": note},
        {"name": "You", "is_user": True, "mes": "hello"},
        {"name": "Nova", "is_user": False, "mes": "Hi"},
    ]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, lines)))
    opened = load_workspace([str(tmp_path / "c.jsonl")])
    assert [problem.message for problem in opened.problems if "author's note" in problem.message] == [
        f"the author's note {said}"
    ]
    save_workspace(opened, tmp_path / "again.workspace.json")
    for found in (opened, load_workspace([str(tmp_path / "again.workspace.json")])):
        (piece,) = found.characters[0].components
        assert (piece.position, piece.depth, piece.role) == (place, None, "user" if place else None)
        assert piece.condition is (place is not None)
