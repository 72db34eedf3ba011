"""Where a character's note stands among the messages, as cards record it."""

import json
from typing import Any

import pytest

from inspector.formats.cards import card
from inspector.reading.source import FileSource


def note_of(note: dict[str, Any]) -> tuple[int | None, str | None]:
    held = {"name": "Nova", "description": "kind", "first_mes": "Hi", "extensions": {"depth_prompt": note}}
    data = json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": held}).encode()
    (character,) = card.load(FileSource("nova.json", data)).characters
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
