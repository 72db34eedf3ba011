"""A command about a single conversation lists a large export, reads that conversation alone, and says its problems."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import opening
from inspector.formats.chatgpt import listing

_ODD = 'names the parent "zz"'


def _chat(number: int, **more: Any) -> dict[str, Any]:
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [f"Question {number}"]}}
    nodes = {"a": {"id": "a", "parent": None, "children": [], "message": message}, **more}
    return {"id": f"c{number}", "title": f"Chat {number}", "mapping": nodes, "current_node": "a"}


@pytest.fixture
def export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An export of three chats that is large enough to be listed; the last chat has a node without a parent."""
    monkeypatch.setattr(opening, "LISTED_FROM", 0)
    file = tmp_path / "conversations.json"
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["Aside"]}}
    odd = {"b": {"id": "b", "parent": "zz", "children": [], "message": message}}
    file.write_text(json.dumps([_chat(0), _chat(1), _chat(2, **odd)]))
    return file


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The places of the chats that were read."""
    places: list[str] = []
    whole = listing.read_chat

    def read(chat: Any, notes: Any, place: str) -> Any:
        places.append(place)
        return whole(chat, notes, place)

    monkeypatch.setattr(listing, "read_chat", read)
    return places


def test_only_the_chosen_chat_is_read(run: Any, export: Path, reads: list[str]) -> None:
    result = run("count", str(export), "--conversation", "c1")
    assert result.exit_code == 0
    assert "in 1 item" in result.stdout
    assert set(reads) == {"$[1]"}
    assert _ODD not in result.stderr


def test_the_problems_of_the_chosen_chat_are_said(run: Any, export: Path) -> None:
    result = run("count", str(export), "--conversation", "c2")
    assert result.exit_code == 0
    assert result.stderr.count(_ODD) == 1


def test_a_command_about_all_chats_says_all_problems(run: Any, export: Path, reads: list[str]) -> None:
    result = run("conversations", str(export))
    assert result.exit_code == 0
    assert result.stderr.count(_ODD) == 1
    assert set(reads) == {"$[0]", "$[1]", "$[2]"}
