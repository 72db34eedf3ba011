"""A command about a single conversation lists a large export, reads that conversation alone, and says its problems."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import opening, registry
from inspector.formats.chatgpt import listing as chatgpt
from inspector.formats.claude import listing as claude

_ODD = 'names the parent "zz"'


def _claude_chat(number: int, *senders: str) -> dict[str, Any]:
    texts = [f"Question {number}", "Aside"]
    said = [{"uuid": f"m{n}", "sender": who, "text": texts[n]} for n, who in enumerate(("human", *senders))]
    head = {"uuid": f"c{number}", "name": f"Chat {number}", "created_at": "2025-06-27T10:46:02Z", "account": {}}
    return {**head, "chat_messages": said}


def _chat(number: int, **more: Any) -> dict[str, Any]:
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [f"Question {number}"]}}
    nodes = {"a": {"id": "a", "parent": None, "children": [], "message": message}, **more}
    return {"id": f"c{number}", "title": f"Chat {number}", "mapping": nodes, "current_node": "a"}


@pytest.fixture(params=["chatgpt", "claude"])
def export(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An export of three chats that is large enough to be listed; the last chat has a defect."""
    monkeypatch.setattr(opening, "LISTED_FROM", 0)
    file = tmp_path / "conversations.json"
    if request.param == "claude":
        file.write_text(json.dumps([_claude_chat(0), _claude_chat(1), _claude_chat(2, _ODD)]))
        return file
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["Aside"]}}
    odd = {"b": {"id": "b", "parent": "zz", "children": [], "message": message}}
    file.write_text(json.dumps([_chat(0), _chat(1), _chat(2, **odd)]))
    return file


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The places of the chats that were read."""
    places: list[str] = []
    # The first records are read once more as evidence of the format.
    monkeypatch.setattr(registry, "reads_a_record", lambda kind, source: True)
    for listing in (chatgpt, claude):
        monkeypatch.setattr(listing, "read_chat", _noted(listing.read_chat, places))
    return places


def _noted(read: Callable[..., Any], places: list[str]) -> Callable[..., Any]:
    def noted(*terms: Any) -> Any:
        places.append(terms[-1])
        return read(*terms)

    return noted


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
